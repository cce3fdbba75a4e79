"""The demo's spreadsheet, written by code: orders whose totals are formulas that LibreOffice has to compute itself."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from xml.sax.saxutils import quoteattr

CENT = Decimal("0.01")
TAX = Decimal("0.20")
HEADS = ("Item", "Quantity", "Price", "Amount")
SHEET = "Orders"


@dataclass(frozen=True, slots=True)
class Order:
    """One row. ``price`` is that of one piece."""

    item: str
    quantity: int
    price: Decimal


ORDERS = tuple(
    Order(item, quantity, Decimal(price))
    for item, quantity, price in (
        ("Notebook, A5", 120, "3.45"),
        ("Fountain pen", 18, "24.90"),
        ("Desk lamp", 7, "59.00"),
        ("Paper clips (100)", 64, "1.15"),
        ("Envelope, C4", 500, "0.12"),
        ("Whiteboard", 3, "149.50"),
        ("Ink, blue-black", 22, "8.75"),
        ("Café mug", 36, "6.80"),
    )
)
"""The source of everything: the spreadsheet is written from it, and so is what the note has to say in the end."""


def totals(orders: Sequence[Order]) -> dict[str, str]:
    """The totals as they have to be shown, computed from the source and without any spreadsheet."""
    net = sum((order.quantity * order.price for order in orders), Decimal(0))
    tax = (net * TAX).quantize(CENT)
    pieces = sum(order.quantity for order in orders)
    return {"Quantity": str(pieces), "Net": f"{net:.2f}", "Tax": f"{tax:.2f}", "Total": f"{net + tax:.2f}"}


def write_document(path: Path, orders: Sequence[Order] = ORDERS) -> None:
    """Write the OpenDocument spreadsheet. Formulas stand in it without results."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "mimetype", _KIND, zipfile.ZIP_STORED
        )  # first and uncompressed, so that types are guessed well
        archive.writestr("META-INF/manifest.xml", _MANIFEST)
        archive.writestr("content.xml", _content(orders))


_KIND = "application/vnd.oasis.opendocument.spreadsheet"
_NAMESPACE = "urn:oasis:names:tc:opendocument:xmlns"
_MANIFEST = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<manifest:manifest xmlns:manifest="{_NAMESPACE}:manifest:1.0" manifest:version="1.2">
<manifest:file-entry manifest:full-path="/" manifest:version="1.2" manifest:media-type="{_KIND}"/>
<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>
</manifest:manifest>
"""
_SPACES = " ".join(
    f'xmlns:{name}="{_NAMESPACE}:{space}"'
    for name, space in (
        ("office", "office:1.0"), ("style", "style:1.0"), ("table", "table:1.0"), ("text", "text:1.0"),
        ("number", "datastyle:1.0"), ("fo", "xsl-fo-compatible:1.0"), ("of", "of:1.2"),
    )
)  # fmt: skip
_STYLES = """\
<number:number-style style:name="cents"><number:number number:decimal-places="2" number:min-integer-digits="1"/>\
</number:number-style>
<style:style style:name="wide" style:family="table-column"><style:table-column-properties \
style:column-width="5cm"/></style:style>
<style:style style:name="money" style:family="table-cell" style:data-style-name="cents"/>
<style:style style:name="head" style:family="table-cell"><style:text-properties fo:font-weight="bold"/></style:style>
<style:style style:name="sum" style:family="table-cell" style:data-style-name="cents"><style:text-properties \
fo:font-weight="bold"/></style:style>
"""


def _content(orders: Sequence[Order]) -> str:
    rows = [_row(*(_text(head, "head") for head in HEADS))]
    rows += [_order(number, order) for number, order in enumerate(orders, 2)]
    rows += [_row(_text(""))]
    rows += _sums(len(orders) + 1)
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<office:document-content {_SPACES} office:version="1.2">\n'
        f"<office:automatic-styles>\n{_STYLES}</office:automatic-styles>\n<office:body><office:spreadsheet>\n"
        f'<table:table table:name="{SHEET}"><table:table-column table:style-name="wide"/>\n'
        + "\n".join(rows)
        + "\n</table:table></office:spreadsheet></office:body></office:document-content>\n"
    )


def _order(row: int, order: Order) -> str:
    amount = _formula(f"[.B{row}]*[.C{row}]", "money")
    return _row(_text(order.item), _number(order.quantity), _number(order.price, "money"), amount)


def _sums(last: int) -> list[str]:
    """The rows below the orders, whose last one is in row ``last``."""
    net, tax = last + 2, last + 3
    quantity, empty = _formula(f"SUM([.B2:.B{last}])", "head"), _text("")
    return [
        _row(_text("Net", "head"), quantity, empty, _formula(f"SUM([.D2:.D{last}])", "sum")),
        _row(_text("Tax", "head"), empty, empty, _formula(f"ROUND([.D{net}]*{TAX};2)", "sum")),
        _row(_text("Total", "head"), empty, empty, _formula(f"[.D{net}]+[.D{tax}]", "sum")),
    ]


def _row(*cells: str) -> str:
    return f"<table:table-row>{''.join(cells)}</table:table-row>"


def _text(text: str, style: str = "") -> str:
    if not text:
        return "<table:table-cell/>"
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    return f'<table:table-cell{_styled(style)} office:value-type="string"><text:p>{escaped}</text:p></table:table-cell>'


def _number(value: int | Decimal, style: str = "") -> str:
    return f'<table:table-cell{_styled(style)} office:value-type="float" office:value="{value}"/>'


def _formula(formula: str, style: str) -> str:
    return f"<table:table-cell{_styled(style)} table:formula={quoteattr(f'of:={formula}')}/>"


def _styled(style: str) -> str:
    return f' table:style-name="{style}"' if style else ""
