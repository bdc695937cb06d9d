// Networks as trees, for tests: denote.h gives a tree a meaning by the naive interpreter, build.h writes it with the
// functions of filo/signal.h, generate.h makes random ones.
//
// A node is a signal function of the input of its scope. Scopes are the network, branches, and arguments that are
// applied to another signal. A node may be used at several places of its scope.

#ifndef FILO_TEST_SIGNAL_AST_H
#define FILO_TEST_SIGNAL_AST_H

#include "functions.h"
#include "primitives.h"

// Operation, and its name in messages.
// clang-format off
#define AST_OPS(X)                                                                                           \
    X(INPUT) X(CONSTANT) X(TIME) X(PARAMETER) X(OLD) X(OLD_EDITED) X(VARIABLE) X(CALL) X(ADD) X(SUB)         \
    X(MUL) X(DIV) X(MIN) X(MAX) X(NEGATE) X(ABS) X(SCALE) X(SQRT) X(LENGTH) X(DOT) X(LESS) X(GREATER)        \
    X(EQUAL) X(AND) X(OR) X(NOT) X(SELECT) X(FIELD) X(COMPOSE) X(TUPLE) X(GET) X(FIRST) X(SECOND)            \
    X(PARALLEL) X(LOOP) X(LOOP_PRE) X(LOOP_INTEGRAL) X(REC) X(EITHER) X(IS_LEFT) X(LEFT_VALUE)               \
    X(RIGHT_VALUE) X(LEFT) X(RIGHT) X(INTEGRAL) X(TRAPEZOID) X(IM_INTEGRAL) X(IMPULSE_INTEGRAL)              \
    X(DERIVATIVE) X(I_PRE) X(FBY) X(DELAY) X(INITIALLY) X(INITIALLY_BY) X(INITIALLY_PRE) X(SSCAN)            \
    X(ITER_FROM) X(PAUSE) X(NEVER) X(NOW) X(AFTER) X(REPEATEDLY) X(AFTER_EACH) X(AFTER_EACH_CAT) X(EDGE)     \
    X(I_EDGE) X(EDGE_TAG) X(EDGE_JUST) X(EDGE_BY) X(SNAP) X(SNAP_AFTER) X(SAMPLE) X(EVENT_WHEN)              \
    X(SAMPLE_WINDOW) X(NOT_YET) X(ONCE) X(TAKE) X(DROP) X(TAG) X(ATTACH) X(JOIN) X(SPLIT) X(L_MERGE)         \
    X(R_MERGE) X(MERGE_BY) X(FILTER) X(MAP_FILTER) X(GATE) X(IS_EVENT) X(FROM_EVENT) X(DELAY_EVENT)          \
    X(DELAY_EVENT_CAT) X(RECUR) X(AND_THEN) X(HOLD) X(D_HOLD) X(TRACK_AND_HOLD) X(D_TRACK_AND_HOLD)          \
    X(ACCUM) X(ACCUM_BY) X(ACCUM_HOLD) X(ACCUM_HOLD_BY) X(D_ACCUM_HOLD) X(D_ACCUM_HOLD_BY) X(ACCUM_FILTER)   \
    X(COUNT) X(START) X(SWITCH) X(R_SWITCH) X(K_SWITCH) X(PROVIDED) X(PAR) X(RP_SWITCH) X(FOLD)
// clang-format on

typedef enum Op {
#define AST_OP(name) OP_##name,
    AST_OPS(AST_OP)
#undef AST_OP
} Op;

static const char *const ast_names[] = {
#define AST_OP(name) #name,
    AST_OPS(AST_OP)
#undef AST_OP
};

typedef struct Node Node;

typedef struct Exit {
    Node *event, *old;
    int branch;
} Exit;

#define AST_MEMBERS  3
#define AST_KINDS    2
#define AST_BRANCHES 24
#define AST_EXITS    3
#define AST_SLOTS    4 // collections with an edit function

struct Node {
    Op op;
    const Type *type;
    Node *x[3]; // in the scope of the node
    Node *f[2]; // in scopes of their own
    const Value *value;
    float seconds;
    int n; // element, count, capacity, side
    bool delayed;
    const FiloSfFunction *function, *filter;
    const Node *rec; // of a variable
    int level;       // of a rec, in its scope
    int branch;      // of a parameter, an old one, a start
    Exit exits[AST_EXITS];
    int exit_count;
    // Collections:
    int kinds[AST_KINDS], kind_count;
    int members[AST_MEMBERS], member_count; // indices into kinds
    const Value *parameters[AST_MEMBERS];
    int slot;
    bool routed;
    bool open; // uses a variable of its scope
    // While it is built:
    bool built;
    FiloSf sf;
};

typedef struct Branch {
    const Type *in, *parameter, *out; // parameter NULL: none
    bool old;
    Node *definition;
    FiloSfBranch sf;
} Branch;

typedef struct Program {
    Node *root;
    const Type *in;
    Branch branches[AST_BRANCHES];
    int branch_count;
    int slots; // in use
} Program;

static inline Node *ast_new(Op op, const Type *type, Node *a, Node *b, Node *c) {
    Node *node = value_allocate(sizeof *node);
    node->op = op;
    node->type = type;
    node->x[0] = a;
    node->x[1] = b;
    node->x[2] = c;
    node->branch = -1;
    node->slot = -1;
    node->open = op == OP_VARIABLE;
    for (int i = 0; i < 3; i++)
        if (node->x[i] != NULL && node->x[i]->open) node->open = true;
    return node;
}

// The elements of after_each, which are floats.
static inline float ast_schedule_seconds(const Node *node, int i) {
    return node->seconds * (float)((i * 3 + node->level) % 4);
}
static inline const Value *ast_schedule_value(const Node *node, int i) {
    return value_float(node->value->f + (float)i);
}

static inline const Type *ast_list(const Type *of) { return type_of2(TYPE_LIST, of, NULL); }

// ---- Printing ---------------------------------------------------------------------------------------------------

static inline void ast_print_node(const Node *node, int depth) {
    if (node == NULL) return;
    fprintf(stderr, "%*s%s : ", 2 * depth, "", ast_names[node->op]);
    type_print(node->type);
    if (node->value != NULL) {
        fputs(" value=", stderr);
        value_print(node->value);
    }
    if (node->seconds != 0) fprintf(stderr, " seconds=%g", (double)node->seconds);
    if (node->n != 0) fprintf(stderr, " n=%d", node->n);
    if (node->delayed) fputs(" delayed", stderr);
    if (node->function != NULL) fprintf(stderr, " %s", node->function->name);
    if (node->branch >= 0) fprintf(stderr, " branch=%d", node->branch);
    if (node->routed) fputs(" routed", stderr);
    if (node->op == OP_REC || node->op == OP_VARIABLE) fprintf(stderr, " level=%d", node->level);
    for (int i = 0; i < node->member_count; i++) {
        fprintf(stderr, " member(branch %d, ", node->kinds[node->members[i]]);
        if (node->parameters[i] != NULL) value_print(node->parameters[i]);
        fputs(")", stderr);
    }
    for (int i = 0; i < node->kind_count; i++) fprintf(stderr, " kind(branch %d)", node->kinds[i]);
    fputc('\n', stderr);
    if (depth > 40) return;
    for (int i = 0; i < 3; i++) ast_print_node(node->x[i], depth + 1);
    for (int i = 0; i < 2; i++)
        if (node->f[i] != NULL) {
            fprintf(stderr, "%*sargument:\n", 2 * depth + 2, "");
            ast_print_node(node->f[i], depth + 2);
        }
    for (int i = 0; i < node->exit_count; i++) {
        fprintf(stderr, "%*sto branch %d on:\n", 2 * depth + 2, "", node->exits[i].branch);
        ast_print_node(node->exits[i].event, depth + 2);
        if (node->exits[i].old != NULL) {
            fprintf(stderr, "%*swith:\n", 2 * depth + 2, "");
            ast_print_node(node->exits[i].old, depth + 2);
        }
    }
}

static inline void ast_mark_branches(const Program *program, const Node *node, bool *used);

static inline void ast_mark_branch(const Program *program, int branch, bool *used) {
    if (branch < 0 || used[branch]) return;
    used[branch] = true;
    ast_mark_branches(program, program->branches[branch].definition, used);
}

static inline void ast_mark_branches(const Program *program, const Node *node, bool *used) {
    if (node == NULL) return;
    if (node->op == OP_START) ast_mark_branch(program, node->branch, used);
    for (int i = 0; i < 3; i++) ast_mark_branches(program, node->x[i], used);
    for (int i = 0; i < 2; i++) ast_mark_branches(program, node->f[i], used);
    for (int i = 0; i < node->exit_count; i++) {
        ast_mark_branches(program, node->exits[i].event, used);
        ast_mark_branches(program, node->exits[i].old, used);
        ast_mark_branch(program, node->exits[i].branch, used);
    }
    for (int i = 0; i < node->kind_count; i++) ast_mark_branch(program, node->kinds[i], used);
}

static inline void ast_print(const Program *program) {
    bool used[AST_BRANCHES] = { false };
    ast_mark_branches(program, program->root, used);
    ast_print_node(program->root, 0);
    for (int i = 0; i < program->branch_count; i++) {
        const Branch *branch = &program->branches[i];
        if (!used[i]) continue;
        fprintf(stderr, "branch %d%s", i, branch->old ? " (takes an old one)" : "");
        if (branch->parameter != NULL) {
            fputs(" with ", stderr);
            type_print(branch->parameter);
        }
        fputs(":\n", stderr);
        ast_print_node(branch->definition, 1);
    }
}

#endif
