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
// Values of the graph are those of programs: 1 is PLACEMENT_PROGRAM_ONE. A value with a unit (metres, degrees) is the share of its
// range, 0 to 1, so that it is what a map has.

#ifndef FILO_PLACEMENT_ECOTOPE_H
#define FILO_PLACEMENT_ECOTOPE_H

#include <filo/containers.h>
#include <filo/ecotope.h>
#include <filo/json.h>

#include "placement/create.h"

#define PLACEMENT_NONE          UINT32_MAX
#define PLACEMENT_FILE_POINTS   16384    // of all curves of a file
#define PLACEMENT_CURVE_POINTS  256      // points of a curve
#define PLACEMENT_GRID_MAX      16777216 // values of a blur
#define PLACEMENT_FILE_ECOTOPES 1024     // in a file, and as many shared expressions
#define PLACEMENT_BUILT_INS     6        // maps that need no declaration: the first ones of a file

// ---- The file -------------------------------------------------------------------------------------------------

typedef struct PlacementLocation {
    int line, column;
} PlacementLocation;

typedef struct PlacementName {
    char text[PLACEMENT_NAME];
} PlacementName;

typedef enum PlacementNodeKind {
    // Operators, in the order of their names in expression.c.
    PLACEMENT_NODE_MIN,
    PLACEMENT_NODE_MAX,
    PLACEMENT_NODE_MULTIPLY,
    PLACEMENT_NODE_ADD,
    PLACEMENT_NODE_SUBTRACT,
    PLACEMENT_NODE_INVERT,
    PLACEMENT_NODE_CURVE,
    PLACEMENT_NODE_THRESHOLD,
    PLACEMENT_NODE_CLAMP,
    PLACEMENT_NODE_BLUR,
    PLACEMENT_NODE_NOISE,
    PLACEMENT_NODE_LAYER, // the density of a layer
    PLACEMENT_NODE_PRESENCE,
    PLACEMENT_NODE_NEAR, // operands are nodes of kind LAYER, whose densities do not matter
    PLACEMENT_NODE_OPERATORS,
    PLACEMENT_NODE_NUMBER = PLACEMENT_NODE_OPERATORS,
    PLACEMENT_NODE_NAMED, // a name; the resolver makes MAP or LET of it
    PLACEMENT_NODE_MAP,
    PLACEMENT_NODE_LET,
} PlacementNodeKind;

typedef enum PlacementUnitKind {
    PLACEMENT_UNIT_PLAIN,  // a number within −4 … 4
    PLACEMENT_UNIT_ANY,    // a number of the file: it has the unit of what it is used with
    PLACEMENT_UNIT_RANGE,  // low … high
    PLACEMENT_UNIT_HEIGHT, // the range of the heightmap, which the placement knows
} PlacementUnitKind;

typedef struct PlacementUnit {
    PlacementUnitKind kind;
    bool wraps;
    double low, high;
} PlacementUnit;

typedef struct PlacementNode {
    PlacementNodeKind kind;
    PlacementLocation location;
    uint32_t operand, next; // the first operand; the next one of the same node
    double number; // NUMBER; x of THRESHOLD; low of CLAMP; wavelength of NOISE; metres of NEAR and BLUR
    double second; // soft of THRESHOLD; high of CLAMP; resolution of BLUR
    uint32_t first_point, point_count; // of CURVE_OF
    uint32_t seed, octaves;            // of NOISE
    PlacementName name;                // of NAMED, LAYER, PRESENCE
    uint32_t target;                   // the map, shared expression, layer or ecotope of that name
    // Known once it is resolved.
    bool resolved;
    PlacementUnit unit;
    uint16_t height; // operators from here to the farthest input
    uint32_t
        near_node; // of all NEAR that it depends on, the one whose footprint comes last; PLACEMENT_NONE: none
    int near_footprint; // the footprint of that; −1: none
} PlacementNode;

typedef struct PlacementFileMap {
    PlacementName name;
    PlacementLocation location; // of the first use; line 0: not used
    PlacementUnit unit;
    FiloMapFilter filter;
    bool declared, computed; // computed: from the heightmap, if it is missing
} PlacementFileMap;

typedef struct PlacementFileFootprint {
    PlacementName name;
    PlacementLocation location;
    double metres;
    int pattern;
    int layer_count, first_layer;
} PlacementFileFootprint;

// What the resolver knows of a shared expression, an ecotope or a layer.
typedef struct PlacementResolved {
    uint8_t state; // 0: not yet, 1: being resolved, 2: resolved
    uint16_t height;
    uint32_t near_node;
    int near_footprint;
} PlacementResolved;

typedef struct PlacementLet {
    PlacementName name;
    PlacementLocation location;
    uint32_t node;
    PlacementResolved resolved;
} PlacementLet;

typedef struct PlacementLand { // what the file calls an ecotope
    PlacementName name;
    PlacementLocation location;
    uint32_t density; // a node, or PLACEMENT_NONE
    uint32_t parent, first_child, last_child, next_sibling, previous_sibling;
    bool replace;
    PlacementResolved resolved;
} PlacementLand;

typedef struct PlacementFileLayer {
    PlacementName name, footprint_name, towards_name;
    PlacementLocation location, footprint_location, towards_location;
    uint32_t land, density; // density: a node, or PLACEMENT_NONE
    uint32_t towards;       // a map, or PLACEMENT_NONE
    int footprint;
    int index; // in the placement
    float radius;
    FiloVariation variation;
    double turn; // degrees; negative: not given
    PlacementResolved resolved;
} PlacementFileLayer;

typedef struct PlacementCurvePoint {
    double x, y;
} PlacementCurvePoint;

struct FiloEcotope {
    const FiloAllocator *allocator;
    char source[128];
    FiloArray(PlacementNode) nodes;
    FiloArray(PlacementCurvePoint) points;
    FiloArray(PlacementFileMap) maps;
    FiloArray(PlacementFileFootprint) footprints;
    FiloArray(PlacementLet) lets;
    FiloArray(PlacementLand) lands;       // the first one has no name, and is the parent of those of the file
    FiloArray(PlacementFileLayer) layers; // in the order of the file
    uint32_t order[PLACEMENT_ALL_LAYERS]; // layers in the order of the placement
    uint32_t needed[FILO_PLACEMENT_MAPS];
    size_t needed_count; // maps that must be passed
};

// ---- Reading --------------------------------------------------------------------------------------------------

typedef struct PlacementParser {
    FiloEcotope *file;
    FiloJsonReader reader;
    FiloResult result;
} PlacementParser;

// All set the parser's result and return false. The message begins with file, line and column.
bool placement_parse_fail(PlacementParser *parser, PlacementLocation location, FiloCode code,
                          const char *format, ...) FILO_PRINTF(4, 5);
bool placement_parse_wrong_kind(PlacementParser *parser, FiloJsonToken token, const char *what,
                                const char *expected);
bool placement_parse_no_memory(PlacementParser *parser);
// The same for code without a parser.
FiloResult placement_ecotope_error(const FiloEcotope *file, PlacementLocation location, FiloCode code,
                                   const char *format, ...) FILO_PRINTF(4, 5);

static inline PlacementLocation placement_location(FiloJsonToken token) {
    return (PlacementLocation){ token.line, token.column };
}

// Iterates over the members of an object. `names` are those that it may have.
typedef struct PlacementMembers {
    const char *const *names;
    unsigned count;
    uint64_t seen; // bit n: member n was given
} PlacementMembers;
// The next member and the first token of its value. False at the end, and after a failure.
bool placement_parse_member(PlacementParser *parser, PlacementMembers *members, unsigned *member,
                            FiloJsonToken *key, FiloJsonToken *value);

bool placement_parse_name(PlacementParser *parser, FiloJsonToken token, const char *what,
                          PlacementName *name);
// A finite number within [low, high].
bool placement_parse_number(PlacementParser *parser, FiloJsonToken token, const char *what, double low,
                            double high, double *number);
// A whole number within [low, high], which are not negative and at most UINT32_MAX.
bool placement_parse_whole(PlacementParser *parser, FiloJsonToken token, const char *what, double low,
                           double high, uint32_t *number);
bool placement_parse_bool(PlacementParser *parser, FiloJsonToken token, const char *what, bool *value);
// A list of exactly two numbers within [low, high].
bool placement_parse_pair(PlacementParser *parser, FiloJsonToken token, const char *what, double low,
                          double high, double pair[2]);
// An expression; `node` is its index. `what` is the member that it is the value of.
bool placement_parse_expression(PlacementParser *parser, FiloJsonToken token, const char *what,
                                uint32_t *node);
// The members of a layer, whose object has begun.
bool placement_parse_layer(PlacementParser *parser, FiloJsonToken begin, uint32_t land);

bool placement_parse_file(PlacementParser *parser, const char *text, size_t length);
bool placement_parse_resolve(PlacementParser *parser);

static inline PlacementNode *placement_node(FiloEcotope *file, uint32_t node) {
    return &file->nodes.items[node];
}

const char *placement_operator_name(PlacementNodeKind kind);

// ---- Compiling ------------------------------------------------------------------------------------------------

// A value: an operation on other values, before it has a register.
typedef struct PlacementValue {
    PlacementOpCode code;
    uint32_t a, b; // values, or PLACEMENT_NONE
    int32_t imm;
    int32_t low, high; // between which it always is
} PlacementValue;

typedef struct PlacementGraph {
    FiloArray(PlacementValue) values;
    FiloMap known; // hash of a value → its index
    FiloArray(PlacementSegment) segments;
    FiloArray(PlacementCurve) curves;
    FiloArray(PlacementNoise) noises;
    FiloArray(PlacementNear) nears;
    bool failed; // without memory; all further values are 0
} PlacementGraph;

void placement_graph_init(PlacementGraph *graph, const FiloAllocator *allocator);
void placement_graph_deinit(PlacementGraph *graph);

// These return the index of a value, which may be one that exists already.
uint32_t placement_graph_constant(PlacementGraph *graph, int32_t value);
uint32_t placement_graph_sample(PlacementGraph *graph, int map);
// MIN, MAX, ADD, SUBTRACT, MULTIPLY.
uint32_t placement_graph_binary(PlacementGraph *graph, PlacementOpCode code, uint32_t a, uint32_t b);
uint32_t placement_graph_step(PlacementGraph *graph, uint32_t a, int32_t limit);
uint32_t placement_graph_clamp(PlacementGraph *graph, uint32_t a);
uint32_t placement_graph_noise(PlacementGraph *graph, PlacementNoise noise);
uint32_t placement_graph_near(PlacementGraph *graph, const PlacementNear *near);
// Straight lines between points, whose x are shares of the range of `a` (1 is its end) and ascend, and whose y are
// within −4 … 4.
uint32_t placement_graph_curve(PlacementGraph *graph, uint32_t a, const PlacementCurvePoint *points,
                               size_t count);
// A value that may refer to operands; for graph.c and curve.c.
uint32_t placement_graph_value(PlacementGraph *graph, PlacementValue value);

// The result of a curve for an operand.
int32_t placement_curve_at(const PlacementCurve *curve, const PlacementSegment *segments, int32_t a);

// A value that a program hands over as the density of a layer.
typedef struct PlacementRoot {
    uint32_t value;
    int32_t layer; // of the footprint
} PlacementRoot;
// Writes a program for these roots, in their order. A root whose value is always 0 is left out. FILO_ERROR_LIMIT if more
// than PLACEMENT_PROGRAM_REGISTERS values are needed at once; `what` is named in the message. On failure the program is all zero.
FiloResult placement_graph_emit(PlacementProgram *program, const PlacementGraph *graph,
                                const PlacementRoot *roots, size_t count, const char *what,
                                const FiloAllocator *allocator);

// What compiling needs to know of a placement.
typedef struct PlacementCompiler {
    const FiloEcotope *file;
    const FiloAllocator *allocator;
    PlacementGraph graph;
    FiloResult result;      // of the first failure, except for lack of memory in the graph
    double lowest, highest; // of the heightmap, in metres
    uint32_t *nodes;        // value of each node; PLACEMENT_NONE: not yet
    uint32_t *lands;        // presence of each ecotope
    uint32_t *rests;        // what it and its later siblings leave of what they replace
    uint32_t *layers;       // density of each layer
    // The number in the placement of a map of the file, or −1 for one that is computed from a heightmap that is not there.
    int (*map)(struct PlacementCompiler *compiler, uint32_t map);
    // The map with the blurred values of `value`, the operand of `node`; −1 after a failure, with a result.
    int (*blur)(struct PlacementCompiler *compiler, uint32_t node, uint32_t value);
    void *user;
} PlacementCompiler;

bool placement_compiler_init(PlacementCompiler *compiler, const FiloEcotope *file,
                             const FiloAllocator *allocator);
void placement_compiler_deinit(PlacementCompiler *compiler);
// The density of a layer of the file, as a value of the graph.
uint32_t placement_compile_layer(PlacementCompiler *compiler, uint32_t layer);

// ---- Placements -----------------------------------------------------------------------------------------------

// Evaluates a value on a grid over the world, blurs it, and adds it to the maps of the placement.
FiloResult placement_ecotope_blur(FiloPlacement *p, const PlacementCompiler *compiler, uint32_t node,
                                  uint32_t value, int *map);

#endif
