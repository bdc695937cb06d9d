// Compiling nodes: what is known already, and which function compiles which kind.

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

void signal_memo(SignalCompiler *c, const SignalEnv *env, uint32_t node, const SignalBundle *bundle,
                 bool open) {
    memo_set(c, env->number, node, bundle);
    if (c->problem.code == FILO_OK) c->memos[memo_slot(c, env->number, node)].open = open;
}

bool signal_memo_open(SignalCompiler *c, SignalScope *scope, uint32_t node, SignalBundle *bundle) {
    if (!memo_grow(c)) return false;
    for (const SignalEnv *e = c->envs; e != NULL; e = e->next) {
        const SignalMemo *memo = &c->memos[memo_slot(c, e->number, node)];
        if (e->scope != scope || memo->env == 0 || !memo->open) continue;
        *bundle = memo->bundle;
        return true;
    }
    return false;
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

// ---- All nodes ----------------------------------------------------------------------------------------------------------------

static SignalBundle dispatch(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    const SignalNode *n = &c->builder->nodes[node];
    switch (n->kind) {
    case SIGNAL_CONSTANT:
        return signal_single(
            signal_type_value(c, n->type),
            signal_constant(c, env->scope, (uint32_t)n->type->size, n->type, n->value, node));
    case SIGNAL_ARR:
    case SIGNAL_ADD:
    case SIGNAL_SUB:
    case SIGNAL_MUL:
    case SIGNAL_DIV:
    case SIGNAL_MIN:
    case SIGNAL_MAX:
    case SIGNAL_NEGATE:
    case SIGNAL_ABS:
    case SIGNAL_SCALE:
    case SIGNAL_SIN:
    case SIGNAL_COS:
    case SIGNAL_SQRT:
    case SIGNAL_LENGTH:
    case SIGNAL_DOT:
    case SIGNAL_LESS:
    case SIGNAL_GREATER:
    case SIGNAL_EQUAL:
    case SIGNAL_AND:
    case SIGNAL_OR:
    case SIGNAL_NOT:
    case SIGNAL_SELECT:
    case SIGNAL_FIELD:
    case SIGNAL_FOLD: return signal_compile_value(c, env, node);
    case SIGNAL_INPUT:
    case SIGNAL_GET:
    case SIGNAL_NAMED:
    case SIGNAL_COMPOSE:
    case SIGNAL_TUPLE:
    case SIGNAL_FIRST:
    case SIGNAL_SECOND:
    case SIGNAL_PARALLEL:
    case SIGNAL_LOOP:
    case SIGNAL_LOOP_PRE:
    case SIGNAL_LOOP_INTEGRAL:
    case SIGNAL_REC:
    case SIGNAL_EITHER:
    case SIGNAL_IS_LEFT:
    case SIGNAL_LEFT_VALUE:
    case SIGNAL_RIGHT_VALUE: return signal_compile_composition(c, env, node);
    case SIGNAL_LEFT:
    case SIGNAL_RIGHT:
    case SIGNAL_PAUSE: return signal_compile_sub(c, env, node);
    case SIGNAL_SWITCH:
    case SIGNAL_R_SWITCH:
    case SIGNAL_K_SWITCH:
    case SIGNAL_START: return signal_compile_switch(c, env, node);
    case SIGNAL_OUTER:
    case SIGNAL_IN_NAMED: return signal_compile_outer(c, env, node);
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

// A definition of filo_sf_rec that is met before the signal itself is compiled as that signal, so that branches inside of it find
// the loop, and the definition is there once.
static bool starts_loop(SignalCompiler *c, const SignalEnv *env, uint32_t rec) {
    if (rec == 0 || c->memos[memo_slot(c, env->number, rec)].env != 0) return false;
    SignalBundle bundle;
    for (SignalScope *outer = env->scope->parent; outer != NULL; outer = outer->parent)
        if (signal_memo_open(c, outer, rec, &bundle)) return false;
    return true;
}

SignalBundle signal_compile(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    if (c->problem.code != FILO_OK || !memo_grow(c)) return (SignalBundle){ 0 };
    if (node == 0) return signal_fail(c, FILO_ERROR_ARGUMENT, "a signal is {0}");
    const SignalMemo *memo = &c->memos[memo_slot(c, env->number, node)];
    if (memo->env != 0) return memo->bundle;
    if (c->depth >= DEPTH)
        return signal_fail(c, FILO_ERROR_LIMIT, "%s: more than %d nodes inside each other",
                           signal_label(c, node), DEPTH);
    uint32_t rec = c->builder->nodes[node].closes;
    c->depth++;
    SignalBundle bundle = starts_loop(c, env, rec) ? signal_compile(c, env, rec) : dispatch(c, env, node);
    c->depth--;
    if (c->problem.code != FILO_OK) return (SignalBundle){ 0 };
    memo_set(c, env->number, node, &bundle);
    return bundle;
}
