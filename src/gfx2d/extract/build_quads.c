// Quads of a part: the hot path. See renderer.h for what the others do.
//
// One pass over the rows: blend, look up the frame, make the quad, see whether it is seen. A quad that is not
// seen is written like the others, and then written over by the next: that is quicker than to ask beforehand,
// since nobody can predict the answer.
//
// The loop is written once and compiled for each case (always inline, with constants). Most sprites are not
// turned; for them four numbers are worked on at a time.

#include "gfx2d/extract/box4.h"
#include "gfx2d/renderer.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

// ---- Where a row is -----------------------------------------------------------------------------------------

// The middle, and where the axes point.
typedef struct Pose {
    float x, y;
    float right_x, right_y, up_x, up_y;
} Pose;

ALWAYS_INLINE FiloVec2 shown_scale(FiloVec2 scale) {
    return scale.x == 0.0f && scale.y == 0.0f ? filo_vec2(1.0f, 1.0f) : scale;
}

static Pose pose_from(FiloVec2 position, float rotation, FiloVec2 scale) {
    scale = shown_scale(scale);
    float c = filo_cos(rotation), s = filo_sin(rotation);
    return (Pose){ position.x, position.y, c * scale.x, s * scale.x, -s * scale.y, c * scale.y };
}

// Of a row whose rotation or scale is not simple. `before` NULL: there is none.
static Pose pose_blended(const FiloPreviousTransform2 *before, const FiloTransform2 *now, float blend) {
    if (before == NULL || !before->valid) return pose_from(now->position, now->rotation, now->scale);
    FiloVec2 position = filo_vec2_lerp(before->position, now->position, blend);
    FiloVec2 scale = filo_vec2_lerp(shown_scale(before->scale), shown_scale(now->scale), blend);
    float rotation = now->rotation;
    if (before->rotation != rotation) rotation = filo_angle_lerp(before->rotation, rotation, blend);
    return pose_from(position, rotation, scale);
}

static bool same(FiloAffine2 a, FiloAffine2 b) {
    return filo_vec2_equal(a.x, b.x) && filo_vec2_equal(a.y, b.y) && filo_vec2_equal(a.origin, b.origin);
}

static Pose pose_placed(const FiloWorldTransform2 *in_world, float blend, bool *moving) {
    FiloAffine2 a = in_world->previous, b = in_world->now;
    if (same(a, b)) return (Pose){ b.origin.x, b.origin.y, b.x.x, b.x.y, b.y.x, b.y.y };
    *moving = true;
    return (Pose){ filo_lerp(a.origin.x, b.origin.x, blend), filo_lerp(a.origin.y, b.origin.y, blend),
                   filo_lerp(a.x.x, b.x.x, blend),           filo_lerp(a.x.y, b.x.y, blend),
                   filo_lerp(a.y.x, b.y.x, blend),           filo_lerp(a.y.y, b.y.y, blend) };
}

static bool moves(const FiloPreviousTransform2 *before, const FiloTransform2 *now) {
    return before->valid && (before->position.x != now->position.x || before->position.y != now->position.y ||
                             before->rotation != now->rotation || before->scale.x != now->scale.x ||
                             before->scale.y != now->scale.y);
}

// No tick has run yet that would have computed its world transform: it has just got its parent, or a snapshot was
// restored, and perhaps the game is paused.
static FILO_COLD Pose pose_unknown(const FiloWorld *world, uint32_t index) {
    FiloAffine2 now = filo_transform2_in_world(world, filo_entity_at(world, index));
    return (Pose){ now.origin.x, now.origin.y, now.x.x, now.x.y, now.y.x, now.y.y };
}

// ---- What it looks like -------------------------------------------------------------------------------------

// All of a quad but where it is; flipped parts lie on the other side of the middle.
ALWAYS_INLINE void set_looks(FiloQuad *quad, const FiloSprite *sprite, const Gfx2dSpriteFrame *frame,
                             Gfx2dFloat4 *shape) {
    uint64_t texels;
    memcpy(&texels, &frame->place.u0, sizeof texels);
    if (FILO_UNLIKELY((sprite->flags & (FILO_SPRITE_FLIP_X | FILO_SPRITE_FLIP_Y)) != 0)) {
        uint16_t t[4];
        memcpy(t, &texels, sizeof t);
        bool x = (sprite->flags & FILO_SPRITE_FLIP_X) != 0, y = (sprite->flags & FILO_SPRITE_FLIP_Y) != 0;
        uint16_t flipped[4] = { t[x ? 2 : 0], t[y ? 3 : 1], t[x ? 0 : 2], t[y ? 1 : 3] };
        memcpy(&texels, flipped, sizeof texels);
        *shape *= (Gfx2dFloat4){ 1.0f, 1.0f, x ? -1.0f : 1.0f, y ? -1.0f : 1.0f };
    }
    uint32_t color;
    memcpy(&color, &sprite->color, sizeof color);
    color = color == 0 ? 0xFFFFFFFFu : color;
    uint32_t tail = frame->image_and_kind | (uint32_t)(sprite->flags >> 2 & 3) << 24;
    uint64_t last = (uint64_t)tail << 32 | color;
    memcpy(&quad->u0, &texels, sizeof texels);
    memcpy(&quad->color, &last, sizeof last);
}

// Where a turned or sheared sprite lies; `shape` is half its size, and where its middle is. Returns its middle
// and half the size of the box around it.
static Gfx2dFloat4 place_turned(FiloQuad *quad, Pose pose, Gfx2dFloat4 shape) {
    float x = pose.x + (pose.right_x * shape[2] + pose.up_x * shape[3]);
    float y = pose.y + (pose.right_y * shape[2] + pose.up_y * shape[3]);
    float ax = pose.right_x * shape[0], ay = pose.right_y * shape[0];
    float bx = pose.up_x * shape[1], by = pose.up_y * shape[1];
    quad->x = x, quad->y = y, quad->ax = ax, quad->ay = ay, quad->bx = bx, quad->by = by;
    return (Gfx2dFloat4){ x, y, filo_abs(ax) + filo_abs(bx), filo_abs(ay) + filo_abs(by) };
}

// The same for one that is not: `pose` is position and scale.
ALWAYS_INLINE Gfx2dFloat4 place_upright(FiloQuad *quad, Gfx2dFloat4 pose, Gfx2dFloat4 shape) {
    Gfx2dFloat4 scaled =
        shape * GFX2D_PICK4(pose, 2, 3, 2, 3); // half the size, and from the position to the middle
    Gfx2dFloat4 middle = pose + GFX2D_PICK4(scaled, 2, 3, 2, 3);
    Gfx2dFloat4 none = { 0 };
    Gfx2dFloat4 first =
        __builtin_shufflevector(middle, __builtin_shufflevector(scaled, none, 0, 4, 1, 4), 0, 1, 4, 5);
    Gfx2dFloat4 second = __builtin_shufflevector(none, scaled, 0, 5, 0, 5);
    memcpy(&quad->x, &first, sizeof first);
    memcpy(&quad->bx, &second, 2 * sizeof(float));
    Gfx2dFloat4 size = (Gfx2dFloat4)((Gfx2dBits4)scaled & 0x7FFFFFFFu);
    return __builtin_shufflevector(middle, size, 0, 1, 4, 5);
}

// ---- The loop -------------------------------------------------------------------------------------------------

// What a case has in common.
typedef struct Builder {
    FiloGfx2d *gfx;
    Gfx2dPart *part;
    FiloRect region;
    float blend;
    FiloQuad *out;                  // where quads go: one after the other; of several kinds, from
    uint32_t next[GFX2D_PART_KEYS]; // these places on,
    uint32_t ends[GFX2D_PART_KEYS]; // up to these
    uint32_t count;                 // all that are seen
    bool moving;
    FiloRect bounds;
} Builder;

typedef enum BuildKind {
    BUILD_ONE,     // all quads are of one kind and go to `out`
    BUILD_SEVERAL, // to the places in `next`
    BUILD_STAGED,  // to `out`, with the kind of each beside it
    BUILD_WILD,    // to `out`, with a sort key for each
} BuildKind;

// A row, and what was noticed on the way.
typedef struct Row {
    const FiloSprite *sprite;
    const Gfx2dSpriteFrame *frame;
    const FiloTransform2 *now;
    const FiloPreviousTransform2 *before;
    const FiloWorldTransform2 *in_world; // NULL: it has none
    const FiloWorld *world;
    uint32_t index; // of the entity
    float blend, y;
    Gfx2dBits4 moved; // of all rows so far: bits that differ from the tick before
    bool moving;      // the same of those that are turned
} Row;

// A row of which it is not known whether it has a parent.
static FILO_COLD Pose pose_of_stray(Row *row) {
    if (filo_entity_parent(row->world, filo_entity_at(row->world, row->index)).id != 0)
        return pose_unknown(row->world, row->index);
    if (row->before != NULL) row->moving = row->moving || moves(row->before, row->now);
    return pose_blended(row->before, row->now, row->blend);
}

ALWAYS_INLINE Pose pose_in_world(Row *row) {
    if (FILO_UNLIKELY(row->in_world == NULL)) return pose_of_stray(row);
    return FILO_LIKELY(row->in_world->valid) ? pose_placed(row->in_world, row->blend, &row->moving)
                                             : pose_unknown(row->world, row->index);
}

// Writes the quad of a row. Returns its middle, and half the size of the box around it.
ALWAYS_INLINE Gfx2dFloat4 build_row(Row *row, FiloQuad *quad, bool blended, bool placed) {
    const Gfx2dSpriteFrame *frame = row->frame;
    Gfx2dFloat4 shape;
    memcpy(&shape, &frame->half_width, sizeof shape);
    set_looks(quad, row->sprite, frame, &shape);
    uint64_t pivot;
    memcpy(&pivot, &row->sprite->pivot, sizeof pivot);
    if (FILO_UNLIKELY(pivot != 0))
        shape -= (Gfx2dFloat4){ 0.0f, 0.0f, row->sprite->pivot.x * frame->full_width,
                                row->sprite->pivot.y * frame->full_height };
    if (placed) {
        Pose pose = pose_in_world(row);
        row->y = pose.y;
        return place_turned(quad, pose, shape);
    }
    uint64_t position, scale;
    uint32_t rotation;
    memcpy(&position, &row->now->position, sizeof position);
    memcpy(&rotation, &row->now->rotation, sizeof rotation);
    memcpy(&scale, &row->now->scale, sizeof scale);
    const uint64_t one = UINT64_C(0x3F8000003F800000); // 1.0, 1.0
    uint64_t shown = scale == 0 ? one : scale;
    Gfx2dFloat4 pose = (Gfx2dFloat4)(Gfx2dBits2){ position, shown };
    bool upright = rotation == 0;
    if (blended) {
        uint64_t old_position, old_scale;
        uint32_t old_rotation;
        memcpy(&old_position, &row->before->position, sizeof old_position);
        memcpy(&old_rotation, &row->before->rotation, sizeof old_rotation);
        memcpy(&old_scale, &row->before->scale, sizeof old_scale);
        upright = ((rotation | old_rotation) | (scale ^ old_scale)) == 0 && row->before->valid;
        if (FILO_LIKELY(upright)) {
            Gfx2dFloat4 old = (Gfx2dFloat4)(Gfx2dBits2){ old_position, shown };
            row->moved |= (Gfx2dBits4)pose ^ (Gfx2dBits4)old;
            pose = old + (pose - old) * row->blend;
        }
    }
    if (FILO_LIKELY(upright)) {
        row->y = pose[1];
        return place_upright(quad, pose, shape);
    }
    if (blended) row->moving = row->moving || moves(row->before, row->now);
    Pose turned = pose_blended(blended ? row->before : NULL, row->now, row->blend);
    row->y = turned.y;
    return place_turned(quad, turned, shape);
}

// `blended`: there are previous transforms, and the blend is not 1. `placed`: there are world transforms, or parents and
// none. `bounded`: the bounds are wanted.
ALWAYS_INLINE void build_rows(Builder *b, BuildKind kind, bool blended, bool placed, bool bounded) {
    Gfx2dPart *part = b->part;
    const FiloGfx2d *gfx = b->gfx;
    const Gfx2dImageEntry *entries = gfx->entries;
    const uint32_t entry_count = gfx->entry_count;
    const Gfx2dFloat4 limits = gfx2d_box4_limits(b->region);
    const bool concealed = part->concealed;
    Gfx2dFloat4 lowest = { 3.0e38f, 3.0e38f, 3.0e38f, 3.0e38f };
    FiloQuad *out = b->out;
    uint32_t count = 0;
    Row row = { .sprite = part->sprites, .now = part->transforms, .blend = b->blend, .world = gfx->world };
    for (uint32_t i = 0; i < part->rows; i++, row.sprite++, row.now++) {
        const FiloSprite *sprite = row.sprite;
        if ((kind == BUILD_STAGED || kind == BUILD_WILD) && FILO_UNLIKELY(concealed) &&
            filo_bits_test(&gfx->concealed, part->indices[i]))
            continue;
        if (blended) row.before = &part->before[i];
        if (placed) row.index = part->indices[i];
        if (placed && part->worlds != NULL) row.in_world = &part->worlds[i];
        if (placed && part->worlds == NULL && part->before != NULL) row.before = &part->before[i];
        uint32_t name = sprite->image.id;
        const Gfx2dImageEntry *entry = &entries[FILO_LIKELY(name < entry_count) ? name : 0];
        row.frame = entry->frames + FILO_MIN(sprite->frame, entry->last);
        unsigned number = 0;
        if (kind == BUILD_SEVERAL || kind == BUILD_STAGED) {
            uint64_t word;
            memcpy(&word, &sprite->frame, sizeof word);
            number = gfx2d_extract_kind(part, word);
            if (number == GFX2D_PART_KEYS) continue; // hidden
            // Not of this view; or written to without the world's knowledge since it was scanned.
            if (kind == BUILD_SEVERAL && b->next[number] == b->ends[number]) continue;
        } else if (kind == BUILD_WILD && (sprite->flags & FILO_SPRITE_HIDDEN) != 0) {
            continue;
        }
        FiloQuad *quad = &out[kind == BUILD_SEVERAL ? b->next[number] : count];
        Gfx2dFloat4 edges = gfx2d_box4_edges(build_row(&row, quad, blended, placed));
        bool seen = gfx2d_box4_seen(edges, limits);
        if (kind == BUILD_STAGED) part->kinds[count] = (uint8_t)number;
        if (kind == BUILD_STAGED) part->key_sizes[number] += seen;
        if (kind == BUILD_WILD) part->sort_keys[count] = gfx2d_extract_key(gfx, sprite, row.frame, row.y);
        if (kind == BUILD_SEVERAL) b->next[number] += seen;
        if (bounded && seen) {
            Gfx2dBits4 lower = (Gfx2dBits4)(edges < lowest);
            lowest = (Gfx2dFloat4)((lower & (Gfx2dBits4)edges) | (~lower & (Gfx2dBits4)lowest));
        }
        count += seen;
    }
    b->count = count;
    b->moving = row.moving || (row.moved[0] | row.moved[1]) != 0;
    b->bounds = filo_rect(filo_vec2(lowest[0], lowest[1]), filo_vec2(-lowest[2], -lowest[3]));
}

// Without blending nobody has looked whether something moves.
static bool moves_at_all(const Gfx2dPart *part) {
    for (uint32_t i = 0; i < part->rows; i++)
        if (moves(&part->before[i], &part->transforms[i])) return true;
    return false;
}

static void build(Builder *b, BuildKind kind, bool bounded) {
    Gfx2dPart *part = b->part;
    bool placed = part->worlds != NULL || b->gfx->strays;
    bool blended = part->before != NULL && !placed && b->blend < 1.0f;
    if (kind == BUILD_WILD)
        placed ? build_rows(b, BUILD_WILD, false, true, true)
               : build_rows(b, BUILD_WILD, blended, false, true);
    else if (kind == BUILD_STAGED)
        placed ? build_rows(b, BUILD_STAGED, false, true, true)
               : build_rows(b, BUILD_STAGED, blended, false, true);
    else if (placed)
        kind == BUILD_ONE ? build_rows(b, BUILD_ONE, false, true, true)
                          : build_rows(b, BUILD_SEVERAL, false, true, true);
    else if (kind == BUILD_SEVERAL)
        build_rows(b, BUILD_SEVERAL, blended, false, false);
    else if (bounded)
        build_rows(b, BUILD_ONE, blended, false, true);
    else
        blended ? build_rows(b, BUILD_ONE, true, false, false)
                : build_rows(b, BUILD_ONE, false, false, false);
    part->moving = b->moving;
    if (part->before != NULL && !placed && !blended) part->moving = moves_at_all(part);
    part->shown = b->count;
    part->known = true;
}

// ---- Public -------------------------------------------------------------------------------------------------

void gfx2d_extract_build(FiloGfx2d *gfx, Gfx2dPart *part) {
    const float huge = 3.0e38f;
    FiloRect everywhere = filo_rect(filo_vec2(-huge, -huge), filo_vec2(huge, huge));
    Builder b = { .gfx = gfx,
                  .part = part,
                  .region = part->full ? everywhere : gfx->region,
                  .blend = gfx->blend,
                  .out = part->quads };
    memset(part->key_sizes, 0, sizeof part->key_sizes);
    bool all_shown = part->key_count == 1 && part->key_rows[0] == part->rows && !part->concealed;
    build(&b, part->wild ? BUILD_WILD : all_shown ? BUILD_ONE : BUILD_STAGED, true);
    if (!part->wild && all_shown) part->key_sizes[0] = b.count;
    part->count = b.count;
    part->bounds = b.bounds;
    part->generation = gfx->generation;
}

void gfx2d_extract_build_direct(FiloGfx2d *gfx, Gfx2dPart *part, FiloQuad *quads) {
    Builder b = { .gfx = gfx, .part = part, .region = gfx->region, .blend = gfx->blend, .out = quads };
    if (part->key_count == 1 && part->key_rows[0] == part->rows) {
        b.out = quads + part->starts[0];
        build(&b, BUILD_ONE, false);
        memset(b.out + b.count, 0, (part->rows - b.count) * sizeof *quads);
        return;
    }
    for (uint32_t i = 0; i < part->key_count; i++) {
        b.next[i] = part->seen_sizes[i] > 0 ? part->starts[i] : 0;
        b.ends[i] = b.next[i] + part->seen_sizes[i];
    }
    build(&b, BUILD_SEVERAL, false);
    for (uint32_t i = 0; i < part->key_count; i++)
        if (part->seen_sizes[i] > 0)
            memset(quads + b.next[i], 0, (part->starts[i] + part->seen_sizes[i] - b.next[i]) * sizeof *quads);
}
