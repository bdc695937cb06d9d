#!/usr/bin/python3
"""Builds and runs the program in this folder against an installed Filo, as its users would.

    build.py [options] install      installs the build tree into a prefix of its own
    build.py [options] cmake        uses that by find_package
    build.py [options] pkg_config   uses that by pkg-config
    build.py [options] guide        uses that by the CMakeLists.txt in docs/building.md, as it stands there
    build.py [options] shared       builds and installs Filo as a shared library, then does both
    build.py [options] beside       installs an optimised build beside the build tree's, which must be a debug build

The prefix is not the one that the build tree was configured for, so the installed tree has to be movable. In a build with
sanitizers the program gets them too. Exits with 77 where something that is needed is not installed.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
EXPECTED = "sum 4950, cellar: no such level (not found)\n"
EXPECTED_OF = {"consumer_lockfree": "100 words, of 10 keys\n"} # of programs that print something else
TARGETS = ["consumer", "consumer_base", "consumer_lockfree", "consumer_cxx"]


def run(*command, **options):
    """Runs a command and returns what it prints; ends the test with all of it if it fails."""
    command = [str(word) for word in command]
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if done.returncode != 0:
        print(f"$ {' '.join(command)}\n{done.stdout}")
        sys.exit(f"exit code {done.returncode}")
    return done.stdout


def expect(condition, message):
    if not condition:
        sys.exit(message)


class Consumer:
    def __init__(self, options):
        self.options = options
        self.flags = [f"-fsanitize={options.sanitize}"] if options.sanitize else []

    # ---- Installing ----

    def install(self, build, prefix, beside=False):
        if not beside:
            shutil.rmtree(prefix, ignore_errors=True)
        run("cmake", "--install", build, "--prefix", prefix)

    def check_static(self, prefix):
        """A program may have functions with any name that does not begin with filo_."""
        libraries = list(prefix.rglob("libfilo*.a"))
        expect(len(libraries) > 1, f"there are no libraries in {prefix}")
        for library in libraries:
            symbols = run("nm", "--defined-only", "--extern-only", "--format=posix", library).split("\n")
            names = {line.split()[0] for line in symbols if len(line.split()) > 1}
            # Sanitizers add names with underscores in front.
            foreign = sorted(name for name in names if not re.match(r"filo_|_", name))
            expect(not foreign, f"{library.name} has names without its prefix: {', '.join(foreign)}")

    def install_shared(self, prefix):
        build = self.options.work / "shared_build"
        run("cmake", "-S", ROOT, "-B", build, "-G", self.options.generator, *self.compilers(),
            "-DCMAKE_BUILD_TYPE=Debug", "-DFILO_SHARED=ON", "-DFILO_TESTS=OFF", "-DFILO_EXAMPLES=OFF",
            "-DFILO_BENCH=OFF", "-DFILO_FUZZ=OFF", f"-DFILO_SANITIZE={self.options.sanitize}")
        run("cmake", "--build", build)
        self.install(build, prefix)

    def compilers(self):
        return [f"-DCMAKE_C_COMPILER={self.options.c_compiler}",
                f"-DCMAKE_CXX_COMPILER={self.options.cxx_compiler}"]

    # ---- Using ----

    def use_cmake(self, prefix, build, targets, build_type=""):
        shutil.rmtree(build, ignore_errors=True)
        flags = " ".join(self.flags)
        configured = run("cmake", "-S", HERE, "-B", build, "-G", self.options.generator, *self.compilers(),
                         f"-DCMAKE_PREFIX_PATH={prefix}", f"-DWANTED_VERSION={self.options.version}",
                         f"-DCMAKE_BUILD_TYPE={build_type}",
                         f"-DCMAKE_C_FLAGS={flags}", f"-DCMAKE_CXX_FLAGS={flags}")
        expect(str(prefix) in configured, f"another Filo was found than the one in {prefix}:\n{configured}")
        run("cmake", "--build", build)
        for target in targets:
            self.check_output(build / target, prefix)

    def use_pkg_config(self, prefix, work):
        if shutil.which("pkg-config") is None:
            print("skipped: pkg-config is not installed")
            sys.exit(77)
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        found = [path for path in prefix.rglob("filo*.pc") if path.stem in ("filo", "filo-debug")]
        expect(len(found) == 1, f"expected one filo.pc in {prefix}, found {len(found)}")
        package = found[0].stem
        environment = dict(os.environ, PKG_CONFIG_PATH=str(found[0].parent))
        version = run("pkg-config", "--modversion", package, env=environment).strip()
        expect(version == self.options.version, f"{package}.pc says version {version}, not {self.options.version}")
        cflags = run("pkg-config", "--cflags", package, env=environment).split()
        libs = run("pkg-config", "--libs", package, env=environment).split()
        for flag in ("-ffp-contract=off", "-falign-loops=32"):
            expect(flag in cflags, f"{package}.pc does not pass on {flag}: {cflags}")
        run(self.options.c_compiler, *self.flags, HERE / "main.c", *cflags, *libs, "-o", work / "consumer")
        run(self.options.cxx_compiler, *self.flags, HERE / "main.cpp", *cflags, *libs, "-o", work / "consumer_cxx")
        for target in ("consumer", "consumer_cxx"):
            self.check_output(work / target, prefix)
        # One module, with what it needs and nothing else.
        package = package.replace("filo", "filo-lockfree")
        flags = run("pkg-config", "--cflags", "--libs", package, env=environment).split()
        run(self.options.c_compiler, *self.flags, HERE / "lockfree.c", *flags, "-o", work / "consumer_lockfree")
        self.check_output(work / "consumer_lockfree", prefix)
        package = package.replace("lockfree", "placement")
        flags = run("pkg-config", "--cflags", "--libs", package, env=environment).split()
        expect(not any("SDL" in flag for flag in flags), f"{package} brings the window with it: {flags}")
        run(self.options.c_compiler, *self.flags, ROOT / "examples/placement_plain/main.c", *flags, "-o", work / "plain")
        expect("111 trees" in run(work / "plain"), "placement_plain places other objects")

    def use_guide(self, prefix, work):
        """The CMakeLists.txt of the guide, and a main.c beside it, in a folder of their own."""
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        guide = (ROOT / "docs/building.md").read_text(encoding="utf-8")
        files = [text for text in re.findall(r"^```cmake\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)
                 if "cmake_minimum_required" in text]
        expect(len(files) == 1, f"expected one whole CMakeLists.txt in the guide, found {len(files)}")
        (work / "CMakeLists.txt").write_text(files[0], encoding="utf-8")
        shutil.copy(HERE / "main.c", work / "main.c")
        run("cmake", "-S", work, "-B", work / "build", "-G", self.options.generator, *self.compilers(),
            f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Debug", f"-DCMAKE_C_FLAGS={' '.join(self.flags)}")
        run("cmake", "--build", work / "build")
        output = run(work / "build/game")
        expect(output == EXPECTED, f"the game of the guide printed\n{output}instead of\n{EXPECTED}")

    def check_output(self, program, prefix):
        folders = ":".join(sorted({str(path.parent) for path in prefix.rglob("libfilo*")}))
        output = run(program, env=dict(os.environ, LD_LIBRARY_PATH=folders))
        expected = EXPECTED_OF.get(program.name, EXPECTED)
        expect(output == expected, f"{program.name} printed\n{output}instead of\n{expected}")

    # ---- A debug build and an optimised one in the same prefix ----

    def check_side_by_side(self, prefix, work):
        """Only names matter here, so the optimised libraries are empty files."""
        release = work / "release_build"
        run("cmake", "-S", ROOT, "-B", release, "-G", self.options.generator, *self.compilers(),
            "-DCMAKE_BUILD_TYPE=Release", "-DFILO_TESTS=OFF", "-DFILO_EXAMPLES=OFF",
            f"-DFILO_SANITIZE={self.options.sanitize}")
        for library in self.options.build.glob("libfilo*d.a"):
            (release / library.name.replace("d.a", ".a")).touch()
        self.install(release, prefix)
        self.install(self.options.build, prefix, beside=True)
        for name in ("libfilo.a", "libfilod.a", "filo.pc", "filo-debug.pc"):
            expect(any(prefix.rglob(name)), f"there is no {name} in {prefix}")
        self.use_cmake(prefix, work / "beside", ["consumer"], "Debug")
        for build_type, library in (("Debug", "/libfilod.a"), ("Release", "/libfilo.a")):
            build = work / f"beside_{build_type.lower()}"
            shutil.rmtree(build, ignore_errors=True)
            run("cmake", "-S", HERE, "-B", build, "-G", "Ninja", *self.compilers(), f"-DCMAKE_PREFIX_PATH={prefix}",
                f"-DWANTED_VERSION={self.options.version}", f"-DCMAKE_BUILD_TYPE={build_type}")
            commands = run("ninja", "-C", build, "-t", "commands", "consumer")
            expect(library in commands, f"a game built as {build_type} is not linked with {library}:\n{commands}")

    # ---- What only a shared library has ----

    def check_shared(self, prefix, program):
        library = next(prefix.rglob("libfilod.so"), None)
        expect(library is not None, f"there is no libfilod.so in {prefix}")
        linked = run("readelf", "-d", program)
        expect("[libfilod.so" in linked, f"{program.name} is not linked with the shared library:\n{linked}")
        symbols = run("nm", "-D", "--defined-only", "--format=posix", library).split("\n")
        names = {line.split()[0].split("@")[0] for line in symbols if line}
        # Sanitizers add names with underscores in front.
        foreign = sorted(name for name in names if not re.match(r"filo_|_", name))
        expect("filo_ok" in names, "libfilod.so does not export filo_ok")
        expect(not foreign, f"libfilod.so exports names without its prefix: {', '.join(foreign)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True, help="the build tree of Filo")
    parser.add_argument("--work", type=Path, required=True, help="a folder for prefixes and builds")
    parser.add_argument("--version", required=True)
    parser.add_argument("--c-compiler", required=True)
    parser.add_argument("--cxx-compiler", required=True)
    parser.add_argument("--generator", required=True)
    parser.add_argument("--sanitize", default="")
    parser.add_argument("what", choices=["install", "cmake", "pkg_config", "guide", "shared", "beside"])
    options = parser.parse_args()
    consumer, work = Consumer(options), options.work
    if options.what == "install":
        consumer.install(options.build, work / "prefix")
        consumer.check_static(work / "prefix")
    elif options.what == "cmake":
        consumer.use_cmake(work / "prefix", work / "cmake", TARGETS)
    elif options.what == "pkg_config":
        consumer.use_pkg_config(work / "prefix", work / "pkg_config")
    elif options.what == "guide":
        consumer.use_guide(work / "prefix", work / "guide")
    elif options.what == "beside":
        consumer.check_side_by_side(work / "beside_prefix", work)
    else:
        prefix = work / "shared_prefix"
        consumer.install_shared(prefix)
        consumer.use_cmake(prefix, work / "shared_cmake", TARGETS)
        consumer.use_pkg_config(prefix, work / "shared_pkg_config")
        consumer.check_shared(prefix, work / "shared_cmake/consumer")


if __name__ == "__main__":
    main()
