// Signal functions: a step of many objects, against the same arithmetic as a plain loop over columns; and switches.

#include "frp.h"
#include "bench.h"

#include <filo/signal.h>

#include <stdlib.h>

#define OBJECTS 100000u
#define DELTA   (1.0f / 60)

// ---- A network of ten nodes: a damped spring that follows a target, and stays between two walls ------------------

typedef struct Springs {
    FiloNetwork *network;
    uint8_t *states;
    float *targets, *positions;
    // The columns of the reference: sums and values before of the two integrals.
    float *speed, *force_before, *place, *speed_before, *shown;
} Springs;

static FiloNetwork *spring_network(void) {
    FiloSfBuilder *b = filo_sf_builder_create(
        &(FiloSfBuilderDesc){ .name = "spring", .inputs = { { "target", FILO_TYPE(float), false } } });
    FiloSf speed = filo_sf_rec(b, FILO_TYPE(float)), place = filo_sf_integral(speed); // 1
    FiloSf pull = filo_sf_scale(filo_sf_sub(filo_sf_input(b), place), 40);            // 2, 3
    FiloSf force = filo_sf_sub(pull, filo_sf_scale(speed, 3));                        // 4, 5
    filo_sf_close(speed, filo_sf_integral(force));                                    // 6
    FiloSf low = filo_sf_max(place, filo_sf_constant(b, FILO_SF(float, -1)));         // 7, 8
    FiloSf shown = filo_sf_min(low, filo_sf_constant(b, FILO_SF(float, 1)));          // 9, 10
    FiloNetwork *network;
    FiloResult r = filo_network_create(&network, shown, NULL);
    bench_expect(r.code == FILO_OK, r.message);
    filo_sf_builder_destroy(b);
    return network;
}

static double springs_ours(void *state) {
    Springs *s = state;
    double ns;
    bench_time(ns, 5, {
        FiloResult r = filo_network_step(s->network, &(FiloSfRows){ .count = OBJECTS,
                                                                    .states = s->states,
                                                                    .delta = DELTA,
                                                                    .inputs = { s->targets },
                                                                    .outputs = { s->positions } });
        bench_use(r.code);
    });
    return ns / OBJECTS;
}

static void springs_loop(Springs *s) {
    for (size_t i = 0; i < OBJECTS; i++) {
        float place = s->place[i] + DELTA * s->speed_before[i],
              speed = s->speed[i] + DELTA * s->force_before[i];
        float force = (s->targets[i] - place) * 40 - speed * 3;
        s->place[i] = place;
        s->speed[i] = speed;
        s->speed_before[i] = speed;
        s->force_before[i] = force;
        float low = place > -1.0f ? place : -1.0f;
        s->shown[i] = low < 1.0f ? low : 1.0f;
    }
}

static double springs_reference(void *state) {
    Springs *s = state;
    double ns;
    bench_time(ns, 5, {
        springs_loop(s);
        bench_clobber();
    });
    return ns / OBJECTS;
}

// Both have been stepped as often: the results are the same, bit for bit.
static void compare_springs(void) {
    Springs s = { .network = spring_network() };
    s.states = calloc(OBJECTS, filo_network_state_size(s.network));
    float **columns[] = { &s.targets, &s.positions,    &s.speed, &s.force_before,
                          &s.place,   &s.speed_before, &s.shown };
    for (size_t i = 0; i < FILO_COUNT_OF(columns); i++) *columns[i] = calloc(OBJECTS, sizeof(float));
    for (size_t i = 0; i < OBJECTS; i++) s.targets[i] = (float)(i % 100) * 0.03f - 1.5f;
    (void)springs_ours(&s); // the first step is time 0, which the loop below has too
    for (size_t i = 0; i < OBJECTS; i++) s.force_before[i] = s.targets[i] * 40;
    for (int i = 0; i < 4; i++) springs_loop(&s);
    for (size_t i = 0; i < OBJECTS; i++)
        bench_expect(s.positions[i] == s.shown[i], "frp.step: equal results");
    bench_compare(&(BenchFigure){ .name = "frp.step",
                                  .unit = "ns/object",
                                  .ours = springs_ours,
                                  .reference = springs_reference,
                                  .reference_name = "plain loop over columns",
                                  .state = &s });
    for (size_t i = 0; i < FILO_COUNT_OF(columns); i++) free(*columns[i]);
    free(s.states);
    filo_network_destroy(s.network);
}

// ---- Switches ----------------------------------------------------------------------------------------------------

typedef struct Switches {
    FiloNetwork *network;
    uint8_t *states;
    float *outputs;
} Switches;

// Two branches that hand over to each other at every step: each with an integral and a parameter.
static FiloNetwork *switch_network(void) {
    FiloSfBuilder *b = filo_sf_builder_create(&(FiloSfBuilderDesc){ .name = "switching" });
    FiloSfBranch up = filo_sf_branch(b, "up", FILO_TYPE(float)),
                 down = filo_sf_branch(b, "down", FILO_TYPE(float));
    FiloSf rising = filo_sf_add(filo_sf_parameter(up), filo_sf_time(b));
    FiloSf falling = filo_sf_sub(filo_sf_parameter(down), filo_sf_time(b));
    FiloSf soon = filo_sf_after(b, DELTA, FILO_SF_NONE);
    filo_sf_define(up, filo_sf_switch(rising, FILO_ON(filo_sf_tag(soon, rising), down)));
    filo_sf_define(down, filo_sf_switch(falling, FILO_ON(filo_sf_tag(soon, falling), up)));
    FiloNetwork *network;
    FiloResult r = filo_network_create(&network, filo_sf_start(up, FILO_SF(float, 0)), NULL);
    bench_expect(r.code == FILO_OK, r.message);
    filo_sf_builder_destroy(b);
    return network;
}

static double switches_ours(void *state) {
    Switches *s = state;
    double ns;
    bench_time(ns, 5, {
        FiloResult r = filo_network_step(s->network, &(FiloSfRows){ .count = OBJECTS,
                                                                    .states = s->states,
                                                                    .delta = DELTA,
                                                                    .outputs = { s->outputs } });
        bench_use(r.code);
    });
    return ns / OBJECTS;
}

// A function pointer in each object, which the function itself replaces.
typedef struct Machine {
    float (*run)(struct Machine *m);
    float start, time;
} Machine;
static float run_up(Machine *m);
static float run_down(Machine *m) {
    m->time += DELTA;
    float value = m->start - m->time;
    if (m->time >= DELTA) *m = (Machine){ run_up, value, 0 };
    return value;
}
static float run_up(Machine *m) {
    m->time += DELTA;
    float value = m->start + m->time;
    if (m->time >= DELTA) *m = (Machine){ run_down, value, 0 };
    return value;
}

static double switches_reference(void *state) {
    Switches *s = state;
    static Machine machines[OBJECTS];
    if (machines[0].run == NULL)
        for (size_t i = 0; i < OBJECTS; i++) machines[i].run = run_up;
    double ns;
    bench_time(ns, 5, {
        for (size_t i = 0; i < OBJECTS; i++) s->outputs[i] = machines[i].run(&machines[i]);
        bench_clobber();
    });
    return ns / OBJECTS;
}

static void compare_switches(void) {
    Switches s = { .network = switch_network() };
    s.states = calloc(OBJECTS, filo_network_state_size(s.network));
    s.outputs = calloc(OBJECTS, sizeof(float));
    (void)switches_ours(&s);
    bench_compare(&(BenchFigure){ .name = "frp.switch",
                                  .unit = "ns/switch",
                                  .ours = switches_ours,
                                  .reference = switches_reference,
                                  .reference_name = "function pointers",
                                  .state = &s });
    free(s.states);
    free(s.outputs);
    filo_network_destroy(s.network);
}

FILO_BENCH(frp) {
    if (bench_wanted("frp.step")) compare_springs();
    if (bench_wanted("frp.switch")) compare_switches();
    bench_frp_spheres();
    bench_frp_objects();
}
