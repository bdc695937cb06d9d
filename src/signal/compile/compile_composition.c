// Compiling composition: tuples, loops, either.

#include "signal/compile/compile.h"
#include "signal/run/run.h"

// ---- Composition --------------------------------------------------------------------------------------------------------

// x, which must be a pair.
static SignalBundle pair_of(SignalCompiler *c, SignalEnv *env, uint32_t node, uint32_t child) {
    SignalBundle x = signal_compile(c, env, child);
    SIGNAL_REQUIRE(x);
    const SignalType *t = signal_type(c, x.type);
    if (t->kind != SIGNAL_TYPE_TUPLE || t->part_count != 2) return signal_wrong(c, node, child, "a pair", &x);
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
        return signal_wrong(c, node, n.children[1], "a function that gives a pair", &body);
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
    SignalBundle outside = signal_open_rec(c, env->scope, node); // a branch inside of its own loop
    if (outside.type != 0 || c->problem.code != FILO_OK) return outside;
    SignalBundle placeholder = signal_bundle_new(c, env->scope, signal_type_value(c, n.type), node);
    SIGNAL_REQUIRE(placeholder);
    signal_memo(c, env, node, &placeholder, true);
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
        return signal_wrong(c, node, n.children[0], "a tuple", &x);
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
    if (!signal_same_type(signal_value_type(c, parts[0].type), FILO_TYPE(bool)))
        return signal_wrong(c, node, n.children[0], "a bool", &parts[0]);
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
        return signal_wrong(c, node, n.children[0], "an either", &x);
    if (n.kind == SIGNAL_IS_LEFT) return signal_single(signal_type_value(c, FILO_TYPE(bool)), x.registers[0]);
    bool left = n.kind == SIGNAL_LEFT_VALUE;
    SignalBundle part = signal_bundle_part(c, &x, left ? 0 : 1);
    if (n.value == NULL || part.type != signal_type_value(c, n.type))
        return signal_fail(c, FILO_ERROR_KIND, "%s is %s, and the value otherwise is %s",
                           signal_label(c, node), signal_type_text(c, part.type),
                           n.type != NULL ? n.type->name : "missing");
    SignalBundle otherwise = signal_single(
        part.type, signal_constant(c, env->scope, (uint32_t)n.type->size, n.type, n.value, node));
    if (c->problem.code != FILO_OK) return (SignalBundle){ 0 };
    return left ? signal_select(c, env, node, x.registers[0], &part, &otherwise)
                : signal_select(c, env, node, x.registers[0], &otherwise, &part);
}

SignalBundle signal_compile_composition(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    const SignalNode *n = &c->builder->nodes[node];
    switch (n->kind) {
    case SIGNAL_INPUT: return env->bundle;
    case SIGNAL_GET: return get(c, env, node);
    case SIGNAL_NAMED: return named(c, env, node);
    case SIGNAL_COMPOSE: {
        SignalBundle x = signal_compile(c, env, n->children[0]);
        SIGNAL_REQUIRE(x);
        return apply(c, env, &x, c->builder->nodes[node].children[1]);
    }
    case SIGNAL_TUPLE: return tuple(c, env, node);
    case SIGNAL_LOOP:
    case SIGNAL_LOOP_PRE:
    case SIGNAL_LOOP_INTEGRAL: return loop(c, env, node);
    case SIGNAL_REC: return rec(c, env, node);
    case SIGNAL_EITHER: return either(c, env, node);
    case SIGNAL_IS_LEFT:
    case SIGNAL_LEFT_VALUE:
    case SIGNAL_RIGHT_VALUE: return either_part(c, env, node);
    default: return parallel(c, env, node);
    }
}
