// "animate sprites": moves FiloAnimation through a clip, and with it the frame of the sprite beside it.
//
// A clip is a row of steps, each of which shows a frame for a time: the frames from `from` to `to`; if it
// goes to and fro, those in between follow once more, the other way round. The state is the time alone.
// Step s is shown from its start, inclusive, to its end, exclusive; when time runs backwards, from its end,
// inclusive, to its start, exclusive. In a tick, the time goes from step to step, so that no event is left
// out.
//
// Ticks and frames often have the same rhythm (60 ticks a second, 12 frames a second), and sums of floats
// miss the moment by a little: a moment is therefore met if it is missed by no more than SLACK, and then
// the time is set to it exactly, so that the little never grows.
//
// The sheet is asked for by name, and read at once if it is not loaded: what is drawn, and when files arrive, must
// not reach the world.
//
// Nothing is written, and no chunk counts as changed, unless there is something to write: the columns are
// declared as read, and marked once for all rows of a part by filo_entity_edit.

#include "gfx2d/systems/systems.h"

#include "base/suggest.h"

#include <filo/log.h>

#include <stdio.h>

#define SLACK           1e-5 // seconds
#define DEFAULT_SECONDS 0.1  // of a frame that does not say
#define LEAST_SECONDS   1e-3 // of any frame, and
#define MOST_SECONDS    1e6
#define MOST_ROUNDS     16 // of a clip in one tick
#define KNOWN_CLIPS     8  // that are kept at hand while going over rows

typedef struct Clip {
    FiloName image, name;
    const FiloSheetFrame *frames; // NULL: there is nothing to show
    uint32_t from, to, count;     // frames
    uint32_t steps;
    FiloClipMode mode;
    double step_seconds; // of all steps; 0: as each frame says
    double seconds;      // of all steps together
} Clip;

// ---- Steps ------------------------------------------------------------------------------------------------

static uint32_t frame_of(const Clip *clip, uint32_t step) {
    uint32_t offset = step < clip->count ? step : 2 * clip->count - 2 - step;
    return clip->from <= clip->to ? clip->from + offset : clip->from - offset;
}

static double seconds_of(const Clip *clip, uint32_t step) {
    if (clip->step_seconds > 0) return clip->step_seconds;
    double seconds = (double)clip->frames[frame_of(clip, step)].seconds;
    return seconds > 0 ? FILO_MIN(FILO_MAX(seconds, LEAST_SECONDS), MOST_SECONDS) : DEFAULT_SECONDS;
}

static double start_of(const Clip *clip, uint32_t step) {
    if (clip->step_seconds > 0) return step * clip->step_seconds;
    double start = 0;
    for (uint32_t i = 0; i < step; i++) start += seconds_of(clip, i);
    return start;
}

#ifndef NDEBUG
// A clip that is misspelt would be a sprite that stands still.
static FILO_COLD void report_unknown_clip(const FiloSheet *sheet, FiloName image, FiloName name) {
    FiloString wanted = filo_name_string(name);
    char both[256];
    int length = snprintf(both, sizeof both, "%s/%s", filo_name_text(image), wanted.data);
    if (!base_first_time("clip", filo_string_from(both, FILO_MIN((size_t)length, sizeof both - 1)))) return;
    BaseSuggestion suggestion = base_suggest(wanted);
    for (size_t i = 0; i < sheet->clip_count; i++)
        (void)base_suggest_offer(&suggestion, filo_name_string(sheet->clips[i].name));
    char meant[BASE_SUGGEST_SIZE];
    filo_log_warn("gfx2d", "the sheet \"%s\" has no clip \"%s\"%s", filo_name_text(image), wanted.data,
                  sheet->clip_count > 0 ? base_suggest_print(&suggestion, meant) : ", and no other clips");
}
#endif

static Clip find_clip(FiloAssets *assets, FiloName image, FiloName name) {
    Clip clip = { .image = image, .name = name };
    const FiloSheet *sheet = filo_assets_sheet_now(assets, image);
    if (sheet->frame_count == 0) return clip;
    uint32_t last = (uint32_t)(sheet->frame_count - 1);
    clip.to = last;
    float fps = 0;
    if (name.id != 0) {
        int index = filo_sheet_clip(sheet, name);
#ifndef NDEBUG
        if (index < 0) report_unknown_clip(sheet, image, name);
#endif
        if (index < 0) return clip;
        const FiloSheetClip *found = &sheet->clips[index];
        clip.from = FILO_MIN(found->from, last);
        clip.to = FILO_MIN(found->to, last);
        clip.mode = found->mode;
        fps = found->fps;
    }
    clip.frames = sheet->frames;
    clip.count = (clip.from <= clip.to ? clip.to - clip.from : clip.from - clip.to) + 1;
    clip.steps = clip.mode == FILO_CLIP_PING_PONG && clip.count > 1 ? 2 * clip.count - 2 : clip.count;
    clip.step_seconds = fps > 0 ? FILO_MIN(FILO_MAX(1 / (double)fps, LEAST_SECONDS), MOST_SECONDS) : 0;
    clip.seconds = start_of(&clip, clip.steps);
    return clip;
}

// ---- Going on -------------------------------------------------------------------------------------------

// An animation while it is moved on.
typedef struct Run {
    const Clip *clip;
    FiloIter *it;
    size_t row;
    double time, start, end; // now; and of the step
    uint32_t step;
    bool finished;
} Run;

static void emit(const Run *run, FiloName event) {
    if (run->it->events == NULL || event.id == 0) return;
    FILO_NAME(name, FILO_EVENT_ANIMATION);
    FiloAnimationEvent payload = { .entity = filo_iter_entity(run->it, run->row),
                                   .clip = run->clip->name,
                                   .event = event,
                                   .frame = frame_of(run->clip, run->step) };
    filo_event_record(run->it->events, name, FILO_TYPE(FiloAnimationEvent), &payload);
}

static void emit_frame(const Run *run) { emit(run, run->clip->frames[frame_of(run->clip, run->step)].event); }

static void finish(Run *run) {
    run->finished = true;
    FILO_NAME(finished, "finished");
    emit(run, finished);
}

// The step that is shown at run->time. `backwards`: the one that ends there.
static void find_step(Run *run, bool backwards) {
    const Clip *clip = run->clip;
    uint32_t last = clip->steps - 1, step = 0;
    double start = 0, end = seconds_of(clip, 0);
    if (clip->step_seconds > 0) {
        double guess = run->time / clip->step_seconds;
        step = guess < 1 ? 0 : guess < last ? (uint32_t)guess - 1 : last - (last > 0);
        start = start_of(clip, step), end = start_of(clip, step + 1);
    }
    while (step < last && (backwards ? end + SLACK < run->time : end - SLACK <= run->time)) {
        start = end;
        step++;
        end = clip->step_seconds > 0 ? start_of(clip, step + 1) : start + seconds_of(clip, step);
    }
    run->step = step, run->start = start, run->end = end;
}

static void enter(Run *run, uint32_t step) {
    run->step = step;
    run->start = start_of(run->clip, step);
    run->end = run->clip->step_seconds > 0 ? start_of(run->clip, step + 1)
                                           : run->start + seconds_of(run->clip, step);
    emit_frame(run);
}

static void go_forwards(Run *run) {
    const Clip *clip = run->clip;
    while (run->time >= run->end - SLACK && !run->finished) {
        if (run->time < run->end) run->time = run->end;
        if (run->step + 1 < clip->steps) {
            enter(run, run->step + 1);
        } else if (clip->mode == FILO_CLIP_ONCE) {
            run->time = clip->seconds;
            finish(run);
        } else {
            run->time = FILO_MAX(run->time - clip->seconds, 0.0);
            enter(run, 0);
        }
    }
}

static void go_backwards(Run *run) {
    const Clip *clip = run->clip;
    while (run->time <= run->start + SLACK && !run->finished) {
        if (run->time > run->start) run->time = run->start;
        if (run->step > 0) {
            enter(run, run->step - 1);
        } else if (clip->mode == FILO_CLIP_ONCE) {
            run->time = 0;
            finish(run);
        } else {
            run->time = FILO_MIN(run->time + clip->seconds, clip->seconds);
            enter(run, clip->steps - 1);
        }
    }
}

// The time with which the tick begins: it may have been set by hand to anything.
static double first_time(const Clip *clip, const FiloAnimation *animation, bool backwards) {
    double time = (double)animation->time;
    if (!(time > 0 && time < 1e9)) time = 0; // NaN too
    if (time > clip->seconds)
        time = clip->mode == FILO_CLIP_ONCE ? clip->seconds
                                            : (double)filo_mod(animation->time, (float)clip->seconds);
    return backwards && time == 0 ? clip->seconds : time;
}

// How far to go in this tick, without the rounds that are too many.
static double way_of(const Clip *clip, double way) {
    double most = clip->seconds * MOST_ROUNDS;
    if (way < most) return way;
    double rounds = (way - most) / clip->seconds;
    return rounds < 1e15 ? way - (double)(int64_t)rounds * clip->seconds : most;
}

static void advance(Run *run, FiloAnimation *animation, float delta) {
    float speed = animation->speed != 0 ? animation->speed : 1;
    double way = (double)speed * (double)delta;
    bool backwards = way < 0;
    run->time = first_time(run->clip, animation, backwards);
    find_step(run, backwards);
    if (!animation->started) emit_frame(run);
    if (way > 0) {
        run->time += way_of(run->clip, way);
        go_forwards(run);
    } else if (backwards) {
        run->time -= way_of(run->clip, -way);
        go_backwards(run);
    }
    animation->time = (float)run->time;
    animation->started = true;
    animation->finished = run->finished;
}

// ---- Rows -----------------------------------------------------------------------------------------------

typedef struct Rows {
    FiloAssets *assets;
    FiloComponent sprite, animation;
    FiloSprite *sprites;       // to be written, once they are marked as changed
    FiloAnimation *animations; // the same
    Clip clips[KNOWN_CLIPS];   // by image and name; rows beside each other mostly have the same
} Rows;

static const Clip *clip_of(Rows *rows, FiloName image, FiloName name) {
    Clip *clip = &rows->clips[(image.id * 5 + name.id) % KNOWN_CLIPS];
    if (clip->image.id != image.id || clip->name.id != name.id) *clip = find_clip(rows->assets, image, name);
    return clip;
}

// The values of a component to be written, from row 0 on. The chunk counts as changed from now on.
static void *edit_rows(const FiloIter *it, size_t row, FiloComponent component, size_t size) {
    uint8_t *value = filo_entity_edit(it->world, filo_iter_entity(it, row), component);
    return value != NULL ? value - row * size : NULL;
}

static void animate_row(FiloIter *it, Rows *rows, size_t row, const FiloSprite *sprite,
                        const FiloAnimation *animation) {
    if (animation->paused || animation->finished || sprite->image.id == 0) return;
    const Clip *clip = clip_of(rows, sprite->image, animation->clip);
    if (clip->frames == NULL) return;
    if (rows->animations == NULL)
        rows->animations = edit_rows(it, row, rows->animation, sizeof *rows->animations);
    if (rows->animations == NULL) return;
    Run run = { .clip = clip, .it = it, .row = row };
    advance(&run, &rows->animations[row], it->delta);
    uint16_t frame = (uint16_t)frame_of(clip, run.step);
    if (sprite->frame == frame) return;
    if (rows->sprites == NULL) rows->sprites = edit_rows(it, row, rows->sprite, sizeof *rows->sprites);
    if (rows->sprites != NULL) rows->sprites[row].frame = frame;
}

static void animate(FiloIter *it) {
    Rows rows = { .assets = it->user,
                  .sprite = filo_component_of(it->world, FILO_TYPE(FiloSprite)),
                  .animation = filo_component_of(it->world, FILO_TYPE(FiloAnimation)) };
    const FiloSprite *sprite = filo_read(it, FiloSprite);
    const FiloAnimation *animation = filo_read(it, FiloAnimation);
    for (size_t i = 0; i < it->count; i++) animate_row(it, &rows, i, &sprite[i], &animation[i]);
}

// Added anew if there are assets: the system may know others, or none.
bool gfx2d_animate_register(FiloWorld *world, FiloAssets *assets) {
    static const char name[] = "animate sprites";
    FiloSystemId old = filo_system_named(world, name);
    if (assets == NULL) return true;
    if (old.id != 0) filo_system_remove(world, old);
    FiloEvents *events = filo_world_events(world);
    FILO_NAME(event, FILO_EVENT_ANIMATION);
    if (events != NULL && filo_events_declare(events, event, FILO_TYPE(FiloAnimationEvent)).code != FILO_OK)
        return false;
    return filo_system_add(
               world,
               &(FiloSystemDesc){ .name = name,
                                  .run = animate,
                                  .user = assets,
                                  .parallel = true,
                                  .phase = FILO_PHASE_AFTER,
                                  .query.terms = { FILO_READ(FiloSprite), FILO_READ(FiloAnimation) },
                                  .extra_access = { FILO_WRITE(FiloSprite), FILO_WRITE(FiloAnimation) } })
               .id != 0;
}

void filo_animation_play(FiloAnimation *animation, FiloName clip) {
    if (!FILO_CHECK(animation != NULL, "pass the animation that is to play the clip")) return;
    if (animation->clip.id == clip.id && animation->started && !animation->finished) return;
    animation->clip = clip;
    animation->time = 0;
    animation->finished = animation->started = false;
}
