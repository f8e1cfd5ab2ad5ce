"""The colours of every chart, light and dark. Chosen to differ in lightness too, so that no finding rests on a hue."""

import msgspec

RIVALS = 8


class Palette(msgspec.Struct, frozen=True, kw_only=True):
    """Every colour is used for one thing, and no two are equal: a page can change from one palette to the other."""

    ink: str
    quiet: str
    grid: str
    own: str
    other: str
    first: str  # the heat map: named first, …
    second: str
    third: str
    later: str
    unranked: str
    cited: str
    absent: str
    missing: str
    on_strong: str  # text on the strong ones of these
    on_weak: str
    alert: str
    rival_1: str  # competitors, in the order in which they are measured
    rival_2: str
    rival_3: str
    rival_4: str
    rival_5: str
    rival_6: str
    rival_7: str
    rival_8: str

    def rival(self, place: int) -> str:
        """Of the competitor at this place, counted from 1; the ninth begins again."""
        color: str = getattr(self, f"rival_{(place - 1) % RIVALS + 1}")
        return color


LIGHT = Palette(
    ink="#1a2327",
    quiet="#55636a",
    grid="#dde3e6",
    own="#0f6b78",
    other="#8b9aa1",
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
    rival_1="#b45309",
    rival_2="#6d28d9",
    rival_3="#be185d",
    rival_4="#1d4ed8",
    rival_5="#4d7c0f",
    rival_6="#9f1239",
    rival_7="#0369a1",
    rival_8="#57534e",
)
DARK = Palette(
    ink="#e6ecee",
    quiet="#9fb0b7",
    grid="#2d383e",
    own="#63c6d3",
    other="#75868e",
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
    rival_1="#fbbf5c",
    rival_2="#c4a5ff",
    rival_3="#f79ac4",
    rival_4="#93b8ff",
    rival_5="#b5d96b",
    rival_6="#ff9dab",
    rival_7="#74cdf7",
    rival_8="#c9c2bd",
)

# Established changes, light and dark. The word and an arrow always stand beside the colour.
TONES = {"up": ("#12663a", "#74d39b"), "down": ("#a3341f", "#ff9d86")}
