#!/usr/bin/python3
"""check_links.py on small trees: good links pass, and each broken one is named with file and line."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import check_links


class Test(unittest.TestCase):
    def expect(self, page, *problems):
        """Checks docs/page.md with this text in a tree with a few other files."""
        files = {"README.md": "# Read me\n", "docs/other.md": "# Other\n\n## What's new, `here`?\n\n## Twice\n\n## Twice\n",
                 "src/main.c": "int main(void) {\n    return 0;\n}\n", "docs/a picture.svg": "<svg/>",
                 "docs/page.md": page}
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            self.assertEqual(check_links.check(folder), list(problems))

    def test_good_links_pass(self):
        self.expect("# Page\n[a](other.md) [b](../README.md#read-me) ![c](a%20picture.svg) [d](<a picture.svg>)\n"
                    '[e](../src/main.c#L3 "title") [f](../src) [g](#page) [h](https://example.org/no#where)\n'
                    "[i][ref] <a href=\"other.md\">x</a> [two\nlines](other.md)\n\n[ref]: other.md#whats-new-here\n")

    def test_a_missing_file_is_named_with_its_line(self):
        self.expect("# Page\n\nSee [that](gone.md) and [this](other.md).\n",
                    "docs/page.md:3 links to gone.md, but there is no docs/gone.md")

    def test_a_name_must_stand_in_the_source_that_is_linked(self):
        self.expect("# Page\n\n`main` ([main.c](../src/main.c)) calls\n`start` in [main.c](../src/main.c).\n",
                    "docs/page.md:4 says that start is in ../src/main.c, but it is not")

    def test_every_page_is_checked(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/deep/page.md"):
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("[x](gone)\n", encoding="utf-8")
            self.assertEqual(len(check_links.check(folder)), 4)

    def test_a_missing_heading_is_named(self):
        self.expect("[a](other.md#nowhere)\n[b](#nowhere)\n",
                    "docs/page.md:1 links to other.md#nowhere, but docs/other.md has no heading for #nowhere",
                    "docs/page.md:2 links to #nowhere, but docs/page.md has no heading for #nowhere")

    def test_a_heading_that_comes_twice_has_two_anchors(self):
        self.expect("[a](other.md#twice) [b](other.md#twice-1)\n[c](other.md#twice-2)\n",
                    "docs/page.md:2 links to other.md#twice-2, but docs/other.md has no heading for #twice-2")

    def test_a_heading_inside_code_is_none(self):
        self.expect("```sh\n# not a heading\n```\n[a](#not-a-heading)\n",
                    "docs/page.md:4 links to #not-a-heading, but docs/page.md has no heading for #not-a-heading")

    def test_a_line_past_the_end_is_named(self):
        self.expect("[a](../src/main.c#L4)\n", "docs/page.md:1 links to ../src/main.c#L4, but src/main.c has 3 lines")
        self.expect("[a](../src/main.c#main)\n",
                    "docs/page.md:1 links to ../src/main.c#main, but src/main.c has no anchor #main")

    def test_links_in_code_are_left_alone(self):
        self.expect("```c\n[a](gone.md)\n```\n`[b](gone.md)` ``[c](`gone.md)``\n~~~~\n```\n[d](gone.md)\n~~~~\n")

    def test_pictures_and_html_are_checked(self):
        self.expect('![a](gone.svg)\n<img alt="x" src="gone.png">\n<a href="gone.html">x</a>\n',
                    "docs/page.md:1 links to gone.svg, but there is no docs/gone.svg",
                    "docs/page.md:2 links to gone.png, but there is no docs/gone.png",
                    "docs/page.md:3 links to gone.html, but there is no docs/gone.html")

    def test_references_are_checked(self):
        self.expect("[a][ref] [b][lost]\n\n[ref]: gone.md\n",
                    "docs/page.md:1 uses the reference [lost], which is defined nowhere",
                    "docs/page.md:3 links to gone.md, but there is no docs/gone.md")

    def test_absolute_and_outside_links_are_refused(self):
        self.expect("[a](/etc/passwd)\n[b](../../x)\n[c]()\n",
                    "docs/page.md:1 links to /etc/passwd, which is not relative to the page",
                    "docs/page.md:2 links to ../../x, which is outside the repository",
                    "docs/page.md:3 links to nothing, which leads nowhere")


if __name__ == "__main__":
    unittest.main()
