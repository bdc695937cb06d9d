#!/usr/bin/python3
"""Draws the diagrams of the docs: docs/diagrams/….svg.

    tools/diagrams.py            writes them
    tools/diagrams.py --check    exits with 1 if the files are not what it would write

The layers come from CMakeLists.txt and from the table in docs/architecture.md; the frame, the job system, the
world, the tick of objects, audio and physics are laid out by hand in frame_diagram.py, jobs_diagram.py, ecs_diagram.py,
objects_diagram.py, audio_diagram.py and physics_diagram.py. The same input gives the same bytes on every machine. Standard library only.
"""

import argparse
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # leaves no __pycache__ in the tree

import audio_diagram
import ecs_diagram
import frame_diagram
import jobs_diagram
import layer_diagram
import layers
import objects_diagram
import physics_diagram

FOLDER = "docs/diagrams"


def draw(root):
    """The text of every diagram by file name."""
    modules = layers.read_table(root).modules
    for name, declared in layers.read_declarations(root).items():
        modules[name] = declared
    return {"layers.svg": layer_diagram.draw(modules), "frame.svg": frame_diagram.draw(), **jobs_diagram.draw(),
            **ecs_diagram.draw(), **objects_diagram.draw(), **audio_diagram.draw(),
            **physics_diagram.draw()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent,
                        help="the repository (default: the one that this tool is in)")
    parser.add_argument("--check", action="store_true", help="write nothing, only compare")
    arguments = parser.parse_args()
    try:
        diagrams = draw(arguments.root)
    except layers.ProjectError as error:
        print(error)
        return 1
    stale = 0
    for name, text in diagrams.items():
        path = arguments.root / FOLDER / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        if arguments.check:
            print(f"{FOLDER}/{name} is not up to date: run tools/diagrams.py and commit the result")
            stale = 1
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {FOLDER}/{name}")
    return stale


if __name__ == "__main__":
    sys.exit(main())
