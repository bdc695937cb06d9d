#!/usr/bin/python3
"""Builds the manual into the given folder, then follows every link in it: all lead somewhere, none to load
anything from the network. Exits with 77 where the packages for the manual are missing."""

import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

TOOL = Path(__file__).resolve().parents[2] / "tools/manual.py"


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loads = set(), [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "id" in attributes:
            self.ids.add(attributes["id"])
        if tag == "a" and "href" in attributes:
            self.links.append((self.getpos()[0], attributes["href"]))
        loaded = attributes.get("src") or (attributes.get("href") if tag == "link" else None)
        if loaded:
            self.loads.append((self.getpos()[0], loaded))


def check(folder):
    pages = {path.resolve(): Page(path) for path in sorted(folder.rglob("*.html"))}
    problems = [] if folder.resolve() / "index.html" in pages else ["there is no index.html"]
    for path, page in pages.items():
        place = path.relative_to(folder.resolve())
        for line, target in page.loads + page.links:
            if target.startswith(("http:", "https:", "mailto:")):
                if (line, target) in page.loads:
                    problems.append(f"{place}:{line} loads {target} from the network")
                continue
            file, _, anchor = target.partition("#")
            goal = (path.parent / unquote(file)).resolve() if file else path
            if not goal.is_file():
                problems.append(f"{place}:{line} leads to {target}, which is not there")
            elif anchor and goal in pages and unquote(anchor) not in pages[goal].ids:
                problems.append(f"{place}:{line} leads to {target}, where there is no such anchor")
    return problems


def main():
    folder = Path(sys.argv[1])
    built = subprocess.run([sys.executable, TOOL, "--out", folder])
    if built.returncode != 0:
        return built.returncode
    problems = check(folder)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
