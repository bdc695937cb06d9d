#!/usr/bin/env python3
"""Writes a C program that calls every public function with NULL and zeroes, each in a process of its own.

    tools/null_calls.py EXEMPTIONS OUTPUT COMPILER [FLAG …]

CONTRIBUTING.md promises that what a function returns on failure is harmless as an argument of its neighbours. The
program that this writes holds them to it: a call that ends by a signal, hangs, or returns a pointer into what would
have to lie at NULL is a failure. A check that fails
(FILO_CHECK, FILO_MISTAKE) is what should happen. EXEMPTIONS has a line for each exemption, with its reason:

    filo_panic_at      stops the program, as it says       the function is not called
    FiloArena *        the caller's own memory             instead of NULL, functions get one of zeroes
    FiloIter = filo_query_iter(NULL)  what a failure is    they get this, by pointer or by value

One that does not exist, is not needed or has no reason is an error, so that the list stays right.

Functions are found in the preprocessed headers of include/filo: prototypes and inline functions alike. Arguments are
declared as the prototype has them and initialised by {0}. The format of a printf-like function is "". Where a first
check would hide the next, there are further calls: with texts and functions that are not NULL, with an object as the
first argument, and with ids and numbers that are not 0 beside an object that is NULL.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADERS = ROOT / "include" / "filo"


def preprocess(compiler, flags):
    """The text of all public headers without their macros, and without what other headers say."""
    source = "".join(f"#include <filo/{header.name}>\n" for header in sorted(HEADERS.glob("*.h")))
    text = subprocess.run([*compiler, "-std=c17", "-D_GNU_SOURCE", f"-I{ROOT / 'include'}", *flags, "-E", "-x", "c", "-"],
                          input=source, capture_output=True, text=True, check=True).stdout
    lines, ours = [], False
    for line in text.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            ours = Path(marker.group(1)).parent == HEADERS
        elif ours:
            lines.append(line)
    return "\n".join(lines)


def statements(text):
    """What stands at the outermost level, each without the bodies of braces."""
    text = re.sub(r'"(?:\\.|[^"\\])*"', '""', text)
    text = re.sub(r"__attribute__\s*\(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)", " ", text)
    depth, start, said = 0, 0, ""
    for i, character in enumerate(text):
        if character == "{":
            if depth == 0:
                said += text[start:i]
            depth += 1
        elif character == "}":
            depth -= 1
            if depth == 0:
                start = i + 1
                if said.rstrip().endswith(")"):  # the body of a function; elsewhere a ; follows
                    yield " ".join(said.split())
                    said = ""
        elif character == ";" and depth == 0:
            yield " ".join((said + text[start:i]).split())
            said, start = "", i + 1


def split(parameters):
    """At commas that are in no parentheses."""
    parts, depth, part = [], 0, ""
    for character in parameters:
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += character
    return parts + [part.strip()]


def functions(text):
    """Names of functions and lists of their parameters; and names of those that return pointers."""
    found, pointers = {}, set()
    for statement in statements(text):
        if re.match(r"(typedef|struct|enum|union|_Static_assert)\b", statement) and "(" not in statement.split("{")[0]:
            continue
        if statement.startswith("typedef") or "=" in statement.split("(")[0]:
            continue
        head = re.match(r"([\w\s*]*?)\b(filo_\w+)\s*\((.*)\)$", statement)
        if head:
            result, name, parameters = head.group(1), head.group(2), split(head.group(3))
            found[name] = [] if parameters == ["void"] else parameters
            if "*" in result:
                pointers.add(name)
    return found, pointers


def struct_of(parameter):
    """The type of a parameter that is a struct, or a pointer to one."""
    struct = re.match(r"(?:const )?(Filo\w+) ?(\*?)(?:const )?\w+$", parameter)
    return struct.groups() if struct else (None, "")


def other_value(parameter, callbacks):
    """What else a parameter may be: for a text or a function, something other than NULL. Otherwise None."""
    if re.match(r"const char \*\w+$", parameter):
        return None if parameter.endswith("*format") else '"x"'
    is_function = "(*" in parameter.replace(" ", "") or parameter.split()[0] in callbacks
    return "(void *)nothing" if is_function else None


def declared(parameter, number, types):
    """A declaration of a variable as a parameter has it."""
    struct, star = struct_of(parameter)
    value = types.get(struct)
    if value:
        return (f"{struct} s{number} = {value}; {struct} *a{number} = &s{number};" if star
                else f"{struct} a{number} = {value};")
    if struct in types and star:
        return f"static {struct} s{number}; {struct} *a{number} = &s{number};"
    pointer = re.match(r"(.*\(\s*\*\s*(?:const\s+)?)(\w+)(\s*\).*)$", parameter)  # to a function
    if pointer:
        return f"{pointer.group(1)}a{number}{pointer.group(3)} = {{0}};"
    parameter = re.sub(r"\s*\[[^\]]*\]", "", re.sub(r"(\w+)\s*(\[[^\]]*\])", r"*\1", parameter))
    body = re.match(r"(.*?)(\w+)$", parameter)
    if "format" == body.group(2):
        return f'const char *a{number} = "";'
    return f"{body.group(1)} a{number} = {{0}};"


def exemptions(path, known):
    """Names of functions that are not called, and of types that are not NULL; None if the list is wrong, which is told."""
    functions_out, types, good = {}, {}, True
    used = {struct_of(parameter)[0] for parameters in known.values() for parameter in parameters}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, star, value, reason = re.match(r"(\w+)(?:( \*)| = (.*?\)(?=  )))?\s*(.*)$", line).groups()
        names = types if star or value else functions_out
        wrong = ("no reason is given" if not reason else "named twice" if name in names else
                 "no function takes one" if names is types and name not in used else
                 "there is no such function" if names is functions_out and name not in known else None)
        if wrong:
            print(f"{path}:{number}: {name}: {wrong}")
            good = False
        names[name] = value
    return (functions_out, types) if good else None


# How objects are made. A function whose first argument is one is called with it too, and with NULL and zeroes as the
# other arguments: what comes after the first check is seen only then.
LIVE = {
    "FiloActions": "filo_actions_create(&made, NULL);",
    "FiloCallbackTable": "filo_callback_table_create(&made, NULL);",
    "FiloChanges": "made = filo_changes_create(live_FiloWorld());",
    "FiloEvents": "filo_events_create(&made, &(FiloEventsDesc){ .jobs = live_FiloJobs() });",
    "FiloFreeList": "filo_free_list_create(&made, &(FiloFreeListDesc){ .count = 4, .block_size = 16 });",
    "FiloGpu": "filo_gpu_create(&made, &(FiloGpuDesc){ .kind = FILO_GPU_NULL });",
    "FiloHistory": "filo_history_create(&made, NULL);",
    "FiloJob": "made = filo_jobs_new(live_FiloJobs(), filo_job_do_nothing, NULL, 0);",
    "FiloJobs": "filo_jobs_create(&made, &(FiloJobsDesc){ .threads = 1 });",
    "FiloAssets": "filo_assets_create(&made, &(FiloAssetsDesc){ .jobs = live_FiloJobs() });",
    "FiloModules": "filo_modules_create(&made, NULL);",
    "FiloPlacement": "static const uint8_t map = 255; filo_placement_create(&made, &(FiloPlacementDesc){ .size = { 9, 9, 1 }, "
                     ".footprints = { { .footprint = 1, .layers = { { .density.map = { &map, FILO_MAP_U8, 1, 1 } } } } } });",
    "FiloPlacementWorld": "filo_placement_world_create(&made, live_FiloWorld(), "
                          "&(FiloPlacementWorldDesc){ .placement = live_FiloPlacement() });",
    "FiloQuery": "made = filo_query_create(live_FiloWorld(), &(FiloQueryDesc){ 0 });",
    "FiloRaster": "filo_raster_create(&made, NULL);",
    "FiloScene": "filo_scene_create(&made, live_FiloWorld(), NULL);",
    "FiloSharedArray": "filo_shared_array_create(&made, &(FiloSharedArrayDesc){ .count = 4, .element_size = 8 });",
    "FiloSharedMap": "filo_shared_map_create(&made, &(FiloSharedMapDesc){ .capacity = 4, .value_size = 8 });",
    "FiloSharedWordMap": "filo_shared_word_map_create(&made, &(FiloSharedWordMapDesc){ .capacity = 4 });",
    "FiloSharedWords": "filo_shared_words_create(&made, &(FiloSharedWordsDesc){ .count = 4 });",
    "FiloSnapshot": "made = filo_snapshot_create(NULL);",
    "FiloWordQueue": "filo_word_queue_create(&made, &(FiloWordQueueDesc){ .capacity = 4 });",
    "FiloWorld": "filo_world_create(&made, NULL);",
}


PROGRAM = r"""// Written by tools/null_calls.py.
#define _GNU_SOURCE
@INCLUDES@
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static uintptr_t nothing(void) { return 0; } // as a function of any kind

// A pointer to a part of what is not there.
static void look_at(const volatile void *result) {
    if (result != NULL && (uintptr_t)result < 1 << 20) _exit(4);
}

@LIVE@

@CALLS@

static const struct { const char *name; void (*call)(void); } calls[] = {
@TABLE@
};
enum { COUNT = sizeof calls / sizeof calls[0], SECONDS = 10 };

static FiloFaultAnswer go_on(const FiloFault *fault, void *user) {
    (void)user;
    if (fault->kind == FILO_FAULT_PANIC) return FILO_FAULT_DEFAULT;
    return FILO_FAULT_CONTINUE;
}

static void run(int i) {
    struct rlimit none = { 0, 0 };
    setrlimit(RLIMIT_CORE, &none);
    signal(SIGALRM, SIG_DFL);
    sigset_t all;
    sigemptyset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    for (int s = 1; s < 32; s++) signal(s, SIG_DFL); // also what a sanitizer would catch
    alarm(SECONDS);
    if (freopen("/dev/null", "w", stdout) == NULL || freopen("/dev/null", "w", stderr) == NULL) _exit(3);
    filo_fault_set_handler((FiloFaultHandler){ go_on, NULL });
    calls[i].call();
    _exit(0);
}

int main(int argc, char **argv) {
    int failed = 0, called = 0;
    char folder[] = "/tmp/filo_null_calls_XXXXXX", remove[64]; // for what writes files
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) {
        perror(folder);
        return 2;
    }
    snprintf(remove, sizeof remove, "rm -rf %s", folder);
    for (int i = 0; i < COUNT; i++) {
        if (argc > 1 && strcmp(argv[1], calls[i].name) != 0) continue;
        called++;
        if (argc > 2) { // in this process, for a debugger
            filo_fault_set_handler((FiloFaultHandler){ go_on, NULL });
            calls[i].call();
            continue;
        }
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) run(i);
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child) {
            perror("fork");
            return 2;
        }
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
        failed++;
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
            printf("%s: does not return\n", calls[i].name);
        else if (WIFSIGNALED(status))
            printf("%s: %s\n", calls[i].name, strsignal(WTERMSIG(status)));
        else if (WEXITSTATUS(status) == 4)
            printf("%s: returns a pointer into nothing\n", calls[i].name);
        else
            printf("%s: ends the process with %d\n", calls[i].name, WEXITSTATUS(status));
    }
    if (chdir("/") != 0 || system(remove) != 0) perror(folder);
    printf("%d calls with NULL and zeroes, %d are not harmless\n", called, failed);
    return failed > 0 || called == 0;
}
"""


def program(found, pointers, callbacks, left_out, types):
    calls, table = [], []
    for name, parameters in sorted(found.items()):
        if name in left_out:
            continue
        given = [p for p in parameters if p != "..."]
        variables = " ".join(declared(p, i, types) for i, p in enumerate(given))
        arguments = ", ".join(f"a{i}" for i in range(len(given)))
        call = f"({name})({arguments})"
        call = f"look_at({call})" if name in pointers else f"(void){call}"
        calls.append(f"static void call_{name}(void) {{ {variables} {call}; }}")
        table.append(f'    {{ "{name}", call_{name} }},')
        struct, star = struct_of(given[0]) if given else (None, "")
        live = f"a0 = live_{struct}();" if struct in LIVE and star else ""
        texts = " ".join(f"a{i} = {value};" for i, value in enumerate(other_value(p, callbacks) for p in given) if value)
        ones = " ".join(f"*(unsigned char *)&a{i} = 1;" for i, p in enumerate(given) if i > 0 and not re.search(r"[*\[(]", p))
        ones = ones + texts if ones and "*" in given[0] and struct not in types else ""
        for what, prefix, values in (("texts and functions", "text", texts), ("an object", "live", live),
                                     ("ones", "ones", ones),
                                     ("an object, texts and functions", "both", live + texts if live and texts else "")):
            if values:
                calls.append(f"static void {prefix}_call_{name}(void) {{ {variables} {values} {call}; }}")
                table.append(f'    {{ "{name} with {what}", {prefix}_call_{name} }},')
    live = [f"static {struct} *live_{struct}(void);" for struct in LIVE]
    live += [f"static {struct} *live_{struct}(void) {{ {struct} *made = NULL; {made} if (made == NULL) abort(); "
             f"return made; }}" for struct, made in LIVE.items()]
    includes = "\n".join(f"#include <filo/{header.name}>" for header in sorted(HEADERS.glob("*.h")))
    return (PROGRAM.replace("@INCLUDES@", includes).replace("@LIVE@", "\n".join(live)).replace("@CALLS@", "\n".join(calls))
            .replace("@TABLE@", "\n".join(table)))


def main():
    if len(sys.argv) < 4:
        print(__doc__.strip())
        return 2
    headers = preprocess([sys.argv[3]], sys.argv[4:])
    found, pointers = functions(headers)
    callbacks = set(re.findall(r"typedef [^;{]*?\(\s*\*\s*(Filo\w+)\s*\)", headers))
    left_out = exemptions(Path(sys.argv[1]), found)
    if left_out is None:
        return 1
    text = program(found, pointers, callbacks, *left_out)
    output = Path(sys.argv[2])
    if not output.exists() or output.read_text(encoding="utf-8") != text:
        output.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
