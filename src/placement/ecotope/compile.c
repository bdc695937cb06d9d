// Nodes of a file → values of a graph, for one placement: now units are known, and where maps are.

#include "placement/ecotope/ecotope.h"

static uint32_t compile(PlacementCompiler *compiler, uint32_t number);

// ---- Units ----------------------------------------------------------------------------------------------------

static const PlacementUnit plain_unit = { PLACEMENT_UNIT_PLAIN, false, 0, 1 };

static PlacementUnit unit_of(const PlacementCompiler *compiler, PlacementUnit unit) {
    if (unit.kind == PLACEMENT_UNIT_HEIGHT)
        return (PlacementUnit){ PLACEMENT_UNIT_HEIGHT, false, compiler->lowest, compiler->highest };
    return unit.kind == PLACEMENT_UNIT_RANGE ? unit : plain_unit;
}

// A number in a unit, as a share of its range.
static double share(PlacementUnit unit, double x) {
    if (unit.high > unit.low) return (x - unit.low) / (unit.high - unit.low);
    return x > unit.low ? 4 : x < unit.low ? -4 : 0; // there is only one height
}

static int32_t fixed(double x) {
    double scaled = FILO_CLAMP(x, -4.0, 4.0) * PLACEMENT_PROGRAM_ONE;
    return (int32_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
}

// The least value that is at least x. What is a whole number but for rounding counts as one.
static int32_t fixed_above(double x) {
    double scaled = FILO_CLAMP(x, -4.0, 4.0) * PLACEMENT_PROGRAM_ONE - 1e-6;
    int32_t whole = (int32_t)scaled;
    return whole + ((double)whole < scaled);
}

static const PlacementNode *node_at(const PlacementCompiler *compiler, uint32_t number) {
    return &compiler->file->nodes.items[number];
}

// A node as a value in this unit, which is its own or plain. Numbers have any unit.
static uint32_t compile_in(PlacementCompiler *compiler, uint32_t number, PlacementUnit unit) {
    const PlacementNode *node = node_at(compiler, number);
    PlacementUnit own = unit_of(compiler, node->unit);
    if (node->unit.kind == PLACEMENT_UNIT_ANY) {
        while (node->kind == PLACEMENT_NODE_LET)
            node = node_at(compiler, compiler->file->lets.items[node->target].node);
        return placement_graph_constant(&compiler->graph, fixed(share(unit, node->number)));
    }
    uint32_t value = compile(compiler, number);
    if (unit.kind != PLACEMENT_UNIT_PLAIN || own.kind == PLACEMENT_UNIT_PLAIN) return value;
    return placement_graph_curve(&compiler->graph, value,
                                 (PlacementCurvePoint[]){ { 0, own.low }, { 1, own.high } }, 2);
}

static uint32_t compile_plain(PlacementCompiler *compiler, uint32_t number) {
    return compile_in(compiler, number, plain_unit);
}

// ---- Operators ------------------------------------------------------------------------------------------------

static uint32_t compile_list(PlacementCompiler *compiler, const PlacementNode *node, PlacementOpCode code) {
    PlacementUnit unit = unit_of(compiler, node->unit);
    uint32_t value = compile_in(compiler, node->operand, unit);
    for (uint32_t i = node_at(compiler, node->operand)->next; i != PLACEMENT_NONE;
         i = node_at(compiler, i)->next)
        value = placement_graph_binary(&compiler->graph, code, value, compile_in(compiler, i, unit));
    return value;
}

// The points of a curve as shares of a range. One over a range that wraps is repeated on both sides, so that it continues
// from its last point to its first. Not inlined: the points must not be in every frame of a recursion.
FILO_COLD static uint32_t curve_of(PlacementCompiler *compiler, const PlacementNode *node, uint32_t operand,
                                   PlacementUnit unit) {
    PlacementCurvePoint points[5 * PLACEMENT_CURVE_POINTS];
    const PlacementCurvePoint *from = &compiler->file->points.items[node->first_point];
    size_t count = 0;
    int turns = unit.wraps ? 2 : 0;
    for (int turn = -turns; turn <= turns; turn++)
        for (uint32_t i = 0; i < node->point_count; i++)
            points[count++] = (PlacementCurvePoint){ share(unit, from[i].x) + turn, from[i].y };
    return placement_graph_curve(&compiler->graph, operand, points, count);
}

static uint32_t compile_curve(PlacementCompiler *compiler, const PlacementNode *node) {
    PlacementUnit unit = unit_of(compiler, node_at(compiler, node->operand)->unit);
    return curve_of(compiler, node, compile_in(compiler, node->operand, unit), unit);
}

static uint32_t compile_threshold(PlacementCompiler *compiler, const PlacementNode *node) {
    PlacementUnit unit = unit_of(compiler, node_at(compiler, node->operand)->unit);
    uint32_t operand = compile_in(compiler, node->operand, unit);
    double half = node->second / 2;
    if (half > 0)
        return placement_graph_curve(&compiler->graph, operand,
                                     (PlacementCurvePoint[]){ { share(unit, node->number - half), 0 },
                                                              { share(unit, node->number + half), 1 } },
                                     2);
    return placement_graph_step(&compiler->graph, operand, fixed_above(share(unit, node->number)));
}

static uint32_t compile_clamp(PlacementCompiler *compiler, const PlacementNode *node) {
    PlacementGraph *graph = &compiler->graph;
    PlacementUnit unit = unit_of(compiler, node_at(compiler, node->operand)->unit);
    uint32_t operand = compile_in(compiler, node->operand, unit);
    int32_t low = fixed(share(unit, node->number)), high = fixed(share(unit, node->second));
    if (low == 0 && high == PLACEMENT_PROGRAM_ONE) return placement_graph_clamp(graph, operand);
    operand = placement_graph_binary(graph, PLACEMENT_OP_MAX, operand, placement_graph_constant(graph, low));
    return placement_graph_binary(graph, PLACEMENT_OP_MIN, operand, placement_graph_constant(graph, high));
}

static uint32_t compile_blur(PlacementCompiler *compiler, const PlacementNode *node, uint32_t number) {
    PlacementGraph *graph = &compiler->graph;
    PlacementUnit unit = unit_of(compiler, node_at(compiler, node->operand)->unit);
    uint32_t operand = placement_graph_clamp(graph, compile_in(compiler, node->operand, unit));
    if (graph->failed || compiler->result.code != FILO_OK) return 0;
    if (graph->values.items[operand].code == PLACEMENT_OP_CONSTANT) return operand;
    int map = compiler->blur(compiler, number, operand);
    return map < 0 ? 0 : placement_graph_sample(graph, map);
}

static uint32_t compile_map(PlacementCompiler *compiler, const PlacementNode *node) {
    int map = compiler->map(compiler, node->target);
    if (map >= 0) return placement_graph_sample(&compiler->graph, map);
    // Without a heightmap the ground is level.
    PlacementUnit unit = compiler->file->maps.items[node->target].unit;
    return placement_graph_constant(&compiler->graph, unit.low < 0 ? fixed(share(unit, 0)) : 0);
}

static uint32_t compile_noise(PlacementCompiler *compiler, const PlacementNode *node) {
    int32_t levels = 1 << node->octaves;
    return placement_graph_noise(&compiler->graph,
                                 (PlacementNoise){ .wavelength = (float)node->number,
                                                   .seed = node->seed,
                                                   .octaves = (int32_t)node->octaves,
                                                   .scale = PLACEMENT_PROGRAM_ONE * levels / (levels - 1) });
}

static uint32_t compile_near(PlacementCompiler *compiler, const PlacementNode *node) {
    PlacementNear near = { .within = (float)node->number };
    for (uint32_t i = node->operand; i != PLACEMENT_NONE; i = node_at(compiler, i)->next) {
        int layer = compiler->file->layers.items[node_at(compiler, i)->target].index;
        near.layers[layer / 32] |= 1u << (layer % 32);
    }
    return placement_graph_near(&compiler->graph, &near);
}

// ---- Ecotopes and layers --------------------------------------------------------------------------------------

static uint32_t density_of(PlacementCompiler *compiler, uint32_t node) {
    if (node == PLACEMENT_NONE) return placement_graph_constant(&compiler->graph, PLACEMENT_PROGRAM_ONE);
    return placement_graph_clamp(&compiler->graph, compile_plain(compiler, node));
}

static uint32_t multiply(PlacementCompiler *compiler, uint32_t a, uint32_t b) {
    return placement_graph_binary(&compiler->graph, PLACEMENT_OP_MULTIPLY, a, b);
}

// One minus the density of each ecotope that replaces others, multiplied, from `land` on in the list of siblings. Without
// recursion: the list may be long.
static uint32_t rest_of(PlacementCompiler *compiler, uint32_t land) {
    PlacementGraph *graph = &compiler->graph;
    uint32_t rest = placement_graph_constant(graph, PLACEMENT_PROGRAM_ONE);
    if (land == PLACEMENT_NONE) return rest;
    const PlacementLand *lands = compiler->file->lands.items;
    for (uint32_t i = lands[lands[land].parent].last_child; compiler->rests[land] == PLACEMENT_NONE;
         i = lands[i].previous_sibling) {
        if (lands[i].replace)
            rest = multiply(compiler,
                            placement_graph_binary(graph, PLACEMENT_OP_SUBTRACT,
                                                   placement_graph_constant(graph, PLACEMENT_PROGRAM_ONE),
                                                   density_of(compiler, lands[i].density)),
                            rest);
        compiler->rests[i] = rest;
    }
    return compiler->rests[land];
}

static uint32_t compile_land(PlacementCompiler *compiler, uint32_t number) {
    if (compiler->lands[number] != PLACEMENT_NONE) return compiler->lands[number];
    const PlacementLand *land = &compiler->file->lands.items[number];
    uint32_t value = density_of(compiler, land->density);
    if (land->parent != PLACEMENT_NONE)
        value = multiply(compiler, compile_land(compiler, land->parent), value);
    value = multiply(compiler, value, rest_of(compiler, land->next_sibling));
    return compiler->lands[number] = value;
}

uint32_t placement_compile_layer(PlacementCompiler *compiler, uint32_t number) {
    if (compiler->layers[number] != PLACEMENT_NONE) return compiler->layers[number];
    const PlacementFileLayer *layer = &compiler->file->layers.items[number];
    uint32_t value = compile_land(compiler, layer->land);
    value =
        multiply(compiler, value, rest_of(compiler, compiler->file->lands.items[layer->land].first_child));
    value = multiply(compiler, value, density_of(compiler, layer->density));
    return compiler->layers[number] = value;
}

// ---- Nodes ----------------------------------------------------------------------------------------------------

static uint32_t compile_new(PlacementCompiler *compiler, const PlacementNode *node, uint32_t number) {
    PlacementGraph *graph = &compiler->graph;
    switch (node->kind) {
    case PLACEMENT_NODE_MIN: return compile_list(compiler, node, PLACEMENT_OP_MIN);
    case PLACEMENT_NODE_MAX: return compile_list(compiler, node, PLACEMENT_OP_MAX);
    case PLACEMENT_NODE_MULTIPLY: return compile_list(compiler, node, PLACEMENT_OP_MULTIPLY);
    case PLACEMENT_NODE_ADD: return compile_list(compiler, node, PLACEMENT_OP_ADD);
    case PLACEMENT_NODE_SUBTRACT: return compile_list(compiler, node, PLACEMENT_OP_SUBTRACT);
    case PLACEMENT_NODE_INVERT:
        return placement_graph_binary(graph, PLACEMENT_OP_SUBTRACT,
                                      placement_graph_constant(graph, PLACEMENT_PROGRAM_ONE),
                                      compile_plain(compiler, node->operand));
    case PLACEMENT_NODE_CURVE: return compile_curve(compiler, node);
    case PLACEMENT_NODE_THRESHOLD: return compile_threshold(compiler, node);
    case PLACEMENT_NODE_CLAMP: return compile_clamp(compiler, node);
    case PLACEMENT_NODE_BLUR: return compile_blur(compiler, node, number);
    case PLACEMENT_NODE_NOISE: return compile_noise(compiler, node);
    case PLACEMENT_NODE_LAYER: return placement_compile_layer(compiler, node->target);
    case PLACEMENT_NODE_PRESENCE: return compile_land(compiler, node->target);
    case PLACEMENT_NODE_NEAR: return compile_near(compiler, node);
    case PLACEMENT_NODE_MAP: return compile_map(compiler, node);
    case PLACEMENT_NODE_LET: return compile(compiler, compiler->file->lets.items[node->target].node);
    case PLACEMENT_NODE_NUMBER: return placement_graph_constant(graph, fixed(node->number));
    case PLACEMENT_NODE_NAMED: break;
    }
    return 0;
}

// The value of a node, in its own unit.
static uint32_t compile(PlacementCompiler *compiler, uint32_t number) {
    if (compiler->nodes[number] == PLACEMENT_NONE)
        compiler->nodes[number] = compile_new(compiler, node_at(compiler, number), number);
    return compiler->nodes[number];
}

static size_t memory_size(const FiloEcotope *file) {
    return (file->nodes.count + 2 * file->lands.count + file->layers.count) * sizeof(uint32_t);
}

bool placement_compiler_init(PlacementCompiler *compiler, const FiloEcotope *file,
                             const FiloAllocator *allocator) {
    *compiler = (PlacementCompiler){ .file = file, .allocator = allocator };
    placement_graph_init(&compiler->graph, allocator);
    compiler->nodes = filo_alloc(allocator, memory_size(file), 0);
    if (compiler->nodes == NULL) return false;
    memset(compiler->nodes, 255, memory_size(file)); // PLACEMENT_NONE
    compiler->lands = compiler->nodes + file->nodes.count;
    compiler->rests = compiler->lands + file->lands.count;
    compiler->layers = compiler->rests + file->lands.count;
    return true;
}

void placement_compiler_deinit(PlacementCompiler *compiler) {
    placement_graph_deinit(&compiler->graph);
    filo_free(compiler->allocator, compiler->nodes, memory_size(compiler->file), 0);
}
