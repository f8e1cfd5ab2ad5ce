"""All generated files of the SDK, by path below its package."""

import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.sdk.names import RESOURCES, method_of, select_operations
from scripts.sdk.write_events import write_events, write_problem_codes
from scripts.sdk.write_models import response_struct, write_models
from scripts.sdk.write_resources import write_resource, write_resources
from sightline.api.app import OPERATIONS
from sightline.api.event_types import SCAN_STREAM_EVENTS, WEBHOOK_EVENTS
from sightline.errors import CATALOG

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "sdk/python/src/sightline_sdk"


def generate() -> dict[str, str]:
    """Return the formatted source of every generated file."""
    operations = select_operations(OPERATIONS)
    outputs = [response_struct(operation) for operation in operations if operation.stream_media_type is None]
    outputs += [schema.data for schema in (*WEBHOOK_EVENTS.values(), *SCAN_STREAM_EVENTS.values())]
    bodies = [operation.body for operation in operations if operation.body is not None]
    sources = {
        "models.py": write_models(outputs, bodies),
        "webhook_events.py": write_events(WEBHOOK_EVENTS),
        "_problem_codes.py": write_problem_codes(CATALOG),
        "resources/__init__.py": write_resources(RESOURCES),
    }
    for resource in RESOURCES:
        own = [operation for operation in operations if method_of(operation)[0] == resource]
        sources[f"resources/{resource}.py"] = write_resource(resource, own)
    return _format(sources)


def _format(sources: dict[str, str]) -> dict[str, str]:
    """Remove unused imports, and format with ruff as all code of the project is formatted."""
    ruff, config = Path(sys.executable).with_name("ruff"), ("--quiet", "--config", ROOT / "pyproject.toml")
    with tempfile.TemporaryDirectory() as folder:
        for name, source in sources.items():
            file = Path(folder) / name
            file.parent.mkdir(exist_ok=True)
            file.write_text(source)
        for command in (("check", "--select", "I,F401", "--fix"), ("format",)):
            subprocess.run([ruff, *command, *config, folder], check=True)  # noqa: S603 - our own tool
        return {name: (Path(folder) / name).read_text() for name in sources}
