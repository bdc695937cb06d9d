#!/usr/bin/python3
"""symbols.py: what a header declares is found, with its kind and line; what it only mentions is not."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import symbols

HEADER = """\
// filo/door.h: doors that open,
// and close. They also creak.
//
//     filo_door_knock(door);

#ifndef FILO_DOOR_H
#define FILO_DOOR_H

// ---- Kinds ----------------------------------------------------

typedef enum FiloDoorKind {
    FILO_DOOR_WOOD, // creaks
    FILO_DOOR_STEEL = 4,
    FILO_DOOR_COUNT
} FiloDoorKind;

typedef struct FiloDoor {
    FiloDoorKind kind;
} FiloDoor;
typedef void (*FiloDoorHook)(FiloDoor *door);
typedef uint32_t FiloDoorId;

#define FILO_DOOR_MAX 12
#define filo_door_log(door, ...)  \\
    filo_log_info("door", __VA_ARGS__)
#    define FILO_DOOR_PRIVATE_ 1

// ---- Opening ----------------------------------------------------

extern uint32_t filo_door_version;
bool filo_door_open(FiloDoor *door, FiloDoorKind kind,
                    FiloDoorHook hook);
const char *filo_door_name(const FiloDoor *door); // see filo_door_open(door)
static inline bool filo_door_is_open(const FiloDoor *door) {
    return filo_door_angle(door) > 0;
}
#endif
"""


class Test(unittest.TestCase):
    def test_every_declaration_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "door.h").write_text(HEADER, encoding="utf-8")
            found = symbols.find(folder, ["door.h"])
        self.assertEqual({name: (symbol.kind, symbol.line) for name, symbol in found.items()}, {
            "FiloDoorKind": ("type", 11), "FILO_DOOR_WOOD": ("constant", 12), "FILO_DOOR_STEEL": ("constant", 13),
            "FILO_DOOR_COUNT": ("constant", 14), "FiloDoor": ("type", 17), "FiloDoorHook": ("type", 20),
            "FiloDoorId": ("type", 21), "FILO_DOOR_MAX": ("macro", 23), "filo_door_log": ("macro", 24),
            "filo_door_version": ("variable", 30), "filo_door_open": ("function", 31),
            "filo_door_name": ("function", 33), "filo_door_is_open": ("function", 34)})

    def test_sections_and_summary_are_found(self):
        self.assertEqual(symbols.sections(HEADER), [(9, "Kinds"), (28, "Opening")])
        self.assertEqual(symbols.summary(HEADER), "doors that open, and close")


if __name__ == "__main__":
    unittest.main()
