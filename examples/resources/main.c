// A voyage: components that own memory, and state outside of the world. It shows
//   - hooks: a sailor's diary owns a text of any length; construct, destruct, copy and move manage it;
//   - what `move` is for: a short text is in the component itself, which then points into itself;
//   - how the hash of the world includes memory without a description: by a field with its hash;
//   - a provider: the ship's log is outside of the world, and is saved, restored and hashed with it;
//   - a snapshot that restores both, and that nothing leaks.
//
// Try: ./dev run resources --seed 7
//      leave out `move`, and FILO_BUILD=debug ./dev run resources: Cy's diary then points to its old address
//      leave out `destruct`: the heap reports the leak
//      leave out the provider: after the restore, the log has days of the future

#include <filo/filo.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// ---- A component that owns something --------------------------------------------------------------------

typedef struct Diary {
    uint64_t hash;   // of the text, for the hash of the world
    char *text;      // in `brief` as long as it fits, then on the heap; ends with a zero
    uint32_t length; // of the text
    uint32_t size;   // bytes at `text`
    char brief[24];
} Diary;
FILO_REFLECT(Diary, FILO_FIELD(uint64_t, hash)) // pointers cannot be described

typedef struct Sailor {
    int32_t every; // days between two entries
} Sailor;
FILO_REFLECT(Sailor, FILO_FIELD(int32_t, every))

static void free_text(const Diary *diary, const FiloAllocator *paper) {
    if (diary->text != diary->brief) filo_free(paper, diary->text, diary->size, 1);
}

// Adds words to a diary. Without memory it does not change.
static void add_text(Diary *diary, const char *words, size_t count, const FiloAllocator *paper) {
    size_t length = diary->length + count;
    if (length >= diary->size) {
        size_t size = 2 * length;
        char *text = filo_alloc(paper, size, 1);
        if (text == NULL) return;
        memcpy(text, diary->text, diary->length);
        free_text(diary, paper);
        diary->text = text;
        diary->size = (uint32_t)size;
    }
    memcpy(diary->text + diary->length, words, count);
    diary->text[length] = '\0';
    diary->length = (uint32_t)length;
    diary->hash = filo_hash(diary->text, length);
}

static void clear_text(Diary *diary) {
    diary->text[0] = '\0';
    diary->length = 0;
    diary->hash = 0;
}

// The hooks. They get the diaries, and `user`: the heap that all diaries share. Systems may record copies on several
// threads at the same time; a heap may be used by any thread.

static void construct_diary(void *value, void *user) { // it is all zeroes, the default value
    FILO_UNUSED(user);
    Diary *diary = value;
    diary->text = diary->brief;
    diary->size = sizeof diary->brief;
}

static void destruct_diary(void *value, void *user) { free_text(value, user); }

static void copy_diary(void *to, const void *from, void *user) { // `to` is constructed already
    const Diary *diary = from;
    clear_text(to);
    if (diary->length > 0) add_text(to, diary->text, diary->length, user);
}

static void move_diary(void *to, void *from,
                       void *user) { // `to` is not constructed, `from` is not destructed
    FILO_UNUSED(user);
    const Diary *old = from;
    Diary *diary = to;
    *diary = *old;
    if (old->text == old->brief) diary->text = diary->brief;
}

// ---- State outside of the world -------------------------------------------------------------------------

typedef FiloArray(char) Log; // not a component

static size_t log_size(FiloWorld *world, void *user) {
    FILO_UNUSED(world);
    return ((const Log *)user)->count;
}

static void log_save(FiloWorld *world, void *bytes, void *user) {
    FILO_UNUSED(world);
    const Log *log = user;
    if (log->count > 0) memcpy(bytes, log->items, log->count);
}

static FiloResult log_restore(FiloWorld *world, const void *bytes, size_t size, void *user) {
    FILO_UNUSED(world);
    Log *log = user;
    if (bytes == NULL) size = 0; // a snapshot without a log: the log is empty
    if (!filo_array_resize(log, size)) return filo_error(FILO_ERROR_MEMORY, "no memory for the ship's log");
    if (size > 0) memcpy(log->items, bytes, size);
    return filo_ok();
}

static uint64_t log_hash(FiloWorld *world, void *user) {
    FILO_UNUSED(world);
    const Log *log = user;
    return filo_hash(log->items, log->count);
}

static void add_to_log(Log *log, const char *words) {
    if (!filo_array_push_many(log, words, strlen(words)))
        filo_log_error("resources", "no memory for the log");
}

// ---- Systems --------------------------------------------------------------------------------------------

// Called once a day, since the system has no terms.
static void watch_the_sky(FiloIter *it) {
    static const char *const skies[] = { " fair", " windy", " foggy", " stormy" };
    FiloRandom random = filo_iter_random(it, 0);
    add_to_log(it->user, skies[filo_random_below(&random, FILO_COUNT_OF(skies))]);
}

static void write_diaries(FiloIter *it) {
    static const char *const words[] = { " Seasick.", " A whale!", " Potatoes.", " No land." };
    Diary *diary = filo_write(it, Diary);
    const Sailor *sailor = filo_read(it, Sailor);
    for (size_t i = 0; i < it->count; i++) {
        FiloRandom random = filo_iter_random(it, i);
        const char *today = words[filo_random_below(&random, FILO_COUNT_OF(words))];
        if (it->tick % (uint64_t)sailor[i].every == 0) add_text(&diary[i], today, strlen(today), it->user);
    }
}

// ---- Setup ----------------------------------------------------------------------------------------------

static void set_up(FiloWorld *world, FiloHeap *paper, Log *log) {
    FiloAllocator *allocator = &paper->allocator;
    filo_component(world, Sailor);
    filo_component(world, Diary, .partial = true,
                   .hooks = { .construct = construct_diary,
                              .destruct = destruct_diary,
                              .copy = copy_diary,
                              .move = move_diary,
                              .user = allocator });
    filo_world_add_provider(world, &(FiloProvider){ .name = "ship's log",
                                                    .size = log_size,
                                                    .save = log_save,
                                                    .restore = log_restore,
                                                    .hash = log_hash,
                                                    .user = log });
    filo_system_add(world, &(FiloSystemDesc){ .name = "watch the sky", .run = watch_the_sky, .user = log });
    filo_system_add(world, &(FiloSystemDesc){ .name = "write diaries",
                                              .run = write_diaries,
                                              .user = allocator,
                                              .query.terms = { FILO_WRITE(Diary), FILO_READ(Sailor) } });
    static const char *const names[] = { "Ada", "Bo", "Cy" };
    for (int i = 0; i < 3; i++) // the last one seldom writes, so that his diary stays brief
        filo_entity_set_name(world, filo_create(world, FILO_SET(Sailor, 1 + 2 * i), FILO_ADD(Diary)),
                             names[i]);
}

static void report(const char *when, FiloWorld *world, const FiloHeap *paper, const Log *log) {
    printf("%s: the log says%.*s\n", when, (int)log->count, log->items);
    FiloQuery *query = filo_query(world, FILO_READ(Diary));
    FiloEach each = filo_query_each(query);
    while (filo_each_next(&each)) {
        const Diary *diary = filo_each_read(&each, Diary);
        printf("  %-4s %s:%s\n", filo_entity_name(world, each.entity),
               diary->text == diary->brief ? "(brief)" : "(long)", diary->text);
    }
    filo_query_release(query);
    printf("  %zu bytes of paper in use, hash %016" PRIx64 "\n", filo_heap_stats(paper).used,
           filo_world_hash(world));
}

// ---- Main -----------------------------------------------------------------------------------------------

static FiloResult sail(FiloWorld *world, int days) {
    FiloResult r = filo_ok();
    for (int i = 0; i < days && r.code == FILO_OK; i++) r = filo_world_tick(world, 1);
    return r;
}

static FiloResult voyage(FiloWorld *world, FiloSnapshot *before, FiloHeap *paper, Log *log) {
    FiloResult r = sail(world, 3);
    if (r.code == FILO_OK) r = filo_snapshot_take(before, world); // copies the diaries by `copy`
    if (r.code != FILO_OK) return r;
    report("after three days", world, paper, log);

    filo_entity_destroy(world, filo_world_find(world, "Ada")); // frees her text; Cy moves to her row
    filo_entity_set_name(world, filo_entity_copy(world, filo_world_find(world, "Bo")), "Bo 2"); // by `copy`
    r = sail(world, 2);
    if (r.code == FILO_OK) report("after five, without Ada", world, paper, log);

    if (r.code == FILO_OK) r = filo_snapshot_restore(before, world);
    if (r.code == FILO_OK) report("back to the third day", world, paper, log);
    if (r.code != FILO_OK) return r;

    uint64_t hash = filo_world_hash(world);
    add_to_log(log, " (and a mermaid)"); // does not change the world
    printf("a line in the log alone: %s\n",
           filo_world_hash(world) != hash ? "another hash" : "the same hash");
    return filo_ok();
}

int main(int argc, char **argv) {
    FiloArgs args;
    FiloArgsDesc desc = { .summary = "Diaries that own their texts, and a log outside of the world.",
                          .defaults.seed = 2,
                          .ignores = FILO_ARGS_SCREEN | FILO_ARGS_FRAMES | FILO_ARGS_HASH | FILO_ARGS_STATS |
                                     FILO_ARGS_TRACE };
    if (!filo_args_main(&args, argc, argv, &desc)) return args.exit_code;
    FiloHeap paper; // counts the memory of the diaries, and reports leaks at its end
    filo_heap_init(&paper, "paper", 0);
    Log log = { 0 };
    FiloJobs *jobs = NULL;
    FiloWorld *world = NULL;
    FiloSnapshot *before = filo_snapshot_create(NULL);
    FiloResult r =
        before != NULL ? filo_ok() : filo_error(FILO_ERROR_MEMORY, "there is no memory for a snapshot");
    if (r.code == FILO_OK) r = filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = args.common.threads });
    if (r.code == FILO_OK)
        r = filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs, .seed = args.common.seed });
    if (r.code == FILO_OK) {
        set_up(world, &paper, &log);
        r = voyage(world, before, &paper, &log);
    }
    if (r.code == FILO_OK) r = filo_out_of_memory_result();
    if (r.code != FILO_OK) filo_log_error("resources", "%s", r.message);
    filo_snapshot_destroy(before);
    filo_world_destroy(world);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    filo_array_deinit(&log);
    printf("at the end: %zu bytes of paper in use\n", filo_heap_stats(&paper).used);
    filo_heap_deinit(&paper);
    return r.code == FILO_OK ? 0 : 1;
}

// Prints, on any number of threads:
//
//  after three days: the log says foggy windy stormy
//    Ada  (long): Potatoes. A whale! Potatoes.
//    Bo   (brief): No land.
//    Cy   (brief): Seasick.
//    116 bytes of paper in use, hash 1dffc5e72b1ecbd1
//  after five, without Ada: the log says foggy windy stormy fair stormy
//    Cy   (brief): Seasick.
//    Bo   (brief): No land. No land.
//    Bo 2 (brief): No land. Seasick.
//    58 bytes of paper in use, hash 2824e519783c9668
//  back to the third day: the log says foggy windy stormy
//    Ada  (long): Potatoes. A whale! Potatoes.
//    Bo   (brief): No land.
//    Cy   (brief): Seasick.
//    116 bytes of paper in use, hash 1dffc5e72b1ecbd1
//  a line in the log alone: another hash
//  at the end: 0 bytes of paper in use
