// Compiling nodes of values and composition.

#include "signal/compile/compile.h"
#include "signal/run/run.h"

// ---- Results that are known already ---------------------------------------------------------------------------

static uint32_t memo_slot(const SignalCompiler *c, uint32_t env, uint32_t node) {
    uint32_t mask = c->memo_capacity - 1, at = (env * 2654435761u ^ node * 2246822519u) & mask;
    while (c->memos[at].env != 0 && (c->memos[at].env != env || c->memos[at].node != node))
        at = (at + 1) & mask;
    return at;
}

static bool memo_grow(SignalCompiler *c) {
    if (c->memo_count * 2 < c->memo_capacity) return true;
    SignalMemo *old = c->memos;
    uint32_t old_capacity = c->memo_capacity, capacity = old_capacity == 0 ? 64 : old_capacity * 2;
    SignalMemo *memos = signal_alloc_compile(c, capacity * sizeof *memos);
    if (memos == NULL) return false;
    c->memos = memos;
    c->memo_capacity = capacity;
    for (uint32_t i = 0; i < old_capacity; i++)
        if (old[i].env != 0) memos[memo_slot(c, old[i].env, old[i].node)] = old[i];
    return true;
}

static void memo_set(SignalCompiler *c, uint32_t env, uint32_t node, const SignalBundle *bundle) {
    if (!memo_grow(c)) return;
    uint32_t at = memo_slot(c, env, node);
    if (c->memos[at].env == 0) c->memo_count++;
    c->memos[at] = (SignalMemo){ .env = env, .node = node, .bundle = *bundle };
}

void signal_memo(SignalCompiler *c, const SignalEnv *env, uint32_t node, const SignalBundle *bundle) {
    memo_set(c, env->number, node, bundle);
}

uint32_t signal_peek_type(SignalCompiler *c, const SignalEnv *env, uint32_t node) {
    for (int depth = 0; depth < 64 && node != 0 && memo_grow(c); depth++) {
        const SignalNode *n = &c->builder->nodes[node];
        const SignalMemo *memo = &c->memos[memo_slot(c, env->number, node)];
        if (memo->env != 0) return memo->bundle.type;
        switch (n->kind) {
        case SIGNAL_INPUT: return env->bundle.type;
        case SIGNAL_CONSTANT:
        case SIGNAL_REC:
        case SIGNAL_HOLD:
        case SIGNAL_ACCUM_HOLD: return n->type != NULL ? signal_type_value(c, n->type) : 0;
        case SIGNAL_TIME:
        case SIGNAL_NOISE:
        case SIGNAL_LENGTH: return signal_type_value(c, FILO_TYPE(float));
        case SIGNAL_NAMED:
        case SIGNAL_ADD:
        case SIGNAL_SUB:
        case SIGNAL_MUL:
        case SIGNAL_DIV:
        case SIGNAL_MIN:
        case SIGNAL_MAX:
        case SIGNAL_NEGATE:
        case SIGNAL_ABS:
        case SIGNAL_SCALE:
        case SIGNAL_INTEGRAL:
        case SIGNAL_I_PRE:
        case SIGNAL_INITIALLY: node = n->children[0]; break;
        case SIGNAL_SELECT: node = n->children[1]; break;
        default: return 0;
        }
    }
    return 0;
}

// ---- Helpers ------------------------------------------------------------------------------------------------------

static SignalBundle single(uint32_t type, uint32_t r) {
    return (SignalBundle){ .type = type, .count = 1, .registers = { r } };
}

static const FiloType *value_type(const SignalCompiler *c, const SignalBundle *bundle) {
    const SignalType *t = signal_type(c, bundle->type);
    return t->kind == SIGNAL_TYPE_VALUE ? t->value : NULL;
}

uint32_t signal_constant(SignalCompiler *c, SignalScope *scope, uint32_t size, const FiloType *type,
                         const void *value, uint32_t node) {
    void *copy = signal_alloc(c, size);
    if (copy == NULL) return 0;
    memcpy(copy, value, size);
    uint32_t r = signal_register(c, scope, size, type, node);
    signal_emit(c, scope,
                &(SignalOp){ .run = signal_run_constant,
                             .kind = SIGNAL_CONSTANT,
                             .node = node,
                             .in = SIGNAL_NO_INPUTS,
                             .out = { r, SIGNAL_NO_REGISTER },
                             .size = size,
                             .data = copy,
                             .type = type });
    return r;
}

// An operation with up to three inputs and one new output register.
static SignalBundle operation(SignalCompiler *c, SignalEnv *env, uint32_t node, SignalKernel run,
                              const FiloType *type, uint32_t lanes, uint32_t a, uint32_t b, uint32_t d) {
    SignalBundle out = signal_bundle_new(c, env->scope, signal_type_value(c, type), node);
    SIGNAL_REQUIRE(out);
    signal_emit(c, env->scope,
                &(SignalOp){ .run = run,
                             .kind = (uint8_t)c->builder->nodes[node].kind,
                             .node = node,
                             .in = { a, b, d, SIGNAL_NO_REGISTER },
                             .out = { out.registers[0], SIGNAL_NO_REGISTER },
                             .lanes = lanes,
                             .size = (uint32_t)type->size,
                             .type = type,
                             .seconds = c->builder->nodes[node].seconds });
    return out;
}

static SignalBundle wrong(SignalCompiler *c, uint32_t node, uint32_t child, const char *wanted,
                          const SignalBundle *got) {
    return signal_fail(c, FILO_ERROR_KIND, "%s takes %s, and %s is %s", signal_label(c, node), wanted,
                       signal_label(c, child), signal_type_text(c, got->type));
}

static SignalBundle differ(SignalCompiler *c, uint32_t node, uint32_t x, const SignalBundle *a, uint32_t y,
                           const SignalBundle *b) {
    return signal_fail(c, FILO_ERROR_KIND, "%s: %s is %s, and %s is %s", signal_label(c, node),
                       signal_label(c, x), signal_type_text(c, a->type), signal_label(c, y),
                       signal_type_text(c, b->type));
}

// ---- Arithmetic -----------------------------------------------------------------------------------------------------

static SignalBundle binary(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    static const SignalKernel floats[] = { signal_run_add, signal_run_sub, signal_run_mul,
                                           signal_run_div, signal_run_min, signal_run_max };
    static const SignalKernel ints[] = { signal_run_add_int, signal_run_sub_int, signal_run_mul_int,
                                         signal_run_div_int, signal_run_min_int, signal_run_max_int };
    SignalNode n = c->builder->nodes[node];
    SignalBundle x = signal_compile(c, env, n.children[0]), y = signal_compile(c, env, n.children[1]);
    SIGNAL_REQUIRE(x);
    SIGNAL_REQUIRE(y);
    const FiloType *a = value_type(c, &x), *b = value_type(c, &y);
    uint32_t lanes = a != NULL ? signal_lanes(a) : 0, which = (uint32_t)(n.kind - SIGNAL_ADD);
    bool integer = signal_same_type(a, FILO_TYPE(int32_t)) || signal_same_type(a, FILO_TYPE(int));
    if (lanes == 0 && !integer) return wrong(c, node, n.children[0], "floats, vectors or int32_t", &x);
    if (signal_same_type(a, b) || (integer && b != NULL && b->kind == FILO_KIND_INT && b->size == 4))
        return operation(c, env, node, integer ? ints[which] : floats[which], a, lanes, x.registers[0],
                         y.registers[0], SIGNAL_NO_REGISTER);
    if (lanes > 1 && signal_same_type(b, FILO_TYPE(float)) && (n.kind == SIGNAL_MUL || n.kind == SIGNAL_DIV))
        return operation(c, env, node, n.kind == SIGNAL_MUL ? signal_run_mul_vector : signal_run_div_vector,
                         a, lanes, x.registers[0], y.registers[0], SIGNAL_NO_REGISTER);
    return differ(c, node, n.children[0], &x, n.children[1], &y);
}

static SignalBundle unary(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle x = signal_compile(c, env, n.children[0]);
    SIGNAL_REQUIRE(x);
    const FiloType *a = value_type(c, &x);
    uint32_t lanes = a != NULL ? signal_lanes(a) : 0;
    bool integer = signal_same_type(a, FILO_TYPE(int32_t)) || signal_same_type(a, FILO_TYPE(int));
    SignalKernel run = NULL;
    const FiloType *result = a;
    switch (n.kind) {
    case SIGNAL_NEGATE: run = integer ? signal_run_negate_int : lanes > 0 ? signal_run_negate : NULL; break;
    case SIGNAL_ABS: run = integer ? signal_run_abs_int : lanes > 0 ? signal_run_abs : NULL; break;
    case SIGNAL_SCALE: run = lanes > 0 ? signal_run_scale : NULL; break;
    case SIGNAL_SIN: run = lanes == 1 ? signal_run_sin : NULL; break;
    case SIGNAL_COS: run = lanes == 1 ? signal_run_cos : NULL; break;
    case SIGNAL_SQRT: run = lanes == 1 ? signal_run_sqrt : NULL; break;
    case SIGNAL_LENGTH:
        run = lanes > 1 ? signal_run_length : NULL;
        result = FILO_TYPE(float);
        break;
    default: break;
    }
    if (run == NULL)
        return wrong(c, node, n.children[0],
                     n.kind == SIGNAL_LENGTH                                                 ? "a vector"
                     : n.kind == SIGNAL_SIN || n.kind == SIGNAL_COS || n.kind == SIGNAL_SQRT ? "a float"
                     : n.kind == SIGNAL_SCALE ? "a float or a vector"
                                              : "floats, vectors or int32_t",
                     &x);
    return operation(c, env, node, run, result, lanes, x.registers[0], SIGNAL_NO_REGISTER,
                     SIGNAL_NO_REGISTER);
}

static SignalBundle compare(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle x = signal_compile(c, env, n.children[0]), y = signal_compile(c, env, n.children[1]);
    SIGNAL_REQUIRE(x);
    SIGNAL_REQUIRE(y);
    const FiloType *a = value_type(c, &x), *b = value_type(c, &y);
    if (a == NULL || b == NULL || !signal_same_type(a, b))
        return differ(c, node, n.children[0], &x, n.children[1], &y);
    uint32_t lanes = signal_lanes(a);
    bool integer = a->kind == FILO_KIND_INT && a->size == 4;
    SignalKernel run = signal_run_equal;
    const FiloType *result = FILO_TYPE(bool);
    if (n.kind == SIGNAL_LESS) run = integer ? signal_run_less_int : lanes == 1 ? signal_run_less : NULL;
    if (n.kind == SIGNAL_GREATER)
        run = integer ? signal_run_greater_int : lanes == 1 ? signal_run_greater : NULL;
    if (n.kind == SIGNAL_DOT) {
        run = lanes > 1 ? signal_run_dot : NULL;
        result = FILO_TYPE(float);
    }
    if (run == NULL)
        return wrong(c, node, n.children[0], n.kind == SIGNAL_DOT ? "vectors" : "floats or int32_t", &x);
    SignalBundle out =
        operation(c, env, node, run, result, lanes, x.registers[0], y.registers[0], SIGNAL_NO_REGISTER);
    SIGNAL_REQUIRE(out);
    if (n.kind == SIGNAL_EQUAL) {
        SignalOp *op = &env->scope->program->ops[env->scope->program->op_count - 1];
        op->type = a;
        op->size = (uint32_t)a->size;
    }
    return out;
}

static SignalBundle logic(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle operands[2] = { { 0 } };
    for (uint32_t i = 0; i < n.child_count; i++) {
        operands[i] = signal_compile(c, env, n.children[i]);
        SIGNAL_REQUIRE(operands[i]);
        if (!signal_same_type(value_type(c, &operands[i]), FILO_TYPE(bool)))
            return wrong(c, node, n.children[i], "bools", &operands[i]);
    }
    SignalKernel run = n.kind == SIGNAL_AND  ? signal_run_and
                       : n.kind == SIGNAL_OR ? signal_run_or
                                             : signal_run_not;
    return operation(c, env, node, run, FILO_TYPE(bool), 0, operands[0].registers[0],
                     n.child_count > 1 ? operands[1].registers[0] : SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER);
}

// x where the byte in `condition` is 1, else y, leaf by leaf.
static SignalBundle select_bundles(SignalCompiler *c, SignalEnv *env, uint32_t node, uint32_t condition,
                                   const SignalBundle *x, const SignalBundle *y) {
    SignalBundle out = signal_bundle_new(c, env->scope, x->type, node);
    SIGNAL_REQUIRE(out);
    for (uint32_t i = 0; i < out.count; i++) {
        uint32_t size = env->scope->program->registers[out.registers[i]].size;
        signal_emit(c, env->scope,
                    &(SignalOp){ .run = signal_run_select,
                                 .kind = SIGNAL_SELECT,
                                 .node = node,
                                 .in = { condition, x->registers[i], y->registers[i], SIGNAL_NO_REGISTER },
                                 .out = { out.registers[i], SIGNAL_NO_REGISTER },
                                 .size = size });
    }
    return out;
}

static SignalBundle select_node(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle condition = signal_compile(c, env, n.children[0]);
    SIGNAL_REQUIRE(condition);
    if (!signal_same_type(value_type(c, &condition), FILO_TYPE(bool)))
        return wrong(c, node, n.children[0], "a bool", &condition);
    SignalBundle x = signal_compile(c, env, n.children[1]), y = signal_compile(c, env, n.children[2]);
    SIGNAL_REQUIRE(x);
    SIGNAL_REQUIRE(y);
    if (x.type != y.type) return differ(c, node, n.children[1], &x, n.children[2], &y);
    return select_bundles(c, env, node, condition.registers[0], &x, &y);
}

// ---- Functions --------------------------------------------------------------------------------------------------------

// Appends the leaves of a bundle to the arguments of a function.
static bool add_arguments(SignalCompiler *c, uint32_t node, uint32_t child, const SignalBundle *bundle,
                          const FiloSfFunction *f, uint32_t *registers, uint32_t *count) {
    FiloSfLeaf leaves[SIGNAL_LEAVES];
    uint32_t leaf_count = signal_type_leaves(c, bundle->type, leaves, NULL, SIGNAL_LEAVES);
    for (uint32_t i = 0; i < leaf_count; i++) {
        if (*count >= f->argument_count || *count >= 4) {
            (void)signal_fail(c, FILO_ERROR_KIND, "%s takes %u arguments, and gets more: %s is %s",
                              signal_label(c, node), f->argument_count, signal_label(c, child),
                              signal_type_text(c, bundle->type));
            return false;
        }
        const FiloType *wanted = f->arguments[*count]();
        if (leaves[i].presence || !signal_same_type(wanted, leaves[i].type)) {
            (void)signal_fail(c, FILO_ERROR_KIND, "%s takes %s as argument %u, and %s is %s",
                              signal_label(c, node), wanted->name, *count + 1, signal_label(c, child),
                              signal_type_text(c, bundle->type));
            return false;
        }
        registers[(*count)++] = bundle->registers[i];
    }
    return true;
}

static SignalBundle arr(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    const FiloSfFunction *f = n.function;
    uint32_t arguments[4] = SIGNAL_NO_INPUTS, count = 0, presence = SIGNAL_NO_REGISTER;
    for (uint32_t i = 0; i < n.child_count; i++) {
        SignalBundle x = signal_compile(c, env, n.children[i]);
        SIGNAL_REQUIRE(x);
        SignalBundle values = x;
        if (i == 0 && signal_type(c, x.type)->kind == SIGNAL_TYPE_EVENT) {
            presence = x.registers[0];
            values = signal_bundle_part(c, &x, 0);
        }
        if (!add_arguments(c, node, n.children[i], &values, f, arguments, &count)) return (SignalBundle){ 0 };
    }
    if (count != f->argument_count)
        return signal_fail(c, FILO_ERROR_KIND, "%s takes %u arguments, and gets %u", signal_label(c, node),
                           f->argument_count, count);
    const FiloType *result = f->result();
    bool event = presence != SIGNAL_NO_REGISTER;
    uint32_t value = signal_type_value(c, result);
    SignalBundle out =
        signal_bundle_new(c, env->scope, event || f->maybe ? signal_type_event(c, value) : value, node);
    SIGNAL_REQUIRE(out);
    SignalOp op = { .run = event ? signal_run_arr_event : signal_run_arr,
                    .kind = SIGNAL_ARR,
                    .node = node,
                    .rows = f->rows,
                    .size = (uint32_t)result->size,
                    .number = count,
                    .flag = f->maybe,
                    .type = result };
    memcpy(op.in, arguments, sizeof op.in);
    op.out[0] = out.registers[out.count - 1];
    op.out[1] = event || f->maybe ? out.registers[0] : SIGNAL_NO_REGISTER;
    if (event && !f->maybe) { // the event itself stays
        op.out[1] = SIGNAL_NO_REGISTER;
        out.registers[0] = presence;
    }
    if (event) {
        op.more = signal_operands(c, env->scope, &presence, 1);
        op.more_count = 1;
    }
    op.scratch_rows = 0;
    signal_emit(c, env->scope, &op);
    return out;
}

static SignalBundle field(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle x = signal_compile(c, env, n.children[0]);
    SIGNAL_REQUIRE(x);
    const SignalType *t = signal_type(c, x.type);
    bool event = t->kind == SIGNAL_TYPE_EVENT;
    SignalBundle values = event ? signal_bundle_part(c, &x, 0) : x;
    const FiloType *type = value_type(c, &values);
    if (type == NULL || type->kind != FILO_KIND_STRUCT) return wrong(c, node, n.children[0], "a struct", &x);
    const FiloField *f = filo_type_field(type, n.name);
    if (f == NULL)
        return signal_fail(c, FILO_ERROR_NOT_FOUND, "%s: %s has no field \"%s\"", signal_label(c, node),
                           type->name, n.name);
    if (f->count != 0)
        return signal_fail(c, FILO_ERROR_KIND, "%s: the field \"%s\" of %s is an array",
                           signal_label(c, node), n.name, type->name);
    const FiloType *result = filo_field_type(f);
    uint32_t value = signal_type_value(c, result);
    SignalBundle out = signal_bundle_new(c, env->scope, event ? signal_type_event(c, value) : value, node);
    SIGNAL_REQUIRE(out);
    if (event) out.registers[0] = x.registers[0];
    signal_emit(c, env->scope,
                &(SignalOp){
                    .run = signal_run_field,
                    .kind = SIGNAL_FIELD,
                    .node = node,
                    .in = { values.registers[0], SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER },
                    .out = { out.registers[out.count - 1], SIGNAL_NO_REGISTER },
                    .size = (uint32_t)result->size,
                    .lanes = (uint32_t)type->size,
                    .number = (uint32_t)f->offset });
    return out;
}

static SignalBundle fold(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle x = signal_compile(c, env, n.children[0]);
    SIGNAL_REQUIRE(x);
    bool event = signal_type(c, x.type)->kind == SIGNAL_TYPE_EVENT;
    SignalBundle values = event ? signal_bundle_part(c, &x, 0) : x;
    const SignalType *list = signal_type(c, values.type);
    if (list->kind != SIGNAL_TYPE_LIST) return wrong(c, node, n.children[0], "a list", &x);
    const FiloSfFunction *f = n.function;
    const FiloType *result = f->result();
    if (n.type == NULL || !signal_same_type(n.type, result) || f->argument_count != 2 || f->maybe ||
        !signal_same_type(f->arguments[0](), result) || !signal_same_type(f->arguments[1](), list->value))
        return signal_fail(
            c, FILO_ERROR_KIND, "%s: %s must take (%s, %s) and give %s, the type of the initial value",
            signal_label(c, node), f->name, n.type != NULL ? n.type->name : "?",
            list->value != NULL ? list->value->name : "nothing", n.type != NULL ? n.type->name : "?");
    uint32_t value = signal_type_value(c, result);
    uint32_t in = values.registers[0];
    const FiloType *element = list->value, *list_type = list->list;
    SignalBundle out = signal_bundle_new(c, env->scope, event ? signal_type_event(c, value) : value, node);
    SIGNAL_REQUIRE(out);
    if (event) out.registers[0] = x.registers[0];
    void *initial = signal_alloc(c, result->size);
    if (initial == NULL) return (SignalBundle){ 0 };
    memcpy(initial, n.value, result->size);
    signal_emit(c, env->scope,
                &(SignalOp){ .run = signal_run_fold,
                             .kind = SIGNAL_FOLD,
                             .node = node,
                             .in = { in, SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER },
                             .out = { out.registers[out.count - 1], SIGNAL_NO_REGISTER },
                             .rows = f->rows,
                             .size = (uint32_t)result->size,
                             .type = element,
                             .lanes = (uint32_t)list_type->size,
                             .data = initial,
                             .scratch_fixed = (uint32_t)result->size + 64 });
    return out;
}

// ---- Composition --------------------------------------------------------------------------------------------------------

// x, which must be a pair.
static SignalBundle pair_of(SignalCompiler *c, SignalEnv *env, uint32_t node, uint32_t child) {
    SignalBundle x = signal_compile(c, env, child);
    SIGNAL_REQUIRE(x);
    const SignalType *t = signal_type(c, x.type);
    if (t->kind != SIGNAL_TYPE_TUPLE || t->part_count != 2) return wrong(c, node, child, "a pair", &x);
    return x;
}

static SignalBundle join_parts(SignalCompiler *c, uint32_t node, const SignalBundle *parts, uint32_t count) {
    uint32_t types[FILO_SF_LEAVES];
    SignalBundle out = { 0 };
    for (uint32_t i = 0; i < count; i++) {
        if (out.count + parts[i].count > SIGNAL_LEAVES)
            return signal_fail(c, FILO_ERROR_LIMIT, "%s consists of more than %d values",
                               signal_label(c, node), SIGNAL_LEAVES);
        types[i] = parts[i].type;
        memcpy(out.registers + out.count, parts[i].registers, parts[i].count * sizeof parts[i].registers[0]);
        out.count += parts[i].count;
    }
    out.type = signal_type_tuple(c, types, count);
    return out;
}

// f applied to a bundle.
static SignalBundle apply(SignalCompiler *c, SignalEnv *env, const SignalBundle *x, uint32_t f) {
    SignalEnv *inner = signal_env(c, env->scope, x);
    if (inner == NULL) return (SignalBundle){ 0 };
    return signal_compile(c, inner, f);
}

static SignalBundle parallel(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle x = pair_of(c, env, node, n.children[0]);
    SIGNAL_REQUIRE(x);
    SignalBundle parts[2] = { signal_bundle_part(c, &x, 0), signal_bundle_part(c, &x, 1) };
    if (n.kind != SIGNAL_SECOND) parts[0] = apply(c, env, &parts[0], n.children[1]);
    SIGNAL_REQUIRE(parts[0]);
    if (n.kind != SIGNAL_FIRST)
        parts[1] = apply(c, env, &parts[1], n.children[n.kind == SIGNAL_SECOND ? 1 : 2]);
    SIGNAL_REQUIRE(parts[1]);
    return join_parts(c, node, parts, 2);
}

// Makes the registers of a placeholder stand for those of its definition.
static SignalBundle close_loop(SignalCompiler *c, SignalScope *scope, uint32_t node,
                               const SignalBundle *placeholder, const SignalBundle *definition) {
    if (definition->type != placeholder->type)
        return signal_fail(c, FILO_ERROR_KIND, "%s is declared as %s, and its definition is %s",
                           signal_label(c, node), signal_type_text(c, placeholder->type),
                           signal_type_text(c, definition->type));
    for (uint32_t i = 0; i < placeholder->count; i++) {
        uint32_t r = definition->registers[i];
        while (scope->program->registers[r].alias != 0) r = scope->program->registers[r].alias - 1;
        if (r == placeholder->registers[i])
            return signal_fail(c, FILO_ERROR_DATA, "a loop without delay: %s is defined as itself",
                               signal_label(c, node));
        scope->program->registers[placeholder->registers[i]].alias = r + 1;
    }
    return *placeholder;
}

static SignalBundle loop(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle parts[2], none = { 0 };
    parts[0] = signal_compile(c, env, n.children[0]);
    SIGNAL_REQUIRE(parts[0]);
    if (n.type == NULL)
        return signal_fail(c, FILO_ERROR_ARGUMENT, "%s: the type of the feedback is missing",
                           signal_label(c, node));
    uint32_t updates[SIGNAL_LEAVES];
    if (n.kind == SIGNAL_LOOP_PRE)
        parts[1] = signal_pre(c, env->scope, signal_type_value(c, n.type), &n, node, updates);
    else if (n.kind == SIGNAL_LOOP_INTEGRAL)
        parts[1] = signal_integral(c, env->scope, n.type, node, updates);
    else
        parts[1] = signal_bundle_new(c, env->scope, signal_type_value(c, n.type), node);
    SIGNAL_REQUIRE(parts[1]);
    SignalBundle input = join_parts(c, node, parts, 2);
    SIGNAL_REQUIRE(input);
    SignalBundle body = apply(c, env, &input, n.children[1]);
    SIGNAL_REQUIRE(body);
    const SignalType *t = signal_type(c, body.type);
    if (t->kind != SIGNAL_TYPE_TUPLE || t->part_count != 2)
        return wrong(c, node, n.children[1], "a function that gives a pair", &body);
    SignalBundle result = signal_bundle_part(c, &body, 0), feedback = signal_bundle_part(c, &body, 1);
    if (feedback.type != parts[1].type)
        return signal_fail(c, FILO_ERROR_KIND, "%s: its feedback is declared as %s, and %s gives %s",
                           signal_label(c, node), signal_type_text(c, parts[1].type),
                           signal_label(c, n.children[1]), signal_type_text(c, feedback.type));
    if (n.kind == SIGNAL_LOOP)
        return close_loop(c, env->scope, node, &parts[1], &feedback).type == 0 ? none : result;
    signal_pre_close(c, env->scope, updates, &feedback);
    return result;
}

static SignalBundle rec(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    if (n.child_count == 0 || n.type == NULL)
        return signal_fail(c, FILO_ERROR_DATA, "%s has no %s", signal_label(c, node),
                           n.type == NULL ? "type" : "definition: call filo_sf_close");
    SignalBundle placeholder = signal_bundle_new(c, env->scope, signal_type_value(c, n.type), node);
    SIGNAL_REQUIRE(placeholder);
    memo_set(c, env->number, node, &placeholder);
    SignalBundle definition = signal_compile(c, env, n.children[0]);
    SIGNAL_REQUIRE(definition);
    return close_loop(c, env->scope, node, &placeholder, &definition);
}

static SignalBundle get(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle x = signal_compile(c, env, n.children[0]);
    SIGNAL_REQUIRE(x);
    const SignalType *t = signal_type(c, x.type);
    if (t->kind != SIGNAL_TYPE_TUPLE) {
        if (n.number == 0 && c->builder->nodes[n.children[0]].kind == SIGNAL_INPUT)
            return x; // the only input
        return wrong(c, node, n.children[0], "a tuple", &x);
    }
    if (n.number >= t->part_count)
        return signal_fail(c, FILO_ERROR_KIND, "%s: element %u of %s, which has %u", signal_label(c, node),
                           n.number, signal_label(c, n.children[0]), t->part_count);
    return signal_bundle_part(c, &x, n.number);
}

static SignalBundle tuple(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle parts[FILO_SF_LEAVES];
    for (uint32_t i = 0; i < n.number; i++) {
        parts[i] = signal_compile(c, env, n.list[i]);
        SIGNAL_REQUIRE(parts[i]);
    }
    return join_parts(c, node, parts, n.number);
}

static SignalBundle in_named(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    if (env->scope->parent != NULL || env->bundle.type != env->scope->input.type ||
        memcmp(env->bundle.registers, env->scope->input.registers, env->bundle.count * sizeof(uint32_t)) != 0)
        return signal_fail(c, FILO_ERROR_DATA,
                           "%s: inside a branch or an argument the input is another: use filo_sf_in",
                           signal_label(c, node));
    return c->builder->input_count == 1 ? env->bundle : signal_bundle_part(c, &env->bundle, n.number);
}

static SignalBundle named(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle x = signal_compile(c, env, n.children[0]);
    SIGNAL_REQUIRE(x);
    if (n.name == NULL) return x;
    char *name = signal_alloc(c, strlen(n.name) + 1);
    if (name == NULL) return (SignalBundle){ 0 };
    memcpy(name, n.name, strlen(n.name) + 1);
    for (uint32_t i = 0; i < x.count; i++) {
        SignalRegister *r = &env->scope->program->registers[x.registers[i]];
        if (r->name == NULL) r->name = name;
    }
    return x;
}

// ---- Either ----------------------------------------------------------------------------------------------------------------

static SignalBundle either(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle parts[3];
    for (int i = 0; i < 3; i++) {
        parts[i] = signal_compile(c, env, n.children[i]);
        SIGNAL_REQUIRE(parts[i]);
    }
    if (!signal_same_type(value_type(c, &parts[0]), FILO_TYPE(bool)))
        return wrong(c, node, n.children[0], "a bool", &parts[0]);
    SignalBundle out = join_parts(c, node, parts, 3);
    SIGNAL_REQUIRE(out);
    out.type = signal_type_either(c, parts[1].type, parts[2].type);
    return out;
}

static SignalBundle either_part(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle x = signal_compile(c, env, n.children[0]);
    SIGNAL_REQUIRE(x);
    if (signal_type(c, x.type)->kind != SIGNAL_TYPE_EITHER)
        return wrong(c, node, n.children[0], "an either", &x);
    if (n.kind == SIGNAL_IS_LEFT) return single(signal_type_value(c, FILO_TYPE(bool)), x.registers[0]);
    bool left = n.kind == SIGNAL_LEFT_VALUE;
    SignalBundle part = signal_bundle_part(c, &x, left ? 0 : 1);
    if (n.value == NULL || part.type != signal_type_value(c, n.type))
        return signal_fail(c, FILO_ERROR_KIND, "%s is %s, and the value otherwise is %s",
                           signal_label(c, node), signal_type_text(c, part.type),
                           n.type != NULL ? n.type->name : "missing");
    SignalBundle otherwise =
        single(part.type, signal_constant(c, env->scope, (uint32_t)n.type->size, n.type, n.value, node));
    if (c->problem.code != FILO_OK) return (SignalBundle){ 0 };
    return left ? select_bundles(c, env, node, x.registers[0], &part, &otherwise)
                : select_bundles(c, env, node, x.registers[0], &otherwise, &part);
}

// ---- All nodes ----------------------------------------------------------------------------------------------------------------

static SignalBundle dispatch(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    const SignalNode *n = &c->builder->nodes[node];
    switch (n->kind) {
    case SIGNAL_INPUT: return env->bundle;
    case SIGNAL_GET: return get(c, env, node);
    case SIGNAL_IN_NAMED: return in_named(c, env, node);
    case SIGNAL_CONSTANT:
        return single(signal_type_value(c, n->type),
                      signal_constant(c, env->scope, (uint32_t)n->type->size, n->type, n->value, node));
    case SIGNAL_NAMED: return named(c, env, node);
    case SIGNAL_ARR: return arr(c, env, node);
    case SIGNAL_ADD:
    case SIGNAL_SUB:
    case SIGNAL_MUL:
    case SIGNAL_DIV:
    case SIGNAL_MIN:
    case SIGNAL_MAX: return binary(c, env, node);
    case SIGNAL_NEGATE:
    case SIGNAL_ABS:
    case SIGNAL_SCALE:
    case SIGNAL_SIN:
    case SIGNAL_COS:
    case SIGNAL_SQRT:
    case SIGNAL_LENGTH: return unary(c, env, node);
    case SIGNAL_DOT:
    case SIGNAL_LESS:
    case SIGNAL_GREATER:
    case SIGNAL_EQUAL: return compare(c, env, node);
    case SIGNAL_AND:
    case SIGNAL_OR:
    case SIGNAL_NOT: return logic(c, env, node);
    case SIGNAL_SELECT: return select_node(c, env, node);
    case SIGNAL_FIELD: return field(c, env, node);
    case SIGNAL_FOLD: return fold(c, env, node);
    case SIGNAL_COMPOSE: {
        SignalBundle x = signal_compile(c, env, n->children[0]);
        SIGNAL_REQUIRE(x);
        return apply(c, env, &x, c->builder->nodes[node].children[1]);
    }
    case SIGNAL_TUPLE: return tuple(c, env, node);
    case SIGNAL_FIRST:
    case SIGNAL_SECOND:
    case SIGNAL_PARALLEL: return parallel(c, env, node);
    case SIGNAL_LOOP:
    case SIGNAL_LOOP_PRE:
    case SIGNAL_LOOP_INTEGRAL: return loop(c, env, node);
    case SIGNAL_REC: return rec(c, env, node);
    case SIGNAL_EITHER: return either(c, env, node);
    case SIGNAL_IS_LEFT:
    case SIGNAL_LEFT_VALUE:
    case SIGNAL_RIGHT_VALUE: return either_part(c, env, node);
    case SIGNAL_LEFT:
    case SIGNAL_RIGHT:
    case SIGNAL_PAUSE: return signal_compile_sub(c, env, node);
    case SIGNAL_SWITCH:
    case SIGNAL_R_SWITCH:
    case SIGNAL_K_SWITCH:
    case SIGNAL_START: return signal_compile_switch(c, env, node);
    case SIGNAL_PARAMETER: return signal_compile_parameter(c, env, node);
    case SIGNAL_OLD: return signal_compile_old(c, env, node);
    case SIGNAL_COLLECTION: return signal_compile_collection(c, env, node);
    case SIGNAL_TIME:
    case SIGNAL_INTEGRAL:
    case SIGNAL_TRAPEZOID:
    case SIGNAL_IM_INTEGRAL:
    case SIGNAL_IMPULSE_INTEGRAL:
    case SIGNAL_DERIVATIVE:
    case SIGNAL_I_PRE:
    case SIGNAL_PRE:
    case SIGNAL_DELAY:
    case SIGNAL_INITIALLY:
    case SIGNAL_INITIALLY_BY:
    case SIGNAL_SSCAN:
    case SIGNAL_ITER_FROM:
    case SIGNAL_NOISE: return signal_compile_time(c, env, node);
    default: return signal_compile_event(c, env, node);
    }
}

#define DEPTH 1000 // of nodes inside each other

SignalBundle signal_compile(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    if (c->problem.code != FILO_OK || !memo_grow(c)) return (SignalBundle){ 0 };
    if (node == 0) return signal_fail(c, FILO_ERROR_ARGUMENT, "a signal is {0}");
    const SignalMemo *memo = &c->memos[memo_slot(c, env->number, node)];
    if (memo->env != 0) return memo->bundle;
    if (c->depth >= DEPTH)
        return signal_fail(c, FILO_ERROR_LIMIT, "%s: more than %d nodes inside each other",
                           signal_label(c, node), DEPTH);
    c->depth++;
    SignalBundle bundle = dispatch(c, env, node);
    c->depth--;
    if (c->problem.code != FILO_OK) return (SignalBundle){ 0 };
    memo_set(c, env->number, node, &bundle);
    return bundle;
}
