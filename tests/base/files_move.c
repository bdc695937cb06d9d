// Files as wholes: what they are, their dates, and copying, moving and removing them.

#include "base/files_fixture.h"
#include "support/failing_allocator.h"

#include <filo/time.h>

#include <stdlib.h>
#include <unistd.h>

// ---- Kinds and dates ----------------------------------------------------------------------------------

FILO_TEST(info_has_kind_size_date_and_permissions) {
    const char *path = filo_test_path("info"), *link = filo_test_path("info link");
    int64_t before = filo_calendar_ns();
    write_text(path, "12345");
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(symlink("info", link), 0);
    FiloFileInfo info;
    assert_ok(filo_file_info(&info, link));
    assert_int_equal(info.kind, FILO_FILE_REGULAR);
    assert_int_equal(info.size, 5);
    assert_int_equal(info.permissions, 0640);
    // The kernel's clock for files is coarse; a minute is far beyond that and far below a wrong unit.
    assert_true(info.modified_ns > before - INT64_C(60000000000));
    assert_true(info.modified_ns < before + INT64_C(60000000000));
    assert_ok(filo_file_link_info(&info, link));
    assert_int_equal(info.kind, FILO_FILE_LINK);
    assert_int_equal(info.size, 0);
    assert_ok(filo_file_info(&info, filo_test_folder()));
    assert_int_equal(info.kind, FILO_FILE_FOLDER);
    assert_ok(filo_file_info(&info, "/dev/null"));
    assert_int_equal(info.kind, FILO_FILE_OTHER);
    assert_error(filo_file_info(&info, filo_test_path("nil")), FILO_ERROR_NOT_FOUND, "nil: ");
    assert_int_equal(info.kind, FILO_FILE_NONE);
    assert_true(filo_file_exists(path));
    assert_true(filo_file_exists(filo_test_folder()));
    assert_false(filo_file_exists(filo_test_path("nil")));
    assert_int_equal(unlink(path), 0);
    assert_false(filo_file_exists(link));
}

FILO_TEST(dates_can_be_set_also_before_1970) {
    const char *path = filo_test_path("date");
    write_text(path, "x");
    static const int64_t seconds[] = { 0, 1000000000, -1000000000, 4000000000 };
    for (size_t i = 0; i < FILO_COUNT_OF(seconds); i++) {
        FiloFileInfo info;
        assert_ok(filo_file_set_modified(path, seconds[i] * 1000000000));
        assert_ok(filo_file_info(&info, path));
        assert_true(info.modified_ns == seconds[i] * 1000000000);
        assert_ok(filo_file_set_modified(path, seconds[i] * 1000000000 + 250000000));
        assert_ok(filo_file_info(&info, path));
        assert_true(info.modified_ns >= seconds[i] * 1000000000);
        assert_true(info.modified_ns <= seconds[i] * 1000000000 + 250000000);
    }
    assert_error(filo_file_set_modified(filo_test_path("nil"), 0), FILO_ERROR_NOT_FOUND, "nil: ");
    assert_error(filo_file_set_modified("", 0), FILO_ERROR_NOT_FOUND, "empty");
}

// ---- Copying, moving, removing ------------------------------------------------------------------------

FILO_TEST(a_copy_has_the_bytes_and_permissions_of_the_original) {
    const char *folder = new_folder("copies"), *from = filo_test_path("copies/from");
    const char *to = filo_test_path("copies/to");
    umask(022);
    char bytes[100000];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)(i % 251);
    assert_ok(filo_file_write(from, bytes, sizeof bytes, &without_sync));
    assert_int_equal(chmod(from, 0755), 0);
    assert_ok(filo_file_copy(from, to, NULL));
    FiloFileData data;
    assert_ok(filo_file_read(&data, to, NULL));
    assert_int_equal(data.size, sizeof bytes);
    assert_memory_equal(data.bytes, bytes, sizeof bytes);
    filo_file_free(&data);
    assert_int_equal(mode_of(to), 0755);
    assert_error(filo_file_copy(from, to, &exclusive), FILO_ERROR_EXISTS, "copies/to: ");
    write_text(from, "");
    assert_int_equal(chmod(to, 0600), 0);
    assert_ok(filo_file_copy(from, to, NULL));
    assert_text(to, "");
    assert_int_equal(mode_of(to), 0600);
    assert_count(folder, 2);
}

FILO_TEST(copying_accepts_files_that_report_no_size_and_ignores_a_copy_onto_itself) {
    const char *folder = new_folder("itself"), *path = filo_test_path("itself/file");
    assert_ok(filo_file_copy("/proc/self/status", path, NULL));
    FiloFileData data;
    assert_ok(filo_file_read(&data, path, NULL));
    assert_contains(data.text, "VmSize");
    filo_file_free(&data);
    assert_int_equal(chmod(path, 0644), 0); // the original is read-only
    write_text(path, "same");
    assert_ok(filo_file_copy(path, path, NULL));
    assert_text(path, "same");
    assert_count(folder, 1);
    assert_error(filo_file_copy(folder, filo_test_path("itself/x"), NULL), FILO_ERROR_KIND, "is a folder");
    assert_error(filo_file_copy(filo_test_path("nil"), path, NULL), FILO_ERROR_NOT_FOUND, "nil: ");
    assert_text(path, "same");
}

FILO_TEST(moving_renames_files_and_folders) {
    const char *folder = new_folder("moves");
    const char *a = filo_test_path("moves/a"), *b = filo_test_path("moves/b");
    write_text(a, "a");
    assert_ok(filo_file_move(a, b, NULL));
    assert_false(filo_file_exists(a));
    assert_text(b, "a");
    write_text(a, "new");
    assert_error(filo_file_move(a, b, &exclusive), FILO_ERROR_EXISTS, "moves/b");
    assert_ok(filo_file_move(a, b, NULL));
    assert_text(b, "new");
    assert_ok(filo_folder_make(filo_test_path("moves/folder")));
    assert_ok(filo_file_move(filo_test_path("moves/folder/"), filo_test_path("moves/other/"), NULL));
    assert_count(folder, 2);
    FiloResult missing = filo_file_move(a, b, NULL);
    assert_error(missing, FILO_ERROR_NOT_FOUND, "moves/a");
    assert_contains(missing.message, "moves/b");
    assert_error(filo_file_move(b, filo_test_path("moves/other"), NULL), FILO_ERROR_KIND, "moves/other");
    assert_error(filo_file_move(filo_test_path("moves/other"), filo_test_path("moves/other/in"), NULL),
                 FILO_ERROR_ARGUMENT, "moves/other");
}

FILO_TEST(removing_takes_files_and_links_but_not_folders_or_targets) {
    const char *folder = new_folder("removal"), *path = filo_test_path("removal/file");
    const char *link = filo_test_path("removal/link");
    write_text(path, "x");
    assert_int_equal(symlink("file", link), 0);
    assert_ok(filo_file_remove(link));
    assert_text(path, "x");
    assert_ok(filo_file_remove(path));
    assert_error(filo_file_remove(path), FILO_ERROR_NOT_FOUND, "removal/file: ");
    assert_error(filo_file_remove(folder), FILO_ERROR_KIND, "removal: ");
    assert_count(folder, 0);
}

// ---- Another file system ------------------------------------------------------------------------------

static char elsewhere[64];

static void remove_elsewhere(void) {
    if (elsewhere[0] != '\0') (void)filo_folder_remove_tree(elsewhere, NULL);
}

// An empty folder on another file system than the test's; skips the test if there is none.
static const char *other_file_system(void) {
    struct stat here, there;
    if (elsewhere[0] == '\0') atexit(remove_elsewhere);
    remove_elsewhere(); // that of the test before
    elsewhere[0] = '\0';
    if (stat("/dev/shm", &there) != 0 || stat(filo_test_folder(), &here) != 0 || here.st_dev == there.st_dev)
        skip();
    snprintf(elsewhere, sizeof elsewhere, "/dev/shm/filo-test-XXXXXX");
    assert_non_null(mkdtemp(elsewhere));
    return elsewhere;
}

FILO_TEST(a_file_moves_to_another_file_system_with_its_date_and_permissions) {
    const char *other = other_file_system(), *from = filo_test_path("here");
    char to[128];
    snprintf(to, sizeof to, "%s/there", other);
    write_text(from, "travelling");
    assert_int_equal(chmod(from, 0751), 0);
    assert_ok(filo_file_set_modified(from, INT64_C(1000000000000000000)));
    assert_ok(filo_file_move(from, to, NULL));
    assert_false(filo_file_exists(from));
    assert_text(to, "travelling");
    assert_int_equal(mode_of(to), 0751);
    FiloFileInfo info;
    assert_ok(filo_file_info(&info, to));
    assert_true(info.modified_ns == INT64_C(1000000000000000000));
    // And over a file that is there, or not.
    write_text(from, "second");
    assert_error(filo_file_move(from, to, &exclusive), FILO_ERROR_EXISTS, "there: ");
    assert_text(from, "second");
    assert_text(to, "travelling");
    assert_ok(filo_file_move(from, to, &without_sync));
    assert_text(to, "second");
    // A link moves as a link.
    assert_int_equal(symlink("no such target", from), 0);
    assert_ok(filo_file_move(from, to, NULL));
    assert_ok(filo_file_link_info(&info, to));
    assert_int_equal(info.kind, FILO_FILE_LINK);
    assert_count(other, 1);
}

FILO_TEST(a_tree_moves_to_another_file_system) {
    const char *other = other_file_system(), *from = filo_test_path("tree");
    char to[128], path[256];
    snprintf(to, sizeof to, "%s/tree", other);
    assert_ok(filo_folder_make(filo_test_path("tree/a/b")));
    write_text(filo_test_path("tree/a/b/file"), "deep");
    write_text(filo_test_path("tree/z"), "flat");
    assert_int_equal(symlink("/no/where", filo_test_path("tree/link")), 0);
    assert_int_equal(chmod(filo_test_path("tree/a"), 0555), 0); // filled before it becomes read-only
    assert_ok(filo_file_set_modified(filo_test_path("tree/a"), INT64_C(1000000000000000000)));
    if (geteuid() != 0) assert_int_equal(chmod(filo_test_path("tree/a"), 0755), 0); // to be removable
    assert_ok(filo_file_move(from, to, NULL));
    assert_false(filo_file_exists(from));
    snprintf(path, sizeof path, "%s/a/b/file", to);
    assert_text(path, "deep");
    snprintf(path, sizeof path, "%s/z", to);
    assert_text(path, "flat");
    FiloFileInfo info;
    snprintf(path, sizeof path, "%s/link", to);
    assert_ok(filo_file_link_info(&info, path));
    assert_int_equal(info.kind, FILO_FILE_LINK);
    snprintf(path, sizeof path, "%s/a", to);
    assert_ok(filo_file_info(&info, path));
    assert_int_equal(info.permissions, geteuid() == 0 ? 0555 : 0755);
    assert_true(info.modified_ns == INT64_C(1000000000000000000));
    assert_count(other, 1);
}

FILO_TEST(a_move_across_file_systems_that_fails_leaves_the_original_and_no_copy) {
    const char *other = other_file_system();
    char to[128];
    snprintf(to, sizeof to, "%s/tree", other);
    assert_ok(filo_folder_make(filo_test_path("stuck/a")));
    write_text(filo_test_path("stuck/a/file"), "stays");
    assert_int_equal(mkfifo(filo_test_path("stuck/z pipe"), 0600), 0); // cannot be copied, and comes last
    assert_error(filo_file_move(filo_test_path("stuck"), to, NULL), FILO_ERROR_UNSUPPORTED, "z pipe: ");
    assert_text(filo_test_path("stuck/a/file"), "stays");
    assert_count(other, 0);
    // The destination is a folder that is not empty.
    assert_int_equal(unlink(filo_test_path("stuck/z pipe")), 0);
    char inside[160];
    snprintf(inside, sizeof inside, "%s/inside", to);
    assert_ok(filo_folder_make(inside));
    assert_error(filo_file_move(filo_test_path("stuck"), to, NULL), FILO_ERROR_EXISTS, "stuck");
    assert_text(filo_test_path("stuck/a/file"), "stays");
    assert_count(other, 1);
    // Memory runs out.
    for (size_t allowed = 0; allowed < 3; allowed++) {
        FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
        failing_allow(&failing, allowed);
        snprintf(inside, sizeof inside, "%s/elsewhere", other);
        assert_error(filo_file_move(filo_test_path("stuck"), inside,
                                    &(FiloFileWriteDesc){ .allocator = &failing.allocator }),
                     FILO_ERROR_MEMORY, "no memory");
        assert_int_equal(failing.blocks, 0);
        assert_text(filo_test_path("stuck/a/file"), "stays");
    }
}
