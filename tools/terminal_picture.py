#!/usr/bin/python3
"""Runs a program in a pseudo-terminal and writes what it shows, with its colours, as an SVG.

    tools/terminal_picture.py docs/pictures/tour.svg build/debug/examples/tour [flags]
"""

import os
import pty
import re
import sys
from html import escape

COLUMN, ROW, MARGIN = 8.4, 17, 16
COLOURS = {"31": "#f47067", "32": "#8ddb8c", "33": "#e0b060", "36": "#56c8d8", "90": "#7d8a97", "2": "#7d8a97"}


def run(command):
    output = []

    def read(descriptor):
        data = os.read(descriptor, 65536)
        output.append(data)
        return data

    status = os.waitstatus_to_exitcode(spawn_quietly(command, read))
    if status != 0:
        sys.exit(f"{command[0]} ended with {status}")
    return b"".join(output).decode()


def spawn_quietly(command, read):
    with open(os.devnull, "w") as nowhere:
        saved = os.dup(1)
        os.dup2(nowhere.fileno(), 1)
        try:
            return pty.spawn(command, read)
        finally:
            os.dup2(saved, 1)


def spans(line):
    """The line as (text, style) pieces, following the escape sequences for colours."""
    style = ""
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        code = re.fullmatch(r"\x1b\[([0-9;]*)m", piece)
        if not code:
            if piece:
                yield piece, style
            continue
        style = ""
        for number in code[1].split(";"):
            if number in COLOURS:
                style += f"fill:{COLOURS[number]};"
            elif number == "1":
                style += "font-weight:bold;"


def svg(text):
    lines = text.replace("\r", "").strip("\n").split("\n")
    width = max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in lines)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width * COLUMN + 2 * MARGIN:.0f} '
             f'{len(lines) * ROW + 2 * MARGIN}" font-family="\'DejaVu Sans Mono\', Menlo, Consolas, monospace" '
             'font-size="14" fill="#dde5ec">',
             '<rect width="100%" height="100%" rx="8" fill="#161b22"/>']
    for row, line in enumerate(lines):
        column = 0
        for piece, style in spans(line):
            x, y = MARGIN + column * COLUMN, MARGIN + (row + 0.75) * ROW
            attributes = f' style="{style}"' if style else ""
            if piece.strip():
                parts.append(f'<text x="{x:.1f}" y="{y:.1f}" textLength="{len(piece) * COLUMN:.1f}" '
                             f'xml:space="preserve"{attributes}>{escape(piece)}</text>')
            column += len(piece)
    return "\n".join(parts + ["</svg>", ""])


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    path = sys.argv[1]
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    picture = svg(run(sys.argv[2:]))
    with open(path, "w", encoding="utf-8") as file:
        file.write(picture)


main()
