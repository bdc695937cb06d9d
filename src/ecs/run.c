// A tick.
//
// The stages run one after the other. The systems of one are work that may be done in any order: what they
// record is kept apart by (place of the system in the order, first row of the part) and applied in that order
// afterwards, so who does what and when does not show.
//
// Most systems are small, and handing them to another worker would cost more than they do. So each system
// remembers what it cost when it was last measured, and if a stage has too little to gain, the thread that
// ticks does all of it, one system after the other. Otherwise it asks other workers for help: all of them,
// the ticking thread too, claim what is left until nothing is: first systems as a whole, the most expensive
// first, then parts of systems that may be divided. Parts are large at first and become smaller towards the
// end, so that all are done at about the same time ("guided self-scheduling": Polychronopoulos and Kuck, IEEE
// Transactions on Computers, 1987).

#include <filo/check.h>
#include <filo/profile.h>
#include <filo/time.h>

#include "ecs/changes.h"
#include "ecs/iter.h"
#include "ecs/schedule.h"

// In nanoseconds:
#define PART         8000  // how long a part should take at least: long against what a part costs
#define LIGHT        2000  // what takes longer is measured each time
#define GAIN_AWAKE   4000  // what is worth asking a worker that is awake for help
#define GAIN_ASLEEP  30000 // what is worth waking one for
#define GAIN_ANOTHER 10000 // what is worth asking another one besides

#define MEASURE_EVERY 64 // ticks: how often light systems are measured

// ---- Access ---------------------------------------------------------------------------------------------

#ifndef NDEBUG

static FILO_THREAD_LOCAL const FiloSystem *running;

const FiloSystem *filo_system_enter(const FiloSystem *system) {
    const FiloSystem *outer = running;
    running = system;
    return outer;
}

bool filo_access_allowed(const FiloWorld *world, const FiloComponentData *component, FiloAccess access) {
    if (running == NULL || running->world != world || access == FILO_ACCESS_NONE) return true;
    const char *name = component->info.name;
    bool write = access == FILO_ACCESS_WRITE;
    return FILO_CHECK(filo_access_has(&running->access, component->id, write),
                      "system \"%s\" %s %s, which it did not declare: add %s(%s) to its terms or to .touches",
                      running->name, write ? "writes" : "reads", name, write ? "FILO_WRITE" : "FILO_READ",
                      name);
}

#else

const FiloSystem *filo_system_enter(const FiloSystem *system) {
    FILO_UNUSED(system);
    return NULL;
}

bool filo_access_allowed(const FiloWorld *world, const FiloComponentData *component, FiloAccess access) {
    FILO_UNUSED(world), FILO_UNUSED(component), FILO_UNUSED(access);
    return true;
}

#endif

FiloQuery *filo_iter_also(const FiloIter *it, unsigned n) {
    const FiloSystem *system = ecs_iter(it)->system;
    if (!FILO_CHECK(system != NULL, "further queries are those of a system: use this inside its function"))
        return NULL;
    if (!FILO_CHECK(n < FILO_SYSTEM_QUERIES && system->also[n] != NULL,
                    "system \"%s\" has no further query %u: declare it in .also", system->name, n))
        return NULL;
    return system->also[n];
}

// ---- Parts ----------------------------------------------------------------------------------------------

// What goes with a call of a system's function for some rows.
typedef struct Part {
    FiloChanges changes;
    FiloEventRecorder recorder;
    FiloZone zone;
    const FiloSystem *outer;
} Part;

static inline void part_begin(Part *part, FiloIter *it, FiloSystem *system, uint64_t row) {
    FiloWorld *world = system->world;
    it->user = system->user;
    it->tick = world->tick;
    it->delta = world->schedule->delta;
    ecs_iter(it)->system = system;
    filo_changes_open(&part->changes, world, system->source, row);
    it->changes = &part->changes;
    it->events = NULL;
    if (world->events != NULL) {
        part->recorder = world->schedule->recorder;
        part->recorder.key.source = system->source;
        part->recorder.key.range = row;
        it->events = &part->recorder;
    }
    filo_profile_enter(&part->zone, system->name);
    part->outer = filo_system_enter(system);
}

static inline void part_end(Part *part, FiloIter *it) {
    (void)filo_system_enter(part->outer);
    filo_profile_leave(&part->zone);
    if (it->events != NULL && FILO_UNLIKELY(part->recorder.first != NULL)) {
        filo_store_relaxed(&it->world->schedule->recorded, true);
        filo_event_recorder_end(&part->recorder);
    }
    filo_changes_close(&part->changes);
}

// Returns how many rows there were.
static size_t run_rows(FiloSystem *system, size_t begin, size_t end) {
    FiloIter it;
    filo_iter_begin(&it, system->query, begin, end, system->since);
    if (!filo_iter_next(&it)) return 0;
    Part part;
    part_begin(&part, &it, system, begin);
    size_t found = 0;
    do {
        found += it.count;
        system->run(&it);
    } while (filo_iter_next(&it));
    part_end(&part, &it);
    return found;
}

// Whether one of the global components may have changed that it asks for.
static FILO_COLD bool globals_changed(const FiloSystem *system) {
    const FiloQuery *query = system->query;
    for (size_t i = 0; i < query->term_count; i++) {
        if (!query->terms[i].changed) continue;
        uint64_t version = __atomic_load_n(query->terms[i].component->version, __ATOMIC_RELAXED);
        if (version > system->since) return true;
    }
    return system->since == 0; // it never ran
}

// Once, without rows; an iteration that is never gone over has the global components.
static void run_whole(FiloSystem *system) {
    if (FILO_UNLIKELY(system->on_change) && !globals_changed(system)) return;
    FiloIter it;
    filo_iter_begin(&it, system->query, 0, SIZE_MAX, system->since);
    Part part;
    part_begin(&part, &it, system, 0);
    system->run(&it);
    part_end(&part, &it);
}

// ---- What there is to do ----------------------------------------------------------------------------------

// Of a system that is on.
static bool is_due(const FiloSystem *system, const FiloWorld *world) {
    if (system->every > 1 && world->tick % system->every != system->offset) return false;
    return system->condition == NULL || system->condition(world, system->user);
}

// Sums over the work of a stage, in nanoseconds.
typedef struct Expected {
    uint64_t total;
    uint64_t ticking; // of it, what only the ticking thread may do
    uint64_t longest; // that cannot be divided
} Expected;

static void add_work(FiloSchedule *schedule, FiloSystem *system, Expected *expected) {
    FiloWork *work = &schedule->work.items[schedule->work_count];
    work->system = system;
    work->expected_ns = system->cost_ns;
    work->divided = system->parallel && schedule->others > 0;
    if (work->divided) {
        work->rows = filo_query_rows(system->query);
        if (work->rows == 0) return;
        work->expected_ns = (uint64_t)(system->row_cost_ns * (double)work->rows);
    } else {
        expected->longest = FILO_MAX(expected->longest, work->expected_ns);
        if (system->main_thread) expected->ticking += work->expected_ns;
    }
    expected->total += work->expected_ns;
    schedule->work_count++;
}

static void refresh_tracked(const FiloSystem *system) {
    if (system->query->tracking != NULL) filo_track_refresh_query(system->query);
    for (size_t i = 0; i < FILO_SYSTEM_QUERIES; i++)
        if (system->also[i] != NULL && system->also[i]->tracking != NULL)
            filo_track_refresh_query(system->also[i]);
}

// Whether no entity can match: no table that fits has rows, or no entity has one of the components outside of tables
// that all of them must have.
static bool matches_nothing(const FiloQuery *query) {
    size_t rows = 0;
    for (size_t i = 0; i < query->match_count && rows == 0; i++)
        rows = filo_half_count(filo_query_match(query, i)->half);
    if (rows == 0 || FILO_LIKELY(!query->filters)) return rows == 0;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const FiloQueryTerm *term = &query->terms[i];
        if (term->place == FILO_PLACE_HOLDER && term->kind == FILO_TERM_REQUIRED &&
            term->component->interface->count(term->component->holder) == 0)
            return true;
    }
    return false;
}

// Finds out which of a stage's systems run now, and marks them as run. False if none does.
static bool collect_work(FiloWorld *world, FiloSystem *const *systems, size_t count, Expected *expected) {
    FiloSchedule *schedule = world->schedule;
    bool any = false;
    schedule->work_count = 0;
    *expected = (Expected){ 0 };
    for (size_t i = 0; i < count; i++) {
        FiloSystem *system = systems[i];
        if (!is_due(system, world)) continue;
        any = true;
        system->since = system->last_version;
        system->last_version = world->version;
        system->stats.runs++;
        uint64_t rows_before = system->stats.rows;
        system->stats.rows = 0;
        if (FILO_UNLIKELY(system->tracked)) refresh_tracked(system);
        // One that had no rows will often have none again. To see it here costs a few nanoseconds, to begin an
        // iteration over nothing much more; those that do have rows are spared the question.
        if (rows_before == 0 && system->may_idle && matches_nothing(system->query)) {
            system->stats.last_ns = 0;
            continue;
        }
        add_work(schedule, system, expected);
    }
    return any;
}

static void note_measure(FiloWork *work, uint64_t ns, bool measuring) {
    FiloSystem *system = work->system;
    system->cost_ns = ns;
    if (work->divided) system->row_cost_ns = (double)ns / (double)work->rows;
    system->stats.last_ns = measuring ? (double)ns : 0;
    if (measuring) system->stats.total_ns += (double)ns;
}

// ---- On one thread -----------------------------------------------------------------------------------

static bool is_timed(const FiloWorld *world, const FiloWork *work) {
    if (world->measuring) return true;
    if (world->schedule->others == 0) return false;
    return work->expected_ns > LIGHT || work->system->stats.runs == 1 ||
           (world->tick + work->system->source) % MEASURE_EVERY == 0;
}

static void run_here(FiloWorld *world, FiloWork *work) {
    FiloSystem *system = work->system;
    bool timed = is_timed(world, work);
    int64_t start = timed ? filo_time_ns() : 0;
    if (system->whole)
        run_whole(system);
    else
        system->stats.rows = run_rows(system, 0, SIZE_MAX);
    if (FILO_UNLIKELY(timed)) note_measure(work, (uint64_t)(filo_time_ns() - start), world->measuring);
}

// ---- On several --------------------------------------------------------------------------------------

static void run_part(FiloWork *work, size_t begin, size_t end) {
    int64_t start = filo_time_ns();
    size_t found = 0;
    if (work->system->whole)
        run_whole(work->system);
    else
        found = run_rows(work->system, begin, end);
    filo_add_relaxed(&work->ns, (uint64_t)(filo_time_ns() - start));
    filo_add_relaxed(&work->found, found);
}

// Rows of a divided system that are now the caller's; false if none are left.
static bool claim_rows(const FiloSchedule *schedule, FiloWork *work, size_t *begin, size_t *end) {
    size_t next = filo_load_relaxed(&work->next);
    do {
        if (next >= work->rows) return false;
        size_t size = (work->rows - next) / ((size_t)4 * (schedule->helpers + 1));
        size = FILO_MAX(size, work->least);
        if (size > 64)
            size = FILO_ALIGN_UP(size, (size_t)64); // columns of full chunks are then cut at cache lines
        *end = FILO_MIN(next + size, work->rows);
    } while (!filo_cas_weak_relaxed(&work->next, &next, *end));
    *begin = next;
    return true;
}

// Claims work and does it until nothing is left to claim.
static void do_work(FiloSchedule *schedule) {
    for (;;) {
        size_t index = filo_load_relaxed(&schedule->claimed), begin, end;
        if (index >= schedule->work_count) return;
        FiloWork *work = &schedule->work.items[index];
        if (work->divided) {
            if (claim_rows(schedule, work, &begin, &end))
                run_part(work, begin, end);
            else
                filo_cas_relaxed(&schedule->claimed, &index, index + 1);
        } else if (filo_cas_relaxed(&schedule->claimed, &index, index + 1)) {
            run_part(work, 0, SIZE_MAX);
        }
    }
}

static void help(FiloJob *job, void *data) {
    FILO_UNUSED(job);
    do_work(*(FiloSchedule **)data);
}

// How many workers besides this one are worth asking.
static unsigned useful_helpers(const FiloWorld *world, const Expected *expected) {
    const FiloSchedule *schedule = world->schedule;
    unsigned others = schedule->others;
    if (others == 0 || schedule->work_count == 0) return 0;
    if (FILO_UNLIKELY(schedule->eager)) return others;
    if (FILO_LIKELY(expected->total < GAIN_AWAKE)) return 0;
    uint64_t alone = FILO_MAX(expected->ticking, expected->longest);
    uint64_t gain = expected->total - FILO_MAX(alone, expected->total / (others + 1));
    if (gain < GAIN_AWAKE) return 0;
    if (gain < GAIN_ASLEEP && filo_jobs_stats(world->jobs).awake < 2) return 0;
    return (unsigned)FILO_MIN(others, 1 + gain / GAIN_ANOTHER);
}

// Where work comes in the list: first what only the ticking thread does, then the rest from the most
// expensive on, then what can be divided.
static bool comes_before(const FiloWork *a, const FiloWork *b) {
    if (a->system->main_thread != b->system->main_thread) return a->system->main_thread;
    if (a->divided != b->divided) return b->divided;
    return !a->divided && a->expected_ns > b->expected_ns;
}

// A power of two: parts are then cut in the same places as long as the cost is about the same, and what they
// record is of the same size from tick to tick.
static size_t least_rows(const FiloSchedule *schedule, const FiloWork *work) {
    if (FILO_UNLIKELY(schedule->eager)) return work->rows / 64 + 1;
    size_t least = 1;
    while (least < work->rows && (double)least * work->system->row_cost_ns < PART) least *= 2;
    return least;
}

// Returns how much of the work, at the beginning of the list, only the ticking thread does.
static size_t prepare_for_several(FiloSchedule *schedule) {
    FiloWork *items = schedule->work.items;
    size_t ticking = 0;
    for (size_t i = 0; i < schedule->work_count; i++) {
        FiloWork work = { .system = items[i].system,
                          .rows = items[i].rows,
                          .divided = items[i].divided,
                          .expected_ns = items[i].expected_ns };
        if (work.divided) work.least = least_rows(schedule, &work);
        ticking += work.system->main_thread;
        size_t k = i;
        for (; k > 0 && comes_before(&work, &items[k - 1]); k--) items[k] = items[k - 1];
        items[k] = work;
    }
    return ticking;
}

static void run_on_several(FiloWorld *world, unsigned helpers) {
    FiloSchedule *schedule = world->schedule;
    schedule->helpers = helpers;
    size_t ticking = prepare_for_several(schedule);
    filo_store_relaxed(&schedule->claimed, ticking);
    FiloJob all; // counts the helpers
    filo_job_init(&all, filo_job_do_nothing, NULL, 0);
    for (unsigned i = 0; i < helpers; i++)
        filo_jobs_spawn(world->jobs, &all, help, &(FiloSchedule *){ schedule }, sizeof(FiloSchedule *));
    for (size_t i = 0; i < ticking; i++) run_part(&schedule->work.items[i], 0, SIZE_MAX);
    do_work(schedule);
    filo_jobs_run(world->jobs, &all);
    filo_jobs_wait(world->jobs, &all);
    for (size_t i = 0; i < schedule->work_count; i++) {
        FiloWork *work = &schedule->work.items[i];
        work->system->stats.rows = filo_load_relaxed(&work->found);
        note_measure(work, filo_load_relaxed(&work->ns), world->measuring);
    }
}

// ---- Stages ------------------------------------------------------------------------------------------

void ecs_apply(FiloWorld *world) {
    world->schedule->state = FILO_TICK_REFRESH;
    filo_world_set_running(world, false);
    world->version++;
    world->schedule->handled = 0;
    filo_changes_refresh(world);
}

void filo_world_apply(FiloWorld *world) {
    ecs_apply(world);
    if (FILO_UNLIKELY(world->observers.count > 0)) ecs_observers_deliver(world);
}

// Runs those of a stage's systems that are due. False if none was.
static bool run_stage(FiloWorld *world, FiloSystem *const *systems, size_t count) {
    FiloSchedule *schedule = world->schedule;
    schedule->state = FILO_TICK_STAGE;
    filo_world_set_running(world, true);
    world->version++;
    Expected expected;
    if (!collect_work(world, systems, count, &expected)) return false;
    unsigned helpers = useful_helpers(world, &expected);
    if (FILO_UNLIKELY(helpers > 0)) {
        run_on_several(world, helpers);
        return true;
    }
    for (size_t i = 0; i < schedule->work_count; i++) run_here(world, &schedule->work.items[i]);
    return true;
}

// Delivers what waits, and applies what handlers recorded.
static void deliver(FiloWorld *world, bool tick_ends) {
    FiloSchedule *schedule = world->schedule;
    schedule->state = FILO_TICK_DELIVERY;
    filo_world_set_running(world, true);
    filo_store_relaxed(&schedule->recorded, false);
    if (tick_ends)
        filo_events_deliver(world->events);
    else
        filo_events_deliver_within_tick(world->events);
    filo_event_recorder_begin(&schedule->recorder, world->events, 0, 0);
    schedule->waiting = filo_events_clock(world->events).delivered > 0; // handlers may have recorded some
    if (schedule->handled > 0) filo_world_apply(world);
}

void ecs_run_alone(FiloWorld *world, FiloSystem *system) {
    const FiloSchedule *schedule = world->schedule;
    if (!ecs_system_is_on(world, system) || !run_stage(world, &system, 1)) return;
    filo_world_apply(world);
    if (world->events != NULL && (schedule->waiting || filo_load_relaxed(&schedule->recorded)))
        deliver(world, false);
}

static void run_stages(FiloWorld *world) {
    FiloSchedule *schedule = world->schedule;
    for (size_t i = 0; i < schedule->stages.count; i++) {
        const FiloStage *stage = &schedule->stages.items[i];
        if (stage->active_first == stage->active_end) continue; // all of it is off
        if (!run_stage(world, schedule->active.items + stage->active_first,
                       stage->active_end - stage->active_first))
            continue;
        filo_world_apply(world);
        if (i + 1 == schedule->stages.count || world->events == NULL) continue;
        if (schedule->waiting || filo_load_relaxed(&schedule->recorded)) deliver(world, false);
    }
    if (world->events != NULL) deliver(world, true);
}

FiloResult filo_world_tick(FiloWorld *world, float delta) {
    if (world == NULL) return FILO_MISTAKE("pass a world");
    FILO_ZONE("world tick");
    FiloSchedule *schedule = world->schedule;
    FiloResult mistake = filo_world_check_change(world, "tick");
    if (mistake.code != FILO_OK) return mistake;
    if (world->jobs != NULL && filo_jobs_worker(world->jobs) < 0)
        return FILO_MISTAKE("a world ticks on a worker of its scheduler, as the thread is that created it");
    if (FILO_UNLIKELY(schedule->stale || schedule->problem.code != FILO_OK)) {
        FiloResult r = filo_schedule_resolve(world);
        if (r.code != FILO_OK) return r;
    }
    schedule->delta = delta;
    schedule->others = world->jobs != NULL ? (unsigned)filo_jobs_threads(world->jobs) - 1 : 0;
    if (world->events != NULL) filo_event_recorder_begin(&schedule->recorder, world->events, 0, 0);
    schedule->waiting = true; // what was emitted between ticks
    filo_store_relaxed(&schedule->recorded, false);
    if (FILO_UNLIKELY(schedule->handled > 0)) ecs_apply(world); // events were delivered between ticks
    if (FILO_UNLIKELY(world->observers.count > 0)) ecs_observers_deliver(world);
    if (FILO_UNLIKELY(schedule->states.count > 0)) ecs_states_change(world);
    if (FILO_UNLIKELY(schedule->active_stale)) ecs_schedule_activate(world);
    run_stages(world);
    schedule->state = FILO_TICK_NONE;
    filo_world_set_running(world, false);
    if (filo_tracking(world)) filo_track_refresh(world);
    world->tick++;
    return filo_ok();
}

void filo_world_refresh(FiloWorld *world) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return;
    if (!filo_world_may_change(world, "refresh")) return;
    world->schedule->delta = 0;
    filo_world_apply(world);
    world->schedule->state = FILO_TICK_NONE;
    if (filo_tracking(world)) filo_track_refresh(world);
}
