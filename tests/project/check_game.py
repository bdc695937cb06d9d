#!/usr/bin/python3
"""Runs a game without a screen, and looks at what it promises:

    check_game.py PROGRAM CHECK

threads     the same world and the same picture on 1, 2, 4, 8 and 16 threads
replay      a recording ends in the same world, on another number of threads, and one that is cut off says so
window      played in a window, where time passes and files come when they come, it is replayed without one (exit
            code 77 where there is no Xvfb)
lost        the X server dies: the game says so, and the recording and the sound have their ends; and without a driver of
            GL the CPU draws (ship)
allocation  a steady tick allocates nothing; in 3D: neither does a steady frame, with extraction and drawing
memory      a long run does not need more memory than half of it (survival)
backends    GL and the CPU draw the same, nearly (exit code 77 where there is no GL); in 3D: the CPU is refused in a
            sentence, and the world is the same with GL and without drawing
golden      the picture is that of tests/games/golden, reduced to an eighth; FILO_WRITE_GOLDEN=1 writes it anew
            Games in 3D, which refuse --backend cpu, are drawn by GL for a few frames; the other checks of them use the
            null backend
help        --help explains every flag; a wrong flag is refused
world       the program for another processor, which draws nothing, has the same world as the one in the folder
            $FILO_NATIVE_EXAMPLES that is for this machine
processors  the same for longer, with the same picture (not in 3D), and it replays what the other one recorded
"""

import contextlib
import json
import os
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

sys.dont_write_bytecode = True
from emulator import EMULATOR, PATIENCE

SECONDS = 100 * PATIENCE
THREADS = [1, 2, 4, 8, 16]
TICKS = 90
SAME_TICKS = 300
# Survival, as long as it takes until the largest attack that there ever will be: arrays have grown for it. The first
# reach the player after 400 ticks; so few that the player stays alive.
STEADY = {"survival": ["--enemies", "1000", "--frames", "12000"], "hunters": ["--frames", "2400"],
          "woodcutter": ["--frames", "2400"],  # the second time around its circle, which is 880 ticks long
          "circles": ["--frames", "2400"],  # when the last of them has come to rest
          "playground": ["--frames", "2400"], "rewind": ["--frames", "2400"], "throw": ["--frames", "1200"],
          "pinball": ["--frames", "24000"]}  # with a multiball in the first half
# So small that a run takes a moment.
FLAGS = {"forest": ["--side", "128"]}
LONG = {"survival": ["--enemies", "1000"]}
LONG_TICKS = 10000
GROWTH = 1 << 20  # bytes that a process may grow in the second half of a long run: noise of the system's allocator
# GL may round a place or a colour otherwise. Over all bytes of a picture, at most this on average:
TOLERANCE = 2.0
GOLDEN = Path(__file__).resolve().parent.parent / "games" / "golden"
REDUCED = 8  # pixels of a side that become one
# Arithmetic is the same everywhere, so a golden picture differs only where something was changed.
GOLDEN_TOLERANCE = 0.5
# In 3D the driver draws, and another version of it may round otherwise.
GOLDEN_TOLERANCE_3D = 1.5
FRAMES_3D = 12


class Problem(Exception):
    pass


class Skipped(Exception):
    pass


def environment(leaks=True):
    """For the sanitizers. What drivers leave behind, and what they race for, is theirs."""
    drivers = Path(__file__).resolve().parent.parent / "support" / "drivers.tsan"
    options = {"TSAN_OPTIONS": f"suppressions={drivers}", "ASAN_OPTIONS": f"detect_leaks={int(leaks)}"}
    return {**os.environ, **{name: f"{os.environ.get(name, '')}:{value}" for name, value in options.items()}}


def run(program, *flags, code=0, emulator=EMULATOR, variables={}):
    own = FLAGS.get(Path(program).name, [])
    done = subprocess.run([*emulator, program, *own, *flags], text=True, capture_output=True, timeout=SECONDS,
                          stdin=subprocess.DEVNULL, env={**environment(leaks=not variables), **variables})
    if done.returncode != code:
        raise Problem(f"{' '.join(flags)}: ended with {done.returncode}, not {code}\n{done.stdout}{done.stderr}")
    return done


def pixels(path):
    """Width, height and bytes of a PNG with 8 bits a channel."""
    data, place, packed = Path(path).read_bytes(), 8, b""
    while place < len(data):
        size, kind = struct.unpack(">I4s", data[place:place + 8])
        body = data[place + 8:place + 8 + size]
        if kind == b"IHDR":
            width, height, _, colours = struct.unpack(">IIBB", body[:10])
        if kind == b"IDAT":
            packed += body
        place += size + 12
    channels = {2: 3, 6: 4}[colours]
    raw, stride, rows, above = zlib.decompress(packed), width * channels, [], bytearray(width * channels)
    for y in range(height):
        start = y * (stride + 1)
        row = unfilter(raw[start], bytearray(raw[start + 1:start + 1 + stride]), above, channels)
        rows.append(row)
        above = row
    return width, height, channels, b"".join(rows)


def unfilter(kind, row, above, channels):
    for i in range(len(row)):
        left = row[i - channels] if i >= channels else 0
        up, corner = above[i], above[i - channels] if i >= channels else 0
        if kind == 1:
            add = left
        elif kind == 2:
            add = up
        elif kind == 3:
            add = (left + up) // 2
        elif kind == 4:
            guess = left + up - corner
            add = min((left, up, corner), key=lambda value: abs(guess - value))
        else:
            break
        row[i] = (row[i] + add) & 255
    return row


def needs_gl(program):
    """Whether a game draws in space: it refuses to be drawn by the CPU."""
    done = subprocess.run([*EMULATOR, program, "--headless", "--frames", "1", "--backend", "cpu"], text=True,
                          capture_output=True, timeout=SECONDS, env=environment())
    return done.returncode == 1 and "3D needs OpenGL" in done.stderr


def drawn_by_gl(program, frames, threads, shot):
    """The hash of a game in 3D after some frames, and its picture."""
    done = subprocess.run([*EMULATOR, program, *FLAGS.get(Path(program).name, []), "--headless", "--frames", str(frames),
                           "--hash", "--threads", str(threads), "--backend", "gl", "--shot", str(shot)], text=True,
                          capture_output=True, timeout=SECONDS, env=environment(leaks=False))
    if done.returncode != 0 and "GL" in done.stderr:
        raise Skipped(done.stderr)
    if done.returncode != 0:
        raise Problem(done.stderr)
    return done.stdout.split()[-1], shot.read_bytes()


def check_threads_3d(program, folder):
    hashes = {run(program, "--headless", "--frames", str(TICKS), "--hash", "--threads", str(threads), "--backend",
                  "null").stdout.split()[-1] for threads in THREADS}
    if len(hashes) != 1:
        raise Problem(f"the world is another one on some numbers of threads: {hashes}")
    few, many = (drawn_by_gl(program, FRAMES_3D, threads, folder / f"{threads}.png") for threads in (1, 4))
    if few != many:
        raise Problem("the world or the picture is another one on 4 threads")


def check_threads(program, folder):
    if needs_gl(program):
        return check_threads_3d(program, folder)
    first = None
    for threads in THREADS:
        shot = folder / f"{threads}.png"
        done = run(program, "--headless", "--frames", str(TICKS), "--hash", "--threads", str(threads), "--backend", "cpu",
                   "--shot", str(shot))
        result = done.stdout.split()[-1], shot.read_bytes()
        first = first or result
        if result[0] != first[0]:
            raise Problem(f"the world is another one on {threads} threads: {result[0]} instead of {first[0]}")
        if result[1] != first[1]:
            raise Problem(f"the picture is another one on {threads} threads")


def check_replay(program, folder):
    record = folder / "input"
    backend = ["--backend", "null"] if needs_gl(program) else []
    flags = ["--headless", "--frames", str(TICKS), "--hash", *backend]
    hash_ = run(program, *flags, "--threads", "2", "--seed", "7", "--record", str(record)).stdout.split()[-1]
    for threads in (1, 8):
        again = run(program, "--headless", "--hash", "--threads", str(threads), "--replay", str(record),
                    *backend).stdout.split()[-1]
        if again != hash_:
            raise Problem(f"the replay on {threads} threads ended in {again} instead of {hash_}")
    half = folder / "half"
    half.write_bytes(record.read_bytes()[:record.stat().st_size * 2 // 3])
    error = run(program, "--headless", "--replay", str(half), *backend, code=1).stderr
    if "half" not in error:
        raise Problem(f"a recording that is cut off is not named: {error}")


@contextlib.contextmanager
def xvfb():
    """A screen in memory: its process, and the variables that choose it."""
    if shutil.which("Xvfb") is None:
        raise Skipped("there is no Xvfb")
    ready, told = os.pipe()
    screen = subprocess.Popen(["Xvfb", "-displayfd", str(told), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
                              pass_fds=[told], stderr=subprocess.DEVNULL)
    try:
        os.close(told)
        with os.fdopen(ready) as lines:
            yield screen, {"DISPLAY": f":{lines.readline().strip()}", "SDL_VIDEODRIVER": "x11"}
    finally:
        screen.terminate()
        screen.wait()


def check_window(program, folder):
    with xvfb() as (_, display):
        record = folder / "input"
        in_3d = needs_gl(program)
        done = run(program, "--backend", "gl" if in_3d else "cpu", "--frames", str(TICKS), "--hash", "--record", str(record),
                   variables=display)
        hash_ = done.stdout.split()[-1]
        again = run(program, "--headless", "--hash", "--replay", str(record),
                    *(["--backend", "null"] if in_3d else [])).stdout.split()[-1]
        if again != hash_:
            raise Problem(f"the replay without a window ended in {again} instead of {hash_}")


def check_lost(program, folder):
    for backend in ("cpu", "gl"):
        record, sound = folder / f"{backend}.input", folder / f"{backend}.wav"
        with xvfb() as (screen, display):
            game = subprocess.Popen([program, "--backend", backend, "--record", record, "--sound", sound], text=True,
                                    env={**environment(leaks=False), **display}, stderr=subprocess.PIPE)
            while game.poll() is None and not record.exists():
                time.sleep(0.01)
            time.sleep(1)  # some ticks
            screen.kill()
            errors = game.communicate(timeout=SECONDS)[1]
        if backend == "gl" and "no window with OpenGL" in errors:
            raise Skipped(errors)
        if game.returncode != 1 or "the display server is gone" not in errors:
            raise Problem(f"{backend}: the server died, and the game ended with {game.returncode}: {errors}")
        run(program, "--headless", "--replay", str(record))
        length, bytes_ = struct.unpack("<I", sound.read_bytes()[4:8])[0], sound.stat().st_size
        if length + 8 != bytes_:
            raise Problem(f"{backend}: the sound says that it has {length + 8} bytes, and has {bytes_}")
    with xvfb() as (_, display):
        done = run(program, "--frames", "5", variables={**display, "LIBGL_DRIVERS_PATH": "/nowhere"})
        if "drawing on the CPU" not in done.stderr:
            raise Problem(f"without a driver of GL: {done.stderr}")
        if "ALSA lib" in done.stderr:
            raise Problem(f"without a sound device: {done.stderr}")


def stats_of(program, *flags):
    return json.loads(run(program, "--headless", "--stats", "--backend", "null", *flags).stdout.splitlines()[-1])


def check_allocation(program, folder):
    """On one thread, where every run is alike, and on two, where how work is divided is a matter of chance."""
    name = Path(program).name
    for threads in (1, 2):
        stats = stats_of(program, "--threads", str(threads), *STEADY.get(name, ["--frames", "600"]))
        # Letters that are new are drawn on workers beside the tick, and would count as its allocations.
        if stats["allocations_per_tick"] != 0 and not (threads > 1 and name == "typography"):
            raise Problem(f"a steady tick allocates {stats['allocations_per_tick']} times on {threads} threads: "
                          f"{stats['allocations_of']}")
    if needs_gl(program) and stats["allocations_per_frame"] != 0:
        raise Problem(f"a steady frame allocates {stats['allocations_per_frame']} times")


def check_memory(program, folder):
    """Two runs, one twice as long as the other: the longer one must not have needed more. The children's peak is that
    of the largest so far, so the short one comes first."""
    if Path(program).name not in LONG:
        raise Skipped("only for games that go on by themselves")
    worlds, peaks = [], []
    for ticks in (LONG_TICKS // 2, LONG_TICKS):
        worlds.append(stats_of(program, "--frames", str(ticks), *LONG[Path(program).name])["world_memory"])
        peaks.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
    for what, (short, long) in (("world", worlds), ("process", peaks)):
        if long - short > GROWTH:
            raise Problem(f"the {what} has {short} bytes after {LONG_TICKS // 2} ticks, and {long} after {LONG_TICKS}")


def check_backends_3d(program, folder):
    drawn = drawn_by_gl(program, FRAMES_3D, 2, folder / "gl.png")[0]
    not_drawn = run(program, "--headless", "--frames", str(FRAMES_3D), "--hash", "--backend", "null").stdout.split()[-1]
    if drawn != not_drawn:
        raise Problem(f"the world is {drawn} if it is drawn, and {not_drawn} if not")


def check_backends(program, folder):
    if needs_gl(program):
        return check_backends_3d(program, folder)
    for backend in ("cpu", "gl"):
        done = subprocess.run([*EMULATOR, program, "--headless", "--frames", str(TICKS), "--backend", backend, "--shot",
                               str(folder / f"{backend}.png")], text=True, capture_output=True, timeout=SECONDS,
                              env=environment(leaks=backend != "gl"))
        if done.returncode != 0 and backend == "gl" and "GL" in done.stderr:
            raise Skipped(done.stderr)
        if done.returncode != 0:
            raise Problem(done.stderr)
    ours, theirs = pixels(folder / "cpu.png"), pixels(folder / "gl.png")
    if ours[:3] != theirs[:3]:
        raise Problem(f"the pictures have {ours[:3]} and {theirs[:3]} pixels and channels")
    mean = sum(abs(a - b) for a, b in zip(ours[3], theirs[3])) / len(ours[3])
    if mean > TOLERANCE:
        raise Problem(f"the pictures of GL and of the CPU differ by {mean:.2f} on average")


def reduced(picture):
    """The picture with one pixel, the mean, for each square of REDUCED; without opacity."""
    width, height, channels, data = picture
    rows = []
    for y in range(height // REDUCED):
        row = bytearray()
        lines = [data[(y * REDUCED + i) * width * channels:][:width * channels] for i in range(REDUCED)]
        for x in range(width // REDUCED):
            for channel in range(3):
                first, last = x * REDUCED * channels + channel, (x + 1) * REDUCED * channels
                row.append(sum(sum(line[first:last:channels]) for line in lines) // REDUCED**2)
        rows.append(bytes(row))
    return width // REDUCED, height // REDUCED, 3, b"".join(rows)


def write_png(path, picture):
    width, height, channels, data = picture
    lines = b"".join(b"\0" + data[y * width * channels:(y + 1) * width * channels] for y in range(height))

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b""))


def check_golden(program, folder):
    golden, shot = GOLDEN / f"{Path(program).name}.png", folder / "picture.png"
    in_3d = needs_gl(program)
    if in_3d:
        drawn_by_gl(program, FRAMES_3D, 2, shot)
    else:
        run(program, "--headless", "--frames", str(TICKS), "--backend", "cpu", "--shot", str(shot))
    ours = reduced(pixels(shot))
    if os.environ.get("FILO_WRITE_GOLDEN"):
        write_png(golden, ours)
    theirs = pixels(golden)
    if ours[:3] != theirs[:3]:
        raise Problem(f"the picture has {ours[:3]} pixels and channels, and the golden one {theirs[:3]}")
    mean = sum(abs(a - b) for a, b in zip(ours[3], theirs[3])) / len(ours[3])
    if mean > (GOLDEN_TOLERANCE_3D if in_3d else GOLDEN_TOLERANCE):
        raise Problem(f"the picture differs from {golden.name} by {mean:.2f} on average; if it should, write it anew with "
                      "FILO_WRITE_GOLDEN=1, and look at it")


def check_help(program, folder):
    text = run(program, "--help").stdout
    for flag in ("--headless", "--backend", "--frames", "--threads", "--seed", "--size", "--shot", "--hash", "--stats", "--strict",
                 "--record", "--replay", "--trace", "--help"):
        if flag not in text:
            raise Problem(f"--help does not mention {flag}")
    if "did you mean --frames" not in run(program, "--frame", "3", code=2).stderr:
        raise Problem("a wrong flag is not refused with a hint")


def on_both_processors(program, flags, native_flags=(), shots=(None, None)):
    """The hash of a game's world on this machine, which must be that on the other processor, and its pictures."""
    native, found = Path(os.environ["FILO_NATIVE_EXAMPLES"]) / Path(program).name, []
    if not native.is_file():
        raise Skipped(f"there is no {native}: build the preset debug, to compare with")
    for name, emulator, own, shot in ((native, [], native_flags, shots[0]), (program, EMULATOR, [], shots[1])):
        drawn = ["--backend", "cpu", "--shot", str(shot)] if shot else ["--backend", "null"]
        found.append(run(name, "--headless", "--hash", *flags, *own, *drawn, emulator=emulator).stdout.split()[-1])
    if found[0] != found[1]:
        raise Problem(f"the world is another one on the other processor: {found[1]} instead of {found[0]}")
    return found[0]


def check_world(program, folder):
    on_both_processors(program, ["--frames", str(TICKS)])


def check_processors(program, folder):
    record, shots = folder / "input", (None, None) if needs_gl(program) else (folder / "here.png", folder / "there.png")
    hash_ = on_both_processors(program, ["--frames", str(SAME_TICKS)], ["--record", str(record)], shots)
    if shots[0] and pixels(shots[0]) != pixels(shots[1]):
        raise Problem("the picture is another one on the other processor")
    again = run(program, "--headless", "--hash", "--backend", "null", "--replay", str(record)).stdout.split()[-1]
    if again != hash_:
        raise Problem(f"the replay on the other processor ended in {again} instead of {hash_}")


def main():
    program, check = sys.argv[1], sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        try:
            globals()[f"check_{check}"](program, Path(folder))
        except Skipped as skipped:
            print(skipped)
            return 77
        except (Problem, subprocess.TimeoutExpired) as problem:
            print(f"{Path(program).name}: {problem}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
