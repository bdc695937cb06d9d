"""The diagram of one tick of pure objects, laid out by hand: what is read and written, from left to right."""

import svg

WIDTH, HEIGHT = 1080, 452

CELL = 20                                              # height of a row
PAST, STAGE, NEXT, AFTER = 182, 446, 696, 914          # left edges
KINDS = (("sheep", 5, 82), ("dog", 2, 236))            # name, objects, top


def draw():
    """The text of every diagram by file name."""
    picture = svg.Svg(WIDTH, HEIGHT, "One tick of pure objects: all steps read the past and write the next states")
    draw_bands(picture)
    draw_before(picture)
    for name, rows, y in KINDS:
        draw_past(picture, name, rows, y)
        draw_steps(picture, name, rows, y)
        draw_next(picture, rows, y)
    draw_reads(picture)
    draw_after(picture)
    draw_returns(picture)
    return {"objects-tick.svg": picture.finish()}


def draw_bands(picture):
    for x, width, name, what in ((0, 156, "before", "between ticks"), (PAST - 10, 246, "the past", "read by all"),
                                 (STAGE - 12, 232, "one stage", "all kinds, all workers"),
                                 (NEXT - 12, 212, "the next", "each writes its own"),
                                 (AFTER, 166, "after", "in a defined order")):
        picture.rect(x, 8, width, 324, "band", 10)
        picture.text(x + 12, 32, name, "name", "start")
        picture.text(x + 12, 49, what, "small", "start")


def column(picture, x, y, width, rows, kind, title):
    picture.text(x + width / 2, y - 5, title, "small")
    for row in range(rows):
        picture.rect(x, y + row * CELL, width, CELL - 3, kind, 3)


def box(picture, x, y, width, height, kind, name, what=()):
    picture.rect(x, y, width, height, kind)
    top = y + height / 2 - 8 * len(what)
    picture.text(x + width / 2, top + 5, name, "name")
    for i, words in enumerate(what):
        picture.text(x + width / 2, top + 22 + i * 16, words, "small")


def draw_before(picture):
    box(picture, 12, 92, 132, 64, "cool", "results", ("of functions",))
    box(picture, 12, 170, 132, 64, "cool", "answers", ("of readers",))
    box(picture, 12, 248, 132, 64, "cool", "FiloInput", ("and other globals",))


def draw_past(picture, name, rows, y):
    picture.text(PAST, y - 4, name, "name", "start")
    y += 20
    column(picture, PAST, y, 66, rows, "leaf", "state")
    column(picture, PAST + 76, y, 60, rows, "warm", "inbox")
    if name == "dog":
        column(picture, PAST + 146, y, 66, rows, "leaf", "signals")


def draw_steps(picture, name, rows, y):
    height = rows * CELL + 32
    picture.rect(STAGE, y - 10, 208, height, "card")
    picture.text(STAGE + 12, y + 8, f"objects.{name}", "name", "start")
    picture.text(STAGE + 196, y + 8, "step" if name == "sheep" else "network", "small", "end")
    # Some rows on one worker, the rest on another.
    parts = ((0, 3), (3, 2)) if rows > 2 else ((0, 2),)
    for worker, (first, count) in enumerate(parts):
        top = y + 20 + first * CELL
        picture.rect(STAGE + 12, top, 184, count * CELL - 3, "cool", 4)
        words = f"worker {(worker + (name == 'dog') * 2) % 3}: {count} rows"
        picture.text(STAGE + 104, top + count * CELL / 2 + 3, words, "small")


def draw_next(picture, rows, y):
    y += 20
    column(picture, NEXT, y, 76, rows, "planned", "next state")
    column(picture, NEXT + 104, y, 84, rows, "cool", "shown")


def draw_reads(picture):
    for _, rows, y in KINDS:
        middle = y + 20 + rows * CELL / 2
        picture.arrow(PAST + 224, middle, STAGE, middle)
        picture.arrow(STAGE + 208, middle, NEXT, middle)
    # Each kind sees the states of the other.
    x = PAST + 230
    picture.path(f"M{x} 152L{x} 276", "link dashed")


def draw_after(picture):
    box(picture, AFTER + 12, 64, 142, 70, "leaf", "change places", ("next states become", "the past"))
    box(picture, AFTER + 12, 148, 142, 70, "card", "refresh", ("killed objects go,", "new ones come"))
    box(picture, AFTER + 12, 232, 142, 86, "warm", "deliver", ("events, ordered by", "system, row and", "call, to inboxes"))
    picture.arrow(AFTER + 83, 134, AFTER + 83, 148)
    picture.arrow(AFTER + 83, 218, AFTER + 83, 232)


def draw_returns(picture):
    """What leads to the next tick."""
    # Results and answers go to inboxes.
    picture.path(f"M78 332L78 356L{PAST + 106} 356L{PAST + 106} 338")
    picture.head(PAST + 106, 332, 0, -1)
    picture.text(92, 350, "as events", "small", "start")
    # Next states and delivered events are the past of the next tick.
    picture.path(f"M{AFTER + 40} 332L{AFTER + 40} 384L{PAST + 33} 384L{PAST + 33} 338")
    picture.head(PAST + 33, 332, 0, -1)
    picture.text(560, 378, "the past of the next tick", "small")
    # Functions and readers run beside.
    picture.rect(PAST + 264, 404, 470, 40, "card")
    picture.text(PAST + 499, 429, "async threads: functions that block, readers of a copy of the states", "small")
    picture.path(f"M{AFTER + 120} 332L{AFTER + 120} 424L{PAST + 740} 424", "link dashed")
    picture.head(PAST + 734, 424, -1, 0)
    picture.path(f"M{PAST + 264} 424L40 424L40 338", "link dashed")
    picture.head(40, 332, 0, -1)
    picture.text(120, 418, "in the tick that was named", "small", "start")
