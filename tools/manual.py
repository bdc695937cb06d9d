#!/usr/bin/python3
"""Builds the manual: static pages in out/manual, beginning at index.html.

    tools/manual.py [--out FOLDER]

It has every page that check_links.py checks, every public header with its symbols linked to where they are
declared, an index of all symbols, and a page for every other file that some page links to. The pages lie as their
originals do in the repository ("docs/building.md" becomes "docs/building.html", "include/filo/log.h" becomes
"include/filo/log.h.html"), so relative links stay as they are but for the ending.

Broken links are errors. Nothing is loaded from the network. Needs python3-markdown and python3-pygments.
"""

import argparse
import os
import posixpath
import re
import shutil
import sys
from html import escape
from pathlib import Path

sys.dont_write_bytecode = True  # leaves no __pycache__ in the tree

import check_links
import layers
import symbols

try:
    import markdown
    import pygments.lexers
    from markdown.extensions.toc import TocExtension
    from markdown.treeprocessors import Treeprocessor
    from pygments.token import string_to_tokentype
    from pygments.util import ClassNotFound
except ImportError as missing:
    print(f"tools/manual.py: {missing}: install the packages of the group docs in tools/packages.txt")
    sys.exit(77)  # ctest counts this as skipped

MARKDOWN_EXTENSIONS = ["tables", "fenced_code", "sane_lists"]
GUIDE_ORDER = ["README.md", "docs/tutorial.md", "docs/tutorial-menu.md", "docs/tutorial-3d.md", "docs/tutorial-physics.md", "docs/building.md", "docs/architecture.md",
               "docs/determinism.md", "docs/security.md", "docs/app.md"]
LAST_GUIDES = ["CONTRIBUTING.md", "CHANGELOG.md"]

# Only these kinds of tokens get a colour; the rest is plain.
TOKEN_CLASSES = [(string_to_tokentype(name), css) for name, css in (
    ("Comment.Preproc", "p"), ("Comment.PreprocFile", "s"), ("Comment", "c"), ("Keyword", "k"),
    ("Literal.String", "s"), ("Literal.Number", "n"), ("Name.Builtin", "k"), ("Name.Function", "f"))]


class Manual:
    def __init__(self, root, out):
        self.root, self.out = root, out
        self.pages = check_links.pages(root)
        self.headers = [f"include/filo/{name}" for name in layers.public_headers(root)]
        self.symbols = symbols.find(root, self.headers)
        self.todo = []  # files that some page links to
        self.made = set()

    def build(self):
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir(parents=True)
        shutil.copy(Path(__file__).with_name("manual.css"), self.out / "manual.css")
        for page in self.pages:
            self.make_guide(page)
        for header in self.headers:
            self.make_source(header)
        self.make_front()
        self.make_symbol_index()
        while self.todo:
            path = self.todo.pop()
            if path not in self.made:
                self.make_linked(path)
        return len(self.made) + 2

    # ---- Pages ----

    def make_guide(self, page):
        text = (self.root / page).read_text(encoding="utf-8")
        slugs = check_links.Slugs()
        toc = TocExtension(slugify=lambda heading, separator: slugs.next(heading), toc_depth="2-3")
        md = markdown.Markdown(extensions=MARKDOWN_EXTENSIONS + [toc])
        md.treeprocessors.register(Links(md, self, page), "filo_links", 0)
        body = md.convert(text)
        body = re.sub(r'<pre><code(?: class="language-([\w+-]+)")?>(.*?)</code></pre>', self.colour_block, body,
                      flags=re.DOTALL)
        body = re.sub(r"<table>.*?</table>", lambda m: f'<div class="wide">{m.group()}</div>', body, flags=re.DOTALL)
        outline = [(token["id"], token["name"]) for token in (md.toc_tokens or [])]
        self.write(page, title_of(text, page), f"<article>{body}</article>", outline)

    def make_source(self, path):
        text = (self.root / path).read_text(encoding="utf-8")
        sections = symbols.sections(text)
        code = self.colour_file(path, text, {line for line, _ in sections})
        self.write(path, path_name(path), f"<h1>{escape(path_name(path))}</h1>{code}",
                   [(f"L{line}", name) for line, name in sections], "source")

    def make_linked(self, path):
        full = self.root / path
        if full.is_dir():
            entries = sorted(full.iterdir(), key=lambda p: (p.is_file(), p.name))
            items = "".join(f"<li>{self.folder_entry(path, entry)}</li>" for entry in entries)
            self.write(path, path, f"<article><h1>{escape(path)}</h1><ul>{items}</ul></article>", [])
        elif full.suffix in (".svg", ".png", ".jpg", ".gif"):
            self.made.add(path)
            target = self.out / path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(full, target)
        else:
            self.make_source(path)

    def folder_entry(self, folder, entry):
        path = posixpath.join(folder, entry.name)
        if entry.is_dir():
            return f"{escape(entry.name)}/"
        return f'<a href="{self.relative(folder, path)}">{escape(entry.name)}</a>'

    def make_front(self):
        here = "index.html"
        parts = ["<h1>Filo</h1>", '<p class="lead">A deterministic, data-oriented game engine in C. '
                 "The guides explain it; the headers are its reference, and can be read from top to bottom.</p>",
                 "<h2>Guides</h2><dl>"]
        for page in self.guides():
            text = (self.root / page).read_text(encoding="utf-8")
            parts.append(f'<dt><a href="{self.relative(here, page)}">{escape(title_of(text, page))}</a></dt>'
                         f"<dd>{escape(first_sentence(text))}</dd>")
        parts.append("</dl><h2>Headers</h2><dl>")
        for header in self.headers:
            about = symbols.summary((self.root / header).read_text(encoding="utf-8"))
            parts.append(f'<dt><a href="{self.relative(here, header)}"><code>{escape(path_name(header))}</code></a>'
                         f"</dt><dd>{escape(about)}</dd>")
        parts.append('</dl><p><a href="symbols.html">All functions, types and macros</a></p>')
        self.write_file(here, "Filo", f"<article>{''.join(parts)}</article>", [], "")

    def make_symbol_index(self):
        here = "symbols.html"
        parts, outline = ["<h1>All symbols</h1>"], []
        for kind, title in symbols.KINDS.items():
            names = sorted(name for name, symbol in self.symbols.items() if symbol.kind == kind)
            if not names:
                continue
            outline.append((kind, title))
            rows = "".join(f'<li><a href="{self.symbol_link(here, name)}"><code>{name}</code></a> '
                           f"<span>{escape(path_name(self.symbols[name].header))}</span></li>" for name in names)
            parts.append(f'<h2 id="{kind}">{title}</h2><ul class="symbols">{rows}</ul>')
        self.write_file(here, "All symbols", f"<article>{''.join(parts)}</article>", outline, "")

    # ---- Links ----

    def page_of(self, path):
        """The page in the manual that shows a file of the repository."""
        if path in ("index.html", "symbols.html"):
            return path
        if (self.root / path).is_dir():
            return posixpath.join("" if path == "." else path, "folder.html")
        if path.endswith((".svg", ".png", ".jpg", ".gif")):
            return path
        return path[:-len(".md")] + ".html" if path in self.pages else path + ".html"

    def relative(self, here, path):
        """The link from the page of `here` to the page of `path`, which is made if need be."""
        if path not in ("index.html", "symbols.html"):
            self.todo.append(path)
        return posixpath.relpath(self.page_of(path), posixpath.dirname(self.page_of(here)) or ".")

    def symbol_link(self, here, name):
        symbol = self.symbols[name]
        return f"{self.relative(here, symbol.header)}#L{symbol.line}"

    def rewrite(self, here, target):
        """A link as it stands in the page `here`, as it has to be in the manual."""
        if re.match(r"[a-z][a-z0-9+.-]*:", target, re.IGNORECASE) or target.startswith("#"):
            return target
        path, hash_sign, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(here), path))
        return self.relative(here, path) + hash_sign + anchor

    def link_for_code(self, here, code):
        """Where a piece of code in the text leads to: a header or a symbol; None if to neither."""
        header = re.fullmatch(r"<?(filo/[\w/]+\.h)>?", code)
        if header and f"include/{header.group(1)}" in self.headers:
            return self.relative(here, f"include/{header.group(1)}")
        name = re.fullmatch(r"(\w+)(\(\))?", code)
        if name and name.group(1) in self.symbols:
            return self.symbol_link(here, name.group(1))
        return None

    # ---- Colours ----

    def colour_block(self, match):
        language, code = match.group(1), match.group(2)
        for entity, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&")):
            code = code.replace(entity, character)
        if not language:
            return f"<pre>{escape(code, quote=False)}</pre>"
        try:
            lexer = pygments.lexers.get_lexer_by_name(language)
        except ClassNotFound:
            lexer = pygments.lexers.get_lexer_by_name("text")
        return f"<pre>{''.join(coloured(kind, text) for kind, text in lexer.get_tokens(code))}</pre>"

    def colour_file(self, path, text, marks):
        """A source with line numbers, an anchor on each line, and its symbols linked."""
        try:
            lexer = pygments.lexers.get_lexer_for_filename(path, stripnl=False)
        except ClassNotFound:
            lexer = pygments.lexers.get_lexer_by_name("text", stripnl=False)
        is_c = path.endswith((".c", ".h"))
        lines = [[]]
        for kind, token in lexer.get_tokens(text):
            for i, piece in enumerate(token.split("\n")):
                if i:
                    lines.append([])
                if piece:
                    lines[-1].append(self.coloured_symbols(path, kind, piece, len(lines)) if is_c
                                     else coloured(kind, piece))
        while lines and not lines[-1]:
            lines.pop()
        rows = "".join(f'<span class="line{" mark" if number in marks else ""}" id="L{number}">'
                       f'<a class="number" href="#L{number}">{number}</a>{"".join(line)}\n</span>'
                       for number, line in enumerate(lines, 1))
        return f'<pre class="file">{rows}</pre>'

    def coloured_symbols(self, here, kind, text, line):
        """Links whatever is declared in a public header, in code and in comments."""
        def link(match):
            word = match.group()
            symbol = self.symbols.get(word)
            if word.startswith("filo/"):
                target = self.link_for_code(here, word) if here != f"include/{word}" else None
            elif symbol and (symbol.header, symbol.line) != (here, line):
                target = self.symbol_link(here, word)
            else:
                target = None
            word = escape(word, quote=False)
            if symbol and target is None:
                return f"<b>{word}</b>"
            return f'<a href="{target}">{word}</a>' if target else word

        pieces, end = [], 0
        for match in re.finditer(r"filo/\w+\.h|\b(?:filo_|Filo|FILO_)\w+", text):
            pieces += [escape(text[end:match.start()], quote=False), link(match)]
            end = match.end()
        pieces.append(escape(text[end:], quote=False))
        return wrapped(kind, "".join(pieces))

    # ---- Writing ----

    def guides(self):
        middle = [page for page in self.pages if page not in GUIDE_ORDER + LAST_GUIDES]
        return [page for page in GUIDE_ORDER if page in self.pages] + middle + \
               [page for page in LAST_GUIDES if page in self.pages]

    def navigation(self, here):
        def item(path, name):
            current = ' class="current"' if path == here else ""
            return f'<li><a{current} href="{self.relative(here, path)}">{name}</a></li>'

        guides = "".join(item(page, escape(title_of((self.root / page).read_text(encoding="utf-8"), page)))
                         for page in self.guides())
        headers = "".join(item(header, escape(path_name(header))) for header in self.headers)
        return (f'<nav class="site"><p class="brand"><a href="{self.relative(here, "index.html")}">Filo</a></p>'
                f"<h2>Guides</h2><ul>{guides}</ul><h2>Headers</h2><ul class=\"code\">{headers}</ul>"
                f"<h2>Index</h2><ul>{item('symbols.html', 'All symbols')}</ul></nav>")

    def write(self, path, title, body, outline, kind=""):
        self.made.add(path)
        self.write_file(path, title, body, outline, kind)

    def write_file(self, path, title, body, outline, kind):
        file = self.out / self.page_of(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        css = posixpath.relpath("manual.css", posixpath.dirname(self.page_of(path)) or ".")
        inside = "".join(f'<li><a href="#{anchor}">{escape(name)}</a></li>' for anchor, name in outline)
        aside = f'<nav class="outline"><h2>On this page</h2><ul>{inside}</ul></nav>' if len(outline) > 1 else ""
        full_title = title if title == "Filo" else f"{title} · Filo"
        file.write_text(
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{escape(full_title)}</title>\n"
            f'<link rel="stylesheet" href="{css}">\n</head>\n<body>\n{self.navigation(path)}\n'
            f'<main class="{kind or "page"}">\n{body}\n</main>\n{aside}\n</body>\n</html>\n', encoding="utf-8")


class Links(Treeprocessor):
    """Points the links of a page into the manual, and links code that names a header or a symbol."""

    def __init__(self, md, manual, page):
        super().__init__(md)
        self.manual, self.page = manual, page

    def run(self, tree):
        self.visit(tree, inside_link=False)

    def visit(self, element, inside_link):
        for attribute in ("href", "src"):
            if element.get(attribute):
                element.set(attribute, self.manual.rewrite(self.page, element.get(attribute)))
        for index, child in enumerate(list(element)):
            text = str(child.text or "")
            target = None
            if child.tag == "code" and element.tag != "pre" and not inside_link:
                target = self.manual.link_for_code(self.page, text.replace("&lt;", "<").replace("&gt;", ">"))
            if target:
                link = element.makeelement("a", {"href": target})
                link.tail, child.tail = child.tail, None
                element.remove(child)
                link.append(child)
                element.insert(index, link)
            else:
                self.visit(child, inside_link or child.tag == "a")


def coloured(kind, text):
    return wrapped(kind, escape(text, quote=False))


def wrapped(kind, html):
    if not html.strip():
        return html
    for token, css in TOKEN_CLASSES:
        if kind in token:
            return f'<span class="{css}">{html}</span>'
    return html


def title_of(text, page):
    heading = re.search(r"^# +(.+?)\s*$", text, re.MULTILINE)
    return heading.group(1).replace("`", "") if heading else page


def path_name(path):
    """How a file is called in the manual: headers as one includes them."""
    return path[len("include/"):] if path.startswith("include/") else path


def first_sentence(text):
    """The first sentence of a page's first paragraph, as plain text."""
    for paragraph in re.split(r"\n\s*\n", text):
        paragraph = " ".join(paragraph.split())
        if paragraph and paragraph[0] not in "#!|<`-":
            plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", paragraph).replace("*", "").replace("`", "")
            return re.match(r".*?[.!?](?= |$)|.*", plain).group()
    return ""


def main():
    root = Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=root,
                        help="the repository (default: the one that this tool is in)")
    parser.add_argument("--out", type=Path, help="where to write it (default: out/manual in the repository)")
    arguments = parser.parse_args()
    problems = check_links.check(arguments.root)
    if problems:
        print("\n".join(problems))
        return 1
    out = arguments.out or arguments.root / "out/manual"
    if out.exists() and any(out.iterdir()) and not (out / "manual.css").is_file():
        print(f"{out}: there is something else in this folder")
        return 1
    count = Manual(arguments.root.resolve(), out).build()
    print(f"{os.path.relpath(out)}/index.html: {count} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
