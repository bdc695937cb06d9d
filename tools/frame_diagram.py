"""The diagram of one frame, laid out by hand: three lanes, time from left to right."""

import svg

WIDTH, HEIGHT = 1180, 480


def draw():
    picture = svg.Svg(WIDTH, HEIGHT, "One frame of Filo: main thread, workers, and the pool for blocking work")
    lane(picture, 8, 96, "main thread", "window, drawing")
    lane(picture, 120, 226, "workers", "simulation")
    lane(picture, 362, 92, "blocking pool", "files")
    draw_main(picture)
    draw_tick(picture)
    draw_pool(picture)
    draw_crossings(picture)
    picture.text(148, 474, "time →", "small", "start")
    return picture.finish()


def lane(picture, y, height, name, what):
    picture.rect(0, y, WIDTH, height, "band", 10)
    picture.text(16, y + 28, name, "name", "start")
    picture.text(16, y + 46, what, "small", "start")


def box(picture, x, y, width, height, kind, name, what=None):
    picture.rect(x, y, width, height, kind)
    if what:
        picture.text(x + width / 2, y + height / 2 - 3, name, "name")
        picture.text(x + width / 2, y + height / 2 + 14, what, "small")
    else:
        picture.text(x + width / 2, y + height / 2 + 5, name, "name")


def draw_main(picture):
    for x in (148, 952):
        box(picture, x, 28, 104, 56, "cool", "poll input", "finish assets")
        # Extraction: all threads, no tick.
        box(picture, x + 120, 28, 84, 240, "leaf", "extract", "all threads")
        picture.arrow(x + 104, 56, x + 120, 56)
    picture.path("M1156 56L1172 56", "link dashed")
    box(picture, 416, 28, 330, 56, "cool", "draw the packet", "what the ticks up to N − 1 have left")
    box(picture, 790, 28, 130, 56, "cool", "present")
    for x1, x2 in ((352, 416), (746, 790), (920, 952)):
        picture.arrow(x1, 56, x2, 56)
    picture.text(383, 46, "packet", "small")


def draw_tick(picture):
    picture.rect(368, 152, 566, 178, "card", 10)
    picture.text(384, 173, "tick N, a fixed step of game time", "small", "start")
    picture.rect(658, 163, 9, 12, "card", 3)
    picture.text(674, 173, "some rows of a system, on any worker", "small", "start")
    for x, systems in ((380, ("move", "animate", "steer")), (658, ("collide", "place"))):
        picture.text(x + 4, 197, "stage: systems without conflicts", "small", "start")
        height = (118 - 8 * (len(systems) - 1)) // len(systems)
        for i, name in enumerate(systems):
            y = 204 + i * (height + 8)
            picture.rect(x, y, 158, height, "leaf")
            picture.text(x + 12, y + height / 2 + 5, name, "name", "start")
            for chunk in range(4):
                picture.rect(x + 92 + chunk * 15, y + height / 2 - 7, 10, 14, "card", 3)
        box(picture, x + 174, 204, 90, 118, "warm", "refresh", "change sets")
        picture.arrow(x + 158, 263, x + 174, 263)
    picture.arrow(644, 263, 658, 263)


def draw_pool(picture):
    box(picture, 368, 384, 130, 48, "cool", "read a file")


def draw_crossings(picture):
    # Input enters the tick at its beginning.
    picture.path("M226 84L226 300L362 300")
    picture.head(368, 300, 1, 0)
    picture.text(236, 292, "input", "small", "start")
    picture.text(236, 316, "recorded, replayed", "small", "start")
    # Somebody asks for a file.
    picture.path("M174 84L174 408L362 408", "link dashed")
    picture.head(368, 408, 1, 0)
    picture.text(184, 400, "an asset is asked for", "small", "start")
    # It is decoded by a job, and becomes ready between ticks.
    picture.path("M498 408L984 408L984 90")
    picture.head(984, 84, 0, -1)
    picture.text(514, 400, "then decoded by a job on the workers", "small", "start")
    picture.text(994, 326, "ready between ticks", "small", "start")
