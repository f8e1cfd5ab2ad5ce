"""Alert rules, dashboard, runbook and the reference of metrics: they fit each other and the real exposition."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]
from prometheus_client import generate_latest

import sightline.api.app
import sightline.worker.run  # noqa: F401 - both declare what their processes count
from scripts import dashboard
from sightline.monitoring.exposition import Monitor

ROOT = Path(__file__).parent.parent.parent
RULES_FILE = ROOT / "deploy" / "monitoring" / "alerts.yaml"
RULES = {rule["alert"]: rule for rule in yaml.safe_load(RULES_FILE.read_text())["groups"][0]["rules"]}
_NAME = re.compile(r"\b(?:sightline|process)_[a-z_]+\b")
_LAG, _TIME = "sightline_event_loop_lag_seconds_bucket", "sightline_request_seconds_bucket"


def held(value: str) -> str:
    """Return a series that has one value for four hours."""
    return f"{value}x240"


def counted(step: float) -> str:
    return f"0+{step}x240"


def one(series: str, fires: str, quiet: str, **labels: str):
    """Return a case of one series: the values that raise the alert, and those that do not."""
    return {series: held(fires)}, {series: held(quiet)}, labels


# By alert: series that raise it, series that must not, and the labels of the alert.
CASES = {
    "SightlineDown": one('up{job="sightline-api", instance="a"}', "0", "1", job="sightline-api", instance="a"),
    "SightlineDatabaseUnavailable": (
        {f'sightline_figures_read_success{{instance="{each}"}}': held("0") for each in "ab"},
        {f'sightline_figures_read_success{{instance="{each}"}}': held(value) for each, value in ("a0", "b1")},
        {},
    ),
    "SightlineFiguresNotRead": one('sightline_figures_read_success{group="ledger"}', "0", "1", group="ledger"),
    "SightlineNoWorker": one("sightline_workers", "0", "1"),
    "SightlineQueueStuck": one('sightline_job_oldest_waiting_seconds{kind="event"}', "301", "299", kind="event"),
    "SightlineJobsHeld": one('sightline_jobs{kind="event", state="held"}', "1", "0", kind="event"),
    "SightlineScanStuck": one('sightline_scan_oldest_seconds{state="running"}', "12001", "10800", state="running"),
    "SightlinePlatformFailing": one('sightline_platform_failing{platform="grok"}', "1", "0", platform="grok"),
    "SightlinePlatformErrors": (
        {
            'sightline_platform_calls_total{platform="grok", source="live", outcome="ok"}': counted(6),
            'sightline_platform_calls_total{platform="grok", source="live", outcome="timeout"}': counted(4),
        },
        {
            'sightline_platform_calls_total{platform="grok", source="live", outcome="no_surface"}': counted(8),
            'sightline_platform_calls_total{platform="grok", source="live", outcome="timeout"}': counted(2),
            'sightline_platform_calls_total{platform="grok", source="sandbox", outcome="timeout"}': counted(90),
        },
        {"platform": "grok"},
    ),
    "SightlineWebhooksLate": one("sightline_webhook_backlog_oldest_seconds", "301", "299"),
    "SightlineScheduleLate": one("sightline_schedule_lag_seconds", "901", "899"),
    "SightlineLedgerDrift": one("sightline_ledger_drifting_accounts", "1", "0"),
    "SightlinePaymentsToReview": one(
        'sightline_payments_to_review{state="reconciliation"}', "1", "0", state="reconciliation"
    ),
    "SightlineDiskLow": (
        {'sightline_disk_free_bytes{instance="a"}': held("9"), 'sightline_disk_size_bytes{instance="a"}': held("100")},
        {'sightline_disk_free_bytes{instance="a"}': held("11"), 'sightline_disk_size_bytes{instance="a"}': held("100")},
        {"instance": "a"},
    ),
    "SightlineDiskFull": (
        {'sightline_disk_free_bytes{instance="a"}': held("2"), 'sightline_disk_size_bytes{instance="a"}': held("100")},
        {'sightline_disk_free_bytes{instance="a"}': held("4"), 'sightline_disk_size_bytes{instance="a"}': held("100")},
        {"instance": "a"},
    ),
    "SightlineBackupOverdue": one(
        # The tests of promtool begin at the time 0, and look after three hours.
        'sightline_backup_last_success_timestamp_seconds{schedule="daily"}', "-90000", "-80000"
    ),
    "SightlinePoolExhausted": (
        {
            'sightline_database_pool_connections{instance="a", state="in_use"}': held("10"),
            'sightline_database_pool_max_connections{instance="a"}': held("10"),
        },
        {
            'sightline_database_pool_connections{instance="a", state="in_use"}': held("9"),
            'sightline_database_pool_connections{instance="a", state="idle"}': held("1"),
            'sightline_database_pool_max_connections{instance="a"}': held("10"),
        },
        {"instance": "a"},
    ),
    "SightlineDegradedReads": (
        {"sightline_degraded_reads_total": counted(1)},
        {"sightline_degraded_reads_total": held("7")},
        {},
    ),
    "SightlineRequestErrors": (
        {'sightline_requests_total{status="200"}': counted(98), 'sightline_requests_total{status="503"}': counted(2)},
        {'sightline_requests_total{status="429"}': counted(998), 'sightline_requests_total{status="503"}': counted(2)},
        {},
    ),
    "SightlineRequestsSlow": (
        {f'{_TIME}{{le="{le}"}}': counted(step) for le, step in (("0.5", 9), ("2.5", 10), ("+Inf", 10))},
        {f'{_TIME}{{le="{le}"}}': counted(step) for le, step in (("0.5", 98), ("2.5", 100), ("+Inf", 100))},
        {},
    ),
    "SightlineEventLoopBlocked": (
        {f'{_LAG}{{instance="a", le="{le}"}}': counted(step) for le, step in (("0.1", 5), ("1", 10), ("+Inf", 10))},
        {f'{_LAG}{{instance="a", le="{le}"}}': counted(step) for le, step in (("0.1", 95), ("1", 100), ("+Inf", 100))},
        {"instance": "a"},
    ),
}  # fmt: skip


def build_test(alert: str, series: dict[str, str], labels: dict[str, str] | None) -> dict[str, object]:
    """Return a test for promtool; without labels the alert must not fire."""
    rule, expected = RULES[alert], []
    if labels is not None:
        annotations = dict(rule["annotations"])
        for name, value in labels.items():
            annotations["summary"] = annotations["summary"].replace(f"{{{{ $labels.{name} }}}}", value)
        expected = [{"exp_labels": {**labels, **rule["labels"]}, "exp_annotations": annotations}]
    return {
        "interval": "1m",
        "input_series": [{"series": name, "values": values} for name, values in series.items()],
        "alert_rule_test": [{"eval_time": "3h", "alertname": alert, "exp_alerts": expected}],
    }


@pytest.mark.slow
def test_promtool_fires_every_rule_when_it_should_and_only_then(tmp_path):
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not installed: it comes with Prometheus")
    assert set(CASES) == set(RULES), "every alert has a case"
    tests = [build_test(alert, fires, labels) for alert, (fires, _, labels) in CASES.items()]
    tests += [build_test(alert, quiet, None) for alert, (_, quiet, _) in CASES.items()]
    file = tmp_path / "alerts_test.yaml"
    file.write_text(yaml.safe_dump({"rule_files": [str(RULES_FILE)], "evaluation_interval": "1m", "tests": tests}))
    done = subprocess.run([promtool, "test", "rules", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_alert_has_its_section_in_the_runbook():
    runbook = (ROOT / "docs" / "operate" / "runbook.md").read_text()
    assert re.findall(r"^## (Sightline\w+)$", runbook, re.MULTILINE) == list(RULES)
    for alert, rule in RULES.items():
        assert rule["annotations"]["runbook"] == f"docs/operate/runbook.md#{alert.lower()}"


@pytest.fixture
async def exposed(installation, tmp_path):
    """Return the kinds of the metrics that a process exposes, by name."""
    text = generate_latest().decode() + (await Monitor(installation.db, tmp_path).render()).decode()
    return dict(re.findall(r"^# TYPE (\w+) (\w+)$", text, re.MULTILINE))


async def test_rules_and_dashboard_use_metrics_that_exist(exposed):
    parts = {"histogram": ("_bucket", "_count", "_sum")}
    names = {name + part for name, kind in exposed.items() for part in parts.get(kind, ("",))}
    used = {name for text in (RULES_FILE.read_text(), dashboard.render()) for name in _NAME.findall(text)}
    assert used <= names
    assert len(used) > 30
    assert json.loads(dashboard.TARGET.read_text()) == dashboard.build_dashboard(), "run scripts/dashboard.py"


async def test_every_metric_explains_itself_and_names_follow_the_conventions(exposed, installation, tmp_path):
    text = generate_latest().decode() + (await Monitor(installation.db, tmp_path).render()).decode()
    explained = set(re.findall(r"^# HELP (sightline_\w+) \S+ \S+", text, re.MULTILINE))
    assert explained == {name for name in exposed if name.startswith("sightline_")}
    for name, kind in exposed.items():
        assert (kind == "counter") == name.endswith("_total")
        assert not re.search(r"_(ms|milliseconds|minutes|kb|mb|percent)(_|$)", name)
