// "animate figures": advances the times of FiloFigure, and emits events.
//
// In a tick, a clip goes from event to event, so that none is left out. An event is reached when the time is within SLACK
// of it: the lengths of ticks and clips are often multiples of each other, and sums of floats are off by a little. Which
// events are behind a time is decided by comparing that time, as it is stored, so each event is emitted once. At the
// first tick of a clip those at the time where it starts are emitted too. A clip that is within SLACK of its end has ended, and begins
// again at exactly 0, so that errors do not add up.
//
// A chunk counts as changed only if something is written: the columns are declared as read, and filo_entity_edit marks
// them before the first write.

#include "gfx3d/figures/figures.h"

#include "base/suggest.h"

#include <filo/log.h>

#define SLACK       1e-5 // seconds
#define MIN_SECONDS 1e-3 // a shorter clip is a single pose
#define MAX_ROUNDS  16   // of a clip in one tick

typedef struct Playback {
    const Gfx3dRigClip *clip;
    FiloIter *it;
    size_t row;
    FiloName name; // of the clip
    double time, seconds;
    bool finished;
} Playback;

// ---- Events -----------------------------------------------------------------------------------------------------

static void emit(const Playback *playback, FiloName event, float time) {
    if (playback->it->events == NULL || event.id == 0) return;
    FILO_NAME(name, FILO_EVENT_FIGURE);
    FiloFigureEvent payload = { .entity = filo_iter_entity(playback->it, playback->row),
                                .clip = playback->name,
                                .event = event,
                                .time = time };
    filo_event_record(playback->it->events, name, FILO_TYPE(FiloFigureEvent), &payload);
}

static void finish(Playback *playback) {
    playback->finished = true;
    FILO_NAME(finished, "finished");
    emit(playback, finished, (float)playback->time);
}

// Emits the events after `from` up to `to`. `from` negative: from the beginning on.
static void pass_forwards(const Playback *playback, double from, double to) {
    const Gfx3dRigClip *clip = playback->clip;
    for (uint32_t i = 0; i < clip->event_count; i++) {
        double time = (double)clip->events[i].time;
        if (time <= to + SLACK && (from < 0 || time > from + SLACK))
            emit(playback, clip->events[i].name, clip->events[i].time);
    }
}

// The same in the other direction. `from` beyond the end: from the end on.
static void pass_backwards(const Playback *playback, double from, double to) {
    const Gfx3dRigClip *clip = playback->clip;
    for (uint32_t i = clip->event_count; i-- > 0;) {
        double time = (double)clip->events[i].time;
        if (time >= to - SLACK && (from > playback->seconds || time < from - SLACK))
            emit(playback, clip->events[i].name, clip->events[i].time);
    }
}

// ---- Time -------------------------------------------------------------------------------------------------------

// Reduces a time by whole rounds to at most MAX_ROUNDS.
static double limit_rounds(double seconds, double elapsed) {
    double max = seconds * MAX_ROUNDS;
    if (elapsed < max) return elapsed;
    double rounds = (elapsed - max) / seconds;
    return rounds < 1e15 ? elapsed - (double)(int64_t)rounds * seconds : max;
}

static void play_forwards(Playback *playback, double elapsed, bool once, bool started) {
    double from = started ? playback->time : playback->time - 2 * SLACK, to = playback->time + elapsed;
    while (to >= playback->seconds - SLACK) {
        pass_forwards(playback, from, playback->seconds);
        if (once) {
            playback->time = playback->seconds;
            finish(playback);
            return;
        }
        to = to - playback->seconds > SLACK ? to - playback->seconds : 0;
        from = -1;
    }
    playback->time = (double)(float)to; // as it is stored
    pass_forwards(playback, from, playback->time);
}

static void play_backwards(Playback *playback, double elapsed, bool once, bool started) {
    double beyond = playback->seconds + 1;
    double from = started ? playback->time : playback->time + 2 * SLACK, to = playback->time - elapsed;
    while (to <= SLACK) {
        pass_backwards(playback, from, 0);
        if (once) {
            playback->time = 0;
            finish(playback);
            return;
        }
        to = to < -SLACK ? to + playback->seconds : playback->seconds;
        from = beyond;
    }
    playback->time = (double)(float)to;
    pass_backwards(playback, from, playback->time);
}

// The time at which the tick begins. The game may have set it to anything. A clip that begins is played backwards from
// its end.
static double start_time(float time, double seconds, bool once, bool from_end) {
    double start = (double)time;
    if (!(start > 0 && start < 1e9)) start = 0; // NaN too
    if (start > seconds) start = once ? seconds : (double)filo_mod(time, (float)seconds);
    return from_end && start == 0 ? seconds : start;
}

// Advances the clip. Returns by how many seconds.
static float advance_clip(Playback *playback, FiloFigure *figure, double elapsed) {
    double seconds = playback->seconds = (double)playback->clip->clip->seconds;
    bool backwards = elapsed < 0;
    double start = start_time(figure->time, seconds, figure->once, backwards && !figure->started);
    playback->time = start;
    if (!(seconds > MIN_SECONDS)) {
        if (!figure->started) pass_forwards(playback, -1, 0);
        if (figure->once) finish(playback);
    } else if (backwards) {
        play_backwards(playback, limit_rounds(seconds, -elapsed), figure->once, figure->started);
    } else {
        play_forwards(playback, limit_rounds(seconds, elapsed), figure->once, figure->started);
    }
    figure->time = (float)playback->time;
    figure->started = true;
    figure->finished = playback->finished;
    // Of a clip that has ended, what was left of it.
    return (float)(figure->once ? playback->time - start : elapsed);
}

// The time of the clip that fades out.
static float advance_blend_time(const FiloClip *clip, const FiloFigure *figure, double elapsed) {
    double seconds = (double)clip->seconds;
    if (!(seconds > MIN_SECONDS)) return 0;
    double time = start_time(figure->blend_time, seconds, figure->blend_once, false) + elapsed;
    if (time >= 0 && time <= seconds) return (float)time;
    if (figure->blend_once) return time > seconds ? clip->seconds : 0;
    return filo_mod((float)time, clip->seconds);
}

// Advances the fade. Returns by how much.
static float advance_fade(const Gfx3dRig *rig, FiloFigure *figure, double elapsed, float delta) {
    if (!(figure->blend > 0)) return 0;
    uint32_t clip = gfx3d_rig_clip(rig, figure->blend_clip);
    if (clip != GFX3D_NONE) figure->blend_time = advance_blend_time(rig->clips[clip].clip, figure, elapsed);
    if (!(figure->blend_seconds > 0)) return 0;
    float before = figure->blend, left = before - delta / figure->blend_seconds;
    figure->blend = left > 1e-4f ? left : 0;
    if (figure->blend == 0) {
        figure->blend_clip = (FiloName){ 0 };
        figure->blend_time = figure->blend_seconds = 0;
        figure->blend_once = false;
    }
    return before - figure->blend;
}

// ---- Rows -------------------------------------------------------------------------------------------------------

typedef struct Rows {
    Gfx3dRigCache cache;
    FiloComponent figure, step;
    FiloFigure *figures;   // NULL until the column is marked as changed
    FiloFigureStep *steps; // NULL until the column is marked as changed
} Rows;

// The column of a component, to be written. Marks it as changed. NULL without memory.
static void *edit_rows(const FiloIter *it, size_t row, FiloComponent component, size_t size) {
    uint8_t *value = filo_entity_edit(it->world, filo_iter_entity(it, row), component);
    return value != NULL ? value - row * size : NULL;
}

static void set_step(FiloIter *it, Rows *rows, size_t row, FiloFigureStep step) {
    if (rows->steps == NULL) rows->steps = edit_rows(it, row, rows->step, sizeof *rows->steps);
    if (rows->steps != NULL) rows->steps[row] = step;
}

static bool is_resting(const FiloFigure *figure) {
    return figure->paused || ((figure->clip.id == 0 || figure->finished) && !(figure->blend > 0));
}

static FILO_COLD void report_speed(FiloEntity entity) {
    if (base_first_time_id("speed of a figure", entity.id))
        filo_log_warn("gfx3d", "the figure (entity %u) stands still: its speed is not a number",
                      filo_entity_index(entity));
}

static void animate_row(FiloIter *it, Rows *rows, size_t row, const FiloFigure *figure, bool has_step) {
    if (is_resting(figure)) return; // a step of an earlier tick is not used
    if (FILO_UNLIKELY(figure->speed != figure->speed)) {
        report_speed(filo_iter_entity(it, row));
        return;
    }
    const Gfx3dRig *rig = gfx3d_rig_cached(&rows->cache, figure->model);
    if (rig == NULL) return;
    uint32_t clip = gfx3d_rig_clip(rig, figure->clip);
    if (clip == GFX3D_NONE) {
        gfx3d_rig_report_clip(rig, figure->clip);
        if (!(figure->blend > 0)) return;
    }
    if (rows->figures == NULL) rows->figures = edit_rows(it, row, rows->figure, sizeof *rows->figures);
    if (rows->figures == NULL) return;
    FiloFigure *now = &rows->figures[row];
    double elapsed = (double)(now->speed != 0 ? now->speed : 1) * (double)it->delta;
    FiloFigureStep step = { .clip = now->clip, .tick = (uint32_t)it->tick };
    if (clip != GFX3D_NONE && !now->finished) {
        Playback playback = { .clip = &rig->clips[clip], .it = it, .row = row, .name = now->clip };
        step.step = advance_clip(&playback, now, elapsed);
    }
    step.fade = advance_fade(rig, now, elapsed, it->delta);
    step.time = now->time;
    if (has_step) set_step(it, rows, row, step);
}

static void animate(FiloIter *it) {
    Rows rows = { .cache.rigs = it->user,
                  .figure = filo_component_of(it->world, FILO_TYPE(FiloFigure)),
                  .step = filo_component_of(it->world, FILO_TYPE(FiloFigureStep)) };
    const FiloFigure *figure = filo_read(it, FiloFigure);
    bool has_step = filo_read(it, FiloFigureStep) != NULL;
    for (size_t i = 0; i < it->count; i++) animate_row(it, &rows, i, &figure[i], has_step);
}

// The assets are those of the rigs.
bool gfx3d_animate_register(FiloWorld *world, Gfx3dRigs *rigs) {
    static const char name[] = "animate figures";
    FiloSystemId old = filo_system_named(world, name);
    if (old.id != 0) return true;
    FiloEvents *events = filo_world_events(world);
    FILO_NAME(event, FILO_EVENT_FIGURE);
    if (events != NULL && filo_events_declare(events, event, FILO_TYPE(FiloFigureEvent)).code != FILO_OK)
        return false;
    return filo_system_add(world,
                           &(FiloSystemDesc){
                               .name = name,
                               .run = animate,
                               .user = rigs,
                               .parallel = true,
                               .phase = FILO_PHASE_AFTER,
                               .query.terms = { FILO_READ(FiloFigure), FILO_OPTIONAL_READ(FiloFigureStep) },
                               .extra_access = { FILO_WRITE(FiloFigure), FILO_WRITE(FiloFigureStep) } })
               .id != 0;
}
