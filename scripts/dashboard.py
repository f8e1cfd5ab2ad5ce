"""Writes the Grafana dashboard, deploy/monitoring/dashboard.json, from the panels below.

Run `.venv/bin/python scripts/dashboard.py`. A test fails when the file is not what this writes.
"""

import json
from pathlib import Path
from typing import NamedTuple

TARGET = Path(__file__).parent.parent / "deploy" / "monitoring" / "dashboard.json"
_WIDTH, _HEIGHT, _COLUMNS = 8, 7, 3


class Panel(NamedTuple):
    """One chart. A query of each line, with the legend that Grafana fills in."""

    title: str
    unit: str
    queries: dict[str, str]


def quantile(share: float, metric: str, by: str) -> str:
    return f"histogram_quantile({share}, sum by ({by}, le) (rate({metric}_bucket[5m])))"


ROWS: dict[str, tuple[Panel, ...]] = {
    "Health": (
        Panel("Processes up", "short", {"{{job}}": 'sum by (job) (up{job=~"sightline.*"})'}),
        Panel("Workers alive", "short", {"workers": "max(sightline_workers)"}),
        Panel(
            "Metric groups that could not be read",
            "short",
            {"{{group}}": "1 - max by (group) (sightline_figures_read_success)"},
        ),
    ),
    "Jobs and scans": (
        Panel("Jobs by state", "short", {"{{state}}": "sum by (state) (max by (kind, state) (sightline_jobs))"}),
        Panel("Oldest waiting job", "s", {"{{kind}}": "max by (kind) (sightline_job_oldest_waiting_seconds)"}),
        Panel("Job runs", "ops", {"{{outcome}}": "sum by (outcome) (rate(sightline_job_runs_total[5m]))"}),
        Panel("Job duration (95th percentile)", "s", {"{{kind}}": quantile(0.95, "sightline_job_seconds", "kind")}),
        Panel(
            "Scans",
            "short",
            {"{{state}}": "max by (state) (sightline_scans)"},
        ),
        Panel("Oldest scan", "s", {"{{state}}": "max by (state) (sightline_scan_oldest_seconds)"}),
        Panel("Schedule lag", "s", {"lag": "max(sightline_schedule_lag_seconds)"}),
        Panel(
            "Webhooks",
            "short",
            {"pending": "max(sightline_webhook_deliveries_pending)", "due": "max(sightline_webhook_backlog)"},
        ),
        Panel(
            "Webhook attempts",
            "ops",
            {"{{outcome}}": "sum by (outcome) (rate(sightline_webhook_attempt_seconds_count[5m]))"},
        ),
    ),
    "Platforms": (
        Panel(
            "Calls by outcome",
            "ops",
            {"{{outcome}}": "sum by (outcome) (rate(sightline_platform_calls_total[5m]))"},
        ),
        Panel(
            "Call duration (95th percentile)",
            "s",
            {"{{platform}}": quantile(0.95, "sightline_platform_call_seconds", "platform")},
        ),
        Panel(
            "Cost per hour",
            "currencyUSD",
            {"{{platform}}": "sum by (platform) (rate(sightline_platform_cost_dollars_total[1h])) * 3600"},
        ),
        Panel(
            "Concurrent calls and their limit",
            "short",
            {
                "{{platform}} limit": 'sum by (platform) (sightline_platform_gate_limit{source="live"})',
                "{{platform}}": 'sum by (platform) (sightline_platform_calls_in_flight{source="live"})',
            },
        ),
        Panel("Failing", "short", {"{{platform}}": "max by (platform) (sightline_platform_failing) > 0"}),
        Panel(
            "Answers stored",
            "ops",
            {"{{status}}": "sum by (status) (rate(sightline_answers_stored_total[5m]))"},
        ),
    ),
    "API": (
        Panel("Requests", "reqps", {"{{status}}": "sum by (status) (rate(sightline_requests_total[5m]))"}),
        Panel(
            "Request duration",
            "s",
            {
                f"{share:.0%}": f"histogram_quantile({share}, sum by (le) (rate(sightline_request_seconds_bucket[5m])))"
                for share in (0.5, 0.95, 0.99)
            },
        ),
        Panel("Degraded reads", "ops", {"reads": "sum(rate(sightline_degraded_reads_total[5m]))"}),
    ),
    "Money": (
        Panel("Accounts with a wrong balance", "short", {"accounts": "max(sightline_ledger_drifting_accounts)"}),
        Panel("Payments to review", "short", {"{{state}}": "max by (state) (sightline_payments_to_review)"}),
    ),
    "Resources": (
        Panel(
            "Database connections",
            "short",
            {"{{instance}} {{state}}": "sum by (instance, state) (sightline_database_pool_connections)"},
        ),
        Panel("Database size", "bytes", {"size": "max(sightline_database_size_bytes)"}),
        Panel("Free disk space", "bytes", {"{{instance}}": "sightline_disk_free_bytes"}),
        Panel(
            "Event-loop lag (90th percentile)",
            "s",
            {"{{instance}}": quantile(0.9, "sightline_event_loop_lag_seconds", "instance")},
        ),
        Panel(
            "Age of the newest backup",
            "s",
            {"{{schedule}}": "time() - max by (schedule) (sightline_backup_last_success_timestamp_seconds)"},
        ),
        Panel("Memory", "bytes", {"{{instance}}": 'process_resident_memory_bytes{job=~"sightline.*"}'}),
        Panel("Versions", "short", {"{{version}}": "count by (version) (sightline_build_info)"}),
    ),
}


def build_dashboard() -> dict[str, object]:
    panels: list[dict[str, object]] = []
    y = 0
    for row, charts in ROWS.items():
        panels.append(_build_panel(len(panels), "row", row, {"h": 1, "w": 24, "x": 0, "y": y}))
        y += 1
        for place, chart in enumerate(charts):
            line, column = divmod(place, _COLUMNS)
            grid = {"h": _HEIGHT, "w": _WIDTH, "x": column * _WIDTH, "y": y + line * _HEIGHT}
            panels.append(_build_chart(len(panels), chart, grid))
        y += -(-len(charts) // _COLUMNS) * _HEIGHT
    return {
        "title": "Sightline",
        "uid": "sightline",
        "tags": ["sightline"],
        "schemaVersion": 39,
        "time": {"from": "now-6h", "to": "now"},
        "refresh": "30s",
        "templating": {"list": [{"name": "source", "label": "Source", "type": "datasource", "query": "prometheus"}]},
        "panels": panels,
    }


def _build_panel(number: int, kind: str, title: str, grid: dict[str, int]) -> dict[str, object]:
    return {"id": number + 1, "type": kind, "title": title, "gridPos": grid}


def _build_chart(number: int, chart: Panel, grid: dict[str, int]) -> dict[str, object]:
    source = {"type": "prometheus", "uid": "${source}"}
    return {
        **_build_panel(number, "timeseries", chart.title, grid),
        "datasource": source,
        "fieldConfig": {"defaults": {"unit": chart.unit, "min": 0}, "overrides": []},
        "targets": [
            {"refId": chr(ord("A") + place), "datasource": source, "expr": query, "legendFormat": legend}
            for place, (legend, query) in enumerate(chart.queries.items())
        ],
    }


def render() -> str:
    return json.dumps(build_dashboard(), indent=2) + "\n"


if __name__ == "__main__":
    TARGET.write_text(render())
