// Workers that go through the stages of a step together.
//
// A step has a hundred stages of some microseconds each, with a barrier after each of them. Starting jobs for each would
// take longer than the stages. So one job for each worker is started at the beginning. The thread that ticks publishes
// one stage after the other; all take parts of it in turn; when all parts are done the next stage begins. A helper that
// starts late, or never, does no harm: the thread that ticks can do everything alone.
//
// Each member has a range of the parts of each stage, which it takes first: stages over the same blocks find them in the
// cache of the processor that had them before. Then it takes parts of the others.
//
// The word of a member is the number of the stage, from 1, and the next part of its range. Both change in one operation, so that
// a part is always one of a known stage.

#include <filo/threads.h>

#include "physics2d/physics2d.h"

#define LAST    UINT32_MAX // the number of the stage that ends everything
#define MEMBERS 16

typedef struct Member {
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(uint64_t) word;
} Member;

typedef struct Team {
    Physics2dWorld *phys;
    const Physics2dStage *stages;
    uint32_t size;
    Member members[MEMBERS];                                // the first is the thread that ticks
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(uint32_t) done;   // parts of the present stage
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(uint32_t) joined; // helpers that have started
} Team;

static size_t part_size(const Physics2dStage *stage) { return stage->part > 0 ? stage->part : 1; }
static uint32_t part_count(const Physics2dStage *stage) {
    return (uint32_t)((stage->blocks + part_size(stage) - 1) / part_size(stage));
}

// The first part of the range of a member.
static uint32_t range_begin(const Team *team, const Physics2dStage *stage, uint32_t member) {
    return (uint32_t)((uint64_t)part_count(stage) * member / team->size);
}

static void run_part(const Team *team, const Physics2dStage *stage, uint32_t part) {
    size_t size = part_size(stage), begin = part * size, end = FILO_MIN(begin + size, stage->blocks);
    stage->run(team->phys, stage, begin, end);
}

// Takes parts of one member's range until there are none; the number of the stage that it ended with. A stage does not end
// before the parts are counted, so all of them are of one stage.
static uint32_t take_range(Team *team, uint32_t member) {
    uint32_t number, taken = 0;
    for (;; taken++) {
        // Acquire: pairs with the store of the word in publish. Release: not needed, but the operation is one.
        uint64_t word = base_add_acq_rel(&team->members[member].word, 1);
        number = (uint32_t)(word >> 32);
        if (number == LAST || number == 0) break;
        const Physics2dStage *stage = &team->stages[number - 1];
        uint32_t part = range_begin(team, stage, member) + (uint32_t)word;
        if (part >= range_begin(team, stage, member + 1)) break;
        run_part(team, stage, part);
    }
    // Release: pairs with the load in physics2d_team_run. What the parts wrote is visible to the next stage.
    if (taken > 0) (void)base_add_release(&team->done, taken);
    return number;
}

// Takes parts until there are none; the number of the stage that the range of this member ended with.
static uint32_t take_parts(Team *team, uint32_t member) {
    uint32_t number = take_range(team, member);
    for (uint32_t i = 1; i < team->size && number != LAST; i++)
        (void)take_range(team, (member + i) % team->size);
    return number;
}

// The thread that ticks is last, because it takes parts at once.
static void publish(Team *team, uint32_t number) {
    for (uint32_t i = team->size; i-- > 0;)
        // Release: pairs with the addition in take_range. The results of the stages before are visible to the helpers.
        base_store_release(&team->members[i].word, (uint64_t)number << 32);
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
    uint32_t member = base_add_relaxed(&team->joined, 1) + 1;
    for (uint32_t number = take_parts(team, member); number != LAST; number = take_parts(team, member)) {
        unsigned spins = 0;
        while ((uint32_t)(base_load_relaxed(&team->members[member].word) >> 32) == number)
            pause_briefly(&spins);
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
    Team team = { .phys = phys, .stages = stages, .size = (uint32_t)FILO_MIN(threads, MEMBERS) };
    Team *pointer = &team;
    FiloJob all;
    filo_job_init(&all, filo_job_do_nothing, NULL, 0);
    for (uint32_t i = 1; i < team.size; i++)
        filo_jobs_spawn(phys->jobs, &all, help, &pointer, sizeof pointer);
    filo_jobs_run(phys->jobs, &all);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t parts = part_count(&stages[i]);
        if (parts <= 1) {
            if (parts == 1) run_part(&team, &stages[i], 0);
            continue;
        }
        base_store_relaxed(&team.done, 0);
        publish(&team, i + 1);
        (void)take_parts(&team, 0);
        // Acquire: pairs with the addition at the end of take_range.
        unsigned spins = 0;
        while (base_load_acquire(&team.done) < parts) pause_briefly(&spins);
    }
    publish(&team, LAST);
    filo_jobs_wait(phys->jobs, &all);
}

void physics2d_for(Physics2dWorld *phys, size_t count, size_t least, FiloRangeFunction function, void *user) {
    if (count == 0) return;
    if (phys->jobs == NULL || count < 2 * least)
        function(0, count, user);
    else
        filo_jobs_for(phys->jobs, count, function, user);
}
