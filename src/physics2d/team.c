// Workers that go through the stages of a step together.
//
// A step has a hundred stages of some microseconds each, with a barrier after each of them. Starting jobs for each would
// take longer than the stages. So one job for each worker is started at the beginning. The thread that ticks publishes
// one stage after the other; all take parts of it in turn; when all parts are done the next stage begins. A helper that
// starts late, or never, does no harm: the thread that ticks can do everything alone.
//
// `word` is the number of the stage, from 1, and the next part of it. Both change in one operation, so that a part is always one
// of a known stage.

#include <filo/threads.h>

#include "physics2d/physics2d.h"

#define LAST UINT32_MAX // the number of the stage that ends everything

typedef struct Team {
    Physics2dWorld *phys;
    const Physics2dStage *stages;
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(uint64_t) word;
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(uint32_t) done; // parts of the present stage
} Team;

static size_t part_size(const Physics2dStage *stage) { return stage->part > 0 ? stage->part : 1; }
static uint32_t part_count(const Physics2dStage *stage) {
    return (uint32_t)((stage->blocks + part_size(stage) - 1) / part_size(stage));
}

static void run_part(const Team *team, const Physics2dStage *stage, uint32_t part) {
    size_t size = part_size(stage), begin = part * size, end = FILO_MIN(begin + size, stage->blocks);
    stage->run(team->phys, stage, begin, end);
}

// Takes parts until there are none; the number of the stage that it ended with.
static uint32_t take_parts(Team *team) {
    for (;;) {
        // Acquire: pairs with the store of the word in physics2d_team_run. Release: not needed, but the operation is one.
        uint64_t word = base_add_acq_rel(&team->word, 1);
        uint32_t number = (uint32_t)(word >> 32), part = (uint32_t)word;
        if (number == LAST || number == 0) return number;
        const Physics2dStage *stage = &team->stages[number - 1];
        if (part >= part_count(stage)) return number;
        run_part(team, stage, part);
        // Release: pairs with the load in physics2d_team_run. What the part wrote is visible to the next stage.
        (void)base_add_release(&team->done, 1);
    }
}

#define SPINS 2000 // some microseconds: more, and the other thread is probably not running

// Waits for another thread: for stages of a few microseconds, without a system call.
static void pause_briefly(unsigned *spins) {
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
    if (++*spins % SPINS == 0) filo_thread_yield();
}

static void help(FiloJob *job, void *data) {
    FILO_UNUSED(job);
    Team *team = *(Team **)data;
    for (uint32_t number = take_parts(team); number != LAST; number = take_parts(team)) {
        unsigned spins = 0;
        while ((uint32_t)(base_load_relaxed(&team->word) >> 32) == number) pause_briefly(&spins);
    }
}

static void run_alone(Physics2dWorld *phys, const Physics2dStage *stages, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (stages[i].blocks > 0) stages[i].run(phys, &stages[i], 0, stages[i].blocks);
}

void physics2d_team_run(Physics2dWorld *phys, const Physics2dStage *stages, size_t count) {
    int threads = phys->jobs != NULL ? filo_jobs_threads(phys->jobs) : 1;
    if (threads < 2 || phys->touching + phys->awake.count < 500) {
        run_alone(phys, stages, count);
        return;
    }
    Team team = { .phys = phys, .stages = stages };
    Team *pointer = &team;
    FiloJob all;
    filo_job_init(&all, filo_job_do_nothing, NULL, 0);
    for (int i = 1; i < FILO_MIN(threads, 16); i++)
        filo_jobs_spawn(phys->jobs, &all, help, &pointer, sizeof pointer);
    filo_jobs_run(phys->jobs, &all);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t parts = part_count(&stages[i]);
        if (parts <= 1) {
            if (parts == 1) run_part(&team, &stages[i], 0);
            continue;
        }
        base_store_relaxed(&team.done, 0);
        // Release: pairs with the addition in take_parts. The results of the stages before are visible to the helpers.
        base_store_release(&team.word, (uint64_t)(i + 1) << 32);
        (void)take_parts(&team);
        // Acquire: pairs with the addition at the end of take_parts.
        unsigned spins = 0;
        while (base_load_acquire(&team.done) < parts) pause_briefly(&spins);
    }
    base_store_release(&team.word, (uint64_t)LAST << 32);
    filo_jobs_wait(phys->jobs, &all);
}

void physics2d_for(Physics2dWorld *phys, size_t count, size_t least, FiloRangeFunction function, void *user) {
    if (count == 0) return;
    if (phys->jobs == NULL || count < 2 * least)
        function(0, count, user);
    else
        filo_jobs_for(phys->jobs, count, function, user);
}
