// Positions, names and variations of objects. Nothing about an object is stored but its 16 bytes: the rest follows from
// where it is.

#include "placement/scalar.h"

#include <filo/hash.h>
#include <filo/matrix.h>

#define NO_OBJECT "pass a result and one of its objects"

static const PlacementFootprint *footprint_of(const FiloPlacementResult *result, const FiloPlaced *object) {
    if (!FILO_CHECK(result != NULL && object != NULL && result->placement != NULL, NO_OBJECT)) return NULL;
    if (!FILO_CHECK(object->layer < result->placement->layer_count,
                    "the object has the layer %d; there are %d", object->layer,
                    result->placement->layer_count))
        return NULL;
    return &result->placement->footprints[filo_placement_layer_footprint(result->placement, object->layer)];
}

// The whole index of a block of which the last 8 bits are known: of all such blocks the one nearest to the middle of the area.
// An area is narrower than 256 blocks, and objects of areas beside it are found as well.
static int32_t whole_block(const PlacementFootprint *f, double lower, double upper, uint8_t low) {
    double middle = (lower + upper) * 0.5 / f->block;
    int32_t first = (int32_t)middle - (middle < 0) - 128;
    return first + (uint8_t)(low - (uint8_t)first);
}

typedef struct Block {
    int32_t x, y;
} Block;

static Block block_of(const FiloPlacementResult *result, const PlacementFootprint *f,
                      const FiloPlaced *object) {
    const FiloPlacementArea *area = &result->area;
    return (Block){ whole_block(f, area->x0, area->x1, object->block_x),
                    whole_block(f, area->y0, area->y1, object->block_y) };
}

FiloPlacementPosition filo_placement_position(const FiloPlacementResult *result, const FiloPlaced *object) {
    const PlacementFootprint *f = footprint_of(result, object);
    if (f == NULL) return (FiloPlacementPosition){ 0 };
    Block block = block_of(result, f, object);
    return (FiloPlacementPosition){ (double)block.x * f->block + (double)object->x,
                                    (double)block.y * f->block + (double)object->y, (double)object->z };
}

FiloPlacementPosition filo_placement_origin(const FiloPlacement *placement, size_t footprint, int32_t block_x,
                                            int32_t block_y) {
    if (!FILO_CHECK(placement != NULL && footprint < (size_t)placement->footprint_count,
                    "pass a placement, and the number of one of its footprints"))
        return (FiloPlacementPosition){ 0 };
    double block = placement->footprints[footprint].block;
    return (FiloPlacementPosition){ (double)block_x * block, (double)block_y * block, 0 };
}

// The cell of a position in a block, or one beside it; 0 for what is in no block.
static int near_cell(const PlacementFootprint *f, float position) {
    double cell = (double)position / f->cell;
    return cell >= 0 && cell <= FILO_PLACEMENT_BLOCK + 1 ? (int)cell : 0;
}

FiloPlacementId filo_placement_id(const FiloPlacementResult *result, const FiloPlaced *object) {
    FiloPlacementId id = { 0 };
    const PlacementFootprint *f = footprint_of(result, object);
    if (f == NULL) return id;
    id.footprint = (uint16_t)(f - result->placement->footprints);
    Block block = block_of(result, f, object);
    // Rounding may have moved the object into a cell beside its own: the one whose point is exactly there.
    int near_x = near_cell(f, object->x), near_y = near_cell(f, object->y);
    for (int y = FILO_MAX(near_y - 1, 0); y <= FILO_MIN(near_y + 1, 63); y++)
        for (int i = 0; i < f->points; i++) {
            if (placement_local(f->size, y, f->py[i], f->footprint) != object->y) continue;
            for (int x = FILO_MAX(near_x - 1, 0); x <= FILO_MIN(near_x + 1, 63); x++) {
                if (placement_local(f->size, x, f->px[i], f->footprint) != object->x) continue;
                id.cell_x = block.x * FILO_PLACEMENT_BLOCK + x;
                id.cell_y = block.y * FILO_PLACEMENT_BLOCK + y;
                id.point = (uint16_t)i;
                return id;
            }
        }
    (void)FILO_CHECK(false, "the object at %g, %g is not one of this result", (double)object->x,
                     (double)object->y);
    return id;
}

FiloPlacementPosition filo_placement_id_position(const FiloPlacement *placement, FiloPlacementId id) {
    if (!FILO_CHECK(placement != NULL && id.footprint < placement->footprint_count &&
                        id.point < placement->footprints[id.footprint].points,
                    "pass a placement and the id of one of its candidates"))
        return (FiloPlacementPosition){ 0 };
    PlacementPoint at = placement_point(&placement->footprints[id.footprint], id.cell_x, id.cell_y, id.point);
    return (FiloPlacementPosition){ at.origin_x + (double)at.x, at.origin_y + (double)at.y, 0 };
}

// ---- The ground ---------------------------------------------------------------------------------------------

// A point as if it were in a block that begins there.
static PlacementPoint point_at(double x, double y) {
    return (PlacementPoint){ .origin_x = x, .origin_y = y };
}

float filo_placement_height(const FiloPlacement *placement, double x, double y) {
    if (!FILO_CHECK(placement != NULL, "pass the placement that filo_placement_create made")) return 0;
    return placement_height_at(placement, &placement->maps[PLACEMENT_HEIGHT], point_at(x, y));
}

FiloVec3 filo_placement_normal(const FiloPlacement *placement, double x, double y) {
    FiloVec3 up = { 0, 0, 1 };
    if (!FILO_CHECK(placement != NULL, "pass the placement that filo_placement_create made")) return up;
    const PlacementMap *map = &placement->maps[PLACEMENT_HEIGHT];
    if (map->data == NULL) return up;
    // Over one texel to either side.
    float dx = placement->size.x / (float)map->reader.full_width,
          dy = placement->size.y / (float)map->reader.full_height;
    float across = filo_placement_height(placement, x + (double)dx, y) -
                   filo_placement_height(placement, x - (double)dx, y);
    float along = filo_placement_height(placement, x, y + (double)dy) -
                  filo_placement_height(placement, x, y - (double)dy);
    return filo_vec3_normalise(filo_vec3(-across / (2 * dx), -along / (2 * dy), 1));
}

float filo_placement_density(const FiloPlacement *placement, size_t layer, double x, double y) {
    if (!FILO_CHECK(placement != NULL, "pass the placement that filo_placement_create made")) return 0;
    if (layer >= (size_t)placement->layer_count || !(x >= -1e8 && x <= 1e8 && y >= -1e8 && y <= 1e8))
        return 0;
    const PlacementFootprint *f = &placement->footprints[filo_placement_layer_footprint(placement, layer)];
    static const PlacementClaims none; // nothing is near
    PlacementCandidate candidate = {
        .placement = placement, .footprint = f, .maps = placement->maps, .at = point_at(x, y), .claims = &none
    };
    return (float)placement_evaluate_layer(&candidate, (int)layer - f->first_layer) / (float)PLACEMENT_ONE;
}

// ---- Variation ----------------------------------------------------------------------------------------------

// A number from 0 to 1 out of 16 bits.
static float fraction(uint64_t hash, int shift) {
    return (float)(hash >> shift & 0xFFFF) * (1.0f / 65535.0f);
}

static uint8_t mix_byte(uint8_t a, uint8_t b, float t) {
    return (uint8_t)filo_round_to_int((float)a + ((float)b - (float)a) * t);
}

FiloVariant filo_placement_variant(const FiloPlacementResult *result, const FiloPlaced *object) {
    FiloVariant to = {
        .up = { 0, 0, 1 }, .rotation = filo_quat_identity(), .scale = 1, .color = FILO_COLOR_WHITE
    };
    const PlacementFootprint *f = footprint_of(result, object);
    if (f == NULL) return to;
    const FiloPlacement *p = result->placement;
    const PlacementLayer *layer = &f->layers[object->layer - f->first_layer];
    const FiloVariation *v = &layer->variation;
    Block block = block_of(result, f, object);
    uint64_t hash =
        filo_hash_u64((uint64_t)filo_float_to_bits(object->x) << 32 | filo_float_to_bits(object->y));
    hash = filo_hash_u64(hash ^ ((uint64_t)(uint32_t)block.x << 32 | (uint32_t)block.y));
    hash = filo_hash_u64(hash ^ p->seed ^ (uint64_t)(f - p->footprints) << 56);
    PlacementPoint at = { object->x, object->y, (double)block.x * f->block, (double)block.y * f->block,
                          NULL };
    if (v->turn == FILO_TURN_ANY)
        to.angle = fraction(hash, 0) * FILO_TAU;
    else
        to.angle = (fraction(hash, 0) * 2 - 1) * v->turn_range;
    if (layer->towards >= 0)
        to.angle += (float)placement_sample(p, &p->maps[layer->towards], at) * (FILO_TAU / 65536.0f);
    to.angle = filo_angle_wrap(to.angle);
    to.scale = v->scale_min + (v->scale_max - v->scale_min) * fraction(hash, 16);
    float mix = fraction(hash, 32);
    to.color =
        filo_color(mix_byte(v->color_a.r, v->color_b.r, mix), mix_byte(v->color_a.g, v->color_b.g, mix),
                   mix_byte(v->color_a.b, v->color_b.b, mix), mix_byte(v->color_a.a, v->color_b.a, mix));
    to.hash = (uint32_t)(filo_hash_u64(hash) >> 32);
    to.variant = (uint32_t)((uint64_t)to.hash * v->variants >> 32);
    if (v->tilt > 0) {
        FiloVec3 normal = filo_placement_normal(p, at.origin_x + (double)at.x, at.origin_y + (double)at.y);
        to.up = filo_vec3_normalise(filo_vec3_lerp(to.up, normal, v->tilt));
    }
    // The shortest rotation from +z to `up`, which is never opposite to it.
    FiloQuat lean = filo_quat_normalise(filo_quat(-to.up.y, to.up.x, 0, 1 + to.up.z));
    to.rotation = filo_quat_mul(lean, filo_quat_from_axis_angle(filo_vec3(0, 0, 1), to.angle));
    return to;
}
