// The private structures of an ecotope file, and the steps from its text to programs.
//
//   read.c        names, numbers and members of objects, with their errors
//   parse.c       text → maps, footprints, ecotopes, layers and nodes, in the order of the file
//   expression.c  text → nodes: one for each number, name and operator
//   layer.c       the members of a layer
//   resolve.c     names, units, cycles and depth, once the whole file is known
//   file.c        the public functions
//   graph.c       values as a graph: equal ones are one, constants are folded, clamps that do nothing are left out
//   curve.c       curves in fixed point
//   compile.c     nodes → graph, for the units of one placement
//   emit.c        graph → the program of a footprint: order and registers
//   blur.c        evaluates an expression on a grid, and blurs it
//   apply.c       fills a placement
//
// Values of the graph are those of programs: 1 is PROGRAM_ONE. A value with a unit (metres, degrees) is the share of its
// range, 0 to 1, so that it is what a map has.

#ifndef FILO_PLACEMENT_ECOTOPE_H
#define FILO_PLACEMENT_ECOTOPE_H

#include <filo/containers.h>
#include <filo/ecotope.h>
#include <filo/json.h>

#include "placement/placement.h"

#define ECOTOPE_NONE      UINT32_MAX
#define ECOTOPE_POINTS    16384    // of all curves of a file
#define ECOTOPE_CURVE     256      // points of a curve
#define ECOTOPE_GRID_MAX  16777216 // values of a blur
#define ECOTOPE_ECOTOPES  1024     // in a file, and as many shared expressions
#define ECOTOPE_LAYERS    PLACEMENT_ALL_LAYERS
#define ECOTOPE_BUILT_INS 6 // maps that need no declaration: the first ones of a file

// ---- The file -------------------------------------------------------------------------------------------------

typedef struct EcotopeLocation {
    int line, column;
} EcotopeLocation;

typedef struct EcotopeName {
    char text[PLACEMENT_NAME];
} EcotopeName;

typedef enum EcotopeKind {
    // Operators, in the order of their names in expression.c.
    ECOTOPE_MIN,
    ECOTOPE_MAX,
    ECOTOPE_MULTIPLY,
    ECOTOPE_ADD,
    ECOTOPE_SUBTRACT,
    ECOTOPE_INVERT,
    ECOTOPE_CURVE_OF,
    ECOTOPE_THRESHOLD,
    ECOTOPE_CLAMP,
    ECOTOPE_BLUR,
    ECOTOPE_NOISE,
    ECOTOPE_LAYER, // the density of a layer
    ECOTOPE_PRESENCE,
    ECOTOPE_NEAR, // operands are nodes of kind LAYER, whose densities do not matter
    ECOTOPE_OPERATORS,
    ECOTOPE_NUMBER = ECOTOPE_OPERATORS,
    ECOTOPE_NAMED, // a name; the resolver makes MAP or LET of it
    ECOTOPE_MAP,
    ECOTOPE_LET,
} EcotopeKind;

typedef enum EcotopeUnitKind {
    ECOTOPE_PLAIN,  // a number within −4 … 4
    ECOTOPE_ANY,    // a number of the file: it has the unit of what it is used with
    ECOTOPE_RANGE,  // low … high
    ECOTOPE_HEIGHT, // the range of the heightmap, which the placement knows
} EcotopeUnitKind;

typedef struct EcotopeUnit {
    EcotopeUnitKind kind;
    bool wraps;
    double low, high;
} EcotopeUnit;

typedef struct EcotopeNode {
    EcotopeKind kind;
    EcotopeLocation location;
    uint32_t operand, next; // the first operand; the next one of the same node
    double number;          // NUMBER; x of THRESHOLD; low of CLAMP; wavelength of NOISE; metres of NEAR and BLUR
    double second;          // soft of THRESHOLD; high of CLAMP; resolution of BLUR
    uint32_t first_point, point_count; // of CURVE_OF
    uint32_t seed, octaves;            // of NOISE
    EcotopeName name;                  // of NAMED, LAYER, PRESENCE
    uint32_t target;                   // the map, shared expression, layer or ecotope of that name
    // Known once it is resolved.
    bool resolved;
    EcotopeUnit unit;
    uint16_t height;     // operators from here to the farthest input
    uint32_t near_node;  // of all NEAR that it depends on, the one whose footprint comes last; ECOTOPE_NONE: none
    int near_footprint;  // the footprint of that; −1: none
} EcotopeNode;

typedef struct EcotopeMap {
    EcotopeName name;
    EcotopeLocation location; // of the first use; line 0: not used
    EcotopeUnit unit;
    FiloMapFilter filter;
    bool declared, computed; // computed: from the heightmap, if it is missing
} EcotopeMap;

typedef struct EcotopeFootprint {
    EcotopeName name;
    EcotopeLocation location;
    double metres;
    int pattern;
    int layer_count, first_layer;
} EcotopeFootprint;

// What the resolver knows of a shared expression, an ecotope or a layer.
typedef struct EcotopeResolved {
    uint8_t state; // 0: not yet, 1: being resolved, 2: resolved
    uint16_t height;
    uint32_t near_node;
    int near_footprint;
} EcotopeResolved;

typedef struct EcotopeLet {
    EcotopeName name;
    EcotopeLocation location;
    uint32_t node;
    EcotopeResolved resolved;
} EcotopeLet;

typedef struct EcotopeLand { // what the file calls an ecotope
    EcotopeName name;
    EcotopeLocation location;
    uint32_t density; // a node, or ECOTOPE_NONE
    uint32_t parent, first_child, last_child, next_sibling;
    bool replace;
    EcotopeResolved resolved;
} EcotopeLand;

typedef struct EcotopeLayer {
    EcotopeName name, footprint_name, towards_name;
    EcotopeLocation location, footprint_location, towards_location;
    uint32_t land, density; // density: a node, or ECOTOPE_NONE
    uint32_t towards;       // a map, or ECOTOPE_NONE
    int footprint;
    int index; // in the placement
    float radius;
    FiloVariation variation;
    double turn; // degrees; negative: not given
    EcotopeResolved resolved;
} EcotopeLayer;

typedef struct EcotopePoint {
    double x, y;
} EcotopePoint;

struct FiloEcotope {
    const FiloAllocator *allocator;
    char source[128];
    FiloArray(EcotopeNode) nodes;
    FiloArray(EcotopePoint) points;
    FiloArray(EcotopeMap) maps;
    FiloArray(EcotopeFootprint) footprints;
    FiloArray(EcotopeLet) lets;
    FiloArray(EcotopeLand) lands;   // the first one has no name, and is the parent of those of the file
    FiloArray(EcotopeLayer) layers; // in the order of the file
    uint32_t order[ECOTOPE_LAYERS]; // layers in the order of the placement
    uint32_t needed[FILO_PLACEMENT_MAPS];
    size_t needed_count; // maps that must be passed
};

// ---- Reading --------------------------------------------------------------------------------------------------

typedef struct EcotopeParser {
    FiloEcotope *file;
    FiloJsonReader reader;
    FiloResult result;
} EcotopeParser;

// All set the parser's result and return false. The message begins with file, line and column.
bool ecotope_fail(EcotopeParser *parser, EcotopeLocation location, FiloCode code, const char *format, ...)
    FILO_PRINTF(4, 5);
bool ecotope_wrong_kind(EcotopeParser *parser, FiloJsonToken token, const char *what, const char *expected);
bool ecotope_no_memory(EcotopeParser *parser);
// The same for code without a parser.
FiloResult ecotope_error(const FiloEcotope *file, EcotopeLocation location, FiloCode code, const char *format, ...)
    FILO_PRINTF(4, 5);

static inline EcotopeLocation ecotope_location(FiloJsonToken token) {
    return (EcotopeLocation){ token.line, token.column };
}

// Iterates over the members of an object. `names` are those that it may have.
typedef struct EcotopeMembers {
    const char *const *names;
    unsigned count;
    uint64_t seen; // bit n: member n was given
} EcotopeMembers;
// The next member and the first token of its value. False at the end, and after a failure.
bool ecotope_next_member(EcotopeParser *parser, EcotopeMembers *members, unsigned *member, FiloJsonToken *key,
                         FiloJsonToken *value);

bool ecotope_read_name(EcotopeParser *parser, FiloJsonToken token, const char *what, EcotopeName *name);
// A finite number within [low, high].
bool ecotope_read_number(EcotopeParser *parser, FiloJsonToken token, const char *what, double low, double high,
                         double *number);
bool ecotope_read_bool(EcotopeParser *parser, FiloJsonToken token, const char *what, bool *value);
// A list of exactly two numbers within [low, high].
bool ecotope_read_pair(EcotopeParser *parser, FiloJsonToken token, const char *what, double low, double high,
                       double pair[2]);
// An expression; `node` is its index. `what` is the member that it is the value of.
bool ecotope_read_expression(EcotopeParser *parser, FiloJsonToken token, const char *what, uint32_t *node);
// The members of a layer, whose object has begun.
bool ecotope_read_layer(EcotopeParser *parser, FiloJsonToken begin, uint32_t land);

bool ecotope_parse_file(EcotopeParser *parser, const char *text, size_t length);
bool ecotope_resolve(EcotopeParser *parser);

static inline EcotopeNode *ecotope_node(FiloEcotope *file, uint32_t node) { return &file->nodes.items[node]; }

const char *ecotope_operator_name(EcotopeKind kind);

// ---- Compiling ------------------------------------------------------------------------------------------------

// A value: an operation on other values, before it has a register.
typedef struct EcotopeValue {
    ProgramCode code;
    uint32_t a, b; // values, or ECOTOPE_NONE
    int32_t imm;
    int32_t low, high; // between which it always is
} EcotopeValue;

typedef struct EcotopeGraph {
    FiloArray(EcotopeValue) values;
    FiloMap known; // hash of a value → its index
    FiloArray(ProgramSegment) segments;
    FiloArray(ProgramCurve) curves;
    FiloArray(ProgramNoise) noises;
    FiloArray(ProgramNear) nears;
    bool failed; // without memory; all further values are 0
} EcotopeGraph;

void ecotope_graph_init(EcotopeGraph *graph, const FiloAllocator *allocator);
void ecotope_graph_deinit(EcotopeGraph *graph);

// These return the index of a value, which may be one that exists already.
uint32_t ecotope_constant(EcotopeGraph *graph, int32_t value);
uint32_t ecotope_sample(EcotopeGraph *graph, int map);
// MIN, MAX, ADD, SUBTRACT, MULTIPLY.
uint32_t ecotope_binary(EcotopeGraph *graph, ProgramCode code, uint32_t a, uint32_t b);
uint32_t ecotope_step(EcotopeGraph *graph, uint32_t a, int32_t limit);
uint32_t ecotope_clamp01(EcotopeGraph *graph, uint32_t a);
uint32_t ecotope_noise(EcotopeGraph *graph, ProgramNoise noise);
uint32_t ecotope_near(EcotopeGraph *graph, ProgramNear near_objects);
// Straight lines between points, whose x are shares of the range of `a` (1 is its end) and ascend, and whose y are
// within −4 … 4.
uint32_t ecotope_curve(EcotopeGraph *graph, uint32_t a, const EcotopePoint *points, size_t count);
// A value that may refer to operands; for graph.c and curve.c.
uint32_t ecotope_value(EcotopeGraph *graph, EcotopeValue value);

// The result of a curve for an operand.
int32_t ecotope_curve_at(const ProgramCurve *curve, const ProgramSegment *segments, int32_t a);

// A value that a program hands over as the density of a layer.
typedef struct EcotopeRoot {
    uint32_t value;
    int32_t layer; // of the footprint
} EcotopeRoot;
// Writes a program for these roots, in their order. A root whose value is always 0 is left out. FILO_ERROR_LIMIT if more
// than PROGRAM_REGISTERS values are needed at once; `what` is named in the message. On failure the program is all zero.
FiloResult ecotope_emit(PlacementProgram *program, const EcotopeGraph *graph, const EcotopeRoot *roots, size_t count,
                        const char *what, const FiloAllocator *allocator);

// What compiling needs to know of a placement.
typedef struct EcotopeCompiler {
    const FiloEcotope *file;
    const FiloAllocator *allocator;
    EcotopeGraph graph;
    FiloResult result;
    double lowest, highest; // of the heightmap, in metres
    int32_t units;          // of ProgramNear
    uint32_t *nodes;        // value of each node; ECOTOPE_NONE: not yet
    uint32_t *lands;        // presence of each ecotope
    uint32_t *layers;       // density of each layer
    // The number in the placement of a map of the file, or −1 for one that is 0 (or, for curvature, flat) everywhere.
    int (*map)(struct EcotopeCompiler *compiler, uint32_t map);
    // The map with the blurred values of `value`, an operand of `node`; −1 after a failure, with a result.
    int (*blur)(struct EcotopeCompiler *compiler, uint32_t node, uint32_t value);
    void *user;
} EcotopeCompiler;

bool ecotope_compiler_init(EcotopeCompiler *compiler, const FiloEcotope *file, const FiloAllocator *allocator);
void ecotope_compiler_deinit(EcotopeCompiler *compiler);
// The density of a layer of the file, as a value of the graph.
uint32_t ecotope_compile_layer(EcotopeCompiler *compiler, uint32_t layer);

// ---- Placements -----------------------------------------------------------------------------------------------

// Fills the footprints, layers, maps and programs of a placement that has none. On failure the placement must be
// destroyed as usual.
FiloResult placement_ecotope_apply(FiloPlacement *p, const FiloPlacementDesc *desc);

#endif
