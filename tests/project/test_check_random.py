#!/usr/bin/python3
"""check_random.py on small trees: numbers that are drawn in no order are named with file and line, and others pass."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import check_random

HEADER = "float draw(FiloRandom *random, float high);\nFiloRandom make(const FiloRandom *random);\n"


class Test(unittest.TestCase):
    def found(self, *statements, before="", more={}):
        """Line and generator of what is found in a function of these statements, one a line, the first is line 1."""
        lines = before.count("\n") + 1
        source = f"{before}static void f(FiloRandom *r, Game *game) {{\n" + "\n".join(statements) + "\n}\n"
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"include/filo/random.h": HEADER, "src/a/a.c": source, **more}.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            problems = check_random.check(folder)
        place = [problem.split(" twice in one expression, in no order")[0] for problem in problems]
        found = [text.replace("src/a/a.c:", "").split(" draws from ") for text in place]
        return [(int(line) - lines if line.isdigit() else line, generator) for line, generator in found]

    def test_arguments_have_no_order(self):
        self.assertEqual(self.found("g(1, draw(r, 1), draw(r, 2));"), [(1, "r")])
        self.assertEqual(self.found("g(", "  h(draw(&game->dice, 1)),", "  k[draw(&game->dice, 2)]);"), [(1, "&game->dice")])
        self.assertEqual(self.found("g(draw(&a, 1), draw(&b, 1));", "g(draw(r, draw(r, 1)));", "g(make(r), make(r));"), [])

    def test_elements_of_an_initialiser_have_no_order(self):
        self.assertEqual(self.found("V v = { draw(r, 1), draw(r, 2) };"), [(1, "r")])
        self.assertEqual(self.found("V v;", "v = (V){ .at = { draw(r, 1), 0 }, .to = draw(r, 2) };"), [(2, "r")])
        self.assertEqual(self.found("return (V){ draw(r, 1), draw(r, 2) };"), [(1, "r")])

    def test_operands_have_no_order_except_of_some_operators(self):
        self.assertEqual(self.found("x = draw(r, 1) - draw(r, 2);", "k[(int)draw(r, 1)] = draw(r, 2);"), [(1, "r"), (2, "r")])
        self.assertEqual(self.found("x = draw(r, 1) > 0 && draw(r, 2) > 0;", "x = draw(r, 1) > 0 ? draw(r, 2) : draw(r, 3);",
                                    "x = draw(r, 1), y = draw(r, 2);", "float a = draw(r, 1), b = draw(r, 2);"), [])

    def test_statements_have_an_order(self):
        self.assertEqual(self.found("if (draw(r, 1) > 0) x = draw(r, 2);", "else { y = draw(r, 1); z = draw(r, 1); }",
                                    "for (x = draw(r, 1); draw(r, 2) > x; x += draw(r, 3)) y = draw(r, 4);",
                                    "each_of (&list, draw(r, 1)) z = draw(r, 2);"), [])

    def test_functions_that_draw_by_others_are_known(self):
        helper = "static float any(Game *game) { return draw(&game->dice, 1); }\n"
        self.assertEqual(self.found("g(any(game), any(game));", before=helper), [(1, "game")])
        shared = "static FiloRandom dice;\nstatic float any(void) { return draw(&dice, 1); }\n"
        self.assertEqual(self.found("g(any(), any());", before=shared), [(1, "&dice")])
        own = "static FiloRandom dice;\nstatic float any(int n) { FiloRandom r = dice; return draw(&r, 1); }\n"
        self.assertEqual(self.found("g(any(1), any(2));", before=own), [])
        self.assertEqual(self.found("g(any(game), any(game));", more={"src/a/helpers.h": helper}), [(1, "game")])
        self.assertEqual(self.found("g(any(game), any(game));", more={"src/b/helpers.c": helper}), [])

    def test_states_that_are_integers_are_generators(self):
        helper = "static uint32_t next(uint64_t *state) { return (uint32_t)(*state *= 5); }\n"
        self.assertEqual(self.found("g(next(&a), next(&a));", before=helper), [(1, "&a")])
        other = "static uint32_t next(const uint64_t *state, uint64_t *count) { return 1; }\n"
        self.assertEqual(self.found("g(next(&a, &b), next(&a, &b));", before=other), [])

    def test_comments_and_texts_are_no_calls(self):
        self.assertEqual(self.found("// g(draw(r, 1), draw(r, 2));", 'g("draw(r, 1)", draw(r, 2));',
                                    "#define PAIR g(draw(r, 1), draw(r, 2))"), [])


if __name__ == "__main__":
    unittest.main()
