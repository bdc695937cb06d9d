#!/usr/bin/python3
"""Finds expressions in which two random numbers are drawn from one generator without an order between them.

    tools/check_random.py [--root FOLDER]

C leaves open which argument of a call, which element of an initialiser and which operand of an operator is evaluated first,
and compilers differ: f(draw(&r), draw(&r)) may get its numbers in either order. Only ; , && || and ?: have one.

What draws: a function with a parameter FiloRandom *, or with a pointer to an integer that is named as a state (STATES); and
a function that lets such a function draw from what one of its parameters points to, or from a variable of its file. Two
draws are of one generator if it is written in the same way.

Prints every such expression with file and line; exits with 1 if there are any. Standard library only.
"""

import argparse
import re
import sys
from pathlib import Path

FOLDERS = ["bench", "examples", "include", "src", "tests"]
STATES = r"(?:state|seed|random|dice|numbers)"
SKIPPED = re.compile(r"//[^\n]*|/\*.*?\*/|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.DOTALL | re.MULTILINE)
TOKEN = re.compile(r'\n|[A-Za-z_]\w*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|\.?\d[\w.+-]*|&&|\|\||->|\S')
GENERATOR = re.compile(rf"(?<!const )(?:FiloRandom \* \w+|uint(?:32|64)_t \* {STATES})$")
CLOSING = {"(": ")", "{": "}", "[": "]"}
CLOSED = set(CLOSING.values())
HEADS = {"if", "while", "for", "switch"}  # before a parenthesis; what follows it comes after it
NOT_CALLED = HEADS | {"return", "sizeof", "case", "else", "do"}


class Group:
    """What is between two brackets."""

    def __init__(self, kind, line):
        self.kind, self.line, self.items = kind, line, []


class Word:
    def __init__(self, text, line):
        self.text, self.line = text, line


def is_name(item):
    return isinstance(item, Word) and re.match(r"[A-Za-z_]", item.text) is not None


def is_group(item, kinds):
    return isinstance(item, Group) and item.kind in kinds


def parse(text):
    """The tokens of a source as a tree of groups, without comments and preprocessor lines."""
    text = SKIPPED.sub(lambda match: "\n" * match[0].count("\n"), text)
    top, line = Group("", 1), 1
    open_groups = [top]
    for match in TOKEN.finditer(text):
        token = match[0]
        if token == "\n":
            line += 1
        elif token in CLOSING:
            group = Group(token, line)
            open_groups[-1].items.append(group)
            open_groups.append(group)
        elif token in CLOSED:
            if len(open_groups) > 1:
                open_groups.pop()
        else:
            open_groups[-1].items.append(Word(token, line))
    return top


def words_of(items):
    """The text of some items, with one blank between."""
    return " ".join(item.text if isinstance(item, Word) else f"{item.kind}{words_of(item.items)}{CLOSING[item.kind]}"
                    for item in items)


def split(items, separators):
    parts = [[]]
    for item in items:
        if isinstance(item, Word) and item.text in separators:
            parts.append([])
        else:
            parts[-1].append(item)
    return parts


def functions_of(tree):
    """Name, parameters and body of every function of a file; the body is None for a declaration."""
    items = tree.items
    for i in range(1, len(items)):
        if not (is_group(items[i], "(") and is_name(items[i - 1])):
            if is_group(items[i], "{") and [w.text for w in items[max(i - 2, 0):i] if isinstance(w, Word)][:1] == ["extern"]:
                yield from functions_of(items[i])  # extern "C" {
            continue
        body = next((item for item in items[i + 1:i + 2] if is_group(item, "{")), None)
        yield items[i - 1].text, [words_of(part) for part in split(items[i].items, {","})], body


class Tree:
    """All sources, and which of their functions draw: by name and file, the numbers of the parameters that they draw from,
    and the variables of the file, as text."""

    def __init__(self, root):
        root = Path(root)
        files = [file for folder in FOLDERS for file in sorted((root / folder).rglob("*.[ch]"))]
        self.texts = {file.relative_to(root): file.read_text(encoding="utf-8") for file in files}
        self.words = {path: set(re.findall(r"\w+", text)) for path, text in self.texts.items()}
        self.read, self.draws = {}, {}
        for path, text in self.texts.items():
            if re.search(rf"FiloRandom|\* ?{STATES}\b", text):
                self.note_parameters(path)
        fresh = set(self.draws)
        while fresh:
            fresh = self.note_callers(fresh)

    def functions(self, path):
        """Of a file: name, parameters, body, and the words in it."""
        if path not in self.read:
            self.read[path] = [(name, parameters, body, set(re.findall(r"\w+", words_of(body.items))) if body else set())
                               for name, parameters, body in functions_of(parse(self.texts[path]))]
        return self.read[path]

    def callers(self, names):
        """Path and function of all that may call a function of these names."""
        for path, words in self.words.items():
            here = {name for name in words & names if self.drawn_by(name, path)}
            for function in self.functions(path) if here else []:
                if function[3] & here:
                    yield path, function

    def note_parameters(self, path):
        for name, parameters, _, _ in self.functions(path):
            drawn = {n for n, parameter in enumerate(parameters) if GENERATOR.search(parameter)}
            if drawn:
                self.draws.setdefault(name, {}).setdefault(path, set()).update(drawn)

    def drawn_by(self, name, path):
        """What a function of this name draws from if it is called in this file."""
        found = self.draws.get(name, {})
        if path in found:
            return found[path]
        return set().union(*(drawn for other, drawn in found.items()
                             if other.parent == path.parent or other.suffix == ".h"))

    def note_callers(self, names):
        """Notes what functions draw by calling those of these names; the names of functions for which that is new."""
        fresh = set()
        for path, (name, parameters, body, _) in self.callers(names):
            own = [next(iter(re.findall(r"(\w+)(?: \[.*)?$", parameter)), "") for parameter in parameters]
            drawn = set()
            for generator in Expressions(self, path).generators(body):
                base = re.match(r"(?:[&(*] ?)*(\w+)", generator)
                if base and base[1] in own:
                    if "*" in parameters[own.index(base[1])]:
                        drawn.add(own.index(base[1]))
                elif base and re.search(rf"^static [^;(){{]*\b{base[1]}\b", self.texts[path], re.MULTILINE):
                    drawn.add(generator)
            known = self.draws.setdefault(name, {}).setdefault(path, set()) if drawn else drawn
            if not drawn <= known:
                known |= drawn
                fresh.add(name)
        return fresh


class Expressions:
    """Reads the expressions of one file. What a function returns is the generators, as text, from which it draws."""

    def __init__(self, tree, path):
        self.tree, self.path, self.problems = tree, path, []

    def generators(self, group):
        """Of a block, or of all that is in brackets; every part that ends with a separator comes before the next."""
        found = set()
        for part in split(group.items, {";", ",", "&&", "||", "?", ":"}):
            found |= self.unordered(part)
        return found

    def list_of(self, group):
        """Of arguments and of elements of an initialiser, which have no order."""
        return self.together([self.generators_of(part) for part in split(group.items, {","})], group.line)

    def generators_of(self, items):
        part = Group("(", items[0].line if items else 0)
        part.items = items
        return self.generators(part)

    def together(self, parts, line):
        found = set()
        for part in parts:
            for generator in sorted(found & part):
                self.problems.append((line, generator))
            found |= part
        return found

    def unordered(self, items):
        """Of operands. A head, as of a loop, and a block end what came before."""
        found, parts = set(), []
        for i, item in enumerate(items):
            if not isinstance(item, Group):
                continue
            before = items[i - 1] if i > 0 else None
            after = items[i + 1] if i + 1 < len(items) else None
            called = is_group(item, "(") and is_name(before) and before.text not in NOT_CALLED
            if is_group(item, "{") and (is_name(before) and before.text not in ("return",) or
                                        is_group(before, "(") and i > 1 and is_name(items[i - 2]) and
                                        items[i - 2].text not in ("return", "sizeof") or before is None):
                found |= self.together(parts, item.line) | self.generators(item)
                parts = []
            elif is_group(item, "{"):
                parts.append(self.list_of(item))
            elif called:
                parts.append(self.call(before.text, item))
            else:
                parts.append(self.generators(item))
            if is_group(item, "(") and is_name(before) and (before.text in HEADS or is_name(after)):
                found |= self.together(parts, item.line)
                parts = []
        return found | self.together(parts, items[0].line if items else 0)

    def call(self, name, group):
        """Of a call: what its arguments draw comes before what the function itself does."""
        found, arguments = self.list_of(group), [words_of(part) for part in split(group.items, {","})]
        for drawn in self.tree.drawn_by(name, self.path):
            if isinstance(drawn, str):
                found = found | {drawn}
            elif drawn < len(arguments):
                found = found | {arguments[drawn]}
        return found


def check(root):
    """All violations in the tree at `root`, as sentences."""
    tree, found = Tree(root), {}
    for path, (_, _, body, _) in tree.callers(set(tree.draws)):
        expressions = Expressions(tree, path)
        expressions.generators(body)
        found.update(dict.fromkeys((path.as_posix(), *problem) for problem in expressions.problems))
    return [f"{path}:{line} draws from {generator.replace(' ', '')} twice in one expression, in no order: draw each number in "
            "a statement of its own" for path, line, generator in found]


def main():
    parser = argparse.ArgumentParser(description="Finds random numbers that are drawn in no order.")
    parser.add_argument("--root", default=Path(__file__).resolve().parent.parent)
    problems = check(parser.parse_args().root)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
