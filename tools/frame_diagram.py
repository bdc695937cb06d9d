"""The diagram of one frame, laid out by hand: three lanes, time from left to right."""

import svg

WIDTH, HEIGHT = 1040, 480


def draw():
    picture = svg.Svg(WIDTH, HEIGHT, "One frame of Filo: main thread, workers, and the pool for blocking work")
    lane(picture, 8, 96, "main thread", "window, drawing")
    lane(picture, 120, 226, "workers", "simulation")
    lane(picture, 362, 92, "blocking pool", "files, network")
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
    box(picture, 148, 28, 104, 56, "cool", "poll input", "once")
    box(picture, 296, 28, 350, 56, "cool", "draw tick N − 1", "blended between its two transforms")
    box(picture, 690, 28, 110, 56, "cool", "present")
    box(picture, 844, 28, 180, 56, "cool", "draw tick N", "while tick N + 1 runs")
    for x in (252, 646, 800):
        picture.arrow(x, 56, x + 44, 56)


def draw_tick(picture):
    picture.rect(148, 152, 658, 178, "card", 10)
    picture.text(164, 173, "tick N, a fixed step of game time", "small", "start")
    picture.rect(442, 163, 9, 12, "card", 3)
    picture.text(458, 173, "some rows of a system, on any worker", "small", "start")
    for x, systems in ((160, ("move", "animate", "steer")), (438, ("collide", "place"))):
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
    picture.arrow(424, 263, 438, 263)
    box(picture, 716, 204, 78, 118, "leaf", "extract", "per frame")
    picture.arrow(702, 263, 716, 263)
    picture.rect(844, 152, 180, 178, "card", 10)
    picture.text(860, 173, "tick N + 1", "small", "start")
    picture.text(934, 250, "the same stages", "small")
    picture.text(934, 268, "in the same order", "small")
    picture.arrow(806, 300, 844, 300)


def draw_pool(picture):
    box(picture, 250, 384, 150, 48, "cool", "read a file")
    box(picture, 444, 384, 150, 48, "cool", "decode")
    picture.arrow(400, 408, 444, 408)


def draw_crossings(picture):
    # Input enters the tick at its beginning.
    picture.arrow(200, 84, 200, 152)
    picture.text(210, 136, "recorded input", "small", "start")
    # A system asks for a file.
    picture.path("M190 322L190 408L242 408", "link dashed")
    picture.head(250, 408, 1, 0)
    picture.text(200, 358, "asks", "small", "start")
    # The render packet goes up to the main thread, for the next time it draws.
    picture.path("M755 204L755 132L884 132L884 90")
    picture.head(884, 84, 0, -1)
    picture.text(745, 136, "render packet", "small", "end")
    # Results of blocking work wait for the boundary of the next tick.
    picture.path("M594 408L825 408L825 220L838 220")
    picture.head(844, 220, 1, 0)
    picture.text(610, 400, "recorded input, at a boundary", "small", "start")
