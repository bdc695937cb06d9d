"""The clips of the figure (tools/figure_model.py): rotations of the joints and positions of the hips, for each frame.

Angles are degrees about the axes of the model. Legs and arms hang down, so a negative angle about x moves them forwards, and
a positive one bends a knee. The hips are moved so that the lower foot stands on the ground. Standard library only.
"""

import math

RATE = 30

# Points of the feet that touch the ground, relative to their joints.
SOLES = {"foot": (0.0, -0.085, -0.06), "toes": (0.0, -0.03, 0.07)}


def turn(axis, degrees):
    half = math.radians(degrees) / 2
    return tuple(a * math.sin(half) for a in axis) + (math.cos(half),)


def product(a, b):
    """First b, then a."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (aw * bx + ax * bw + ay * bz - az * by, aw * by + ay * bw + az * bx - ax * bz, aw * bz + az * bw + ax * by - ay * bx,
            aw * bw - ax * bx - ay * by - az * bz)


def rotate(q, v):
    x, y, z, w = q
    tx, ty, tz = 2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])
    return (v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx)


def x(degrees):
    return turn((1, 0, 0), degrees)


def y(degrees):
    return turn((0, 1, 0), degrees)


def z(degrees):
    return turn((0, 0, 1), degrees)


def chain(*turns):
    """The last one first."""
    out = (0.0, 0.0, 0.0, 1.0)
    for q in turns:
        out = product(out, q)
    return out


def wave(t):
    return math.sin(2 * math.pi * t)


def bump(t, at, sharp=1):
    """1 at the phase `at`, 0 half a period away; narrower the sharper."""
    return (0.5 + 0.5 * math.cos(2 * math.pi * (t - at))) ** sharp


def ease(low, high, t):
    u = max(0.0, min(1.0, (t - low) / (high - low)))
    return u * u * (3 - 2 * u)


class Clip:
    def __init__(self, name, frames, pose, skeleton, events=()):
        """`pose(t)` gives rotations by joint, and how far the figure is in the air; t goes from 0 to 1, also in events (t, name)."""
        self.name, self.frames, self.rate = name, frames, RATE
        self.events = [{"time": round(t * frames / RATE, 3), "name": event} for t, event in events]
        self.turns, self.hips = {}, []
        for frame in range(frames + 1):
            turns, lift, shift = pose(frame / frames)
            for joint, q in turns.items():
                self.turns.setdefault(joint, []).append(q)
            self.hips.append(stand(skeleton, turns, lift, shift))


def stand(skeleton, turns, lift, shift):
    """The position of the hips for which the lowest point of the feet is at the height `lift`."""
    places, frames, lowest = {}, {}, math.inf
    rest = {name: position for name, _, position in skeleton}
    for name, parent, position in skeleton:
        q = turns.get(name, (0, 0, 0, 1))
        if parent is None:
            places[name], frames[name] = position, q
        else:
            offset = rotate(frames[parent], tuple(a - b for a, b in zip(position, rest[parent])))
            places[name] = tuple(a + b for a, b in zip(places[parent], offset))
            frames[name] = product(frames[parent], q)
        sole = SOLES.get(name.split()[-1])
        if sole:
            lowest = min(lowest, places[name][1] + rotate(frames[name], sole)[1])
    hips = rest[skeleton[0][0]]
    return (hips[0] + shift, hips[1] + lift - lowest, hips[2])


def arm_turns(arm, side, s, swing, elbow, down=27.0, out=0.0, twist=0.0):
    """An arm beside the body: swung about x, spread by `out`, bent at the elbow."""
    hinge = (arm[1], -s * arm[0], 0.0)  # bends forwards
    return {f"{side} upper arm": chain(x(swing), z(s * (out - down)), y(s * twist)), f"{side} lower arm": turn(hinge, elbow)}


def stride(arm, t, thigh, lean, knee, reach, elbow, yaw, spread):
    """What walking and running share. A leg is furthest in front at a quarter of the period (the right one half a period later)."""
    turns = {}
    for side, s, phase in (("left", 1, t), ("right", -1, t + 0.5)):
        swing = -thigh[0] * wave(phase) - thigh[1]
        bend = knee[0] + knee[1] * bump(phase, 0.02, 2) + knee[2] * bump(phase, 0.45, 3)
        push = knee[3] * bump(phase, 0.74, 4)
        lift = -12 * bump(phase, 0.2, 3)
        turns[f"{side} thigh"] = chain(x(swing), z(s * 1.5))
        turns[f"{side} shin"] = x(bend)
        turns[f"{side} foot"] = x(-0.62 * (swing + bend) * (1 - bump(phase, 0.0, 2)) + 0.6 * push + lift)
        turns[f"{side} toes"] = x(-0.7 * push)
        turns.update(arm_turns(arm, side, s, reach * wave(phase) - 2, elbow[0] - elbow[1] * wave(phase), out=spread))
        turns[f"{side} hand"] = x(-6)
        turns[f"{side} shoulder"] = y(s * 0 + 4 * wave(t))
    turns["hips"] = chain(y(-yaw * wave(t)), z(2.5 * math.cos(2 * math.pi * t)), x(lean * 0.4))
    turns["spine"] = chain(x(lean * 0.5), y(yaw * 0.8 * wave(t)), z(-1.8 * math.cos(2 * math.pi * t)))
    turns["chest"] = chain(x(lean * 0.4), y(yaw * 0.9 * wave(t)), z(-1.2 * math.cos(2 * math.pi * t)))
    turns["neck"] = chain(x(-lean * 0.5), y(-yaw * 0.4 * wave(t)))
    turns["head"] = chain(x(-lean * 0.6 + 1.5 * math.cos(4 * math.pi * t)), y(-yaw * 0.3 * wave(t)))
    return turns


def breathe(arm, t):
    """Standing, with one breath in a period."""
    breath = wave(t)
    turns = {"hips": z(0.0), "spine": x(0.8 * breath - 0.5), "chest": chain(x(-1.6 * breath), z(0.4 * wave(t + 0.2))),
             "neck": x(0.8 * breath + 1), "head": x(0.2 * breath)}
    for side, s in (("left", 1), ("right", -1)):
        turns.update(arm_turns(arm, side, s, -1.5 * wave(t + 0.1) - 1, 15 + 1.5 * breath, out=1.2 * breath + 1))
        turns[f"{side} shoulder"] = z(s * 1.2 * breath)
        turns[f"{side} hand"] = chain(x(-5), z(-s * 4))
        turns[f"{side} thigh"] = chain(z(s * 3.5), y(s * 6), x(-1))
        turns[f"{side} shin"] = x(2)
        turns[f"{side} foot"] = chain(z(-s * 3.5), x(-1))
    return turns


def clips(skeleton, arm):
    def idle(t):
        turns = breathe(arm, 2 * t)
        look = 16 * (ease(0.12, 0.25, t) - ease(0.4, 0.55, t)) - 13 * (ease(0.6, 0.7, t) - ease(0.85, 0.97, t))
        turns["neck"] = chain(turns["neck"], y(0.4 * look))
        turns["head"] = chain(turns["head"], y(0.6 * look), z(-0.12 * look))
        turns["chest"] = chain(turns["chest"], y(0.12 * look))
        return turns, 0.0, 0.0

    def walk(t):
        return stride(arm, t, (26, 3), 4, (5, 52, 9, 32), 24, (20, 9), 7, 1.5), 0.0, 0.014 * wave(t + 0.0)

    def run(t):
        turns = stride(arm, t, (43, 13), 14, (14, 88, 14, 40), 42, (82, 16), 11, 5)
        return turns, 0.055 * bump(2 * t, 0.62, 1), 0.006 * wave(t)

    def greet(t):
        turns = breathe(arm, t * 1.0)
        up = ease(0.02, 0.2, t) - ease(0.82, 0.99, t)
        side = 24 * math.sin(2 * math.pi * 3 * (t - 0.2) / 0.62) * (ease(0.18, 0.24, t) - ease(0.78, 0.84, t))
        turns["right upper arm"] = chain(x(-12 * up - (1 - up)), z(27 * (1 - up) - 72 * up), y(-20 * up))
        turns["right lower arm"] = chain(z((-62 + side) * up), turn((arm[1], arm[0], 0.0), 15 * (1 - up)), x(-6 * up))
        turns["right hand"] = chain(z(0.5 * side * up), x(-5))
        turns["right shoulder"] = z(-10 * up)
        turns["spine"] = chain(turns["spine"], z(3 * up))
        turns["head"] = chain(turns["head"], z(5 * up), y(-8 * up))
        return turns, 0.0, 0.0

    steps = ((0.28, "left step"), (0.78, "right step"))
    return [Clip("idle", 120, idle, skeleton), Clip("walk", 30, walk, skeleton, steps), Clip("run", 21, run, skeleton, steps),
            Clip("wave", 75, greet, skeleton)]
