// A tick.
//
// The stages run one after the other, those of a phase on the same structure: what their systems record is applied at
// the end of the phase, and then their events are delivered. The systems of a stage may run in any order: what they
// record is sorted by (index of the system in the order, first row of the part) before it is applied, so the result
// depends neither on threads nor on the stages.
//
// Most systems are small, and handing one to another worker would cost more than running it. So each system stores
// what it cost when it was last measured. If a stage gains too little from other workers, the ticking thread runs all
// systems, one after the other. Otherwise it starts helpers on other workers. Systems that cost less than handing
// them over stay with the ticking thread, which runs them first. All workers claim the rest until nothing is left:
// first systems as a whole, the most expensive first and small ones several at a time, then parts of systems that may
// be divided. Parts are large at first and become smaller towards the end, so that all workers end at about the same
// time ("guided self-scheduling": Polychronopoulos and Kuck, IEEE Transactions on Computers, 1987).

#include "ecs/observe/notify.h"
#include "ecs/query/iter.h"
#include "ecs/schedule/schedule.h"
#include "ecs/storage/components.h"

#include <filo/time.h>

#include <float.h>
#include <stddef.h>

#define PART_NS         8000  // shortest part: long compared with what a part costs
#define HANDOVER_NS     400   // cost of running a system on another worker, whose caches lack its data
#define BATCH_NS        4000  // systems are claimed together up to this
#define LIGHT_NS        2000  // systems that take longer are measured in each run
#define GAIN_AWAKE_NS   4000  // least gain for which a worker that is awake is used
#define GAIN_ASLEEP_NS  30000 // least gain for which a worker is woken
#define GAIN_ANOTHER_NS 10000 // least gain of each further worker

#define MEASURE_EVERY 64 // ticks between measurements of light systems

// ---- Parts ----------------------------------------------------------------------------------------------

// A part of a system's rows, for which its function is called.
typedef struct Part {
    FiloChanges changes;
    FiloEventRecorder recorder;
    FiloZone zone;
    const EcsSystem *outer;
} Part;

static inline void part_begin(Part *part, FiloIter *it, EcsSystem *system, uint64_t row) {
    FiloWorld *world = system->world;
    it->user = system->user;
    it->tick = world->tick;
    it->delta = world->schedule->delta;
    ecs_iter(it)->system = system;
    ecs_changes_open(&part->changes, world, system->source, row);
    it->changes = &part->changes;
    it->events = NULL;
    if (world->events != NULL) {
        part->recorder = world->schedule->recorder;
        part->recorder.key.source = system->source;
        part->recorder.key.range = row;
        it->events = &part->recorder;
    }
    filo_profile_enter(&part->zone, system->name);
    part->outer = ecs_system_enter(system);
}

static inline void note_recorded(BASE_ATOMIC(bool) * recorded) {
    if (!base_load_relaxed(recorded)) base_store_relaxed(recorded, true); // keeps the line shared
}

static inline void part_end(Part *part, FiloIter *it, EcsSystem *system) {
    (void)ecs_system_enter(part->outer);
    filo_profile_leave(&part->zone);
    if (it->events != NULL && FILO_UNLIKELY(part->recorder.first != NULL)) {
        note_recorded(&it->world->schedule->recorded);
        note_recorded(&system->records_events);
        filo_event_recorder_end(&part->recorder);
    }
    if (part->changes.set != NULL) note_recorded(&system->records_changes);
    ecs_changes_close(&part->changes);
}

// Returns the number of rows.
static size_t run_rows(EcsSystem *system, size_t begin, size_t end) {
    FiloIter it;
    ecs_iter_begin(&it, system->query, begin, end, system->since);
    if (!filo_iter_next(&it)) return 0;
    Part part;
    part_begin(&part, &it, system, begin);
    size_t rows_found = 0;
    do {
        rows_found += it.count;
        system->run(&it);
    } while (filo_iter_next(&it));
    part_end(&part, &it, system);
    return rows_found;
}

// Whether one of its global components with `changed` may have changed.
static FILO_COLD bool globals_changed(const EcsSystem *system) {
    const FiloQuery *query = system->query;
    for (size_t i = 0; i < query->term_count; i++) {
        if (!query->terms[i].changed) continue;
        uint64_t version = __atomic_load_n(query->terms[i].component->version, __ATOMIC_RELAXED);
        if (version > system->since) return true;
    }
    return system->since == 0; // it never ran
}

// Calls a system once, without rows. The iteration is there for the global components.
static void run_whole(EcsSystem *system) {
    if (FILO_UNLIKELY(system->on_change) && !globals_changed(system)) return;
    FiloIter it;
    ecs_iter_begin(&it, system->query, 0, SIZE_MAX, system->since);
    Part part;
    part_begin(&part, &it, system, 0);
    system->run(&it);
    part_end(&part, &it, system);
}

// ---- Work of a stage --------------------------------------------------------------------------------------

// Whether a system that is on runs in this tick.
static bool is_due(const EcsSystem *system, const FiloWorld *world) {
    if (system->every > 1 && world->tick % system->every != system->offset) return false;
    return system->condition == NULL || system->condition(world, system->user);
}

// Expected times of a stage, in nanoseconds.
typedef struct Expected {
    uint64_t total;
    uint64_t ticking; // of the work that only the ticking thread may do
    uint64_t longest; // of the rest, the longest that cannot be divided
} Expected;

static inline size_t rows_of(const FiloQuery *query) {
    if (FILO_LIKELY(query->match_count == 1 && !query->filters))
        return ecs_partition_count(((const EcsMatch *)(const void *)query->matches)->partition);
    return ecs_query_rows(query);
}

static void add_work(EcsSchedule *schedule, EcsSystem *system, Expected *expected) {
    EcsWork *work = &schedule->work.items[schedule->work_count];
    work->system = system;
    work->expected_ns = system->cost_ns;
    work->divided = system->parallel && schedule->other_workers > 0;
    if (work->divided) {
        work->rows = rows_of(system->query);
        if (work->rows == 0) return;
        // Signed, because the processor converts that in one step.
        work->expected_ns = (uint64_t)(int64_t)(system->row_cost_ns * (double)(int64_t)work->rows);
    }
    work->on_ticking_thread = system->main_thread || (work->expected_ns < HANDOVER_NS && !schedule->eager);
    if (work->on_ticking_thread)
        expected->ticking += work->expected_ns;
    else if (!work->divided)
        expected->longest = FILO_MAX(expected->longest, work->expected_ns);
    expected->total += work->expected_ns;
    schedule->work_count++;
}

static void refresh_tracked(const EcsSystem *system) {
    if (system->query->tracking != NULL) ecs_track_refresh_query(system->query);
    for (size_t i = 0; i < FILO_SYSTEM_QUERIES; i++)
        if (system->extra_queries[i] != NULL && system->extra_queries[i]->tracking != NULL)
            ecs_track_refresh_query(system->extra_queries[i]);
}

// Whether no entity can match: no matching table has rows, or no entity has one of the required components outside of
// tables.
static bool matches_nothing(const FiloQuery *query) {
    size_t rows = 0;
    for (size_t i = 0; i < query->match_count && rows == 0; i++)
        rows = ecs_partition_count(ecs_query_match(query, i)->partition);
    if (rows == 0 || FILO_LIKELY(!query->filters)) return rows == 0;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const EcsQueryTerm *term = &query->terms[i];
        if (term->source == ECS_SOURCE_HOLDER && term->kind == FILO_TERM_REQUIRED &&
            term->component->interface->count(term->component->holder) == 0)
            return true;
    }
    return false;
}

// Lists the systems of a stage that run now, and marks them as run. False if none does.
static bool collect_work(FiloWorld *world, EcsSystem *const *systems, size_t count, Expected *expected) {
    EcsSchedule *schedule = world->schedule;
    bool any = false;
    schedule->work_count = 0;
    *expected = (Expected){ 0 };
    for (size_t i = 0; i < count; i++) {
        EcsSystem *system = systems[i];
        if (!is_due(system, world)) continue;
        any = true;
        system->since = system->last_version;
        system->last_version = world->version;
        system->stats.runs++;
        uint64_t rows_before = system->stats.rows;
        system->stats.rows = 0;
        if (FILO_UNLIKELY(system->tracked)) refresh_tracked(system);
        // A system that had no rows often has none again. This test is much cheaper than beginning an empty
        // iteration, and systems that had rows do not pay for it.
        if (rows_before == 0 && system->skip_if_empty && matches_nothing(system->query)) {
            system->stats.last_ns = 0;
            continue;
        }
        add_work(schedule, system, expected);
    }
    return any;
}

static void store_cost(EcsWork *work, uint64_t ns, bool measuring) {
    EcsSystem *system = work->system;
    system->cost_ns = ns;
    if (work->divided) system->row_cost_ns = (double)ns / (double)work->rows;
    system->stats.last_ns = measuring ? (double)ns : 0;
    if (measuring) system->stats.total_ns += (double)ns;
}

// ---- One thread -------------------------------------------------------------------------------------------

static bool is_timed(const FiloWorld *world, const EcsWork *work) {
    if (world->measuring) return true;
    if (world->schedule->other_workers == 0) return false;
    // The first run is not representative, because nothing is in the caches. So the second is measured too.
    return work->expected_ns > LIGHT_NS || work->system->stats.runs <= 2 ||
           (world->tick + work->system->source) % MEASURE_EVERY == 0;
}

static void run_work(FiloWorld *world, EcsWork *work) {
    EcsSystem *system = work->system;
    bool timed = is_timed(world, work);
    int64_t start = timed ? filo_time_ns() : 0;
    if (system->whole)
        run_whole(system);
    else
        system->stats.rows = run_rows(system, 0, SIZE_MAX);
    if (FILO_UNLIKELY(timed)) store_cost(work, (uint64_t)(filo_time_ns() - start), world->measuring);
}

// Thousands of systems do not fit into the nearer caches, and waiting for the data of a system would take longer than
// most systems run. So it is prefetched this many systems before.
#define PREFETCH_SYSTEMS 8

static inline void prefetch_system(const EcsSystem *system) {
    _Static_assert(offsetof(EcsSystem, stats) < (size_t)3 * FILO_CACHE_LINE, "what a run needs comes first");
    const char *start = (const char *)system;
    for (size_t line = 0; line < 3; line++) __builtin_prefetch(start + line * FILO_CACHE_LINE, 1);
}

static inline void prefetch_query(const FiloQuery *query) {
    __builtin_prefetch(query);
    __builtin_prefetch(&query->term_count);
    __builtin_prefetch(&query->match_count);
}

static void run_on_one_thread(FiloWorld *world) {
    EcsWork *const work = world->schedule->work.items;
    const size_t count = world->schedule->work_count;
    for (size_t i = 0; i < count; i++) {
        if (i + PREFETCH_SYSTEMS < count) {
            prefetch_system(work[i + PREFETCH_SYSTEMS].system);
            prefetch_query(work[i + PREFETCH_SYSTEMS / 2].system->query);
            __builtin_prefetch(work[i + PREFETCH_SYSTEMS / 4].system->query->matches);
        }
        run_work(world, &work[i]);
    }
}

// ---- Several threads --------------------------------------------------------------------------------------

static void run_part(EcsWork *work, size_t begin, size_t end) {
    int64_t start = filo_time_ns();
    size_t rows_found = run_rows(work->system, begin, end);
    base_add_relaxed(&work->ns, (uint64_t)(filo_time_ns() - start));
    base_add_relaxed(&work->rows_found, rows_found);
}

// Claims rows of a divided system; false if none are left.
static bool claim_rows(const EcsSchedule *schedule, EcsWork *work, size_t *begin, size_t *end) {
    size_t next = base_load_relaxed(&work->next);
    do {
        if (next >= work->rows) return false;
        size_t size = (work->rows - next) / ((size_t)4 * (schedule->helpers + 1));
        size = FILO_MAX(size, work->min_rows);
        if (size > 64)
            size = FILO_ALIGN_UP(size, (size_t)64); // so that columns of full chunks are cut at cache lines
        *end = FILO_MIN(next + size, work->rows);
    } while (!base_cas_weak_relaxed(&work->next, &next, *end));
    *begin = next;
    return true;
}

// The end of the claims that are taken together with a system that is not divided.
static size_t batch_end(const EcsSchedule *schedule, size_t first) {
    EcsWork *const *claims = schedule->claims.items;
    uint64_t ns = claims[first]->expected_ns;
    size_t end = first + 1;
    if (FILO_UNLIKELY(schedule->eager)) return end;
    while (end < schedule->claim_count && !claims[end]->divided &&
           (ns += claims[end]->expected_ns) <= BATCH_NS)
        end++;
    return end;
}

// Claims and does work until nothing is left to claim.
static void do_work(FiloWorld *world) {
    EcsSchedule *schedule = world->schedule;
    EcsWork *const *claims = schedule->claims.items;
    for (;;) {
        size_t index = base_load_relaxed(&schedule->claimed), begin, end;
        if (index >= schedule->claim_count) return;
        if (claims[index]->divided) {
            if (claim_rows(schedule, claims[index], &begin, &end))
                run_part(claims[index], begin, end);
            else
                base_cas_relaxed(&schedule->claimed, &index, index + 1);
            continue;
        }
        end = batch_end(schedule, index);
        if (base_cas_relaxed(&schedule->claimed, &index, end))
            for (; index < end; index++) run_work(world, claims[index]);
    }
}

static void help(FiloJob *job, void *data) {
    FILO_UNUSED(job);
    do_work(*(FiloWorld **)data);
}

// How many workers besides this one are worth using.
static unsigned useful_helpers(const FiloWorld *world, const Expected *expected) {
    const EcsSchedule *schedule = world->schedule;
    unsigned others = schedule->other_workers;
    if (others == 0 || schedule->work_count == 0) return 0;
    if (FILO_UNLIKELY(schedule->eager)) return others;
    if (FILO_LIKELY(expected->total < GAIN_AWAKE_NS)) return 0;
    uint64_t alone = FILO_MAX(expected->ticking, expected->longest);
    uint64_t gain = expected->total - FILO_MAX(alone, expected->total / (others + 1));
    if (gain < GAIN_AWAKE_NS) return 0;
    if (gain < GAIN_ASLEEP_NS && filo_jobs_stats(world->jobs).awake < 2) return 0;
    return (unsigned)FILO_MIN(others, 1 + gain / GAIN_ANOTHER_NS);
}

// The shortest part. A power of two: then rows are divided alike as long as the cost is about the same, and each part
// records about as much as in the tick before.
static size_t shortest_part(const EcsSchedule *schedule, const EcsWork *work) {
    if (FILO_UNLIKELY(schedule->eager)) return work->rows / 64 + 1;
    size_t rows = 1;
    while (rows < work->rows && (double)rows * work->system->row_cost_ns < PART_NS) rows *= 2;
    return rows;
}

// The order of claims: the most expensive first, divided work last. Costs that differ by up to a fifth may have the
// same rank: they are estimates, and sorting them exactly takes longer than it gains.
#define RANKS 128

static size_t rank_of(const EcsWork *work) {
    if (work->divided) return RANKS - 1;
    uint64_t ns = FILO_MAX(work->expected_ns / 64, (uint64_t)4);
    unsigned octave = 63 - (unsigned)__builtin_clzll(ns); // at least 2
    size_t size = (size_t)4 * (octave - 2) + (ns >> (octave - 2) & 3);
    return RANKS - 2 - FILO_MIN(size, (size_t)RANKS - 2);
}

// Lists the work that any worker may do, sorted by rank.
static void list_claims(EcsSchedule *schedule) {
    EcsWork *const items = schedule->work.items, *const end = items + schedule->work_count;
    uint32_t starts[RANKS + 1] = { 0 }; // the first of each rank
    for (EcsWork *work = items; work < end; work++) {
        if (work->on_ticking_thread) continue;
        starts[rank_of(work) + 1]++;
        if (!work->divided) continue;
        work->min_rows = shortest_part(schedule, work);
        base_store_relaxed(&work->next, 0);
        base_store_relaxed(&work->ns, 0);
        base_store_relaxed(&work->rows_found, 0);
    }
    for (size_t i = 0; i < RANKS; i++) starts[i + 1] += starts[i];
    schedule->claim_count = starts[RANKS];
    for (EcsWork *work = items; work < end; work++)
        if (!work->on_ticking_thread) schedule->claims.items[starts[rank_of(work)]++] = work;
    base_store_relaxed(&schedule->claimed, 0);
}

static void run_on_workers(FiloWorld *world, unsigned helpers) {
    EcsSchedule *schedule = world->schedule;
    schedule->helpers = helpers;
    list_claims(schedule);
    FiloJob all; // the parent of the helpers
    filo_job_init(&all, filo_job_do_nothing, NULL, 0);
    for (unsigned i = 0; i < helpers; i++)
        filo_jobs_spawn(world->jobs, &all, help, &(FiloWorld *){ world }, sizeof(FiloWorld *));
    for (size_t i = 0; i < schedule->work_count; i++)
        if (schedule->work.items[i].on_ticking_thread) run_work(world, &schedule->work.items[i]);
    do_work(world);
    filo_jobs_run(world->jobs, &all);
    filo_jobs_wait(world->jobs, &all);
    for (size_t i = 0; i < schedule->work_count; i++) {
        EcsWork *work = &schedule->work.items[i];
        if (work->on_ticking_thread || !work->divided) continue;
        work->system->stats.rows = base_load_relaxed(&work->rows_found);
        store_cost(work, base_load_relaxed(&work->ns), world->measuring);
    }
}

// ---- The threads of a tick --------------------------------------------------------------------------------

#ifndef NDEBUG

// The calling thread, and all jobs that it starts from here on, are a part of the tick. Returns the mark before.
static bool enter_tick(FiloWorld *world) {
    (void)base_or_relaxed(&world->closed, ECS_CLOSED_TICK);
    return filo_jobs_set_mark(true);
}

static void leave_tick(FiloWorld *world, bool mark) {
    (void)filo_jobs_set_mark(mark);
    (void)base_and_relaxed(&world->closed, ~(uint32_t)ECS_CLOSED_TICK);
}

#else

static bool enter_tick(FiloWorld *world) {
    FILO_UNUSED(world);
    return false;
}

static void leave_tick(FiloWorld *world, bool mark) { FILO_UNUSED(world), FILO_UNUSED(mark); }

#endif

// ---- Stages ------------------------------------------------------------------------------------------

void ecs_apply_changes(FiloWorld *world) {
    world->schedule->state = ECS_TICK_REFRESH;
    ecs_set_running(world, false);
    world->version++;
    world->schedule->handled = 0;
    ecs_changes_close(&world->schedule->call_changes);
    ecs_changes_refresh(world);
}

void ecs_apply_and_observe(FiloWorld *world) {
    ecs_apply_changes(world);
    if (FILO_UNLIKELY(world->observers.count > 0)) ecs_observers_deliver(world);
}

// Runs the systems of a stage that are due. False if none is.
static bool run_stage(FiloWorld *world, EcsSystem *const *systems, size_t count) {
    EcsSchedule *schedule = world->schedule;
    schedule->state = ECS_TICK_STAGE;
    ecs_set_running(world, true);
    world->version++;
    Expected expected;
    if (!collect_work(world, systems, count, &expected)) return false;
    unsigned helpers = useful_helpers(world, &expected);
    if (FILO_UNLIKELY(schedule->next_systems > 0)) ecs_next_begin(world);
    if (FILO_UNLIKELY(schedule->together_systems > 0)) ecs_together_check(world);
    if (FILO_UNLIKELY(helpers > 0))
        run_on_workers(world, helpers);
    else
        run_on_one_thread(world);
    return true;
}

// Delivers pending events, and applies what handlers recorded. The events of these handlers, and of the observers that
// follow, wait for the end of the tick: whether another phase comes before that depends on other systems.
static void deliver(FiloWorld *world, bool tick_ends) {
    EcsSchedule *schedule = world->schedule;
    schedule->state = ECS_TICK_DELIVERY;
    ecs_set_running(world, true);
    if (tick_ends)
        filo_events_deliver(world->events);
    else
        filo_events_deliver_within_tick(world->events);
    filo_event_recorder_begin(&schedule->recorder, world->events, 0, 0);
    schedule->holds_events = !tick_ends;
    if (schedule->handled > 0) ecs_apply_and_observe(world);
    schedule->holds_events = false;
    base_store_relaxed(&schedule->recorded, false);
    ecs_set_running(world, false);
}

// What the systems of a phase recorded takes effect.
static void end_phase(FiloWorld *world) {
    ecs_apply_and_observe(world);
    if (world->events != NULL && base_load_relaxed(&world->schedule->recorded)) deliver(world, false);
}

void ecs_run_alone(FiloWorld *world, EcsSystem *system) {
    if (!ecs_system_is_on(world, system) || !run_stage(world, &system, 1)) return;
    if (system->writes_next) ecs_next_end(world);
    end_phase(world);
}

static void run_stages(FiloWorld *world) {
    EcsSchedule *schedule = world->schedule;
    const bool has_next = schedule->next_systems > 0;
    bool ran = false; // a system of this phase
    filo_array_each (&schedule->stages, stage) {
        size_t active = stage->active_end - stage->active_first;
        if (active > 0 && run_stage(world, schedule->active.items + stage->active_first, active)) {
            ran = true;
            if (FILO_UNLIKELY(has_next)) ecs_next_end(world);
        }
        if (!stage->ends_phase || !ran) continue;
        end_phase(world);
        ran = false;
    }
}

FiloResult filo_world_tick(FiloWorld *world, float delta) {
    if (world == NULL) return FILO_MISTAKE("pass a world");
    if (!(delta >= 0.0f && delta <= FLT_MAX)) // rejects NaN too
        return FILO_MISTAKE("a tick lasts 0 seconds or more, not %g", (double)delta);
    FILO_ZONE("world tick");
    EcsSchedule *schedule = world->schedule;
    FiloResult mistake = ecs_check_change(world, "tick");
    if (mistake.code != FILO_OK) return mistake;
    if (world->jobs != NULL && filo_jobs_worker(world->jobs) < 0)
        return FILO_MISTAKE(
            "tick a world on a worker of its scheduler, such as the thread that created that");
    if (FILO_UNLIKELY(schedule->stale || schedule->problem.code != FILO_OK)) {
        FiloResult r = ecs_schedule_resolve(world);
        if (r.code == FILO_ERROR_ARGUMENT) return FILO_MISTAKE("%s", r.message);
        if (r.code != FILO_OK) return r;
        ecs_changes_reserve(world);
    }
    ecs_data_before_tick(world);
    if (FILO_UNLIKELY(world->checked_components < world->components.count))
        ecs_components_check_complete(world);
    bool mark = enter_tick(world);
    schedule->delta = delta;
    schedule->span++;
    schedule->other_workers = world->jobs != NULL ? (unsigned)filo_jobs_threads(world->jobs) - 1 : 0;
    if (world->events != NULL) filo_event_recorder_begin(&schedule->recorder, world->events, 0, 0);
    if (FILO_UNLIKELY(schedule->handled > 0)) ecs_apply_changes(world); // handlers were called between ticks
    if (FILO_UNLIKELY(world->observers.count > 0)) ecs_observers_deliver(world);
    if (world->events != NULL) deliver(world, false); // those from between ticks
    if (FILO_UNLIKELY(schedule->states.count > 0)) ecs_states_change(world);
    if (FILO_UNLIKELY(schedule->active_stale)) ecs_schedule_activate(world);
    run_stages(world);
    if (world->events != NULL) deliver(world, true);
    schedule->span++;
    schedule->state = ECS_TICK_NONE;
    ecs_set_running(world, false);
    if (ecs_tracking(world)) ecs_track_refresh(world);
    world->tick++;
    leave_tick(world, mark);
    ecs_data_after_tick(world);
    return filo_ok();
}

void filo_world_refresh(FiloWorld *world) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return;
    if (!ecs_may_change(world, "refresh")) return;
    world->schedule->delta = 0;
    ecs_apply_and_observe(world);
    world->schedule->state = ECS_TICK_NONE;
    if (ecs_tracking(world)) ecs_track_refresh(world);
    ecs_data_after_tick(world);
}
