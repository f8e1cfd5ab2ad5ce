"""Write the fonts in `src/sightline/presentation/fonts` from the npm package `@fontsource-variable/inter`.

Pages get variable WOFF2 files, one for Latin-1 and one for the rest of the Latin alphabets, which a browser loads only
for a page that needs it. PDFs get two static TTF files: the typesetter does not read variable fonts.
"""

import subprocess
import tarfile
import tempfile
from pathlib import Path

from fontTools.merge import Merger
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

PACKAGE = "@fontsource-variable/inter@5.3.0"
TARGET = Path(__file__).parents[2] / "src" / "sightline" / "presentation" / "fonts"
# Latin Extended-A and the letters below a comma, for the languages of Europe and Turkey.
EXTENDED = [*range(0x100, 0x180), *range(0x218, 0x21C), 0x1E9E]
PARTS = {"latin": None, "latin-ext": EXTENDED}
WEIGHTS = {"regular": 400, "semibold": 600}
_FEATURES = ["calt", "ccmp", "kern", "locl", "mark", "mkmk", "tnum"]


def read_part(folder: Path, part: str) -> TTFont:
    """Read one part of the font, with the characters and features that are used."""
    font = TTFont(folder / "package" / "files" / f"inter-{part}-wght-normal.woff2")
    options = Options(layout_features=_FEATURES, hinting=False, notdef_outline=True, name_IDs=["*"])
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=PARTS[part] or font.getBestCmap())
    subsetter.subset(font)
    font.flavor = None
    return font


def write_page_fonts(folder: Path) -> None:
    for part in PARTS:
        font = instantiateVariableFont(read_part(folder, part), {"wght": (400, 700)})
        font.flavor = "woff2"
        font.save(TARGET / f"inter-{part}.woff2")


def write_pdf_font(folder: Path, name: str, weight: int) -> None:
    """Write one weight with all characters in one file."""
    files = []
    for part in PARTS:
        font = instantiateVariableFont(read_part(folder, part), {"wght": weight}, updateFontNames=False)
        files.append(folder / f"{part}-{weight}.ttf")
        font.save(files[-1])
    font = Merger().merge([str(file) for file in files])
    style = "Regular" if weight == WEIGHTS["regular"] else "Bold"
    for record, text in (
        (1, "Inter"),
        (2, style),
        (4, f"Inter {style}"),
        (6, f"Inter-{style}"),
        (16, None),
        (17, None),
    ):
        font["name"].removeNames(nameID=record)
        if text is not None:
            font["name"].setName(text, record, 3, 1, 0x409)
    font["OS/2"].usWeightClass = weight
    font.save(TARGET / f"inter-{name}.ttf")


def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        command = ["npm", "pack", "--silent", PACKAGE]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - constant
        with tarfile.open(next(folder.glob("*.tgz"))) as archive:
            archive.extractall(folder, filter="data")
        write_page_fonts(folder)
        for name, weight in WEIGHTS.items():
            write_pdf_font(folder, name, weight)
        licence = (folder / "package" / "LICENSE").read_text(encoding="utf-8")
        (TARGET / "OFL.txt").write_text(licence.replace("\r\n", "\n"), encoding="utf-8")


if __name__ == "__main__":
    main()
