#include "support/test.h"

#include <filo/files.h>

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char out[FILO_PATH_SIZE];

static const char *join(const char *first, const char *second) {
    assert_true(filo_path_join(out, sizeof out, first, second));
    return out;
}

static const char *folder(const char *path) {
    assert_true(filo_path_folder(out, sizeof out, path));
    return out;
}

static const char *stem(const char *path) {
    assert_true(filo_path_stem(out, sizeof out, path));
    return out;
}

static const char *normal(const char *path) {
    assert_true(filo_path_normalise(out, sizeof out, path));
    return out;
}

static const char *relative(const char *path, const char *from) {
    assert_true(filo_path_relative(out, sizeof out, path, from));
    return out;
}

FILO_TEST(join_puts_one_slash_between_and_lets_an_absolute_path_win) {
    assert_string_equal(join("a", "b/c"), "a/b/c");
    assert_string_equal(join("a/", "b"), "a/b");
    assert_string_equal(join("/", "b"), "/b");
    assert_string_equal(join("", "b"), "b");
    assert_string_equal(join("a", ""), "a");
    assert_string_equal(join("", ""), "");
    assert_string_equal(join("a", "/etc"), "/etc");
    assert_string_equal(join("ä ö", "new\nline"), "ä ö/new\nline");
}

FILO_TEST(join_may_write_over_either_of_its_paths) {
    char path[16] = "ab";
    assert_true(filo_path_join(path, sizeof path, path, "cd"));
    assert_string_equal(path, "ab/cd");
    assert_true(filo_path_join(path, sizeof path, "xyz", path));
    assert_string_equal(path, "xyz/ab/cd");
}

FILO_TEST(a_result_that_does_not_fit_is_false_and_empty) {
    char small[6];
    assert_true(filo_path_join(small, sizeof small, "ab", "cd"));
    assert_string_equal(small, "ab/cd");
    assert_false(filo_path_join(small, sizeof small, "ab", "cde"));
    assert_string_equal(small, "");
    strcpy(small, "x");
    assert_false(filo_path_join(small, sizeof small, "a", "/bcdef"));
    assert_string_equal(small, "");
    assert_false(filo_path_join(small, sizeof small, "abcdef", ""));
    assert_false(filo_path_folder(small, sizeof small, "abcdef/x"));
    assert_string_equal(small, "");
    assert_true(filo_path_folder(small, sizeof small, "abcde/x"));
    assert_false(filo_path_stem(small, sizeof small, "a/abcdef.png"));
    assert_false(filo_path_normalise(small, sizeof small, "/a/bcd"));
    assert_true(filo_path_normalise(small, sizeof small, "/a/bc"));
    assert_false(filo_path_relative(small, sizeof small, "a/b", "c/d"));
    assert_string_equal(small, "");
    assert_false(filo_path_relative(small, sizeof small, "b", "c/d"));
    char tiny[1] = { 'x' };
    assert_false(filo_path_normalise(tiny, sizeof tiny, ""));
    assert_false(filo_path_normalise(tiny, sizeof tiny, "/"));
    assert_false(filo_path_normalise(tiny, sizeof tiny, "/a"));
    assert_false(filo_path_folder(tiny, sizeof tiny, "a"));
    assert_int_equal(tiny[0], 0);
}

FILO_TEST(folder_is_the_part_before_the_last_slash) {
    assert_string_equal(folder("a/b/c.png"), "a/b");
    assert_string_equal(folder("c.png"), ".");
    assert_string_equal(folder("/c.png"), "/");
    assert_string_equal(folder("//c.png"), "/");
    assert_string_equal(folder("/"), "/");
    assert_string_equal(folder("a/b/"), "a/b");
    assert_string_equal(folder("a//b"), "a");
    assert_string_equal(folder(""), ".");
}

FILO_TEST(name_extension_and_stem_take_a_path_apart) {
    assert_string_equal(filo_path_name("a/b/c.png"), "c.png");
    assert_string_equal(filo_path_name("c.png"), "c.png");
    assert_string_equal(filo_path_name("a/"), "");
    assert_string_equal(filo_path_name(""), "");

    assert_string_equal(filo_path_extension("a.b/c.tar.gz"), "gz");
    assert_string_equal(filo_path_extension("a.b/c"), "");
    assert_string_equal(filo_path_extension(".profile"), "");
    assert_string_equal(filo_path_extension(".profile.bak"), "bak");
    assert_string_equal(filo_path_extension("c."), "");
    assert_string_equal(filo_path_extension(".."), "");
    assert_string_equal(filo_path_extension("..png"), "");

    assert_string_equal(stem("a.b/c.tar.gz"), "c.tar");
    assert_string_equal(stem("a.b/c"), "c");
    assert_string_equal(stem(".profile"), ".profile");
    assert_string_equal(stem(".profile.bak"), ".profile");
    assert_string_equal(stem("c."), "c");
    assert_string_equal(stem(".."), "..");
    assert_string_equal(stem(""), "");
    char path[32] = "folder/crate.png";
    assert_true(filo_path_stem(path, sizeof path, path));
    assert_string_equal(path, "crate");
}

FILO_TEST(extensions_compare_without_regard_to_ascii_case) {
    assert_true(filo_path_has_extension("a/b.PNG", "png"));
    assert_true(filo_path_has_extension("a/b.png", "Png"));
    assert_false(filo_path_has_extension("a/b.pn", "png"));
    assert_false(filo_path_has_extension("a/b.pngx", "png"));
    assert_false(filo_path_has_extension("a.png/b", "png"));
    assert_true(filo_path_has_extension("a/b", ""));
    assert_false(filo_path_has_extension("a.[", "{"));
    assert_false(filo_path_has_extension("a.@", "`"));
}

FILO_TEST(normalise_removes_redundant_parts) {
    assert_string_equal(normal("a/./b/../c"), "a/c");
    assert_string_equal(normal("a//b///c/"), "a/b/c");
    assert_string_equal(normal("a/.."), ".");
    assert_string_equal(normal(""), ".");
    assert_string_equal(normal("."), ".");
    assert_string_equal(normal("./a"), "a");
    assert_string_equal(normal(".."), "..");
    assert_string_equal(normal("../../a/.."), "../..");
    assert_string_equal(normal("../a/../../b"), "../../b");
    assert_string_equal(normal("a/b/../../.."), "..");
    assert_string_equal(normal("/"), "/");
    assert_string_equal(normal("//"), "/");
    assert_string_equal(normal("/.."), "/");
    assert_string_equal(normal("/../../a"), "/a");
    assert_string_equal(normal("/a/../.."), "/");
    assert_string_equal(normal("..a/...b"), "..a/...b");
    assert_string_equal(normal("a/b/c/../../../d"), "d");
}

FILO_TEST(normalise_works_in_place_and_twice_is_as_once) {
    static const char *const paths[] = { "a/./b/../c", "/./a//b/../..", "../x/./../..", "./././a", "" };
    for (size_t i = 0; i < FILO_COUNT_OF(paths); i++) {
        char path[64], once[64];
        snprintf(path, sizeof path, "%s", paths[i]);
        assert_true(filo_path_normalise(path, sizeof path, path));
        assert_string_equal(path, normal(paths[i]));
        snprintf(once, sizeof once, "%s", path);
        assert_string_equal(normal(once), once);
    }
}

FILO_TEST(relative_leads_from_the_folder_to_the_path) {
    assert_string_equal(relative("a/c/d", "a/b"), "../c/d");
    assert_string_equal(relative("a/b", "a/b"), ".");
    assert_string_equal(relative("/a/b", "/"), "a/b");
    assert_string_equal(relative("/", "/a/b"), "../..");
    assert_string_equal(relative("a", "."), "a");
    assert_string_equal(relative(".", "a"), "..");
    assert_string_equal(relative("../x", "a"), "../../x");
    assert_string_equal(relative("../x/y", "../x"), "y");
    assert_string_equal(relative("ab", "a"), "../ab");
}

FILO_TEST(joining_the_folder_and_the_relative_path_gives_the_path_again) {
    static const char *const paths[] = { "a", "a/b/c", ".", "../x", "a/x/y", "abc", "b" };
    for (size_t i = 0; i < FILO_COUNT_OF(paths); i++)
        for (size_t k = 0; k < FILO_COUNT_OF(paths); k++) {
            char relative[64], back[64];
            if (!filo_path_relative(relative, sizeof relative, paths[i], paths[k])) continue;
            assert_true(filo_path_join(back, sizeof back, paths[k], relative));
            assert_true(filo_path_normalise(back, sizeof back, back));
            assert_string_equal(back, normal(paths[i]));
        }
}

FILO_TEST(relative_refuses_what_does_not_follow_from_the_texts) {
    strcpy(out, "before");
    assert_false(filo_path_relative(out, sizeof out, "/a", "a"));
    assert_string_equal(out, "");
    assert_false(filo_path_relative(out, sizeof out, "a", "/a"));
    assert_false(filo_path_relative(out, sizeof out, "a", "../b"));
}

FILO_TEST(what_leads_out_of_a_folder_is_not_inside) {
    assert_true(filo_path_is_inside("assets/a/b.png", "assets"));
    assert_true(filo_path_is_inside("assets/a/../b.png", "./assets/"));
    assert_true(filo_path_is_inside("/b", "/"));
    assert_true(filo_path_is_inside("a", "."));
    assert_true(filo_path_is_inside("../share/x", "../share"));
    assert_true(filo_path_is_inside("assets/..b", "assets"));
    assert_false(filo_path_is_inside("assets/../../etc/passwd", "assets"));
    assert_false(filo_path_is_inside("assets/..", "assets"));
    assert_false(filo_path_is_inside("assets", "assets"));
    assert_false(filo_path_is_inside("assets2/x", "assets"));
    assert_false(filo_path_is_inside("asset", "assets"));
    assert_false(filo_path_is_inside("/etc/passwd", "assets"));
    assert_false(filo_path_is_inside("assets/x", "/"));
    assert_false(filo_path_is_inside("..", "."));
    assert_false(filo_path_is_inside("../x", "."));
    assert_false(filo_path_is_inside("", "."));
}

FILO_TEST(a_path_too_long_to_judge_is_not_inside) {
    static char long_path[3 * FILO_PATH_SIZE];
    memset(long_path, 'x', sizeof long_path - 1);
    long_path[0] = 'a', long_path[1] = '/';
    assert_false(filo_path_is_inside(long_path, "a"));
    assert_false(filo_path_relative(out, sizeof out, long_path, "a"));
    assert_error(filo_path_absolute(out, sizeof out, long_path), FILO_ERROR_LIMIT, "too long");
    assert_string_equal(out, "");
}

FILO_TEST(a_path_of_the_greatest_length_works) {
    char path[FILO_PATH_SIZE];
    memset(path, 'x', sizeof path - 1);
    path[0] = '/';
    path[sizeof path - 1] = '\0';
    assert_true(filo_path_normalise(out, sizeof out, path));
    assert_string_equal(out, path);
    assert_true(filo_path_is_inside(path, "/"));
    assert_false(filo_path_join(out, sizeof out, path, "y"));
}

FILO_TEST(absolute_starts_at_the_current_folder_and_needs_nothing_to_be_there) {
    char current[FILO_PATH_SIZE], expected[2 * FILO_PATH_SIZE];
    assert_ok(filo_path_standard(current, sizeof current, FILO_FOLDER_CURRENT, NULL));
    snprintf(expected, sizeof expected, "%s/no/such", current);
    assert_ok(filo_path_absolute(out, sizeof out, "no/./such/x/.."));
    assert_string_equal(out, expected);
    assert_ok(filo_path_absolute(out, sizeof out, "/a/../b"));
    assert_string_equal(out, "/b");
    assert_error(filo_path_absolute(out, sizeof out, ""), FILO_ERROR_NOT_FOUND, "empty");
    char small[3];
    assert_error(filo_path_absolute(small, sizeof small, "abc"), FILO_ERROR_LIMIT, "abc");
    assert_string_equal(small, "");
}

FILO_TEST(the_current_folder_may_have_been_removed) {
    const char *path = filo_test_path("gone");
    assert_int_equal(mkdir(path, 0700), 0);
    char before[FILO_PATH_SIZE];
    assert_ok(filo_path_standard(before, sizeof before, FILO_FOLDER_CURRENT, NULL));
    assert_int_equal(chdir(path), 0);
    assert_int_equal(rmdir(path), 0);
    assert_error(filo_path_standard(out, sizeof out, FILO_FOLDER_CURRENT, NULL), FILO_ERROR_NOT_FOUND,
                 "current folder");
    assert_error(filo_path_absolute(out, sizeof out, "x"), FILO_ERROR_NOT_FOUND, "current folder");
    assert_string_equal(out, "");
    assert_int_equal(chdir(before), 0);
}

FILO_TEST(real_follows_links_and_needs_an_existing_path) {
    char expected[FILO_PATH_SIZE];
    const char *target = filo_test_path("target"), *link = filo_test_path("link");
    assert_int_equal(mkdir(target, 0700), 0);
    assert_int_equal(symlink("target", link), 0);
    assert_ok(filo_path_real(expected, sizeof expected, target));
    assert_ok(filo_path_real(out, sizeof out, link));
    assert_string_equal(out, expected);
    assert_error(filo_path_real(out, sizeof out, filo_test_path("missing")), FILO_ERROR_NOT_FOUND, "missing");
    assert_string_equal(out, "");
    assert_error(filo_path_real(out, sizeof out, ""), FILO_ERROR_NOT_FOUND, "empty");
    char small[2];
    assert_error(filo_path_real(small, sizeof small, target), FILO_ERROR_LIMIT, "too long");
    assert_string_equal(small, "");
}

static const char *standard(FiloStandardFolder which, const char *name) {
    assert_ok(filo_path_standard(out, sizeof out, which, name));
    return out;
}

FILO_TEST(user_folders_follow_the_xdg_rules) {
    setenv("HOME", "/home/me", 1);
    setenv("XDG_DATA_HOME", "/data", 1);
    setenv("XDG_CONFIG_HOME", "not/absolute", 1);
    setenv("XDG_CACHE_HOME", "", 1);
    assert_string_equal(standard(FILO_FOLDER_USER_DATA, "game"), "/data/game");
    assert_string_equal(standard(FILO_FOLDER_USER_CONFIG, "game"), "/home/me/.config/game");
    assert_string_equal(standard(FILO_FOLDER_USER_CACHE, NULL), "/home/me/.cache");
    unsetenv("XDG_DATA_HOME");
    assert_string_equal(standard(FILO_FOLDER_USER_DATA, NULL), "/home/me/.local/share");
}

FILO_TEST(a_file_in_a_standard_folder_can_be_written_at_once) {
    char expected[FILO_PATH_SIZE];
    setenv("XDG_DATA_HOME", filo_test_path("data"), 1);
    assert_ok(
        filo_path_standard_file(out, sizeof out, FILO_FOLDER_USER_DATA, "my game", "saves/slot 1.save"));
    assert_true(
        filo_path_join(expected, sizeof expected, filo_test_path("data"), "my game/saves/slot 1.save"));
    assert_string_equal(out, expected);
    assert_ok(filo_file_write(out, "score", 5, NULL));
    assert_ok(filo_path_standard_file(out, sizeof out, FILO_FOLDER_USER_DATA, "my game", "scores.json"));
    assert_ok(filo_file_write(out, "score", 5, NULL));
}

FILO_TEST(a_file_outside_of_its_standard_folder_is_refused_and_nothing_is_made) {
    setenv("XDG_DATA_HOME", filo_test_path("data"), 1);
    const char *const outside[] = { "../other", "/etc/passwd", "saves/../../other", ".", "saves/.." };
    for (size_t i = 0; i < FILO_COUNT_OF(outside); i++) {
        assert_error(filo_path_standard_file(out, sizeof out, FILO_FOLDER_USER_DATA, "game", outside[i]),
                     FILO_ERROR_DENIED, "not a file inside");
        assert_string_equal(out, "");
    }
    char small[8];
    assert_error(filo_path_standard_file(small, sizeof small, FILO_FOLDER_USER_DATA, "game", "a"),
                 FILO_ERROR_LIMIT, "too long");
    assert_string_equal(small, "");
    expect_mistake("the name of your folder",
                   filo_path_standard_file(out, sizeof out, FILO_FOLDER_USER_DATA, NULL, "a"));
    expect_mistake("of a file in it",
                   filo_path_standard_file(out, sizeof out, FILO_FOLDER_USER_DATA, "game", ""));
    assert_false(filo_file_exists(filo_test_path("data/game")));
}

FILO_TEST(without_home_the_user_database_is_read) {
    unsetenv("HOME");
    unsetenv("XDG_DATA_HOME");
    FiloResult result = filo_path_standard(out, sizeof out, FILO_FOLDER_USER_DATA, NULL);
    if (result.code == FILO_OK) {
        assert_int_equal(out[0], '/');
        assert_contains(out, ".local/share");
    } else
        assert_error(result, FILO_ERROR_NOT_FOUND, "HOME");
}

FILO_TEST(the_temporary_folder_is_tmpdir_or_tmp) {
    setenv("TMPDIR", "/somewhere", 1);
    assert_string_equal(standard(FILO_FOLDER_TEMPORARY, "x"), "/somewhere/x");
    setenv("TMPDIR", "relative", 1);
    assert_string_equal(standard(FILO_FOLDER_TEMPORARY, NULL), "/tmp");
    unsetenv("TMPDIR");
    assert_string_equal(standard(FILO_FOLDER_TEMPORARY, NULL), "/tmp");
}

FILO_TEST(the_executable_is_in_its_folder) {
    char path[FILO_PATH_SIZE];
    assert_true(filo_path_join(path, sizeof path, standard(FILO_FOLDER_EXECUTABLE, NULL), "test_base_paths"));
    assert_true(filo_file_exists(path));
}

FILO_TEST(a_standard_folder_that_does_not_fit_is_an_error_and_empty) {
    setenv("XDG_DATA_HOME", "/data", 1);
    char small[7];
    for (int which = FILO_FOLDER_CURRENT; which <= FILO_FOLDER_USER_CACHE; which++) {
        FiloResult result = filo_path_standard(small, sizeof small, (FiloStandardFolder)which, "longname");
        assert_error(result, FILO_ERROR_LIMIT, "too long");
        assert_string_equal(small, "");
    }
}

FILO_TEST(misuse_of_paths_is_reported) {
    strcpy(out, "x");
    expect_fault("pass a path, not NULL", assert_false(filo_path_join(out, sizeof out, NULL, "a")));
    assert_string_equal(out, "");
    expect_fault("pass a path, not NULL", assert_false(filo_path_join(out, sizeof out, "a", NULL)));
    expect_fault("pass a buffer", assert_false(filo_path_join(NULL, 8, "a", "b")));
    expect_fault("pass a buffer", assert_false(filo_path_join(out, 0, "a", "b")));
    expect_fault("pass a path, not NULL", assert_false(filo_path_folder(out, sizeof out, NULL)));
    expect_fault("pass a path, not NULL", assert_string_equal(filo_path_name(NULL), ""));
    expect_fault("pass a path, not NULL", assert_string_equal(filo_path_extension(NULL), ""));
    expect_fault("pass a path, not NULL", assert_false(filo_path_has_extension(NULL, "png")));
    expect_fault("without its dot", assert_false(filo_path_has_extension("a.png", ".png")));
    expect_fault("without its dot", assert_false(filo_path_has_extension("a.png", NULL)));
    expect_fault("pass a path, not NULL", assert_false(filo_path_stem(out, sizeof out, NULL)));
    expect_fault("pass a path, not NULL", assert_false(filo_path_normalise(out, sizeof out, NULL)));
    expect_fault("pass a path, not NULL", assert_false(filo_path_relative(out, sizeof out, "a", NULL)));
    expect_fault("pass a path, not NULL", assert_false(filo_path_is_inside(NULL, "a")));
    expect_fault("pass a path, not NULL", assert_false(filo_path_is_inside("a", NULL)));
    expect_mistake("pass a path, not NULL", filo_path_absolute(out, sizeof out, NULL));
    expect_mistake("pass a path, not NULL", filo_path_real(out, sizeof out, NULL));
}

FILO_TEST(a_game_name_that_leads_elsewhere_is_misuse) {
    static const char *const names[] = { "", ".", "..", "a/b", "/" };
    for (size_t i = 0; i < FILO_COUNT_OF(names); i++) {
        expect_mistake("cannot be the name of a folder",
                       filo_path_standard(out, sizeof out, FILO_FOLDER_TEMPORARY, names[i]));
        assert_string_equal(out, "");
    }
    expect_mistake("no standard folder 77",
                   filo_path_standard(out, sizeof out, (FiloStandardFolder)77, NULL));
}
