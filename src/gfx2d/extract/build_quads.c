// Sprites become quads: the hot path of extraction. build_row makes the quad of one sprite.
//
// One pass over the rows of a part: blend the transforms, look up the frame, write the quad, test whether it is
// visible. An invisible quad is written too, and overwritten by the next one: a branch before writing would be
// mispredicted too often.
//
// The loop is written once and compiled for each case (always inline, with constant arguments). Most sprites are not
// rotated; their quads are computed four floats at a time.

#include "gfx2d/extract/box4.h"
#include "gfx2d/renderer.h"

#include "base/suggest.h"

#include <filo/log.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

// ---- The pose of a row --------------------------------------------------------------------------------------

// Position, and the axes of the sprite with their scale.
typedef struct Pose {
    float x, y;
    float right_x, right_y, up_x, up_y;
} Pose;

ALWAYS_INLINE FiloVec2 effective_scale(FiloVec2 scale) {
    return scale.x == 0.0f && scale.y == 0.0f ? filo_vec2(1.0f, 1.0f) : scale;
}

static Pose pose_from(FiloVec2 position, float rotation, FiloVec2 scale) {
    scale = effective_scale(scale);
    float c = filo_cos(rotation), s = filo_sin(rotation);
    return (Pose){ position.x, position.y, c * scale.x, s * scale.x, -s * scale.y, c * scale.y };
}

// For rows that are rotated, or whose scale changes. `previous` NULL: there is none.
static Pose pose_blended(const FiloPreviousTransform2 *previous, const FiloTransform2 *now, float blend) {
    if (previous == NULL || !previous->valid) return pose_from(now->position, now->rotation, now->scale);
    FiloVec2 position = filo_vec2_lerp(previous->position, now->position, blend);
    FiloVec2 scale = filo_vec2_lerp(effective_scale(previous->scale), effective_scale(now->scale), blend);
    float rotation = now->rotation;
    if (previous->rotation != rotation) rotation = filo_angle_lerp(previous->rotation, rotation, blend);
    return pose_from(position, rotation, scale);
}

static bool same(FiloAffine2 a, FiloAffine2 b) {
    return filo_vec2_equal(a.x, b.x) && filo_vec2_equal(a.y, b.y) && filo_vec2_equal(a.origin, b.origin);
}

static Pose pose_from_world_transform(const FiloWorldTransform2 *world_transform, float blend, bool *moving) {
    FiloAffine2 a = world_transform->previous, b = world_transform->now;
    if (same(a, b)) return (Pose){ b.origin.x, b.origin.y, b.x.x, b.x.y, b.y.x, b.y.y };
    *moving = true;
    return (Pose){ filo_lerp(a.origin.x, b.origin.x, blend), filo_lerp(a.origin.y, b.origin.y, blend),
                   filo_lerp(a.x.x, b.x.x, blend),           filo_lerp(a.x.y, b.x.y, blend),
                   filo_lerp(a.y.x, b.y.x, blend),           filo_lerp(a.y.y, b.y.y, blend) };
}

static bool moves(const FiloPreviousTransform2 *previous, const FiloTransform2 *now) {
    return previous->valid &&
           (previous->position.x != now->position.x || previous->position.y != now->position.y ||
            previous->rotation != now->rotation || previous->scale.x != now->scale.x ||
            previous->scale.y != now->scale.y);
}

// For a row whose world transform no tick has computed yet: it has just got its parent, or a snapshot was restored
// while the game was paused.
static FILO_COLD Pose pose_from_parents(const FiloWorld *world, uint32_t index) {
    FiloAffine2 now = filo_transform2_in_world(world, filo_entity_at(world, index));
    return (Pose){ now.origin.x, now.origin.y, now.x.x, now.x.y, now.y.x, now.y.y };
}

// ---- The fields of a quad -----------------------------------------------------------------------------------

// Sets texels, colour, image, kind and flags. A flip mirrors the offset of a trimmed frame too, which is in `shape`.
ALWAYS_INLINE void set_appearance(FiloQuad *quad, const FiloSprite *sprite, const Gfx2dSpriteFrame *frame,
                                  Gfx2dFloat4 *shape) {
    uint64_t texels;
    memcpy(&texels, &frame->region.u0, sizeof texels);
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

// Sets centre and axes of a rotated or sheared sprite. `shape` is half its size, and the offset from its position to
// its centre. Returns centre and half size of its bounds.
static Gfx2dFloat4 set_rotated(FiloQuad *quad, Pose pose, Gfx2dFloat4 shape) {
    float x = pose.x + (pose.right_x * shape[2] + pose.up_x * shape[3]);
    float y = pose.y + (pose.right_y * shape[2] + pose.up_y * shape[3]);
    float ax = pose.right_x * shape[0], ay = pose.right_y * shape[0];
    float bx = pose.up_x * shape[1], by = pose.up_y * shape[1];
    quad->x = x, quad->y = y, quad->ax = ax, quad->ay = ay, quad->bx = bx, quad->by = by;
    return (Gfx2dFloat4){ x, y, filo_abs(ax) + filo_abs(bx), filo_abs(ay) + filo_abs(by) };
}

// Sets them for an upright sprite. `pose` is position and scale.
ALWAYS_INLINE Gfx2dFloat4 set_upright(FiloQuad *quad, Gfx2dFloat4 pose, Gfx2dFloat4 shape) {
    Gfx2dFloat4 scaled =
        shape * GFX2D_SHUFFLE4(pose, 2, 3, 2, 3); // half size, and offset from position to centre
    Gfx2dFloat4 centre = pose + GFX2D_SHUFFLE4(scaled, 2, 3, 2, 3);
    Gfx2dFloat4 zero = { 0 };
    Gfx2dFloat4 first =
        __builtin_shufflevector(centre, __builtin_shufflevector(scaled, zero, 0, 4, 1, 4), 0, 1, 4, 5);
    Gfx2dFloat4 second = __builtin_shufflevector(zero, scaled, 0, 5, 0, 5);
    memcpy(&quad->x, &first, sizeof first);
    memcpy(&quad->bx, &second, 2 * sizeof(float));
    Gfx2dFloat4 size = (Gfx2dFloat4)((Gfx2dBits4)scaled & 0x7FFFFFFFu);
    return __builtin_shufflevector(centre, size, 0, 1, 4, 5);
}

// ---- The loop -------------------------------------------------------------------------------------------------

typedef struct Builder {
    FiloGfx2d *gfx;
    Gfx2dPart *part;
    FiloRect region;
    float blend;
    FiloQuad *out;                  // destination
    uint32_t next[GFX2D_PART_KEYS]; // BUILD_SEVERAL_KEYS: index in `out` of the next quad with each key,
    uint32_t ends[GFX2D_PART_KEYS]; // and the end of its range
    // Results.
    uint32_t count; // visible quads
    bool moving;
    FiloRect bounds;
} Builder;

typedef enum BuildKind {
    BUILD_ONE_KEY,      // all quads have the same key, and follow each other in `out`
    BUILD_SEVERAL_KEYS, // quads go to the range of their key in `out`
    BUILD_STAGED,       // quads follow each other, with their key indices in part->key_indices
    BUILD_UNSORTED,     // quads follow each other, with their keys in part->sort_keys
} BuildKind;

typedef struct Row {
    const FiloSprite *sprite;
    const Gfx2dSpriteFrame *frame;
    const FiloTransform2 *now;
    const FiloPreviousTransform2 *previous;
    const FiloWorldTransform2 *world_transform; // NULL: it has none
    const FiloWorld *world;
    uint32_t entity_index;
    float blend;
    float y; // result: height of the sprite
    // Of all rows so far:
    Gfx2dBits4 moved; // bits in which upright rows differ from the tick before
    bool moving;      // some other row differs
} Row;

// For a row that may have a parent, but has no world transform.
static FILO_COLD Pose pose_of_unresolved(Row *row) {
    if (filo_entity_parent(row->world, filo_entity_at(row->world, row->entity_index)).id != 0)
        return pose_from_parents(row->world, row->entity_index);
    if (row->previous != NULL) row->moving = row->moving || moves(row->previous, row->now);
    return pose_blended(row->previous, row->now, row->blend);
}

ALWAYS_INLINE Pose pose_of_child(Row *row) {
    if (FILO_UNLIKELY(row->world_transform == NULL)) return pose_of_unresolved(row);
    return FILO_LIKELY(row->world_transform->valid)
               ? pose_from_world_transform(row->world_transform, row->blend, &row->moving)
               : pose_from_parents(row->world, row->entity_index);
}

// Writes the quad of a row. Returns centre and half size of its bounds.
ALWAYS_INLINE Gfx2dFloat4 build_row(Row *row, FiloQuad *quad, bool blended, bool in_world) {
    const Gfx2dSpriteFrame *frame = row->frame;
    Gfx2dFloat4 shape;
    memcpy(&shape, &frame->half_width, sizeof shape);
    set_appearance(quad, row->sprite, frame, &shape);
    uint64_t pivot;
    memcpy(&pivot, &row->sprite->pivot, sizeof pivot);
    if (FILO_UNLIKELY(pivot != 0))
        shape -= (Gfx2dFloat4){ 0.0f, 0.0f, row->sprite->pivot.x * frame->full_width,
                                row->sprite->pivot.y * frame->full_height };
    if (in_world) {
        Pose pose = pose_of_child(row);
        row->y = pose.y;
        return set_rotated(quad, pose, shape);
    }
    uint64_t position, scale;
    uint32_t rotation;
    memcpy(&position, &row->now->position, sizeof position);
    memcpy(&rotation, &row->now->rotation, sizeof rotation);
    memcpy(&scale, &row->now->scale, sizeof scale);
    const uint64_t one = UINT64_C(0x3F8000003F800000); // 1.0, 1.0
    uint64_t effective = scale == 0 ? one : scale;
    Gfx2dFloat4 pose = (Gfx2dFloat4)(Gfx2dBits2){ position, effective };
    bool upright = rotation == 0;
    if (blended) {
        uint64_t old_position, old_scale;
        uint32_t old_rotation;
        memcpy(&old_position, &row->previous->position, sizeof old_position);
        memcpy(&old_rotation, &row->previous->rotation, sizeof old_rotation);
        memcpy(&old_scale, &row->previous->scale, sizeof old_scale);
        upright = ((rotation | old_rotation) | (scale ^ old_scale)) == 0 && row->previous->valid;
        if (FILO_LIKELY(upright)) {
            Gfx2dFloat4 old = (Gfx2dFloat4)(Gfx2dBits2){ old_position, effective };
            row->moved |= (Gfx2dBits4)pose ^ (Gfx2dBits4)old;
            pose = old + (pose - old) * row->blend;
        }
    }
    if (FILO_LIKELY(upright)) {
        row->y = pose[1];
        return set_upright(quad, pose, shape);
    }
    if (blended) row->moving = row->moving || moves(row->previous, row->now);
    Pose rotated = pose_blended(blended ? row->previous : NULL, row->now, row->blend);
    row->y = rotated.y;
    return set_rotated(quad, rotated, shape);
}

// `blended`: there are previous transforms, and the blend is not 1. `in_world`: there are world transforms, or rows
// whose world transform is unresolved. `bounded`: compute b->bounds.
ALWAYS_INLINE void build_rows(Builder *b, BuildKind kind, bool blended, bool in_world, bool bounded) {
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
        if ((kind == BUILD_STAGED || kind == BUILD_UNSORTED) && FILO_UNLIKELY(concealed) &&
            filo_bits_test(gfx->concealed_bits, part->entity_indices[i]))
            continue;
        if (blended) row.previous = &part->previous[i];
        if (in_world) row.entity_index = part->entity_indices[i];
        if (in_world && part->world_transforms != NULL) row.world_transform = &part->world_transforms[i];
        if (in_world && part->world_transforms == NULL && part->previous != NULL)
            row.previous = &part->previous[i];
        uint32_t name = sprite->image.id;
        const Gfx2dImageEntry *entry = &entries[FILO_LIKELY(name < entry_count) ? name : 0];
        row.frame = entry->frames + FILO_MIN(sprite->frame, entry->last);
        unsigned key_index = 0;
        if (kind == BUILD_SEVERAL_KEYS || kind == BUILD_STAGED) {
            uint64_t word;
            memcpy(&word, &sprite->frame, sizeof word);
            key_index = gfx2d_extract_key_index(part, word);
            if (key_index == GFX2D_PART_KEYS) continue; // hidden
            // The view hides it; or it was written without marking the column as changed since the keys were counted.
            if (kind == BUILD_SEVERAL_KEYS && b->next[key_index] == b->ends[key_index]) continue;
        } else if (kind == BUILD_UNSORTED && (sprite->flags & FILO_SPRITE_HIDDEN) != 0) {
            continue;
        }
        FiloQuad *quad = &out[kind == BUILD_SEVERAL_KEYS ? b->next[key_index] : count];
        Gfx2dFloat4 edges = gfx2d_box4_edges(build_row(&row, quad, blended, in_world));
        bool visible = gfx2d_box4_overlaps(edges, limits);
        if (kind == BUILD_STAGED) part->key_indices[count] = (uint8_t)key_index;
        if (kind == BUILD_STAGED) part->key_sizes[key_index] += visible;
        if (kind == BUILD_UNSORTED)
            part->sort_keys[count] = gfx2d_extract_sort_key(gfx, sprite, row.frame, row.y);
        if (kind == BUILD_SEVERAL_KEYS) b->next[key_index] += visible;
        if (bounded && visible) {
            Gfx2dBits4 lower = (Gfx2dBits4)(edges < lowest);
            lowest = (Gfx2dFloat4)((lower & (Gfx2dBits4)edges) | (~lower & (Gfx2dBits4)lowest));
        }
        count += visible;
    }
    b->count = count;
    b->moving = row.moving || (row.moved[0] | row.moved[1]) != 0;
    b->bounds = filo_rect(filo_vec2(lowest[0], lowest[1]), filo_vec2(-lowest[2], -lowest[3]));
}

// For parts without blending, in which build_row does not compare the transforms.
static bool any_row_moves(const Gfx2dPart *part) {
    for (uint32_t i = 0; i < part->rows; i++)
        if (moves(&part->previous[i], &part->transforms[i])) return true;
    return false;
}

#ifndef NDEBUG
// Says once of an image that a sprite shows a frame that it does not have.
static void check_frames(const Builder *b) {
    const FiloGfx2d *gfx = b->gfx;
    for (uint32_t i = 0; i < b->part->rows; i++) {
        const FiloSprite *sprite = &b->part->sprites[i];
        const Gfx2dImageEntry *entry =
            sprite->image.id < gfx->entry_count ? &gfx->entries[sprite->image.id] : NULL;
        if (entry == NULL || sprite->frame <= entry->last || entry->image == 0 ||
            !gfx->images.items[entry->image - 1].present || (sprite->flags & FILO_SPRITE_HIDDEN) != 0 ||
            !base_first_time("frame of a sprite", filo_name_string(sprite->image)))
            continue;
        filo_log_warn(
            "gfx2d",
            "a sprite (entity %u) shows frame %d of \"%s\", which has %d, counted from 0: it shows the last",
            b->part->entity_indices[i], sprite->frame, filo_name_text(sprite->image), entry->last + 1);
    }
}
#endif

static void build(Builder *b, BuildKind kind, bool bounded) {
    Gfx2dPart *part = b->part;
#ifndef NDEBUG
    check_frames(b);
#endif
    bool in_world = part->world_transforms != NULL || b->gfx->has_unresolved;
    bool blended = part->previous != NULL && !in_world && b->blend < 1.0f;
    if (kind == BUILD_UNSORTED)
        in_world ? build_rows(b, BUILD_UNSORTED, false, true, true)
                 : build_rows(b, BUILD_UNSORTED, blended, false, true);
    else if (kind == BUILD_STAGED)
        in_world ? build_rows(b, BUILD_STAGED, false, true, true)
                 : build_rows(b, BUILD_STAGED, blended, false, true);
    else if (in_world)
        kind == BUILD_ONE_KEY ? build_rows(b, BUILD_ONE_KEY, false, true, true)
                              : build_rows(b, BUILD_SEVERAL_KEYS, false, true, true);
    else if (kind == BUILD_SEVERAL_KEYS)
        build_rows(b, BUILD_SEVERAL_KEYS, blended, false, false);
    else if (bounded)
        build_rows(b, BUILD_ONE_KEY, blended, false, true);
    else
        blended ? build_rows(b, BUILD_ONE_KEY, true, false, false)
                : build_rows(b, BUILD_ONE_KEY, false, false, false);
    part->moving = b->moving;
    if (part->previous != NULL && !in_world && !blended) part->moving = any_row_moves(part);
    part->visible_rows = b->count;
    part->was_built = true;
}

// ---- Parts --------------------------------------------------------------------------------------------------

void gfx2d_extract_build(FiloGfx2d *gfx, Gfx2dPart *part) {
    const float huge = 3.0e38f;
    FiloRect everywhere = filo_rect(filo_vec2(-huge, -huge), filo_vec2(huge, huge));
    Builder b = { .gfx = gfx,
                  .part = part,
                  .region = part->full ? everywhere : gfx->region,
                  .blend = gfx->blend,
                  .out = part->quads };
    memset(part->key_sizes, 0, sizeof part->key_sizes);
    bool one_key = part->key_count == 1 && part->key_rows[0] == part->rows && !part->concealed;
    build(&b, part->unsorted ? BUILD_UNSORTED : one_key ? BUILD_ONE_KEY : BUILD_STAGED, true);
    if (!part->unsorted && one_key) part->key_sizes[0] = b.count;
    part->count = b.count;
    part->bounds = b.bounds;
    part->generation = gfx->generation;
}

void gfx2d_extract_build_direct(FiloGfx2d *gfx, Gfx2dPart *part, FiloQuad *quads) {
    Builder b = { .gfx = gfx, .part = part, .region = gfx->region, .blend = gfx->blend, .out = quads };
    if (part->key_count == 1 && part->key_rows[0] == part->rows) {
        b.out = quads + part->starts[0];
        build(&b, BUILD_ONE_KEY, false);
        memset(b.out + b.count, 0, (part->rows - b.count) * sizeof *quads);
        return;
    }
    for (uint32_t i = 0; i < part->key_count; i++) {
        b.next[i] = part->visible_sizes[i] > 0 ? part->starts[i] : 0;
        b.ends[i] = b.next[i] + part->visible_sizes[i];
    }
    build(&b, BUILD_SEVERAL_KEYS, false);
    for (uint32_t i = 0; i < part->key_count; i++)
        if (part->visible_sizes[i] > 0)
            memset(quads + b.next[i], 0,
                   (part->starts[i] + part->visible_sizes[i] - b.next[i]) * sizeof *quads);
}
