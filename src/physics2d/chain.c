// Chains and outlines that are added to a body, as children of it.

#include "physics2d/physics2d.h"

typedef FiloArray(FiloEntity) Children;

static bool add_child(FiloWorld *world, FiloEntity body, const FiloShape2 *shape, Children *children) {
    FiloEntity child = filo_create(world, FILO_SET_COPY(FiloShape2, shape));
    if (child.id == 0) return false;
    if (filo_array_push(children, child) && filo_entity_set_parent(world, child, body)) return true;
    filo_entity_destroy(world, child);
    return false;
}

// Without memory, or where no entity can be created, all that was added is removed again. `failures`: how often memory had run
// out before.
static FiloResult finish(FiloWorld *world, Children *children, bool enough, const char *what,
                         uint64_t failures) {
    if (!enough)
        filo_array_each (children, child)
            if (filo_entity_exists(world, *child)) filo_entity_destroy(world, *child);
    filo_array_deinit(children);
    if (enough) return filo_ok();
    if (filo_out_of_memory_count() == failures) // was reported
        return filo_error(FILO_ERROR_ARGUMENT, "%s: add it between ticks, not in a system", what);
    return filo_error(FILO_ERROR_MEMORY, "%s: no memory for its shapes", what);
}

static FiloResult check(FiloWorld *world, FiloEntity body, const FiloVec2 *points) {
    if (world == NULL) return FILO_MISTAKE("pass a world");
    bool without = filo_out_of_memory_count() > 0; // then these may not exist without a mistake
    if (!filo_physics2_registered(world))
        return without ? filo_out_of_memory_result()
                       : FILO_MISTAKE("call filo_physics2_register for this world first");
    if (body.id == 0)
        return without ? filo_out_of_memory_result()
                       : FILO_MISTAKE("cannot add shapes: pass an entity, not {0}");
    if (!filo_entity_exists(world, body))
        return FILO_MISTAKE("cannot add shapes: entity %u.%u does not exist (any more)",
                            filo_entity_index(body), filo_entity_generation(body));
    if (points == NULL) return FILO_MISTAKE("pass an array of points");
    return filo_ok();
}

// ---- Chains -----------------------------------------------------------------------------------------------

static bool is_sane(FiloVec2 p) { return filo_abs(p.x) <= PHYSICS2D_FAR && filo_abs(p.y) <= PHYSICS2D_FAR; }

// Points without those that are equal to the one before.
static FiloResult clean(const FiloVec2 *points, size_t count, bool loop, FiloVec2 *clean, size_t *cleaned) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_sane(points[i]))
            return filo_error(FILO_ERROR_DATA, "chain: point %zu is no number below 1e7", i);
        if (n == 0 || filo_vec2_distance(clean[n - 1], points[i]) >= PHYSICS2D_SMALLEST)
            clean[n++] = points[i];
    }
    while (loop && n > 1 && filo_vec2_distance(clean[n - 1], clean[0]) < PHYSICS2D_SMALLEST) n--;
    *cleaned = n;
    if (n < (loop ? 3u : 2u))
        return filo_error(FILO_ERROR_DATA, "chain: it has %zu different points, and needs %d", n,
                          loop ? 3 : 2);
    return filo_ok();
}

static bool add_segments(FiloWorld *world, FiloEntity body, const FiloVec2 *points, size_t count,
                         const FiloChain2 *chain, Children *children) {
    size_t segments = chain->loop ? count : count - 1;
    FiloShape2 shape = chain->shape;
    shape.kind = FILO_SHAPE_SEGMENT;
    shape.point_count = 4;
    for (size_t i = 0; i < segments; i++) {
        size_t next = i + 1 < count ? i + 1 : 0;
        shape.points[0] = points[i];
        shape.points[1] = points[next];
        shape.points[2] = points[i > 0 ? i - 1 : chain->loop ? count - 1 : i];
        shape.points[3] = points[next + 1 < count ? next + 1 : chain->loop ? 0 : next];
        if (!add_child(world, body, &shape, children)) return false;
    }
    return true;
}

FiloResult filo_physics2_add_chain(FiloWorld *world, FiloEntity body, const FiloVec2 *points, size_t count,
                                   const FiloChain2 *chain) {
    static const FiloChain2 plain = { 0 };
    FiloResult mistake = check(world, body, points);
    if (mistake.code != FILO_OK) return mistake;
    if (chain == NULL) chain = &plain;
    uint64_t failures = filo_out_of_memory_count();
    FiloArray(FiloVec2) cleaned;
    filo_array_init(&cleaned, filo_world_allocator(world));
    Children children;
    filo_array_init(&children, filo_world_allocator(world));
    FiloResult result = filo_ok();
    bool enough = filo_array_resize(&cleaned, count + 1);
    if (enough) result = clean(points, count, chain->loop, cleaned.items, &cleaned.count);
    if (enough && result.code == FILO_OK)
        enough = add_segments(world, body, cleaned.items, cleaned.count, chain, &children);
    filo_array_deinit(&cleaned);
    FiloResult finished = finish(world, &children, enough, "chain", failures);
    return result.code != FILO_OK ? result : finished;
}

// ---- Outlines ---------------------------------------------------------------------------------------------

FiloResult filo_physics2_add_outline(FiloWorld *world, FiloEntity body, const FiloVec2 *outline, size_t count,
                                     const FiloShape2 *shape) {
    FiloResult mistake = check(world, body, outline);
    if (mistake.code != FILO_OK) return mistake;
    uint64_t failures = filo_out_of_memory_count();
    FiloArray(FiloPiece2) pieces;
    Children children;
    filo_array_init(&pieces, filo_world_allocator(world));
    filo_array_init(&children, filo_world_allocator(world));
    bool enough = filo_array_resize(&pieces, count + 1);
    FiloResult result = filo_ok();
    if (enough) result = filo_physics2_decompose(outline, count, pieces.items, pieces.count, &pieces.count);
    for (size_t i = 0; i < pieces.count && enough && result.code == FILO_OK; i++) {
        FiloShape2 piece = shape != NULL ? *shape : (FiloShape2){ 0 };
        Physics2dShape built = { 0 };
        Physics2dPolygon polygon;
        const char *problem;
        piece.kind = FILO_SHAPE_POLYGON;
        piece.point_count = pieces.items[i].point_count;
        memset(piece.points, 0, sizeof piece.points);
        memcpy(piece.points, pieces.items[i].points, piece.point_count * sizeof(FiloVec2));
        // A piece that is too thin for floats would be reported, and nothing would notice that it is not there.
        if (physics2d_shape_build(&piece, &built, &polygon, &problem))
            enough = add_child(world, body, &piece, &children);
    }
    filo_array_deinit(&pieces);
    FiloResult finished = finish(world, &children, enough, "outline", failures);
    return result.code != FILO_OK ? result : finished;
}
