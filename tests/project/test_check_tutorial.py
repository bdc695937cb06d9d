#!/usr/bin/python3
"""check_tutorial.py: a tutorial that leads to the example passes, and one that does not is told where it leaves it."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import check_tutorial

EXAMPLE = """\
// A program.
//
// It has a head.

#include <stdio.h>

// ---- Functions ---

static int two(void) {
    int n = 1;
    n++;
    return n;
}

int main(void) {
    puts("hello");
    printf("%d\\n", two());
    return 0;
}
"""

FIRST = '```c\n#include <stdio.h>\n\nint main(void) {\n    puts("hello");\n    return 0;\n}\n```\n'
SECOND = '```c\nstatic int two(void) {\n    int n = 1;\n    return n;\n}\n```\n\n```c\nprintf("%d\\n", two());\n```\n'
THIRD = "```c\nn++;\n```\n"
PAGE = f"# Page\n\nWords.\n\n## One\n\n{FIRST}\n## Nothing\n\n```sh\nls\n```\n\n## Two\n\n{SECOND}\n## Three\n\n{THIRD}"


class Test(unittest.TestCase):
    def problems(self, page=PAGE, example=EXAMPLE, second=None):
        with tempfile.TemporaryDirectory() as folder:
            texts = {"page.md": page, "second.md": second, "main.c": example}
            paths = [Path(folder) / name for name, text in texts.items() if text is not None]
            for path, text in zip(paths, (text for text in texts.values() if text is not None)):
                path.write_text(text, encoding="utf-8")
            found = check_tutorial.check(paths[:-1], paths[-1], "cc", folder, Path(folder) / "steps")
            self.steps = [path.read_text() for path in sorted((Path(folder) / "steps").glob("*.c"))]
        return "\n".join(found)

    def test_steps_that_lead_to_the_example_pass(self):
        self.assertEqual(self.problems(), "")
        self.assertEqual(len(self.steps), 3)
        self.assertEqual(self.steps[0], '#include <stdio.h>\n\nint main(void) {\n    puts("hello");\n    return 0;\n}\n')
        self.assertNotIn("n++", self.steps[1])
        self.assertIn("n++", self.steps[2])

    def test_a_block_that_is_not_in_the_example_is_named(self):
        text = self.problems(PAGE.replace("return n;", "return 2;"))
        self.assertIn("page.md:25: this block is not in the program of the step \"Two\"", text)
        self.assertIn("begins with: return 2;", text)
        self.assertNotIn("page.md:8", text)

    def test_a_line_that_comes_with_two_steps_is_named(self):
        text = self.problems(PAGE.replace("int n = 1;\n", "int n = 1;\n    n++;\n"))
        self.assertIn("page.md:25: this block is not in the program of the step \"Two\"", text)
        self.assertIn("begins with: n++;", text)

    def test_a_line_that_no_block_shows_is_named(self):
        example = EXAMPLE.replace("int main", "static int three = 3;\n\nint main")
        page = PAGE.replace("#include <stdio.h>\n", "#include <stdio.h>\n```\n\n```c\n")
        self.assertEqual(self.problems(page), "")
        self.assertIn("main.c:15: this line is in no block of the tutorial: static int three", self.problems(page, example))

    def test_a_block_that_fits_in_two_places_is_named(self):
        example = EXAMPLE.replace("    n++;\n", "    n++;\n    n++;\n")
        self.assertIn("fits in 2 places", self.problems(example=example))

    def test_a_step_that_does_not_compile_is_named(self):
        function, call = SECOND.split("\n\n")
        page = PAGE.replace(SECOND, call).replace(THIRD, f"{function}\n\n{THIRD}")
        text = self.problems(page)
        self.assertIn("the program of the step \"Two\" does not compile", text)
        self.assertNotIn("\"Three\"", text)

    def test_a_page_without_code_is_named(self):
        self.assertIn("main.c:5: this line is in no block", self.problems("# Page\n"))
        self.assertIn("second.md: there is no C code in it", self.problems(second="# Page\n"))

    def test_a_second_page_continues_the_first(self):
        first, third = PAGE.split("## Three")
        self.assertEqual(self.problems(first, second=f"# Page\n\n## Three{third}"), "")
        self.assertEqual(len(self.steps), 3)
        self.assertNotIn("n++", self.steps[1])
        self.assertIn("second.md:6: this block is not in the program of the step \"Three\"",
                      self.problems(first, second=f"# Page\n\n## Three{third}".replace("n++", "n--")))


if __name__ == "__main__":
    unittest.main()
