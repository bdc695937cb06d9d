// Benchmarks of the base layer.

#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOPS  200000
#define FLOATS 65536

// ---- Log ----------------------------------------------------------------------------------------------

static __attribute__((noinline)) void empty_call(int value) { bench_use(value); }

static double log_filtered(void *state) {
    (void)state;
    double ns;
    bench_time(ns, LOOPS, filo_log_debug("bench", "item %d", (int)bench_i));
    return ns;
}

static double call(void *state) {
    (void)state;
    double ns;
    bench_time(ns, LOOPS, empty_call((int)bench_i));
    return ns;
}

// ---- Zones --------------------------------------------------------------------------------------------

static double zone(void *state) {
    (void)state;
    double ns;
    bench_time(ns, LOOPS, FILO_ZONE("bench"); bench_clobber());
    return ns;
}

static double zone_recorded(void *state) {
    filo_profile_start(NULL);
    double ns = zone(state);
    filo_profile_stop();
    return ns;
}

static double clock_twice(void *state) {
    (void)state;
    double ns;
    bench_time(ns, LOOPS, bench_use(filo_time_ns()); bench_use(filo_time_ns()));
    return ns;
}

static double empty_loop(void *state) {
    (void)state;
    double ns;
    bench_time(ns, LOOPS, bench_clobber());
    return ns;
}

// ---- Memory -------------------------------------------------------------------------------------------

static FiloArena arena;

static double arena_alloc(void *state) {
    (void)state;
    filo_arena_clear(&arena);
    double ns;
    bench_time(ns, LOOPS, bench_use(filo_arena_alloc(&arena, 64, 16)));
    return ns;
}

static double malloc_and_free(void *state) {
    (void)state;
    double ns;
    bench_time(ns, LOOPS, void *block = malloc(64); bench_use(block); free(block));
    return ns;
}

// ---- Names --------------------------------------------------------------------------------------------

#define NAMES 64
static char names[NAMES][32], copies[NAMES][32];

static double intern(void *state) {
    (void)state;
    double ns;
    bench_time(ns, LOOPS, bench_use(filo_name(names[bench_i % NAMES]).id));
    return ns;
}

static double compare(void *state) {
    (void)state;
    double ns;
    bench_time(ns, LOOPS, bench_use(strcmp(names[bench_i % NAMES], copies[bench_i % NAMES])));
    return ns;
}

// ---- Random numbers -----------------------------------------------------------------------------------

static double random_keyed(void *state) {
    (void)state;
    double ns;
    FiloRandom random = filo_random_keyed(1, 2, 3, 4);
    uint32_t sum = 0;
    bench_time(ns, LOOPS, sum += filo_random_u32(&random));
    bench_use(sum);
    return ns;
}

static double random_sequence(void *state) {
    (void)state;
    double ns;
    FiloRandom random = filo_random_sequence(1);
    uint32_t sum = 0;
    bench_time(ns, LOOPS, sum += filo_random_u32(&random));
    bench_use(sum);
    return ns;
}

static double libc_random(void *state) {
    (void)state;
    double ns;
    unsigned seed = 1, sum = 0;
    bench_time(ns, LOOPS, sum += (unsigned)rand_r(&seed));
    bench_use(sum);
    return ns;
}

// ---- Maths --------------------------------------------------------------------------------------------

static float angles[FLOATS], sines[FLOATS];

static double our_sine(void *state) {
    (void)state;
    double ns;
    bench_time(ns, 4, for (int i = 0; i < FLOATS; i++) sines[i] = filo_sin(angles[i]); bench_clobber());
    return ns / FLOATS;
}

static double our_sine_array(void *state) {
    (void)state;
    double ns;
    bench_time(ns, 4, filo_sin_array(sines, angles, FLOATS); bench_clobber());
    return ns / FLOATS;
}

static double libm_sine(void *state) {
    (void)state;
    double ns;
    bench_time(ns, 4, for (int i = 0; i < FLOATS; i++) sines[i] = sinf(angles[i]); bench_clobber());
    return ns / FLOATS;
}

// ---- All ----------------------------------------------------------------------------------------------

static void prepare(void) {
    if (filo_arena_init(&arena, &(FiloArenaDesc){ .name = "bench", .reserve = FILO_MIB(64) }).code != FILO_OK)
        filo_panic("no memory for the benchmark");
    for (int i = 0; i < NAMES; i++) {
        snprintf(names[i], sizeof names[i], "component_%d", i * 7919);
        memcpy(copies[i], names[i], sizeof names[i]);
        filo_name(names[i]);
    }
    FiloRandom random = filo_random_sequence(3);
    for (int i = 0; i < FLOATS; i++) angles[i] = filo_random_float_range(&random, -100, 100);
}

FILO_BENCH(base) {
    prepare();
    const BenchFigure figures[] = {
        { "base.log_filtered", "ns", log_filtered, call, "empty call", NULL, 0, false },
        { "base.zone", "ns", zone_recorded, clock_twice, "reading the clock twice", NULL, 0, false },
        { "base.zone_off", "ns", zone, empty_loop, "empty loop", NULL, 0, false },
        { "base.arena_alloc", "ns", arena_alloc, malloc_and_free, "malloc and free", NULL, 0, false },
        { "base.intern", "ns", intern, compare, "strcmp", NULL, 0, false },
        { "base.random_keyed", "ns", random_keyed, libc_random, "rand_r", NULL, 0, false },
        { "base.random_sequence", "ns", random_sequence, libc_random, "rand_r", NULL, 0, false },
        { "base.sin", "ns", our_sine, libm_sine, "sinf in a loop", NULL, 0, false },
        { "base.sin_array", "ns", our_sine_array, libm_sine, "sinf in a loop", NULL, 0, false },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(figures); i++) bench_compare(&figures[i]);
    filo_arena_deinit(&arena);
}
