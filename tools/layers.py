"""What the project says about its modules, read from the files where it says it.

CMakeLists.txt         filo_module(name LAYER n REQUIRES a b LINK c): the modules that exist
docs/architecture.md   the table of layers: the modules that exist, and those that are planned; and the private headers
                       that every module may include
include/filo/*.h       the public headers, each of which belongs to one module

Used by check_layers.py, diagrams.py and manual.py. Standard library only.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

CMAKE = "CMakeLists.txt"
TABLE = "docs/architecture.md"

# The two states of a module in the table.
HERE = "here"
PLANNED = "planned"

# The private headers for all are named in the paragraph that begins with these words.
SHARED_HEADERS = "Private headers that every module may include:"

# The table is the one that begins with these cells.
TABLE_COLUMNS = ["layer", "module", "state", "what it is", "may include, besides base"]

# Headers that are named neither after their module nor in base.h.
FURTHER_HEADERS = {
    "async.h": "jobs", "modules.h": "events",
    "world.h": "ecs", "query.h": "ecs", "changes.h": "ecs", "system.h": "ecs", "holder.h": "ecs", "snapshot.h": "ecs",
    "lookup.h": "ecs", "accessor.h": "ecs", "state.h": "ecs",
    "observer.h": "ecs", "command.h": "ecs",
    "input.h": "platform", "sound.h": "audio", "image.h": "assets", "sheet.h": "assets", "sprite.h": "gfx2d", "draw.h": "gfx2d",
    "pattern.h": "placement", "placement_shader.h": "placement", "ecotope.h": "placement", "terrain.h": "placement",
    "terrain_file.h": "placement_world",
    "mesh.h": "model", "pose.h": "model",
    "physics2d_debug.h": "physics2d",
    "physics2d_mover.h": "physics2d",
    "ui_widgets.h": "ui",
    "components3d.h": "gfx3d", "material.h": "gfx3d", "figure.h": "gfx3d", "ground.h": "gfx3d",
    "signal_function.h": "signal", "embed.h": "signal", "task.h": "signal",
}

# In the table: everything in a lower layer; for a module that is here, everything that is here too.
ALL = "all"


class ProjectError(Exception):
    """Something that the files say cannot be understood. The message names file and line."""


@dataclass
class Module:
    name: str
    layer: int
    requires: list  # names, without base, which every module may include
    line: int       # where it is declared, in CMakeLists.txt or in the table
    state: str = HERE
    what: str = ""


@dataclass
class Table:
    line: int
    modules: dict = field(default_factory=dict)


# ---- CMakeLists.txt -----------------------------------------------------------------------------------


def read_declarations(root):
    """The modules that CMakeLists.txt declares, by name, in the order of declaration."""
    path = Path(root) / CMAKE
    if not path.is_file():
        raise ProjectError(f"{CMAKE}: there is no such file in {root}")
    # A comment becomes blanks, so that places stay where they are.
    text = re.sub(r"#[^\n]*", lambda m: " " * len(m.group()), path.read_text(encoding="utf-8"))
    modules = {}
    for call in re.finditer(r"^[ \t]*filo_module\s*\(([^)]*)\)", text, re.MULTILINE):
        line = text.count("\n", 0, call.start(1)) + 1
        module = parse_declaration(call.group(1).split(), line)
        if module.name in modules:
            raise ProjectError(f"{CMAKE}:{line} declares {module.name} again, "
                               f"after {CMAKE}:{modules[module.name].line}")
        modules[module.name] = module
    return modules


def parse_declaration(words, line):
    values = {"LAYER": [], "REQUIRES": [], "LINK": [], "EXCLUDE": []}
    name, current = (words[0] if words else ""), None
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise ProjectError(f"{CMAKE}:{line} declares a module without a name")
    for word in words[1:]:
        if word in values:
            current = word
        elif current is None:
            raise ProjectError(f"{CMAKE}:{line} declares {name} with '{word}', "
                               "which follows neither LAYER nor REQUIRES nor LINK nor EXCLUDE")
        else:
            values[current].append(word)
    if len(values["LAYER"]) != 1 or not values["LAYER"][0].isdigit():
        raise ProjectError(f"{CMAKE}:{line} declares {name} without a LAYER that is one number")
    requires = [module for module in values["REQUIRES"] if module != "base"]
    return Module(name, int(values["LAYER"][0]), requires, line)


# ---- docs/architecture.md -----------------------------------------------------------------------------


def read_table(root):
    """The table of layers, its modules by name."""
    path = Path(root) / TABLE
    if not path.is_file():
        raise ProjectError(f"{TABLE}: there is no such file in {root}")
    table = None
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        cells = split_row(text)
        if table is None:
            if [cell.lower() for cell in cells] == TABLE_COLUMNS:
                table = Table(number)
        elif not cells:
            break
        elif not set("".join(cells)) <= set("-: "):
            module = parse_row(cells, number)
            if module.name in table.modules:
                raise ProjectError(f"{TABLE}:{number} lists {module.name} again, "
                                   f"after {TABLE}:{table.modules[module.name].line}")
            table.modules[module.name] = module
    if table is None:
        raise ProjectError(f"{TABLE}: no table with the columns {', '.join(TABLE_COLUMNS)}")
    for module in table.modules.values():
        if module.requires == [ALL]:
            module.requires = all_below(table.modules, module)
    return table


def read_shared_headers(root):
    """The private headers that every module may include: "base/atomic.h", …"""
    text = (Path(root) / TABLE).read_text(encoding="utf-8")
    _, _, behind = text.partition(f"\n{SHARED_HEADERS}")
    return re.findall(r"`(\w+/\w+\.h)`", behind.partition("\n\n")[0])


def all_below(modules, module):
    """The names of all modules that it could require, without base: one that is here cannot require what is planned."""
    return [m.name for m in modules.values() if m.layer < module.layer and m.name != "base" and
            (m.state == HERE or module.state == PLANNED)]


def split_row(text):
    text = text.strip()
    if not text.startswith("|"):
        return []
    return [cell.strip() for cell in text.strip("|").split("|")]


def parse_row(cells, line):
    if len(cells) != len(TABLE_COLUMNS):
        raise ProjectError(f"{TABLE}:{line} has {len(cells)} cells, the table has {len(TABLE_COLUMNS)}")
    layer, name, state, what, requires = (cell.replace("`", "").replace("*", "") for cell in cells)
    if not layer.isdigit():
        raise ProjectError(f"{TABLE}:{line} has the layer '{layer}', which is not a number")
    if state not in (HERE, PLANNED):
        raise ProjectError(f"{TABLE}:{line} has {name} in the state '{state}': say {HERE} or {PLANNED}")
    names = [] if requires in ("–", "-", "") else [word.strip() for word in requires.split(",")]
    return Module(name, int(layer), names, line, state, what)


# ---- Headers ------------------------------------------------------------------------------------------


def included_headers(text):
    """(line, bracket or quote, what it names) of every #include line of a C source."""
    found = []
    for number, line in enumerate(without_comments(text).split("\n"), 1):
        match = re.match(r"\s*#\s*include\b\s*(.*)", line)
        if not match:
            continue
        name = re.match(r'(<)([^>]+)>|(")([^"]+)"', match.group(1))
        if name:
            found.append((number, name.group(1) or name.group(3), name.group(2) or name.group(4)))
        else:
            found.append((number, "", match.group(1).strip()))
    return found


def without_comments(text):
    """C text with its comments blanked; strings, characters and line ends stay."""
    pattern = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''

    def blank(match):
        token = match.group()
        return re.sub(r"[^\n]", " ", token) if token.startswith("/") else token

    return re.sub(pattern, blank, text, flags=re.DOTALL)


def public_headers(root):
    """The names of all public headers, sorted: "check.h", "types.h", …"""
    return sorted(path.relative_to(Path(root) / "include/filo").as_posix()
                  for path in (Path(root) / "include/filo").rglob("*.h"))


def header_owners(root, modules):
    """Which module each public header belongs to: the module's name, or None where there is no such module.

        filo.h              all of Filo: "filo"
        <module>.h          that module
        what base.h names   base
        FURTHER_HEADERS     as it says
    """
    root = Path(root)
    base = root / "include/filo/base.h"
    of_base = set()
    if base.is_file():
        of_base = {name[len("filo/"):] for _, _, name in included_headers(base.read_text(encoding="utf-8"))
                   if name.startswith("filo/")}
    owners = {}
    for header in public_headers(root):
        stem = header[:-len(".h")]
        if header == "filo.h":
            owners[header] = "filo"
        elif stem in modules:
            owners[header] = stem
        elif FURTHER_HEADERS.get(header) in modules:
            owners[header] = FURTHER_HEADERS[header]
        else:
            owners[header] = "base" if header in of_base and "base" in modules else None
    return owners
