// Expressions: text → nodes.

#include "placement/ecotope/ecotope.h"

// Operators, as in EcotopeKind, then the other members of expressions.
enum {
    WITH_OF = ECOTOPE_OPERATORS,
    WITH_SOFT,
    WITH_METRES,
    WITH_RESOLUTION,
    WITH_OCTAVES,
    WITH_SEED,
    WITH_WITHIN,
    WITH_COUNT
};
static const char *const member_names[WITH_COUNT] = {
    "min",   "max",   "multiply", "add",     "subtract", "invert", "curve", "threshold",  "clamp",   "blur", "noise",
    "layer", "ecotope", "near",   "of",      "soft",     "metres", "resolution", "octaves", "seed", "within"
};

const char *ecotope_operator_name(EcotopeKind kind) {
    return kind < ECOTOPE_OPERATORS ? member_names[kind] : "expression";
}

// The members that an operator must have and may have besides itself.
typedef struct Shape {
    unsigned required, optional;
} Shape;

static Shape shape_of(unsigned operator_) {
    switch (operator_) {
    case ECOTOPE_CURVE_OF:
    case ECOTOPE_CLAMP: return (Shape){ 1u << WITH_OF, 0 };
    case ECOTOPE_THRESHOLD: return (Shape){ 1u << WITH_OF, 1u << WITH_SOFT };
    case ECOTOPE_BLUR: return (Shape){ 1u << WITH_METRES, 1u << WITH_RESOLUTION };
    case ECOTOPE_NOISE: return (Shape){ 0, 1u << WITH_OCTAVES | 1u << WITH_SEED };
    case ECOTOPE_NEAR: return (Shape){ 1u << WITH_WITHIN, 0 };
    default: return (Shape){ 0, 0 };
    }
}

static bool add_node(EcotopeParser *parser, EcotopeKind kind, EcotopeLocation location, uint32_t *number) {
    FiloEcotope *file = parser->file;
    if (file->nodes.count >= FILO_ECOTOPE_NODES)
        return ecotope_fail(parser, location, FILO_ERROR_LIMIT, "more than %d expressions in one file",
                            FILO_ECOTOPE_NODES);
    EcotopeNode node = { .kind = kind, .location = location };
    node.operand = node.next = node.target = node.near_node = ECOTOPE_NONE;
    if (!filo_array_push(&file->nodes, node)) return ecotope_no_memory(parser);
    *number = (uint32_t)file->nodes.count - 1;
    return true;
}

static void add_operand(FiloEcotope *file, uint32_t node, uint32_t operand) {
    uint32_t *link = &ecotope_node(file, node)->operand;
    while (*link != ECOTOPE_NONE) link = &ecotope_node(file, *link)->next;
    *link = operand;
}

static bool read_operand(EcotopeParser *parser, FiloJsonToken token, const char *what, uint32_t node) {
    uint32_t operand;
    if (!ecotope_read_expression(parser, token, what, &operand)) return false;
    add_operand(parser->file, node, operand);
    return true;
}

static bool read_operands(EcotopeParser *parser, FiloJsonToken token, const char *what, uint32_t node) {
    if (token.kind != FILO_JSON_ARRAY_BEGIN)
        return ecotope_wrong_kind(parser, token, what, "a list of expressions");
    EcotopeLocation begin = ecotope_location(token);
    uint32_t last = ECOTOPE_NONE;
    while ((token = filo_json_next(&parser->reader)).kind != FILO_JSON_ARRAY_END) {
        uint32_t operand;
        if (!ecotope_read_expression(parser, token, what, &operand)) return false;
        if (last == ECOTOPE_NONE)
            ecotope_node(parser->file, node)->operand = operand;
        else
            ecotope_node(parser->file, last)->next = operand;
        last = operand;
    }
    if (last == ECOTOPE_NONE)
        return ecotope_fail(parser, begin, FILO_ERROR_DATA, "%s: the list is empty", what);
    return true;
}

// A layer, or a list of layers.
static bool read_near(EcotopeParser *parser, FiloJsonToken token, uint32_t node) {
    bool list = token.kind == FILO_JSON_ARRAY_BEGIN;
    EcotopeLocation begin = ecotope_location(token);
    if (!list && token.kind != FILO_JSON_STRING)
        return ecotope_wrong_kind(parser, token, "near", "the name of a layer, or a list of names");
    if (list) token = filo_json_next(&parser->reader);
    while (token.kind != FILO_JSON_ARRAY_END) {
        uint32_t operand;
        EcotopeName name;
        if (!ecotope_read_name(parser, token, "near", &name) ||
            !add_node(parser, ECOTOPE_LAYER, ecotope_location(token), &operand))
            return false;
        ecotope_node(parser->file, operand)->name = name;
        add_operand(parser->file, node, operand);
        if (!list) return true;
        token = filo_json_next(&parser->reader);
    }
    if (ecotope_node(parser->file, node)->operand == ECOTOPE_NONE)
        return ecotope_fail(parser, begin, FILO_ERROR_DATA, "near: the list is empty");
    return true;
}

static bool add_point(EcotopeParser *parser, EcotopeLocation location, uint32_t node, EcotopePoint point) {
    FiloEcotope *file = parser->file;
    EcotopeNode *curve = ecotope_node(file, node);
    if (curve->point_count > 0 && point.x < file->points.items[file->points.count - 1].x)
        return ecotope_fail(parser, location, FILO_ERROR_DATA,
                            "curve: x must not become smaller, but %g comes after %g", point.x,
                            file->points.items[file->points.count - 1].x);
    if (curve->point_count >= ECOTOPE_CURVE || file->points.count >= ECOTOPE_POINTS)
        return ecotope_fail(parser, location, FILO_ERROR_LIMIT,
                            "curve: more than %d points in one curve or %d in one file", ECOTOPE_CURVE,
                            ECOTOPE_POINTS);
    if (!filo_array_push(&file->points, point)) return ecotope_no_memory(parser);
    curve->point_count++;
    return true;
}

static bool read_curve(EcotopeParser *parser, FiloJsonToken token, uint32_t node) {
    if (token.kind != FILO_JSON_ARRAY_BEGIN)
        return ecotope_wrong_kind(parser, token, "curve", "a list of points [x, y]");
    EcotopeLocation begin = ecotope_location(token);
    ecotope_node(parser->file, node)->first_point = (uint32_t)parser->file->points.count;
    while ((token = filo_json_next(&parser->reader)).kind != FILO_JSON_ARRAY_END) {
        double pair[2];
        EcotopeLocation location = ecotope_location(token);
        if (!ecotope_read_pair(parser, token, "curve", -1e9, 1e9, pair)) return false;
        if (pair[1] < -4 || pair[1] > 4)
            return ecotope_fail(parser, location, FILO_ERROR_DATA, "curve: the y %g is outside -4 … 4", pair[1]);
        if (!add_point(parser, location, node, (EcotopePoint){ pair[0], pair[1] })) return false;
    }
    if (ecotope_node(parser->file, node)->point_count == 0)
        return ecotope_fail(parser, begin, FILO_ERROR_DATA, "curve: the list is empty");
    return true;
}

static bool read_clamp(EcotopeParser *parser, FiloJsonToken token, uint32_t node) {
    double pair[2];
    EcotopeLocation location = ecotope_location(token);
    if (!ecotope_read_pair(parser, token, "clamp", -1e9, 1e9, pair)) return false;
    if (pair[0] > pair[1])
        return ecotope_fail(parser, location, FILO_ERROR_DATA, "clamp: %g is above %g", pair[0], pair[1]);
    ecotope_node(parser->file, node)->number = pair[0];
    ecotope_node(parser->file, node)->second = pair[1];
    return true;
}

static bool read_reference(EcotopeParser *parser, FiloJsonToken token, const char *what, uint32_t node) {
    EcotopeName name;
    if (!ecotope_read_name(parser, token, what, &name)) return false;
    ecotope_node(parser->file, node)->name = name;
    return true;
}

// The value of an operator.
static bool read_operator(EcotopeParser *parser, unsigned operator_, FiloJsonToken token, uint32_t node) {
    const char *what = member_names[operator_];
    double number = 0;
    switch (operator_) {
    case ECOTOPE_INVERT:
    case ECOTOPE_BLUR: return read_operand(parser, token, what, node);
    case ECOTOPE_CURVE_OF: return read_curve(parser, token, node);
    case ECOTOPE_CLAMP: return read_clamp(parser, token, node);
    case ECOTOPE_LAYER:
    case ECOTOPE_PRESENCE: return read_reference(parser, token, what, node);
    case ECOTOPE_NEAR: return read_near(parser, token, node);
    case ECOTOPE_THRESHOLD:
    case ECOTOPE_NOISE:
        if (operator_ == ECOTOPE_NOISE ? !ecotope_read_number(parser, token, what, 0.01, 1e6, &number)
                                       : !ecotope_read_number(parser, token, what, -1e9, 1e9, &number))
            return false;
        ecotope_node(parser->file, node)->number = number;
        return true;
    default: return read_operands(parser, token, what, node);
    }
}

// The value of another member.
static bool read_with(EcotopeParser *parser, unsigned member, FiloJsonToken token, uint32_t node) {
    const char *what = member_names[member];
    double number = 0;
    int64_t whole = 0;
    if (member == WITH_OF) return read_operand(parser, token, what, node);
    double low = member == WITH_OCTAVES ? 1 : member == WITH_SEED || member == WITH_SOFT ? 0 : 0.01;
    double high = member == WITH_OCTAVES ? 8 : member == WITH_SEED ? UINT32_MAX : member == WITH_SOFT ? 1e9 : 1e5;
    if (!ecotope_read_number(parser, token, what, low, high, &number)) return false;
    EcotopeNode *n = ecotope_node(parser->file, node);
    if (member == WITH_OCTAVES || member == WITH_SEED) {
        if (!filo_json_as_int64(token, &whole))
            return ecotope_wrong_kind(parser, token, what, "a whole number");
        *(member == WITH_SEED ? &n->seed : &n->octaves) = (uint32_t)whole;
    } else {
        *(member == WITH_METRES || member == WITH_WITHIN ? &n->number : &n->second) = number;
    }
    return true;
}

// Whether an operator has the members that it needs, and no others.
static bool check_members(EcotopeParser *parser, EcotopeLocation location, unsigned operator_, uint64_t seen) {
    Shape shape = shape_of(operator_);
    for (unsigned with = WITH_OF; with < WITH_COUNT; with++) {
        bool given = (seen >> with & 1) != 0;
        if (given && ((shape.required | shape.optional) >> with & 1) == 0)
            return ecotope_fail(parser, location, FILO_ERROR_DATA, "%s: \"%s\" has no meaning for it",
                                member_names[operator_], member_names[with]);
        if (!given && (shape.required >> with & 1) != 0)
            return ecotope_fail(parser, location, FILO_ERROR_DATA, "%s: \"%s\" is missing",
                                member_names[operator_], member_names[with]);
    }
    return true;
}

static bool read_object(EcotopeParser *parser, FiloJsonToken begin, uint32_t node) {
    EcotopeMembers members = { member_names, WITH_COUNT, 0 };
    unsigned member, operator_ = ECOTOPE_OPERATORS;
    FiloJsonToken key, value;
    EcotopeLocation location = ecotope_location(begin);
    ecotope_node(parser->file, node)->octaves = 1;
    while (ecotope_next_member(parser, &members, &member, &key, &value)) {
        if (member < ECOTOPE_OPERATORS && operator_ < ECOTOPE_OPERATORS)
            return ecotope_fail(parser, ecotope_location(key), FILO_ERROR_DATA,
                                "an expression has one operator, but this one has \"%s\" and \"%s\"",
                                member_names[operator_], member_names[member]);
        bool ok = member < ECOTOPE_OPERATORS ? read_operator(parser, member, value, node)
                                             : read_with(parser, member, value, node);
        if (!ok) return false;
        if (member < ECOTOPE_OPERATORS) operator_ = member;
    }
    if (parser->result.code != FILO_OK) return false;
    if (operator_ == ECOTOPE_OPERATORS)
        return ecotope_fail(parser, location, FILO_ERROR_DATA,
                            "an expression without an operator, such as \"multiply\" or \"curve\"");
    ecotope_node(parser->file, node)->kind = (EcotopeKind)operator_;
    return check_members(parser, location, operator_, members.seen);
}

bool ecotope_read_expression(EcotopeParser *parser, FiloJsonToken token, const char *what, uint32_t *node) {
    EcotopeLocation location = ecotope_location(token);
    double number;
    EcotopeName name;
    switch ((int)token.kind) {
    case FILO_JSON_NUMBER:
        if (!ecotope_read_number(parser, token, what, -1e9, 1e9, &number) ||
            !add_node(parser, ECOTOPE_NUMBER, location, node))
            return false;
        ecotope_node(parser->file, *node)->number = number;
        return true;
    case FILO_JSON_STRING:
        if (!ecotope_read_name(parser, token, what, &name) || !add_node(parser, ECOTOPE_NAMED, location, node))
            return false;
        ecotope_node(parser->file, *node)->name = name;
        return true;
    case FILO_JSON_OBJECT_BEGIN:
        return add_node(parser, ECOTOPE_NUMBER, location, node) && read_object(parser, token, *node);
    default: return ecotope_wrong_kind(parser, token, what, "a number, a name or an object");
    }
}
