#!/usr/bin/python3
"""check_layers.py on small trees: a good one passes, and each violation is named with both places."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import check_layers

GOOD = {
    "CMakeLists.txt": """\
# filo_module(ghost LAYER 9) is only a comment
filo_module(base LAYER 0 LINK m)
filo_module(jobs LAYER 1 REQUIRES base)
filo_module(events LAYER 2
    REQUIRES base jobs   # a comment)
    LINK m)
filo_module(ecs LAYER 3 REQUIRES base events)
""",
    "docs/architecture.md": """\
# Architecture

| Folder | What |
|---|---|
| src | sources |

| Layer | Module | State | What it is | May include, besides base |
|---|---|---|---|---|
| 0 | `base` | here | basics | – |
| 1 | `jobs` | here | work | – |
| 2 | `events` | here | news | jobs |
| 3 | `ecs` | here | world | events |
| 4 | `app` | planned | frame | all |

Text.

Private headers that every module may include: `base/text.h`,
`base/clock.h`. They are good.

`base/secret.h` is in another paragraph.
""",
    "include/filo/filo.h": "#include <filo/base.h>\n#include <filo/ecs.h>\n#include <filo/events.h>\n"
                           "#include <filo/jobs.h>\n",
    "include/filo/base.h": "#include <filo/types.h>\n",
    "include/filo/types.h": "#include <stddef.h>\n",
    "include/filo/jobs.h": "#include <filo/types.h>\n",
    "include/filo/events.h": "#include <filo/jobs.h>\n",
    "include/filo/ecs.h": "#include <filo/types.h>\n",
    "src/base/text.h": "",
    "src/base/clock.h": "",
    "src/base/secret.h": "",
    "src/base/text.c": '#include "base/text.h"\n#include "text.h"\n#include <filo/types.h>\n',
    "src/jobs/deque.h": "",
    "src/jobs/deque.c": '#include <filo/jobs.h>\n#include "jobs/deque.h"\n#include "base/text.h"\n#include <xxhash.h>\n'
                        '// #include <filo/ecs.h>\n/*\n#include <filo/ecs.h>\n*/\n',
    "src/events/bus.c": "#include <filo/events.h>\n#  include <filo/jobs.h>\n",
    "src/ecs/world.c": "#include <filo/events.h>\n",
}


class Test(unittest.TestCase):
    def problems(self, changes):
        """What the checker says of the good tree with these files changed; None removes one."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**GOOD, **changes}.items():
                if text is not None:
                    path = Path(folder) / name
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(text, encoding="utf-8")
            return check_layers.check(Path(folder).resolve())

    def expect(self, changes, *problems):
        self.assertEqual(self.problems(changes), list(problems))

    def edited(self, name, old, new):
        self.assertIn(old, GOOD[name])
        return {name: GOOD[name].replace(old, new)}

    def test_a_good_tree_passes(self):
        self.expect({})

    def test_an_undeclared_public_header_is_named(self):
        self.expect({"src/jobs/deque.c": "\n#include <filo/ecs.h>\n"},
                    "src/jobs/deque.c:2 includes <filo/ecs.h>, but CMakeLists.txt:3 declares jobs without ecs")

    def test_a_public_header_is_held_to_the_same_rule(self):
        self.expect({"include/filo/jobs.h": '#include "filo/events.h"\n'},
                    'include/filo/jobs.h:1 includes "filo/events.h", '
                    "but CMakeLists.txt:3 declares jobs without events")

    def test_a_header_of_base_may_not_look_up(self):
        self.expect({"include/filo/types.h": "#include <filo/jobs.h>\n"},
                    "include/filo/types.h:1 includes <filo/jobs.h>, but CMakeLists.txt:2 declares base without jobs")

    def test_requirements_are_not_transitive(self):
        self.expect({"src/ecs/world.c": "#include <filo/jobs.h>\n"},
                    "src/ecs/world.c:1 includes <filo/jobs.h>, but CMakeLists.txt:7 declares ecs without jobs")

    def test_a_private_header_of_a_required_module_is_refused(self):
        self.expect({"src/events/bus.c": '#include "jobs/deque.h"\n'},
                    'src/events/bus.c:1 includes "jobs/deque.h", but that header is private to jobs')

    def test_private_headers_for_all_are_those_that_the_page_names(self):
        self.expect({"src/ecs/world.c": '#include "base/clock.h"\n#include "base/secret.h"\n'},
                    'src/ecs/world.c:2 includes "base/secret.h", but that header is private to base')
        self.expect({"src/base/clock.h": None},
                    "docs/architecture.md lets every module include base/clock.h, but there is no such header")

    def test_a_private_header_by_way_of_dots_is_refused(self):
        self.expect({"src/ecs/world.c": '#include "../jobs/deque.h"\n'},
                    'src/ecs/world.c:1 includes "../jobs/deque.h", but that header is private to jobs, '
                    "and CMakeLists.txt:7 declares ecs without jobs")

    def test_a_private_header_in_angle_brackets_is_refused(self):
        self.expect({"src/events/bus.c": "#include <jobs/deque.h>\n"},
                    "src/events/bus.c:1 includes <jobs/deque.h>, but that header is private to jobs")

    def test_a_file_outside_of_the_modules_is_refused(self):
        self.expect({"tests/support/test.h": "", "src/ecs/world.c": '#include "../../tests/support/test.h"\n'},
                    'src/ecs/world.c:1 includes "../../tests/support/test.h", '
                    "but that is neither a public header nor a source of a module")

    def test_the_header_of_everything_is_refused(self):
        self.expect({"src/ecs/world.c": "#include <filo/filo.h>\n"},
                    "src/ecs/world.c:1 includes <filo/filo.h>, which is every module: include what is needed")

    def test_a_header_that_does_not_exist_is_named(self):
        self.expect({"src/ecs/world.c": '#include <filo/nothing.h>\n#include "jobs/nothing.h"\n'},
                    "src/ecs/world.c:1 includes <filo/nothing.h>, but there is no such header",
                    'src/ecs/world.c:2 includes "jobs/nothing.h", but there is no such header')

    def test_a_header_behind_a_macro_is_refused(self):
        self.expect({"src/ecs/world.c": "#include HEADER\n"},
                    "src/ecs/world.c:1 includes HEADER: name the header, so that it can be checked")

    def test_a_header_of_no_module_is_named(self):
        self.expect({"include/filo/stray.h": ""},
                    "include/filo/stray.h belongs to no module: CMakeLists.txt declares no module stray, "
                    "and include/filo/base.h does not include it")

    def test_filo_h_must_include_every_module(self):
        self.expect(self.edited("include/filo/filo.h", "#include <filo/ecs.h>\n", ""),
                    "include/filo/filo.h does not include <filo/ecs.h>, but CMakeLists.txt:7 declares ecs")

    def test_sources_of_no_module_are_named(self):
        self.expect({"src/ghost/ghost.c": ""},
                    "src/ghost has sources, but CMakeLists.txt does not declare a module ghost")

    def test_a_requirement_that_is_no_module_is_named(self):
        problems = self.problems(self.edited("CMakeLists.txt", "REQUIRES base events", "REQUIRES events soup"))
        self.assertIn("CMakeLists.txt:7 lets ecs include soup, which is not a module there", problems)

    def test_a_requirement_in_the_same_layer_is_named(self):
        changes = {**self.edited("CMakeLists.txt", "events LAYER 2", "events LAYER 1"),
                   **self.edited("docs/architecture.md", "| 2 | `events`", "| 1 | `events`")}
        self.expect(changes,
                    "CMakeLists.txt:4 lets events (layer 1) include jobs (layer 1, CMakeLists.txt:3); "
                    "a module may include only lower layers",
                    "docs/architecture.md:11 lets events (layer 1) include jobs (layer 1, docs/architecture.md:10); "
                    "a module may include only lower layers")

    def test_a_cycle_is_named(self):
        problems = self.problems(self.edited("CMakeLists.txt", "jobs LAYER 1 REQUIRES base",
                                             "jobs LAYER 1 REQUIRES ecs"))
        self.assertIn("CMakeLists.txt: jobs → ecs → events → jobs is a cycle "
                      "(CMakeLists.txt:3, CMakeLists.txt:7, CMakeLists.txt:4)", problems)

    def test_a_cycle_in_the_plan_is_named(self):
        problems = self.problems(self.edited(
            "docs/architecture.md", "| 4 | `app` | planned | frame | all |",
            "| 4 | `app` | planned | frame | ui |\n| 4 | `ui` | planned | panels | app |"))
        self.assertIn("docs/architecture.md: app → ui → app is a cycle "
                      "(docs/architecture.md:13, docs/architecture.md:14)", problems)

    def test_a_module_that_the_table_lacks_is_named(self):
        self.expect(self.edited("docs/architecture.md", "| 3 | `ecs` | here | world | events |\n", ""),
                    "CMakeLists.txt:7 declares ecs, but the table at docs/architecture.md:7 does not list it")

    def test_a_planned_module_that_exists_is_named(self):
        self.expect(self.edited("docs/architecture.md", "`ecs` | here", "`ecs` | planned"),
                    "CMakeLists.txt:7 declares ecs, but docs/architecture.md:12 says that it is planned")

    def test_a_module_that_is_said_to_exist_is_named(self):
        self.expect(self.edited("docs/architecture.md", "`app` | planned", "`app` | here"),
                    "docs/architecture.md:13 says that app is here, but CMakeLists.txt does not declare it")

    def test_a_different_layer_is_named(self):
        self.expect(self.edited("CMakeLists.txt", "ecs LAYER 3", "ecs LAYER 5"),
                    "CMakeLists.txt:7 declares ecs in layer 5, but docs/architecture.md:12 says layer 3")

    def test_different_requirements_are_named(self):
        self.expect(self.edited("docs/architecture.md", "world | events |", "world | jobs |"),
                    "CMakeLists.txt:7 declares ecs with events, but docs/architecture.md:12 lists ecs without it",
                    "CMakeLists.txt:7 declares ecs without jobs, but docs/architecture.md:12 lists ecs with it")

    def test_all_means_every_lower_layer(self):
        changes = {**self.edited("docs/architecture.md", "`app` | planned", "`app` | here"),
                   "CMakeLists.txt": GOOD["CMakeLists.txt"] + "filo_module(app LAYER 4 REQUIRES jobs events ecs)\n"}
        self.expect(changes)
        changes["CMakeLists.txt"] = GOOD["CMakeLists.txt"] + "filo_module(app LAYER 4 REQUIRES jobs ecs)\n"
        self.expect(changes, "CMakeLists.txt:8 declares app without events, "
                             "but docs/architecture.md:13 lists app with it")

    def test_all_of_a_module_that_is_here_leaves_out_what_is_planned(self):
        changes = {**self.edited("docs/architecture.md", "| 4 | `app` | planned | frame | all |",
                                 "| 3 | `sound` | planned | noise | jobs |\n| 4 | `app` | here | frame | all |"),
                   "CMakeLists.txt": GOOD["CMakeLists.txt"] + "filo_module(app LAYER 4 REQUIRES jobs events ecs)\n"}
        self.expect(changes)

    def test_what_cannot_be_read_is_named(self):
        self.expect(self.edited("CMakeLists.txt", "jobs LAYER 1", "jobs"),
                    "CMakeLists.txt:3 declares jobs without a LAYER that is one number")
        self.expect(self.edited("CMakeLists.txt", "jobs LAYER 1", "jobs PUBLIC LAYER 1"),
                    "CMakeLists.txt:3 declares jobs with 'PUBLIC', "
                    "which follows neither LAYER nor REQUIRES nor LINK nor EXCLUDE")
        self.expect({"CMakeLists.txt": GOOD["CMakeLists.txt"] + "filo_module(jobs LAYER 1)\n"},
                    "CMakeLists.txt:8 declares jobs again, after CMakeLists.txt:3")
        self.expect(self.edited("docs/architecture.md", "`jobs` | here", "`jobs` | soon"),
                    "docs/architecture.md:10 has jobs in the state 'soon': say here or planned")
        self.expect({"docs/architecture.md": "# Architecture\n"},
                    "docs/architecture.md: no table with the columns layer, module, state, what it is, "
                    "may include, besides base")


if __name__ == "__main__":
    unittest.main()
