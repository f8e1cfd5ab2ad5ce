"""The plan table: its defaults, the operator's overrides, and the plans that include the Data API."""

import json

import pytest

from sightline.errors import Problem
from sightline.plans.entitlements import require_data_api
from sightline.plans.table import Plan, build_plan_table, list_plans_with_data_api
from sightline.settings import Settings, SettingsError

PLANS = ("free", "trial", "starter", "professional", "agency")
TRIAL_PLATFORMS = ("chatgpt", "gemini", "perplexity")

# The defaults row by row; the platforms by name are below.
TABLE = {
    "tracked_prompts": (10, 25, 50, 150, 500),
    "tracked_domains": (1, 1, 2, 5, 50),
    "daily_prompts": (0, 10, 10, 25, 50),
    "data_api": ("none", "none", "read", "insights", "write"),
}
PLATFORM_COUNTS = (3, 3, 4, 6, None)
DATA_RATE_PER_MONTH = {"starter": 10_000, "professional": 10_000, "agency": 50_000}


def test_there_are_five_plans():
    assert tuple(Plan) == PLANS
    assert tuple(build_plan_table({})) == PLANS


@pytest.mark.parametrize(
    ("field", "plan", "value"),
    [(field, plan, value) for field, row in TABLE.items() for plan, value in zip(PLANS, row, strict=True)],
)
def test_default_limits(field, plan, value):
    assert getattr(build_plan_table({})[Plan(plan)], field) == value


@pytest.mark.parametrize(("plan", "count"), list(zip(PLANS, PLATFORM_COUNTS, strict=True)))
def test_the_number_of_platforms_per_plan(plan, count):
    platforms = build_plan_table({})[Plan(plan)].platforms
    assert platforms is None if count is None else len(set(platforms)) == len(platforms) == count


def test_which_platforms_each_plan_has():
    table = build_plan_table({})
    assert set(table[Plan.FREE].platforms) == set(table[Plan.TRIAL].platforms) == set(TRIAL_PLATFORMS)
    assert set(table[Plan.STARTER].platforms) == {*TRIAL_PLATFORMS, "google_ai_overviews"}
    assert set(table[Plan.PROFESSIONAL].platforms) == {*TRIAL_PLATFORMS, "google_ai_overviews", "claude", "copilot"}


@pytest.mark.parametrize(("plan", "per_month"), DATA_RATE_PER_MONTH.items())
def test_the_data_api_rate_per_key_and_month(plan, per_month):
    assert build_plan_table({})[Plan(plan)].data_rate_per_month == per_month


def test_requests_for_suggestions_a_day():
    found = {str(plan): limits.suggestion_requests_per_day for plan, limits in build_plan_table({}).items()}
    assert found == {"free": 5, "trial": 5, "starter": 20, "professional": 20, "agency": 20}


# Overrides


def test_an_override_changes_only_the_fields_it_names():
    before = build_plan_table({})
    after = build_plan_table(
        {"starter": {"tracked_prompts": 100}, "trial": {"platforms": ["chatgpt"], "daily_prompts": 5}}
    )
    assert after[Plan.STARTER].tracked_prompts == 100
    assert after[Plan.STARTER].tracked_domains == 2 and after[Plan.STARTER].platforms == before[Plan.STARTER].platforms
    assert after[Plan.TRIAL].platforms == ("chatgpt",) and after[Plan.TRIAL].daily_prompts == 5
    for plan in (Plan.FREE, Plan.PROFESSIONAL, Plan.AGENCY):
        assert after[plan] == before[plan]
    assert build_plan_table({}) == before  # the defaults are still the defaults


def test_every_field_can_be_overridden():
    wanted = {
        "tracked_prompts": 1,
        "tracked_domains": 2,
        "daily_prompts": 3,
        "platforms": None,
        "data_api": "write",
        "data_rate_per_month": 4,
        "suggestion_requests_per_day": 5,
    }
    changed = build_plan_table({"free": wanted})[Plan.FREE]
    assert {name: getattr(changed, name) for name in wanted} == wanted


def test_zero_is_a_valid_limit():
    assert build_plan_table({"starter": {"daily_prompts": 0}})[Plan.STARTER].daily_prompts == 0


def test_overrides_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("SIGHTLINE_PLANS", json.dumps({"starter": {"tracked_prompts": 100}}))
    assert build_plan_table(Settings().plans)[Plan.STARTER].tracked_prompts == 100


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"gold": {}}, "gold"),
        ({"Starter": {"tracked_prompts": 1}}, "Starter"),
        ({"": {}}, "''"),
        ({"starter": {"prompts": 1}}, "prompts"),
        ({"starter": {"tracked_prompts": "100"}}, "tracked_prompts"),
        ({"starter": {"tracked_prompts": 1.5}}, "tracked_prompts"),
        ({"starter": {"tracked_prompts": None}}, "tracked_prompts"),
        ({"starter": {"tracked_prompts": True}}, "tracked_prompts"),
        ({"starter": {"platforms": "chatgpt"}}, "platforms"),
        ({"starter": {"platforms": [1]}}, "platforms"),
        ({"starter": {"data_api": "all"}}, "data_api"),
        ({"starter": {"data_api": None}}, "data_api"),
    ],
    ids=str,
)
def test_an_invalid_override_stops_the_start(changes, named):
    with pytest.raises(SettingsError, match="SIGHTLINE_PLANS") as refusal:
        build_plan_table(changes)
    assert named in str(refusal.value)


@pytest.mark.parametrize("field", ["tracked_prompts", "tracked_domains", "daily_prompts", "data_rate_per_month"])
def test_a_negative_limit_is_invalid(field):
    with pytest.raises(SettingsError, match=field):
        build_plan_table({"starter": {field: -1}})


# Plans with the Data API


@pytest.mark.parametrize(
    ("needed", "plans"),
    [
        ("none", PLANS),
        ("read", ("starter", "professional", "agency")),
        ("insights", ("professional", "agency")),
        ("write", ("agency",)),
    ],
)
def test_each_data_api_level_includes_those_below(needed, plans):
    table = build_plan_table({})
    assert tuple(list_plans_with_data_api(table, level=needed)) == plans
    for plan in Plan:
        if plan in plans:
            require_data_api(table, plan, level=needed)
            continue
        with pytest.raises(Problem) as refusal:
            require_data_api(table, plan, level=needed)
        assert (refusal.value.code, refusal.value.kind.status) == ("plan_required", 403)
        assert tuple(refusal.value.members["required_plans"]) == plans
        assert all(name in refusal.value.detail for name in plans)


def test_an_operator_can_grant_the_data_api_to_another_plan():
    table = build_plan_table({"trial": {"data_api": "write"}, "agency": {"data_api": "none"}})
    require_data_api(table, Plan.TRIAL, level="insights")
    assert list_plans_with_data_api(table, level="write") == [Plan.TRIAL]
    with pytest.raises(Problem):
        require_data_api(table, Plan.AGENCY, level="read")
