#!/usr/bin/python3
"""Checks the links in the project's pages: README.md, CONTRIBUTING.md, CHANGELOG.md and all of docs/.

    tools/check_links.py [--root FOLDER]

A relative link must lead to a file or folder of the repository; "#anchor" must be a heading of the page that
is meant, or "#L12" a line of a source. Links to the web are not followed. A name in code before a link to a source, as in
"`filo_app_frame` ([app/frame.c](../src/app/frame.c))" or "`build_row` in [build_quads.c](…)", must stand in that source.
Prints every broken link with file and line; exits with 1 if there are any. Standard library only.
"""

import argparse
import os
import re
import sys
from pathlib import Path
from urllib.parse import unquote

TOP_PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]

INLINE_LINK = re.compile(r"\]\(\s*(<[^>]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+[\"'(][^)]*)?\s*\)")
REFERENCE = re.compile(r"^ {0,3}\[([^\]^][^\]]*)\]:\s*(<[^>]*>|\S+)")
REFERENCE_USE = re.compile(r"\[[^\[\]]+\]\[([^\[\]]+)\]")
HTML_LINK = re.compile(r"<(?:a|img)\b[^>]*?\b(?:href|src)\s*=\s*[\"']([^\"']*)[\"']", re.IGNORECASE)
HTML_ANCHOR = re.compile(r"<[a-z0-9]+\b[^>]*?\b(?:id|name)\s*=\s*[\"']([^\"']*)[\"']", re.IGNORECASE)
NAME_IN_SOURCE = re.compile(r"`(\w+)`\s+(?:\(|in\s+)\[[^\]]*\]\(([^()#]+\.[ch])\)")
FENCE = re.compile(r"^\s{0,3}(`{3,}|~{3,})")
HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")


def pages(root):
    """The pages that are checked, and that the manual is made of, as paths in the repository."""
    root = Path(root)
    found = [name for name in TOP_PAGES if (root / name).is_file()]
    return found + sorted(path.relative_to(root).as_posix() for path in (root / "docs").rglob("*.md"))


def check(root):
    """All broken links in the tree at `root`, as sentences."""
    checker = Checker(Path(root))
    problems = []
    for page in pages(root):
        problems += checker.check_page(page)
    return problems


def visible_lines(text):
    """(line number, text) of what is not inside a code block; code spans are blanked."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        mark = FENCE.match(line)
        if fence is not None:
            if mark and mark.group(1).startswith(fence):
                fence = None
            continue
        if mark:
            fence = mark.group(1)
            continue
        yield number, line


def without_code_spans(line):
    return re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", lambda m: " " * len(m.group()), line)


def slug(heading):
    """The anchor of a heading, as GitHub and our manual make it: lower case, blanks to hyphens."""
    heading = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)  # a link counts as its text
    heading = re.sub(r"<[^>]*>", "", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")


class Slugs:
    """Gives anchors; a heading that comes again gets "-1", "-2", …"""

    def __init__(self):
        self.count = {}

    def next(self, heading):
        name = slug(heading)
        n = self.count.get(name, 0)
        self.count[name] = n + 1
        return f"{name}-{n}" if n else name


def anchors(text):
    """All anchors of a page."""
    slugs, found = Slugs(), set()
    for _, line in visible_lines(text):
        heading = HEADING.match(line)
        if heading:
            found.add(slugs.next(heading.group(2)))
        found.update(HTML_ANCHOR.findall(without_code_spans(line)))
    return found


def links(text):
    """(line, target, None) of every link, and (line, None, name) of every reference that is not defined."""
    lines = [(number, without_code_spans(line)) for number, line in visible_lines(text)]
    defined = {match.group(1).lower() for _, line in lines if (match := REFERENCE.match(line))}
    for number, line in lines:
        reference = REFERENCE.match(line)
        if reference:
            yield number, reference.group(2).strip("<>"), None
            continue
        for match in INLINE_LINK.finditer(line):
            yield number, match.group(1).strip("<>"), None
        for match in HTML_LINK.finditer(line):
            yield number, match.group(1), None
        for match in REFERENCE_USE.finditer(line):
            if match.group(1).lower() not in defined:
                yield number, None, match.group(1)


class Checker:
    def __init__(self, root):
        self.root = root
        self.known_anchors = {}

    def check_page(self, page):
        problems = self.check_names(page)
        for line, target, reference in links((self.root / page).read_text(encoding="utf-8")):
            if target is None:
                problems.append(f"{page}:{line} uses the reference [{reference}], which is defined nowhere")
                continue
            problem = self.judge(page, target)
            if problem:
                problems.append(f"{page}:{line} links to {target or 'nothing'}, {problem}")
        return problems

    def check_names(self, page):
        """Names of functions that have moved to another source, or are gone."""
        problems = []
        text = (self.root / page).read_text(encoding="utf-8")
        for match in NAME_IN_SOURCE.finditer(text):
            name, target = match.groups()
            source = self.root / os.path.dirname(page) / target
            if source.is_file() and not re.search(rf"\b{name}\b", source.read_text(encoding="utf-8")):
                line = text.count("\n", 0, match.start()) + 1
                problems.append(f"{page}:{line} says that {name} is in {target}, but it is not")
        return problems

    def judge(self, page, target):
        """What is wrong with this link; None if nothing."""
        if re.match(r"[a-z][a-z0-9+.-]*:", target, re.IGNORECASE):
            return None
        path, _, anchor = unquote(target).partition("#")
        if path.startswith("/"):
            return "which is not relative to the page"
        if not path and not anchor:
            return "which leads nowhere"
        file = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if file.startswith(".."):
            return "which is outside the repository"
        if not (self.root / file).exists():
            return f"but there is no {file}"
        if "#" in target:
            return self.judge_anchor(file, anchor)
        return None

    def judge_anchor(self, file, anchor):
        path = self.root / file
        if path.suffix == ".md":
            if file not in self.known_anchors:
                self.known_anchors[file] = anchors(path.read_text(encoding="utf-8"))
            return None if anchor in self.known_anchors[file] else f"but {file} has no heading for #{anchor}"
        number = re.fullmatch(r"L(\d+)", anchor)
        if path.is_dir() or not number:
            return f"but {file} has no anchor #{anchor}"
        count = len(path.read_text(encoding="utf-8").splitlines())
        if not 1 <= int(number.group(1)) <= count:
            return f"but {file} has {count} lines"
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent,
                        help="the repository (default: the one that this tool is in)")
    problems = check(parser.parse_args().root)
    for problem in problems:
        print(problem)
    if problems:
        print(f"{len(problems)} broken link{'s' if len(problems) > 1 else ''}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
