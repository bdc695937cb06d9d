#!/usr/bin/python3
"""./dev: what it adds to the flags of a game where there is no display, and what it refuses. In a made-up tree whose cmake
does nothing and whose games print what they are told."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = '#!/bin/sh\nprintf "%s\\n" "$@"\n'


def write_program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


class Test(unittest.TestCase):
    def setUp(self):
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.tree = Path(held.name).resolve()
        shutil.copy(ROOT / "dev", self.tree / "dev")
        for name, code in (("game", "filo_run"), ("loop", "filo_app_main"), ("tool", "filo_args_main"),
                           ("space", "filo_run .gfx3d = true")):
            (self.tree / "examples" / name).mkdir(parents=True)
            (self.tree / "examples" / name / "main.c").write_text(code, encoding="utf-8")
            write_program(self.tree / "build/play/examples" / name, PROGRAM)
        (self.tree / "build/play/build.ninja").touch()
        (self.tree / "tools").mkdir()
        (self.tree / "tools/packages.txt").touch()
        write_program(self.tree / "programs/cmake", "#!/bin/sh\n")
        write_program(self.tree / "programs/ctest", "#!/bin/sh\n")

    def dev(self, *words, display="", folder=None):
        environment = {**os.environ, "DISPLAY": display, "WAYLAND_DISPLAY": "", "NO_COLOR": "1",
                       "PATH": f"{self.tree}/programs:{os.environ['PATH']}"}
        environment.pop("FILO_BUILD", None)
        return subprocess.run([self.tree / "dev", *words], text=True, capture_output=True, env=environment, timeout=60,
                              cwd=folder or self.tree, stdin=subprocess.DEVNULL)

    def flags(self, *words, game="game", **others):
        done = self.dev("run", game, *words, **others)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.split("\n")[:-1], done.stderr

    def test_a_game_without_a_display_leaves_a_picture(self):
        given, said = self.flags()
        self.assertEqual(given, ["--headless", "--stats", "--frames", "600", "--shot", f"{self.tree}/out/game.png"])
        self.assertIn("picture in out/game.png", said)
        (self.tree / "elsewhere").mkdir()
        self.assertIn(f"picture in {self.tree}/out/game.png", self.flags(folder=self.tree / "elsewhere")[1])

    def test_a_game_with_a_loop_of_its_own_is_a_game(self):
        self.assertIn("--headless\n", self.dev("run", "loop").stdout)

    def test_a_game_in_3d_is_drawn_for_fewer_frames(self):
        given, _ = self.flags(game="space")
        self.assertEqual(given, ["--headless", "--stats", "--frames", "60", "--shot", f"{self.tree}/out/space.png"])
        given, _ = self.flags("--frames", "10", game="space")
        self.assertEqual(given[-2:], ["--frames", "10"])
        given, _ = self.flags("--backend", "null", game="space")
        self.assertEqual(given, ["--headless", "--stats", "--frames", "600", "--backend", "null"])

    def test_flags_that_are_given_are_not_added(self):
        for flag in (["--frames", "10"], ["--frames=10"]):
            given, _ = self.flags(*flag)
            self.assertEqual(given, ["--headless", "--stats", "--shot", f"{self.tree}/out/game.png", *flag])
        for flag in (["--shot", "x.png"], ["--shot=x.png"]):
            given, said = self.flags(*flag)
            self.assertEqual(given, ["--headless", "--stats", "--frames", "600", *flag])
            self.assertIn("picture in x.png", said)
            self.assertNotIn("out/", said)
        given, _ = self.flags("--replay=x", "--no-stats", "--shot=x.png")
        self.assertEqual(given, ["--headless", "--replay=x", "--no-stats", "--shot=x.png"])

    def test_nothing_is_added_that_makes_no_sense(self):
        for flag in (["--backend", "null"], ["--backend=null"]):
            given, said = self.flags(*flag)
            self.assertEqual(given, ["--headless", "--stats", "--frames", "600", *flag])
            self.assertNotIn("picture", said)
        for flag in ("--headless", "--no-headless", "--help", "-h"):
            self.assertEqual(self.flags(flag), ([flag], ""))
        self.assertEqual(self.flags("--frames", "3", display=":0"), (["--frames", "3"], ""))
        self.assertEqual(self.dev("run", "tool", "x").stdout, "x\n")

    def test_help_builds_nothing(self):
        for command in ("test", "bench", "check", "docs"):
            done = self.dev(command, "--help")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("./dev test", done.stdout)

    def prepare_aarch64(self, libraries, tests):
        """A tree in which the libraries for aarch64 are had or not, and ctest notes its filter and says how tests went."""
        write_program(self.tree / "tools/sysroot.sh", f"#!/bin/sh\n{libraries}\n")
        for preset in ("debug", "aarch64", "aarch64-games", "aarch64-debug"):
            (self.tree / "build" / preset).mkdir(parents=True)
            (self.tree / "build" / preset / "build.ninja").touch()
        write_program(self.tree / "programs/cmake", '#!/bin/sh\necho "cmake $*" >>told\n')
        write_program(self.tree / "programs/ctest", f'#!/bin/sh\necho "ctest $*" >>told\n{tests}\n')

    def told(self):
        return (self.tree / "told").read_text(encoding="utf-8")

    def test_worlds_are_compared_of_every_game(self):
        self.prepare_aarch64("", 'echo "1/1 Test #1: project.games.game.world .....   Passed    1.00 sec"')
        done = self.dev("check", "worlds")
        self.assertEqual((done.returncode, done.stdout), (0, "1 passed, 0 failed\n"), done.stderr)
        for preset in ("debug", "aarch64-games"):
            self.assertIn(f"cmake --build build/{preset} --target example_game example_loop example_space example_tool\n",
                          self.told())
        self.assertIn("ctest --test-dir build/aarch64-games", self.told())
        self.assertIn("-R ^project\\.games\\.[a-z0-9_]+\\.world$", self.told())

    def test_another_world_fails(self):
        self.prepare_aarch64("", 'echo "1/1 Test #1: project.games.game.world .....***Failed    1.00 sec"; exit 8')
        done = self.dev("check", "worlds")
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (1, "0 passed, 1 failed"))
        self.assertIn("A game is another one on aarch64.", done.stderr)

    def test_worlds_are_not_compared_where_the_libraries_cannot_be_had(self):
        self.prepare_aarch64("exit 1", "")
        done = self.dev("check", "worlds")
        self.assertEqual(done.returncode, 77)
        self.assertIn("The libraries for aarch64 cannot be had.", done.stderr)

    def test_what_a_release_build_for_aarch64_skips_is_tested_in_a_debug_build(self):
        self.prepare_aarch64("", """
            case $* in *aarch64-games*)
                mkdir -p build/aarch64-games/Testing/Temporary
                printf '%s\\n' '1/3 Testing: ecs.world.stops' '1/3 Test: ecs.world.stops' 'skipped: this is a release build' \\
                    '2/3 Test: gpu.device.draws' 'skipped: there is no GL' \\
                    '3/3 Test: base.arena.stops_too' 'skipped: this is a release build' \\
                    >build/aarch64-games/Testing/Temporary/LastTest.log
            esac
            echo "1/1 Test #1: x .....   Passed    1.00 sec\"""")
        done = self.dev("check", "aarch64-games")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("cmake --build build/aarch64-debug --target test_base_arena test_ecs_world\n", self.told())
        self.assertIn("build/aarch64-debug -j", self.told())
        self.assertIn("-R ^(base\\.arena\\.stops_too|ecs\\.world\\.stops)$", self.told())

    def check_files(self, status):
        self.prepare_aarch64("", "")
        write_program(self.tree / "tools/check_files.py", f'import sys\nprint("| row |", *sys.argv[1:])\nsys.exit({status})\n')
        return self.dev("check", "files")

    def test_files_are_read_by_programs_of_the_debug_build(self):
        done = self.check_files(0)
        self.assertEqual((done.returncode, done.stdout), (0, "| row | build/debug/tests\n"), done.stderr)
        self.assertEqual(self.told(), "cmake --build build/debug --target read_files test_text_letters test_text_directions\n")

    def test_another_row_of_files_fails(self):
        done = self.check_files(1)
        self.assertEqual(done.returncode, 1)
        self.assertIn("A file is not read as docs/files.md says.", done.stderr)

    def test_what_a_command_does_not_know_is_refused(self):
        for words, sentence in ((("docs", "--bogus"), "./dev docs knows no flag --bogus."),
                                (("docs", "all"), './dev docs does not know what to do with "all".'),
                                (("test", "-j4"), "./dev test knows no flag -j4."),
                                (("test", "a", "b"), './dev test does not know what to do with "b".'),
                                (("check", "fast", "now"), './dev check does not know what to do with "now".'),
                                (("check", "slow"), "./dev check knows fast, files, worlds, aarch64, aarch64-games"),
                                (("run", "nothing"), 'There is no example "nothing". There are: game loop space tool')):
            done = self.dev(*words)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(sentence, done.stderr)


if __name__ == "__main__":
    unittest.main()
