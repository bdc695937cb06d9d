#!/usr/bin/python3
"""The tutorial builds an example step by step: follows it, and compares.

    check_tutorial.py PAGE.md... EXAMPLE.c COMPILER [--write FOLDER]

Every section of the pages with blocks marked ```c is a step, and every block adds its lines, all together, somewhere
in the program. So the last step must be the example; without its blocks, what is left is the program of the step
before, in which the blocks of that step must be found in turn; and in the end nothing may be left. The program of
each step must compile without a warning. Blank lines, indentation, the comment at the top of the example and its
headings ("// ---- Systems ---") do not count. --write keeps the program of each step as a file.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

FLAGS = ["-std=c17", '-DFILO_EXAMPLE_ASSETS="assets"', "-fsyntax-only", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror", "-x", "c", "-"]


class Step:
    def __init__(self, page, title):
        self.page, self.title, self.blocks, self.lines = page, title, [], []  # blocks: (line in the page, texts of its lines)


def words(line):
    return " ".join(line.split())


def read_steps(page):
    """The sections of the page that have C code."""
    steps, block = [Step(page, "")], None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if block is None and line.startswith("## "):
            steps.append(Step(page, line[3:].strip()))
        elif block is None and line == "```c":
            block = (number + 1, [])
        elif block is not None and line == "```":
            steps[-1].blocks.append(block)
            block = None
        elif block is not None and line.strip():
            block[1].append(words(line))
    return [step for step in steps if step.blocks]


def read_example(example):
    """(number, text) of the lines that count."""
    lines = list(enumerate(example.read_text(encoding="utf-8").splitlines(), 1))
    while lines and lines[0][1].startswith("//"):
        lines.pop(0)
    return [(number, text) for number, text in lines if text.strip() and not text.startswith("// ----")]


def find(lines, block):
    """Where a block can begin in the program; and how many of its lines fit at the best place, if it fits nowhere."""
    texts = [words(text) for _, text in lines]
    places = [i for i in range(len(texts)) if texts[i:i + len(block)] == block]
    best = 0
    for start in range(len(texts)) if not places else []:
        fit = 0
        while fit < len(block) and start + fit < len(texts) and texts[start + fit] == block[fit]:
            fit += 1
        best = max(best, fit)
    return places, best


def follow(pages, example):
    """The steps with their programs, and what is wrong."""
    steps, lines, problems = [step for page in pages for step in read_steps(page)], read_example(example), []
    for step in reversed(steps):
        step.lines = list(lines)
        for number, block in reversed(step.blocks):
            places, fit = find(lines, block)
            if len(places) == 1:
                del lines[places[0]:places[0] + len(block)]
            elif places:
                problems.append(f"{step.page}:{number}: this block fits in {len(places)} places: show more of it")
            else:
                problems.append(f"{step.page}:{number}: this block is not in the program of the step \"{step.title}\"; "
                                f"what does not fit begins with: {block[fit]}")
        if problems:
            break  # what is left is not the program of the step before
    problems += [f"{example}:{number}: this line is in no block of the tutorial: {text.strip()}"
                 for number, text in (lines if not problems else [])]
    return steps, problems


def source(step, example):
    """The program of a step, with blank lines where the example has them."""
    kept = {number for number, _ in step.lines}
    text, blank = [], False
    for number, line in enumerate(example.read_text(encoding="utf-8").splitlines(), 1):
        if number in kept:
            text += [""] * blank + [line]
            blank = False
        blank = blank or not line.strip()
    return "\n".join(text).strip() + "\n"


def compile_step(compiler, step, text, include):
    done = subprocess.run([compiler, *(f"-I{folder}" for folder in include), *FLAGS], input=text, text=True, capture_output=True)
    return [] if done.returncode == 0 else [f"the program of the step \"{step.title}\" does not compile:", done.stderr]


def check(pages, example, compiler, include, folder=None):
    steps, problems = follow(pages, example)
    if problems:
        return problems
    for number, step in enumerate(steps, 1):
        text = source(step, example)
        problems += compile_step(compiler, step, text, include)
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{number}-{re.sub('[^a-z]+', '-', step.title.lower()).strip('-')}.c").write_text(text)
    silent = [page for page in pages if not any(step.page == page for step in steps)]
    return problems + [f"{page}: there is no C code in it" for page in silent]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", type=Path, nargs="+", metavar="page")
    parser.add_argument("example", type=Path)
    parser.add_argument("compiler")
    parser.add_argument("--write", type=Path, metavar="FOLDER")
    arguments = parser.parse_args()
    root = Path(__file__).resolve().parents[2]
    include = [root / "include", root / "examples"]  # as every example is compiled
    problems = check(arguments.pages, arguments.example, arguments.compiler, include, arguments.write)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
