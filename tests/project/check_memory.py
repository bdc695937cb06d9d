#!/usr/bin/python3
"""Runs an example again and again, each time without memory at another place:

    check_memory.py PROGRAM SOURCE

PROGRAM is the example linked with tests/support/scarce_malloc.c, which says how the variable FILO_SCARCE chooses the
places; by itself, a few of them, spread evenly. Each run must end by itself, with 0 or a message, and by no signal. If it
ends with 0, what it prints and draws is the same as with all memory.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
from check_example import PRINTS, is_game

SAMPLE, GAME_SAMPLE = "24", "8"  # games draw a picture in each run
SECONDS = 3600  # of all runs; each has a limit of its own

# So few that a run takes a moment.
FLAGS = {
    "boids": ["--boids", "100"],
    "flight": ["--count", "300"],
    "forest": ["--side", "64"],
    "flock": ["--birds", "200", "--frames", "60"],
    "mandelbrot": ["--width", "48", "--height", "27", "--depth", "50", "--shot", "picture.png"],
    "prefabs": ["--boats", "100"],
    "snapshots": ["--ticks", "20"],
    "sprites": ["--sprites", "100"],
    "survival": ["--enemies", "50"],
    "terrain": ["--texels", "40", "--towns", "3"],
}
GAME = ["--headless", "--frames", "3", "--shot", "picture.png"]
# Drivers of GL do not survive without memory. So games in 3D are drawn by the null device, which --stats asks for.
GAME_3D = ["--headless", "--frames", "3", "--backend", "null", "--stats"]
# HarfBuzz and libpng go on with other results and say nothing; libthai with libdatrie crashes.
EXEMPT = "libharfbuzz libpng16 libthai libdatrie"
# It prints for each file whether that could be read, and goes on.
OTHER_WORDS = ["pipeline"]


def check(program, source):
    name, text = Path(source).parent.name, Path(source).read_text(encoding="utf-8")
    game, in_3d = is_game(source), ".gfx3d = true" in text
    flags = [*(GAME_3D if in_3d else GAME if game else []), *FLAGS.get(name, []), "--threads", "1"]
    variables = {"FILO_SCARCE": os.environ.get("FILO_SCARCE") or (GAME_SAMPLE if game else SAMPLE),
                 "FILO_SCARCE_SAME": str(int(PRINTS in text and name not in OTHER_WORDS)),
                 "FILO_SCARCE_EXEMPT": EXEMPT,
                 "FILO_SCARCE_FILE": "picture.png" if game and not in_3d else ""}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([Path(program).resolve(), *flags], cwd=folder, timeout=SECONDS, stdin=subprocess.DEVNULL,
                              env={**os.environ, **variables})
    if done.returncode != 0:
        print(f"One of these again, in a debugger: FILO_SCARCE=1 FILO_SCARCE_ONLY=<number> {program} {' '.join(flags)}")
    return done.returncode


if __name__ == "__main__":
    sys.exit(check(*sys.argv[1:3]))
