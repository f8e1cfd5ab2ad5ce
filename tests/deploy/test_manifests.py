"""The files in deploy/ are valid, as strict as they say, and use settings that exist."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from sightline.settings import Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
TOOLS = ROOT / ".tools/release/bin"
OVERLAYS = sorted((DEPLOY / "kubernetes/overlays").iterdir())
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
WITH_PODS = ("Deployment", "Job", "StatefulSet")
CONTRIBUTORS_EXTRAS = {"bench", "build", "dev", "training"}
# Variables of compose.yaml, of the Caddyfile and of deploy/image/try.
OTHER_VARIABLES = {"SIGHTLINE_IMAGE", "SIGHTLINE_HOST_NAME", "SIGHTLINE_TRY_IN_NAMESPACE"}


def require(program: str | Path) -> str:
    """Return the path of a program, or skip the test where it is absent."""
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"{Path(program).name} is not installed")
    return found


def read_pods() -> list:
    files = [*DEPLOY.glob("kubernetes/base/*.yaml"), *DEPLOY.glob("kubernetes/overlays/*/*.yaml")]
    documents = [document for file in files for document in yaml.safe_load_all(file.read_text())]
    return [document["spec"]["template"]["spec"] for document in documents if document["kind"] in WITH_PODS]


def test_pods_conform_to_the_restricted_standard_and_have_a_read_only_root():
    pods = read_pods()
    assert len(pods) == 4
    for pod in pods:
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        # A service called sightline would set SIGHTLINE_PORT in pods that follow service links.
        assert pod["enableServiceLinks"] is False and pod["automountServiceAccountToken"] is False
        assert all(set(volume) & {"emptyDir", "name"} == set(volume) for volume in pod["volumes"])
        for container in pod["containers"]:
            context = container["securityContext"]
            assert context["allowPrivilegeEscalation"] is False and context["readOnlyRootFilesystem"] is True
            assert context["capabilities"] == {"drop": ["ALL"]}


def test_every_setting_that_a_deployment_names_exists():
    files = [ROOT / "Dockerfile", ROOT / "compose.yaml", *(file for file in DEPLOY.rglob("*") if file.is_file())]
    named = {name for file in files for name in re.findall(r"SIGHTLINE_[A-Z_]*[A-Z]", file.read_text())}
    assert "SIGHTLINE_WORKER_PORT" in named
    assert named - OTHER_VARIABLES <= {f"SIGHTLINE_{name.upper()}" for name in Settings.model_fields}


def test_the_image_has_every_extra_of_the_service():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    needed = {Requirement(text).name for extra in set(extras) - CONTRIBUTORS_EXTRAS for text in extras[extra]}
    locked = re.findall(r"^([a-z0-9.-]+)==", (ROOT / "requirements/image.txt").read_text(), re.MULTILINE)
    assert needed and needed <= set(locked)


def test_the_compose_file_holds_no_secret_and_is_as_strict_as_the_manifests():
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    for name in ("migrate", "api", "worker"):
        assert services[name]["read_only"] is True and services[name]["cap_drop"] == ["ALL"]
        for secret in ("SIGHTLINE_DATABASE_URL", "SIGHTLINE_SECRET_KEY"):
            assert ":?" in services[name]["environment"][secret]
    assert services["api"]["ports"] == ["127.0.0.1:8080:8080"]


@pytest.mark.slow
@pytest.mark.parametrize("overlay", OVERLAYS, ids=lambda folder: folder.name)
def test_overlays_build_and_match_the_schemas_of_kubernetes(overlay, tmp_path):
    kubectl, validate = require("kubectl"), require(TOOLS / "kubernetes-validate")
    built = subprocess.run([kubectl, "kustomize", overlay], capture_output=True, text=True, check=True).stdout
    kinds = [document["kind"] for document in yaml.safe_load_all(built)]
    assert (
        kinds.count("Deployment") == kinds.count("HorizontalPodAutoscaler") == kinds.count("PodDisruptionBudget") == 2
    )
    (tmp_path / "built.yaml").write_text(built)
    done = subprocess.run([validate, "--strict", tmp_path / "built.yaml"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (done.stdout + done.stderr).count(" passed ") == len(kinds)


@pytest.mark.slow
def test_hadolint_finds_nothing_in_the_dockerfile():
    done = subprocess.run(
        [require(TOOLS / "hadolint"), ROOT / "Dockerfile"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.slow
def test_units_are_valid_and_hardened(tmp_path):
    analyze = require("systemd-analyze")
    shutil.copytree(DEPLOY / "systemd", tmp_path / "etc/systemd/system")
    for folder in ("usr/lib/systemd/system", "usr/local/bin"):
        (tmp_path / folder).mkdir(parents=True)
    for target in Path("/usr/lib/systemd/system").glob("*.target"):
        shutil.copy(target, tmp_path / "usr/lib/systemd/system")
    (tmp_path / "usr/local/bin/sightline").touch(0o755)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [analyze, *arguments, f"--root={tmp_path}", "--man=no", *(unit.name for unit in UNITS)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    assert "sightline" not in run("verify").stderr
    scores = re.findall(r"exposure level for \S+: ([\d.]+)", run("security", "--offline=yes").stdout)
    assert len(scores) == len(UNITS) == 4 and max(map(float, scores)) <= 1.5
