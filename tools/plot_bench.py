#!/usr/bin/python3
"""Draws the figures of a benchmark as plots: docs/plots/ecs-….svg, placement-….svg and physics-….svg.

    ./dev bench ecs placement physics --json > figures.jsonl
    tools/plot_bench.py [figures.jsonl …] [--out FOLDER]

Reads the lines that `./dev bench … --json` prints (standard input without a file), one figure a line; of a figure that occurs
several times, the last one counts. A plot whose figures are not among them is left alone, so a part of the benchmark can be
measured and drawn again by itself. The same input gives the same bytes on every machine. Standard library only.
"""

import argparse
import json
import math
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # leaves no __pycache__ in the tree

import svg

HERE = Path(__file__).resolve().parent.parent
WIDTH, LEFT, RIGHT, TOP = 860, 190, 110, 64
BAR, GAP = 13, 13

# Colours of series, for light and for dark; the reference is grey.
SERIES = [("#0f766e", "#2aa198"), ("#3f7fbf", "#6aa8e0"), ("#c98a1b", "#d9a441"), ("#a8487d", "#d57fb0")]
REFERENCE = ("#a3afb9", "#5d6a76")


def style():
    rules = {False: [], True: []}
    for n, colours in enumerate([*SERIES, REFERENCE]):
        name = f"s{n}" if n < len(SERIES) else "ref"
        for dark in (False, True):
            rules[dark] += [f".{name} {{ fill: {colours[dark]} }}",
                            f".l{name} {{ fill: none; stroke: {colours[dark]}; stroke-width: 2 }}"]
    rules[False].append(".lref { stroke-dasharray: 6 4 }")
    dark = "\n".join(rules[True])
    return "<style>\n" + "\n".join(rules[False]) + f"\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n</style>"


def number(value):
    """Three digits that count: 0.214, 12.6, 1,340."""
    if value == 0:
        return "0"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:,.{min(digits, 4)}f}"


def start(title, height):
    picture = svg.Svg(WIDTH, height, title)
    picture.parts.append(style())
    picture.text(16, 26, title, "name", "start")
    return picture


def legend(picture, entries):
    x = LEFT
    for kind, words in entries:
        picture.rect(x, 40, 11, 11, kind, 2)
        picture.text(x + 17, 50, words, "small", "start")
        x += 34 + 7 * len(words)


def nice_step(top):
    """A round step that gives four to eight lines up to `top`."""
    raw = top / 6
    power = 10 ** math.floor(math.log10(raw))
    return next(power * n for n in (1, 2, 5, 10) if power * n >= raw)


# ---- Bars ----


def bars(title, rows, figures, ours="Filo", reference=None):
    """A pair of bars for each row (label, name): ours and the reference. None if no figure is there."""
    rows = [(label, figures[name]) for label, name in rows if name in figures]
    if not rows:
        return None
    top = max(max(figure["ours"], figure["ref"]) for _, figure in rows)
    height = TOP + len(rows) * (2 * BAR + GAP) + 10
    picture = start(f"{title} ({rows[0][1]['unit']}, less is better)", height)
    legend(picture, [("s0", ours), ("ref", reference or rows[0][1]["ref_name"])])
    scale = (WIDTH - LEFT - RIGHT) / top
    for n, (label, figure) in enumerate(rows):
        y = TOP + n * (2 * BAR + GAP)
        picture.text(LEFT - 10, y + BAR + 5, label, "", "end")
        bar(picture, y, figure["ours"], scale, "s0", f"{number(figure['ours'])}  ({number(figure['ratio'])}×)")
        bar(picture, y + BAR, figure["ref"], scale, "ref", number(figure["ref"]))
    return picture.finish()


def bar(picture, y, value, scale, kind, words):
    width = max(1, value * scale)
    picture.rect(LEFT, y, width, BAR - 1, kind, 2)
    picture.text(LEFT + width + 6, y + BAR - 2, words, "small", "start")


# ---- Groups of bars: several series a row ----


def grouped(title, rows, series, figures):
    """For each row (label, key) a bar of each series (words, function from key to name), and one of the reference."""
    found = [(label, [figures.get(name(key)) for _, name in series]) for label, key in rows]
    found = [(label, values) for label, values in found if any(values)]
    if not found:
        return None
    first = next(value for value in found[0][1] if value)
    top = max(max(value["ours"], value["ref"]) for _, values in found for value in values if value)
    block = (len(series) + 1) * BAR + GAP
    picture = start(f"{title} ({first['unit']}, less is better)", TOP + len(found) * block + 10)
    legend(picture, [(f"s{n}", words) for n, (words, _) in enumerate(series)] + [("ref", first["ref_name"])])
    scale = (WIDTH - LEFT - RIGHT) / top
    for row, (label, values) in enumerate(found):
        y = TOP + row * block
        picture.text(LEFT - 10, y + block / 2, label, "", "end")
        for n, value in enumerate(values):
            if value:
                bar(picture, y + n * BAR, value["ours"], scale, f"s{n}", number(value["ours"]))
        reference = min(value["ref"] for value in values if value)
        bar(picture, y + len(series) * BAR, reference, scale, "ref", number(reference))
    return picture.finish()


# ---- Lines ----


def lines(title, unit, x_label, series):
    """Each series: (kind, words, [(x, y) …])."""
    series = [(kind, words, points) for kind, words, points in series if points]
    if not series:
        return None
    height, bottom = 400, 346
    picture = start(f"{title} ({unit})", height)
    legend(picture, [(kind, words) for kind, words, _ in series])
    xs = sorted({x for _, _, points in series for x, _ in points})
    top = max(y for _, _, points in series for _, y in points) * 1.05
    left, right = 90, WIDTH - 40

    def place(x, y):
        across = (x - xs[0]) / ((xs[-1] - xs[0]) or 1)
        return left + across * (right - left), bottom - y / top * (bottom - TOP - 10)

    step = nice_step(top)
    for n in range(int(top / step) + 1):
        y = place(xs[0], n * step)[1]
        picture.path(f"M{left} {round(y)}L{right} {round(y)}", "link dashed")
        picture.text(left - 8, y + 4, number(n * step), "small", "end")
    for x in xs:
        picture.text(place(x, 0)[0], bottom + 20, f"{x:g}", "small")
    picture.text((left + right) / 2, bottom + 42, x_label, "small")
    for kind, _, points in series:
        placed = [place(x, y) for x, y in sorted(points)]
        picture.path("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in placed), f"l{kind}")
        if kind != "ref":
            for x, y in placed:
                picture.rect(x - 3, y - 3, 6, 6, kind, 3)
    return picture.finish()


def curve(figures, pattern, xs, value="ours"):
    return [(x, figures[pattern.format(x)][value]) for x in xs if pattern.format(x) in figures]


# ---- The plots of the ECS ----

COUNTS = ["10k", "100k", "1m"]
PERCENT = [0, 25, 50, 75, 100]
THREADS = [1, 2, 4]
CHURN = "ecs.churn."


def ecs_plots(figures):
    return {
        "ecs-iterate.svg": bars("Position += velocity", [
            ("10,000", "ecs.iterate.10k"), ("100,000", "ecs.iterate.100k"), ("1,000,000", "ecs.iterate.1m"),
            ("10 % of 100,000 match", "ecs.iterate.sparse10"), ("over 4,096 tables", "ecs.iterate.fragmented"),
        ], figures),
        "ecs-scattered.svg": bars("10 % of the rows of a table match", [
            ("by a tag", "ecs.iterate.scattered.tag"), ("by a sparse component", "ecs.iterate.scattered.sparse"),
        ], figures),
        "ecs-create.svg": grouped("Creating entities with two components", [(c, c) for c in COUNTS], [
            ("one by one", "ecs.create.{}".format), ("in a block", "ecs.create_bulk.{}".format),
        ], figures),
        "ecs-destroy.svg": bars("Destroying 1,000,000 entities", [
            ("one by one", "ecs.destroy.1m"), ("at random", "ecs.destroy.random"), ("a list of them", "ecs.destroy_many.1m"),
            ("all of a query", "ecs.destroy_bulk.1m"),
        ], figures, reference="plain arrays with an index"),
        "ecs-churn.svg": bars("Adding and removing a component", [
            ("tag", CHURN + "tag"), ("sparse", CHURN + "sparse"), ("array", CHURN + "array"), ("map", CHURN + "map"),
            ("table", CHURN + "table"), ("tag, many", CHURN + "tag.many"), ("sparse, many", CHURN + "sparse.many"),
            ("table, many", CHURN + "table.many"), ("table, change set", CHURN + "change_set"),
            ("sparse, change set", CHURN + "change_set_sparse"),
        ], figures, reference="bit set, sparse set, move between arrays"),
        "ecs-get.svg": bars("Getting a component by id, 1,000,000 at random", [
            ("table", "ecs.get.table"), ("array", "ecs.get.array"), ("sparse", "ecs.get.sparse"), ("map", "ecs.get.map"),
            ("table, calls", "ecs.get.table.call"), ("array, calls", "ecs.get.array.call"),
            ("sparse, calls", "ecs.get.sparse.call"), ("map, calls", "ecs.get.map.call"),
        ], figures, reference="plain arrays: one indirection; direct for array"),
        "ecs-bytes.svg": bars("Memory of 1,000,000 entities with 16 bytes of data", [
            ("counted by the world", "ecs.bytes"), ("resident", "ecs.bytes.resident")], figures),
        "ecs-computing.svg": lines("Sines and cosines, p % of 10,000 entities match", "ms per tick", "p %", [
            ("s0", "Filo", curve(figures, "ecs.thesis.computing.p{}", PERCENT)),
            ("ref", "plain arrays", curve(figures, "ecs.thesis.computing.p{}", PERCENT, "ref")),
        ]),
        "ecs-changing.svg": lines("Sines and cosines, p % of 10,000 entities get and lose a component", "ms per tick", "p %", [
            ("s0", "sparse", curve(figures, "ecs.thesis.p{}", PERCENT)),
            ("s3", "sparse, many", curve(figures, "ecs.thesis.p{}.many", PERCENT)),
            ("s1", "table", curve(figures, "ecs.thesis.p{}.table", PERCENT)),
            ("s2", "table, change sets", curve(figures, "ecs.thesis.p{}.change_set", PERCENT)),
            ("ref", "no changes", curve(figures, "ecs.thesis.p{}", PERCENT, "ref")),
        ]),
        "ecs-holders.svg": grouped("Adding a component, and 20 reads", [
            (f"{size} bytes, {'in order' if order == 'ordered' else 'random'}", f"{size}.{order}")
            for order in ("ordered", "random") for size in (16, 64, 128)
        ], [(kind, ("ecs.holder." + kind + ".{}").format) for kind in ("table", "sparse", "array", "map")], figures),
        "ecs-threads.svg": lines("Speed-up of a heavy system", "×", "threads", [
            ("s0", "direct writes", curve(figures, "ecs.threads.direct.{}", THREADS)),
            ("s1", "change sets", curve(figures, "ecs.threads.change_set.{}", THREADS)),
            ("ref", "what the two cores give", curve(figures, "ecs.threads.direct.{}", THREADS, "ref")),
        ]),
        "ecs-schedule.svg": bars("An empty system in the schedule", [
            ("one stage", "ecs.system_overhead"), ("a stage each", "ecs.system_overhead.stages"),
            ("one stage, 2 threads", "ecs.system_overhead.threads_2"),
            ("a stage each, 2 threads", "ecs.system_overhead.stages_threads_2"),
        ], figures),
        "ecs-queries.svg": bars("Making and releasing a query", [
            ("64 tables", "ecs.query_create"), ("4,096 tables", "ecs.query_create.4096"), ("found again", "ecs.query_find"),
        ], figures),
        "ecs-snapshot.svg": bars("Snapshot of 1,000,000 entities", [
            ("take", "ecs.snapshot"), ("restore", "ecs.restore"), ("add to a history", "ecs.history_push")], figures),
    }


# ---- The plots of placement ----

SIDES = [100, 500, 1000, 4000]
AREAS = [1, 10, 100, 1000]
KINDS = [("scalar", "scalar"), ("SSE2", "sse2"), ("AVX2", "simd"), ("AVX2, 2 threads", "parallel_unbaked"), ("baked", "baked"),
         ("baked, 2 threads", "parallel"), ("GL, llvmpipe", "gl")]


def times_faster(figures, kind):
    found = [(side, figures.get(f"placement.{kind}.{side}")) for side in SIDES]
    return [(side, 1 / figure["ratio"]) for side, figure in found if figure]


def placement_plots(figures):
    scale = [(area, figure["ours"] * area / 1e6) for area in AREAS if (figure := figures.get(f"placement.scale.{area}"))]
    return {
        "placement-kinds.svg": bars("A square of 1,000 m, about 50,000 objects", [
            (words, f"placement.{kind}.1000") for words, kind in KINDS], figures),
        "placement-sides.svg": lines("Times faster than the sequential form of the thesis", "more is better", "side in metres", [
            ("s0", "AVX2", times_faster(figures, "simd")), ("s1", "baked", times_faster(figures, "baked")),
            ("s2", "baked, 2 threads", times_faster(figures, "parallel")), ("s3", "GL, llvmpipe", times_faster(figures, "gl"))]),
        "placement-scale.svg": lines("Streaming through 256 MB", "seconds", "km²", [("s0", "Filo", scale)]),
        "placement-ecotopes.svg": lines("Densities by an ecotope, a square of 1,000 m", "us", "operations", [
            ("s0", "Filo", curve(figures, "placement.ecotope.{}", [5, 20, 80])),
            ("ref", "four maps", curve(figures, "placement.ecotope.{}", [5, 20, 80], "ref"))]),
        "placement-frames.svg": bars("Frames, while a square kilometre is computed every sixth frame", [
            (words, f"placement.frame.{words}") for words in ["mean", "deviation", "p50", "p90", "p99", "p99.9"]], figures),
    }


# ---- The plots of physics ----


def physics_plots(figures):
    scenes = [("10,000 circles", "circles.10k"), ("pyramid of 100 rows", "pyramid"), ("100 small pyramids", "pyramids"),
              ("tumbler of 2,000", "tumbler"), ("spinner among 3,000", "spinner"), ("cloth of 10,000", "joints"),
              ("200 ragdolls", "rain")]
    return {
        "physics-scenes.svg": bars("A step on one thread", [(words, f"physics.{name}") for words, name in scenes], figures,
                                   reference="the better of Chipmunk 7 and Box2D 2.4"),
        "physics-overlap.svg": bars("Mean depth where shapes overlap", [
            (words, f"physics.{name}.overlap") for words, name in scenes if name != "joints"], figures,
            reference="the better of Chipmunk 7 and Box2D 2.4"),
    }


def read(paths):
    figures = {}
    texts = [Path(path).read_text(encoding="utf-8") for path in paths] or [sys.stdin.read()]
    for line in "\n".join(texts).splitlines():
        if line.startswith("{"):
            figure = json.loads(line)
            figures[figure["name"]] = figure
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", help="lines of ./dev bench … --json; none: standard input")
    parser.add_argument("--out", default=HERE / "docs" / "plots", type=Path, help="folder (default: docs/plots)")
    arguments = parser.parse_args()
    figures = read(arguments.files)
    plots = {name: text for name, text in {**ecs_plots(figures), **placement_plots(figures),
                                               **physics_plots(figures)}.items() if text is not None}
    if not plots:
        sys.exit("There is no figure of the ECS, of placement or of physics in the input.")
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name, text in plots.items():
        (arguments.out / name).write_text(text, encoding="utf-8")
        print(arguments.out / name)


if __name__ == "__main__":
    main()
