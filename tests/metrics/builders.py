"""Observations for the tests of this folder, and the hypothesis strategies that generate them."""

from itertools import count

from hypothesis import strategies as st

from sightline.metrics.observation import Observation

_numbers = count()


def observe(mentioned=0, rank=None, cited=0, **fields):
    """Return an observation of a valid answer in a new cell: `observe(1, 2, 0)` is (m, r, k) = (1, 2, 0)."""
    number = next(_numbers)
    urls = fields.pop("cited_urls", frozenset({"acme.com/a"} if cited else ()))
    defaults = {
        "prompt_id": f"prompt {number}",
        "platform": "chatgpt",
        "answer_id": f"answer {number}",
        "mentioned": bool(mentioned),
        "occurrences": int(mentioned),
        "rank": rank,
        "cited": bool(cited) or bool(urls),
        "cited_urls": frozenset(urls),
        "has_sources": bool(cited) or bool(urls),
        "source_urls": len(urls),
    }
    return Observation(**(defaults | fields))


def named(hits, of, **fields):
    """Return `of` observations, of which the first `hits` name the brand."""
    return [observe(index < hits, **fields) for index in range(of)]


def failed(number=1, status="failed", **fields):
    return [observe(status=status, **fields) for _ in range(number)]


def from_rows(rows, *, platform="chatgpt"):
    """Return one observation per row of (m, r, k), in the same cells for each brand."""
    return [observe(*row, prompt_id=f"q{index}", platform=platform) for index, row in enumerate(rows)]


def in_grid(values, *, prompts, platforms):
    """Return a panel of prompts and platforms, with mentions filled in row by row."""
    values = iter(values)
    return [
        observe(next(values), prompt_id=f"q{prompt}", platform=f"p{platform}")
        for prompt in range(prompts)
        for platform in range(platforms)
    ]


@st.composite
def observations(draw, *, statuses=("ok",), branded=(False,)):
    """Generate any observation that is valid."""
    fields = {
        "prompt_id": f"q{draw(st.integers(0, 11))}",
        "platform": f"p{draw(st.integers(0, 3))}",
        "country": draw(st.sampled_from([None, "DE", "US"])),
        "status": draw(st.sampled_from(statuses)),
        "branded": draw(st.sampled_from(branded)),
        "platform_cites": draw(st.booleans()),
    }
    if fields["status"] != "ok":
        return observe(**fields)
    mentioned = draw(st.booleans())
    owned = draw(st.integers(0, 3))
    others = draw(st.integers(0, 5))
    return observe(
        mentioned,
        draw(st.none() | st.integers(1, 12)) if mentioned else None,
        **fields,
        occurrences=draw(st.integers(1, 5)) if mentioned else 0,
        sentiment=draw(st.none() | st.integers(0, 100)) if mentioned else None,
        cited_urls={f"acme.com/{number}" for number in range(owned)},
        has_sources=owned + others > 0,
        source_urls=owned + others,
        source_domains=frozenset(f"site{number}.com" for number in range(others)),
    )


panels = st.lists(observations(), max_size=40)
mixed_panels = st.lists(observations(statuses=("ok", "ok", "failed", "no_surface"), branded=(False, True)), max_size=40)


@st.composite
def rival_panels(draw):
    """Generate the observations of two brands in the same cells."""
    cells = draw(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3)), unique=True, max_size=30))
    rank = st.none() | st.integers(1, 9)

    def brand():
        rows = []
        for prompt, platform in cells:
            mentioned = draw(st.booleans())
            rows.append(
                observe(
                    mentioned,
                    draw(rank) if mentioned else None,
                    draw(st.booleans()),
                    prompt_id=f"q{prompt}",
                    platform=f"p{platform}",
                )
            )
        return rows

    return brand(), brand()
