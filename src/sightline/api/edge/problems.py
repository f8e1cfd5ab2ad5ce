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


def problem_reply(problem: Problem, *, request_id: str, path: str, base_url: str) -> Reply:
    document = problem_document(problem, request_id=request_id, path=path, base_url=base_url)
    headers = [(b"content-type", MEDIA_TYPE)]
    headers += [(name.lower().encode(), value.encode()) for name, value in problem.headers.items()]
    return Reply(problem.kind.status, headers, msgspec.json.encode(document))
