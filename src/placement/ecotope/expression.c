// Expressions: text → nodes.

#include "placement/ecotope/ecotope.h"

// Operators, as in PlacementNodeKind, then the other members of expressions.
enum {
    WITH_OF = PLACEMENT_NODE_OPERATORS,
    WITH_SOFT,
    WITH_METRES,
    WITH_RESOLUTION,
    WITH_OCTAVES,
    WITH_SEED,
    WITH_WITHIN,
    WITH_COUNT
};
static const char *const member_names[WITH_COUNT] = { "min",    "max",    "multiply",   "add",     "subtract",
                                                      "invert", "curve",  "threshold",  "clamp",   "blur",
                                                      "noise",  "layer",  "ecotope",    "near",    "of",
                                                      "soft",   "metres", "resolution", "octaves", "seed",
                                                      "within" };

const char *placement_operator_name(PlacementNodeKind kind) {
    return kind < PLACEMENT_NODE_OPERATORS ? member_names[kind] : "expression";
}

// The members that an operator must have and may have besides itself.
typedef struct Shape {
    unsigned required, optional;
} Shape;

static Shape shape_of(unsigned operator_) {
    switch (operator_) {
    case PLACEMENT_NODE_CURVE:
    case PLACEMENT_NODE_CLAMP: return (Shape){ 1u << WITH_OF, 0 };
    case PLACEMENT_NODE_THRESHOLD: return (Shape){ 1u << WITH_OF, 1u << WITH_SOFT };
    case PLACEMENT_NODE_BLUR: return (Shape){ 1u << WITH_METRES, 1u << WITH_RESOLUTION };
    case PLACEMENT_NODE_NOISE: return (Shape){ 0, 1u << WITH_OCTAVES | 1u << WITH_SEED };
    case PLACEMENT_NODE_NEAR: return (Shape){ 1u << WITH_WITHIN, 0 };
    default: return (Shape){ 0, 0 };
    }
}

static bool add_node(PlacementParser *parser, PlacementNodeKind kind, PlacementLocation location,
                     uint32_t *number) {
    FiloEcotope *file = parser->file;
    if (file->nodes.count >= FILO_ECOTOPE_NODES)
        return placement_parse_fail(parser, location, FILO_ERROR_LIMIT,
                                    "more than %d expressions in one file", FILO_ECOTOPE_NODES);
    PlacementNode node = { .kind = kind, .location = location };
    node.operand = node.next = node.target = node.near_node = PLACEMENT_NONE;
    if (!filo_array_push(&file->nodes, node)) return placement_parse_no_memory(parser);
    *number = (uint32_t)file->nodes.count - 1;
    return true;
}

static void add_operand(FiloEcotope *file, uint32_t node, uint32_t operand) {
    uint32_t *link = &placement_node(file, node)->operand;
    while (*link != PLACEMENT_NONE) link = &placement_node(file, *link)->next;
    *link = operand;
}

static bool read_operand(PlacementParser *parser, FiloJsonToken token, const char *what, uint32_t node) {
    uint32_t operand = PLACEMENT_NONE;
    if (!placement_parse_expression(parser, token, what, &operand)) return false;
    add_operand(parser->file, node, operand);
    return true;
}

static bool read_operands(PlacementParser *parser, FiloJsonToken token, const char *what, uint32_t node) {
    if (token.kind != FILO_JSON_ARRAY_BEGIN)
        return placement_parse_wrong_kind(parser, token, what, "a list of expressions");
    PlacementLocation begin = placement_location(token);
    uint32_t last = PLACEMENT_NONE;
    while ((token = filo_json_next(&parser->reader)).kind != FILO_JSON_ARRAY_END) {
        uint32_t operand;
        if (!placement_parse_expression(parser, token, what, &operand)) return false;
        if (last == PLACEMENT_NONE)
            placement_node(parser->file, node)->operand = operand;
        else
            placement_node(parser->file, last)->next = operand;
        last = operand;
    }
    if (last == PLACEMENT_NONE)
        return placement_parse_fail(parser, begin, FILO_ERROR_DATA, "%s: the list is empty", what);
    return true;
}

// A layer, or a list of layers.
static bool read_near(PlacementParser *parser, FiloJsonToken token, uint32_t node) {
    bool list = token.kind == FILO_JSON_ARRAY_BEGIN;
    PlacementLocation begin = placement_location(token);
    if (!list && token.kind != FILO_JSON_STRING)
        return placement_parse_wrong_kind(parser, token, "near", "the name of a layer, or a list of names");
    if (list) token = filo_json_next(&parser->reader);
    while (token.kind != FILO_JSON_ARRAY_END) {
        uint32_t operand;
        PlacementName name;
        if (!placement_parse_name(parser, token, "near", &name) ||
            !add_node(parser, PLACEMENT_NODE_LAYER, placement_location(token), &operand))
            return false;
        placement_node(parser->file, operand)->name = name;
        add_operand(parser->file, node, operand);
        if (!list) return true;
        token = filo_json_next(&parser->reader);
    }
    if (placement_node(parser->file, node)->operand == PLACEMENT_NONE)
        return placement_parse_fail(parser, begin, FILO_ERROR_DATA, "near: the list is empty");
    return true;
}

static bool add_point(PlacementParser *parser, PlacementLocation location, uint32_t node,
                      PlacementCurvePoint point) {
    FiloEcotope *file = parser->file;
    PlacementNode *curve = placement_node(file, node);
    if (curve->point_count > 0 && point.x < file->points.items[file->points.count - 1].x)
        return placement_parse_fail(parser, location, FILO_ERROR_DATA,
                                    "curve: x must not become smaller, but %g comes after %g", point.x,
                                    file->points.items[file->points.count - 1].x);
    if (curve->point_count >= PLACEMENT_CURVE_POINTS || file->points.count >= PLACEMENT_FILE_POINTS)
        return placement_parse_fail(parser, location, FILO_ERROR_LIMIT,
                                    "curve: more than %d points in one curve or %d in one file",
                                    PLACEMENT_CURVE_POINTS, PLACEMENT_FILE_POINTS);
    if (!filo_array_push(&file->points, point)) return placement_parse_no_memory(parser);
    curve->point_count++;
    return true;
}

static bool read_curve(PlacementParser *parser, FiloJsonToken token, uint32_t node) {
    if (token.kind != FILO_JSON_ARRAY_BEGIN)
        return placement_parse_wrong_kind(parser, token, "curve", "a list of points [x, y]");
    PlacementLocation begin = placement_location(token);
    placement_node(parser->file, node)->first_point = (uint32_t)parser->file->points.count;
    while ((token = filo_json_next(&parser->reader)).kind != FILO_JSON_ARRAY_END) {
        double pair[2];
        PlacementLocation location = placement_location(token);
        if (!placement_parse_pair(parser, token, "curve", -1e9, 1e9, pair)) return false;
        if (pair[1] < -4 || pair[1] > 4)
            return placement_parse_fail(parser, location, FILO_ERROR_DATA,
                                        "curve: the y %g is outside -4 … 4", pair[1]);
        if (!add_point(parser, location, node, (PlacementCurvePoint){ pair[0], pair[1] })) return false;
    }
    if (placement_node(parser->file, node)->point_count == 0)
        return placement_parse_fail(parser, begin, FILO_ERROR_DATA, "curve: the list is empty");
    return true;
}

static bool read_clamp(PlacementParser *parser, FiloJsonToken token, uint32_t node) {
    double pair[2];
    PlacementLocation location = placement_location(token);
    if (!placement_parse_pair(parser, token, "clamp", -1e9, 1e9, pair)) return false;
    if (pair[0] > pair[1])
        return placement_parse_fail(parser, location, FILO_ERROR_DATA, "clamp: %g is above %g", pair[0],
                                    pair[1]);
    placement_node(parser->file, node)->number = pair[0];
    placement_node(parser->file, node)->second = pair[1];
    return true;
}

static bool read_reference(PlacementParser *parser, FiloJsonToken token, const char *what, uint32_t node) {
    PlacementName name;
    if (!placement_parse_name(parser, token, what, &name)) return false;
    placement_node(parser->file, node)->name = name;
    return true;
}

// The value of an operator.
static bool read_operator(PlacementParser *parser, unsigned operator_, FiloJsonToken token, uint32_t node) {
    const char *what = member_names[operator_];
    double number = 0;
    switch (operator_) {
    case PLACEMENT_NODE_INVERT:
    case PLACEMENT_NODE_BLUR: return read_operand(parser, token, what, node);
    case PLACEMENT_NODE_CURVE: return read_curve(parser, token, node);
    case PLACEMENT_NODE_CLAMP: return read_clamp(parser, token, node);
    case PLACEMENT_NODE_LAYER:
    case PLACEMENT_NODE_PRESENCE: return read_reference(parser, token, what, node);
    case PLACEMENT_NODE_NEAR: return read_near(parser, token, node);
    case PLACEMENT_NODE_THRESHOLD:
    case PLACEMENT_NODE_NOISE:
        if (operator_ == PLACEMENT_NODE_NOISE
                ? !placement_parse_number(parser, token, what, 0.01, 1e6, &number)
                : !placement_parse_number(parser, token, what, -1e9, 1e9, &number))
            return false;
        placement_node(parser->file, node)->number = number;
        return true;
    default: return read_operands(parser, token, what, node);
    }
}

// The value of another member.
static bool read_with(PlacementParser *parser, unsigned member, FiloJsonToken token, uint32_t node) {
    const char *what = member_names[member];
    PlacementNode *n = placement_node(parser->file, node);
    switch (member) {
    case WITH_OF: return read_operand(parser, token, what, node);
    case WITH_OCTAVES: return placement_parse_whole(parser, token, what, 1, 8, &n->octaves);
    case WITH_SEED: return placement_parse_whole(parser, token, what, 0, UINT32_MAX, &n->seed);
    case WITH_SOFT: return placement_parse_number(parser, token, what, 0, 1e9, &n->second);
    case WITH_RESOLUTION: return placement_parse_number(parser, token, what, 0.01, 1e5, &n->second);
    default: return placement_parse_number(parser, token, what, 0.01, 1e5, &n->number); // metres, within
    }
}

// Whether an operator has the members that it needs, and no others.
static bool check_members(PlacementParser *parser, PlacementLocation location, unsigned operator_,
                          uint64_t seen) {
    Shape shape = shape_of(operator_);
    for (unsigned with = WITH_OF; with < WITH_COUNT; with++) {
        bool given = (seen >> with & 1) != 0;
        if (given && ((shape.required | shape.optional) >> with & 1) == 0)
            return placement_parse_fail(parser, location, FILO_ERROR_DATA, "%s: \"%s\" has no meaning for it",
                                        member_names[operator_], member_names[with]);
        if (!given && (shape.required >> with & 1) != 0)
            return placement_parse_fail(parser, location, FILO_ERROR_DATA, "%s: \"%s\" is missing",
                                        member_names[operator_], member_names[with]);
    }
    return true;
}

static bool read_object(PlacementParser *parser, FiloJsonToken begin, uint32_t node) {
    PlacementMembers members = { member_names, WITH_COUNT, 0 };
    unsigned member, operator_ = PLACEMENT_NODE_OPERATORS;
    FiloJsonToken key, value;
    PlacementLocation location = placement_location(begin);
    placement_node(parser->file, node)->octaves = 1;
    while (placement_parse_member(parser, &members, &member, &key, &value)) {
        if (member < PLACEMENT_NODE_OPERATORS && operator_ < PLACEMENT_NODE_OPERATORS)
            return placement_parse_fail(parser, placement_location(key), FILO_ERROR_DATA,
                                        "an expression has one operator, but this one has \"%s\" and \"%s\"",
                                        member_names[operator_], member_names[member]);
        bool ok = member < PLACEMENT_NODE_OPERATORS ? read_operator(parser, member, value, node)
                                                    : read_with(parser, member, value, node);
        if (!ok) return false;
        if (member < PLACEMENT_NODE_OPERATORS) operator_ = member;
    }
    if (parser->result.code != FILO_OK) return false;
    if (operator_ == PLACEMENT_NODE_OPERATORS)
        return placement_parse_fail(parser, location, FILO_ERROR_DATA,
                                    "an expression without an operator, such as \"multiply\" or \"curve\"");
    placement_node(parser->file, node)->kind = (PlacementNodeKind)operator_;
    return check_members(parser, location, operator_, members.seen);
}

bool placement_parse_expression(PlacementParser *parser, FiloJsonToken token, const char *what,
                                uint32_t *node) {
    PlacementLocation location = placement_location(token);
    double number;
    PlacementName name;
    switch ((int)token.kind) {
    case FILO_JSON_NUMBER:
        if (!placement_parse_number(parser, token, what, -1e9, 1e9, &number) ||
            !add_node(parser, PLACEMENT_NODE_NUMBER, location, node))
            return false;
        placement_node(parser->file, *node)->number = number;
        return true;
    case FILO_JSON_STRING:
        if (!placement_parse_name(parser, token, what, &name) ||
            !add_node(parser, PLACEMENT_NODE_NAMED, location, node))
            return false;
        placement_node(parser->file, *node)->name = name;
        return true;
    case FILO_JSON_OBJECT_BEGIN:
        return add_node(parser, PLACEMENT_NODE_NUMBER, location, node) && read_object(parser, token, *node);
    default: return placement_parse_wrong_kind(parser, token, what, "a number, a name or an object");
    }
}
