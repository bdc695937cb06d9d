#!/usr/bin/python3
"""Checks that the modules depend on each other as they say they do.

    tools/check_layers.py [--root FOLDER]

 - A source or header includes only headers of its own module, of base, and of the modules that stand after
   REQUIRES in its declaration: what those require in turn is not included with them.
 - Private headers (src/<module>/*.h) are for their own module alone, but for those that docs/architecture.md names.
 - Every public header belongs to a module (layers.py says how), and filo.h includes every module.
 - The declared graph has no cycle, and every module requires only lower layers.
 - CMakeLists.txt and the table in docs/architecture.md say the same.

Prints every violation with the places on both sides; exits with 1 if there are any.
"""

import argparse
import os
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # leaves no __pycache__ in the tree

import layers
from layers import CMAKE, HERE, PLANNED, TABLE


def check(root):
    """All violations in the tree at `root`, as sentences."""
    try:
        modules = layers.read_declarations(root)
        table = layers.read_table(root)
    except layers.ProjectError as error:
        return [str(error)]
    problems = check_graph(modules, CMAKE)
    problems += check_graph(table.modules, TABLE)
    problems += check_table(modules, table)
    problems += Includes(Path(root), modules).check()
    return problems


# ---- The graph ----------------------------------------------------------------------------------------


def check_graph(modules, file):
    problems = []
    for module in modules.values():
        for name in module.requires:
            required = modules.get(name)
            if required is None:
                problems.append(f"{file}:{module.line} lets {module.name} include {name}, "
                                "which is not a module there")
            elif required.layer >= module.layer and name != module.name:
                problems.append(
                    f"{file}:{module.line} lets {module.name} (layer {module.layer}) include {name} (layer "
                    f"{required.layer}, {file}:{required.line}); a module may include only lower layers")
    cycle = find_cycle(modules)
    if cycle:
        where = ", ".join(f"{file}:{modules[name].line}" for name in cycle[:-1])
        problems.append(f"{file}: {' → '.join(cycle)} is a cycle ({where})")
    return problems


def find_cycle(modules):
    """The names along some cycle, the first one again at the end; None if there is no cycle."""
    finished, path = set(), []

    def visit(name):
        if name in path:
            return path[path.index(name):] + [name]
        if name in finished or name not in modules:
            return None
        path.append(name)
        for required in modules[name].requires:
            cycle = visit(required)
            if cycle:
                return cycle
        path.pop()
        finished.add(name)
        return None

    for name in modules:
        cycle = visit(name)
        if cycle:
            return cycle
    return None


def check_table(modules, table):
    problems = []
    for module in modules.values():
        row = table.modules.get(module.name)
        declared = f"{CMAKE}:{module.line} declares {module.name}"
        if row is None:
            problems.append(f"{declared}, but the table at {TABLE}:{table.line} does not list it")
            continue
        listed = f"{TABLE}:{row.line}"
        if row.state == PLANNED:
            problems.append(f"{declared}, but {listed} says that it is planned")
        if row.layer != module.layer:
            problems.append(f"{declared} in layer {module.layer}, but {listed} says layer {row.layer}")
        for name in sorted(set(module.requires) - set(row.requires)):
            problems.append(f"{declared} with {name}, but {listed} lists {module.name} without it")
        for name in sorted(set(row.requires) - set(module.requires)):
            problems.append(f"{declared} without {name}, but {listed} lists {module.name} with it")
    for row in table.modules.values():
        if row.state == HERE and row.name not in modules:
            problems.append(f"{TABLE}:{row.line} says that {row.name} is here, "
                            f"but {CMAKE} does not declare it")
    return problems


# ---- The includes -------------------------------------------------------------------------------------


class Includes:
    """Checks the #include lines of include/filo and src against the declarations."""

    def __init__(self, root, modules):
        self.root = root
        self.modules = modules
        self.owners = layers.header_owners(root, modules)
        self.shared = layers.read_shared_headers(root)
        self.problems = []

    def check(self):
        for header in self.shared:
            if not (self.root / "src" / header).is_file():
                self.problems.append(f"{TABLE} lets every module include {header}, but there is no such header")
        for header, owner in self.owners.items():
            if owner is None:
                self.problems.append(f"include/filo/{header} belongs to no module: {CMAKE} declares no module "
                                     f"{header[:-2]}, and include/filo/base.h does not include it")
            elif owner != "filo":
                self.check_file(self.root / "include/filo" / header, owner)
        self.check_all_header()
        self.check_sources()
        return self.problems

    def check_all_header(self):
        """filo.h has to include the header of every module."""
        path = self.root / "include/filo/filo.h"
        if not path.is_file():
            return
        included = {name for _, _, name in layers.included_headers(path.read_text(encoding="utf-8"))}
        for module in self.modules.values():
            if f"{module.name}.h" in self.owners and f"filo/{module.name}.h" not in included:
                self.problems.append(f"include/filo/filo.h does not include <filo/{module.name}.h>, "
                                     f"but {CMAKE}:{module.line} declares {module.name}")

    def check_sources(self):
        source = self.root / "src"
        for folder in sorted(path for path in source.iterdir() if path.is_dir()) if source.is_dir() else []:
            files = sorted(path for path in folder.rglob("*") if path.suffix in (".c", ".h"))
            if files and folder.name not in self.modules:
                self.problems.append(f"src/{folder.name} has sources, "
                                     f"but {CMAKE} does not declare a module {folder.name}")
                continue
            for file in files:
                self.check_file(file, folder.name)

    def check_file(self, file, module):
        for line, kind, name in layers.included_headers(file.read_text(encoding="utf-8")):
            place = f"{file.relative_to(self.root).as_posix()}:{line}"
            if kind == "":
                self.problems.append(f"{place} includes {name or 'nothing'}: name the header, "
                                     "so that it can be checked")
                continue
            problem = self.judge(file, module, kind, name)
            if problem:
                written = f"<{name}>" if kind == "<" else f'"{name}"'
                self.problems.append(f"{place} includes {written}, {problem}")

    def judge(self, file, module, kind, name):
        """What is wrong with this include; None if nothing."""
        target = self.resolve(file, kind, name)
        if target is None:
            missing = name.startswith("filo/") or name.split("/")[0] in self.modules and "/" in name
            return "but there is no such header" if missing else None
        declared = f"{CMAKE}:{self.modules[module].line} declares {module}"
        if target.startswith("include/filo/"):
            owner = self.owners.get(target[len("include/filo/"):])
            if owner == "filo":
                return "which is every module: include what is needed"
            if owner is None or self.may_include(module, owner):
                return None
            return f"but {declared} without {owner}"
        if target.startswith("src/"):
            owner = target.split("/")[1]
            if owner == module or target[len("src/"):] in self.shared:
                return None
            if self.may_include(module, owner):
                return f"but that header is private to {owner}"
            return f"but that header is private to {owner}, and {declared} without {owner}"
        return "but that is neither a public header nor a source of a module"

    def may_include(self, module, owner):
        return owner in (module, "base") or owner in self.modules[module].requires

    def resolve(self, file, kind, name):
        """The header's path in the repository; None if it is not one of ours."""
        folders = [self.root / "include", self.root / "src"]
        if kind == '"':
            folders.insert(0, file.parent)
        for folder in folders:
            path = Path(os.path.normpath(folder / name))
            if path.is_file() and path.is_relative_to(self.root):
                return path.relative_to(self.root).as_posix()
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent,
                        help="the repository (default: the one that this tool is in)")
    problems = check(parser.parse_args().root.resolve())
    for problem in problems:
        print(problem)
    if problems:
        print(f"{len(problems)} violation{'s' if len(problems) > 1 else ''} of the layers")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
