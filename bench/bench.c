// The benchmark harness: see bench.h.

#include "bench.h"

#include "serve.h"

#include <filo/threads.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define DEFAULT_ROUNDS 11
#define MAX_ROUNDS     101
#define ENOUGH_NS      300000000 // a figure is measured for about this long, if the rounds are short

static BenchGroup *first_group, **last_link = &first_group;
static char **filters; // names of figures or groups; none: all
static int filter_count;
static bool as_json;
static int figures_shown;
static bool note_needed; // a figure that profits from large pages was shown

void bench_register(BenchGroup *group) {
    *last_link = group;
    last_link = &group->next;
}

// "base" selects base.log_filtered and all others of base; "base.si" selects none.
static bool matches(const char *name, const char *filter) {
    size_t length = strlen(filter);
    return strncmp(name, filter, length) == 0 &&
           (length == 0 || name[length] == '\0' || name[length] == '.' || filter[length - 1] == '.');
}

// "ecs" selects the figures of transforms, too.
static bool selects(const char *figure, const char *filter) {
    return matches(figure, filter) || (strcmp(filter, "ecs") == 0 && matches(figure, "transform"));
}

bool bench_shows(const char *figure) {
    for (int i = 0; i < filter_count; i++)
        if (selects(figure, filters[i])) return true;
    return filter_count == 0;
}

bool bench_wanted(const char *group) {
    for (int i = 0; i < filter_count; i++)
        if (strncmp(filters[i], group, strlen(group)) == 0) return true;
    return bench_shows(group);
}

// Figures of memory that is accessed for the first time, or at random, of sizes for which Filo's heap and arenas request large
// pages, and malloc and mmap do not.
static bool profits_from_large_pages(const char *figure) {
    static const char *const names[] = { "ecs.create",      "ecs.create_set", "ecs.create_by_type",
                                         "ecs.create_bulk", "ecs.get",        "jobs.flood_1" };
    for (size_t i = 0; i < FILO_COUNT_OF(names); i++)
        if (matches(figure, names[i])) return true;
    return false;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_figure(const BenchFigure *figure, double ours, double reference, double median) {
    double ratio = reference != 0 ? ours / reference
                   : ours == 0    ? 1
                                  : ours + 1; // a reference of 0: any value is too much
    if (as_json) {
        printf(
            "{\"name\":\"%s\",\"unit\":\"%s\",\"ours\":%.4g,\"ref\":%.4g,\"ref_name\":\"%s\",\"ratio\":%.3g,"
            "\"median\":%.4g}\n",
            figure->name, figure->unit, ours, reference, figure->reference_name, ratio, median);
    } else {
        if (figures_shown == 0)
            printf("%-32s %10s %10s %10s %7s  %-7s reference\n", "figure", "ours", "median", "reference",
                   "ratio", "unit");
        bool noted = profits_from_large_pages(figure->name);
        printf("%-32s %10.4g %10.4g %10.4g %7.3f  %-7s %s%s\n", figure->name, ours, median, reference, ratio,
               figure->unit, figure->reference_name, noted ? " *" : "");
        note_needed = note_needed || noted;
    }
    fflush(stdout);
    figures_shown++;
}

void bench_compare(const BenchFigure *figure) {
    if (!bench_shows(figure->name)) return;
    double ours[MAX_ROUNDS], reference[MAX_ROUNDS];
    int least = figure->rounds > 0 ? figure->rounds : DEFAULT_ROUNDS, rounds = 0;
    figure->ours(figure->state); // warm-up
    figure->reference(figure->state);
    int64_t start = filo_time_ns();
    while (rounds < MAX_ROUNDS && (rounds < least || filo_time_ns() - start < ENOUGH_NS)) {
        ours[rounds] = figure->ours(figure->state);
        reference[rounds] = figure->reference(figure->state);
        rounds++;
    }
    qsort(ours, (size_t)rounds, sizeof ours[0], by_size);
    qsort(reference, (size_t)rounds, sizeof reference[0], by_size);
    int best = figure->higher_is_better ? rounds - 1 : 0;
    print_figure(figure, ours[best], reference[best], ours[rounds / 2]);
}

// ---- Helpers of benchmarks ----------------------------------------------------------------------------

// Eight chains of dependent operations, so that one thread uses a whole core.
static __attribute__((noinline)) void arithmetic(void *user) {
    double x[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    for (int i = 0; i < 250000; i++)
        for (size_t k = 0; k < FILO_COUNT_OF(x); k++) x[k] = x[k] * 1.0000001 + 1e-9;
    double sum = 0;
    for (size_t k = 0; k < FILO_COUNT_OF(x); k++) sum += x[k];
    *(volatile double *)user = sum;
}

double bench_hardware_speed_up(void) {
    double a, b;
    int64_t alone = INT64_MAX, together = INT64_MAX;
    for (int i = 0; i < 15; i++) {
        int64_t start = filo_time_ns();
        arithmetic(&a);
        alone = FILO_MIN(alone, filo_time_ns() - start);
        FiloThread thread;
        if (filo_thread_start(&thread, &(FiloThreadDesc){ .function = arithmetic, .user = &b }).code !=
            FILO_OK)
            return 1;
        filo_sleep_ns(100000); // by then the thread has started; it runs for ten times as long
        start = filo_time_ns();
        arithmetic(&a);
        together = FILO_MIN(together, filo_time_ns() - start);
        filo_thread_join(&thread);
    }
    return FILO_MIN(2.0 * (double)alone / (double)together, 2.0);
}

void bench_expect(bool right, const char *what) {
    if (!right) filo_panic("the benchmark computed something wrong: %s", what);
}

void *bench_new_pages(size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) filo_panic("no memory for the benchmark");
    return memory;
}

void bench_free_pages(void *memory, size_t size) { munmap(memory, size); }

// ---- The program --------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--serve") == 0) return bench_offer(argv[2]);
    filters = argv + 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            as_json = true;
        } else if (argv[i][0] == '-') {
            fprintf(stderr, "there is no flag %s; write names of figures or groups, and --json\n", argv[i]);
            return 1;
        } else {
            filters[filter_count++] = argv[i];
        }
    }
    for (BenchGroup *group = first_group; group != NULL; group = group->next) group->run();
    if (note_needed)
        puts(
            "* ours is in large pages, which Filo's heap and arenas ask for; the reference is in small ones");
    if (figures_shown > 0) return 0;
    fputs("no figure is called", stderr);
    for (int i = 0; i < filter_count; i++) fprintf(stderr, " \"%s\"", filters[i]);
    fputs("; groups:", stderr);
    for (BenchGroup *group = first_group; group != NULL; group = group->next)
        fprintf(stderr, " %s", group->name);
    fputc('\n', stderr);
    return 1;
}
