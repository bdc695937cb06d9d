"""The diagram of audio, laid out by hand: what goes from the world to the device, from left to right."""

import svg

WIDTH, HEIGHT = 1080, 300


def box(picture, x, y, width, height, kind, name, what=()):
    picture.rect(x, y, width, height, kind)
    top = y + height / 2 - 8 * len(what)
    picture.text(x + width / 2, top + 5, name, "name")
    for i, words in enumerate(what):
        picture.text(x + width / 2, top + 22 + i * 16, words, "small")


def draw():
    """The text of every diagram by file name."""
    picture = svg.Svg(WIDTH, HEIGHT, "From the world through records and voices to the device")
    for x, width, name, what in ((0, 250, "in a tick", "on the workers"), (270, 210, "after the tick", "on its thread"),
                                 (500, 310, "between ticks", "on the main thread"),
                                 (830, 250, "beside the game", "other threads")):
        picture.rect(x, 8, width, 284, "band", 10)
        picture.text(x + 12, 32, name, "name", "start")
        picture.text(x + 12, 49, what, "small", "start")
    box(picture, 16, 64, 218, 62, "leaf", "components", ("a system counts their time",))
    box(picture, 16, 140, 218, 62, "leaf", "cues", ("events of systems",))
    box(picture, 16, 216, 218, 62, "leaf", "tables", ("events of the game",))
    box(picture, 286, 126, 178, 90, "warm", "record", ("cues, sounds, listener;", "of each tick"))
    for y in (95, 171, 247):
        picture.arrow(234, y, 286, 171)
    box(picture, 516, 64, 128, 62, "cool", "calls", ("music, menus",))
    box(picture, 516, 140, 128, 62, "cool", "voices", ("up to 1,024",))
    box(picture, 516, 216, 128, 62, "cool", "buses", ("levels, rooms",))
    box(picture, 680, 126, 114, 90, "cool", "sources", ("those that", "are heard: 64"))
    picture.arrow(464, 171, 516, 171)
    picture.arrow(580, 126, 580, 140)
    picture.arrow(580, 216, 580, 202)
    picture.arrow(644, 171, 680, 171)
    box(picture, 846, 64, 218, 62, "leaf", "OpenAL mixes", ("for a device",))
    box(picture, 846, 140, 218, 62, "leaf", "a file", ("--sound: mixed in the step",))
    box(picture, 846, 216, 218, 62, "leaf", "streams", ("decoded on the async pool",))
    picture.arrow(794, 171, 846, 95)
    picture.arrow(794, 171, 846, 171)
    picture.arrow(846, 247, 794, 190)
    return {"audio.svg": picture.finish()}
