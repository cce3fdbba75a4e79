"""Flat OpenDocument files, written and read without any of deskhand's or LibreOffice's code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree
from xml.sax.saxutils import escape

_NAMES = {
    "office": "office", "text": "text", "table": "table", "style": "style", "draw": "drawing",
    "presentation": "presentation", "fo": "xsl-fo-compatible", "svg": "svg-compatible",
}  # fmt: skip
_URN = {name: f"urn:oasis:names:tc:opendocument:xmlns:{last}:1.0" for name, last in _NAMES.items()}
_BREAKS = {"tab": "\t", "line-break": "\n", "s": " "}


@dataclass(frozen=True)
class Shape:
    """One shape of a slide: its name, left edge and top in centimetres, and its text."""

    name: str
    x: float
    y: float
    text: str


def _document(kind: str, mime: str, body: str, before: str = "") -> str:
    names = " ".join(f'xmlns:{name}="{urn}"' for name, urn in _URN.items())
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document {names} office:version="1.3" '
        f'office:mimetype="application/vnd.oasis.opendocument.{mime}">{before}<office:body><office:{kind}>{body}'
        f"</office:{kind}></office:body></office:document>"
    )


def heading(text: str) -> str:
    return f'<text:h text:outline-level="1">{escape(text)}</text:h>'


def paragraph(text: str) -> str:
    return f"<text:p>{escape(text)}</text:p>"


def bullets(*items: str) -> str:
    said = "".join(f"<text:list-item>{paragraph(item)}</text:list-item>" for item in items)
    return f"<text:list>{said}</text:list>"


def table(name: str, rows: list[list[str]]) -> str:
    """A table; a cell with a line break in it holds two paragraphs."""
    cells = ["".join(f"<table:table-cell>{_paragraphs(cell)}</table:table-cell>" for cell in row) for row in rows]
    lines = "".join(f"<table:table-row>{row}</table:table-row>" for row in cells)
    columns = f'<table:table-column table:number-columns-repeated="{len(rows[0])}"/>'
    return f'<table:table table:name="{name}">{columns}{lines}</table:table>'


def _paragraphs(text: str) -> str:
    return "".join(paragraph(line) for line in text.split("\n"))


def write_text(path: Path, *blocks: str) -> None:
    path.write_text(_document("text", "text", "".join(blocks)), encoding="utf-8")


def write_slides(path: Path, slides: list[tuple[str, list[str]]]) -> None:
    """Slides of a title, an outline, a box and a note each."""
    layout = (
        '<office:automatic-styles><style:page-layout style:name="PM1"><style:page-layout-properties '
        'fo:page-width="28cm" fo:page-height="15.75cm" style:print-orientation="landscape"/></style:page-layout>'
        '</office:automatic-styles><office:master-styles><style:master-page style:name="Default" '
        'style:page-layout-name="PM1"/></office:master-styles>'
    )
    body = "".join(_slide(number, *slide) for number, slide in enumerate(slides, 1))
    path.write_text(_document("presentation", "presentation", body, layout), encoding="utf-8")


def _slide(number: int, title: str, lines: list[str]) -> str:
    return (
        f'<draw:page draw:name="page{number}" draw:master-page-name="Default">'
        f"{_frame(f'Title {number}', 'title', 20, 3, 2, 1, [title])}"
        f"{_frame(f'Outline {number}', 'outline', 20, 8, 2, 5, lines)}"
        f'<draw:custom-shape draw:name="Box {number}" svg:width="4cm" svg:height="2cm" svg:x="23cm" svg:y="6cm">'
        f'<text:p>box {number}</text:p><draw:enhanced-geometry svg:viewBox="0 0 21600 21600" draw:type="rectangle" '
        'draw:enhanced-path="M 0 0 L 21600 0 21600 21600 0 21600 0 0 Z N"/></draw:custom-shape>'
        f"<presentation:notes>{_frame('', 'notes', 16, 10, 2, 14, [f'note {number}'])}</presentation:notes></draw:page>"
    )


def _frame(name: str, kind: str, w: int, h: int, x: int, y: int, lines: list[str]) -> str:  # noqa: PLR0917
    said = "".join(paragraph(line) for line in lines)
    called = f' draw:name="{name}"' if name else ""
    return (
        f'<draw:frame{called} presentation:class="{kind}" svg:width="{w}cm" svg:height="{h}cm" svg:x="{x}cm" '
        f'svg:y="{y}cm"><draw:text-box>{said}</draw:text-box></draw:frame>'
    )


def _name(prefix: str, local: str) -> str:
    return f"{{{_URN[prefix]}}}{local}"


def _text(element: ElementTree.Element) -> str:
    said = element.text or ""
    for child in element:
        local = child.tag.rpartition("}")[2]
        times = int(child.get(_name("text", "c"), "1"))
        said += _BREAKS[local] * times if local in _BREAKS else _text(child)
        said += child.tail or ""
    return said


def _body(path: Path) -> ElementTree.Element:
    found = ElementTree.parse(path).getroot().find(_name("office", "body"))
    assert found is not None
    return found


def paragraphs(path: Path) -> list[str]:
    """Texts of all paragraphs and headings, cells' included, in their order."""
    wanted = (_name("text", "p"), _name("text", "h"))
    return [_text(element) for element in _body(path).iter() if element.tag in wanted]


def cells(path: Path) -> list[list[str]]:
    """The first table's cells; paragraphs of one cell with a line break between."""
    rows = _body(path).iter(_name("table", "table-row"))
    return [["\n".join(_text(p) for p in cell.iter(_name("text", "p"))) for cell in row] for row in rows]


def bold(path: Path) -> str:
    """All text that stands in spans or paragraphs of a bold automatic style."""
    root = ElementTree.parse(path).getroot()
    styles = {
        style.get(_name("style", "name"))
        for style in root.iter(_name("style", "style"))
        for properties in style.iter(_name("style", "text-properties"))
        if properties.get(_name("fo", "font-weight")) == "bold"
        and (style.get(_name("style", "name")) or "")[:1] in "TP"
    }
    found = [e for e in _body(path).iter() if e.get(_name("text", "style-name")) in styles]
    return "|".join(_text(element) for element in found)


def property_of(path: Path, text: str, prefix: str, local: str) -> str | None:
    """A property (``fo``, ``line-height``) of the automatic style of the paragraph that holds exactly ``text``."""
    root = ElementTree.parse(path).getroot()
    wanted = next(e for e in _body(path).iter(_name("text", "p")) if _text(e) == text)
    name = wanted.get(_name("text", "style-name"))
    style = next((s for s in root.iter(_name("style", "style")) if s.get(_name("style", "name")) == name), None)
    values = [e.get(_name(prefix, local)) for e in style.iter()] if style is not None else []
    return next((value for value in values if value is not None), None)


def slides(path: Path) -> list[list[Shape]]:
    """The shapes of every slide, without its notes."""
    return [
        [_shape(element) for element in page if element.get(_name("svg", "x"))]
        for page in _body(path).iter(_name("draw", "page"))
    ]


def _shape(element: ElementTree.Element) -> Shape:
    lines = [_text(p) for p in element.iter(_name("text", "p"))]
    name = element.get(_name("draw", "name"), "")
    return Shape(name, _cm(element, "x"), _cm(element, "y"), "\n".join(lines))


def _cm(element: ElementTree.Element, axis: str) -> float:
    return float(re.sub(r"[a-z]+$", "", element.get(_name("svg", axis), "0")))


def notes(path: Path) -> list[str]:
    """The notes of every slide."""
    found = _body(path).iter(_name("presentation", "notes"))
    return ["\n".join(_text(p) for p in note.iter(_name("text", "p"))) for note in found]
