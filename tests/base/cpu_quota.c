#include "base/threads/cpu_quota.h"
#include "support/test.h"

#include <sys/stat.h>
#include <unistd.h>

static char root[512];

// Begins a made-up system of its own.
static void begin(const char *name) { snprintf(root, sizeof root, "%s", filo_test_path(name)); }

// Writes a file below the root, with the folders that it needs.
static void write_file(const char *path, const char *text) {
    char full[4096];
    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *slash = strchr(full + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(full, 0700);
        *slash = '/';
    }
    FILE *file = fopen(full, "w");
    if (file == NULL) fail_msg("cannot write %s", full);
    fputs(text, file);
    fclose(file);
}

static void assert_quota(double expected) {
    double quota = base_cpu_quota(root);
    if (quota != expected) fail_msg("expected a quota of %g, got %g", expected, quota);
}

FILO_TEST(a_system_without_control_groups_has_no_limit) {
    begin("empty");
    assert_quota(0);
    write_file("/proc/self/cgroup", "");
    assert_quota(0);
    write_file("/proc/self/cgroup", "0::/\n");
    assert_quota(0);
}

FILO_TEST(version_2_gives_quota_and_period) {
    begin("v2");
    write_file("/proc/self/cgroup", "0::/\n");
    write_file("/sys/fs/cgroup/cpu.max", "150000 100000\n");
    assert_quota(1.5);
    write_file("/sys/fs/cgroup/cpu.max", "max 100000\n");
    assert_quota(0);
}

FILO_TEST(the_tightest_limit_of_all_ancestors_applies) {
    begin("nested");
    write_file("/proc/self/cgroup", "0::/system/game.service/workers\n");
    write_file("/sys/fs/cgroup/system/game.service/workers/cpu.max", "400000 100000\n");
    assert_quota(4);
    write_file("/sys/fs/cgroup/system/game.service/cpu.max", "max 100000\n");
    assert_quota(4);
    write_file("/sys/fs/cgroup/system/cpu.max", "50000 25000\n");
    assert_quota(2);
    write_file("/sys/fs/cgroup/cpu.max", "300000 100000\n");
    assert_quota(2);
    write_file("/sys/fs/cgroup/cpu.max", "50000 100000\n");
    assert_quota(0.5);
    write_file("/sys/fs/cgroup/other/cpu.max", "1000 100000\n"); // of another process
    assert_quota(0.5);
}

FILO_TEST(of_an_invisible_folder_the_ancestors_still_apply) { // as in containers
    begin("hidden");
    write_file("/proc/self/cgroup", "0::/docker/0123456789\n");
    write_file("/sys/fs/cgroup/cpu.max", "200000 100000\n");
    assert_quota(2);
    write_file("/proc/self/cgroup", "0::/../../elsewhere\n");
    assert_quota(2);
}

FILO_TEST(version_1_has_two_files) {
    begin("v1");
    write_file("/proc/self/cgroup", "4:memory:/a\n3:cpuset:/b\n2:cpu,cpuacct:/game\n1:name=systemd:/c\n");
    assert_quota(0);
    write_file("/sys/fs/cgroup/cpu/game/cpu.cfs_quota_us", "250000\n");
    assert_quota(0); // no period
    write_file("/sys/fs/cgroup/cpu/game/cpu.cfs_period_us", "100000\n");
    assert_quota(2.5);
    write_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    write_file("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    assert_quota(2.5);
    write_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "100000\n");
    assert_quota(1);
    write_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    write_file("/sys/fs/cgroup/cpu/game/cpu.cfs_quota_us", "-1\n");
    assert_quota(0);
}

FILO_TEST(the_cpu_controller_is_found_among_others_and_not_mistaken) {
    begin("controllers");
    write_file("/sys/fs/cgroup/cpu/g/cpu.cfs_quota_us", "300000\n");
    write_file("/sys/fs/cgroup/cpu/g/cpu.cfs_period_us", "100000\n");
    static const struct {
        const char *line;
        double quota;
    } cases[] = { { "1:cpu:/g\n", 3 },         { "1:cpuacct,cpu:/g\n", 3 }, { "1:a,cpu,b:/g", 3 },
                  { "1:cpu,cpuacct:/g\n", 3 }, { "1:cpuset:/g\n", 0 },      { "1:cpuacct:/g\n", 0 },
                  { "1:name=cpu:/g\n", 0 },    { "1:xcpu:/g\n", 0 },        { "1:a,cpuset:/g\n", 0 },
                  { "1:xcpu,cpux:/g\n", 0 } };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        write_file("/proc/self/cgroup", cases[i].line);
        assert_quota(cases[i].quota);
    }
}

FILO_TEST(of_both_versions_the_tighter_limit_applies) {
    begin("hybrid");
    write_file("/proc/self/cgroup", "1:cpu:/old\n0::/new\n");
    write_file("/sys/fs/cgroup/cpu/old/cpu.cfs_quota_us", "300000\n");
    write_file("/sys/fs/cgroup/cpu/old/cpu.cfs_period_us", "100000\n");
    assert_quota(3);
    write_file("/sys/fs/cgroup/new/cpu.max", "200000 100000\n");
    assert_quota(2);
    write_file("/sys/fs/cgroup/new/cpu.max", "400000 100000\n");
    assert_quota(3);
}

FILO_TEST(nonsense_is_no_limit) {
    begin("nonsense");
    write_file("/proc/self/cgroup", "0::/\n");
    static const char *const contents[] = {
        "",           "\n",         "100000",   "0 100000",  "-5 100000",   "100000 0",
        "100000 -1",  "inf 100000", "nan nan",  "max",       "max max",     "abc 100000",
        "100000 abc", "1e5 100000", "\xFF\xFE", "0x10 0x10", "100000;5000", ",, 100000 1",
    };
    for (size_t i = 0; i < FILO_COUNT_OF(contents); i++) {
        write_file("/sys/fs/cgroup/cpu.max", contents[i]);
        assert_quota(0);
    }
    static const char *const lines[] = {
        "\n", "0\n", "0:\n", "0::\n", ":::::\n", "no colon at all", "\xFF:\xFE:\xFD\n"
    };
    write_file("/sys/fs/cgroup/cpu.max", "max 100000\n");
    for (size_t i = 0; i < FILO_COUNT_OF(lines); i++) {
        write_file("/proc/self/cgroup", lines[i]);
        assert_quota(0);
    }
}

FILO_TEST(very_long_paths_do_no_harm) {
    begin("long");
    static char line[20000];
    memset(line, 'x', sizeof line - 1);
    memcpy(line, "0::/", 4);
    write_file("/proc/self/cgroup", line);
    write_file("/sys/fs/cgroup/cpu.max", "200000 100000\n");
    assert_quota(2);
    for (size_t i = 5; i < sizeof line - 1; i += 2) line[i] = '/';
    write_file("/proc/self/cgroup", line);
    assert_quota(2);
}

FILO_TEST(the_real_system_can_be_read) { assert_true(base_cpu_quota("") >= 0); }
