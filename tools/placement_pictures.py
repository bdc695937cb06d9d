#!/usr/bin/python3
"""Draws the pictures of docs/placement.md: docs/pictures/placement-….svg.

    tools/placement_pictures.py [--out FOLDER]

What is placed in them is computed as the page says, with the built-in patterns from src/placement/pattern_tables.c.
Standard library only.
"""

import argparse
import math
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # leaves no __pycache__ in the tree

import pattern_pictures
import svg

HERE = Path(__file__).resolve().parent.parent
N = pattern_pictures.N
LEFT, TOP = 24, 44

# Fills and lines, for light and for dark.
COLOURS = {
    "a": ("fill: #2f7d4f", "fill: #5cc488"),
    "b": ("fill: #c98a1b", "fill: #e0b04e"),
    "c": ("fill: #3f7fbf", "fill: #74b0e6"),
    "none": ("fill: none; stroke: #8796a3; stroke-width: 1.2", "fill: none; stroke: #71808d; stroke-width: 1.2"),
    "ground": ("fill: #2f7d4f; fill-opacity: 0.16", "fill: #5cc488; fill-opacity: 0.2"),
    "pushed": ("fill: none; stroke: #c0392b; stroke-width: 1.4", "fill: none; stroke: #ef7b6c; stroke-width: 1.4"),
    "point": ("fill: #22303c", "fill: #e3e9ee"),
    "chosen": ("fill: #fdf0d9", "fill: #3a2f1a"),
    "shade": ("fill: #2f7d4f", "fill: #5cc488"),
    "edge": ("fill: none; stroke: #22303c; stroke-width: 1.6", "fill: none; stroke: #e3e9ee; stroke-width: 1.6"),
}


class Picture(svg.Svg):
    def __init__(self, width, height, title):
        super().__init__(width, height, title)
        rules = ("\n".join(f".{name} {{ {pair[dark]} }}" for name, pair in COLOURS.items()) for dark in (0, 1))
        light, dark = rules
        self.parts.append(f"<style>\n{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n</style>")

    def disc(self, x, y, radius, kind, more=""):
        self.parts.append(f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"{more}/>')

    def box(self, x, y, width, height, kind, more=""):
        self.parts.append(f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"{more}/>')

    def grid(self, left, top, columns, rows, step):
        """The borders of cells."""
        for n in range(columns + 1):
            self.path(f"M{left + n * step:.1f} {top:.1f}L{left + n * step:.1f} {top + rows * step:.1f}")
        for n in range(rows + 1):
            self.path(f"M{left:.1f} {top + n * step:.1f}L{left + columns * step:.1f} {top + n * step:.1f}")


def candidates(pattern, columns, rows, footprint=1.0):
    """(x, y, threshold) of the candidates of cells from (0, 0) on, in metres."""
    size, points = pattern
    for cell_y in range(rows):
        for cell_x in range(columns):
            for i, (x, y) in enumerate(points):
                level = pattern_pictures.dither_level((i % N + cell_x) % N, (i // N + cell_y) % N)
                yield (cell_x * size + x) * footprint, (cell_y * size + y) * footprint, level / (N * N)


# ---- Pictures ----


def cells_picture():
    pattern = pattern_pictures.patterns(N)[2]
    pixels, columns, rows = 19, 3, 2
    step = pattern[0] * pixels
    picture = Picture(round(2 * LEFT + columns * step), round(TOP + rows * step + 34), "Cells and candidates")
    picture.text(LEFT, 26, "Every cell has the same points. Each point of each cell is a candidate.", "name", "start")
    picture.box(LEFT + step, TOP, step, step, "chosen")
    for x, y, _ in candidates(pattern, columns, rows):
        picture.disc(LEFT + x * pixels, TOP + y * pixels, 2.6, "point")
    near = min(range(N * N), key=lambda i: math.dist(pattern[1][i], (6, 5)))
    x, y = LEFT + step + pattern[1][near][0] * pixels, TOP + pattern[1][near][1] * pixels
    picture.disc(x, y, pixels / 2, "edge")
    picture.grid(LEFT, TOP, columns, rows, step)
    picture.text(LEFT, TOP + rows * step + 22, "The circle is one footprint wide. No two candidates are nearer, across "
                 "borders too.", "small", "start")
    return picture.finish()


def dither_picture():
    pixels = 34
    picture = Picture(round(3 * LEFT + 2 * N * pixels), TOP + N * pixels + 50, "The dither matrix")
    for cell in (0, 1):
        left = LEFT + cell * (N * pixels + LEFT)
        picture.text(left, 26, "Thresholds, in 1/64" if cell == 0 else "In the cell to the right", "name", "start")
        for y in range(N):
            for x in range(N):
                level = pattern_pictures.dither_level((x + cell) % N, y)
                picture.box(left + x * pixels, TOP + y * pixels, pixels, pixels, "shade",
                            f' fill-opacity="{0.75 - 0.72 * level / (N * N):.2f}"')
                picture.text(left + (x + 0.5) * pixels, TOP + (y + 0.5) * pixels + 5, str(level))
    picture.text(LEFT, TOP + N * pixels + 22, "A density of 1/4 takes the dark quarter: one of each 2 × 2.", "small", "start")
    picture.text(LEFT, TOP + N * pixels + 40, "In the next cell the matrix is shifted by one.", "small", "start")
    return picture.finish()


def density_picture():
    pattern = pattern_pictures.patterns(N)[2]
    pixels, columns = 17, 4
    step = pattern[0] * pixels
    width, height = columns * step, step
    picture = Picture(round(2 * LEFT + width), round(TOP + height + 34), "Density and claims")
    picture.text(LEFT, 26, "A density from 0 to 1, from left to right", "name", "start")
    bands = 64
    for band in range(bands):
        picture.box(LEFT + band * width / bands, TOP, width / bands + 0.5, height, "shade",
                    f' fill-opacity="{0.45 * band / bands:.3f}"')
    for x, y, threshold in candidates(pattern, columns, 1):
        taken = x * pixels / width > threshold
        picture.disc(LEFT + x * pixels, TOP + y * pixels, 0.5 * pixels if taken else 2, "a" if taken else "none")
    picture.text(LEFT, TOP + height + 22, "A candidate is claimed where the density exceeds its threshold.", "small", "start")
    return picture.finish()


LAYERS = [("a", "oak", 0.40), ("b", "birch", 0.25), ("c", "bush", 0.15)]


def layers_picture():
    width, top = 560, 72
    picture = Picture(width + 2 * LEFT, 200, "Several layers share the thresholds")
    picture.text(LEFT, 26, "Layers are added up, and the first sum above the threshold claims", "name", "start")
    at = 0
    for kind, name, density in LAYERS:
        picture.box(LEFT + at * width, top, density * width, 40, kind)
        picture.text(LEFT + (at + density / 2) * width, top - 12, f"{name} {density:g}", "small")
        at += density
    picture.box(LEFT + at * width, top, (1 - at) * width, 40, "none")
    picture.text(LEFT + (at + 1) / 2 * width, top - 12, "nothing", "small")
    for threshold in (9 / 64, 30 / 64, 47 / 64, 58 / 64):
        x, sum_, winner = LEFT + threshold * width, 0, None
        for _, name, density in LAYERS:
            sum_ += density
            if winner is None and sum_ > threshold:
                winner = name
        picture.path(f"M{x:.0f} {top}L{x:.0f} {top + 58}", "edge")
        picture.text(x, top + 76, f"{threshold * 64:.0f}/64", "small")
        picture.text(x, top + 94, winner or "–")
    picture.text(LEFT, 192, "Below: four candidates with their thresholds, and what each becomes.", "small", "start")
    return picture.finish()


def footprints_picture():
    patterns = pattern_pictures.patterns(N)
    width, height, pixels = 620, 300, 13
    large, small = 4.0, 1.6
    picture = Picture(width + 2 * LEFT, height + TOP + 34, "Footprints push each other away")
    picture.text(LEFT, 26, "Trees first; then undergrowth, where the ground is free", "name", "start")

    def inside(x, y):
        return 14 < x * pixels < width - 14 and 14 < y * pixels < height - 14

    trees = [(x, y) for x, y, threshold in candidates(patterns[4], 2, 1, large) if threshold < 0.45 and inside(x, y)]
    for x, y in trees:
        picture.disc(LEFT + x * pixels, TOP + y * pixels, pixels * large / 2, "ground")
        picture.disc(LEFT + x * pixels, TOP + y * pixels, 6, "a")
    for x, y, threshold in candidates(patterns[1], 4, 2, small):
        if threshold >= 0.5 or not inside(x, y):
            continue
        blocked = any(math.dist((x, y), tree) < large / 2 + small / 2 for tree in trees)
        picture.disc(LEFT + x * pixels, TOP + y * pixels, pixels * small / 2, "pushed" if blocked else "b")
    picture.box(LEFT, TOP, width, height, "none")
    picture.text(LEFT, TOP + height + 22, "Green: trees and the ground that they claim. Yellow: bushes. Red: bushes that are left "
                 "out.", "small", "start")
    return picture.finish()


def borders_picture():
    pattern = pattern_pictures.patterns(N)[2]
    pixels, columns = 17, 4
    step = pattern[0] * pixels
    width, height = columns * step, step
    picture = Picture(round(2 * LEFT + width), round(TOP + height + 34), "Areas computed alone")
    picture.text(LEFT, 26, "Two areas, computed alone: what is on both sides of their border matches", "name", "start")
    border, low, high = 2.37 * step, 0.22 * step, 3.8 * step
    top, bottom = 0.08 * height, 0.93 * height
    for x, y, threshold in candidates(pattern, columns, 1):
        x, y = x * pixels, y * pixels
        wanted = low <= x < high and top <= y < bottom
        kind = "a" if x < border else "c"
        if threshold < 0.7:
            picture.disc(LEFT + x, TOP + y, 0.5 * pixels, kind if wanted else "none", "" if wanted else ' stroke-opacity="0.5"')
    picture.grid(LEFT, TOP, columns, 1, step)
    picture.box(LEFT + low, TOP + top, border - low, bottom - top, "edge")
    picture.box(LEFT + border, TOP + top, high - border, bottom - top, "edge")
    picture.text(LEFT, TOP + height + 22, "The position decides: the lower border belongs to an area, the upper one does not. "
                 "Cells do not matter.", "small", "start")
    return picture.finish()


PICTURES = {"cells": cells_picture, "dither": dither_picture, "density": density_picture, "layers": layers_picture,
            "footprints": footprints_picture, "borders": borders_picture}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", default=HERE / "docs/pictures", type=Path, help="folder (default: docs/pictures)")
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        path = out / f"placement-{name}.svg"
        path.write_text(draw(), encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
