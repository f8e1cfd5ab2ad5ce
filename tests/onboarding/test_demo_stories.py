"""Each domain of `sightline demo` tells its story in the first findings."""

from functools import partial

import pytest

from sightline.credits.ledger import build_credit_rules
from sightline.domains.tracking.queries import find_tracked_domain
from sightline.insights.findings.read import read_latest_findings
from sightline.onboarding.demo.build import build_demo, list_demo_domains
from sightline.onboarding.demo.history import build_demo_history
from sightline.onboarding.demo.replay import DemoReplay
from sightline.worker.follow_up import follow_up_in_process


def is_rival_up(finding):
    return finding.competitor is not None and finding.direction == "up" and finding.tier == "clear"


def is_new_model(finding):
    return finding.platform == "gemini" and finding.model == "sandbox-gemini-2" and finding.direction == "down"


def is_own_loss(finding):
    return (
        finding.competitor is None and finding.site is None and (finding.direction, finding.tier) == ("down", "clear")
    )


async def tell(installation, domain, weeks=8):
    """Return the findings about a domain of the demonstration after these weeks."""
    db, settings, now = installation.db, installation.app_context.settings, installation.clock()
    await build_demo(db, base_url=settings.public_url, rules=build_credit_rules(settings), now=now)
    replay = DemoReplay.from_settings(settings, partial(follow_up_in_process, db, settings), now=now)
    (shown,) = [each for each in await list_demo_domains(db) if each.domain == domain]
    await build_demo_history(db, replay, [shown], weeks=weeks)
    row = await find_tracked_domain(db, shown.workspace_id, shown.domain_id)
    return await read_latest_findings(db, shown.workspace_id, row)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("domain", "tells"), [("acme.com", is_rival_up), ("globex.com", is_new_model), ("initech.com", is_own_loss)]
)
async def test_each_domain_of_the_demonstration_tells_its_story(installation, domain, tells):
    told = await tell(installation, domain)
    assert any(map(tells, told.findings[:3])), [told.headline, *(each.text for each in told.findings)]


async def test_a_domain_with_one_audit_is_calm(installation):
    told = await tell(installation, "hooli.com", weeks=1)
    assert told.headline.startswith("There is nothing to compare yet") and told.findings == []
