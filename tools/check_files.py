#!/usr/bin/python3
"""Runs files that packages of Debian carry against Filo's readers, and prints the rows of docs/files.md that it found.

    tools/check_files.py build/debug/tests

The exit code is 1 if that page has another row. It needs the group `files` of tools/packages.txt. Why a file counts as wrong is
printed to stderr.
"""

import ast
import re
import subprocess
import sys
import tempfile
from pathlib import Path

GO = Path("/usr/share/go-1.19/src/image")
PYTHON = Path("/usr/lib/python3.11/test")
FONTS = Path("/usr/share/fonts")
PAGE = Path(__file__).resolve().parents[1] / "docs/files.md"

# What Go's own test compares, and how far a channel may be off. libjpeg smooths the two whose channels differ in size most.
GO_PICTURES = [("video-001.png", "video-001.gif", 64), ("video-001.png", "video-001.interlaced.gif", 64),
               ("video-001.png", "video-001.5bpp.gif", 128), ("video-001.png", "video-001.jpeg", 8),
               ("video-001.png", "video-001.progressive.jpeg", 8),
               ("video-001.progressive.truncated.png", "video-001.progressive.truncated.jpeg", 8),
               ("video-001.221212.png", "video-001.221212.jpeg", 32), ("video-001.rgb.png", "video-001.rgb.jpeg", 96),
               ("video-001.cmyk.png", "video-001.cmyk.jpeg", 8), ("video-005.gray.png", "video-005.gray.jpeg", 8)]
# Which of its damaged files are cut or fail a checksum.
GO_DAMAGED = ["invalid-crc32.png", "invalid-noend.png", "invalid-trunc.png", "invalid-zlib.png"]
# How far an opaque channel of Python's picture is off on average, in formats that keep less than PNG.
PYTHON_PICTURES = {"bmp": 0, "gif": 1, "jpg": 10, "tiff": 0, "webp": 10}

programs = Path(sys.argv[1] if len(sys.argv) == 2 else "build/debug/tests")


def read(kind, paths):
    """For each path, what the reader says of it, as words: the first is the kind, or "refused"."""
    paths = [str(path) for path in paths]
    done = subprocess.run([programs / "read_files", kind], input="".join(path + "\n" for path in paths), text=True,
                          capture_output=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == len(paths), done.stderr
    return {path: line.split() for path, line in zip(paths, lines)}


def near(one, other, tolerance):
    """Whether two pictures have one size, and no channel differs by more."""
    return one[0] == other[0] == "image" and one[1:3] == other[1:3] and all(
        abs(a - b) <= tolerance for a, b in zip(bytes.fromhex(one[3]), bytes.fromhex(other[3])))


def count(results):
    """"N of N" of pairs (name, right)."""
    for name, right in results:
        if not right:
            print(f"  not as it should be: {name}", file=sys.stderr)
    return f"{sum(right for _, right in results):,} of {len(results):,}"


def described(path):
    """The picture that a .sng file describes, as `read` gives it."""
    text = re.sub(r"#.*", "", path.read_text(encoding="utf-8"))
    width, height, depth = (int(re.search(rf"{name}: (\d+)", text)[1]) for name in ("width", "height", "bitdepth"))
    kind = re.search(r"using ([a-z ]+);", text)[1]
    palette = [tuple(map(int, color)) for color in re.findall(r"\(\s*(\d+),\s*(\d+),\s*(\d+)\)", text)]
    clear = re.search(r"tRNS \{([^}]*)\}", text)
    clear = [int(number) for number in re.findall(r"\d+", clear[1])] if clear else []
    channels = {"grayscale": 1, "color palette": 1, "color": 3, "grayscale alpha": 2, "color alpha": 4}[kind]
    alphas = clear + [255] * (len(palette) - len(clear))
    pixels = bytearray()
    for row in re.search(r"pixels hex([^}]*)\}", text)[1].strip().splitlines():
        bits = "".join(row.split())
        bits = f"{int(bits, 16):0{4 * len(bits)}b}"
        values = [int(bits[i * depth:(i + 1) * depth], 2) for i in range(width * channels)]
        for at in range(0, len(values), channels):
            value = values[at:at + channels]
            if palette:
                pixels += bytes((*palette[value[0]], alphas[value[0]]))
                continue
            opaque = (1 << depth) - 1
            alpha = value.pop() if channels in (2, 4) else 0 if value == clear else opaque
            pixels += bytes(v >> (depth - 8) for v in (*(value * 3)[:3], alpha))
    return ["image", str(width), str(height), pixels.hex()]


def png_suite():
    paths = sorted((GO / "png/testdata/pngsuite").glob("*.png"))
    found = read("image", paths)
    return count([(path, near(found[str(path)], described(path.with_suffix(".sng")), 1)) for path in paths])


def go_pictures():
    folder = GO / "testdata"
    pairs = [(str(folder / wanted), str(folder / name), far) for wanted, name, far in GO_PICTURES]
    pairs += [(str(path).replace(".progressive", ""), str(path), 0) for path in sorted(folder.glob("*.progressive.jpeg"))
              if str(path) not in (name for _, name, _ in pairs)]
    broken = [GO / "png/testdata" / name for name in GO_DAMAGED]
    found = read("image", sorted({*(p for pair in pairs for p in pair[:2]), *map(str, broken)}))
    return count([(name, near(found[wanted], found[name], far)) for wanted, name, far in pairs] +
                 [(path, found[str(path)][0] == "refused") for path in broken])


def distance(one, other):
    """How far the colours of another picture are off on average, where the one is opaque."""
    pixels, others = (bytes.fromhex(picture[3]) for picture in (one, other))
    found = [abs(pixels[i + c] - others[i + c]) for i in range(0, len(pixels), 4) if pixels[i + 3] == 255 for c in range(3)]
    return sum(found) / len(found)


def python_pictures():
    folder = PYTHON / "imghdrdata"
    paths = {kind: str(folder / f"python.{kind}") for kind in ("png", *PYTHON_PICTURES)}
    found = read("image", paths.values())
    png = found[paths["png"]]
    return count([(paths[kind], found[paths[kind]][:3] == png[:3] and distance(png, found[paths[kind]]) <= far)
                  for kind, far in PYTHON_PICTURES.items()])


def python_sounds():
    paths = [PYTHON / "audiodata" / f"pluck-pcm{bits}.wav" for bits in (16, 8, 24, 32)]
    found = read("sound", paths)

    def samples(path):
        data = bytes.fromhex(found[str(path)][3])
        return [int.from_bytes(data[i:i + 2], "little", signed=True) for i in range(0, len(data), 2)]

    wanted = samples(paths[0])
    return count([(path, found[str(path)][:3] == ["sound", "11025", "2"] and len(samples(path)) == len(wanted) and
                   all(abs(a - b) <= (264 if "pcm8" in path.name else 8) for a, b in zip(samples(path), wanted)))
                  for path in paths])


def value_in(path, name):
    """What a file of Python assigns to a name."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == name:
            return ast.literal_eval(node.value)
    raise KeyError(name)


def json_checker():
    folder = PYTHON / "test_json"
    allowed = value_in(folder / "test_fail.py", "SKIPS")
    texts = [(f"fail{n}", text, n in allowed)
             for n, text in enumerate(value_in(folder / "test_fail.py", "JSONDOCS"), 1)]
    texts += [(f"pass{n}", value_in(folder / f"test_pass{n}.py", "JSON"), True) for n in (1, 2, 3)]
    with tempfile.TemporaryDirectory() as held:
        for name, text, _ in texts:
            (Path(held) / name).write_text(text, encoding="utf-8")
        found = read("json", [f"{held}/{name}" for name, _, _ in texts])
        return count([(name, (found[f"{held}/{name}"][0] == "json") == right) for name, _, right in texts])


def cases(program, test):
    """What a test says of the cases of Unicode: "N of N"."""
    done = subprocess.run([programs / program, test], text=True, capture_output=True)
    found = re.search(r"(\d+) of (\d+) cases", done.stdout + done.stderr)
    if done.returncode != 0 or not found:
        sys.exit(done.stdout + done.stderr)
    return f"{int(found[1]):,} of {int(found[2]):,}"


def fonts():
    paths = sorted(p for p in FONTS.rglob("*") if p.suffix.lower() in (".ttf", ".otf", ".ttc", ".otc"))
    found = read("font", paths)
    right = count([(path, found[str(path)][0] == "font" and int(found[str(path)][1]) > 8) for path in paths])
    print(f"  fonts: {right}", file=sys.stderr)
    all_right = paths and right.split()[0] == right.split()[-1]
    return "all that are installed" if all_right else right


ROWS = [("PngSuite, as Go has it", "PNG", png_suite), ("Pictures of Go", "PNG, JPEG, GIF", go_pictures),
        ("Pictures of Python", "BMP, GIF, JPEG, TIFF, WebP", python_pictures),
        ("Sounds of Python", "WAV", python_sounds), ("JSON_checker, as Python has it", "JSON", json_checker),
        ("Unicode: graphemes", "text", lambda: cases("test_text_letters", "all_cases_of_the_unicode_database_hold")),
        ("Unicode: words", "text",
         lambda: cases("test_text_letters", "words_are_those_of_the_cases_of_unicode_but_for_a_few")),
        ("Unicode: ends of lines", "text",
         lambda: cases("test_text_letters", "lines_end_as_the_cases_of_unicode_say_but_for_those_that_are_listed")),
        ("Unicode: levels of bidirectional text", "text",
         lambda: cases("test_text_directions", "levels_are_those_of_all_cases_of_unicode")),
        ("Fonts in /usr/share/fonts", "TTF, OTF, TTC", fonts)]


def main():
    page = PAGE.read_text(encoding="utf-8").splitlines()
    wrong = 0
    for suite, of, run in ROWS:
        row = f"| {suite} | {of} | {run()} | here |"
        print(row, flush=True)
        wrong += row not in page
    if wrong > 0:
        sys.exit(f"docs/files.md does not have {wrong} of these rows.")


if __name__ == "__main__":
    main()
