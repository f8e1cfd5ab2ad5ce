"""A rank is the position among all brands of an answer, tracked or not. Found names are only suggested."""

import msgspec

from sightline.answers.models import Brand
from sightline.scans.rivals import finalize_ranks, find_rivals
from tests.scans.small_scans import ACME, GLOBEX, answer, plan

LIST = "1. **Globex** - rich reports\n2. **Acme** - easy\n3. **Initech** - cheap\n"


def own_rank(given):
    return given.analysis.brands[0].rank


def test_untracked_brands_count_for_the_rank():
    made = plan("best crm", competitors=(), platforms=("chatgpt",))
    given = answer(made, 1, "chatgpt", LIST)
    assert (own_rank(given), given.analysis.n_brands, given.analysis.rank_source) == (2, 3, "ordered")
    (settled,) = finalize_ranks(made, [given])
    assert settled is given  # the list names all of its brands, so no rank changes


def test_tracking_a_competitor_does_not_change_the_rank():
    ranks = set()
    for competitors in ((), (GLOBEX,)):
        made = plan("best crm", competitors=competitors, platforms=("chatgpt",))
        (settled,) = finalize_ranks(made, [answer(made, 1, "chatgpt", LIST)])
        ranks.add(own_rank(settled))
        assert len(settled.analysis.brands) == 1 + len(competitors)
    assert ranks == {2}


def test_a_name_found_in_other_answers_counts_in_plain_prose():
    made = plan("best crm", "cheap crm", "simple crm", competitors=(), platforms=("chatgpt", "gemini"))
    lists = [answer(made, place, key, LIST) for place in (1, 2) for key in made.platforms]
    prose = answer(made, 3, "chatgpt", "Many teams start with Globex, and some later move to Acme.")
    *_, settled = finalize_ranks(made, [*lists, prose])
    assert (own_rank(prose), own_rank(settled)) == (1, 2)


def test_finalizing_changes_only_the_ranks():
    made = plan("best crm", competitors=(), platforms=("chatgpt",))
    text = "1. **Acme CRM** - easy, see [Acme](https://acme.com)\n2. **Globex** - rich\n3. **Acme Mini** - small\n"
    given = answer(made, 1, "chatgpt", text)
    (settled,) = finalize_ranks(made, [given])
    before, after = given.analysis.brands[0], settled.analysis.brands[0]
    assert (after.mentioned, after.occurrences, after.cited_urls) == (True, before.occurrences, before.cited_urls)
    assert after.rank == 1
    contrast = answer(made, 1, "chatgpt", "Unlike Acme, **Globex** is free for everybody.")
    assert own_rank(finalize_ranks(made, [contrast])[0]) is None


def test_suggestions_need_several_answers_and_leave_out_tracked_brands():
    made = plan("best crm", "cheap crm", competitors=(GLOBEX,), platforms=("chatgpt", "gemini"))
    text = LIST + "4. **Acme CRM** - the same house\n"
    given = [answer(made, place, key, text) for place in (1, 2) for key in made.platforms]
    names = [each.candidate.name for each in find_rivals(made, given)]
    assert names == ["Initech"]
    assert find_rivals(made, given[:1]) == ()


def test_the_first_part_of_the_brands_name_is_no_rival():
    made = plan("best crm", "cheap crm", competitors=(), platforms=("chatgpt", "gemini"))
    made = msgspec.structs.replace(made, brand=Brand("Globex-Tarn", domains=("globextarn.com",)))
    given = [answer(made, place, key, LIST) for place in (1, 2) for key in made.platforms]
    assert "Globex" not in {each.candidate.name for each in find_rivals(made, given)}


def test_failed_answers_are_unchanged():
    made = plan("best crm", platforms=("chatgpt",), brand=ACME)
    failed = answer(made, 1, "chatgpt", "", fault="timeout")
    assert finalize_ranks(made, [failed]) == (failed,)
