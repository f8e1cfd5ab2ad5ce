"""The stored parts of a scan are read back unchanged."""

from datetime import UTC, datetime
from uuid import uuid4

import msgspec

from sightline.answers.models import Brand
from sightline.domains.models import Competitor
from sightline.scans.brands import MeasuredBrands, build_console_brands
from sightline.scans.models import ScanPrompt
from sightline.scans.stored import (
    AnswerRow,
    build_lane_key,
    decode_measured,
    decode_prompts,
    encode_measured,
    encode_prompts,
    number_prompts,
    to_answer,
    to_record,
)
from tests.scans.small_scans import small_scan


def test_an_answer_is_read_back_unchanged():
    _, answers = small_scan()
    for answer in answers:
        row = AnswerRow(
            scan_id=uuid4(),
            id=uuid4(),
            prompt_index=0,
            platform=answer.platform,
            country=None,
            status=answer.status,
            text=answer.text,
            record=to_record(answer),
            answered_at=datetime.now(UTC),
        )
        assert to_answer(row, answer.prompt) == msgspec.structs.replace(answer, id=str(row.id))


def test_prompts_are_numbered_by_position_and_read_back_unchanged():
    prompts = number_prompts(["best crm", "日本のCRM"])
    assert prompts == (ScanPrompt(id="0", text="best crm"), ScanPrompt(id="1", text="日本のCRM"))
    assert decode_prompts(encode_prompts(prompts)) == prompts


def test_live_and_sandbox_answers_of_a_platform_have_separate_lanes():
    assert [build_lane_key("live", "chatgpt"), build_lane_key("sandbox", "chatgpt")] == [
        "live.chatgpt",
        "sandbox.chatgpt",
    ]


def test_measured_brands_are_built_from_the_domain_and_read_back_unchanged():
    measured = build_console_brands(
        "acme.com", "Acme Anvils", ["ACME"], ["acme.io"], [Competitor("globex.com", "Globex Corp")]
    )
    assert measured == MeasuredBrands(
        Brand("Acme Anvils", ("ACME",), ("acme.com", "acme.io")), (Brand("Globex Corp", (), ("globex.com",)),)
    )
    assert decode_measured(encode_measured(measured)) == measured


def test_a_default_brand_name_is_capitalized():
    """The default is the first label of the domain. In lowercase it could be taken for an ordinary word."""
    assert build_console_brands("acme.com", "acme", [], [], []).brand.name == "Acme"
    assert build_console_brands("acme.com", "ACME", [], [], []).brand.name == "ACME"
    (rival,) = build_console_brands("acme.com", "acme", [], [], [Competitor("globex.com")]).competitors
    assert rival == Brand("Globex", ("globex.com",), ("globex.com",))


def test_competitors_with_the_same_name_are_one_rival():
    (rival,) = build_console_brands(
        "acme.com", "Acme", [], [], [Competitor("globex.com"), Competitor("globex.de"), Competitor("g.io", "GLOBEX")]
    ).competitors
    assert rival.name == "Globex" and rival.domains == ("globex.com", "globex.de", "g.io")


def test_a_competitor_with_the_name_of_the_brand_is_named_by_its_domain():
    (rival,) = build_console_brands("acme.com", "acme", [], [], [Competitor("acme.de")]).competitors
    assert rival == Brand("acme.de", (), ("acme.de",))
