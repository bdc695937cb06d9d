#!/usr/bin/env python3
"""The built-in font: what is drawn in tools/font.py is what src/gfx2d/draw/font_data.c says."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import font  # noqa: E402


class Test(unittest.TestCase):
    def test_the_file_is_what_the_letters_say(self):
        self.assertEqual((ROOT / "src/gfx2d/draw/font_data.c").read_text(encoding="utf-8"), font.source())

    def test_every_letter_of_latin_1_is_drawn(self):
        self.assertEqual(len(font.cells()), 224)
        for cell in font.cells():
            self.assertEqual(len(cell), 16)

    def test_a_letter_is_drawn_from_left_to_right(self):
        cell = font.cells()[ord("L") - font.FIRST]
        self.assertEqual(cell[2], 0b11000000)
        self.assertEqual(cell[11], 0b11111100)
        self.assertTrue(all(row == 0 for row in cell[12:]))

    def test_an_accent_stands_above_its_letter(self):
        plain, accented = (font.cells()[ord(letter) - font.FIRST] for letter in "aä")
        self.assertEqual(plain[5:], accented[5:])
        self.assertTrue(any(accented[2:4]))
        self.assertFalse(any(plain[:5]) or accented[4])

    def test_a_row_that_is_drawn_badly_is_refused(self):
        drawn = font.DRAWN
        try:
            font.DRAWN = "A B\n....... ......\n"
            with self.assertRaisesRegex(SystemExit, re.escape('the block "A B"')):
                font.cells()
        finally:
            font.DRAWN = drawn


if __name__ == "__main__":
    unittest.main()
