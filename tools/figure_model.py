#!/usr/bin/python3
"""Makes the animated figure of the gallery: examples/gallery/assets/figure.glb.

    tools/figure_model.py [--out FILE]

A person of about 5,300 triangles with 21 joints and the clips "idle", "walk", "run" and "wave". The body is made of tubes
through rings; near a joint the rings follow both bones, so it bends smoothly. Units are metres, y is up, and the figure looks
along +z. At rest all joints have the axes of the model, so rotations in the clips are about these. Standard library only.
"""

import argparse
import math
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # leaves no __pycache__ in the tree

import figure_clips
import glb
from solid import Ring, Solid, add, cross, mix, mul, smooth, sub, unit

HERE = Path(__file__).resolve().parent.parent
ARM = unit((0.574, -0.819, 0.0))  # of the left arm at rest


def joints():
    """Name, parent, position in the model; parents first."""
    upper = (0.182, 1.388, 0.0)
    elbow = add(upper, mul(ARM, 0.275))
    hand = add(elbow, mul(ARM, 0.245))
    list_ = [("hips", None, (0, 0.95, 0)), ("spine", "hips", (0, 1.06, 0)), ("chest", "spine", (0, 1.24, 0)),
             ("neck", "chest", (0, 1.465, -0.005)), ("head", "neck", (0, 1.555, 0))]
    for side, s in (("left", 1), ("right", -1)):
        def at(p):
            return (s * p[0], p[1], p[2])

        list_ += [(f"{side} shoulder", "chest", at((0.06, 1.405, 0))),
                  (f"{side} upper arm", f"{side} shoulder", at(upper)),
                  (f"{side} lower arm", f"{side} upper arm", at(elbow)), (f"{side} hand", f"{side} lower arm", at(hand)),
                  (f"{side} thigh", "hips", at((0.092, 0.915, 0))), (f"{side} shin", f"{side} thigh", at((0.098, 0.5, 0.008))),
                  (f"{side} foot", f"{side} shin", at((0.1, 0.085, -0.012))),
                  (f"{side} toes", f"{side} foot", at((0.103, 0.03, 0.115)))]
    return list_


JOINTS = joints()
PLACE = {name: position for name, _, position in JOINTS}


def color(hex_):
    """Linear light from the sRGB colour of a picker."""
    def light(c):
        return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4

    return tuple(light(int(hex_[i:i + 2], 16) / 255) for i in (0, 2, 4))


SKIN, HAIR, SHIRT, SLEEVE = color("d9a07a"), color("4a2a1a"), color("2f8f9d"), color("27798a")
SCARF, TROUSERS, CUFF = color("e8722a"), color("39445e"), color("2c3549")
BOOT, SOLE, BELT, GOLD = color("7a4426"), color("2a1c14"), color("4d2c18"), color("d8a84a")
DARK, LIPS = color("20140f"), color("a65a48")


def blend(pairs, x):
    """Weights along a line: [(where a bone begins, half of the length over which it blends, bone) …]."""
    weights = {pairs[0][2]: 1.0}
    for start, half, bone in pairs[1:]:
        t = smooth(start - half, start + half, x)
        weights = {name: w * (1 - t) for name, w in weights.items() if w * (1 - t) > 1e-3}
        if t > 1e-3:
            weights[bone] = weights.get(bone, 0) + t
    return weights


def ring(centre, direction, width, depth, weights, power=2.0, tone=None):
    """A ring across a limb that goes along `direction`; `depth` is its half axis towards the front."""
    front = (0.0, 0.0, 1.0) if abs(direction[2]) < 0.9 else (0.0, -1.0, 0.0)
    along = unit(sub(front, mul(direction, sum(a * b for a, b in zip(front, direction)))))
    return Ring(centre, mul(cross(direction, along), width), mul(along, depth), weights, power, tone)


def torso(solid):
    bones = [(0.0, 0.1, "hips"), (1.06, 0.05, "spine"), (1.22, 0.06, "chest"), (1.475, 0.03, "neck")]

    def rings(rows, power):
        return [ring((0, y, z), (0, 1, 0), width, depth, blend(bones, y), power) for y, width, depth, z in rows]

    solid.loft(rings([(0.835, 0.02, 0.035, -0.004), (0.842, 0.04, 0.055, -0.006), (0.87, 0.08, 0.076, -0.01),
                      (0.905, 0.13, 0.09, -0.008), (0.95, 0.16, 0.11, -0.004)], 2.3), 14, "cloth", TROUSERS, start=True, end=False)
    solid.loft(rings([(0.946, 0.168, 0.114, -0.002), (0.948, 0.179, 0.126, -0.002), (0.97, 0.177, 0.124, -0.001), (1.012, 0.166, 0.117, 0),
                      (1.05, 0.156, 0.109, 0), (1.1, 0.15, 0.105, 0.002),
                      (1.16, 0.156, 0.107, 0.004), (1.23, 0.17, 0.115, 0.004), (1.3, 0.183, 0.121, 0), (1.355, 0.188, 0.118, -0.004),
                      (1.395, 0.176, 0.106, -0.008), (1.43, 0.146, 0.091, -0.01), (1.46, 0.1, 0.075, -0.01),
                      (1.475, 0.07, 0.06, -0.008)], 2.35), 16, "cloth", SHIRT, start=True, end=True)
    solid.loft(rings([(0.996, 0.1665, 0.118, 0), (0.998, 0.172, 0.122, 0), (1.026, 0.169, 0.119, 0), (1.028, 0.163, 0.115, 0)], 2.3),
               16, "leather", BELT, start=False, end=False)
    solid.box((0, 1.012, 0.1215), (0.05, 0.034, 0.012), "leather", GOLD, 0.004, blend(bones, 1.01))
    # A scarf, and its end on the chest.
    solid.loft(rings([(1.43, 0.082, 0.07, -0.004), (1.438, 0.1, 0.088, 0), (1.458, 0.107, 0.096, 0.004), (1.478, 0.104, 0.093, 0.004),
                      (1.497, 0.088, 0.08, 0.002), (1.5, 0.06, 0.055, 0)], 2.0), 14, "cloth", SCARF, start=False, end=False)
    tail = [((0.035, 1.45, 0.085), 0.024, 0.014), ((0.045, 1.43, 0.106), 0.03, 0.016), ((0.052, 1.38, 0.118), 0.034, 0.012),
            ((0.056, 1.32, 0.124), 0.037, 0.01), ((0.058, 1.27, 0.124), 0.038, 0.009), ((0.058, 1.262, 0.123), 0.03, 0.004)]
    solid.loft([ring(p, unit((0.1, -1, 0)), w, d, blend(bones, p[1]), 2.6) for p, w, d in tail], 8, "cloth", SCARF)


def head(solid):
    bones = [(0.0, 0.1, "chest"), (1.465, 0.03, "neck"), (1.56, 0.03, "head")]
    solid.loft([ring((0, y, z), (0, 1, 0), r, r, blend(bones, y)) for y, r, z in
                ((1.44, 0.062, -0.008), (1.48, 0.054, -0.006), (1.53, 0.051, 0), (1.59, 0.054, 0.004))], 12, "skin", SKIN)
    only, middle = {"head": 1.0}, (0, 1.662, 0.01)

    def skull(p):
        x, y, z = p
        jaw = 1 - 0.24 * smooth(-0.1, -1.0, y) * (1 if z > -0.3 else 0.85)
        return (x * jaw, y, z * (1 - 0.12 * smooth(-0.2, -1.0, y)) + 0.06 * smooth(-0.3, -1.0, y) * max(z, 0))

    axes = ((0.092, 0, 0), (0, 0.128, 0), (0, 0, 0.107))
    solid.ellipsoid(middle, axes, 16, 10, "skin", SKIN, only, skull)

    def hair(p):
        x, y, z = skull(p)
        visible = smooth(0.1, 0.26, p[1] + 0.05 * math.cos(9 * math.atan2(p[0], p[2])) * max(p[2], 0) - 0.62 * p[2] - 0.06)
        size = 0.93 + visible * (0.14 + 0.05 * smooth(0.2, 1.0, p[1]))
        return (x * size, y * size, z * size - 0.03 * visible)

    solid.ellipsoid(middle, axes, 18, 11, "hair", HAIR, only, hair)
    solid.ellipsoid((0.012, 1.788, 0.052), ((0.066, 0.018, 0), (-0.004, 0.026, 0), (0, 0, 0.05)), 10, 6, "hair", HAIR, only)
    for s in (1, -1):
        solid.ellipsoid((s * 0.036, 1.678, 0.1065), ((0.0115, 0, 0), (0, 0.0165, 0), (0, 0, 0.009)), 8, 5, "hair", DARK, only)
        solid.ellipsoid((s * 0.037, 1.708, 0.106), ((0.018, s * 0.001, 0), (0, 0.0045, 0), (0, 0, 0.008)), 6, 4, "hair", HAIR, only)
        solid.ellipsoid((s * 0.091, 1.66, 0.004), ((0.012, 0, 0), (0, 0.028, 0), (s * 0.008, 0, 0.018)), 8, 5, "skin", SKIN, only)
    solid.ellipsoid((0, 1.652, 0.116), ((0.0135, 0, 0), (0, 0.021, 0.004), (0, 0, 0.019)), 8, 5, "skin", SKIN, only)
    solid.ellipsoid((0, 1.604, 0.1), ((0.025, 0, 0), (0, 0.0042, 0), (0, 0, 0.011)), 10, 4, "skin", LIPS, only,
                    lambda p: (p[0], p[1] + 1.7 * p[0] * p[0], p[2] - 0.35 * p[0] * p[0]))


def arm(solid, side, s):
    d = (s * ARM[0], ARM[1], 0.0)
    upper, elbow, wrist = (PLACE[f"{side} {part}"] for part in ("upper arm", "lower arm", "hand"))
    inside = (s * 0.11, 1.393, -0.004)
    bones = [(-0.2, 0.05, f"{side} shoulder"), (-0.005, 0.045, f"{side} upper arm"), (0.275, 0.045, f"{side} lower arm"),
             (0.52, 0.018, f"{side} hand")]
    toward = unit(sub(upper, inside))

    def at(x):  # metres along the arm from the shoulder's joint; below 0 towards the chest
        return add(upper, mul(d, x)) if x >= 0 else add(upper, mul(toward, x))

    def rings(rows, power=2.0):
        out = []
        for x, width, depth in rows:
            direction = unit(mix(toward, d, smooth(-0.06, 0.05, x)))
            out.append(ring(at(x), direction, width, depth, blend(bones, x), power))
        return out

    solid.loft(rings([(-0.08, 0.04, 0.055), (-0.045, 0.052, 0.064), (-0.015, 0.0565, 0.065), (0.02, 0.057, 0.063), (0.07, 0.0545, 0.058),
                      (0.12, 0.0535, 0.056), (0.155, 0.0545, 0.057)]), 10, "cloth", SHIRT, start=True, end=False)
    solid.loft(rings([(0.15, 0.05, 0.052), (0.153, 0.0575, 0.06), (0.178, 0.058, 0.0605), (0.181, 0.05, 0.052), (0.183, 0.04, 0.042)]),
               10, "cloth", SLEEVE, start=False, end=False)
    solid.loft(rings([(0.16, 0.0445, 0.046), (0.2, 0.0425, 0.044), (0.235, 0.04, 0.041), (0.262, 0.0395, 0.04), (0.285, 0.0395, 0.04),
                      (0.312, 0.041, 0.0415), (0.35, 0.041, 0.042), (0.4, 0.037, 0.038), (0.45, 0.031, 0.033), (0.49, 0.0265, 0.0295),
                      (0.52, 0.0235, 0.029), (0.535, 0.022, 0.031)]), 10, "skin", SKIN, start=False, end=True)
    solid.loft(rings([(0.468, 0.03, 0.032), (0.47, 0.0345, 0.037), (0.497, 0.0325, 0.0355), (0.499, 0.027, 0.03)]), 10, "leather", BELT,
               start=False, end=False)
    # The hand: flat, its fingers slightly curled towards the body.
    only, inward = {f"{side} hand": 1.0}, unit(cross(d, (0, 0, s)))
    rows = [(0.0, 0.0, 0.02, 0.029), (0.02, 0.0, 0.0205, 0.034), (0.05, 0.002, 0.0215, 0.0415), (0.085, 0.006, 0.019, 0.0425),
            (0.105, 0.011, 0.017, 0.041), (0.135, 0.021, 0.0155, 0.038), (0.16, 0.034, 0.0135, 0.033), (0.176, 0.044, 0.0105, 0.025),
            (0.184, 0.05, 0.005, 0.013)]
    solid.loft([ring(add(wrist, add(mul(d, x), mul(inward, curl))), unit(add(d, mul(inward, 4 * curl))), width, depth, only, 2.4)
                for x, curl, width, depth in rows], 9, "skin", SKIN)
    thumb = unit(add(add(mul(d, 0.75), (0, 0, 0.6)), mul(inward, 0.25)))
    base = add(wrist, add(mul(d, 0.028), (0, 0, 0.02)))
    solid.loft([ring(add(base, mul(thumb, x)), thumb, r, r, only) for x, r in
                ((0, 0.012), (0.015, 0.0155), (0.035, 0.0145), (0.055, 0.0125), (0.068, 0.009), (0.073, 0.004))], 6, "skin", SKIN)


def leg(solid, side, s):
    hip, knee, ankle = (PLACE[f"{side} {part}"] for part in ("thigh", "shin", "foot"))
    bones = [(-1.0, 0.05, "hips"), (-0.93, 0.05, f"{side} thigh"), (-0.5, 0.055, f"{side} shin"), (-0.095, 0.02, f"{side} foot")]

    def rings(rows, power=2.0):
        out = []
        for y, width, depth, back in rows:
            t = (hip[1] - y) / (hip[1] - knee[1])
            centre = mix(hip, knee, t) if t <= 1 else mix(knee, ankle, (knee[1] - y) / (knee[1] - ankle[1]))
            out.append(ring(add((centre[0], y, centre[2]), (0, 0, -back)), (0, -1, 0), width, depth, blend(bones, -y), power))
        return out

    solid.loft(rings([(0.975, 0.06, 0.09, 0.004), (0.945, 0.077, 0.108, 0.006), (0.905, 0.084, 0.11, 0.006), (0.86, 0.085, 0.105, 0.004), (0.8, 0.083, 0.096, 0),
                      (0.73, 0.078, 0.088, 0), (0.65, 0.071, 0.079, 0), (0.58, 0.065, 0.071, 0), (0.535, 0.062, 0.067, 0),
                      (0.5, 0.06, 0.0645, 0), (0.465, 0.0585, 0.063, 0.001), (0.4, 0.0575, 0.065, 0.008),
                      (0.34, 0.057, 0.065, 0.01), (0.28, 0.0555, 0.061, 0.006), (0.245, 0.0545, 0.059, 0.004)]), 10, "cloth", TROUSERS,
               start=True, end=False)
    # The boot: a shaft with a rim, and the foot.
    solid.loft(rings([(0.262, 0.05, 0.055, 0.003), (0.264, 0.0655, 0.0705, 0.003), (0.235, 0.066, 0.071, 0.003), (0.232, 0.058, 0.062, 0.003)]),
               10, "leather", SOLE, start=False, end=False)
    solid.loft(rings([(0.24, 0.06, 0.065, 0.003), (0.2, 0.0575, 0.063, 0.002), (0.15, 0.053, 0.06, 0), (0.11, 0.05, 0.06, 0),
                      (0.07, 0.047, 0.06, -0.002), (0.03, 0.042, 0.05, -0.004)]), 10, "leather", BOOT, start=False, end=True)
    toes = [(-1.0, 0.05, f"{side} foot"), (0.1, 0.03, f"{side} toes")]

    def foot(rows, power):
        return [ring((ankle[0] + s * 0.25 * max(z, 0) ** 1.5, y, z), (0, 0, 1), width, height, blend(toes, z), power)
                for z, y, width, height in rows]

    solid.loft(foot([(-0.086, 0.045, 0.012, 0.014), (-0.08, 0.045, 0.03, 0.032), (-0.06, 0.047, 0.041, 0.042), (-0.02, 0.052, 0.044, 0.05),
                     (0.03, 0.054, 0.045, 0.05), (0.07, 0.047, 0.048, 0.041), (0.11, 0.041, 0.0505, 0.034), (0.145, 0.038, 0.049, 0.03),
                     (0.17, 0.035, 0.041, 0.025), (0.184, 0.032, 0.026, 0.017), (0.188, 0.031, 0.012, 0.009)], 2.3), 9, "leather", BOOT)
    solid.loft(foot([(-0.092, 0.011, 0.02, 0.008), (-0.088, 0.011, 0.037, 0.011), (-0.06, 0.011, 0.047, 0.011), (0.0, 0.011, 0.048, 0.011),
                     (0.06, 0.01, 0.052, 0.01), (0.11, 0.01, 0.056, 0.01), (0.15, 0.01, 0.053, 0.01), (0.178, 0.01, 0.043, 0.01),
                     (0.193, 0.01, 0.027, 0.009), (0.198, 0.01, 0.012, 0.006)], 4.0), 8, "leather", SOLE)


def body():
    solid = Solid()
    torso(solid)
    head(solid)
    for side, s in (("left", 1), ("right", -1)):
        arm(solid, side, s)
        leg(solid, side, s)
    return solid


def strongest(weights, names):
    """Four joints and their weights as bytes with the sum 255."""
    pairs = sorted(weights.items(), key=lambda pair: -pair[1])[:4]
    total = sum(w for _, w in pairs)
    bytes_ = [round(255 * w / total) for _, w in pairs]
    bytes_[0] += 255 - sum(bytes_)
    pairs += [(None, 0)] * (4 - len(pairs))
    bytes_ += [0] * (4 - len(bytes_))
    return tuple(names.index(name) if name else 0 for name, _ in pairs), tuple(bytes_)


MATERIALS = {"cloth": (0.0, 0.9), "skin": (0.0, 0.55), "hair": (0.0, 0.5), "leather": (0.0, 0.42)}


def add_mesh(file, solid, names):
    skinning = [strongest(weights, names) for weights in solid.weights]
    attributes = {
        "POSITION": file.accessor(solid.positions, "VEC3", glb.FLOAT, glb.VERTICES, bounds=True),
        "NORMAL": file.accessor(solid.normals, "VEC3", glb.FLOAT, glb.VERTICES),
        "COLOR_0": file.accessor([tuple(round(c * 65535) for c in color_) for color_ in solid.colors], "VEC3", glb.UINT16,
                                 glb.VERTICES, normalised=True),
        "JOINTS_0": file.accessor([joint for joint, _ in skinning], "VEC4", glb.UINT8, glb.VERTICES),
        "WEIGHTS_0": file.accessor([weight for _, weight in skinning], "VEC4", glb.UINT8, glb.VERTICES, normalised=True),
    }
    primitives = []
    for name, (metallic, roughness) in MATERIALS.items():
        material = file.add("materials", {"name": name, "pbrMetallicRoughness": {"metallicFactor": metallic,
                                                                                "roughnessFactor": roughness}})
        corners = [i for triangle in solid.triangles[name] for i in triangle]
        primitives.append({"attributes": attributes, "material": material,
                           "indices": file.accessor(corners, "SCALAR", glb.UINT16, glb.INDICES)})
    return file.add("meshes", {"name": "figure", "primitives": primitives})


def add_skeleton(file):
    names = [name for name, _, _ in JOINTS]
    nodes = {}
    for name, parent, position in JOINTS:
        offset = sub(position, PLACE[parent]) if parent else position
        nodes[name] = file.add("nodes", {"name": name, "translation": [round(c, 5) for c in offset]})
        if parent:
            file.json["nodes"][nodes[parent]].setdefault("children", []).append(nodes[name])
    inverse = [(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -p[0], -p[1], -p[2], 1) for _, _, p in JOINTS]
    skin = file.add("skins", {"name": "skeleton", "joints": [nodes[name] for name in names], "skeleton": nodes["hips"],
                              "inverseBindMatrices": file.accessor(inverse, "MAT4", glb.FLOAT)})
    return nodes, skin


def add_clip(file, clip, nodes):
    samplers, channels = [], []
    times = file.accessor([frame / clip.rate for frame in range(clip.frames + 1)], "SCALAR", glb.FLOAT, bounds=True)

    def channel(joint, path, output):
        channels.append({"sampler": len(samplers), "target": {"node": nodes[joint], "path": path}})
        samplers.append({"input": times, "output": output})

    for joint, turns in clip.turns.items():
        rows = [tuple(round(c * 32767) for c in turn) for turn in turns]
        channel(joint, "rotation", file.accessor(rows, "VEC4", glb.INT16, normalised=True))
    channel("hips", "translation", file.accessor(clip.hips, "VEC3", glb.FLOAT))
    animation = {"name": clip.name, "samplers": samplers, "channels": channels}
    if clip.events:
        animation["extras"] = {"events": clip.events}
    file.add("animations", animation)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, default=HERE / "examples/gallery/assets/figure.glb")
    path = parser.parse_args().out
    file, solid = glb.Writer("Filo, tools/figure_model.py"), body()
    nodes, skin = add_skeleton(file)
    mesh = add_mesh(file, solid, [name for name, _, _ in JOINTS])
    root = file.add("nodes", {"name": "figure", "mesh": mesh, "skin": skin})
    file.json["scenes"] = [{"nodes": [nodes["hips"], root]}]
    file.json["scene"] = 0
    for clip in figure_clips.clips(JOINTS, ARM):
        add_clip(file, clip, nodes)
    path.parent.mkdir(parents=True, exist_ok=True)
    file.write(path)
    print(f"{path.name}: {solid.count()} triangles, {len(solid.positions)} vertices, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
