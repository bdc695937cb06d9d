#!/usr/bin/python3
"""Draws the built-in patterns of placement: docs/pictures/pattern.svg and docs/plots/pattern-spectrum.svg.

    tools/pattern_pictures.py [--out FOLDER]

Reads the points from src/placement/pattern_tables.c. The picture has one pattern in 3 x 3 cells, as placement repeats it; the
plot has the mean spectrum of all patterns of 8 x 8 points beside those of white noise and a jittered grid. Standard library
only.
"""

import argparse
import math
import random
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # leaves no __pycache__ in the tree

import plot_bench
import svg

HERE = Path(__file__).resolve().parent.parent
GRAINS = 4096
N = 8
PIXELS = 22  # of a footprint
LEFT, TOP = 24, 62

# Colours of what a density of 1/4, 1/2, 3/4 and 1 takes, for light and for dark.
LEVELS = [("#0f5132", "#8ee6b0"), ("#3c9a68", "#4fae7c"), ("#93cfae", "#2f6d4c"), ("#d5ecdf", "#1f3d2d")]


def patterns(n):
    """The built-in patterns of n x n points: (size, [(x, y) …] in footprints) of each."""
    text = (HERE / "src/placement/pattern_tables.c").read_text(encoding="utf-8")
    block = re.search(rf"points_{n}\[.*?\] = \{{(.*?)\}};", text, re.DOTALL).group(1)
    points = [(int(x) / GRAINS, int(y) / GRAINS) for x, y in re.findall(r"P\((\d+), (\d+)\)", block)]
    size = int(re.search(rf"\{{ {n}, \d+, (\d+) / 256", text).group(1)) / 256
    return [(size, points[i:i + n * n]) for i in range(0, len(points), n * n)]


# ---- The spectrum ----


def spectrum(size, points, bins=25):
    """The power at frequencies of 0.1, 0.2, … waves per mean spacing: {bin: [power of each wave]}."""
    n = math.isqrt(len(points))
    power = {}
    most = n * (bins + 1) // 10
    for down in range(most + 1):
        for across in range(-most, most + 1):
            which = round(math.hypot(across, down) / n * 10)
            if not 1 <= which <= bins or (down == 0 and across <= 0):
                continue
            phases = [math.tau * (across * x + down * y) / size for x, y in points]
            real, imaginary = sum(map(math.cos, phases)), sum(map(math.sin, phases))
            power.setdefault(which, []).append((real * real + imaginary * imaginary) / len(points))
    return power


def mean_spectrum(sets):
    """[(frequency, mean power) …] of several sets of points."""
    total = {}
    for size, points in sets:
        for which, powers in spectrum(size, points).items():
            total.setdefault(which, []).extend(powers)
    return [(which / 10, sum(powers) / len(powers)) for which, powers in sorted(total.items())]


def white_noise(numbers):
    return N, [(numbers.random() * N, numbers.random() * N) for _ in range(N * N)]


def jittered_grid(numbers):
    return N, [(i % N + numbers.random(), i // N + numbers.random()) for i in range(N * N)]


def spectrum_plot():
    numbers = random.Random(1)
    return plot_bench.lines("Power spectrum of 64 points", "1 is the mean of white noise", "waves per mean distance of points", [
        ("s0", "built-in patterns", mean_spectrum(patterns(N))),
        ("s2", "jittered grid", mean_spectrum(jittered_grid(numbers) for _ in range(32))),
        ("ref", "white noise", mean_spectrum(white_noise(numbers) for _ in range(32))),
    ])


# ---- The picture ----


def dither_level(x, y):
    """The place of (x, y) in the order of ordered dithering, from 0 to 63."""
    level, weight, half = 0, 1, N // 2
    while half >= 1:
        level += weight * ((0, 2), (3, 1))[y // half % 2][x // half % 2]
        weight, half = weight * 4, half // 2
    return level


def style():
    rules = [[f".d{n} {{ fill: {colours[dark]} }}" for n, colours in enumerate(LEVELS)] for dark in (0, 1)]
    light, dark = ("\n".join(lines) for lines in rules)
    return f"<style>\n{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n</style>"


def disc(picture, x, y, kind, radius):
    picture.parts.append(f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}"/>')


def draw_cell(picture, size, points, cell_x, cell_y):
    for i, (x, y) in enumerate(points):
        level = dither_level((i % N + cell_x) % N, (i // N + cell_y) % N)
        disc(picture, LEFT + (cell_x * size + x) * PIXELS, TOP + (cell_y * size + y) * PIXELS, f"d{level * 4 // (N * N)}",
             PIXELS / 2)


def pattern_picture():
    size, points = patterns(N)[0]
    side = 3 * size * PIXELS
    picture = svg.Svg(round(side + 2 * LEFT), round(side + TOP + LEFT), "One pattern in 3 × 3 cells")
    picture.parts.append(style())
    picture.text(LEFT, 24, "One pattern of 8 × 8 points in 3 × 3 cells. The discs are one footprint wide.", "name", "start")
    for n, words in enumerate(("taken at a density of 1/4", "and at 1/2", "and at 3/4", "and at 1")):
        x = LEFT + 6 + (0, 186, 290, 394)[n]
        disc(picture, x, 42, f"d{n}", 6)
        picture.text(x + 12, 47, words, "small", "start")
    for cell_y in range(3):
        for cell_x in range(3):
            draw_cell(picture, size, points, cell_x, cell_y)
    for n in range(4):
        at = n * size * PIXELS
        picture.path(f"M{LEFT + at:.1f} {TOP}L{LEFT + at:.1f} {TOP + side:.1f}")
        picture.path(f"M{LEFT} {TOP + at:.1f}L{LEFT + side:.1f} {TOP + at:.1f}")
    return picture.finish()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", default=HERE / "docs", type=Path, help="folder (default: docs)")
    out = parser.parse_args().out
    for path, text in (("pictures/pattern.svg", pattern_picture()), ("plots/pattern-spectrum.svg", spectrum_plot())):
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        (out / path).write_text(text, encoding="utf-8")
        print(out / path)


if __name__ == "__main__":
    main()
