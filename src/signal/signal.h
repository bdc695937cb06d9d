// Private header of the module `signal`. Its parts:
//
//   build/    a builder: the tree of nodes that the functions of filo/signal.h make
//   compile/  from nodes to programs: types, registers, operations, their order
//   run/      stepping rows: operations on values, switches, collections
//   embed/    runs over lists of samples, traces, properties
//
// A node is one call of a function of filo/signal.h. It means a signal function of "the input", whatever that is. The
// compiler applies nodes to a bundle of registers, which is the input, and obtains a bundle of registers, the output.
// The same node applied to the same bundle is compiled once, so signals that are used twice are computed once.
//
// A register is an array with a value for each row of a batch. A bundle is a type and the registers of its leaves. Tuples,
// tags and the like only rearrange registers. What computes is an operation: it reads registers and state, and writes
// registers and state. A program is a list of operations in the order of their dependencies. An operation that is
// decoupled is two: one writes the output from the state, the other updates the state at the end.
//
// Branches of switches, members of collections and functions that can stand still are programs of their own, which an
// operation of the outer program runs for some of the rows.

#ifndef FILO_SIGNAL_PRIVATE_H
#define FILO_SIGNAL_PRIVATE_H

#include <filo/signal.h>

#include <filo/check.h>
#include <string.h>

// ---- Nodes --------------------------------------------------------------------------------------------------

typedef enum SignalKind {
    SIGNAL_NONE,
    SIGNAL_INPUT,
    SIGNAL_GET,
    SIGNAL_IN_NAMED,
    SIGNAL_CONSTANT,
    SIGNAL_TIME,
    SIGNAL_NAMED,
    SIGNAL_OUTER,
    SIGNAL_ARR,
    SIGNAL_ADD,
    SIGNAL_SUB,
    SIGNAL_MUL,
    SIGNAL_DIV,
    SIGNAL_MIN,
    SIGNAL_MAX,
    SIGNAL_NEGATE,
    SIGNAL_ABS,
    SIGNAL_SCALE,
    SIGNAL_SIN,
    SIGNAL_COS,
    SIGNAL_SQRT,
    SIGNAL_LENGTH,
    SIGNAL_DOT,
    SIGNAL_LESS,
    SIGNAL_GREATER,
    SIGNAL_EQUAL,
    SIGNAL_AND,
    SIGNAL_OR,
    SIGNAL_NOT,
    SIGNAL_SELECT,
    SIGNAL_FIELD,
    SIGNAL_COMPOSE,
    SIGNAL_TUPLE,
    SIGNAL_FIRST,
    SIGNAL_SECOND,
    SIGNAL_PARALLEL,
    SIGNAL_LOOP,
    SIGNAL_LOOP_PRE,
    SIGNAL_LOOP_INTEGRAL,
    SIGNAL_REC,
    SIGNAL_EITHER,
    SIGNAL_IS_LEFT,
    SIGNAL_LEFT_VALUE,
    SIGNAL_RIGHT_VALUE,
    SIGNAL_LEFT,
    SIGNAL_RIGHT,
    SIGNAL_INTEGRAL,
    SIGNAL_TRAPEZOID,
    SIGNAL_IM_INTEGRAL,
    SIGNAL_IMPULSE_INTEGRAL,
    SIGNAL_DERIVATIVE,
    SIGNAL_I_PRE,
    SIGNAL_PRE,
    SIGNAL_DELAY,
    SIGNAL_INITIALLY,
    SIGNAL_INITIALLY_BY,
    SIGNAL_SSCAN,
    SIGNAL_ITER_FROM,
    SIGNAL_PAUSE,
    SIGNAL_NEVER,
    SIGNAL_NOW,
    SIGNAL_AFTER_EACH,
    SIGNAL_REPEATEDLY,
    SIGNAL_OCCASIONALLY,
    SIGNAL_NOISE,
    SIGNAL_EDGE,
    SIGNAL_EDGE_JUST,
    SIGNAL_EDGE_BY,
    SIGNAL_SNAP,
    SIGNAL_SAMPLE,
    SIGNAL_EVENT_WHEN,
    SIGNAL_SAMPLE_WINDOW,
    SIGNAL_TAKE_EVENTS,
    SIGNAL_DROP_EVENTS,
    SIGNAL_NOT_YET,
    SIGNAL_TAG,
    SIGNAL_ATTACH,
    SIGNAL_JOIN,
    SIGNAL_SPLIT,
    SIGNAL_L_MERGE,
    SIGNAL_R_MERGE,
    SIGNAL_MERGE_BY,
    SIGNAL_FILTER,
    SIGNAL_MAP_FILTER,
    SIGNAL_GATE,
    SIGNAL_IS_EVENT,
    SIGNAL_FROM_EVENT,
    SIGNAL_DELAY_EVENT,
    SIGNAL_HOLD,
    SIGNAL_ACCUM,
    SIGNAL_ACCUM_HOLD,
    SIGNAL_ACCUM_FILTER,
    SIGNAL_COUNT,
    SIGNAL_SWITCH,
    SIGNAL_R_SWITCH,
    SIGNAL_K_SWITCH,
    SIGNAL_START,
    SIGNAL_PARAMETER,
    SIGNAL_OLD,
    SIGNAL_COLLECTION,
    SIGNAL_FOLD,
    SIGNAL_KIND_COUNT
} SignalKind;

typedef struct SignalExit {
    uint32_t event, branch, old[FILO_SF_OLDS]; // `old`: nodes; after the last one, 0
} SignalExit;

typedef struct SignalMember {
    uint32_t branch;
    const void *value; // NULL: none
} SignalMember;

// The description of a collection, copied.
typedef struct SignalCollection {
    const char *name;
    uint32_t capacity;
    uint32_t kinds[FILO_SF_KINDS];
    uint32_t kind_count;
    const SignalMember *initial;
    size_t initial_count;
    void (*route)(const void *const *input, const FiloSfMembers *members, void *inputs);
    const FiloType *input_type;
    bool (*ended)(const void *output, void *user);
    void *user;
} SignalCollection;

typedef struct SignalNode {
    SignalKind kind;
    uint32_t children[4];
    uint32_t child_count;
    bool flag;       // delayed, initial value of an edge, list of all: by kind
    uint32_t number; // index, count, capacity: by kind
    uint32_t branch;
    uint32_t closes;         // the signal of filo_sf_rec that it is the definition of; 0: none
    float seconds, high;     // also other floats: by kind
    const uint32_t *list;    // elements of a tuple
    const SignalExit *exits; // number of them: `number`
    const FiloSfFunction *function, *filter;
    const FiloType *type; // of a value, or declared
    const void *value;    // NULL: none
    const float *times;   // of SIGNAL_AFTER_EACH
    const char *name;     // of SIGNAL_NAMED and SIGNAL_FIELD; also found by signal_node_label
    const SignalCollection *collection;
    FiloSfEdit edit;
} SignalNode;

typedef struct SignalBranch {
    const char *name;
    const FiloType *parameter;
    bool any_parameter; // its type is that of the event that leads to it
    uint32_t definition;
} SignalBranch;

typedef struct SignalBlock SignalBlock;

struct FiloSfBuilder {
    FiloAllocator allocator;
    const char *name;
    FiloSfInput inputs[FILO_SF_LEAVES];
    uint32_t input_count;
    SignalNode *nodes; // 0 is not used
    uint32_t node_count, node_capacity;
    SignalBranch *branches; // 0 is not used
    uint32_t branch_count, branch_capacity;
    SignalBlock *blocks; // of copied names and values
    FiloResult problem;  // the first mistake; FILO_OK: none
};

extern const char *const signal_kind_names[SIGNAL_KIND_COUNT];

// Copies bytes or text into the builder. NULL without memory, and for NULL.
void *signal_builder_copy(FiloSfBuilder *builder, const void *bytes, size_t size);
const char *signal_builder_text(FiloSfBuilder *builder, const char *text);
// Records the first mistake.
void signal_builder_problem(FiloSfBuilder *builder, FiloCode code, const char *format, ...) FILO_PRINTF(3, 4);
// Appends a node. {0} without memory.
FiloSf signal_node_add(FiloSfBuilder *builder, const SignalNode *node);
// A node with these children, which must be of one builder. Otherwise the mistake is recorded.
FiloSf signal_node_of(SignalNode node, const FiloSf *children, size_t count);
// Copies a value into a node: `type` and `value`.
bool signal_node_value(FiloSfBuilder *builder, SignalNode *node, FiloSfValue value);
// "integral 7 (speed)", for messages, into `text`, which is returned.
const char *signal_node_label(const FiloSfBuilder *builder, uint32_t node, char *text, size_t size);
// A branch whose parameter has the type of the event that leads to it.
FiloSfBranch signal_branch_any(FiloSfBuilder *builder, const char *name);

// ---- Types ----------------------------------------------------------------------------------------------------

typedef enum SignalTypeKind {
    SIGNAL_TYPE_NOTHING, // no value: that of an event without one
    SIGNAL_TYPE_VALUE,
    SIGNAL_TYPE_EVENT,
    SIGNAL_TYPE_TUPLE,
    SIGNAL_TYPE_EITHER,
    SIGNAL_TYPE_LIST,
} SignalTypeKind;

#define SIGNAL_LEAVES 48 // of a bundle

typedef struct SignalType {
    SignalTypeKind kind;
    const FiloType *value;          // of a value: its type. Of a list: that of its elements
    const FiloType *list;           // of a list: the type of its leaf
    uint32_t capacity, keyed;       // of a list
    uint32_t parts[FILO_SF_LEAVES]; // of a tuple, of an either (left, right); of an event, its value
    uint32_t part_count;
} SignalType;

// ---- Programs ---------------------------------------------------------------------------------------------------

typedef struct SignalFrame SignalFrame;
typedef struct SignalOp SignalOp;
typedef struct SignalProgram SignalProgram;
typedef struct SignalMachine SignalMachine;
typedef struct SignalPool SignalPool;
typedef struct SignalFrozen SignalFrozen;

typedef void (*SignalKernel)(SignalFrame *frame, const SignalOp *op);

#define SIGNAL_NO_REGISTER UINT32_MAX

struct SignalOp {
    SignalKernel run;
    uint32_t in[4], out[2]; // registers
    uint32_t state;         // offset in the state
    uint32_t size;          // of a value, in bytes
    uint32_t lanes;         // floats in a value
    uint32_t number;        // by kernel
    float seconds, high;
    bool flag;
    uint8_t kind;                   // SignalKind, for listings
    uint32_t node;                  // for names and messages
    uint32_t more, more_count;      // further input registers: a range of SignalProgram.operands
    uint32_t results, result_count; // further output registers, likewise
    const void *data;               // a value, times, or:
    void (*rows)(size_t count, const void *const *arguments, void *result, uint8_t *present);
    void (*rows2)(size_t count, const void *const *arguments, void *result, uint8_t *present);
    const FiloType *type;
    SignalMachine *machine;
    SignalPool *pool;
    SignalProgram *program;               // of functions that can stand still
    const SignalFrozen *frozen;           // of functions that can be handed over
    uint32_t scratch_rows, scratch_fixed; // scratch memory of the kernel: bytes per row, and besides
    uint8_t part;    // of a switch or a collection: SIGNAL_WHOLE, or one of its halves: see order.c
    uint32_t update; // while compiling: the second half of a decoupled operation + 1; 0: none
    uint32_t
        shown; // while compiling: the operands that the output depends on, a range + 1; 0: it cannot be split
};
enum { SIGNAL_WHOLE, SIGNAL_SHOW, SIGNAL_ADVANCE };

typedef struct SignalRegister {
    uint32_t size;        // bytes of a value
    const FiloType *type; // NULL: a presence, one byte, or internal
    uint32_t producer;    // operation + 1; 0: an input. While compiling
    uint32_t alias;       // while compiling: the register that it stands for + 1; 0: itself
    const char *name;     // NULL: none
    uint32_t node;        // that it is the result of
    bool presence;
    bool repair; // its type has bools or lists: see run/repair.c
} SignalRegister;

// A piece of state, for the description of the state.
typedef struct SignalStateField {
    const FiloType *type; // NULL: words
    uint32_t offset, size;
    uint32_t node;
    const char *part;
} SignalStateField;

struct SignalProgram {
    const char *name; // of the branch; "" for the network
    SignalOp *ops;
    uint32_t op_count, op_capacity;
    uint32_t constant_count; // the first operations, which only need to run once in a call of step
    uint32_t *operands;      // ranges of registers: see SignalOp
    uint32_t operand_count, operand_capacity;
    SignalRegister *registers;
    uint32_t register_count, register_capacity;
    // Input i is input_registers[i]. inputs[i] is its position among the operands of the operation that runs the program;
    // used[i]: some operation reads it, or it is an output.
    uint32_t input_count;
    uint32_t inputs[SIGNAL_LEAVES];
    uint32_t input_registers[SIGNAL_LEAVES];
    bool used[SIGNAL_LEAVES];
    uint32_t outputs[SIGNAL_LEAVES * 2]; // registers
    uint32_t output_count;
    SignalStateField *fields;
    uint32_t field_count, field_capacity;
    const struct SignalProgram *whole; // that it runs a part of, with the same state; NULL: itself
    SignalStateField *repairs;         // fields with bools or lists: see run/repair.c
    uint32_t repair_count;
    uint32_t state_size;
    bool random;         // it or a program in it uses random numbers
    size_t *offsets;     // of each register in the scratch memory
    size_t scratch;      // bytes for registers and operations, with a full batch
    size_t own_scratch;  // bytes for registers
    SignalProgram *next; // of the network
};

// A signal function that can be handed over frozen: a program, in an area of the state that begins with this header.
typedef struct SignalArea {
    float pending;  // seconds of the step that it was frozen in
    uint8_t status; // SIGNAL_AREA_…
    uint8_t unused[3];
} SignalArea;
enum { SIGNAL_AREA_NEW, SIGNAL_AREA_RUNNING, SIGNAL_AREA_FROZEN };

//
// Parameters of outer branches that the program uses are constant; they follow the header, then the state of the program.
struct SignalFrozen {
    uint32_t node;                       // the signal function
    SignalFrozen *parents[FILO_SF_OLDS]; // that were frozen inside of it; NULL: none
    uint32_t depth;
    SignalProgram *program;
    uint32_t type;                           // of its output
    uint32_t env_count;                      // leaves of its input
    uint32_t capture_count;                  // values of outer branches
    uint32_t capture_offsets[SIGNAL_LEAVES]; // in the area
    uint32_t capture_sizes[SIGNAL_LEAVES];
    uint32_t capture_branches[SIGNAL_LEAVES]; // whose parameters they are; 0: signals of the network,
    uint32_t capture_roots[SIGNAL_LEAVES];    // in this register + 1
    uint32_t offset, size;                    // of the program's state in the area; of the area
    uint32_t olds[FILO_SF_OLDS]; // offsets in the state of the program of what was frozen inside of it
    SignalFrozen *next;
};

// Where a branch leads.
typedef struct SignalTransition {
    uint32_t target; // state of the machine
    bool delayed;
    // Output registers of the body, or operands of the machine for recurring switches: the presence, then the value.
    uint32_t presence;
    uint32_t value; // SIGNAL_NO_REGISTER: the branch takes none
    struct {
        uint32_t kind; // SIGNAL_OLD_…
        uint32_t
            from; // with SIGNAL_OLD_SAVED the output register with the area; with SIGNAL_OLD_PASSED which of the state
    } olds[FILO_SF_OLDS];
} SignalTransition;
enum { SIGNAL_OLD_NONE, SIGNAL_OLD_SAVED, SIGNAL_OLD_PASSED };

// A state of a machine: the body of a branch.
typedef struct SignalState {
    uint32_t branch; // 0: the switch itself
    const char *name;
    const FiloType *parameter_type;
    SignalFrozen *frozen[FILO_SF_OLDS]; // what it got; NULL after the last
    SignalProgram *body;
    SignalProgram *shown; // what the output needs of it; NULL where no switch of the network is split
    SignalTransition *transitions;
    uint32_t transition_count;
    uint32_t parameter, parameter_size; // offset in the area of the body
    uint32_t
        olds[FILO_SF_OLDS]; // offsets of the areas of the frozen functions; UINT32_MAX: it does not use it
    FiloSfEdit edit;        // called when it starts
    SignalPool *edit_pool;
    uint32_t edit_state; // offset of the pool in the area
    uint32_t node;       // its definition
} SignalState;

// A switch. Its state: SignalMachineState, then the state of the current body.
struct SignalMachine {
    SignalState *states;
    uint32_t state_count;
    uint32_t area_size;          // of the largest state
    uint32_t output_count;       // leaves of its output: the first outputs of each body
    const void *initial;         // parameter of state 0; NULL: none
    SignalTransition *recurring; // of recurring switches
    uint32_t recurring_count;
    SignalFrozen *frozen; // all
    uint32_t node;
    SignalMachine *next;
};

typedef struct SignalMachineState {
    uint32_t state;
    uint32_t unused;
} SignalMachineState;

typedef struct SignalPoolKind {
    uint32_t branch;
    const char *name;
    SignalProgram *body;
    SignalProgram *shown;           // as in SignalState
    const FiloType *parameter_type; // NULL: none
    uint32_t parameter, parameter_size;
} SignalPoolKind;

// A collection. Its state: SignalPoolState, then `capacity` slots: SignalSlot, the state of the body, the last output.
struct SignalPool {
    SignalCollection collection;
    FiloSfBuilder *builder; // for comparing branches; not dereferenced
    SignalPoolKind *kinds;
    uint32_t area_size;   // of the largest body
    uint32_t output_size; // of a value
    uint32_t output;      // offset of the last output in a slot
    const FiloType *output_type;
    bool repair; // outputs or parameters have bools or lists: see run/repair.c
    uint32_t slot_size;
    uint32_t values, list_size; // of the list: offset of the values, bytes
    uint32_t state_size;
    uint32_t env_count; // leaves of the input
    bool delayed;
    FiloSfEdit edit;
    uint32_t node;
    SignalPool *next;
};

typedef struct SignalPoolState {
    uint32_t count, next_key;
} SignalPoolState;

typedef struct SignalSlot {
    uint32_t key;
    uint16_t kind;
    uint8_t started; // its body has run
    uint8_t shown;   // the last output is valid
} SignalSlot;

struct FiloNetwork {
    FiloAllocator allocator;
    const char *name;
    uint32_t id;
    SignalProgram *program; // of the network; the others follow by `next`
    SignalMachine *machines;
    SignalPool *pools;
    SignalBlock *blocks;
    SignalType *types;
    uint32_t type_count, type_capacity;
    const FiloType **list_types; // made for lists
    uint32_t list_type_count, list_type_capacity;
    const FiloType *state_type;
    size_t state_size;
    uint32_t batch; // rows that are run at a time
    FiloSfLeaf inputs[FILO_SF_LEAVES], outputs[FILO_SF_LEAVES];
    uint32_t input_count, output_count;
    uint32_t
        input_presence[FILO_SF_LEAVES]; // of each input leaf: 1 + the leaf with its presence; 0: always there
    uint32_t output_presence[FILO_SF_LEAVES];
    bool output_direct[FILO_SF_LEAVES]; // an operation may write it to the caller's array
    uint32_t random_count;              // nodes that use random numbers
};

// A block of memory that is freed with its builder or network.
struct SignalBlock {
    SignalBlock *next;
    size_t size;
};
void *signal_block_alloc(SignalBlock **blocks, const FiloAllocator *allocator, size_t size);
void signal_blocks_free(SignalBlock **blocks, const FiloAllocator *allocator);

static inline uint32_t signal_align(uint32_t offset, uint32_t align) {
    return (offset + align - 1) & ~(align - 1);
}

#endif
