#!/usr/bin/python3
"""The checks of this folder can fail: a bad list of packages, a manual with links that lead nowhere."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import check_manual
import check_packages


class Test(unittest.TestCase):
    def test_a_bad_list_of_packages_is_named(self):
        self.assertEqual(check_packages.problems("# x\n\nbuild gcc compiler\n"), [])
        self.assertEqual(check_packages.problems("build gcc\nsoup cmake x\nbuild Ninja x\ndocs cmake x\n"), [
            "tools/packages.txt:1 wants a group, a package and what it is for",
            "tools/packages.txt:2 has the group soup; there are build, bench, check, files, docs, aarch64, arm64, arm64-games",
            "tools/packages.txt:3: Ninja is not the name of a package",
            "tools/packages.txt:4 lists cmake again, after line 2"])
        self.assertEqual(check_packages.problems("build gcc x\narm64 gcc:arm64 x\nbuild cc:arm64 x\narm64 c++ x\n"), [
            f"tools/packages.txt:{line}: {package}: packages of the groups arm64…, and only these, end with :arm64"
            for line, package in ((3, "cc:arm64"), (4, "c++"))])
        self.assertEqual(check_packages.problems("# x\n"), ["tools/packages.txt lists nothing"])

    def test_a_broken_manual_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "page.html").write_text(
                '<p id="here"><a href="#here">a</a>\n<a href="#there">b</a>\n<a href="gone.html">c</a>\n'
                '<a href="https://example.org">d</a>\n<img src="https://example.org/x.png">\n', encoding="utf-8")
            self.assertEqual(check_manual.check(Path(folder)), [
                "there is no index.html",
                "page.html:5 loads https://example.org/x.png from the network",
                "page.html:2 leads to #there, where there is no such anchor",
                "page.html:3 leads to gone.html, which is not there"])


if __name__ == "__main__":
    unittest.main()
