"""Captures made small enough: within both bounds, in few encodings, however large and wild they are."""

from __future__ import annotations

import io
import random
from typing import Any

import pytest
from PIL import Image

from deskhand.desktop.pixels.pictures import Most, shown
from deskhand.types.geometry import Rect
from deskhand.types.nodes import Picture

NOISE = random.Random(5).randbytes(1 << 16)


def capture(width: int, height: int, kind: str) -> Picture:
    size = width * height * 3
    patterns = {
        "noise": NOISE, "flat": b"\xee" * 3 * 1024,
        "black and white": bytes(255 * (byte & 1) for byte in NOISE for _ in range(3)),
    }  # fmt: skip
    pattern = patterns[kind]
    return Picture((pattern * (size // len(pattern) + 1))[:size], Rect(0, 0, width, height), width, height)


@pytest.mark.proves("B1")
@pytest.mark.parametrize("kind", ["noise", "black and white", "flat"])
@pytest.mark.parametrize(
    ("size", "pixels", "most"),
    [((5472, 3648), 20_000_000, 1_000_000), ((1280, 900), 1_150_000, 40_000), ((2560, 1600), 4_100_000, 900_000)],
)
def test_a_picture_is_within_its_bounds_after_three_encodings_at_most(
    size: tuple[int, int], pixels: int, most: int, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    encodings = list[str]()
    save = Image.Image.save

    def counted(image: Image.Image, out: Any, kind: str, **more: Any) -> None:
        encodings.append(kind)
        save(image, out, kind, **more)

    monkeypatch.setattr(Image.Image, "save", counted)
    made = shown(capture(*size, kind), Most(pixels, 8000, most))
    assert len(made.data) <= most
    assert 1 <= len(encodings) <= 3
    assert Image.open(io.BytesIO(made.data)).size == (made.frame.width, made.frame.height)
    assert (made.mime == "image/png") == (kind == "flat")
    if kind != "flat" and size[0] > 5000:
        assert "PNG" not in encodings  # it would take seconds and be of no use
