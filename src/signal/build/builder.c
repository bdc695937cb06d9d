// Builders: memory of nodes, and the helpers that make them. A mistake is recorded, and reported by filo_network_create.

#include "signal/signal.h"

#include <stdarg.h>
#include <stdio.h>

void *signal_block_alloc(SignalBlock **blocks, const FiloAllocator *allocator, size_t size) {
    SignalBlock *block = filo_alloc_zero(allocator, sizeof(SignalBlock) + size, 16);
    if (block == NULL) return NULL;
    block->next = *blocks;
    block->size = size;
    *blocks = block;
    return block + 1;
}

void signal_blocks_free(SignalBlock **blocks, const FiloAllocator *allocator) {
    while (*blocks != NULL) {
        SignalBlock *next = (*blocks)->next;
        filo_free(allocator, *blocks, sizeof(SignalBlock) + (*blocks)->size, 16);
        *blocks = next;
    }
}

void *signal_builder_copy(FiloSfBuilder *builder, const void *bytes, size_t size) {
    if (bytes == NULL) return NULL;
    void *copy = signal_block_alloc(&builder->blocks, &builder->allocator, size);
    if (copy != NULL) memcpy(copy, bytes, size);
    return copy;
}

const char *signal_builder_text(FiloSfBuilder *builder, const char *text) {
    return text == NULL ? NULL : signal_builder_copy(builder, text, strlen(text) + 1);
}

void signal_builder_problem(FiloSfBuilder *builder, FiloCode code, const char *format, ...) {
    if (builder->problem.code != FILO_OK) return;
    char text[FILO_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    builder->problem = filo_error(code, "%s", text);
}

FiloSfBuilder *filo_sf_builder_create(const FiloSfBuilderDesc *desc) {
    static const FiloSfBuilderDesc nothing;
    if (desc == NULL) desc = &nothing;
    const FiloAllocator *allocator = desc->allocator != NULL ? desc->allocator : filo_heap();
    FiloSfBuilder *builder = filo_alloc_zero(allocator, sizeof *builder, 16);
    if (builder == NULL) return NULL;
    builder->allocator = *allocator;
    builder->node_count = builder->branch_count = 1;
    builder->name = signal_builder_text(builder, desc->name != NULL ? desc->name : "network");
    bool complete = builder->name != NULL;
    for (uint32_t i = 0; i < FILO_SF_LEAVES; i++) {
        FiloSfInput input = desc->inputs[i];
        if (input.type == NULL && !input.event) break;
        input.name = signal_builder_text(builder, input.name != NULL ? input.name : "input");
        complete = complete && input.name != NULL;
        builder->inputs[builder->input_count++] = input;
        if (complete &&
            (input.capacity > UINT16_MAX || (input.capacity > 0 && (input.event || input.type == NULL))))
            signal_builder_problem(
                builder, FILO_ERROR_ARGUMENT,
                "%s: input \"%s\": a list has a type, a capacity up to %d, and is no event", builder->name,
                input.name, UINT16_MAX);
    }
    if (complete) return builder;
    filo_sf_builder_destroy(builder);
    return NULL;
}

void filo_sf_builder_destroy(FiloSfBuilder *builder) {
    if (builder == NULL) return;
    FiloAllocator allocator = builder->allocator;
    signal_blocks_free(&builder->blocks, &allocator);
    filo_free(&allocator, builder->nodes, builder->node_capacity * sizeof(SignalNode), 16);
    filo_free(&allocator, builder->branches, builder->branch_capacity * sizeof(SignalBranch), 16);
    filo_free(&allocator, builder, sizeof *builder, 16);
}

// Makes room for one more element.
static bool grow(const FiloAllocator *allocator, void **array, uint32_t count, uint32_t *capacity,
                 size_t size) {
    if (count < *capacity) return true;
    uint32_t wanted = *capacity == 0 ? 32 : *capacity * 2;
    void *grown = filo_resize(allocator, *array, *capacity * size, wanted * size, 16);
    if (grown == NULL) return false;
    *array = grown;
    *capacity = wanted;
    return true;
}

#define MAX_NODES 65000

FiloSf signal_node_add(FiloSfBuilder *builder, const SignalNode *node) {
    if (builder->node_count >= MAX_NODES) {
        signal_builder_problem(builder, FILO_ERROR_LIMIT, "%s: more than %d nodes", builder->name, MAX_NODES);
        return (FiloSf){ builder, 0 };
    }
    void *nodes = builder->nodes;
    bool grown =
        grow(&builder->allocator, &nodes, builder->node_count, &builder->node_capacity, sizeof *node);
    builder->nodes = nodes;
    if (!grown) {
        signal_builder_problem(builder, FILO_ERROR_MEMORY, "%s: no memory for another node", builder->name);
        return (FiloSf){ builder, 0 };
    }
    builder->nodes[builder->node_count] = *node;
    return (FiloSf){ builder, builder->node_count++ };
}

FiloSf signal_node_of(SignalNode node, const FiloSf *children, size_t count) {
    FiloSfBuilder *builder = NULL;
    for (size_t i = 0; i < count && builder == NULL; i++) builder = children[i].builder;
    if (builder == NULL) {
        (void)FILO_CHECK_MADE(false, "pass signals of a builder to %s", signal_kind_names[node.kind]);
        return (FiloSf){ 0 };
    }
    for (size_t i = 0; i < count; i++) {
        if (children[i].builder == NULL || (children[i].node == 0 && builder->problem.code == FILO_OK))
            signal_builder_problem(builder, FILO_ERROR_ARGUMENT, "%s: argument %zu of %s is {0}",
                                   builder->name, i + 1, signal_kind_names[node.kind]);
        else if (children[i].builder != builder)
            signal_builder_problem(builder, FILO_ERROR_ARGUMENT,
                                   "%s: argument %zu of %s belongs to another builder, %s", builder->name,
                                   i + 1, signal_kind_names[node.kind], children[i].builder->name);
        node.children[i] = children[i].builder == builder ? children[i].node : 0;
    }
    node.child_count = (uint32_t)count;
    return signal_node_add(builder, &node);
}

bool signal_node_value(FiloSfBuilder *builder, SignalNode *node, FiloSfValue value) {
    if (value.type == NULL) return true;
    node->type = value.type();
    if (value.value == NULL) {
        signal_builder_problem(builder, FILO_ERROR_ARGUMENT, "%s: a value of %s has a type and no bytes",
                               builder->name, signal_kind_names[node->kind]);
        return false;
    }
    node->value = signal_builder_copy(builder, value.value, node->type->size > 0 ? node->type->size : 1);
    if (node->value == NULL)
        signal_builder_problem(builder, FILO_ERROR_MEMORY, "%s: no memory for a value", builder->name);
    return node->value != NULL;
}

const char *signal_node_label(const FiloSfBuilder *builder, uint32_t node, char *text, size_t size) {
    const SignalNode *n = &builder->nodes[node];
    const char *name = n->name;
    if (n->kind == SIGNAL_ARR && n->function != NULL) name = n->function->name;
    if (n->branch != 0) name = builder->branches[n->branch].name;
    if (name == NULL) { // a name that was given to it
        for (uint32_t i = node + 1; i < builder->node_count && name == NULL; i++)
            if (builder->nodes[i].kind == SIGNAL_NAMED && builder->nodes[i].children[0] == node)
                name = builder->nodes[i].name;
    }
    if (name == NULL && n->kind == SIGNAL_GET && builder->nodes[n->children[0]].kind == SIGNAL_INPUT &&
        n->number < builder->input_count)
        name = builder->inputs[n->number].name;
    if (name == NULL && n->kind == SIGNAL_INPUT && builder->input_count == 1) name = builder->inputs[0].name;
    if (n->kind == SIGNAL_NAMED) return signal_node_label(builder, n->children[0], text, size);
    (void)snprintf(text, size, name != NULL ? "%s %u (%s)" : "%s %u", signal_kind_names[n->kind], node, name);
    return text;
}

// ---- Branches ---------------------------------------------------------------------------------------------------

static FiloSfBranch add_branch(FiloSfBuilder *builder, const SignalBranch *branch) {
    void *branches = builder->branches;
    bool grown = grow(&builder->allocator, &branches, builder->branch_count, &builder->branch_capacity,
                      sizeof *branch);
    builder->branches = branches;
    if (!grown || branch->name == NULL || builder->branch_count >= UINT16_MAX) {
        signal_builder_problem(builder, FILO_ERROR_MEMORY, "%s: no memory for another branch", builder->name);
        return (FiloSfBranch){ 0 };
    }
    builder->branches[builder->branch_count] = *branch;
    return (FiloSfBranch){ builder, builder->branch_count++ };
}

FiloSfBranch filo_sf_branch(FiloSfBuilder *builder, const char *name, const FiloType *parameter) {
    if (!FILO_CHECK_MADE(builder != NULL, "pass the builder of the branch")) return (FiloSfBranch){ 0 };
    return add_branch(builder,
                      &(SignalBranch){ .name = signal_builder_text(builder, name != NULL ? name : "branch"),
                                       .parameter = parameter });
}

FiloSfBranch signal_branch_any(FiloSfBuilder *builder, const char *name) {
    return add_branch(builder,
                      &(SignalBranch){ .name = signal_builder_text(builder, name), .any_parameter = true });
}

const char *const signal_kind_names[SIGNAL_KIND_COUNT] = {
    [SIGNAL_NONE] = "nothing",
    [SIGNAL_INPUT] = "input",
    [SIGNAL_GET] = "get",
    [SIGNAL_IN_NAMED] = "in_named",
    [SIGNAL_CONSTANT] = "constant",
    [SIGNAL_TIME] = "time",
    [SIGNAL_NAMED] = "named",
    [SIGNAL_OUTER] = "outer",
    [SIGNAL_ARR] = "arr",
    [SIGNAL_ADD] = "add",
    [SIGNAL_SUB] = "sub",
    [SIGNAL_MUL] = "mul",
    [SIGNAL_DIV] = "div",
    [SIGNAL_MIN] = "min",
    [SIGNAL_MAX] = "max",
    [SIGNAL_NEGATE] = "negate",
    [SIGNAL_ABS] = "abs",
    [SIGNAL_SCALE] = "scale",
    [SIGNAL_SIN] = "sin",
    [SIGNAL_COS] = "cos",
    [SIGNAL_SQRT] = "sqrt",
    [SIGNAL_LENGTH] = "length",
    [SIGNAL_DOT] = "dot",
    [SIGNAL_LESS] = "less",
    [SIGNAL_GREATER] = "greater",
    [SIGNAL_EQUAL] = "equal",
    [SIGNAL_AND] = "and",
    [SIGNAL_OR] = "or",
    [SIGNAL_NOT] = "not",
    [SIGNAL_SELECT] = "select",
    [SIGNAL_FIELD] = "field",
    [SIGNAL_COMPOSE] = "compose",
    [SIGNAL_TUPLE] = "tuple",
    [SIGNAL_FIRST] = "first",
    [SIGNAL_SECOND] = "second",
    [SIGNAL_PARALLEL] = "parallel",
    [SIGNAL_LOOP] = "loop",
    [SIGNAL_LOOP_PRE] = "loop_pre",
    [SIGNAL_LOOP_INTEGRAL] = "loop_integral",
    [SIGNAL_REC] = "rec",
    [SIGNAL_EITHER] = "either",
    [SIGNAL_IS_LEFT] = "is_left",
    [SIGNAL_LEFT_VALUE] = "left_value",
    [SIGNAL_RIGHT_VALUE] = "right_value",
    [SIGNAL_LEFT] = "left",
    [SIGNAL_RIGHT] = "right",
    [SIGNAL_INTEGRAL] = "integral",
    [SIGNAL_TRAPEZOID] = "trapezoid_integral",
    [SIGNAL_IM_INTEGRAL] = "im_integral",
    [SIGNAL_IMPULSE_INTEGRAL] = "impulse_integral",
    [SIGNAL_DERIVATIVE] = "derivative",
    [SIGNAL_I_PRE] = "i_pre",
    [SIGNAL_PRE] = "pre",
    [SIGNAL_DELAY] = "delay",
    [SIGNAL_INITIALLY] = "initially",
    [SIGNAL_INITIALLY_BY] = "initially_by",
    [SIGNAL_SSCAN] = "sscan",
    [SIGNAL_ITER_FROM] = "iter_from",
    [SIGNAL_PAUSE] = "pause",
    [SIGNAL_NEVER] = "never",
    [SIGNAL_NOW] = "now",
    [SIGNAL_AFTER_EACH] = "after_each",
    [SIGNAL_REPEATEDLY] = "repeatedly",
    [SIGNAL_OCCASIONALLY] = "occasionally",
    [SIGNAL_NOISE] = "noise",
    [SIGNAL_EDGE] = "edge",
    [SIGNAL_EDGE_JUST] = "edge_just",
    [SIGNAL_EDGE_BY] = "edge_by",
    [SIGNAL_SNAP] = "snap",
    [SIGNAL_SAMPLE] = "sample",
    [SIGNAL_EVENT_WHEN] = "event_when",
    [SIGNAL_SAMPLE_WINDOW] = "sample_window",
    [SIGNAL_TAKE_EVENTS] = "take_events",
    [SIGNAL_DROP_EVENTS] = "drop_events",
    [SIGNAL_NOT_YET] = "not_yet",
    [SIGNAL_TAG] = "tag",
    [SIGNAL_ATTACH] = "attach",
    [SIGNAL_JOIN] = "join",
    [SIGNAL_SPLIT] = "split",
    [SIGNAL_L_MERGE] = "l_merge",
    [SIGNAL_R_MERGE] = "r_merge",
    [SIGNAL_MERGE_BY] = "merge_by",
    [SIGNAL_FILTER] = "filter",
    [SIGNAL_MAP_FILTER] = "map_filter",
    [SIGNAL_GATE] = "gate",
    [SIGNAL_IS_EVENT] = "is_event",
    [SIGNAL_FROM_EVENT] = "from_event",
    [SIGNAL_DELAY_EVENT] = "delay_event",
    [SIGNAL_HOLD] = "hold",
    [SIGNAL_ACCUM] = "accum",
    [SIGNAL_ACCUM_HOLD] = "accum_hold",
    [SIGNAL_ACCUM_FILTER] = "accum_filter",
    [SIGNAL_COUNT] = "count",
    [SIGNAL_SWITCH] = "switch",
    [SIGNAL_R_SWITCH] = "r_switch",
    [SIGNAL_K_SWITCH] = "k_switch",
    [SIGNAL_START] = "start",
    [SIGNAL_PARAMETER] = "parameter",
    [SIGNAL_OLD] = "old",
    [SIGNAL_COLLECTION] = "collection",
    [SIGNAL_FOLD] = "fold",
};
