#!/usr/bin/env python3
"""Writes variable.ttf, variable.woff and variable.woff2: a font of three letters with the axes wght, wdth and GRAD.

Needs the Debian packages python3-fonttools and python3-brotli."""

import os

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables.TupleVariation import TupleVariation

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = [".notdef", "space", "A", "B", "C"]
WIDTHS = {".notdef": 500, "space": 250, "A": 500, "B": 600, "C": 700}


def box(width):
    pen = TTGlyphPen(None)
    if width:
        pen.moveTo((50, 0))
        pen.lineTo((50, 700))
        pen.lineTo((width, 700))
        pen.lineTo((width, 0))
        pen.closePath()
    return pen.glyph()


def change(axes, right, advance):
    """Moves the right side of a box, or the advance alone, when the axes are at their ends."""
    return TupleVariation(axes, [(0, 0), (0, 0), (right, 0), (right, 0), (0, 0), (advance, 0), (0, 0), (0, 0)])


fb = FontBuilder(1000, isTTF=True)
fb.setupGlyphOrder(NAMES)
fb.setupCharacterMap({0x20: "space", 0x41: "A", 0x42: "B", 0x43: "C"})
fb.setupGlyf({name: box(0 if name == "space" else 150) for name in NAMES})
fb.setupHorizontalMetrics({name: (WIDTHS[name], 0 if name == "space" else 50) for name in NAMES})
fb.setupHorizontalHeader(ascent=800, descent=-200)
fb.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200)
fb.setupPost()
fb.setupNameTable({"familyName": "Variable", "styleName": "Regular"})
fb.setupFvar([("wght", 100, 400, 900, "Weight"), ("wdth", 50, 100, 200, "Width"), ("GRAD", 0, 0, 100, "Grade")], [])
fb.setupGvar({
    name: [
        change({"wght": (0, 1, 1)}, 300, 90),
        change({"wght": (-1, -1, 0)}, -60, -30),
        change({"wdth": (0, 1, 1)}, 100, 400),
        change({"wdth": (-1, -1, 0)}, 0, -200),
        change({"GRAD": (0, 1, 1)}, 200, 0),
    ]
    for name in ["A", "B", "C"]
})
path = os.path.join(HERE, "variable.ttf")
fb.save(path)
for flavor in ["woff", "woff2"]:
    font = TTFont(path)
    font.flavor = flavor
    font.save(os.path.join(HERE, "variable." + flavor))
