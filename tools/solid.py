"""Shapes of triangles for the tools that make models: lofts through rings, turned profiles, boxes. Standard library only.

A Solid collects vertices (position, normal, texture coordinates, colour, joints) and triangles by material. Each shape that
is added has normals of its own, so it is smooth in itself and has an edge where it meets the next.
"""

import math


def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def mul(a, s):
    return (a[0] * s, a[1] * s, a[2] * s)


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a):
    length = math.sqrt(dot(a, a))
    return mul(a, 1 / length) if length > 1e-12 else (0.0, 1.0, 0.0)


def mix(a, b, t):
    return tuple(x + (y - x) * t for x, y in zip(a, b))


def smooth(low, high, x):
    t = max(0.0, min(1.0, (x - low) / (high - low)))
    return t * t * (3 - 2 * t)


class Ring:
    """A closed curve: an ellipse with the half axes `across` and `along` (vectors), or rounder or squarer by `power`."""

    def __init__(self, centre, across, along, weights=None, power=2.0, color=None, v=0.0):
        self.centre, self.across, self.along = centre, across, along
        self.weights, self.power, self.color, self.v = weights, power, color, v

    def point(self, angle):
        c, s = math.cos(angle), math.sin(angle)
        p = 2 / self.power
        x, z = math.copysign(abs(c) ** p, c), math.copysign(abs(s) ** p, s)
        return add(self.centre, add(mul(self.across, x), mul(self.along, z)))


class Solid:
    def __init__(self):
        self.positions, self.normals, self.uvs, self.colors, self.weights = [], [], [], [], []
        self.triangles = {}  # by material

    def count(self):
        return sum(len(list_) for list_ in self.triangles.values())

    def vertex(self, position, color=(1, 1, 1), weights=None, uv=(0, 0)):
        self.positions.append(position)
        self.normals.append((0.0, 0.0, 0.0))
        self.uvs.append(uv)
        self.colors.append(color)
        self.weights.append(weights or {})
        return len(self.positions) - 1

    def finish(self, first, triangles, material, seam=()):
        """Adds triangles over the vertices from `first` on and computes their normals. Pairs in `seam` share one."""
        for a, b, c in triangles:
            pa, pb, pc = (self.positions[i] for i in (a, b, c))
            normal = cross(sub(pb, pa), sub(pc, pa))  # its length is the area, which is the weight
            for i in (a, b, c):
                self.normals[i] = add(self.normals[i], normal)
        for a, b in seam:
            self.normals[a] = self.normals[b] = add(self.normals[a], self.normals[b])
        for i in range(first, len(self.positions)):
            self.normals[i] = unit(self.normals[i])
        kept = [t for t in triangles if self.area(t) > 1e-12]
        self.triangles.setdefault(material, []).extend(kept)

    def area(self, triangle):
        a, b, c = (self.positions[i] for i in triangle)
        normal = cross(sub(b, a), sub(c, a))
        return math.sqrt(dot(normal, normal))

    def loft(self, rings, sides, material, color=(1, 1, 1), start=True, end=True, around=1.0):
        """A tube through rings. Counter-clockwise from outside if across × along points against the direction of the tube.
        `start` and `end` close it with a point in the middle; the texture repeats `around` times."""
        first = len(self.positions)
        for ring in rings:
            for k in range(sides + 1):  # the first once more, for the texture
                u = k / sides
                self.vertex(ring.point(u * 2 * math.pi), ring.color or color, ring.weights, (around * u, ring.v))
        triangles, row = [], sides + 1
        for r in range(len(rings) - 1):
            for k in range(sides):
                a, b = first + r * row + k, first + (r + 1) * row + k
                triangles += [(a, b, a + 1), (a + 1, b, b + 1)]
        seam = [(first + r * row, first + r * row + sides) for r in range(len(rings))]
        for closed, ring, r in ((start, rings[0], 0), (end, rings[-1], len(rings) - 1)):
            if not closed:
                continue
            middle = self.vertex(ring.centre, ring.color or color, ring.weights, (0.5, ring.v))
            for k in range(sides):
                a = first + r * row + k
                triangles.append((middle, a, a + 1) if r == 0 else (middle, a + 1, a))
        self.finish(first, triangles, material, seam)

    def turned(self, profile, sides, material, color=(1, 1, 1), around=1.0):
        """A profile [(radius, height) …] from bottom to top, turned around the y axis. Equal points make an edge."""
        pieces, piece = [], [profile[0]]
        for before, point in zip(profile, profile[1:]):
            if point == before:
                pieces.append(piece)
                piece = []
            piece.append(point)
        pieces.append(piece)
        total = sum(math.dist(a, b) for a, b in zip(profile, profile[1:])) or 1.0
        length = 0.0
        for piece in pieces:
            rings = []
            for k, (radius, height) in enumerate(piece):
                if k > 0:
                    length += math.dist(piece[k - 1], piece[k])
                rings.append(Ring((0, height, 0), (radius, 0, 0), (0, 0, radius), v=1 - length / total))
            self.loft(rings, sides, material, color, False, False, around)

    def ellipsoid(self, centre, axes, sides, rings, material, color=(1, 1, 1), weights=None, shape=None):
        """Axes are three vectors: across, up, along. `shape(point of the unit sphere)` may move a point of it."""
        shape = shape or (lambda p: p)
        first = len(self.positions)
        for r in range(rings + 1):
            polar = math.pi * r / rings
            for k in range(sides + 1):
                angle = 2 * math.pi * k / sides
                p = shape((math.sin(polar) * math.cos(angle), -math.cos(polar), math.sin(polar) * math.sin(angle)))
                at = add(centre, add(mul(axes[0], p[0]), add(mul(axes[1], p[1]), mul(axes[2], p[2]))))
                self.vertex(at, color, weights, (k / sides, 1 - r / rings))
        triangles, row = [], sides + 1
        for r in range(rings):
            for k in range(sides):
                a, b = first + r * row + k, first + (r + 1) * row + k
                triangles += [(a, b, a + 1), (a + 1, b, b + 1)]
        seam = [(first + r * row, first + r * row + sides) for r in range(rings + 1)]
        self.finish(first, triangles, material, seam)

    def box(self, centre, size, material, color=(1, 1, 1), bevel=0.0, weights=None):
        """A box; with a bevel, its edges are cut off."""
        half = mul(size, 0.5)
        for axis in range(3):
            for side in (-1, 1):
                u, v = (axis + 1) % 3, (axis + 2) % 3
                first, corners = len(self.positions), ((-1, -1), (1, -1), (1, 1), (-1, 1))
                for i, (a, b) in enumerate(corners):
                    p = [0.0, 0.0, 0.0]
                    p[axis] = side * half[axis]
                    p[u], p[v] = a * (half[u] - bevel), b * (half[v] - bevel)
                    self.vertex(add(centre, tuple(p)), color, weights, ((a + 1) / 2, (1 - b) / 2))
                a, b, c, d = range(first, first + 4)
                self.finish(first, [(a, b, c), (a, c, d)] if side > 0 else [(a, c, b), (a, d, c)], material)
        if bevel > 0:
            self.bevels(centre, half, bevel, material, color, weights)

    def bevels(self, centre, half, bevel, material, color, weights):
        def corner(signs, flat):
            """The corner of the box, on the face across the axis `flat`."""
            return add(centre, tuple(s * (h if axis == flat else h - bevel)
                                     for axis, (s, h) in enumerate(zip(signs, half))))

        def face(points, outward):
            first = len(self.positions)
            for point in points:
                self.vertex(point, color, weights)
            normal = cross(sub(points[1], points[0]), sub(points[2], points[0]))
            order = list(range(first, first + len(points)))
            if dot(normal, outward) < 0:
                order.reverse()
            self.finish(first, [(order[0], order[i], order[i + 1]) for i in range(1, len(order) - 1)], material)

        for axis in range(3):  # edges along it
            u, v = (axis + 1) % 3, (axis + 2) % 3
            for a in (-1, 1):
                for b in (-1, 1):
                    signs = [[0, 0, 0], [0, 0, 0]]
                    for i, s in enumerate((-1, 1)):
                        signs[i][axis], signs[i][u], signs[i][v] = s, a, b
                    out = [0.0, 0.0, 0.0]
                    out[u], out[v] = a, b
                    face([corner(signs[0], u), corner(signs[0], v), corner(signs[1], v), corner(signs[1], u)], out)
        for x in (-1, 1):
            for y in (-1, 1):
                for z in (-1, 1):
                    face([corner((x, y, z), axis) for axis in range(3)], (x, y, z))

    def tube(self, points, radius, sides, material, color=(1, 1, 1), closed=False, texture=0.18):
        """A round tube through points. A closed one ends where it begins. `texture` is the length of one picture of it."""
        count, rings, length = len(points), [], 0.0
        along = None
        for i, point in enumerate(points):
            before = points[i - 1] if i > 0 else points[-2] if closed else point
            after = points[i + 1] if i + 1 < count else points[1] if closed else point
            direction = unit(sub(after, before))
            guess = along or ((0.0, 0.0, 1.0) if abs(direction[2]) < 0.9 else (1.0, 0.0, 0.0))
            along = unit(sub(guess, mul(direction, dot(guess, direction))))
            length += math.dist(point, points[i - 1]) if i > 0 else 0.0
            rings.append(Ring(point, mul(cross(direction, along), radius), mul(along, radius), v=length / texture))
        self.loft(rings, sides, material, color, not closed, not closed, 2 * math.pi * radius / texture)
