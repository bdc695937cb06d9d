// Values as a graph. Equal values are one value. What is constant is computed here, with the arithmetic of programs.
// Of every value it is known between which limits it stays, so that clamps that cannot do anything are left out.

#include "placement/ecotope/ecotope.h"

void placement_graph_init(PlacementGraph *graph, const FiloAllocator *allocator) {
    *graph = (PlacementGraph){ 0 };
    filo_array_init(&graph->values, allocator);
    filo_array_init(&graph->segments, allocator);
    filo_array_init(&graph->curves, allocator);
    filo_array_init(&graph->noises, allocator);
    filo_array_init(&graph->nears, allocator);
    filo_map_init(&graph->known, sizeof(uint32_t), allocator);
}

void placement_graph_deinit(PlacementGraph *graph) {
    filo_array_deinit(&graph->values);
    filo_array_deinit(&graph->segments);
    filo_array_deinit(&graph->curves);
    filo_array_deinit(&graph->noises);
    filo_array_deinit(&graph->nears);
    filo_map_deinit(&graph->known);
}

static uint32_t fail(PlacementGraph *graph) {
    graph->failed = true;
    return 0;
}

uint32_t placement_graph_value(PlacementGraph *graph, PlacementValue value) {
    if (graph->failed) return 0;
    uint64_t key = filo_hash_u64((uint64_t)value.code << 32 | (uint32_t)value.imm);
    key = filo_hash_u64(key ^ ((uint64_t)value.a << 32 | value.b));
    const uint32_t *known = filo_map_get(&graph->known, key);
    if (known != NULL) {
        const PlacementValue *other = &graph->values.items[*known];
        if (other->code == value.code && other->a == value.a && other->b == value.b &&
            other->imm == value.imm)
            return *known;
    }
    uint32_t number = (uint32_t)graph->values.count;
    if (!filo_array_push(&graph->values, value)) return fail(graph);
    if (known == NULL && !filo_map_set(&graph->known, key, &number)) return fail(graph);
    return number;
}

static PlacementValue at(const PlacementGraph *graph, uint32_t value) {
    return graph->values.count > value ? graph->values.items[value]
                                       : (PlacementValue){ .code = PLACEMENT_OP_CONSTANT };
}

static bool is_constant(const PlacementGraph *graph, uint32_t value, int32_t number) {
    PlacementValue v = at(graph, value);
    return v.code == PLACEMENT_OP_CONSTANT && v.imm == number;
}

uint32_t placement_graph_constant(PlacementGraph *graph, int32_t value) {
    return placement_graph_value(graph, (PlacementValue){ PLACEMENT_OP_CONSTANT, PLACEMENT_NONE,
                                                          PLACEMENT_NONE, value, value, value });
}

uint32_t placement_graph_sample(PlacementGraph *graph, int map) {
    return placement_graph_value(graph, (PlacementValue){ PLACEMENT_OP_SAMPLE, PLACEMENT_NONE, PLACEMENT_NONE,
                                                          map, 0, PLACEMENT_PROGRAM_ONE });
}

// ---- Operators ------------------------------------------------------------------------------------------------

static int32_t limit(int32_t x) { return FILO_CLAMP(x, -PLACEMENT_PROGRAM_LIMIT, PLACEMENT_PROGRAM_LIMIT); }

static int32_t unit(int32_t x) { return FILO_CLAMP(x, -PLACEMENT_PROGRAM_ONE, PLACEMENT_PROGRAM_ONE); }

static int32_t multiply(int32_t a, int32_t b) { return (unit(a) * unit(b)) >> 15; }

static int32_t combine(PlacementOpCode code, int32_t a, int32_t b) {
    switch ((int)code) {
    case PLACEMENT_OP_MIN: return FILO_MIN(a, b);
    case PLACEMENT_OP_MAX: return FILO_MAX(a, b);
    case PLACEMENT_OP_ADD: return limit(a + b);
    case PLACEMENT_OP_SUBTRACT: return limit(a - b);
    default: return multiply(a, b);
    }
}

static void find_limits(PlacementValue *value, PlacementValue a, PlacementValue b) {
    if (value->code == PLACEMENT_OP_SUBTRACT) {
        value->low = limit(a.low - b.high);
        value->high = limit(a.high - b.low);
        return;
    }
    value->low = combine(value->code, a.low, b.low);
    value->high = combine(value->code, a.high, b.high);
    if (value->code != PLACEMENT_OP_MULTIPLY) return;
    int32_t corners[] = { value->low, value->high, multiply(a.low, b.high), multiply(a.high, b.low) };
    for (size_t i = 0; i < FILO_COUNT_OF(corners); i++) {
        value->low = FILO_MIN(value->low, corners[i]);
        value->high = FILO_MAX(value->high, corners[i]);
    }
}

// One of the operands, if it is always the result; otherwise PLACEMENT_NONE.
static uint32_t simplify(PlacementGraph *graph, PlacementOpCode code, uint32_t a, uint32_t b) {
    PlacementValue va = at(graph, a), vb = at(graph, b);
    switch ((int)code) {
    case PLACEMENT_OP_MIN: return a == b || va.high <= vb.low ? a : vb.high <= va.low ? b : PLACEMENT_NONE;
    case PLACEMENT_OP_MAX: return a == b || va.low >= vb.high ? a : vb.low >= va.high ? b : PLACEMENT_NONE;
    case PLACEMENT_OP_ADD:
        return is_constant(graph, b, 0) ? a : is_constant(graph, a, 0) ? b : PLACEMENT_NONE;
    case PLACEMENT_OP_SUBTRACT:
        return is_constant(graph, b, 0) ? a : a == b ? placement_graph_constant(graph, 0) : PLACEMENT_NONE;
    default:
        if (is_constant(graph, a, 0) || is_constant(graph, b, 0)) return placement_graph_constant(graph, 0);
        if (is_constant(graph, b, PLACEMENT_PROGRAM_ONE) && va.low >= -PLACEMENT_PROGRAM_ONE &&
            va.high <= PLACEMENT_PROGRAM_ONE)
            return a;
        if (is_constant(graph, a, PLACEMENT_PROGRAM_ONE) && vb.low >= -PLACEMENT_PROGRAM_ONE &&
            vb.high <= PLACEMENT_PROGRAM_ONE)
            return b;
        return PLACEMENT_NONE;
    }
}

uint32_t placement_graph_binary(PlacementGraph *graph, PlacementOpCode code, uint32_t a, uint32_t b) {
    PlacementValue va = at(graph, a), vb = at(graph, b);
    if (va.code == PLACEMENT_OP_CONSTANT && vb.code == PLACEMENT_OP_CONSTANT)
        return placement_graph_constant(graph, combine(code, va.imm, vb.imm));
    uint32_t simple = simplify(graph, code, a, b);
    if (simple != PLACEMENT_NONE) return simple;
    bool swap = code != PLACEMENT_OP_SUBTRACT && a > b; // so that a · b and b · a are one value
    PlacementValue value = { .code = code, .a = swap ? b : a, .b = swap ? a : b };
    find_limits(&value, va, vb);
    return placement_graph_value(graph, value);
}

uint32_t placement_graph_step(PlacementGraph *graph, uint32_t a, int32_t from) {
    PlacementValue va = at(graph, a);
    if (va.low >= from) return placement_graph_constant(graph, PLACEMENT_PROGRAM_ONE);
    if (va.high < from) return placement_graph_constant(graph, 0);
    return placement_graph_value(
        graph, (PlacementValue){ PLACEMENT_OP_STEP, a, PLACEMENT_NONE, from, 0, PLACEMENT_PROGRAM_ONE });
}

uint32_t placement_graph_clamp(PlacementGraph *graph, uint32_t a) {
    PlacementValue va = at(graph, a);
    if (va.low >= 0 && va.high <= PLACEMENT_PROGRAM_ONE) return a;
    int32_t low = FILO_CLAMP(va.low, 0, PLACEMENT_PROGRAM_ONE),
            high = FILO_CLAMP(va.high, 0, PLACEMENT_PROGRAM_ONE);
    if (low == high) return placement_graph_constant(graph, low);
    return placement_graph_value(graph,
                                 (PlacementValue){ PLACEMENT_OP_CLAMP, a, PLACEMENT_NONE, 0, low, high });
}

uint32_t placement_graph_noise(PlacementGraph *graph, PlacementNoise noise) {
    size_t i = 0;
    for (; i < graph->noises.count; i++) {
        const PlacementNoise *other = &graph->noises.items[i];
        if (other->wavelength == noise.wavelength && other->seed == noise.seed &&
            other->octaves == noise.octaves)
            break;
    }
    if (i == graph->noises.count && !filo_array_push(&graph->noises, noise)) return fail(graph);
    return placement_graph_value(graph, (PlacementValue){ PLACEMENT_OP_NOISE, PLACEMENT_NONE, PLACEMENT_NONE,
                                                          (int32_t)i, 0, PLACEMENT_PROGRAM_ONE });
}

uint32_t placement_graph_near(PlacementGraph *graph, const PlacementNear *near) {
    size_t i = 0;
    for (; i < graph->nears.count; i++) {
        const PlacementNear *other = &graph->nears.items[i];
        if (other->within == near->within && memcmp(other->layers, near->layers, sizeof other->layers) == 0)
            break;
    }
    if (i == graph->nears.count && !filo_array_push(&graph->nears, *near)) return fail(graph);
    return placement_graph_value(graph, (PlacementValue){ PLACEMENT_OP_NEAR, PLACEMENT_NONE, PLACEMENT_NONE,
                                                          (int32_t)i, 0, PLACEMENT_PROGRAM_ONE });
}
