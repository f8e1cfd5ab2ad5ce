"""Problem documents (RFC 9457), made from the catalogue and nowhere else."""

import msgspec

from sightline.api.edge.reply import Reply
from sightline.errors import Problem

MEDIA_TYPE = b"application/problem+json"


def problem_document(problem: Problem, *, request_id: str, path: str, base_url: str) -> dict[str, object]:
    return {
        "type": f"{base_url}/docs/errors#{problem.code}",
        "title": problem.kind.title,
        "status": problem.kind.status,
        "detail": problem.detail,
        "instance": path,
        "code": problem.code,
        **problem.members,
        "request_id": request_id,
    }


def problem_reply(
    problem: Problem, *, request_id: str, path: str, base_url: str, allowed_methods: tuple[str, ...] = ()
) -> Reply:
    """Return the problem as a response; `Allow` and `Retry-After` follow from its code and its members."""
    document = problem_document(problem, request_id=request_id, path=path, base_url=base_url)
    headers = [(b"content-type", MEDIA_TYPE)]
    if problem.code == "method_not_allowed":
        headers.append((b"allow", ", ".join(allowed_methods).encode()))
    if "retry_after" in problem.members:
        headers.append((b"retry-after", b"%d" % problem.members["retry_after"]))
    return Reply(problem.kind.status, headers, msgspec.json.encode(document))
