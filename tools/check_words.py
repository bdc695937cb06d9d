#!/usr/bin/python3
"""Checks the house style as far as a program can: names, words and lengths.

    tools/check_words.py [--root FOLDER]

 - A name with the public prefix (filo_, Filo, FILO_) that a private header or source defines is declared in include/filo.
 - What a private header declares begins with the name of its module: ecs_table_of, EcsTable, ECS_ROW_BITS.
 - Comments speak of things: no "nobody", "somebody", "whoever".
 - No source, test, script or page is longer than 700 lines.

Prints every violation with file and line; exits with 1 if there are any. Standard library only.
"""

import argparse
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # leaves no __pycache__ in the tree

import layers

FOLDERS = ["bench", "docs", "examples", "include", "src", "tests", "tools"]
LONGEST = 700
LENGTH_COUNTS = {".c", ".h", ".cpp", ".py", ".md"}
PEOPLE = re.compile(r"\b(nobody|somebody|whoever|anybody|everybody)\b", re.IGNORECASE)
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
PUBLIC = re.compile(r"\b(?:filo_|Filo|FILO_)\w+")

# What a header declares, by the house style: a declaration begins at the first column.
DECLARATIONS = [
    re.compile(r"#\s*define\s+(\w+)"),
    re.compile(r"typedef\s+(?:struct|union|enum)\s+(\w+)\s*\{"),
    re.compile(r"typedef\s.*\(\*(\w+)\)\s*\("),
    re.compile(r"(?:struct|union|enum)\s+(\w+)\s*\{"),
    re.compile(r"extern\s[^(]*?\b(\w+)(?:\[\w*\])?;"),
    re.compile(r"[A-Za-z_][\w\s*]*?\b(\w+)\((?!\()[^;]*"),
]


def check(root):
    """All violations in the tree at `root`, as sentences."""
    root = Path(root)
    problems = []
    for folder in FOLDERS:
        for file in sorted(path for path in (root / folder).rglob("*") if path.suffix in LENGTH_COUNTS):
            text = file.read_text(encoding="utf-8")
            name = file.relative_to(root).as_posix()
            problems += check_length(name, text)
            if file.suffix in (".c", ".h", ".cpp"):
                problems += check_comments(name, text)
    public = public_names(root)
    for file in sorted((root / "src").rglob("*.[ch]")):
        problems += check_names(file.relative_to(root).as_posix(), file.read_text(encoding="utf-8"), public)
    return problems


def check_length(name, text):
    lines = text.count("\n")
    return [f"{name} has {lines} lines; part what has more than {LONGEST}"] if lines > LONGEST else []


def check_comments(name, text):
    problems = []
    for comment in COMMENT.finditer(text):
        if not comment.group().startswith("/"):
            continue
        for word in PEOPLE.finditer(comment.group()):
            line = text.count("\n", 0, comment.start() + word.start()) + 1
            problems.append(f'{name}:{line} says "{word.group()}" in a comment; name the thing that is meant')
    return problems


def public_names(root):
    names = set()
    for header in (root / "include/filo").glob("*.h"):
        names.update(PUBLIC.findall(layers.without_comments(header.read_text(encoding="utf-8"))))
    return names


def declared(text):
    """(line, name) of what a header or source declares at the first column."""
    continued = False  # the line before ended in a backslash: this one is the body of a macro
    for number, line in enumerate(layers.without_comments(text).split("\n"), 1):
        if not continued:
            for pattern in DECLARATIONS:
                match = pattern.match(line)
                if match:
                    yield number, match.group(1)
                    break
        continued = line.rstrip().endswith("\\")


def check_names(name, text, public):
    module = name.split("/")[1]
    # The module assets may say AssetRecord, the module jobs JobRing, placement_world PlacementWorldTile; macros of base
    # begin a line of any.
    words = module.replace("_", "_?")
    prefix = re.compile(f"({words}|{words.removesuffix('s')}|base)_?", re.IGNORECASE)
    guard = re.search(r"#ifndef\s+(\w+)", text)
    problems = []
    for line, word in declared(text):
        if guard and word == guard.group(1) or word in public or word.startswith("filo_type_"):
            continue
        if PUBLIC.fullmatch(word):
            if not macro_argument(text, word):
                problems.append(f"{name}:{line} defines {word}, which has the public prefix, but include/filo does not "
                                "declare it")
        # A header without a guard is a template: code that several sources include, each with static functions of its own.
        elif name.endswith(".h") and guard and not prefix.match(word) and not word.startswith("FILO_"):
            problems.append(f"{name}:{line} declares {word} for other sources; begin it with {module}")
    return problems


def macro_argument(text, word):
    """Whether it is the name of a macro that the line uses, as FILO_REFLECT."""
    return re.search(rf"#\s*define\s+{word}\b", text) is None and word.isupper()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent,
                        help="the repository (default: the one that this tool is in)")
    problems = check(parser.parse_args().root.resolve())
    for problem in problems:
        print(problem)
    if problems:
        print(f"{len(problems)} violation{'s' if len(problems) > 1 else ''} of the house style")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
