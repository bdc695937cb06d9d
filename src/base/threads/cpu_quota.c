// Reads cgroup limits, version 2 (cpu.max: "quota period" or "max period") and version 1
// (cpu.cfs_quota_us, −1 for none). A limit of any ancestor applies too, so all folders up to the root are read.

#include "base/threads/cpu_quota.h"

#include <filo/types.h>

#include <stdio.h>
#include <string.h>

#define PATH_SIZE 4400

static double quota_of_file_v2(const char *path) {
    FILE *file = fopen(path, "re");
    if (file == NULL) return 0;
    long long quota = 0, period = 0;
    int fields = fscanf(file, "%lld %lld", &quota, &period); // "max" gives 0 fields
    fclose(file);
    return fields == 2 && quota > 0 && period > 0 ? (double)quota / (double)period : 0;
}

static long long number_in_file(const char *path) {
    FILE *file = fopen(path, "re");
    if (file == NULL) return 0;
    long long number = 0;
    if (fscanf(file, "%lld", &number) != 1) number = 0;
    fclose(file);
    return number;
}

static double quota_of_folder(const char *mount, const char *folder, int version) {
    char path[PATH_SIZE + 64];
    if (version == 2) {
        snprintf(path, sizeof path, "%s%s/cpu.max", mount, folder);
        return quota_of_file_v2(path);
    }
    snprintf(path, sizeof path, "%s%s/cpu.cfs_quota_us", mount, folder);
    long long quota = number_in_file(path);
    snprintf(path, sizeof path, "%s%s/cpu.cfs_period_us", mount, folder);
    long long period = number_in_file(path);
    return quota > 0 && period > 0 ? (double)quota / (double)period : 0;
}

// The tightest limit from `folder` up to the root of the hierarchy.
static double tightest_quota(const char *mount, char *folder, int version) {
    double tightest = 0;
    for (;;) {
        double quota = quota_of_folder(mount, folder, version);
        if (quota > 0 && (tightest <= 0 || quota < tightest)) tightest = quota;
        char *slash = strrchr(folder, '/');
        if (slash == NULL) return tightest;
        *slash = '\0';
    }
}

double base_cpu_quota(const char *root) {
    char path[PATH_SIZE], line[PATH_SIZE], mount[PATH_SIZE];
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    if (file == NULL) return 0;
    double quota = 0;
    while (fgets(line, sizeof line, file) != NULL) { // "hierarchy:controllers:/folder"
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *folder = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
        if (folder == NULL) continue;
        *controllers++ = '\0';
        *folder++ = '\0';
        bool version2 = controllers[0] == '\0';
        bool version1 =
            strcmp(controllers, "cpu") == 0 || strncmp(controllers, "cpu,", 4) == 0 ||
            strstr(controllers, ",cpu,") != NULL ||
            (strlen(controllers) > 4 && strcmp(controllers + strlen(controllers) - 4, ",cpu") == 0);
        if (!version2 && !version1) continue;
        snprintf(mount, sizeof mount, "%s/sys/fs/cgroup%s", root, version2 ? "" : "/cpu");
        double found = tightest_quota(mount, folder, version2 ? 2 : 1);
        if (found > 0 && (quota <= 0 || found < quota)) quota = found;
    }
    fclose(file);
    return quota;
}
