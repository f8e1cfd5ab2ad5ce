"""The colors of every chart, light and dark. They differ in lightness too, so that no finding depends on a hue."""

import msgspec

_COMPETITOR_COLORS = 8


class Palette(msgspec.Struct, frozen=True, kw_only=True):
    """The colors of a chart. Each has one use and no two are equal, so a page can swap one palette for another."""

    ink: str
    quiet: str
    grid: str
    own: str
    other: str
    move: str  # a competitor with a clear change
    first: str  # the position map: named first, second, …
    second: str
    third: str
    later: str
    unranked: str
    cited: str
    absent: str
    missing: str
    on_strong: str  # text on the strong colors of the map
    on_weak: str
    alert: str
    competitor_1: str  # competitors, in the order in which they are measured
    competitor_2: str
    competitor_3: str
    competitor_4: str
    competitor_5: str
    competitor_6: str
    competitor_7: str
    competitor_8: str

    def competitor(self, place: int) -> str:
        """Return the color of the competitor at this place, counted from 1; the ninth repeats the first."""
        color: str = getattr(self, f"competitor_{(place - 1) % _COMPETITOR_COLORS + 1}")
        return color


LIGHT = Palette(
    ink="#15191d",
    quiet="#5a646d",
    grid="#e8eaec",
    own="#0e6e78",
    other="#8b9aa1",
    move="#b4530a",
    first="#084a54",
    second="#187382",
    third="#4b9ba8",
    later="#8fc4cc",
    unranked="#c3e0e4",
    cited="#e8b44c",
    absent="#edf1f2",
    missing="#fbfcfd",
    on_strong="#fffffe",
    on_weak="#1b2428",
    alert="#a3261b",
    competitor_1="#b45309",
    competitor_2="#6d28d9",
    competitor_3="#be185d",
    competitor_4="#1d4ed8",
    competitor_5="#4d7c0f",
    competitor_6="#9f1239",
    competitor_7="#0369a1",
    competitor_8="#57534e",
)
DARK = Palette(
    ink="#eceff1",
    quiet="#98a2ab",
    grid="#262c31",
    own="#4fc0cb",
    other="#75868e",
    move="#f0a05a",
    first="#9fe5ee",
    second="#63bfcc",
    third="#3d93a0",
    later="#2a6a75",
    unranked="#1f4a52",
    cited="#c08a2b",
    absent="#222c31",
    missing="#161d20",
    on_strong="#04191d",
    on_weak="#e5ebed",
    alert="#ff9d92",
    competitor_1="#fbbf5c",
    competitor_2="#c4a5ff",
    competitor_3="#f79ac4",
    competitor_4="#93b8ff",
    competitor_5="#b5d96b",
    competitor_6="#ff9dab",
    competitor_7="#74cdf7",
    competitor_8="#c9c2bd",
)

# Established changes, light and dark. The color is never alone: a word and an arrow say the same.
TONES = {"up": ("#12663a", "#74d39b"), "down": ("#a3341f", "#ff9d86")}


def list_color_pairs() -> list[tuple[str, str]]:
    """Return each light color of a chart with the dark one that replaces it."""
    return [(getattr(LIGHT, name), getattr(DARK, name)) for name in LIGHT.__struct_fields__]
