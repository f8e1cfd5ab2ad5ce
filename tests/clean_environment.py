"""A virtual environment outside the checkout, with a wheel and what it requires: nothing else, and no network."""

import subprocess
import sys
import venv
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement


def build_wheel(project: Path, target: Path) -> Path:
    """Build as `make dist` does: without a network, with what is installed."""
    return _build(project, target, "wheel", "*.whl")


def unpack_source_archive(project: Path, target: Path) -> Path:
    """Build a source archive, and return the folder that it unpacks to."""
    archive = _build(project, target, "sdist", "*.tar.gz")
    subprocess.run(["tar", "--extract", "--gzip", "--file", archive, "--directory", target], check=True)
    return target / archive.name.removesuffix(".tar.gz")


def _build(project: Path, target: Path, kind: str, pattern: str) -> Path:
    build = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(target)]
    subprocess.run(build, cwd=project, check=True, capture_output=True)
    (built,) = target.glob(pattern)
    return built


def create_environment(home: Path, *required: str) -> Path:
    """Create an environment with these distributions of ours and what they require. Return its interpreter."""
    venv.create(home, with_pip=True)
    linked: set[str] = set()
    for name in required:
        _link_distribution(Requirement(name), find_packages(home / "bin/python"), linked)
    return home / "bin/python"


def find_packages(interpreter: Path) -> Path:
    (packages,) = interpreter.parents[1].glob("lib/python*/site-packages")
    return packages


def install(wheel: Path, interpreter: Path, *options: str) -> None:
    """Install a wheel. pip fails if a requirement is not met."""
    command = [interpreter, "-m", "pip", "install", "--no-index", "--no-compile", "--quiet"]
    subprocess.run([*command, "--disable-pip-version-check", *options, wheel], check=True)


def _link_distribution(needed: Requirement, target: Path, linked: set[str]) -> None:
    """Link the files of an installed distribution, and of what it requires. Copies would take half a gigabyte."""
    if str(needed) in linked:
        return
    linked.add(str(needed))
    found = distribution(needed.name)
    for file in found.files or []:
        if ".." not in file.parts and "__pycache__" not in file.parts:
            _link(Path(str(found.locate_file(file))), target / file)
    for requirement in read_requirements(needed):
        _link_distribution(requirement, target, linked)


def read_requirements(needed: Requirement) -> list[Requirement]:
    """Return what an installed distribution requires here, with the extras that are asked for."""
    required = [Requirement(text) for text in distribution(needed.name).requires or []]
    extras = needed.extras or {""}
    return [one for one in required if not one.marker or any(one.marker.evaluate({"extra": e}) for e in extras)]


def _link(source: Path, link: Path) -> None:
    link.parent.mkdir(parents=True, exist_ok=True)
    if not link.exists():
        link.symlink_to(source)
    compiled = source.parent / "__pycache__"
    if source.suffix == ".py" and compiled.is_dir() and not (link.parent / "__pycache__").exists():
        (link.parent / "__pycache__").symlink_to(compiled)
