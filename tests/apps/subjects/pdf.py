"""A small PDF written by hand: pages with lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

_FIRST_PAGE = 4


def write_pdf(path: Path, pages: Sequence[Iterable[str]]) -> None:
    """Write a PDF with one page of Helvetica for each item of ``pages``; lines are plain ASCII without brackets."""
    kids = " ".join(f"{_FIRST_PAGE + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, lines in enumerate(pages):
        objects += [_page(_FIRST_PAGE + 2 * number + 1), _stream(lines)]
    path.write_bytes(_joined(objects))


def _page(content: int) -> str:
    fonts = "<< /Font << /F 3 0 R >> >>"
    return f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Resources {fonts} /Contents {content} 0 R >>"


def _stream(lines: Iterable[str]) -> str:
    drawn = "BT /F 18 Tf 30 360 Td 24 TL " + " ".join(f"({line}) Tj T*" for line in lines) + " ET"
    return f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream"


def _joined(objects: Sequence[str]) -> bytes:
    data, places = b"%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n{text}\nendobj\n".encode()
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    head = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    tail = f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(data)}\n%%EOF\n"
    return data + head.encode() + tail.encode()
