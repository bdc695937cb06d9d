#!/usr/bin/env python3
"""Writes src/text/shape/unicode_data.c: what grapheme clusters and emoji are made of, from the Unicode Character Database.

    tools/unicode_text.py [FOLDER]    writes the file; FOLDER is that of the database: by default that of Debian's
                                      package unicode-data

Syllables of Hangul are computed from their code points, and are not in the table.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "src" / "text" / "shape" / "unicode_data.c"
DATABASE = pathlib.Path("/usr/share/unicode")

CLASSES = {"CR": "CR", "LF": "LF", "Control": "CONTROL", "Extend": "EXTEND", "ZWJ": "ZWJ",
           "Regional_Indicator": "REGIONAL", "Prepend": "PREPEND", "SpacingMark": "SPACING", "L": "HANGUL_L",
           "V": "HANGUL_V", "T": "HANGUL_T", "Extended_Pictographic": "PICTURE"}


def read(path, wanted):
    """Ranges (first, last, property) of the properties in `wanted`."""
    for line in path.read_text(encoding="utf-8").splitlines():
        match = re.match(r"([0-9A-F]+)(?:\.\.([0-9A-F]+))?\s*;\s*(\w+)", line)
        if match and match.group(3) in wanted:
            first = int(match.group(1), 16)
            yield first, int(match.group(2), 16) if match.group(2) else first, match.group(3)


def merge(ranges):
    """The same, sorted, with neighbours of one class joined."""
    merged = []
    for first, last, name in sorted(ranges):
        if merged and merged[-1][1] + 1 == first and merged[-1][2] == name:
            merged[-1][1] = last
        else:
            merged.append([first, last, name])
    return merged


def lines(entries):
    """The entries as lines of at most 110 columns."""
    line, result = "   ", []
    for entry in entries:
        if len(line) + 1 + len(entry) > 110:
            result.append(line)
            line = "   "
        line += " " + entry
    return "\n".join(result + [line])


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else DATABASE
    emoji = folder / "emoji" / "emoji-data.txt"
    property_file = folder / "auxiliary" / "GraphemeBreakProperty.txt"
    version = re.search(r"-([0-9.]+)\.txt", property_file.read_text(encoding="utf-8")).group(1)
    breaks = list(read(property_file, CLASSES))
    breaks += read(emoji, {"Extended_Pictographic"})
    shown = merge(read(emoji, {"Emoji_Presentation"}))
    clusters = [f"{{ 0x{a:X}, 0x{b:X}, TEXT_CLUSTER_{CLASSES[name]} }}," for a, b, name in merge(breaks)]
    TARGET.write_text(f"""// Classes of code points for grapheme clusters, and the emoji that are shown in colour: Unicode {version}.
//
// Written by tools/unicode_text.py. Do not edit.

#include "text/shape/unicode.h"

// clang-format off
const TextClusterRange text_cluster_ranges[] = {{
{lines(clusters)}
}};
const size_t text_cluster_range_count = FILO_COUNT_OF(text_cluster_ranges);

const TextCodeRange text_emoji_ranges[] = {{
{lines(f"{{ 0x{a:X}, 0x{b:X} }}," for a, b, _ in shown)}
}};
const size_t text_emoji_range_count = FILO_COUNT_OF(text_emoji_ranges);
// clang-format on
""", encoding="utf-8")


if __name__ == "__main__":
    main()
