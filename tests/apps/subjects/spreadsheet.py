"""OpenDocument spreadsheets, written and read by nothing but zipfile and an XML parser."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree
from xml.sax.saxutils import escape

_OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
_TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"
_TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
_STYLE = "urn:oasis:names:tc:opendocument:xmlns:style:1.0"
_FO = "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"
_MIME = "application/vnd.oasis.opendocument.spreadsheet"
_MANIFEST = (
    '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2">'
    f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{_MIME}"/>'
    '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>'
)
_MOST = 2000  # repeated rows or cells beyond this are the empty rest of a sheet


@dataclass(frozen=True)
class Kept:
    """A cell as saved: what it shows, its type (``string float date percentage …``), value, formula and style."""

    text: str
    type: str = ""
    value: str = ""
    formula: str = ""
    properties: tuple[tuple[str, str], ...] = ()  # of its text style


def write(path: Path, sheets: dict[str, Sequence[Sequence[str | int | float]]]) -> None:
    """A document of plain texts and numbers."""
    body = "".join(
        f'<table:table table:name="{escape(name)}">{"".join(_row(row) for row in rows)}</table:table>'
        for name, rows in sheets.items()
    )
    content = (
        f'<office:document-content xmlns:office="{_OFFICE}" xmlns:table="{_TABLE}" xmlns:text="{_TEXT}" '
        f'office:version="1.2"><office:body><office:spreadsheet>{body}</office:spreadsheet></office:body>'
        "</office:document-content>"
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", _MIME, zipfile.ZIP_STORED)
        archive.writestr("META-INF/manifest.xml", _MANIFEST)
        archive.writestr("content.xml", content)


def _row(cells: Sequence[str | int | float]) -> str:
    return f"<table:table-row>{''.join(_cell(cell) for cell in cells)}</table:table-row>"


def _cell(cell: str | int | float) -> str:
    said = f"<text:p>{escape(str(cell))}</text:p>"
    if isinstance(cell, str):
        return f'<table:table-cell office:value-type="string">{said}</table:table-cell>'
    return f'<table:table-cell office:value-type="float" office:value="{cell}">{said}</table:table-cell>'


def read(path: Path) -> dict[str, dict[str, Kept]]:
    """Sheets by name, their cells that hold something by address."""
    with zipfile.ZipFile(path) as archive:
        root = ElementTree.fromstring(archive.read("content.xml"))
    styles = {s.get(f"{{{_STYLE}}}name", ""): s for s in root.iter(f"{{{_STYLE}}}style")}
    return {
        table.get(f"{{{_TABLE}}}name", ""): dict(_cells(table, styles)) for table in root.iter(f"{{{_TABLE}}}table")
    }


def _cells(table: ElementTree.Element, styles: dict[str, ElementTree.Element]) -> Iterator[tuple[str, Kept]]:
    number = 0
    for row in table.iter(f"{{{_TABLE}}}table-row"):
        column = 0
        for cell in row:
            repeated = int(cell.get(f"{{{_TABLE}}}number-columns-repeated", "1"))
            kept = _kept(cell, styles)
            if kept.text or kept.type or kept.properties:
                for n in range(min(repeated, _MOST)):
                    yield f"{_letters(column + n)}{number + 1}", kept
            column += repeated
        number += int(row.get(f"{{{_TABLE}}}number-rows-repeated", "1"))


def _kept(cell: ElementTree.Element, styles: dict[str, ElementTree.Element]) -> Kept:
    style = styles.get(cell.get(f"{{{_TABLE}}}style-name", ""))
    fonts = style.iter(f"{{{_STYLE}}}text-properties") if style is not None else ()
    properties = tuple(sorted((key.rpartition("}")[2], value) for font in fonts for key, value in font.items()))
    value = next(
        (cell.get(f"{{{_OFFICE}}}{name}") for name in ("value", "date-value") if cell.get(f"{{{_OFFICE}}}{name}")), ""
    )
    text = "\n".join("".join(p.itertext()) for p in cell.iter(f"{{{_TEXT}}}p"))
    return Kept(
        text, cell.get(f"{{{_OFFICE}}}value-type", ""), value or "", cell.get(f"{{{_TABLE}}}formula", ""), properties
    )


def _letters(column: int) -> str:
    name, left = "", column + 1
    while left:
        left, letter = divmod(left - 1, 26)
        name = chr(65 + letter) + name
    return name
