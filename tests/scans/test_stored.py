"""What is stored of a scan comes back as it was."""

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


def test_an_answer_comes_back_whole():
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


def test_prompts_are_numbered_by_their_place_and_come_back():
    prompts = number_prompts(["best crm", "日本のCRM"])
    assert prompts == (ScanPrompt(id="0", text="best crm"), ScanPrompt(id="1", text="日本のCRM"))
    assert decode_prompts(encode_prompts(prompts)) == prompts


def test_live_and_sandbox_answers_of_a_platform_have_lanes_of_their_own():
    assert [build_lane_key("live", "chatgpt"), build_lane_key("sandbox", "chatgpt")] == [
        "live.chatgpt",
        "sandbox.chatgpt",
    ]


def test_the_measured_brand_comes_from_the_domain_s_record_and_comes_back():
    measured = build_console_brands(
        "acme.com", "Acme Anvils", ["ACME"], ["acme.io"], [Competitor("globex.com", "Globex Corp")]
    )
    assert measured == MeasuredBrands(
        Brand("Acme Anvils", ("ACME",), ("acme.com", "acme.io")), (Brand("Globex Corp", (), ("globex.com",)),)
    )
    assert decode_measured(encode_measured(measured)) == measured


def test_a_name_that_nobody_chose_is_all_names_with_a_capital():
    """The default brand name is the first label; in small letters it would pass for an ordinary word."""
    assert build_console_brands("acme.com", "acme", [], [], []).brand.name == "Acme"
    assert build_console_brands("acme.com", "ACME", [], [], []).brand.name == "ACME"
    (rival,) = build_console_brands("acme.com", "acme", [], [], [Competitor("globex.com")]).competitors
    assert rival == Brand("Globex", ("globex.com",), ("globex.com",))


def test_competitors_under_one_name_are_one_rival():
    (rival,) = build_console_brands(
        "acme.com", "Acme", [], [], [Competitor("globex.com"), Competitor("globex.de"), Competitor("g.io", "GLOBEX")]
    ).competitors
    assert rival.name == "Globex" and rival.domains == ("globex.com", "globex.de", "g.io")


def test_a_competitor_of_the_brand_s_own_name_is_known_by_its_domain():
    (rival,) = build_console_brands("acme.com", "acme", [], [], [Competitor("acme.de")]).competitors
    assert rival == Brand("acme.de", (), ("acme.de",))
