// From nodes to programs. See signal.h for the words.

#ifndef FILO_SIGNAL_COMPILE_H
#define FILO_SIGNAL_COMPILE_H

#include "signal/signal.h"

// A type and the registers of its leaves. Type 0: an error was recorded.
typedef struct SignalBundle {
    uint32_t type, count;
    uint32_t registers[SIGNAL_LEAVES];
} SignalBundle;

// Registers of an outer program that programs inside of it use, besides their input: positions among the operands of the
// operation that runs them.
typedef struct SignalCaptures {
    uint32_t registers[SIGNAL_LEAVES];
    uint32_t branches[SIGNAL_LEAVES]; // whose parameter it is; 0: something else
    uint32_t roots[SIGNAL_LEAVES];    // the register of the network that it is, + 1; 0: something else
    uint32_t count;                   // with the leaves of the input
} SignalCaptures;

// A frozen function that a branch got.
typedef struct SignalOld {
    SignalFrozen *frozen; // NULL: none
    bool held;            // the area exists, at
    uint32_t area;        // this offset in the state of this program
    uint32_t env;         // where it is used; 0: it is not
    bool save;            // a register with the area before the step is wanted:
    uint32_t saved;       // SIGNAL_NO_REGISTER: none
    SignalBundle bundle;  // its result there
    FiloSfEdit edit;
} SignalOld;

// A program that is being compiled.
typedef struct SignalScope {
    struct SignalScope *parent; // NULL: the network
    SignalProgram *program;
    SignalBundle input;
    SignalCaptures *captures;         // of the operation that will run it
    uint32_t captured[SIGNAL_LEAVES]; // register of each capture + 1; 0: not used yet
    // A branch: its parameter in the state.
    uint32_t branch;
    const FiloType *parameter_type;
    uint32_t parameter;            // offset in the state
    bool any_parameter;            // it may be nothing
    SignalBundle parameter_bundle; // type 0: not used yet
    // Frozen functions that the branch got. A scope inside a branch may take them over.
    uint32_t old_branch;
    SignalOld olds[FILO_SF_OLDS];
} SignalScope;

// The input that a node is applied to.
typedef struct SignalEnv {
    SignalScope *scope;
    SignalBundle bundle;
    uint32_t number;
    struct SignalEnv *next;
} SignalEnv;

typedef struct SignalMemo {
    uint32_t env, node; // env 0: empty
    bool open;          // a signal of filo_sf_rec whose definition is being compiled
    SignalBundle bundle;
} SignalMemo;

typedef struct SignalCompiler {
    FiloSfBuilder *builder;
    FiloNetwork *network;
    FiloResult problem;
    SignalEnv *envs;
    uint32_t env_count;
    SignalMemo *memos; // by hash
    uint32_t memo_count, memo_capacity;
    uint32_t depth, machine_depth;
    bool cyclic;         // a loop without delay was found
    bool split;          // switches and collections may be split, so that loops lead through them
    SignalBlock *blocks; // of this compilation
} SignalCompiler;

// Records the first problem, and returns a bundle of type 0.
SignalBundle signal_fail(SignalCompiler *c, FiloCode code, const char *format, ...) FILO_PRINTF(3, 4);
// The label of a node, for messages: one of a few texts inside the compiler's blocks.
const char *signal_label(SignalCompiler *c, uint32_t node);
void *signal_alloc(SignalCompiler *c, size_t size);         // until the network is destroyed; zeroed
void *signal_alloc_compile(SignalCompiler *c, size_t size); // until the compilation ends; zeroed

// ---- Types ----------------------------------------------------------------------------------------------------

bool signal_same_type(const FiloType *a, const FiloType *b);
uint32_t signal_type_value(SignalCompiler *c, const FiloType *type); // NULL: nothing
uint32_t signal_type_event(SignalCompiler *c, uint32_t value);
uint32_t signal_type_tuple(SignalCompiler *c, const uint32_t *parts, uint32_t count);
uint32_t signal_type_either(SignalCompiler *c, uint32_t left, uint32_t right);
uint32_t signal_type_list(SignalCompiler *c, const FiloType *element, uint32_t capacity, bool keyed);
static inline const SignalType *signal_type(const SignalCompiler *c, uint32_t type) {
    return &c->network->types[type];
}
// "an event of FiloVec2", for messages.
const char *signal_type_text(SignalCompiler *c, uint32_t type);
uint32_t signal_type_leaf_count(const SignalCompiler *c, uint32_t type);
// The leaves of a type, and for each 1 + the number of the leaf that tells whether it is there. Returns their number.
uint32_t signal_type_leaves(const SignalCompiler *c, uint32_t type, FiloSfLeaf *leaves, uint32_t *presence,
                            uint32_t capacity);
// The floats of a numeric type: 1 to 4; 0 for all others.
uint32_t signal_lanes(const FiloType *type);

// ---- Emitting --------------------------------------------------------------------------------------------------

uint32_t signal_register(SignalCompiler *c, SignalScope *scope, uint32_t size, const FiloType *type,
                         uint32_t node);
// Appends an operation and makes it the producer of its outputs. Returns its number.
uint32_t signal_emit(SignalCompiler *c, SignalScope *scope, const SignalOp *op);
// A range of operands. Returns where it begins.
uint32_t signal_operands(SignalCompiler *c, SignalScope *scope, const uint32_t *registers, uint32_t count);
// A piece of state. Returns its offset.
uint32_t signal_state_add(SignalCompiler *c, SignalScope *scope, uint32_t size, uint32_t align,
                          const FiloType *type, uint32_t node, const char *part);
// A bundle of new registers for a type.
SignalBundle signal_bundle_new(SignalCompiler *c, SignalScope *scope, uint32_t type, uint32_t node);
// A part of a bundle: of a tuple or either the n-th, of an event (n = 0) the value.
SignalBundle signal_bundle_part(const SignalCompiler *c, const SignalBundle *bundle, uint32_t n);
// A register with a byte that is always `value`, or a value of a type.
uint32_t signal_constant(SignalCompiler *c, SignalScope *scope, uint32_t size, const FiloType *type,
                         const void *value, uint32_t node);

// A bundle of one register.
static inline SignalBundle signal_single(uint32_t type, uint32_t r) {
    return (SignalBundle){ .type = type, .count = 1, .registers = { r } };
}
// The described type of a value; NULL for events, tuples and the like.
static inline const FiloType *signal_value_type(const SignalCompiler *c, uint32_t type) {
    return signal_type(c, type)->kind == SIGNAL_TYPE_VALUE ? signal_type(c, type)->value : NULL;
}
// Reports that a node takes something else than what a child of it is.
SignalBundle signal_wrong(SignalCompiler *c, uint32_t node, uint32_t child, const char *wanted,
                          const SignalBundle *got);
// A value in the memory of the network; NULL: zeroes.
const void *signal_copy_value(SignalCompiler *c, const void *value, size_t size);
// x where the byte in the register `condition` is 1, else y, leaf by leaf.
SignalBundle signal_select(SignalCompiler *c, SignalEnv *env, uint32_t node, uint32_t condition,
                           const SignalBundle *x, const SignalBundle *y);

// ---- Compiling ---------------------------------------------------------------------------------------------------

SignalEnv *signal_env(SignalCompiler *c, SignalScope *scope, const SignalBundle *bundle);
SignalBundle signal_compile(SignalCompiler *c, SignalEnv *env, uint32_t node);
// Records the result of a node before all of it is compiled: a loop that leads back to the node finds it.
void signal_memo(SignalCompiler *c, const SignalEnv *env, uint32_t node, const SignalBundle *bundle,
                 bool open);
// Whether the definition of a signal of filo_sf_rec is being compiled in a scope; then its bundle is in *bundle.
bool signal_memo_open(SignalCompiler *c, SignalScope *scope, uint32_t node, SignalBundle *bundle);
// The type of a node, if it can be told without compiling it; else 0.
uint32_t signal_peek_type(SignalCompiler *c, const SignalEnv *env, uint32_t node);
SignalBundle signal_compile_value(SignalCompiler *c, SignalEnv *env, uint32_t node); // compile_value.c
SignalBundle signal_compile_composition(SignalCompiler *c, SignalEnv *env,
                                        uint32_t node);                               // compile_composition.c
SignalBundle signal_compile_time(SignalCompiler *c, SignalEnv *env, uint32_t node);   // compile_time.c
SignalBundle signal_compile_event(SignalCompiler *c, SignalEnv *env, uint32_t node);  // compile_event.c
SignalBundle signal_compile_switch(SignalCompiler *c, SignalEnv *env, uint32_t node); // compile_switch.c
SignalBundle signal_compile_sub(SignalCompiler *c, SignalEnv *env, uint32_t node);    // compile_sub.c
SignalBundle signal_compile_collection(SignalCompiler *c, SignalEnv *env, uint32_t node);
SignalBundle signal_compile_old(SignalCompiler *c, SignalEnv *env, uint32_t node);
SignalBundle signal_compile_parameter(SignalCompiler *c, SignalEnv *env, uint32_t node);
// The parameter of a branch, in a scope inside of it.
SignalBundle signal_parameter_in(SignalCompiler *c, SignalScope *scope, uint32_t branch, uint32_t node);
// A signal of the network (filo_sf_outer) inside of programs.
SignalBundle signal_compile_outer(SignalCompiler *c, SignalEnv *env, uint32_t node);
// A bundle of an enclosing scope, as inputs of the scopes inside of it.
SignalBundle signal_capture(SignalCompiler *c, SignalScope *scope, const SignalScope *from,
                            const SignalBundle *bundle);
// A register of the network in a scope.
uint32_t signal_capture_root(SignalCompiler *c, SignalScope *scope, uint32_t root);
// A signal of filo_sf_rec that is being defined in an enclosing scope. Type 0: there is none.
SignalBundle signal_open_rec(SignalCompiler *c, SignalScope *scope, uint32_t node);
// A frozen function, as an operation on its area. `operands` are registers of its input, then of its captures; those of
// parameters may be SIGNAL_NO_REGISTER, if they are in the area already.
SignalBundle signal_area(SignalCompiler *c, SignalScope *scope, const SignalFrozen *frozen, uint32_t area,
                         uint32_t *operands, uint32_t count, bool save, uint32_t node, uint32_t *saved);

// The value at the sample before, of a type, `value` at time 0: decoupled. What it is the value of is set later, by
// signal_pre_close. The same for an integral.
SignalBundle signal_pre(SignalCompiler *c, SignalScope *scope, uint32_t type, const SignalNode *value,
                        uint32_t node, uint32_t *updates);
void signal_pre_close(SignalCompiler *c, SignalScope *scope, const uint32_t *updates,
                      const SignalBundle *source);
SignalBundle signal_integral(SignalCompiler *c, SignalScope *scope, const FiloType *type, uint32_t node,
                             uint32_t *update);

// The last value of an event.
SignalBundle signal_held(SignalCompiler *c, SignalScope *scope, const FiloType *type, const void *initial,
                         uint32_t presence, uint32_t value, uint32_t node);

// The number of a node with random numbers.
uint32_t signal_random(SignalCompiler *c, SignalScope *scope);

// A new program that is run by an operation of `parent`.
SignalScope *signal_scope(SignalCompiler *c, SignalScope *parent, const char *name, const SignalBundle *input,
                          SignalCaptures *captures);
// Orders the operations of a program, whose outputs are set, and drops those that are not needed.
bool signal_order(SignalCompiler *c, SignalScope *scope);
// What the first `outputs` outputs of an ordered program need of it, as a program for the same state. NULL without memory, and
// where nothing is split.
SignalProgram *signal_shown(SignalCompiler *c, const SignalProgram *program, uint32_t outputs);
// Sets used[i] for each operand that an operation reads to run the program. NULL is allowed.
void signal_mark_inputs(const SignalProgram *program, bool used[SIGNAL_LEAVES]);
// Records which operands the output of an operation depends on, in place of its `in` and its further operands.
void signal_set_shown(SignalCompiler *c, SignalScope *scope, SignalOp *op, const uint32_t *in,
                      const uint32_t *more);
// Computes memory of all programs for a batch.
void signal_layout(FiloNetwork *network);

#define SIGNAL_NO_INPUTS                                                                                     \
    { SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER }

#define SIGNAL_REQUIRE(bundle)                                                                               \
    do {                                                                                                     \
        if ((bundle).type == 0) return (SignalBundle){ 0 };                                                  \
    } while (0)

#endif
