// Graph → program: the order of operations, and registers.
//
// Operations are in the order in which a layer needs them, depth first, and each layer follows its operands at once: so
// few values live at a time. A value has one register, from its operation to its last use. The operands of an operation
// and its result never share one.

#include "placement/ecotope/ecotope.h"

typedef struct Emitter {
    const PlacementGraph *graph;
    const FiloAllocator *allocator;
    PlacementProgram *program;
    uint32_t *memory; // the arrays below, by value
    uint32_t *stack, *sequence, *uses, *registers;
    int32_t *curves, *noises, *nears; // where they are in the program; −1: nowhere yet
    size_t count;                     // of the sequence
    bool used[PLACEMENT_PROGRAM_REGISTERS];
} Emitter;

#define LAYER_MARK 0x80000000u // in the sequence: the root with this index

static bool is_done(const Emitter *emitter, uint32_t value) {
    return emitter->registers[value] != PLACEMENT_NONE;
}

// Adds a value to the sequence after all that it needs.
static void visit(Emitter *emitter, uint32_t root) {
    size_t depth = 0;
    emitter->stack[depth++] = root;
    while (depth > 0) {
        uint32_t value = emitter->stack[depth - 1];
        const PlacementValue *v = &emitter->graph->values.items[value];
        if (is_done(emitter, value)) {
            depth--;
        } else if (v->a != PLACEMENT_NONE && !is_done(emitter, v->a)) {
            emitter->stack[depth++] = v->a;
        } else if (v->b != PLACEMENT_NONE && !is_done(emitter, v->b)) {
            emitter->stack[depth++] = v->b;
        } else {
            emitter->registers[value] = 0;
            emitter->sequence[emitter->count++] = value;
            if (v->a != PLACEMENT_NONE) emitter->uses[v->a]++;
            if (v->b != PLACEMENT_NONE) emitter->uses[v->b]++;
            depth--;
        }
    }
}

static bool is_zero(const PlacementGraph *graph, uint32_t value) {
    return graph->values.items[value].high <= 0;
}

static void make_sequence(Emitter *emitter, const PlacementRoot *roots, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (is_zero(emitter->graph, roots[i].value)) continue;
        visit(emitter, roots[i].value);
        emitter->uses[roots[i].value]++;
        emitter->sequence[emitter->count++] = LAYER_MARK | (uint32_t)i;
    }
}

// ---- Tables ---------------------------------------------------------------------------------------------------

// Counts how many items of a table the program needs, and gives each a number in the order of use.
static int32_t table_index(int32_t *numbers, int32_t item, size_t *count) {
    if (numbers[item] < 0) numbers[item] = (int32_t)(*count)++;
    return numbers[item];
}

static void number_tables(Emitter *emitter) {
    PlacementProgram *program = emitter->program;
    for (size_t i = 0; i < emitter->count; i++) {
        if ((emitter->sequence[i] & LAYER_MARK) != 0) continue;
        const PlacementValue *v = &emitter->graph->values.items[emitter->sequence[i]];
        if (v->code == PLACEMENT_OP_CURVE && emitter->curves[v->imm] < 0)
            program->segment_count += (size_t)emitter->graph->curves.items[v->imm].count;
        if (v->code == PLACEMENT_OP_CURVE) table_index(emitter->curves, v->imm, &program->curve_count);
        if (v->code == PLACEMENT_OP_NOISE) table_index(emitter->noises, v->imm, &program->noise_count);
        if (v->code == PLACEMENT_OP_NEAR) table_index(emitter->nears, v->imm, &program->near_count);
    }
}

static bool alloc_tables(Emitter *emitter) {
    PlacementProgram *program = emitter->program;
    const FiloAllocator *allocator = emitter->allocator;
    program->op_count = emitter->count;
    if (program->op_count > 0)
        program->ops = filo_alloc(allocator, program->op_count * sizeof *program->ops, 0);
    if (program->segment_count > 0)
        program->segments = filo_alloc(allocator, program->segment_count * sizeof *program->segments, 0);
    if (program->curve_count > 0)
        program->curves = filo_alloc(allocator, program->curve_count * sizeof *program->curves, 0);
    if (program->noise_count > 0)
        program->noises = filo_alloc(allocator, program->noise_count * sizeof *program->noises, 0);
    if (program->near_count > 0)
        program->nears = filo_alloc(allocator, program->near_count * sizeof *program->nears, 0);
    return (program->op_count == 0 || program->ops != NULL) &&
           (program->segment_count == 0 || program->segments != NULL) &&
           (program->curve_count == 0 || program->curves != NULL) &&
           (program->noise_count == 0 || program->noises != NULL) &&
           (program->near_count == 0 || program->nears != NULL);
}

static void fill_tables(const Emitter *emitter) {
    const PlacementGraph *graph = emitter->graph;
    PlacementProgram *program = emitter->program;
    for (size_t i = 0; i < graph->noises.count; i++)
        if (emitter->noises[i] >= 0) program->noises[emitter->noises[i]] = graph->noises.items[i];
    for (size_t i = 0; i < graph->nears.count; i++)
        if (emitter->nears[i] >= 0) program->nears[emitter->nears[i]] = graph->nears.items[i];
    int32_t first = 0;
    for (size_t i = 0; i < graph->curves.count; i++) {
        if (emitter->curves[i] < 0) continue;
        PlacementCurve curve = graph->curves.items[i];
        for (int32_t k = 0; k < curve.count; k++)
            program->segments[first + k] = graph->segments.items[curve.first + k];
        curve.first = first;
        first += curve.count;
        program->curves[emitter->curves[i]] = curve;
    }
}

// ---- Operations -----------------------------------------------------------------------------------------------

// A free register, or PLACEMENT_PROGRAM_REGISTERS.
static uint32_t take_register(Emitter *emitter) {
    uint32_t number = 0;
    while (number < PLACEMENT_PROGRAM_REGISTERS && emitter->used[number]) number++;
    if (number == PLACEMENT_PROGRAM_REGISTERS) return number;
    emitter->used[number] = true;
    if (emitter->program->register_count <= (int)number) emitter->program->register_count = (int)number + 1;
    return number;
}

static uint8_t use_register(Emitter *emitter, uint32_t value) {
    if (value == PLACEMENT_NONE) return 0;
    uint32_t number = emitter->registers[value];
    if (--emitter->uses[value] == 0) emitter->used[number] = false;
    return (uint8_t)number;
}

static int32_t operand_of(const Emitter *emitter, const PlacementValue *v) {
    if (v->code == PLACEMENT_OP_CURVE) return emitter->curves[v->imm];
    if (v->code == PLACEMENT_OP_NOISE) return emitter->noises[v->imm];
    if (v->code == PLACEMENT_OP_NEAR) return emitter->nears[v->imm];
    return v->imm;
}

static bool write_ops(Emitter *emitter, const PlacementRoot *roots) {
    for (size_t i = 0; i < emitter->count; i++) {
        uint32_t value = emitter->sequence[i];
        PlacementOp *op = &emitter->program->ops[i];
        if ((value & LAYER_MARK) != 0) {
            const PlacementRoot *root = &roots[value & ~LAYER_MARK];
            *op = (PlacementOp){ PLACEMENT_OP_LAYER, 0, use_register(emitter, root->value), 0, root->layer };
            continue;
        }
        const PlacementValue *v = &emitter->graph->values.items[value];
        uint32_t to = take_register(emitter); // before those of the operands are free
        if (to == PLACEMENT_PROGRAM_REGISTERS) return false;
        emitter->registers[value] = to;
        uint8_t a = use_register(emitter, v->a), b = use_register(emitter, v->b);
        *op = (PlacementOp){ (uint8_t)v->code, (uint8_t)to, a, b, operand_of(emitter, v) };
    }
    return true;
}

static FiloResult emit(Emitter *emitter, const PlacementRoot *roots, size_t count, const char *what) {
    make_sequence(emitter, roots, count);
    number_tables(emitter);
    if (emitter->count > PLACEMENT_PROGRAM_OPS)
        return filo_error(FILO_ERROR_LIMIT, "%s: %zu operations, there may be %d", what, emitter->count,
                          PLACEMENT_PROGRAM_OPS);
    if (emitter->program->noise_count > PLACEMENT_PROGRAM_NOISES)
        return filo_error(FILO_ERROR_LIMIT, "%s: %zu different noises, there may be %d", what,
                          emitter->program->noise_count, PLACEMENT_PROGRAM_NOISES);
    if (!alloc_tables(emitter)) return filo_error(FILO_ERROR_MEMORY, "%s: no memory for its program", what);
    fill_tables(emitter);
    if (write_ops(emitter, roots)) return filo_ok();
    return filo_error(FILO_ERROR_LIMIT, "%s: more than %d values are needed at the same time", what,
                      PLACEMENT_PROGRAM_REGISTERS);
}

// Frees what was allocated, whatever that is. (placement_program_free takes the counts for granted.)
static void drop(PlacementProgram *program, const FiloAllocator *allocator) {
    if (program->ops == NULL) program->op_count = 0;
    if (program->segments == NULL) program->segment_count = 0;
    if (program->curves == NULL) program->curve_count = 0;
    if (program->noises == NULL) program->noise_count = 0;
    if (program->nears == NULL) program->near_count = 0;
    placement_program_free(program, allocator);
}

FiloResult placement_graph_emit(PlacementProgram *program, const PlacementGraph *graph,
                                const PlacementRoot *roots, size_t count, const char *what,
                                const FiloAllocator *allocator) {
    *program = (PlacementProgram){ 0 };
    size_t values = graph->values.count,
           tables = graph->curves.count + graph->noises.count + graph->nears.count;
    size_t size = (4 * values + count + tables) * sizeof(uint32_t);
    Emitter emitter = { .graph = graph, .allocator = allocator, .program = program };
    emitter.memory = filo_alloc(allocator, size, 0);
    if (emitter.memory == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory for its program", what);
    emitter.registers = emitter.memory;
    emitter.curves = (int32_t *)(emitter.registers + values);
    emitter.noises = emitter.curves + graph->curves.count;
    emitter.nears = emitter.noises + graph->noises.count;
    emitter.uses = (uint32_t *)(emitter.nears + graph->nears.count);
    emitter.stack = emitter.uses + values;
    emitter.sequence = emitter.stack + values;
    memset(emitter.memory, 255, (values + tables) * sizeof(uint32_t)); // PLACEMENT_NONE and −1
    memset(emitter.uses, 0, values * sizeof(uint32_t));
    FiloResult result = emit(&emitter, roots, count, what);
    filo_free(allocator, emitter.memory, size, 0);
    if (result.code != FILO_OK) drop(program, allocator);
    return result;
}
