// Processes that are killed while they save: the file is always complete, and temporary files do not accumulate.

#include "ecs/world_types.h"

#include <filo/files.h>
#include <filo/snapshot.h>

#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define VERSIONS 4

// Worlds of different sizes, so that a mixture of two saves does not load.
static FiloWorld *world_of_version(int version) {
    FiloWorld *world = new_world();
    for (int i = 0; i < 300 * (version + 1); i++) filo_create(world, FILO_SET(Health, version * 1000 + i));
    return world;
}

static size_t files_in(const char *folder) {
    size_t count = 0;
    DIR *listing = opendir(folder);
    assert_non_null(listing);
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;) count += entry->d_name[0] != '.';
    closedir(listing);
    return count;
}

static void save_until_killed(const char *path, FiloWorld *worlds[VERSIONS]) {
    for (int i = 0;; i++)
        if (filo_world_save(worlds[i % VERSIONS], path, &(FiloSaveDesc){ .skip_sync = true }).code != FILO_OK)
            _exit(1);
}

FILO_TEST(a_killed_process_leaves_a_complete_save_and_few_temporary_files) {
    const char *folder = filo_test_folder(), *path = filo_test_path("game.save");
    FiloWorld *worlds[VERSIONS], *loaded = new_world();
    uint64_t hashes[VERSIONS];
    for (int i = 0; i < VERSIONS; i++) {
        worlds[i] = world_of_version(i);
        hashes[i] = filo_world_hash(worlds[i]);
    }
    assert_ok(filo_world_save(worlds[0], path, NULL));
    FiloRandom random = filo_random_keyed(4, 3, 2, 1);
    int seen[VERSIONS] = { 0 };
    for (int kill_number = 0; kill_number < 60; kill_number++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) save_until_killed(path, worlds);
        long microseconds = 500 + (long)filo_random_below(&random, 15000);
        nanosleep(&(struct timespec){ .tv_nsec = microseconds * 1000 }, NULL);
        assert_int_equal(kill(child, SIGKILL), 0);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status)); // it had no error until it was killed

        assert_ok(filo_world_load(loaded, path, NULL));
        uint64_t hash = filo_world_hash(loaded);
        int which = 0;
        while (which < VERSIONS && hashes[which] != hash) which++;
        assert_true(which < VERSIONS);
        seen[which]++;
        assert_true(files_in(folder) <= 3); // each process removes the files of the one before
    }
    for (int i = 0, kinds = 0; i < VERSIONS; i++) { // else the processes were killed before they saved
        kinds += seen[i] > 0;
        if (i == VERSIONS - 1) assert_true(kinds > 1);
    }
    assert_ok(filo_world_save(worlds[1], path, NULL));
    assert_int_equal(files_in(folder), 1);
    for (int i = 0; i < VERSIONS; i++) filo_world_destroy(worlds[i]);
    filo_world_destroy(loaded);
}
