"""Problem documents (RFC 9457), built from the catalog of problem codes."""

import msgspec

from sightline.api.edge.responses import ApiResponse
from sightline.errors import Problem, name_errors

MEDIA_TYPE = b"application/problem+json"


def build_problem_document(problem: Problem, *, request_id: str, path: str, base_url: str) -> dict[str, object]:
    return {
        "type": f"{base_url}/docs/errors#{problem.code}",
        "title": problem.kind.title,
        "status": problem.kind.status,
        "detail": problem.detail,
        "instance": path,
        "code": problem.code,
        **name_errors(problem),
        "request_id": request_id,
    }


def build_problem_response(
    problem: Problem, *, request_id: str, path: str, base_url: str, allowed_methods: tuple[str, ...] = ()
) -> ApiResponse:
    """Return the problem as a response; `Allow` and `Retry-After` follow from its code and its members."""
    document = build_problem_document(problem, request_id=request_id, path=path, base_url=base_url)
    headers = [(b"content-type", MEDIA_TYPE)]
    if problem.code == "method_not_allowed":
        headers.append((b"allow", ", ".join(allowed_methods).encode()))
    if "retry_after" in problem.members:
        headers.append((b"retry-after", b"%d" % problem.members["retry_after"]))
    return ApiResponse(problem.kind.status, headers, msgspec.json.encode(document))
