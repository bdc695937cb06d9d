// The benchmark harness. A figure compares our code with a reference. Both are measured alternately in the same run, so
// that a noisy machine disturbs both alike; the result is the ratio of the best of each.
//
//     static double ours(void *state) { …; return nanoseconds per item; }
//     static double reference(void *state) { … }
//
//     FILO_BENCH(base) {
//         bench_compare(&(BenchFigure){ .name = "base.arena_alloc", .unit = "ns", .ours = ours,
//                                       .reference = reference, .reference_name = "malloc and free" });
//     }

#ifndef FILO_BENCH_H
#define FILO_BENCH_H

#include <filo/filo.h>

typedef double (*BenchSample)(void *state);

typedef struct BenchFigure {
    const char *name; // "module.figure[.size]"
    const char *unit;
    BenchSample ours, reference; // one measurement each, in `unit`
    const char *reference_name;
    void *state;
    int rounds;            // at least this many of each; 0: 11
    bool higher_is_better; // a speed-up: the best is the highest
} BenchFigure;

// Measures and prints the figure, if the command line selects it.
void bench_compare(const BenchFigure *figure);

// True if any figure of this group is selected: to skip expensive preparations.
bool bench_wanted(const char *group);

// True if this figure is selected.
bool bench_shows(const char *figure);

// The speed-up of two threads of pure arithmetic: 2, or 1 if the two processors share one core. Measure it with every
// speed-up, because it changes from minute to minute.
double bench_hardware_speed_up(void);

// Stops the program if a result is wrong.
void bench_expect(bool right, const char *what);

// Memory that was never accessed, so that writing to it takes page faults; and freeing it.
void *bench_new_pages(size_t size);
void bench_free_pages(void *memory, size_t size);

// Prevents the compiler from optimising `value` away.
#define bench_use(value) __asm__ volatile("" : : "g"(value))
// A compiler barrier: memory may have changed.
#define bench_clobber() __asm__ volatile("" : : : "memory")

// Nanoseconds that `statement` takes, on average over `count` times.
#define bench_time(result, count, statement)                                                                 \
    do {                                                                                                     \
        int64_t bench_start = filo_time_ns();                                                                \
        for (size_t bench_i = 0; bench_i < (size_t)(count); bench_i++) { statement; }                        \
        (result) = (double)(filo_time_ns() - bench_start) / (double)(count);                                 \
    } while (0)

typedef struct BenchGroup {
    const char *name;
    void (*run)(void);
    struct BenchGroup *next;
} BenchGroup;

void bench_register(BenchGroup *group);

#define FILO_BENCH(group_name)                                                                               \
    static void bench_run_##group_name(void);                                                                \
    __attribute__((constructor)) static void bench_register_##group_name(void) {                             \
        static BenchGroup group = { #group_name, bench_run_##group_name, NULL };                             \
        bench_register(&group);                                                                              \
    }                                                                                                        \
    static void bench_run_##group_name(void)

#endif
