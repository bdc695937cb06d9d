"""Writes glTF 2.0 files (.glb): for the tools that make models. Standard library only.

    file = glb.Writer()
    positions = file.accessor(values, "VEC3", glb.FLOAT, target=glb.VERTICES)
    file.add("meshes", {"primitives": [{"attributes": {"POSITION": positions}}]})
    file.write("figure.glb")
"""

import json
import struct
import zlib

INT8, UINT8, INT16, UINT16, UINT32, FLOAT = 5120, 5121, 5122, 5123, 5125, 5126
VERTICES, INDICES = 34962, 34963

FORMATS = {INT8: "b", UINT8: "B", INT16: "h", UINT16: "H", UINT32: "I", FLOAT: "f"}
COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Writer:
    def __init__(self, generator="Filo"):
        self.json = {"asset": {"version": "2.0", "generator": generator}}
        self.binary = bytearray()

    def add(self, kind, value):
        """Appends to a list of the file, such as "nodes", and returns the index."""
        self.json.setdefault(kind, []).append(value)
        return len(self.json[kind]) - 1

    def view(self, data, target=None, stride=None):
        self.binary += bytes(-len(self.binary) % 4)
        view = {"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data)}
        if target is not None:
            view["target"] = target
        if stride is not None:
            view["byteStride"] = stride
        self.binary += data
        return self.add("bufferViews", view)

    def accessor(self, elements, shape, kind, target=None, normalised=False, bounds=False):
        """Elements are numbers (SCALAR) or tuples. Vertex attributes are padded to multiples of 4 bytes, as glTF demands."""
        rows = [element if isinstance(element, (tuple, list)) else (element,) for element in elements]
        size = struct.calcsize(FORMATS[kind]) * COMPONENTS[shape]
        padding = -size % 4 if target == VERTICES else 0
        layout = struct.Struct("<" + FORMATS[kind] * COMPONENTS[shape] + "x" * padding)
        view = self.view(b"".join(layout.pack(*row) for row in rows), target, size + padding if padding else None)
        accessor = {"bufferView": view, "componentType": kind, "count": len(rows), "type": shape}
        if normalised:
            accessor["normalized"] = True
        if bounds:
            packed = [struct.unpack("<" + FORMATS[kind] * len(row), struct.pack("<" + FORMATS[kind] * len(row), *row))
                      for row in rows]
            accessor["min"] = [min(column) for column in zip(*packed)]
            accessor["max"] = [max(column) for column in zip(*packed)]
        return self.add("accessors", accessor)

    def image(self, png, name):
        return self.add("images", {"name": name, "mimeType": "image/png", "bufferView": self.view(png)})

    def bytes(self):
        self.binary += bytes(-len(self.binary) % 4)
        self.json["buffers"] = [{"byteLength": len(self.binary)}]
        text = json.dumps(self.json, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text
        chunks += struct.pack("<I4s", len(self.binary), b"BIN\0") + self.binary
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks

    def write(self, path):
        with open(path, "wb") as file:
            file.write(self.bytes())


def png(width, height, pixel):
    """A PNG of 8-bit RGB; pixel(x, y) gives three numbers from 0 to 1."""
    rows = bytearray()
    for y in range(height):
        row, before = bytearray(), bytes(3)
        for x in range(width):
            color = bytes(max(0, min(255, round(c * 255))) for c in pixel(x, y))
            row += bytes((a - b) & 255 for a, b in zip(color, before))
            before = color
        rows += b"\1" + row  # each byte is the difference to the pixel on its left: smaller for smooth pictures

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(b"IEND", b""))
