#!/usr/bin/python3
"""diagrams.py: the layout keeps boxes apart and is the same every time; stale files are noticed."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
import diagrams
import layer_diagram
import layers


class Test(unittest.TestCase):
    def test_boxes_of_a_row_do_not_touch(self):
        modules = layers.read_table(ROOT).modules
        rows = layer_diagram.make_rows(modules, {"base", "app"})
        layer_diagram.order_rows(rows)
        layer_diagram.place_rows(rows)
        for row in rows:
            for left, right in zip(row, row[1:]):
                self.assertLess(left.x + left.width / 2, right.x - right.width / 2)

    def test_what_follows_from_others_is_not_drawn(self):
        modules = {name: layers.Module(name, layer, requires, 1)
                   for name, layer, requires in (("a", 1, []), ("b", 2, ["a"]), ("c", 3, ["a", "b"]))}
        self.assertEqual(layer_diagram.direct_requirements(modules, "c"), ["b"])

    def test_crossings_are_undone(self):
        modules = {name: layers.Module(name, layer, requires, 1)
                   for name, layer, requires in (("a", 1, []), ("b", 1, []), ("x", 2, ["b"]), ("y", 2, ["a"]))}
        rows = layer_diagram.make_rows(modules, set())
        self.assertGreaterEqual(layer_diagram.cost(rows), 10000)
        layer_diagram.order_rows(rows)
        self.assertLess(layer_diagram.cost(rows), 10000)

    def test_drawing_twice_gives_the_same(self):
        self.assertEqual(diagrams.draw(ROOT), diagrams.draw(ROOT))

    def test_a_stale_file_is_noticed_and_written(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "docs").mkdir()
            shutil.copy(ROOT / "CMakeLists.txt", folder)
            shutil.copy(ROOT / "docs/architecture.md", Path(folder) / "docs")

            def run(*arguments):
                return subprocess.run([sys.executable, ROOT / "tools/diagrams.py", "--root", folder, *arguments],
                                      text=True, capture_output=True)

            stale = run("--check")
            self.assertEqual(stale.returncode, 1)
            self.assertIn("docs/diagrams/layers.svg is not up to date", stale.stdout)
            self.assertEqual(run().returncode, 0)
            self.assertEqual(run("--check").returncode, 0)


if __name__ == "__main__":
    unittest.main()
