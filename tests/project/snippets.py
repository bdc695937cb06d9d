#!/usr/bin/python3
"""The C code in a page of the docs, as one program: so that what the docs show compiles, runs, and prints what they say.

    snippets.py make PAGE.md SOURCE.c     writes the program
    snippets.py run PROGRAM PAGE.md       runs it; every line that it prints must be a line of a block in the page.
                                          A game (one that calls filo_run) is run for some ticks without a window, and
                                          must also be able to show a picture; in 3D, which may need a driver that is
                                          not here, it is run without one

Blocks marked ```c are taken in their order. One with a main function is a program of its own: it must be the only one.
Otherwise blocks that begin with a declaration (typedef, static, FILO_REFLECT, FILO_TAG, FILO_SF_FUNCTION …) or #include stand outside of
functions, and all others, one after the other, are the body of main, so what one declares the next ones can use.

A page whose blocks need something around them, or that has a program and other blocks, has a frame: a file of its name in
tests/project/snippets. In the frame, a line "// outside" stands for the declarations and the program, whose main is called
page_main, and a line "// inside" for all other blocks, each in braces of its own. There a line "…" in a block divides it
in two.

A page that says "The code continues that of [another](page.md)" has the blocks of that page before its own.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
from emulator import EMULATOR, PATIENCE

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CONTINUES = re.compile(r"The code continues that of \[[^\]]*\]\(([^)]*)\)")
FRAMES = Path(__file__).resolve().parent / "snippets"
OUTSIDE = ("typedef ", "static ", "FILO_REFLECT(", "FILO_TAG(", "FILO_SF_FUNCTION",
           "FILO_SF_PREDICATE", "FILO_SF_MAYBE", "#include ")


def blocks(page, language):
    """Line number and text of each block in a language."""
    text = page.read_text(encoding="utf-8")
    return [(text.count("\n", 0, match.start(2)) + 1, match.group(2)) for match in BLOCK.finditer(text)
            if match.group(1) == language]


def chain(page):
    """The page after those that its code continues."""
    earlier = CONTINUES.search(page.read_text(encoding="utf-8"))
    return [*chain(page.parent / earlier.group(1)), page] if earlier else [page]


def frame_of(page):
    frame = FRAMES / f"{page.stem}.c"
    return frame if frame.is_file() else None


def divide(blocks_of_page):
    """The same, with blocks divided at lines with "…"."""
    for line, block in blocks_of_page:
        for part in re.split(r"^ *…\n", block, flags=re.MULTILINE):
            yield line, part
            line += part.count("\n") + 1


def first_code(block):
    return next((line for line in block.splitlines() if line.strip() and not line.startswith("//")), "")


def make_framed(page, frame):
    """The text of a program with a frame."""
    outside, inside = [], []
    for line, block in divide(blocks(page, "c")):
        text = f'#line {line} "{page}"\n{block}'
        if re.search(r"^int main\(", block, re.MULTILINE):
            outside.append(re.sub(r"^int main\(", "static int page_main(", text, flags=re.MULTILINE))
        elif first_code(block).startswith(OUTSIDE):
            outside.append(text)
        else:
            inside.append(f"{{\n{text}}}\n")
    program = [f'#line 1 "{frame}"\n']
    for number, line in enumerate(frame.read_text(encoding="utf-8").splitlines(keepends=True), 1):
        found = {"// outside": outside, "// inside": inside}.get(line.strip())
        program += [line] if found is None else [*found, f'#line {number + 1} "{frame}"\n']
    return "".join(program)


def make(page):
    """The text of the program."""
    frame = frame_of(page)
    if frame:
        return make_framed(page, frame)
    found = [(f'#line {line} "{part}"\n{block}', block) for part in chain(page) for line, block in blocks(part, "c")]
    whole = [text for text, block in found if re.search(r"^int main\(", block, re.MULTILINE)]
    if whole:
        if len(found) > 1:
            raise SystemExit(f"{page}: a block with a main function must be the only one in C")
        return whole[0]
    outside = [text for text, block in found if first_code(block).startswith(OUTSIDE)]
    inside = [text for text, block in found if not first_code(block).startswith(OUTSIDE)]
    return "".join(["#include <filo/filo.h>\n#include <stdio.h>\n", *outside, "int main(void) {\n", *inside,
                    "return 0;\n}\n"])


def run(program, page):
    """What is wrong; None if nothing is."""
    texts = [block for _, block in blocks(page, "c")] + ([frame_of(page).read_text(encoding="utf-8")] if frame_of(page) else [])
    is_game = any("filo_run(" in text for text in texts)
    in_3d = any(".gfx3d = true" in text for text in texts)
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "picture.png"
        flags = ["--headless", "--frames", "10", *(["--backend", "null"] if in_3d else ["--shot", picture])]
        flags = flags if is_game else []
        done = subprocess.run([*EMULATOR, program, *flags], cwd=folder, text=True, capture_output=True,
                              timeout=60 * PATIENCE)
        if done.returncode != 0 or done.stderr:
            return f"the code ended with {done.returncode}\n{done.stdout}{done.stderr}"
        if is_game and not in_3d and not picture.is_file():
            return "the game showed no picture"
    shown = {line for part in chain(page) for _, block in blocks(part, "text") for line in block.splitlines()}
    missing = [line for line in done.stdout.splitlines() if line not in shown]
    return "\n".join(["the code prints what is in no text block of the page:", *missing]) if missing else None


def main():
    if sys.argv[1] == "make":
        Path(sys.argv[3]).write_text(make(Path(sys.argv[2])), encoding="utf-8")
        return 0
    trouble = run(sys.argv[2], Path(sys.argv[3]))
    if trouble:
        print(f"{sys.argv[3]}: {trouble}")
    return 1 if trouble else 0


if __name__ == "__main__":
    sys.exit(main())
