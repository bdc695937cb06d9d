// A tour of Filo's base layer, on the console. It shows
//   - a struct that is described once, then printed, written as JSON, edited as text and read back;
//   - random numbers as a histogram, the same on every machine;
//   - memory with a name and a limit;
//   - a file that does not exist, and log messages at several levels;
//   - the profiler.
//
// Try: ./dev run tour --seed 7      other random numbers
//      ./dev run tour --trace out/tour.json, then open that in a browser at ui.perfetto.dev
//      FILO_LOG=debug ./dev run tour

#include <filo/filo.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// ---- A struct and its description ---------------------------------------------------------------------

typedef enum Mood { MOOD_CALM, MOOD_HUNGRY, MOOD_ANGRY } Mood;
FILO_REFLECT_ENUM(Mood, FILO_VALUE(MOOD_CALM, "calm"), FILO_VALUE(MOOD_HUNGRY, "hungry"),
                  FILO_VALUE(MOOD_ANGRY, "angry"))

typedef struct Enemy {
    char name[16];
    FiloVec2 position;
    float health;
    Mood mood;
    uint16_t loot[3];
    FiloEntity target;
} Enemy;
FILO_REFLECT(Enemy, FILO_FIELD(char, name), FILO_FIELD(FiloVec2, position, .unit = "m"),
             FILO_FIELD(float, health, .min = 0, .max = 100, .unit = "hp", .help = "dies at 0"),
             FILO_FIELD(Mood, mood), FILO_FIELD(uint16_t, loot), FILO_FIELD(FiloEntity, target))

// ---- Showing ------------------------------------------------------------------------------------------

static bool colours;

static void heading(const char *text) { printf(colours ? "\n\033[1;36m%s\033[0m\n" : "\n%s\n", text); }

static void say(const char *text) { printf(colours ? "\n\033[2m%s\033[0m\n" : "\n%s\n", text); }

// ---- The stations of the tour -------------------------------------------------------------------------

static void show_problem(const FiloProblem *problem, void *user) {
    FILO_UNUSED(user);
    printf("  %s\n", problem->message);
}

static void show_reflection(void) {
    FILO_ZONE("reflection");
    heading("A struct, described once");
    char text[1024];
    filo_type_describe(FILO_TYPE(Enemy), text, sizeof text);
    fputs(text, stdout);

    say("written as JSON:");
    Enemy enemy = { "Crumb", { 3, 4.5f }, 80, MOOD_HUNGRY, { 7, 7, 1 }, { 42 } };
    FiloJsonWriter writer;
    filo_json_writer_init(&writer, &(FiloJsonWriterDesc){ .indent = 2 });
    filo_reflect_write_json(FILO_TYPE(Enemy), &enemy, &writer);
    if (filo_json_writer_ok(&writer)) puts(filo_json_writer_text(&writer));

    say("one value set by its path, as an editor or a console would:");
    FiloValue mood;
    FiloResult r = filo_reflect_find(&mood, FILO_TYPE(Enemy), &enemy, "mood");
    if (r.code == FILO_OK) r = filo_reflect_parse(mood, "angry");
    if (r.code != FILO_OK) filo_log_warn("tour", "%s", r.message);
    filo_reflect_print(mood, text, sizeof text);
    printf("  mood = %s\n", text);
    r = filo_reflect_parse(mood, "furious");
    printf("  mood = furious? %s\n", r.message);

    say("read back from a file that is not quite right; the rest is still taken:");
    const char *file = "{ \"name\": \"Biscuit\", \"health\": 150, \"mood\": \"calm\", \"armour\": 3 }";
    FiloJsonReader reader;
    filo_json_reader_init(&reader, file, strlen(file), "enemy.json");
    FiloReadOptions options = { .problem = show_problem, .partial = true };
    r = filo_reflect_read_json(FILO_TYPE(Enemy), &enemy, &reader, &options);
    if (r.code != FILO_OK) filo_log_warn("tour", "%s", r.message);
    printf("  hash of the result: %016llx, on every machine\n",
           (unsigned long long)filo_reflect_hash(FILO_TYPE(Enemy), &enemy, 0));
    filo_json_writer_deinit(&writer);
}

static void show_random(uint64_t seed) {
    FILO_ZONE("random numbers");
    enum { COLUMNS = 64, ROWS = 8, DRAWS = 20000 };
    heading("Twenty thousand random numbers of a normal distribution");
    int columns[COLUMNS] = { 0 }, tallest = 1;
    FiloRandom random = filo_random_keyed(seed, 0, 0, 0);
    for (int i = 0; i < DRAWS; i++) {
        int column = (int)filo_floor(filo_random_normal(&random) * 9 + 0.5f * COLUMNS);
        if (column >= 0 && column < COLUMNS && ++columns[column] > tallest) tallest = columns[column];
    }
    static const char *const blocks[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
    for (int row = ROWS - 1; row >= 0; row--) {
        for (int column = 0; column < COLUMNS; column++) {
            int eighths = columns[column] * ROWS * 8 / tallest - row * 8;
            fputs(blocks[FILO_CLAMP(eighths, 0, 8)], stdout);
        }
        putchar('\n');
    }
}

static void show_memory(void) {
    FILO_ZONE("memory");
    heading("Memory with a name and a limit");
    FiloArena arena;
    FiloResult r = filo_arena_init(&arena, &(FiloArenaDesc){ .name = "level", .reserve = FILO_MIB(1) });
    if (r.code != FILO_OK) {
        filo_log_error("tour", "%s", r.message);
        return;
    }
    Enemy *enemies = filo_arena_new(&arena, Enemy, 5000);
    if (enemies != NULL) enemies[4999].health = 1;
    char text[1024];
    filo_memory_print(text, sizeof text);
    fputs(text, stdout);
    say("more than that is refused, with a sentence in the log:");
    if (filo_arena_alloc(&arena, FILO_MIB(2), 16) == NULL) puts("  and the program goes on");
    filo_arena_deinit(&arena);
}

static void show_errors(void) {
    FILO_ZONE("errors");
    heading("What the outside world does wrong is a value");
    FiloFileData data;
    FiloResult r = filo_file_read(&data, "nowhere/level.json", NULL);
    printf("  %s  (%s)\n", r.message, filo_code_name(r.code));

    heading("Messages have a level and a channel");
    filo_log_info("tour", "shown by default");
    filo_log_debug("tour", "shown with FILO_LOG=debug or FILO_LOG=tour=debug");
    filo_log_warn("tour", "something was wrong, and was dealt with");
    filo_log_flush();
}

static FiloResult show_profile(const char *trace) {
    heading("Where the time went");
    char text[4096];
    filo_profile_summary(text, sizeof text);
    fputs(text, stdout);
    if (trace == NULL) return filo_ok();
    FiloResult r = filo_profile_save_trace(trace, NULL);
    if (r.code == FILO_OK) printf("\nwritten to %s\n", trace);
    return r;
}

// ---- Main ---------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    FiloArgs args;
    if (!filo_args_main(&args, argc, argv,
                        &(FiloArgsDesc){ .summary = "A tour of Filo's base layer.",
                                         .ignores = FILO_ARGS_SCREEN | FILO_ARGS_FRAMES | FILO_ARGS_THREADS |
                                                    FILO_ARGS_HASH | FILO_ARGS_STATS }))
        return args.exit_code;
    colours = isatty(STDOUT_FILENO);
    setvbuf(stdout, NULL, _IOLBF, 0); // so that what is printed and what is logged stay in order
    filo_profile_start(NULL);
    show_reflection();
    show_random(args.common.seed);
    show_memory();
    show_errors();
    filo_profile_stop();
    FiloResult r = show_profile(args.common.trace);
    if (r.code != FILO_OK) filo_log_error("tour", "%s", r.message);
    return r.code == FILO_OK ? 0 : 1;
}
