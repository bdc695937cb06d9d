// Compiling nodes of values: arithmetic, functions, lists.

#include "signal/compile/compile.h"
#include "signal/run/run.h"

// ---- Helpers ------------------------------------------------------------------------------------------------------

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
    const FiloType *a = signal_value_type(c, x.type), *b = signal_value_type(c, y.type);
    uint32_t lanes = a != NULL ? signal_lanes(a) : 0, which = (uint32_t)(n.kind - SIGNAL_ADD);
    bool integer = signal_same_type(a, FILO_TYPE(int32_t)) || signal_same_type(a, FILO_TYPE(int));
    if (lanes == 0 && !integer) return signal_wrong(c, node, n.children[0], "floats, vectors or int32_t", &x);
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
    const FiloType *a = signal_value_type(c, x.type);
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
        return signal_wrong(c, node, n.children[0],
                            n.kind == SIGNAL_LENGTH ? "a vector"
                            : n.kind == SIGNAL_SIN || n.kind == SIGNAL_COS || n.kind == SIGNAL_SQRT
                                ? "a float"
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
    const FiloType *a = signal_value_type(c, x.type), *b = signal_value_type(c, y.type);
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
        return signal_wrong(c, node, n.children[0], n.kind == SIGNAL_DOT ? "vectors" : "floats or int32_t",
                            &x);
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
        if (!signal_same_type(signal_value_type(c, operands[i].type), FILO_TYPE(bool)))
            return signal_wrong(c, node, n.children[i], "bools", &operands[i]);
    }
    SignalKernel run = n.kind == SIGNAL_AND  ? signal_run_and
                       : n.kind == SIGNAL_OR ? signal_run_or
                                             : signal_run_not;
    return operation(c, env, node, run, FILO_TYPE(bool), 0, operands[0].registers[0],
                     n.child_count > 1 ? operands[1].registers[0] : SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER);
}

// x where the byte in `condition` is 1, else y, leaf by leaf.
SignalBundle signal_select(SignalCompiler *c, SignalEnv *env, uint32_t node, uint32_t condition,
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
    if (!signal_same_type(signal_value_type(c, condition.type), FILO_TYPE(bool)))
        return signal_wrong(c, node, n.children[0], "a bool", &condition);
    SignalBundle x = signal_compile(c, env, n.children[1]), y = signal_compile(c, env, n.children[2]);
    SIGNAL_REQUIRE(x);
    SIGNAL_REQUIRE(y);
    if (x.type != y.type) return differ(c, node, n.children[1], &x, n.children[2], &y);
    return signal_select(c, env, node, condition.registers[0], &x, &y);
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
    const FiloType *type = signal_value_type(c, values.type);
    if (type == NULL || type->kind != FILO_KIND_STRUCT)
        return signal_wrong(c, node, n.children[0], "a struct", &x);
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
    if (list->kind != SIGNAL_TYPE_LIST) return signal_wrong(c, node, n.children[0], "a list", &x);
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

SignalBundle signal_compile_value(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    switch (c->builder->nodes[node].kind) {
    case SIGNAL_ARR: return arr(c, env, node);
    case SIGNAL_ADD:
    case SIGNAL_SUB:
    case SIGNAL_MUL:
    case SIGNAL_DIV:
    case SIGNAL_MIN:
    case SIGNAL_MAX: return binary(c, env, node);
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
    default: return unary(c, env, node);
    }
}
