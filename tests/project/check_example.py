#!/usr/bin/python3
"""Runs an example for a moment, without a screen, and looks at what it prints.

    check_example.py PROGRAM SOURCE

It must end by itself, in time and with 0; explain its flags, refuse others, and fail where it cannot write. An example
whose source ends with what it prints on any number of threads is run without flags (a game: without a screen), and that
is compared; of others, some lines are compared between numbers of threads.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
from emulator import EMULATOR, PATIENCE

SECONDS = 60 * PATIENCE
THREADS = [1, 2, 4, 8, 16]
PRINTS = "// Prints, on any number of threads:\n"

# What an example is told that does not say what it prints; and which lines are the same on any number of threads.
SMALL = ["--headless", "--frames", "10"]
FLAGS = {
    "forest": [*SMALL, "--side", "128"],
    "mandelbrot": ["--width", "96", "--height", "54", "--depth", "400", "--hash"],
    "terrain": ["--texels", "128", "--hash"],
}
SAME = {
    "mandelbrot": r"^[0-9a-f]{16}$",
    "terrain": r"^[0-9a-f]{16}$",
}


def run(program, *flags, code=0):
    """What the program printed, and a sentence about what went wrong or None."""
    with tempfile.TemporaryDirectory() as folder:  # whatever it writes by default goes there
        try:
            done = subprocess.run([*EMULATOR, program, *flags], cwd=folder, text=True, capture_output=True,
                                  timeout=SECONDS, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return "", f"did not end within {SECONDS} s"
    if done.returncode != code:
        return done.stdout, f"ended with {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout, None


def is_game(source):
    return re.search("filo_run|filo_app_main|filo_app_create", Path(source).read_text(encoding="utf-8")) is not None


def same_lines(name, output):
    return [line for line in output.splitlines() if re.search(SAME.get(name, ""), line)]


def promised(source):
    """What the comment at the end of the source says; None if it says nothing."""
    _, mark, rest = Path(source).read_text(encoding="utf-8").partition(PRINTS)
    return [line[len("//  "):] for line in rest.splitlines()[1:]] if mark else None


def check_flags(program, game):
    """The flags that it lists are those that it has, and mistakes do not go unnoticed."""
    help_, problem = run(program, "--help")
    if problem or "Usage: " not in help_:
        return f"--help: {problem or 'it printed no help'}"
    listed = help_.partition("Accepted, but without effect")[0]
    if not game and "until closed" in listed:
        return "--help speaks of closing, but there is no window"
    problem = run(program, "--no-such-flag", code=2)[1]
    if problem:
        return f"--no-such-flag: {problem}"
    for flag in ("--trace", "--shot"):
        problem = flag in listed and run(program, *FLAGS.get(Path(program).name, SMALL), flag, "/dev/null/x", code=1)[1]
        if problem:
            return f"{flag} to where nothing can be written: {problem}"
    return None


def check(program, source):
    name = Path(program).name
    problem = check_flags(program, is_game(source))
    if problem:
        return problem
    expected, origin = promised(source), "its source says"
    flags = FLAGS.get(name, SMALL if expected is None else ["--headless"] if is_game(source) else [])
    if expected is None and name not in SAME:
        return run(program, *flags)[1]
    for threads in THREADS:
        output, problem = run(program, *flags, "--threads", str(threads))
        if problem:
            return f"with {threads} threads it {problem}"
        lines = same_lines(name, output)
        if not lines:
            return f"with {threads} threads it printed nothing to compare:\n{output}"
        if expected is not None and lines != expected:
            return "\n".join([f"with {threads} threads it printed", *lines, f"but {origin}", *expected])
        expected, origin = lines, f"with {THREADS[0]} thread it printed"
    return None


if __name__ == "__main__":
    trouble = check(*sys.argv[1:3])
    if trouble:
        print(f"{Path(sys.argv[1]).name}: {trouble}")
        sys.exit(1)
