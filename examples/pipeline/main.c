// Counts the words of files: files are read while others are counted, and workers never wait for a disk. It shows
//   - filo_async_read_file: all reads are in progress at the same time, and each starts a job when it has ended;
//   - a parent job, which finishes when all reads have ended and all their jobs have run;
//   - results in a fixed order: every job writes its own memory, so the output is the same on any number of threads;
//   - a file that cannot be read, which gives a result with a message, and reads that are cancelled.
//
// Try: ./dev run pipeline include                 all files below a folder
//      ./dev run pipeline --cancel-after 3        the first three only; the other reads are cancelled
//      ./dev run pipeline --trace out/pipeline.json include, then open that in a browser at ui.perfetto.dev

#include <filo/async.h>
#include <filo/filo.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// ---- Data ---------------------------------------------------------------------------------------------

typedef struct File {
    char *path;
    size_t path_size;
    FiloRequest request;
    FiloResult result;
    uint64_t bytes, lines, words, hash;
} File;

typedef FiloArray(File) FileArray;

// ---- Work ---------------------------------------------------------------------------------------------

// A job on any worker, when the file has been read, or could not be.
static void count_file(FiloJobs *jobs, FiloRequest request, void *user) {
    FILO_ZONE("count");
    File *file = user;
    FiloFileData data;
    file->result = filo_async_take_file(jobs, request, &data);
    if (file->result.code != FILO_OK) return;
    bool in_word = false;
    for (size_t i = 0; i < data.size; i++) {
        bool blank = data.text[i] == ' ' || data.text[i] == '\n' || data.text[i] == '\t';
        file->words += !blank && !in_word;
        file->lines += data.text[i] == '\n';
        in_word = !blank;
    }
    file->bytes = data.size;
    file->hash = filo_hash(data.bytes, data.size);
    filo_file_free(&data);
}

static void nothing(FiloJob *job, void *data) { FILO_UNUSED(job), FILO_UNUSED(data); }

static void read_all(FiloJobs *jobs, FileArray *files, size_t read_count) {
    FiloJob all; // finished when all reads and their jobs are
    filo_job_init(&all, nothing, NULL, 0);
    filo_array_each (files, file) {
        FiloAsyncOptions options = {
            .name = "read", .ended = count_file, .ended_user = file, .parent = &all
        };
        file->result = filo_error(FILO_ERROR_MEMORY, "%s: no memory for the request", file->path);
        file->request = filo_async_read_file(jobs, file->path, NULL, &options);
    }
    filo_jobs_run(jobs, &all);
    for (size_t i = 0; i < read_count; i++)
        filo_async_wait(jobs, files->items[i].request); // the main thread runs jobs meanwhile
    for (size_t i = read_count; i < files->count; i++) filo_async_cancel(jobs, files->items[i].request);
    filo_jobs_wait(jobs, &all);
    filo_array_each (files, file) filo_async_release(jobs, file->request);
}

// In the order of the files. A read that was cancelled counts as such, even if it had ended already.
static void print_table(const FileArray *files, size_t read_count, size_t skip) {
    File total = { 0 };
    printf("%8s %8s %8s  %-16s  file\n", "bytes", "lines", "words", "hash");
    for (size_t i = 0; i < read_count; i++) {
        const File *file = &files->items[i];
        if (file->result.code != FILO_OK) {
            printf("%45s  %s\n", filo_code_name(file->result.code),
                   file->result.message + skip); // begins with the path
            continue;
        }
        printf("%8" PRIu64 " %8" PRIu64 " %8" PRIu64 "  %016" PRIx64 "  %s\n", file->bytes, file->lines,
               file->words, file->hash, file->path + skip);
        total.bytes += file->bytes, total.lines += file->lines, total.words += file->words;
        total.hash = filo_hash_combine(total.hash, file->hash);
    }
    printf("%8" PRIu64 " %8" PRIu64 " %8" PRIu64 "  %016" PRIx64 "  together\n", total.bytes, total.lines,
           total.words, total.hash);
    if (read_count < files->count) printf("%zu reads were cancelled\n", files->count - read_count);
}

// ---- Setup --------------------------------------------------------------------------------------------

static FiloWalkAnswer add_file(const FiloWalkEntry *entry, void *user) {
    if (entry->kind == FILO_FILE_FOLDER) return FILO_WALK_GO_ON;
    File file = { .path_size = strlen(entry->path) + 1 };
    file.path = filo_alloc(NULL, file.path_size, 0);
    if (file.path == NULL) return FILO_WALK_STOP;
    memcpy(file.path, entry->path, file.path_size);
    return filo_array_push((FileArray *)user, file) ? FILO_WALK_GO_ON : FILO_WALK_STOP;
}

// Writes some texts, and a link to a file that does not exist, to a new folder.
static FiloResult make_folder(char *folder, size_t size) {
    FiloResult r = filo_path_standard(folder, size, FILO_FOLDER_TEMPORARY, "filo-pipeline-XXXXXX");
    if (r.code != FILO_OK) return r;
    if (mkdtemp(folder) == NULL) return filo_error(FILO_ERROR_IO, "%s: cannot be made", folder);
    for (uint32_t i = 0; i < 8 && r.code == FILO_OK; i++) {
        FiloRandom random = filo_random_keyed(1, 0, 0, i);
        char name[32], path[FILO_PATH_SIZE], text[20000];
        size_t length = 1000 + filo_random_below(&random, 19000);
        for (size_t k = 0; k < length; k++)
            text[k] = "etaoin shrdlu\ncmfwyp "[filo_random_below(&random, 21)];
        snprintf(name, sizeof name, "letter %u.txt", i + 1);
        if (filo_path_join(path, sizeof path, folder, name))
            r = filo_file_write(path, text, length, &(FiloFileWriteDesc){ .skip_sync = true });
    }
    char link[FILO_PATH_SIZE];
    if (r.code == FILO_OK && filo_path_join(link, sizeof link, folder, "letter 5b.txt") &&
        symlink("never written", link) != 0)
        r = filo_error(FILO_ERROR_IO, "%s: cannot be made", link);
    return r;
}

static FiloResult run(const char *folder, int threads, int cancel_after) {
    FileArray files = { 0 };
    FiloJobs *jobs;
    FiloResult r = filo_folder_walk(folder, add_file, &files, NULL);
    if (r.code == FILO_OK) r = filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads });
    if (r.code == FILO_OK) {
        size_t read_count = cancel_after >= 0 ? FILO_MIN((size_t)cancel_after, files.count) : files.count;
        read_all(jobs, &files, read_count);
        filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
        print_table(&files, read_count, strlen(folder) + 1);
    }
    filo_array_each (&files, file) filo_free(NULL, file->path, file->path_size, 0);
    filo_array_deinit(&files);
    return r;
}

// ---- Main ---------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    const char *folder = NULL;
    char made[FILO_PATH_SIZE] = "";
    int cancel_after = -1;
    const FiloFlag flags[] = { { "cancel-after", "cancel all reads but so many", .integer = &cancel_after,
                                 .min = -1, .max = 1e9 } };
    const FiloFlag arguments[] = { { "folder", "what to read; some letters if left out", .string = &folder,
                                     .optional = true } };
    FiloArgs args;
    FiloArgsDesc desc = { .summary = "Counts the lines and words of files while others are read.",
                          FILO_ARGS_FLAGS(flags),
                          FILO_ARGS_ARGUMENTS(arguments),
                          .ignores = FILO_ARGS_SCREEN | FILO_ARGS_FRAMES | FILO_ARGS_SEED | FILO_ARGS_HASH |
                                     FILO_ARGS_STATS };
    if (!filo_args_main(&args, argc, argv, &desc)) return args.exit_code;
    if (args.common.trace != NULL) filo_profile_start(NULL);
    FiloResult r = folder == NULL ? make_folder(made, sizeof made) : filo_ok();
    if (r.code == FILO_OK) r = run(folder != NULL ? folder : made, args.common.threads, cancel_after);
    if (r.code == FILO_OK && args.common.trace != NULL) r = filo_profile_save_trace(args.common.trace, NULL);
    if (r.code == FILO_OK) r = filo_out_of_memory_result();
    if (r.code != FILO_OK) filo_log_error("pipeline", "%s", r.message);
    if (made[0] != '\0') (void)filo_folder_remove_tree(made, NULL);
    return r.code == FILO_OK ? 0 : 1;
}

// Prints, on any number of threads:
//
//     bytes    lines    words  hash              file
//     18820      887     2288  3b2d33da4f9c3831  letter 1.txt
//     17375      838     2175  d2fc4ef3f8273a7b  letter 2.txt
//      4142      184      521  57e42c89c4587280  letter 3.txt
//      3904      202      485  afb3c8e9f9ea61fe  letter 4.txt
//     15050      693     1827  e68aa1dc3014799c  letter 5.txt
//                                      not found  letter 5b.txt: No such file or directory
//      5831      288      707  c44372ec62f12591  letter 6.txt
//     16700      771     2157  8bf5f0414ff87581  letter 7.txt
//      4427      207      552  340744ac530f1f59  letter 8.txt
//     86249     4070    10712  42f55135a0019be0  together
