// Random trees (ast.h): well typed, each loop with a delay, switches in circles only where a switch is all that a branch is.

#ifndef FILO_TEST_SIGNAL_GENERATE_H
#define FILO_TEST_SIGNAL_GENERATE_H

#include "ast.h"

#define GENERATE_POOL 24

typedef struct Scope {
    const Type *in;
    int branch; // that the scope is in, whose parameter can be used; -1: none
    const Node *recs[3];
    int rec_count;
    Node *pool[GENERATE_POOL]; // nodes of this scope that may be used again
    int pool_count;
} Scope;

typedef struct Generate {
    uint64_t random;
    Program *program;
    int budget; // nodes
} Generate;

static inline Node *generate(Generate *g, Scope *scope, const Type *type, int depth);

// ---- Choices ----------------------------------------------------------------------------------------------------

static inline int generate_below(Generate *g, int n) { return (int)(test_random(&g->random) % (uint32_t)n); }
static inline bool generate_chance(Generate *g, int percent) { return generate_below(g, 100) < percent; }

// Multiples of 1/8: sums of times are exact.
static inline float generate_seconds(Generate *g, int least) {
    return (float)(least + generate_below(g, 16)) / 8;
}

static inline float generate_number(Generate *g) {
    return generate_chance(g, 30) ? 0.1f * (float)(generate_below(g, 61) - 30)
                                  : 0.5f * (float)(generate_below(g, 17) - 8);
}

static inline const Value *generate_value(Generate *g, const Type *type) {
    switch ((int)type->kind) {
    case TYPE_UNIT: return &value_unit;
    case TYPE_FLOAT: return value_float(generate_number(g));
    case TYPE_VEC2: {
        float x = generate_number(g), y = generate_number(g);
        return value_vec2(x, y);
    }
    case TYPE_INT: return value_int(generate_below(g, 21) - 10);
    case TYPE_BOOL: return value_bool(generate_chance(g, 50));
    case TYPE_EVENT:
        return type->of[0]->kind != TYPE_UNIT && generate_chance(g, 50)
                   ? value_event(generate_value(g, type->of[0]))
                   : &value_no_event;
    default: return value_zero(type);
    }
}

static inline const Type *generate_plain_type(Generate *g) {
    int n = generate_below(g, 10);
    return n < 6 ? &type_float : n < 7 ? &type_vec2 : n < 8 ? &type_int : &type_bool;
}
static inline const Type *generate_event_type(Generate *g) {
    int n = generate_below(g, 10);
    return n < 6 ? &type_event_float : n < 8 ? &type_event_unit : n < 9 ? &type_event_int : &type_event_vec2;
}
static inline const Type *generate_type(Generate *g) {
    if (generate_chance(g, 8)) {
        const Type *plain = generate_plain_type(g), *event = generate_event_type(g);
        return type_pair(plain, event);
    }
    return generate_chance(g, 70) ? generate_plain_type(g) : generate_event_type(g);
}

// ---- Leaves -----------------------------------------------------------------------------------------------------

static inline int generate_paths(const Scope *scope, Node *from, const Type *type, Node **found, int count) {
    (void)scope;
    if (count < 8 && type_equal(from->type, type)) found[count++] = from;
    if (from->type->kind != TYPE_TUPLE) return count;
    for (int i = 0; i < from->type->count; i++) {
        Node *get = ast_new(OP_GET, from->type->of[i], from, NULL, NULL);
        get->n = i;
        count = generate_paths(scope, get, type, found, count);
    }
    return count;
}

static inline Node *generate_constant(Generate *g, const Type *type) {
    Node *node = ast_new(OP_CONSTANT, type, NULL, NULL, NULL);
    node->value = generate_value(g, type);
    return node;
}

static inline Node *generate_leaf(Generate *g, Scope *scope, const Type *type) {
    Node *found[16];
    int count = generate_paths(scope, ast_new(OP_INPUT, scope->in, NULL, NULL, NULL), type, found, 0);
    for (int i = 0; i < scope->rec_count; i++)
        if (type_equal(scope->recs[i]->x[2]->type, type)) found[count++] = scope->recs[i]->x[2];
    if (scope->branch >= 0) {
        const Type *parameter = g->program->branches[scope->branch].parameter;
        if (parameter != NULL && type_equal(parameter, type)) {
            found[count] = ast_new(OP_PARAMETER, type, NULL, NULL, NULL);
            found[count++]->branch = scope->branch;
        }
    }
    if (type->kind == TYPE_FLOAT && generate_chance(g, 10)) return ast_new(OP_TIME, type, NULL, NULL, NULL);
    if (count > 0 && generate_chance(g, 85)) return found[generate_below(g, count)];
    switch ((int)type->kind) {
    case TYPE_TUPLE: {
        Node *parts[3] = { NULL };
        for (int i = 0; i < type->count && i < 3; i++) parts[i] = generate_leaf(g, scope, type->of[i]);
        return ast_new(OP_TUPLE, type, parts[0], parts[1], parts[2]);
    }
    case TYPE_EITHER: {
        Node *which = generate_leaf(g, scope, &type_bool), *left = generate_leaf(g, scope, type->of[0]);
        return ast_new(OP_EITHER, type, which, left, generate_leaf(g, scope, type->of[1]));
    }
    case TYPE_EVENT: {
        static const Op sources[] = { OP_NEVER, OP_NOW, OP_AFTER, OP_REPEATEDLY, OP_REPEATEDLY };
        if (type->of[0]->kind == TYPE_FLOAT && generate_chance(g, 25)) {
            Node *node = ast_new(OP_AFTER_EACH, type, NULL, NULL, NULL);
            node->value = generate_value(g, &type_float);
            node->n = 1 + generate_below(g, 5);
            node->seconds = generate_seconds(g, 1);
            node->level = generate_below(g, 4);
            return node;
        }
        Node *node = ast_new(sources[generate_below(g, 5)], type, NULL, NULL, NULL);
        if (node->op != OP_NEVER) node->value = generate_value(g, type->of[0]);
        if (node->op == OP_AFTER) node->seconds = generate_seconds(g, 0);
        if (node->op == OP_REPEATEDLY) node->seconds = generate_seconds(g, 1);
        return node;
    }
    default: return generate_constant(g, type);
    }
}

// ---- Arguments and branches -------------------------------------------------------------------------------------

// A signal function in a scope of its own. It may use the parameter of the branch around it.
static inline Node *generate_argument(Generate *g, const Scope *around, const Type *in, const Type *out,
                                      int depth) {
    Scope scope = { .in = in, .branch = around->branch };
    return generate(g, &scope, out, depth);
}

// The same scope without its variables.
static inline Scope generate_closed(const Scope *scope) {
    Scope closed = { .in = scope->in, .branch = scope->branch };
    for (int i = 0; i < scope->pool_count; i++)
        if (!scope->pool[i]->open) closed.pool[closed.pool_count++] = scope->pool[i];
    return closed;
}

static inline bool generate_has_room(const Generate *g) {
    return g->budget > 0 && g->program->branch_count < AST_BRANCHES - 4;
}

static inline int generate_declare(Generate *g, const Type *in, const Type *parameter, const Type *out) {
    int branch = g->program->branch_count++;
    g->program->branches[branch] = (Branch){ .in = in, .parameter = parameter, .out = out };
    return branch;
}

static inline const Type *generate_event_for(const Type *parameter, Generate *g) {
    return parameter == NULL ? generate_event_type(g) : type_event(parameter);
}

// An event for an exit. Mostly not at time 0, so that switches do not chase each other.
static inline Node *generate_exit_event(Generate *g, Scope *scope, const Type *parameter, int depth,
                                        int not_yet) {
    const Type *type = generate_event_for(parameter, g);
    Node *event = generate(g, scope, type, depth);
    return generate_chance(g, not_yet) ? ast_new(OP_NOT_YET, type, event, NULL, NULL) : event;
}

// A switch that is all of a branch may lead to all branches of its group, also back.
static inline Node *generate_branch_body(Generate *g, Scope *scope, int first, int depth) {
    const Type *out = g->program->branches[first].out;
    Node *output = generate(g, scope, out, depth);
    if (generate_chance(g, 25)) return output;
    Node *node = ast_new(OP_SWITCH, out, output, NULL, NULL);
    node->delayed = generate_chance(g, 40);
    int count = 1 + generate_below(g, 2), last = g->program->branches[first].old ? first : first + 1;
    for (int i = 0; i < count; i++) {
        int to = first + generate_below(g, last - first + 1);
        const Type *parameter = g->program->branches[to].parameter;
        node->exits[node->exit_count++] =
            (Exit){ .event = generate_exit_event(g, scope, parameter, depth - 1, 90), .branch = to };
    }
    return node;
}

// A group of two branches that lead to each other. Returns the first; the second has the next number.
static inline int generate_group(Generate *g, const Type *in, const Type *out, int depth) {
    int first = generate_declare(g, in, generate_chance(g, 60) ? &type_float : NULL, out);
    int second = generate_declare(g, in, generate_chance(g, 40) ? &type_float : NULL, out);
    int bodies[2] = { first, second };
    for (int i = 0; i < 2; i++)
        g->program->branches[bodies[i]].definition = generate_constant(g, &type_float);
    for (int i = 0; i < 2; i++) {
        Scope inside = { .in = in, .branch = bodies[i] };
        g->program->branches[bodies[i]].definition = generate_branch_body(g, &inside, first, depth);
    }
    return first;
}

static inline Node *generate_switch(Generate *g, Scope *around, const Type *type, int depth) {
    Scope scope = generate_closed(around);
    bool recurring = generate_chance(g, 40);
    int group = generate_group(g, scope.in, type, depth - 1);
    Node *node =
        ast_new(recurring ? OP_R_SWITCH : OP_SWITCH, type, generate(g, &scope, type, depth - 1), NULL, NULL);
    node->delayed = generate_chance(g, 40);
    int count = 1 + generate_below(g, 2);
    for (int i = 0; i < count; i++) {
        int to = group + generate_below(g, 2);
        node->exits[node->exit_count++] = (Exit){
            .event = generate_exit_event(g, &scope, g->program->branches[to].parameter, depth - 1, 30),
            .branch = to,
        };
    }
    return node;
}

static inline Node *generate_start(Generate *g, Scope *around, const Type *type, int depth) {
    Node *node = ast_new(OP_START, type, NULL, NULL, NULL);
    node->branch = generate_group(g, around->in, type, depth - 1);
    node->branch += generate_below(g, 2);
    const Type *parameter = g->program->branches[node->branch].parameter;
    if (parameter != NULL) node->value = generate_value(g, parameter);
    return node;
}

static inline Node *generate_old(Op op, const Type *type, int branch) {
    Node *node = ast_new(op, type, NULL, NULL, NULL);
    node->branch = branch;
    return node;
}

// What is handed over new may not use the parameter of a branch.
static inline bool generate_uses_parameter(const Node *node) {
    if (node == NULL) return false;
    if (node->op == OP_PARAMETER) return true;
    for (int i = 0; i < 3; i++)
        if (generate_uses_parameter(node->x[i])) return true;
    for (int i = 0; i < 2; i++)
        if (generate_uses_parameter(node->f[i])) return true;
    for (int i = 0; i < node->exit_count; i++)
        if (generate_uses_parameter(node->exits[i].event)) return true;
    return false;
}

// `output` until an event, then a branch that runs it on, changes it, or pauses and resumes it again and again.
static inline Node *generate_k_switch(Generate *g, Scope *around, Node *output, int depth) {
    Scope scope = generate_closed(around);
    const Type *type = output->type;
    bool edited = output->op == OP_PAR && output->slot >= 0;
    int paused = generate_declare(g, scope.in, edited || generate_chance(g, 50) ? &type_float : NULL, type);
    int resumed = generate_declare(g, scope.in, NULL, type);
    Branch *branches = g->program->branches;
    branches[paused].old = branches[resumed].old = true;
    Scope inside = { .in = scope.in, .branch = paused };
    Node *old = generate_old(edited ? OP_OLD_EDITED : OP_OLD, type, paused);
    old->slot = output->slot;
    if (edited || type->kind == TYPE_LIST || generate_chance(g, 25)) {
        branches[paused].definition = old;
        if (generate_chance(g, 50)) { // again, which is edited again
            Node *again = ast_new(OP_K_SWITCH, type, old, NULL, NULL);
            again->delayed = generate_chance(g, 40);
            again->exits[again->exit_count++] = (Exit){
                .event = generate_exit_event(g, &inside, branches[paused].parameter, depth - 1, 100),
                .branch = paused,
            };
            branches[paused].definition = again;
        }
    } else if (type->kind == TYPE_FLOAT && generate_chance(g, 20)) {
        branches[paused].definition = ast_new(OP_CALL, type, old, NULL, NULL);
        branches[paused].definition->function = &sf_shrink;
    } else {
        Node *shown = generate(g, &inside, type, depth - 1);
        Node *wait = ast_new(OP_SWITCH, type, shown, NULL, NULL);
        wait->delayed = generate_chance(g, 40);
        wait->exits[wait->exit_count++] =
            (Exit){ generate_exit_event(g, &inside, NULL, depth - 1, 90), old, resumed };
        Node *other = generate_chance(g, 20) ? generate(g, &inside, type, depth - 1) : NULL;
        if (other != NULL && !generate_uses_parameter(other)) wait->exits[0].old = other; // a new one
        branches[paused].definition = wait;
    }
    Scope running = { .in = scope.in, .branch = resumed };
    Node *run = generate_old(OP_OLD, type, resumed);
    if (generate_chance(g, 70)) {
        run = ast_new(OP_K_SWITCH, type, run, NULL, NULL);
        run->delayed = generate_chance(g, 40);
        run->exits[run->exit_count++] =
            (Exit){ .event = generate_exit_event(g, &running, branches[paused].parameter, depth - 1, 90),
                    .branch = paused };
    }
    branches[resumed].definition = run;
    if (!edited && !generate_uses_parameter(output) && generate_chance(g, 20)) { // paused from time 0 on
        Node *start = ast_new(OP_START, type, output, NULL, NULL);
        start->branch = paused;
        if (branches[paused].parameter != NULL) start->value = generate_value(g, branches[paused].parameter);
        return start;
    }
    Node *node = ast_new(OP_K_SWITCH, type, output, NULL, NULL);
    node->delayed = generate_chance(g, 40);
    node->exits[node->exit_count++] =
        (Exit){ .event = generate_exit_event(g, &scope, branches[paused].parameter, depth - 1, 30),
                .branch = paused };
    return node;
}

// A list of floats.
static inline Node *generate_collection(Generate *g, Scope *around, int depth) {
    Scope scope = generate_closed(around);
    bool routed = generate_chance(g, 30);
    const Type *in = routed || generate_chance(g, 60) ? &type_float : type_pair(&type_float, &type_bool);
    bool rp = g->program->slots < AST_SLOTS && generate_chance(g, 60);
    int slot = rp ? g->program->slots++ : -1;
    Node *x = generate(g, &scope, in, depth - 1);
    Node *node = ast_new(rp ? OP_RP_SWITCH : OP_PAR, ast_list(&type_float), x, NULL, NULL);
    node->routed = routed;
    node->n = 2 + generate_below(g, 4);
    node->kind_count = 1 + generate_below(g, 2);
    for (int i = 0; i < node->kind_count; i++) {
        int branch = generate_declare(g, in, &type_float, &type_float);
        node->kinds[i] = branch;
        Scope inside = { .in = in, .branch = branch };
        g->program->branches[branch].definition = generate_constant(g, &type_float);
        g->program->branches[branch].definition = generate(g, &inside, &type_float, depth - 1);
    }
    node->member_count = generate_below(g, FILO_MIN(AST_MEMBERS, node->n) + 1);
    for (int i = 0; i < node->member_count; i++) {
        node->members[i] = generate_below(g, node->kind_count);
        node->parameters[i] = generate_value(g, &type_float);
    }
    if (rp) {
        node->slot = slot;
        node->delayed = generate_chance(g, 40);
        node->x[1] = generate(g, &scope, &type_event_float, depth - 1);
        return node;
    }
    if (!generate_chance(g, 60) || !generate_has_room(g)) return node;
    if (g->program->slots < AST_SLOTS && generate_chance(g, 60)) node->slot = g->program->slots++;
    return generate_k_switch(g, &scope, node, depth - 1);
}

static inline Node *generate_fold(Generate *g, Node *list, const Type *type) {
    Node *node = ast_new(OP_FOLD, type, list, NULL, NULL);
    node->function = &sf_mix;
    node->value = generate_value(g, &type_float);
    return node;
}

#include "generate_types.h"

#endif
