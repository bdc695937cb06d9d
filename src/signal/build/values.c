// Nodes of values, composition and time.

#include "signal/signal.h"

static FiloSf source(FiloSfBuilder *builder, SignalNode node) {
    if (!FILO_CHECK_MADE(builder != NULL, "pass a builder to %s", signal_kind_names[node.kind]))
        return (FiloSf){ 0 };
    return signal_node_add(builder, &node);
}

#define OF(kind_, ...)                                                                                       \
    signal_node_of((SignalNode){ .kind = (kind_) }, (const FiloSf[]){ __VA_ARGS__ },                         \
                   sizeof((const FiloSf[]){ __VA_ARGS__ }) / sizeof(FiloSf))

FiloSf filo_sf_input(FiloSfBuilder *builder) { return source(builder, (SignalNode){ .kind = SIGNAL_INPUT }); }

FiloSf filo_sf_in(FiloSfBuilder *builder, unsigned n) { return filo_sf_get(filo_sf_input(builder), n); }

FiloSf filo_sf_in_named(FiloSfBuilder *builder, const char *name) {
    if (!FILO_CHECK_MADE(builder != NULL && name != NULL, "pass a builder, and the name of an input"))
        return (FiloSf){ 0 };
    for (uint32_t i = 0; i < builder->input_count; i++) {
        if (strcmp(builder->inputs[i].name, name) != 0) continue;
        return source(builder,
                      (SignalNode){ .kind = SIGNAL_IN_NAMED, .number = i, .name = builder->inputs[i].name });
    }
    signal_builder_problem(builder, FILO_ERROR_NOT_FOUND, "%s: there is no input \"%s\"", builder->name,
                           name);
    return (FiloSf){ builder, 0 };
}

FiloSf filo_sf_constant(FiloSfBuilder *builder, FiloSfValue value) {
    if (!FILO_CHECK_MADE(builder != NULL, "pass a builder to constant")) return (FiloSf){ 0 };
    if (value.type == NULL) {
        signal_builder_problem(builder, FILO_ERROR_ARGUMENT,
                               "%s: a constant without a value like FILO_SF(float, 1)", builder->name);
        return (FiloSf){ builder, 0 };
    }
    SignalNode node = { .kind = SIGNAL_CONSTANT };
    return signal_node_value(builder, &node, value) ? source(builder, node) : (FiloSf){ builder, 0 };
}

FiloSf filo_sf_time(FiloSfBuilder *builder) { return source(builder, (SignalNode){ .kind = SIGNAL_TIME }); }

FiloSf filo_sf_named(FiloSf x, const char *name) {
    SignalNode node = { .kind = SIGNAL_NAMED };
    if (x.builder != NULL) node.name = signal_builder_text(x.builder, name);
    if (x.builder != NULL && name != NULL && node.name == NULL)
        signal_builder_problem(x.builder, FILO_ERROR_MEMORY, "%s: no memory for the name \"%s\"",
                               x.builder->name, name);
    return signal_node_of(node, &x, 1);
}

FiloSf filo_sf_outer(FiloSf x) { return OF(SIGNAL_OUTER, x); }

FiloSf filo_sf_float(FiloSfBuilder *builder, float value) {
    return filo_sf_constant(builder, (FiloSfValue){ filo_type_float, &value });
}

// ---- Functions --------------------------------------------------------------------------------------------------

// Whether a function is given. Otherwise the mistake is recorded in the builder of the argument.
static bool has_function(FiloSf x, SignalKind kind, const FiloSfFunction *function) {
    if (function != NULL && function->rows != NULL) return true;
    if (x.builder != NULL)
        signal_builder_problem(x.builder, FILO_ERROR_ARGUMENT,
                               "%s: %s without a function made by FILO_SF_FUNCTION", x.builder->name,
                               signal_kind_names[kind]);
    return false;
}

static FiloSf apply(const FiloSf *arguments, size_t count, const FiloSfFunction *function) {
    if (!has_function(arguments[0], SIGNAL_ARR, function)) return (FiloSf){ arguments[0].builder, 0 };
    return signal_node_of((SignalNode){ .kind = SIGNAL_ARR, .function = function }, arguments, count);
}

FiloSf filo_sf_arr(FiloSf x, const FiloSfFunction *function) { return apply(&x, 1, function); }
FiloSf filo_sf_arr2(FiloSf x, FiloSf y, const FiloSfFunction *function) {
    return apply((const FiloSf[]){ x, y }, 2, function);
}
FiloSf filo_sf_arr3(FiloSf x, FiloSf y, FiloSf z, const FiloSfFunction *function) {
    return apply((const FiloSf[]){ x, y, z }, 3, function);
}
FiloSf filo_sf_arr4(FiloSf x, FiloSf y, FiloSf z, FiloSf w, const FiloSfFunction *function) {
    return apply((const FiloSf[]){ x, y, z, w }, 4, function);
}

FiloSf filo_sf_add(FiloSf x, FiloSf y) { return OF(SIGNAL_ADD, x, y); }
FiloSf filo_sf_sub(FiloSf x, FiloSf y) { return OF(SIGNAL_SUB, x, y); }
FiloSf filo_sf_mul(FiloSf x, FiloSf y) { return OF(SIGNAL_MUL, x, y); }
FiloSf filo_sf_div(FiloSf x, FiloSf y) { return OF(SIGNAL_DIV, x, y); }
FiloSf filo_sf_min(FiloSf x, FiloSf y) { return OF(SIGNAL_MIN, x, y); }
FiloSf filo_sf_max(FiloSf x, FiloSf y) { return OF(SIGNAL_MAX, x, y); }
FiloSf filo_sf_negate(FiloSf x) { return OF(SIGNAL_NEGATE, x); }
FiloSf filo_sf_abs(FiloSf x) { return OF(SIGNAL_ABS, x); }
FiloSf filo_sf_scale(FiloSf x, float factor) {
    return signal_node_of((SignalNode){ .kind = SIGNAL_SCALE, .seconds = factor }, &x, 1);
}
FiloSf filo_sf_sin(FiloSf x) { return OF(SIGNAL_SIN, x); }
FiloSf filo_sf_cos(FiloSf x) { return OF(SIGNAL_COS, x); }
FiloSf filo_sf_sqrt(FiloSf x) { return OF(SIGNAL_SQRT, x); }
FiloSf filo_sf_length(FiloSf x) { return OF(SIGNAL_LENGTH, x); }
FiloSf filo_sf_dot(FiloSf x, FiloSf y) { return OF(SIGNAL_DOT, x, y); }
FiloSf filo_sf_less(FiloSf x, FiloSf y) { return OF(SIGNAL_LESS, x, y); }
FiloSf filo_sf_greater(FiloSf x, FiloSf y) { return OF(SIGNAL_GREATER, x, y); }
FiloSf filo_sf_equal(FiloSf x, FiloSf y) { return OF(SIGNAL_EQUAL, x, y); }
FiloSf filo_sf_and(FiloSf x, FiloSf y) { return OF(SIGNAL_AND, x, y); }
FiloSf filo_sf_or(FiloSf x, FiloSf y) { return OF(SIGNAL_OR, x, y); }
FiloSf filo_sf_not(FiloSf x) { return OF(SIGNAL_NOT, x); }
FiloSf filo_sf_select(FiloSf condition, FiloSf x, FiloSf y) { return OF(SIGNAL_SELECT, condition, x, y); }

FiloSf filo_sf_field(FiloSf x, const char *field) {
    SignalNode node = { .kind = SIGNAL_FIELD };
    if (x.builder != NULL) {
        node.name = signal_builder_text(x.builder, field != NULL ? field : "");
        if (node.name == NULL)
            signal_builder_problem(x.builder, FILO_ERROR_MEMORY, "%s: no memory for the name of a field",
                                   x.builder->name);
    }
    return signal_node_of(node, &x, 1);
}

// ---- Composition --------------------------------------------------------------------------------------------------

FiloSf filo_sf_compose(FiloSf x, FiloSf f) { return OF(SIGNAL_COMPOSE, x, f); }

FiloSf filo_sf_tuple(FiloSfBuilder *builder, const FiloSf *elements, size_t count) {
    if (!FILO_CHECK_MADE(builder != NULL && (elements != NULL || count == 0),
                         "pass a builder and the elements"))
        return (FiloSf){ 0 };
    if (count > FILO_SF_LEAVES) {
        signal_builder_problem(builder, FILO_ERROR_LIMIT, "%s: a tuple of %zu; at most %d", builder->name,
                               count, FILO_SF_LEAVES);
        return (FiloSf){ builder, 0 };
    }
    uint32_t list[FILO_SF_LEAVES] = { 0 };
    for (size_t i = 0; i < count; i++) {
        list[i] = elements[i].builder == builder ? elements[i].node : 0;
        if (list[i] == 0)
            signal_builder_problem(builder, FILO_ERROR_ARGUMENT,
                                   "%s: element %zu of a tuple is {0} or belongs to another builder",
                                   builder->name, i + 1);
    }
    SignalNode node = { .kind = SIGNAL_TUPLE, .number = (uint32_t)count };
    node.list = signal_builder_copy(builder, list, sizeof list);
    if (node.list == NULL) {
        signal_builder_problem(builder, FILO_ERROR_MEMORY, "%s: no memory for a tuple", builder->name);
        return (FiloSf){ builder, 0 };
    }
    return signal_node_add(builder, &node);
}

FiloSf filo_sf_pair(FiloSf x, FiloSf y) {
    if (!FILO_CHECK_MADE(x.builder != NULL && y.builder != NULL, "pass signals of a builder to pair"))
        return (FiloSf){ 0 };
    return filo_sf_tuple(x.builder, (const FiloSf[]){ x, y }, 2);
}

FiloSf filo_sf_get(FiloSf tuple, unsigned n) {
    return signal_node_of((SignalNode){ .kind = SIGNAL_GET, .number = n }, &tuple, 1);
}

FiloSf filo_sf_first(FiloSf x, FiloSf f) { return OF(SIGNAL_FIRST, x, f); }
FiloSf filo_sf_second(FiloSf x, FiloSf f) { return OF(SIGNAL_SECOND, x, f); }
FiloSf filo_sf_parallel(FiloSf x, FiloSf f, FiloSf g) { return OF(SIGNAL_PARALLEL, x, f, g); }

FiloSf filo_sf_loop(FiloSf x, const FiloType *type, FiloSf f) {
    return signal_node_of((SignalNode){ .kind = SIGNAL_LOOP, .type = type }, (const FiloSf[]){ x, f }, 2);
}
FiloSf filo_sf_loop_pre(FiloSf x, FiloSfValue initial, FiloSf f) {
    SignalNode node = { .kind = SIGNAL_LOOP_PRE };
    if (x.builder != NULL && !signal_node_value(x.builder, &node, initial)) return (FiloSf){ x.builder, 0 };
    return signal_node_of(node, (const FiloSf[]){ x, f }, 2);
}
FiloSf filo_sf_loop_integral(FiloSf x, const FiloType *type, FiloSf f) {
    return signal_node_of((SignalNode){ .kind = SIGNAL_LOOP_INTEGRAL, .type = type },
                          (const FiloSf[]){ x, f }, 2);
}

FiloSf filo_sf_rec(FiloSfBuilder *builder, const FiloType *type) {
    return source(builder, (SignalNode){ .kind = SIGNAL_REC, .type = type });
}

void filo_sf_close(FiloSf rec, FiloSf definition) {
    if (!FILO_CHECK_MADE(rec.builder != NULL && definition.builder != NULL,
                         "pass the signal of filo_sf_rec, and what it is"))
        return;
    SignalNode *node = &rec.builder->nodes[rec.node];
    if (node->kind != SIGNAL_REC || definition.builder != rec.builder)
        signal_builder_problem(rec.builder, FILO_ERROR_ARGUMENT,
                               "%s: filo_sf_close takes a signal of filo_sf_rec, and one of the same builder",
                               rec.builder->name);
    else if (node->child_count != 0)
        signal_builder_problem(rec.builder, FILO_ERROR_ARGUMENT, "%s: rec %u is closed twice",
                               rec.builder->name, rec.node);
    else {
        node->children[0] = definition.node;
        node->child_count = 1;
        rec.builder->nodes[definition.node].closes = rec.node;
    }
}

FiloSf filo_sf_either(FiloSf is_left, FiloSf left, FiloSf right) {
    return OF(SIGNAL_EITHER, is_left, left, right);
}
FiloSf filo_sf_is_left(FiloSf either) { return OF(SIGNAL_IS_LEFT, either); }
FiloSf filo_sf_left(FiloSf either, FiloSf f) { return OF(SIGNAL_LEFT, either, f); }
FiloSf filo_sf_right(FiloSf either, FiloSf f) { return OF(SIGNAL_RIGHT, either, f); }

// A node with a value and these children.
static FiloSf with_value(SignalNode node, FiloSfValue value, const FiloSf *children, size_t count) {
    if (count > 0 && children[0].builder != NULL && !signal_node_value(children[0].builder, &node, value))
        return (FiloSf){ children[0].builder, 0 };
    return signal_node_of(node, children, count);
}

FiloSf filo_sf_left_value(FiloSf either, FiloSfValue otherwise) {
    return with_value((SignalNode){ .kind = SIGNAL_LEFT_VALUE }, otherwise, &either, 1);
}
FiloSf filo_sf_right_value(FiloSf either, FiloSfValue otherwise) {
    return with_value((SignalNode){ .kind = SIGNAL_RIGHT_VALUE }, otherwise, &either, 1);
}

// ---- Time -----------------------------------------------------------------------------------------------------------

FiloSf filo_sf_integral(FiloSf x) { return OF(SIGNAL_INTEGRAL, x); }
FiloSf filo_sf_trapezoid_integral(FiloSf x) { return OF(SIGNAL_TRAPEZOID, x); }
FiloSf filo_sf_im_integral(FiloSf x, FiloSfValue initial) {
    return with_value((SignalNode){ .kind = SIGNAL_IM_INTEGRAL }, initial, &x, 1);
}
FiloSf filo_sf_impulse_integral(FiloSf x, FiloSf event) { return OF(SIGNAL_IMPULSE_INTEGRAL, x, event); }
FiloSf filo_sf_derivative(FiloSf x) { return OF(SIGNAL_DERIVATIVE, x); }
FiloSf filo_sf_i_pre(FiloSf x, FiloSfValue initial) {
    return with_value((SignalNode){ .kind = SIGNAL_I_PRE }, initial, &x, 1);
}
FiloSf filo_sf_fby(FiloSf x, FiloSfValue initial) { return filo_sf_i_pre(x, initial); }
FiloSf filo_sf_pre(FiloSf x) { return OF(SIGNAL_PRE, x); }

// Whether a number of seconds is finite and not negative, or above 0.
static bool seconds_fit(FiloSfBuilder *builder, SignalKind kind, float seconds, bool zero) {
    if (seconds >= 0.0f && seconds <= 1e30f && (zero || seconds > 0.0f)) return true;
    if (builder != NULL)
        signal_builder_problem(builder, FILO_ERROR_ARGUMENT, "%s: %s takes a number of seconds %s, not %g",
                               builder->name, signal_kind_names[kind], zero ? "from 0 on" : "above 0",
                               (double)seconds);
    return builder == NULL;
}

static bool capacity_fits(FiloSfBuilder *builder, SignalKind kind, uint32_t capacity) {
    if (capacity >= 1 && capacity <= UINT16_MAX) return true;
    if (builder != NULL)
        signal_builder_problem(builder, FILO_ERROR_ARGUMENT, "%s: %s takes a capacity from 1 to %d, not %u",
                               builder->name, signal_kind_names[kind], UINT16_MAX, capacity);
    return builder == NULL;
}

FiloSf filo_sf_delay(FiloSf x, float seconds, FiloSfValue initial, uint32_t capacity) {
    if (!seconds_fit(x.builder, SIGNAL_DELAY, seconds, true) ||
        !capacity_fits(x.builder, SIGNAL_DELAY, capacity))
        return (FiloSf){ x.builder, 0 };
    SignalNode node = { .kind = SIGNAL_DELAY, .seconds = seconds, .number = capacity };
    return with_value(node, initial, &x, 1);
}

FiloSf filo_sf_initially(FiloSf x, FiloSfValue value) {
    return with_value((SignalNode){ .kind = SIGNAL_INITIALLY }, value, &x, 1);
}

static FiloSf with_function(SignalNode node, FiloSfValue value, const FiloSfFunction *function,
                            const FiloSf *children, size_t count) {
    if (!has_function(children[0], node.kind, function)) return (FiloSf){ children[0].builder, 0 };
    node.function = function;
    return with_value(node, value, children, count);
}

FiloSf filo_sf_initially_by(FiloSf x, const FiloSfFunction *function) {
    return with_function((SignalNode){ .kind = SIGNAL_INITIALLY_BY }, FILO_SF_NONE, function, &x, 1);
}
FiloSf filo_sf_sscan(FiloSf x, FiloSfValue initial, const FiloSfFunction *function) {
    return with_function((SignalNode){ .kind = SIGNAL_SSCAN }, initial, function, &x, 1);
}
FiloSf filo_sf_iter_from(FiloSf x, FiloSfValue initial, const FiloSfFunction *function) {
    return with_function((SignalNode){ .kind = SIGNAL_ITER_FROM }, initial, function, &x, 1);
}
FiloSf filo_sf_pause(FiloSf paused, FiloSf x, FiloSfValue initial, FiloSf f) {
    return with_value((SignalNode){ .kind = SIGNAL_PAUSE }, initial, (const FiloSf[]){ paused, x, f }, 3);
}

// ---- Events -----------------------------------------------------------------------------------------------------------

static FiloSf source_with(FiloSfBuilder *builder, SignalNode node, FiloSfValue value) {
    if (!FILO_CHECK_MADE(builder != NULL, "pass a builder to %s", signal_kind_names[node.kind]))
        return (FiloSf){ 0 };
    return signal_node_value(builder, &node, value) ? signal_node_add(builder, &node)
                                                    : (FiloSf){ builder, 0 };
}

FiloSf filo_sf_never(FiloSfBuilder *builder, const FiloType *type) {
    return source(builder, (SignalNode){ .kind = SIGNAL_NEVER, .type = type });
}
FiloSf filo_sf_now(FiloSfBuilder *builder, FiloSfValue value) {
    return source_with(builder, (SignalNode){ .kind = SIGNAL_NOW }, value);
}

static FiloSf after_each(FiloSfBuilder *builder, const float *seconds, const FiloType *type,
                         const void *values, size_t count, bool all) {
    if (!FILO_CHECK_MADE(builder != NULL && (count == 0 || seconds != NULL) &&
                             (count == 0 || type == NULL || values != NULL),
                         "pass a builder, and as many seconds and values as the count says"))
        return (FiloSf){ 0 };
    if (count > UINT16_MAX) {
        signal_builder_problem(builder, FILO_ERROR_LIMIT, "%s: after_each with %zu times; at most %d",
                               builder->name, count, UINT16_MAX);
        return (FiloSf){ builder, 0 };
    }
    for (size_t i = 0; i < count; i++)
        if (!seconds_fit(builder, SIGNAL_AFTER_EACH, seconds[i], true)) return (FiloSf){ builder, 0 };
    SignalNode node = { .kind = SIGNAL_AFTER_EACH, .number = (uint32_t)count, .flag = all, .type = type };
    if (count > 0) node.times = signal_builder_copy(builder, seconds, count * sizeof *seconds);
    if (count > 0 && type != NULL) node.value = signal_builder_copy(builder, values, count * type->size);
    if (count > 0 && (node.times == NULL || (type != NULL && node.value == NULL))) {
        signal_builder_problem(builder, FILO_ERROR_MEMORY, "%s: no memory for values", builder->name);
        return (FiloSf){ builder, 0 };
    }
    return signal_node_add(builder, &node);
}

FiloSf filo_sf_after_each(FiloSfBuilder *builder, const float *seconds, const FiloType *type,
                          const void *values, size_t count) {
    return after_each(builder, seconds, type, values, count, false);
}
FiloSf filo_sf_after_each_cat(FiloSfBuilder *builder, const float *seconds, const FiloType *type,
                              const void *values, size_t count) {
    return after_each(builder, seconds, type, values, count, true);
}
FiloSf filo_sf_after(FiloSfBuilder *builder, float seconds, FiloSfValue value) {
    if (value.type != NULL && value.value == NULL) value = FILO_SF_NONE;
    return after_each(builder, &seconds, value.type != NULL ? value.type() : NULL, value.value, 1, false);
}

FiloSf filo_sf_repeatedly(FiloSfBuilder *builder, float seconds, FiloSfValue value) {
    if (!seconds_fit(builder, SIGNAL_REPEATEDLY, seconds, false)) return (FiloSf){ builder, 0 };
    return source_with(builder, (SignalNode){ .kind = SIGNAL_REPEATEDLY, .seconds = seconds }, value);
}
FiloSf filo_sf_occasionally(FiloSfBuilder *builder, float seconds, FiloSfValue value) {
    if (!seconds_fit(builder, SIGNAL_OCCASIONALLY, seconds, false)) return (FiloSf){ builder, 0 };
    return source_with(builder, (SignalNode){ .kind = SIGNAL_OCCASIONALLY, .seconds = seconds }, value);
}
FiloSf filo_sf_noise(FiloSfBuilder *builder, float low, float high) {
    if (builder != NULL && !(low <= high && low > -1e30f && high < 1e30f)) {
        signal_builder_problem(builder, FILO_ERROR_ARGUMENT,
                               "%s: noise from %g to %g: pass finite bounds in order", builder->name,
                               (double)low, (double)high);
        return (FiloSf){ builder, 0 };
    }
    return source(builder, (SignalNode){ .kind = SIGNAL_NOISE, .seconds = low, .high = high });
}

FiloSf filo_sf_i_edge(FiloSf x, bool initial) {
    return signal_node_of((SignalNode){ .kind = SIGNAL_EDGE, .flag = initial }, &x, 1);
}
FiloSf filo_sf_edge(FiloSf x) { return filo_sf_i_edge(x, true); }
FiloSf filo_sf_edge_tag(FiloSf x, FiloSfValue value) {
    if (!FILO_CHECK_MADE(x.builder != NULL, "pass a signal of a builder to edge_tag")) return (FiloSf){ 0 };
    return filo_sf_tag(filo_sf_edge(x), filo_sf_constant(x.builder, value));
}
FiloSf filo_sf_edge_just(FiloSf x) { return OF(SIGNAL_EDGE_JUST, x); }
FiloSf filo_sf_edge_by(FiloSf x, FiloSfValue initial, const FiloSfFunction *function) {
    return with_function((SignalNode){ .kind = SIGNAL_EDGE_BY }, initial, function, &x, 1);
}

FiloSf filo_sf_snap(FiloSf x) { return OF(SIGNAL_SNAP, x); }
FiloSf filo_sf_snap_after(FiloSf x, float seconds) {
    if (!FILO_CHECK_MADE(x.builder != NULL, "pass a signal of a builder to snap_after")) return (FiloSf){ 0 };
    return filo_sf_tag(filo_sf_after(x.builder, seconds, FILO_SF_NONE), x);
}
FiloSf filo_sf_sample(FiloSf x, float seconds) {
    if (!FILO_CHECK_MADE(x.builder != NULL, "pass a signal of a builder to sample")) return (FiloSf){ 0 };
    return filo_sf_tag(filo_sf_repeatedly(x.builder, seconds, FILO_SF_NONE), x);
}
FiloSf filo_sf_event_when(FiloSf condition, FiloSf x) { return OF(SIGNAL_EVENT_WHEN, condition, x); }
FiloSf filo_sf_sample_window(FiloSf x, uint32_t capacity, float seconds) {
    if (!seconds_fit(x.builder, SIGNAL_SAMPLE_WINDOW, seconds, false) ||
        !capacity_fits(x.builder, SIGNAL_SAMPLE_WINDOW, capacity))
        return (FiloSf){ x.builder, 0 };
    return signal_node_of(
        (SignalNode){ .kind = SIGNAL_SAMPLE_WINDOW, .seconds = seconds, .number = capacity }, &x, 1);
}

FiloSf filo_sf_not_yet(FiloSf event) { return OF(SIGNAL_NOT_YET, event); }
FiloSf filo_sf_take_events(FiloSf event, uint32_t n) {
    return signal_node_of((SignalNode){ .kind = SIGNAL_TAKE_EVENTS, .number = n }, &event, 1);
}
FiloSf filo_sf_once(FiloSf event) { return filo_sf_take_events(event, 1); }
FiloSf filo_sf_drop_events(FiloSf event, uint32_t n) {
    return signal_node_of((SignalNode){ .kind = SIGNAL_DROP_EVENTS, .number = n }, &event, 1);
}
FiloSf filo_sf_tag(FiloSf event, FiloSf x) { return OF(SIGNAL_TAG, event, x); }
FiloSf filo_sf_attach(FiloSf event, FiloSf x) { return OF(SIGNAL_ATTACH, event, x); }
FiloSf filo_sf_join(FiloSf a, FiloSf b) { return OF(SIGNAL_JOIN, a, b); }
FiloSf filo_sf_split(FiloSf event) { return OF(SIGNAL_SPLIT, event); }
FiloSf filo_sf_l_merge(FiloSf a, FiloSf b) { return OF(SIGNAL_L_MERGE, a, b); }
FiloSf filo_sf_r_merge(FiloSf a, FiloSf b) { return OF(SIGNAL_R_MERGE, a, b); }
FiloSf filo_sf_merge_by(FiloSf a, FiloSf b, const FiloSfFunction *function) {
    return with_function((SignalNode){ .kind = SIGNAL_MERGE_BY }, FILO_SF_NONE, function,
                         (const FiloSf[]){ a, b }, 2);
}
FiloSf filo_sf_filter(FiloSf event, const FiloSfFunction *predicate) {
    return with_function((SignalNode){ .kind = SIGNAL_FILTER }, FILO_SF_NONE, predicate, &event, 1);
}
FiloSf filo_sf_map_filter(FiloSf event, const FiloSfFunction *maybe) {
    return with_function((SignalNode){ .kind = SIGNAL_MAP_FILTER }, FILO_SF_NONE, maybe, &event, 1);
}
FiloSf filo_sf_gate(FiloSf event, FiloSf condition) { return OF(SIGNAL_GATE, event, condition); }
FiloSf filo_sf_is_event(FiloSf event) { return OF(SIGNAL_IS_EVENT, event); }
FiloSf filo_sf_from_event(FiloSf event, FiloSfValue otherwise) {
    return with_value((SignalNode){ .kind = SIGNAL_FROM_EVENT }, otherwise, &event, 1);
}

static FiloSf delay_event(FiloSf event, float seconds, uint32_t capacity, bool all) {
    if (!seconds_fit(event.builder, SIGNAL_DELAY_EVENT, seconds, true) ||
        !capacity_fits(event.builder, SIGNAL_DELAY_EVENT, capacity))
        return (FiloSf){ event.builder, 0 };
    return signal_node_of(
        (SignalNode){ .kind = SIGNAL_DELAY_EVENT, .seconds = seconds, .number = capacity, .flag = all },
        &event, 1);
}
FiloSf filo_sf_delay_event(FiloSf event, float seconds, uint32_t capacity) {
    return delay_event(event, seconds, capacity, false);
}
FiloSf filo_sf_delay_event_cat(FiloSf event, float seconds, uint32_t capacity) {
    return delay_event(event, seconds, capacity, true);
}

// ---- From events to values ----------------------------------------------------------------------------------------------

FiloSf filo_sf_hold(FiloSf event, FiloSfValue initial) {
    return with_value((SignalNode){ .kind = SIGNAL_HOLD }, initial, &event, 1);
}
FiloSf filo_sf_d_hold(FiloSf event, FiloSfValue initial) {
    return filo_sf_i_pre(filo_sf_hold(event, initial), initial);
}
FiloSf filo_sf_track_and_hold(FiloSf event, FiloSfValue initial) { return filo_sf_hold(event, initial); }
FiloSf filo_sf_d_track_and_hold(FiloSf event, FiloSfValue initial) { return filo_sf_d_hold(event, initial); }
FiloSf filo_sf_accum(FiloSf event, FiloSfValue initial, const FiloSfFunction *function) {
    return with_function((SignalNode){ .kind = SIGNAL_ACCUM }, initial, function, &event, 1);
}
FiloSf filo_sf_accum_by(FiloSf event, FiloSfValue initial, const FiloSfFunction *function) {
    return filo_sf_accum(event, initial, function);
}
FiloSf filo_sf_accum_hold(FiloSf event, FiloSfValue initial, const FiloSfFunction *function) {
    return with_function((SignalNode){ .kind = SIGNAL_ACCUM_HOLD }, initial, function, &event, 1);
}
FiloSf filo_sf_accum_hold_by(FiloSf event, FiloSfValue initial, const FiloSfFunction *function) {
    return filo_sf_accum_hold(event, initial, function);
}
FiloSf filo_sf_d_accum_hold(FiloSf event, FiloSfValue initial, const FiloSfFunction *function) {
    return filo_sf_i_pre(filo_sf_accum_hold(event, initial, function), initial);
}
FiloSf filo_sf_d_accum_hold_by(FiloSf event, FiloSfValue initial, const FiloSfFunction *function) {
    return filo_sf_d_accum_hold(event, initial, function);
}
FiloSf filo_sf_accum_filter(FiloSf event, FiloSfValue initial, const FiloSfFunction *function,
                            const FiloSfFunction *filter) {
    if (!FILO_CHECK_MADE(filter != NULL && filter->rows != NULL, "pass a filter made by FILO_SF_MAYBE2"))
        return (FiloSf){ 0 };
    return with_function((SignalNode){ .kind = SIGNAL_ACCUM_FILTER, .filter = filter }, initial, function,
                         &event, 1);
}
FiloSf filo_sf_count(FiloSf event) { return OF(SIGNAL_COUNT, event); }
