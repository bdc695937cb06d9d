#!/usr/bin/python3
"""check_words.py on small trees: what follows the house style passes, and each violation is named with file and line."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import check_words

HEADER = """#ifndef FILO_DOOR_DOOR_H
#define FILO_DOOR_DOOR_H

#define DOOR_MAX 4
typedef struct DoorHinge {
    int angle;
} DoorHinge;
struct FiloDoor {
    DoorHinge hinge;
};
extern const int door_count;
void door_oil(DoorHinge *hinge);
static inline int door_angle(const DoorHinge *hinge) { return hinge->angle; }

#endif
"""
PUBLIC = "typedef struct FiloDoor FiloDoor;\nvoid filo_door_open(FiloDoor *door); // filo_door_shut is planned\n"


class Test(unittest.TestCase):
    def expect(self, files, *problems):
        files = {"include/filo/door.h": PUBLIC, "src/door/door.h": HEADER, **files}
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            self.assertEqual(check_words.check(folder), list(problems))

    def test_the_house_style_passes(self):
        self.expect({"src/door/door.c": "static void oil(void) {}\nvoid filo_door_open(FiloDoor *door) {}\n"
                                        "FILO_REFLECT(FiloDoor, FILO_FIELD(int, angle))\n"})

    def test_a_private_name_with_the_public_prefix_is_named(self):
        self.expect({"src/door/door.c": "\nvoid filo_door_shut(FiloDoor *door) {}\n"},
                    "src/door/door.c:2 defines filo_door_shut, which has the public prefix, but include/filo does not "
                    "declare it")

    def test_what_a_private_header_declares_begins_with_its_module(self):
        self.expect({"src/door/lock.h": "#ifndef LOCK_H\n#define LOCK_H\n#define KEYS 3\nvoid lock_turn(void);\n#endif\n"},
                    "src/door/lock.h:3 declares KEYS for other sources; begin it with door",
                    "src/door/lock.h:4 declares lock_turn for other sources; begin it with door")

    def test_a_header_without_a_guard_is_code_of_the_sources_that_include_it(self):
        self.expect({"src/door/loops.h": "static inline int swing(int angle) { return angle + DOOR_STEP; }\n"})

    def test_comments_speak_of_things(self):
        self.expect({"tests/door/door.c": 'int a; // for whoever knocks\nconst char *b = "// nobody";\n/* a\n Somebody */\n'},
                    'tests/door/door.c:1 says "whoever" in a comment; name the thing that is meant',
                    'tests/door/door.c:4 says "Somebody" in a comment; name the thing that is meant')

    def test_long_files_are_named(self):
        self.expect({"docs/door.md": "line\n" * 700, "tools/door.py": "pass\n" * 701},
                    "tools/door.py has 701 lines; part what has more than 700")


if __name__ == "__main__":
    unittest.main()
