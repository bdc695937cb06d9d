#!/usr/bin/python3
"""snippets.py: a page becomes a program, errors in it lead to the page, and output that the page does not show is noticed."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import snippets


class Test(unittest.TestCase):
    def page(self, text):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = Path(folder.name) / "page.md"
        path.write_text(text, encoding="utf-8")
        return path

    def test_declarations_stand_outside_of_main_and_the_rest_inside(self):
        page = self.page("# Page\n\n```c\nint a = 1;\n```\n\n```sh\nls\n```\n\n```c\n// one\nstatic int one(void);\n```\n")
        self.assertEqual(snippets.make(page), "#include <filo/filo.h>\n#include <stdio.h>\n"
                         f'#line 12 "{page}"\n// one\nstatic int one(void);\n'
                         f'int main(void) {{\n#line 4 "{page}"\nint a = 1;\nreturn 0;\n}}\n')

    def test_a_block_with_main_is_the_program(self):
        page = self.page("```c\nint main(void) {\n}\n```\n")
        self.assertEqual(snippets.make(page), f'#line 2 "{page}"\nint main(void) {{\n}}\n')
        with self.assertRaises(SystemExit):
            snippets.make(self.page("```c\nint main(void) {\n}\n```\n\n```c\nint a;\n```\n"))

    def test_a_page_may_continue_another(self):
        first = self.page("```c\nint a = 1;\n```\n\n```text\nhello\n```\n")
        second = first.parent / "second.md"
        second.write_text("The code continues that of [the first](page.md).\n\n```c\nint b = a;\n```\n", encoding="utf-8")
        self.assertEqual(snippets.make(second), "#include <filo/filo.h>\n#include <stdio.h>\nint main(void) {\n"
                         f'#line 2 "{first}"\nint a = 1;\n#line 4 "{second}"\nint b = a;\nreturn 0;\n}}\n')
        program = first.parent / "program"
        program.write_text("#!/bin/sh\necho hello\n", encoding="utf-8")
        program.chmod(0o755)
        self.assertIsNone(snippets.run(program, second))

    def test_a_page_with_a_frame_may_have_a_program_and_other_blocks(self):
        page = self.page("```c\nint main(void) {\n}\n```\n\n```c\nstatic int one;\n    …\none = 1;\n```\n\n```c\nint a;\n```\n")
        frame = page.parent / "page.c"
        frame.write_text("// outside\nint main(void) {\n    // inside\n}\n", encoding="utf-8")
        self.addCleanup(setattr, snippets, "FRAMES", snippets.FRAMES)
        snippets.FRAMES = page.parent
        self.assertEqual(snippets.make(page), f'#line 1 "{frame}"\n#line 2 "{page}"\nstatic int page_main(void) {{\n}}\n'
                         f'#line 7 "{page}"\nstatic int one;\n#line 2 "{frame}"\nint main(void) {{\n'
                         f'{{\n#line 9 "{page}"\none = 1;\n}}\n{{\n#line 13 "{page}"\nint a;\n}}\n#line 4 "{frame}"\n}}\n')

    def test_output_must_be_on_the_page(self):
        page = self.page("```text\nhello\n```\n")
        program = page.parent / "program"
        program.write_text("#!/bin/sh\necho hello\n", encoding="utf-8")
        program.chmod(0o755)
        self.assertIsNone(snippets.run(program, page))
        program.write_text("#!/bin/sh\necho goodbye\n", encoding="utf-8")
        self.assertIn("goodbye", snippets.run(program, page))
        program.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
        self.assertIn("ended with 3", snippets.run(program, page))

    def test_a_game_is_run_without_a_window_and_must_show_a_picture(self):
        page = self.page("```c\nint main(int argc, char **argv) {\n    return filo_run(argc, argv, &desc);\n}\n```\n")
        program = page.parent / "program"
        program.write_text('#!/bin/sh\n[ "$1" = --headless ] && touch "$5"\n', encoding="utf-8")
        program.chmod(0o755)
        self.assertIsNone(snippets.run(program, page))
        program.write_text("#!/bin/sh\n", encoding="utf-8")
        self.assertIn("no picture", snippets.run(program, page))


if __name__ == "__main__":
    unittest.main()
