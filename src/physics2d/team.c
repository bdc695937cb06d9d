// Workers that go through the stages of a step together.
//
// A step has a hundred stages of some microseconds each, with a barrier after each of them. Starting jobs for each would
// take longer than the stages. So one job for each worker is started at the beginning, and all members go through the same
// list of stages: each takes parts of a stage, counts those that it has done, and begins the next stage when the count says
// that all parts are done. No member leads. A helper that starts late, leaves early or never starts does no harm: the
// thread that ticks can do everything alone.
//
// Each member has a range of the blocks of each stage, and takes its parts first: stages over the same blocks find them in the
// cache of the processor that had them before. Then it takes parts of the others.
//
// The word of a member is the number of a stage, from 1, and the next part of its range in this stage. It only grows. The
// first thread that takes a part of a later stage sets both at once, so nothing has to be reset between stages.

#include <filo/threads.h>

#include "physics2d/physics2d.h"

#define MEMBERS 16

typedef struct Member {
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(uint64_t) word;
} Member;

typedef struct Team {
    Physics2dWorld *phys;
    const Physics2dStage *stages;
    size_t count;
    uint32_t size;
    Member members[MEMBERS];                                // the first is the thread that ticks
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(uint64_t) done;   // parts of all stages
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(uint32_t) joined; // helpers that have started
} Team;

static size_t part_size(const Physics2dStage *stage) { return stage->part > 0 ? stage->part : 1; }

// The first block of the range of a member. A single part is one of the thread that ticks. Blocks are divided, and not parts:
// so each member has nearly the same bodies in all stages, whatever the size of their parts is.
static size_t range_begin(const Team *team, const Physics2dStage *stage, uint32_t member) {
    if (member == 0) return 0;
    if (member >= team->size || part_size(stage) >= stage->blocks) return stage->blocks;
    return stage->blocks * member / team->size;
}

static uint32_t range_parts(const Team *team, const Physics2dStage *stage, uint32_t member) {
    size_t blocks = range_begin(team, stage, member + 1) - range_begin(team, stage, member);
    return (uint32_t)((blocks + part_size(stage) - 1) / part_size(stage));
}

static uint32_t all_parts(const Team *team, const Physics2dStage *stage) {
    uint32_t parts = 0;
    for (uint32_t i = 0; i < team->size; i++) parts += range_parts(team, stage, i);
    return parts;
}

static void run_part(const Team *team, const Physics2dStage *stage, uint32_t member, uint32_t part) {
    size_t size = part_size(stage), begin = range_begin(team, stage, member) + part * size,
           end = range_begin(team, stage, member + 1);
    stage->run(team->phys, stage, begin, FILO_MIN(begin + size, end));
}

// Takes the next of `count` parts of a member's range; `count` if there are none. Relaxed: the word passes nothing on but
// the number of a part. The results of earlier stages are passed on by `done`.
static uint32_t take_part(Member *member, uint32_t number, uint32_t count) {
    uint64_t word = base_load_relaxed(&member->word);
    for (;;) {
        uint32_t present = (uint32_t)(word >> 32), next = present == number ? (uint32_t)word : 0;
        if (present > number || next >= count) return count;
        if (base_cas_weak_relaxed(&member->word, &word, (uint64_t)number << 32 | (next + 1))) return next;
    }
}

// Takes parts of a stage until there are none: first those of this member, then those of the others.
static void take_parts(Team *team, uint32_t number, uint32_t member) {
    const Physics2dStage *stage = &team->stages[number - 1];
    uint32_t taken = 0;
    for (uint32_t i = 0; i < team->size; i++) {
        uint32_t owner = (member + i) % team->size, count = range_parts(team, stage, owner);
        for (uint32_t part; (part = take_part(&team->members[owner], number, count)) < count; taken++)
            run_part(team, stage, owner, part);
    }
    // Release: pairs with the loads of `done` in go_through. What the parts wrote is visible in the next stage.
    if (taken > 0) (void)base_add_release(&team->done, taken);
}

#define SPINS  2000 // some tens of microseconds: more, and the other thread is probably not running
#define YIELDS 500

// Waits until `target` parts are done: for a few microseconds without a system call, then by letting other threads run.
// False if a helper should leave: it has waited so long that processors must be busy with other work.
static bool wait_for(Team *team, uint64_t target, bool helper) {
    // Acquire: pairs with the addition in take_parts.
    for (unsigned spins = 0; base_load_acquire(&team->done) < target; spins++) {
        if (spins < SPINS)
            base_cpu_relax();
        else if (helper && spins >= SPINS + YIELDS)
            return false;
        else
            filo_thread_yield();
    }
    return true;
}

static void go_through(Team *team, uint32_t member) {
    uint64_t target = 0;
    for (uint32_t i = 0; i < team->count; i++) {
        target += all_parts(team, &team->stages[i]);
        // A helper that starts late finds stages that have ended. Acquire: pairs with the addition in take_parts.
        if (base_load_acquire(&team->done) >= target) continue;
        take_parts(team, i + 1, member);
        if (!wait_for(team, target, member > 0)) return;
    }
}

static void help(FiloJob *job, void *data) {
    FILO_UNUSED(job);
    Team *team = *(Team **)data;
    go_through(team, base_add_relaxed(&team->joined, 1) + 1);
}

static void run_alone(Physics2dWorld *phys, const Physics2dStage *stages, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (stages[i].blocks > 0) stages[i].run(phys, &stages[i], 0, stages[i].blocks);
}

void physics2d_team_run(Physics2dWorld *phys, const Physics2dStage *stages, size_t count) {
    // More members than processors would only wait for each other.
    int threads = phys->jobs != NULL ? FILO_MIN(filo_jobs_threads(phys->jobs), phys->processors) : 1;
    if (threads < 2 || phys->touching + phys->awake.count < 500) {
        run_alone(phys, stages, count);
        return;
    }
    Team team = {
        .phys = phys, .stages = stages, .count = count, .size = (uint32_t)FILO_MIN(threads, MEMBERS)
    };
    Team *pointer = &team;
    FiloJob all;
    filo_job_init(&all, filo_job_do_nothing, NULL, 0);
    for (uint32_t i = 1; i < team.size; i++)
        filo_jobs_spawn(phys->jobs, &all, help, &pointer, sizeof pointer);
    filo_jobs_run(phys->jobs, &all);
    go_through(&team, 0);
    filo_jobs_wait(phys->jobs, &all);
}

void physics2d_for(Physics2dWorld *phys, size_t count, size_t least, FiloRangeFunction function, void *user) {
    if (count == 0) return;
    if (phys->jobs == NULL || count < 2 * least)
        function(0, count, user);
    else
        filo_jobs_for(phys->jobs, count, function, user);
}
