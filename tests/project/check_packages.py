#!/usr/bin/python3
"""Checks that tools/packages.txt is what it says: group, package, purpose; known groups; no package twice."""

import re
import sys
from pathlib import Path

LIST = "tools/packages.txt"
GROUPS = ["build", "bench", "check", "files", "docs", "aarch64", "arm64", "arm64-games"]


def problems(text):
    found, seen = [], {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        words = line.split(maxsplit=2)
        if len(words) < 3:
            found.append(f"{LIST}:{number} wants a group, a package and what it is for")
            continue
        group, package, _ = words
        if group not in GROUPS:
            found.append(f"{LIST}:{number} has the group {group}; there are {', '.join(GROUPS)}")
        if not re.fullmatch(r"[a-z0-9][a-z0-9+.-]+(:arm64)?", package):
            found.append(f"{LIST}:{number}: {package} is not the name of a package")
        if package.endswith(":arm64") != group.startswith("arm64"):
            found.append(f"{LIST}:{number}: {package}: packages of the groups arm64…, and only these, end with :arm64")
        if package in seen:
            found.append(f"{LIST}:{number} lists {package} again, after line {seen[package]}")
        seen[package] = number
    if not seen:
        found.append(f"{LIST} lists nothing")
    return found


if __name__ == "__main__":
    found = problems((Path(__file__).resolve().parents[2] / LIST).read_text(encoding="utf-8"))
    print("\n".join(found))
    sys.exit(1 if found else 0)
