"""What the public headers declare, and how they are divided: enough C to make an index, no more.

It relies on the house style: a declaration begins at the first column, macros and functions carry the project's
prefix, and sections begin with a comment "// ---- Name ----". Standard library only.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import layers

KINDS = {"function": "Functions", "type": "Types", "macro": "Macros", "constant": "Constants", "variable": "Variables"}

PATTERNS = [
    ("macro", re.compile(r"#\s*define\s+((?:FILO_|filo_)\w+)")),
    ("type", re.compile(r"typedef\s+(?:struct|union|enum)\s+(Filo\w+)\b")),
    ("type", re.compile(r"typedef\s.*\(\*(Filo\w+)\)\s*\(")),
    ("type", re.compile(r"typedef\s[^()]*\b(Filo\w+);")),
    ("variable", re.compile(r"extern\s[^(]*\b(filo_\w+)(?:\[\w*\])?;")),
    ("function", re.compile(r"[A-Za-z_][\w\s*]*?\b(filo_\w+)\(")),
    ("constant", re.compile(r"\s+(FILO_\w+)\s*(?:=[^,]*)?(?:,|$|/)")),
]


@dataclass
class Symbol:
    kind: str
    header: str
    line: int


def find(root, headers):
    """Every symbol by name. Names that end in an underscore, and include guards, are nobody's business."""
    found = {}
    for header in headers:
        text = layers.without_comments((Path(root) / header).read_text(encoding="utf-8"))
        guard = re.search(r"#ifndef\s+(\w+)", text)
        continued = False  # the line before ended in a backslash: this one is the body of a macro
        for number, line in enumerate(text.split("\n"), 1):
            if not continued:
                for kind, pattern in PATTERNS:
                    match = pattern.match(line.rstrip())
                    if match:
                        name = match.group(1)
                        if not name.endswith("_") and not (guard and name == guard.group(1)):
                            found.setdefault(name, Symbol(kind, header, number))
                        break
            continued = line.rstrip().endswith("\\")
    return found


def sections(text):
    """(line, name) of every section."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        match = re.match(r"// -{2,} (.+?) -{2,}$", line)
        if match:
            found.append((number, match.group(1)))
    return found


def summary(text):
    """What a header says of itself in its first sentence: "messages for people"."""
    lines = []
    for line in text.split("\n"):
        if not line.startswith("//") or line.strip() == "//":
            break
        lines.append(line[2:].strip())
    words = re.sub(r"^filo/\S+\.h:\s*", "", " ".join(lines))
    return re.match(r".*?[.!?:](?= [A-Z]|$)|.*", words).group().rstrip(":.")
