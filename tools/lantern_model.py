#!/usr/bin/python3
"""Makes the lantern of the gallery: examples/gallery/assets/lantern.glb.

    tools/lantern_model.py [--out FILE]

A storm lantern of brass and iron with a glass globe and a burning wick, 0.43 m high, standing on the origin. Its textures are
made here: colour, metallic-roughness and normals of hammered, tarnished brass. Inside is a point light. Standard library only.
"""

import argparse
import math
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # leaves no __pycache__ in the tree

import glb
from solid import Solid, mix, smooth

HERE = Path(__file__).resolve().parent.parent
SIZE = 128  # pixels of a texture


def noise(x, y, cells):
    """Smooth noise from 0 to 1, which repeats after 1 in both directions."""
    def corner(i, j):
        h = ((i % cells) * 374761393 + (j % cells) * 668265263 + cells * 2147483647) & 0xFFFFFFFF
        h = ((h ^ (h >> 13)) * 1274126177) & 0xFFFFFFFF
        return ((h ^ (h >> 16)) & 0xFFFF) / 65535

    x, y = x * cells, y * cells
    i, j = math.floor(x), math.floor(y)
    u, v = smooth(0, 1, x - i), smooth(0, 1, y - j)
    top = corner(i, j) + (corner(i + 1, j) - corner(i, j)) * u
    bottom = corner(i, j + 1) + (corner(i + 1, j + 1) - corner(i, j + 1)) * u
    return top + (bottom - top) * v


def cloud(x, y, cells):
    """Noise of three sizes."""
    return (noise(x, y, cells) * 4 + noise(x, y, 2 * cells) * 2 + noise(x, y, 4 * cells)) / 7


def dents(x, y, cells=9):
    """The height of hammered metal: the distance to the nearest of points that are spread over cells."""
    nearest = 9.0
    for i in range(math.floor(x * cells) - 1, math.floor(x * cells) + 2):
        for j in range(math.floor(y * cells) - 1, math.floor(y * cells) + 2):
            px = i + 0.2 + 0.6 * noise((i % cells + 0.5) / cells, (j % cells + 0.5) / cells, cells * 3)
            py = j + 0.2 + 0.6 * noise((j % cells + 0.5) / cells, (i % cells + 0.5) / cells, cells * 5)
            nearest = min(nearest, math.hypot(x * cells - px, y * cells - py))
    return min(nearest, 1.0) ** 2


def tarnish(x, y):
    return smooth(0.42, 0.78, cloud(x, y, 4) + 0.12 * dents(x, y))


def brass(px, py):
    x, y = px / SIZE, py / SIZE
    shine = 0.9 + 0.14 * noise(x, y, 48)
    polished = (0.93 * shine, 0.72 * shine, 0.36 * shine)
    return mix(polished, (0.36, 0.27, 0.17), 0.8 * tarnish(x, y))


def surface(px, py):
    """Green is roughness, blue is metallic, as glTF has it."""
    x, y = px / SIZE, py / SIZE
    t = tarnish(x, y)
    return (1.0, 0.24 + 0.4 * t + 0.1 * noise(x, y, 32), 1.0 - 0.35 * t)


def bumps(px, py):
    """A normal map. Green points up in the picture."""
    def height(ax, ay):
        return 0.5 * dents(ax, ay) + 0.12 * cloud(ax, ay, 12)

    x, y, step = px / SIZE, py / SIZE, 1 / SIZE
    dx = (height(x + step, y) - height(x - step, y)) * 4
    dy = (height(x, y + step) - height(x, y - step)) * 4
    length = math.sqrt(dx * dx + dy * dy + 1)
    return (0.5 - 0.5 * dx / length, 0.5 + 0.5 * dy / length, 0.5 + 0.5 / length)


def flame(px, py):
    """Bright in the middle, and redder towards the tip, which is at the top of the picture."""
    t = 1 - py / 31
    return mix((1.0, 0.93, 0.72), (1.0, 0.5, 0.16), smooth(0.35, 1.0, t))


def arc(centre, radius_x, radius_y, start, end, count):
    """Points on an arc in the plane of x and y; degrees."""
    return [(centre[0] + radius_x * math.cos(math.radians(start + (end - start) * i / count)),
             centre[1] + radius_y * math.sin(math.radians(start + (end - start) * i / count)), centre[2]) for i in range(count + 1)]


def circle(y, radius, count):
    return [(radius * math.cos(2 * math.pi * i / count), y, radius * math.sin(2 * math.pi * i / count)) for i in range(count + 1)]


def body():
    solid = Solid()

    def edge(*points):
        """A profile: after the word "edge" it goes on from the point before, but the shape is not smooth there."""
        out = []
        for point in points:
            out.append(out[-1] if point == "edge" else point)
        return out

    # The foot and the tank.
    solid.turned(edge((0.0, 0.0), (0.088, 0.0), "edge", (0.094, 0.004), (0.094, 0.016), "edge", (0.088, 0.022), (0.078, 0.026), "edge",
                      (0.081, 0.034), (0.085, 0.048), (0.084, 0.062), (0.077, 0.075), (0.064, 0.084), (0.05, 0.089)), 40, "brass", around=3)
    # The burner, and the plate that carries the globe.
    solid.turned(edge((0.05, 0.086), (0.05, 0.1), "edge", (0.058, 0.102), (0.06, 0.106), (0.058, 0.11), "edge", (0.034, 0.11), (0.03, 0.118),
                      (0.014, 0.128), "edge", (0.009, 0.128), (0.009, 0.138), "edge", (0.0, 0.138)), 32, "iron")
    # The cap with its chimney.
    solid.turned(edge((0.04, 0.252), (0.056, 0.252), "edge", (0.066, 0.256), (0.067, 0.262), (0.06, 0.268), "edge", (0.05, 0.282), (0.043, 0.292),
                      "edge", (0.038, 0.294), (0.038, 0.318), "edge", (0.05, 0.32), (0.051, 0.325), (0.044, 0.334), (0.028, 0.343),
                      (0.012, 0.348), (0.0, 0.349)), 40, "brass", around=3)
    for i in range(10):  # holes for air, as dark studs
        angle = 2 * math.pi * i / 10
        c, s = math.cos(angle), math.sin(angle)
        solid.ellipsoid((0.038 * c, 0.306, 0.038 * s), ((0.003 * c, 0, 0.003 * s), (0, 0.007, 0), (-0.004 * s, 0, 0.004 * c)), 8, 6, "iron")
    # The globe.
    solid.turned([(0.05, 0.108), (0.058, 0.125), (0.066, 0.15), (0.069, 0.176), (0.066, 0.2), (0.058, 0.224), (0.048, 0.243), (0.044, 0.254)], 32,
                 "glass")
    # Tubes on both sides, wires around the globe, and the handle.
    for s in (1, -1):
        solid.tube([(s * x, y, 0.0) for x, y in ((0.076, 0.07), (0.092, 0.078), (0.104, 0.1), (0.108, 0.14), (0.108, 0.2), (0.105, 0.24),
                                                 (0.096, 0.27), (0.08, 0.288), (0.058, 0.298), (0.036, 0.302))], 0.0062, 10, "brass")
        solid.ellipsoid((s * 0.1085, 0.232, 0.0), ((0.011, 0, 0), (0, 0.011, 0), (0, 0, 0.011)), 12, 8, "iron")
    handle = arc((0.0, 0.236, 0.0), 0.112, 0.19, -1, 181, 28)
    solid.tube(handle, 0.0034, 8, "iron")
    grip = arc((0.0, 0.236, 0.0), 0.112, 0.19, 66, 114, 8)
    solid.tube(grip, 0.0085, 12, "wood")
    for y, radius in ((0.15, 0.0715), (0.2, 0.0715)):
        solid.tube(circle(y, radius, 32), 0.002, 6, "iron", closed=True)
    for i in range(4):
        angle = math.pi * (0.25 + 0.5 * i)
        c, s = math.cos(angle), math.sin(angle)
        solid.tube([(r * c, y, r * s) for r, y in ((0.057, 0.106), (0.066, 0.124), (0.0725, 0.15), (0.0735, 0.176), (0.0725, 0.2), (0.064, 0.23),
                                                   (0.054, 0.256))], 0.002, 6, "iron")
    # The wick, and the flame with its tip upwards.
    solid.turned([(0.005, 0.136), (0.005, 0.144), (0.0, 0.1445)], 10, "iron")

    def tip(p):
        thin = 1 - 0.92 * smooth(-0.4, 1.0, p[1])
        return (p[0] * thin, p[1], p[2] * thin)

    solid.ellipsoid((0.0, 0.167, 0.0), ((0.0135, 0, 0), (0, 0.027, 0), (0, 0, 0.0135)), 14, 12, "flame", shape=tip)
    return solid


def add_materials(file):
    file.add("samplers", {"magFilter": 9729, "minFilter": 9987})

    def texture(name, pixels, size=(SIZE, SIZE)):
        image = file.image(glb.png(*size, pixels), name)
        return {"index": file.add("textures", {"source": image, "sampler": 0})}

    materials = {
        "brass": {"pbrMetallicRoughness": {"baseColorTexture": texture("brass", brass),
                                           "metallicRoughnessTexture": texture("brass surface", surface)},
                  "normalTexture": {**texture("brass bumps", bumps), "scale": 0.7}},
        "iron": {"pbrMetallicRoughness": {"baseColorFactor": [0.07, 0.068, 0.066, 1], "metallicFactor": 0.85, "roughnessFactor": 0.45}},
        "wood": {"pbrMetallicRoughness": {"baseColorFactor": [0.22, 0.085, 0.03, 1], "metallicFactor": 0, "roughnessFactor": 0.55}},
        "glass": {"pbrMetallicRoughness": {"baseColorFactor": [1.0, 0.93, 0.8, 0.16], "metallicFactor": 0, "roughnessFactor": 0.06},
                  "alphaMode": "BLEND", "doubleSided": True},
        "flame": {"pbrMetallicRoughness": {"baseColorFactor": [0, 0, 0, 1], "metallicFactor": 0, "roughnessFactor": 1},
                  "emissiveFactor": [1, 1, 1], "emissiveTexture": texture("flame", flame, (4, 32)),
                  "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 14}}},
    }
    return {name: file.add("materials", {"name": name, **material}) for name, material in materials.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, default=HERE / "examples/gallery/assets/lantern.glb")
    path = parser.parse_args().out
    file, solid = glb.Writer("Filo, tools/lantern_model.py"), body()
    materials = add_materials(file)
    attributes = {"POSITION": file.accessor(solid.positions, "VEC3", glb.FLOAT, glb.VERTICES, bounds=True),
                  "NORMAL": file.accessor(solid.normals, "VEC3", glb.FLOAT, glb.VERTICES),
                  "TEXCOORD_0": file.accessor(solid.uvs, "VEC2", glb.FLOAT, glb.VERTICES)}
    primitives = [{"attributes": attributes, "material": index,
                   "indices": file.accessor([i for t in solid.triangles[name] for i in t], "SCALAR", glb.UINT16, glb.INDICES)}
                  for name, index in materials.items()]
    lantern = file.add("nodes", {"name": "lantern", "mesh": file.add("meshes", {"name": "lantern", "primitives": primitives})})
    light = {"name": "flame", "type": "point", "color": [1, 0.62, 0.28], "intensity": 6, "range": 6}
    file.json["extensions"] = {"KHR_lights_punctual": {"lights": [light]}}
    file.json["extensionsUsed"] = ["KHR_lights_punctual", "KHR_materials_emissive_strength"]
    glow = file.add("nodes", {"name": "light", "translation": [0, 0.17, 0], "extensions": {"KHR_lights_punctual": {"light": 0}}})
    file.json["nodes"][lantern]["children"] = [glow]
    file.json["scenes"] = [{"nodes": [lantern]}]
    file.json["scene"] = 0
    path.parent.mkdir(parents=True, exist_ok=True)
    file.write(path)
    print(f"{path.name}: {solid.count()} triangles, {len(solid.positions)} vertices, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
