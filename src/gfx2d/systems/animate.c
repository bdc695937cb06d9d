// "animate sprites": advances FiloAnimation in a clip, and sets the frame of the sprite.
//
// A clip is a list of steps, each of which shows a frame for a time: the frames from `from` to `to`, and for ping-pong
// clips those in between again in reverse order. Of a clip that repeats a number of times, these are a round, and the
// steps are those of all rounds. The state is the time alone. Step s is shown from its start
// (inclusive) to its end (exclusive); backwards, from its end (inclusive) to its start (exclusive). In a tick, the time
// goes from step to step, so that no event is left out.
//
// The lengths of ticks and frames are often multiples of each other (60 ticks a second, 12 frames a second), and sums
// of floats are off by a little. So a step ends when the time is within SLACK of its end, and then the time is set to
// the end exactly, so that errors do not add up.
//
// The sheet is found by name, and read immediately if it is not loaded: what is drawn, and when files arrive, must not
// change the world.
//
// A chunk counts as changed only if something is written: the columns are declared as read, and filo_entity_edit marks
// them before the first write.

#include "gfx2d/systems/systems.h"

#include "base/suggest.h"

#include <filo/log.h>

#include <stdio.h>

#define SLACK           1e-5       // seconds
#define DEFAULT_SECONDS 0.1        // of a frame without a duration
#define MIN_SECONDS     1e-3       // of a frame
#define MAX_SECONDS     1e6        // of a frame
#define MAX_STEPS       (1u << 24) // of a clip that repeats
#define MAX_ROUNDS      16         // of a clip in one tick
#define CACHED_CLIPS    8          // while iterating over rows

typedef struct Clip {
    FiloName image, name;
    const FiloSheetFrame *frames; // NULL: there is nothing to show
    uint32_t from, to, count;     // frames
    uint32_t round, steps;
    bool ends;
    double round_seconds;
    double step_seconds; // of all steps; 0: as each frame says
    double seconds;      // of all steps together
} Clip;

// ---- Steps ------------------------------------------------------------------------------------------------

static uint32_t frame_of(const Clip *clip, uint32_t step) {
    uint32_t offset = step % clip->round;
    if (offset >= clip->count) offset = clip->round - offset;
    return clip->from <= clip->to ? clip->from + offset : clip->from - offset;
}

static double seconds_of(const Clip *clip, uint32_t step) {
    if (clip->step_seconds > 0) return clip->step_seconds;
    double seconds = (double)clip->frames[frame_of(clip, step)].seconds;
    return seconds > 0 ? FILO_MIN(FILO_MAX(seconds, MIN_SECONDS), MAX_SECONDS) : DEFAULT_SECONDS;
}

static double start_of(const Clip *clip, uint32_t step) {
    if (clip->step_seconds > 0) return step * clip->step_seconds;
    double start = step / clip->round * clip->round_seconds;
    for (uint32_t i = 0; i < step % clip->round; i++) start += seconds_of(clip, i);
    return start;
}

// Without a message, a misspelt clip would only be a sprite that stands still.
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

// Of a ping-pong, each pass shows all frames, and shares its first one with the pass before.
static void plan_rounds(Clip *clip, bool is_ping_pong, uint32_t repeat) {
    clip->round = is_ping_pong ? 2 * clip->count - 2 : clip->count;
    for (uint32_t i = 0; i < clip->round; i++) clip->round_seconds += seconds_of(clip, i);
    uint32_t pass = is_ping_pong ? clip->count - 1 : clip->count;
    clip->steps =
        repeat == 0 ? clip->round : FILO_MIN(repeat, MAX_STEPS / pass) * pass + (is_ping_pong ? 1 : 0);
    clip->seconds = start_of(clip, clip->steps);
}

static Clip find_clip(FiloAssets *assets, FiloName image, FiloName name) {
    Clip clip = { .image = image, .name = name };
    const FiloSheet *sheet = filo_assets_sheet_now(assets, image);
    if (sheet->frame_count == 0) return clip;
    uint32_t last = (uint32_t)(sheet->frame_count - 1);
    clip.to = last;
    float fps = 0;
    FiloClipMode mode = FILO_CLIP_LOOP;
    uint32_t repeat = 0;
    if (name.id != 0) {
        int index = filo_sheet_clip(sheet, name);
        if (index < 0) report_unknown_clip(sheet, image, name);
        if (index < 0) return clip;
        const FiloSheetClip *found = &sheet->clips[index];
        clip.from = FILO_MIN(found->from, last);
        clip.to = FILO_MIN(found->to, last);
        mode = found->mode;
        repeat = found->repeat;
        fps = found->fps;
    }
    clip.frames = sheet->frames;
    clip.count = (clip.from <= clip.to ? clip.to - clip.from : clip.from - clip.to) + 1;
    clip.step_seconds = fps > 0 ? FILO_MIN(FILO_MAX(1 / (double)fps, MIN_SECONDS), MAX_SECONDS) : 0;
    plan_rounds(&clip, mode == FILO_CLIP_PING_PONG && clip.count > 1, repeat);
    clip.ends = repeat > 0 || mode == FILO_CLIP_ONCE;
    return clip;
}

// ---- Playback -------------------------------------------------------------------------------------------

typedef struct Playback {
    const Clip *clip;
    FiloIter *it;
    size_t row;
    double time;       // in the clip
    double start, end; // of the step
    uint32_t step;
    bool finished;
} Playback;

static void emit(const Playback *playback, FiloName event) {
    if (playback->it->events == NULL || event.id == 0) return;
    FILO_NAME(name, FILO_EVENT_ANIMATION);
    FiloAnimationEvent payload = { .entity = filo_iter_entity(playback->it, playback->row),
                                   .clip = playback->clip->name,
                                   .event = event,
                                   .frame = frame_of(playback->clip, playback->step) };
    filo_event_record(playback->it->events, name, FILO_TYPE(FiloAnimationEvent), &payload);
}

static void emit_frame(const Playback *playback) {
    emit(playback, playback->clip->frames[frame_of(playback->clip, playback->step)].event);
}

static void finish(Playback *playback) {
    playback->finished = true;
    FILO_NAME(finished, "finished");
    emit(playback, finished);
}

// Sets the step that is shown at playback->time. `backwards`: the step that ends there.
static void find_step(Playback *playback, bool backwards) {
    const Clip *clip = playback->clip;
    uint32_t last = clip->steps - 1, step = 0;
    double start = 0, end = seconds_of(clip, 0);
    if (clip->step_seconds > 0) {
        double guess = playback->time / clip->step_seconds;
        step = guess < 1 ? 0 : guess < last ? (uint32_t)guess - 1 : last - (last > 0);
        start = start_of(clip, step), end = start_of(clip, step + 1);
    } else if (playback->time > 2 * clip->round_seconds) {
        double rounds = FILO_MIN(playback->time / clip->round_seconds - 1, (double)MAX_STEPS);
        step = FILO_MIN((uint32_t)rounds, last / clip->round) * clip->round;
        start = start_of(clip, step), end = start + seconds_of(clip, step);
    }
    while (step < last && (backwards ? end + SLACK < playback->time : end - SLACK <= playback->time)) {
        start = end;
        step++;
        end = clip->step_seconds > 0 ? start_of(clip, step + 1) : start + seconds_of(clip, step);
    }
    playback->step = step, playback->start = start, playback->end = end;
}

static void enter_step(Playback *playback, uint32_t step) {
    playback->step = step;
    playback->start = start_of(playback->clip, step);
    playback->end = playback->clip->step_seconds > 0 ? start_of(playback->clip, step + 1)
                                                     : playback->start + seconds_of(playback->clip, step);
    emit_frame(playback);
}

static void play_forwards(Playback *playback) {
    const Clip *clip = playback->clip;
    while (playback->time >= playback->end - SLACK && !playback->finished) {
        if (playback->time < playback->end) playback->time = playback->end;
        if (playback->step + 1 < clip->steps) {
            enter_step(playback, playback->step + 1);
        } else if (clip->ends) {
            playback->time = clip->seconds;
            finish(playback);
        } else {
            playback->time = FILO_MAX(playback->time - clip->seconds, 0.0);
            enter_step(playback, 0);
        }
    }
}

static void play_backwards(Playback *playback) {
    const Clip *clip = playback->clip;
    while (playback->time <= playback->start + SLACK && !playback->finished) {
        if (playback->time > playback->start) playback->time = playback->start;
        if (playback->step > 0) {
            enter_step(playback, playback->step - 1);
        } else if (clip->ends) {
            playback->time = 0;
            finish(playback);
        } else {
            playback->time = FILO_MIN(playback->time + clip->seconds, clip->seconds);
            enter_step(playback, clip->steps - 1);
        }
    }
}

// The time at which the tick begins. The game may have set animation->time to anything.
static double start_time(const Clip *clip, const FiloAnimation *animation, bool backwards) {
    double time = (double)animation->time;
    if (!(time > 0 && time < 1e9)) time = 0; // NaN too
    if (time > clip->seconds)
        time = clip->ends ? clip->seconds : (double)filo_mod(animation->time, (float)clip->seconds);
    return backwards && time == 0 ? clip->seconds : time;
}

// Reduces a time by whole rounds to at most MAX_ROUNDS.
static double limit_rounds(const Clip *clip, double elapsed) {
    double max = clip->seconds * MAX_ROUNDS;
    if (elapsed < max) return elapsed;
    double rounds = (elapsed - max) / clip->seconds;
    return rounds < 1e15 ? elapsed - (double)(int64_t)rounds * clip->seconds : max;
}

static void advance(Playback *playback, FiloAnimation *animation, float delta) {
    float speed = animation->speed != 0 ? animation->speed : 1;
    double elapsed = (double)speed * (double)delta;
    bool backwards = elapsed < 0;
    playback->time = start_time(playback->clip, animation, backwards);
    find_step(playback, backwards);
    if (!animation->started) emit_frame(playback);
    if (elapsed > 0) {
        playback->time += limit_rounds(playback->clip, elapsed);
        play_forwards(playback);
    } else if (backwards) {
        playback->time -= limit_rounds(playback->clip, -elapsed);
        play_backwards(playback);
    }
    animation->time = (float)playback->time;
    animation->started = true;
    animation->finished = playback->finished;
}

// ---- Rows -----------------------------------------------------------------------------------------------

typedef struct Rows {
    FiloAssets *assets;
    FiloComponent sprite, animation;
    FiloSprite *sprites;       // NULL until the column is marked as changed
    FiloAnimation *animations; // NULL until the column is marked as changed
    Clip clips[CACHED_CLIPS];  // by hash of image and name
} Rows;

static const Clip *clip_of(Rows *rows, FiloName image, FiloName name) {
    Clip *clip = &rows->clips[(image.id * 5 + name.id) % CACHED_CLIPS];
    if (clip->image.id != image.id || clip->name.id != name.id) *clip = find_clip(rows->assets, image, name);
    return clip;
}

// The column of a component, to be written. Marks it as changed. NULL without memory.
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
    Playback playback = { .clip = clip, .it = it, .row = row };
    advance(&playback, &rows->animations[row], it->delta);
    uint16_t frame = (uint16_t)frame_of(clip, playback.step);
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

// A system that is there already is replaced: it may have other assets.
bool gfx2d_animate_register(FiloWorld *world, FiloAssets *assets) {
    static const char name[] = "animate sprites";
    if (assets == NULL) return true;
    FiloSystemId old = filo_system_named(world, name);
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
