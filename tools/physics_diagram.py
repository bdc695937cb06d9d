"""The diagram of a step of physics, laid out by hand: what happens once, and what happens in every sub-step."""

import svg

WIDTH, HEIGHT = 1080, 330


def box(picture, x, y, width, height, kind, name, what=()):
    picture.rect(x, y, width, height, kind)
    top = y + height / 2 - 8 * len(what)
    picture.text(x + width / 2, top + 5, name, "name")
    for i, words in enumerate(what):
        picture.text(x + width / 2, top + 22 + i * 16, words, "small")


def row(picture, y, boxes):
    """Boxes (x, width, kind, name, what) from left to right, with arrows between them."""
    for i, (x, width, kind, name, what) in enumerate(boxes):
        box(picture, x, y, width, 78, kind, name, what)
        if i > 0:
            before = boxes[i - 1]
            picture.arrow(before[0] + before[1], y + 39, x, y + 39)


def draw():
    """The text of every diagram by file name."""
    picture = svg.Svg(WIDTH, HEIGHT, "A step of physics: finding constraints, sub-steps, writing back")
    for y, name, what in ((8, "once in a step", "what is near, what touches, who is solved with whom"),
                          (170, "six sub-steps", "each constraint twice; blocks of eight in vectors, on all workers")):
        picture.rect(0, y, WIDTH, 152, "band", 10)
        picture.text(16, y + 24, name, "name", "start")
        picture.text(150, y + 24, what, "small", "start")
    row(picture, 56, [(16, 160, "leaf", "components", ("what was edited", "and moved by hand")),
                      (208, 160, "cool", "pairs", ("trees of boxes,", "on all workers")),
                      (400, 160, "cool", "contacts", ("points, normals,", "impulses kept by id")),
                      (592, 160, "warm", "areas", ("gravity, damping", "and wind of a body")),
                      (784, 280, "cool", "colours", ("constraints of one colour", "share no body that moves"))])
    row(picture, 218, [(16, 160, "warm", "velocities", ("bounces, forces, and", "impulses from before")),
                       (208, 160, "cool", "contacts, joints", ("solved with a spring", "that removes errors")),
                       (400, 160, "warm", "positions", ("moved by", "the velocities")),
                       (592, 160, "cool", "joints, contacts", ("solved again,", "without the spring")),
                       (784, 280, "leaf", "after the last: write back", ("fast bodies stop at walls,", "joints break, islands come to rest"))])
    picture.arrow(924, 134, 924, 170)
    return {"physics-step.svg": picture.finish()}
