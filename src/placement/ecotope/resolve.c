// Resolves names once the whole file is known, and checks what depends on other parts of it: units, cycles, depth, and
// the footprints of `near`.
//
// Shared expressions, ecotopes and layers are definitions. They are resolved depth first. One that is met again while it
// is being resolved depends on itself. The depth of every node is bounded, so all later recursion is as well.

#include "placement/ecotope/ecotope.h"

#include "base/suggest.h"

#include <stdio.h>

typedef enum DefinitionKind { DEFINITION_LET, DEFINITION_LAND, DEFINITION_LAYER } DefinitionKind;

typedef struct Definition {
    DefinitionKind kind;
    uint32_t index;
} Definition;

// What is being resolved, from the outermost to the innermost definition.
typedef struct Resolver {
    PlacementParser *parser;
    FiloEcotope *file;
    Definition stack[FILO_ECOTOPE_DEPTH + 1];
    size_t count;
    size_t depth; // of nodes and definitions
} Resolver;

static bool resolve_node(Resolver *resolver, uint32_t number);

static PlacementResolved *resolved_of(FiloEcotope *file, Definition d) {
    if (d.kind == DEFINITION_LET) return &file->lets.items[d.index].resolved;
    if (d.kind == DEFINITION_LAND) return &file->lands.items[d.index].resolved;
    return &file->layers.items[d.index].resolved;
}

static const char *name_of(const FiloEcotope *file, Definition d) {
    if (d.kind == DEFINITION_LET) return file->lets.items[d.index].name.text;
    if (d.kind == DEFINITION_LAND) return file->lands.items[d.index].name.text;
    return file->layers.items[d.index].name.text;
}

static PlacementLocation location_of(const FiloEcotope *file, Definition d) {
    if (d.kind == DEFINITION_LET) return file->lets.items[d.index].location;
    if (d.kind == DEFINITION_LAND) return file->lands.items[d.index].location;
    return file->layers.items[d.index].location;
}

static bool too_deep(Resolver *resolver, PlacementLocation location) {
    return placement_parse_fail(resolver->parser, location, FILO_ERROR_LIMIT,
                                "expressions more than %d deep inside each other", FILO_ECOTOPE_DEPTH);
}

// ---- Definitions ----------------------------------------------------------------------------------------------

static bool fail_cycle(Resolver *resolver, Definition again) {
    char chain[160] = "";
    size_t from = resolver->count, used = 0;
    while (from > 0) {
        from--;
        if (resolver->stack[from].kind == again.kind && resolver->stack[from].index == again.index) break;
    }
    for (size_t i = from; i < resolver->count && used < sizeof chain; i++)
        used += (size_t)snprintf(chain + used, sizeof chain - used, "%s → ",
                                 name_of(resolver->file, resolver->stack[i]));
    if (used >= sizeof chain) // in the middle of a character, perhaps
        filo_string_copy(filo_utf8_cut(filo_string(chain), sizeof chain - 8), chain, sizeof chain);
    return placement_parse_fail(resolver->parser, location_of(resolver->file, again), FILO_ERROR_DATA,
                                "depends on itself: %s%s%s", chain, used >= sizeof chain ? " … → " : "",
                                name_of(resolver->file, again));
}

// Takes over what is known of a part: its height and the footprints of `near`.
static void include(PlacementResolved *whole, uint16_t height, int near_footprint, uint32_t near_node) {
    if (height >= whole->height) whole->height = (uint16_t)(height + 1);
    if (near_footprint <= whole->near_footprint) return;
    whole->near_footprint = near_footprint;
    whole->near_node = near_node;
}

static bool include_node(Resolver *resolver, PlacementResolved *whole, uint32_t number) {
    if (number == PLACEMENT_NONE) return true;
    if (!resolve_node(resolver, number)) return false;
    const PlacementNode *node = placement_node(resolver->file, number);
    include(whole, node->height, node->near_footprint, node->near_node);
    return true;
}

static bool resolve_definition(Resolver *resolver, Definition d);

static bool include_definition(Resolver *resolver, PlacementResolved *whole, Definition d) {
    if (!resolve_definition(resolver, d)) return false;
    const PlacementResolved *part = resolved_of(resolver->file, d);
    include(whole, part->height, part->near_footprint, part->near_node);
    return true;
}

// The density of an ecotope that replaces another. It is not all of its presence, but counts as it in a cycle.
static bool include_replacement(Resolver *resolver, PlacementResolved *whole, uint32_t land) {
    if (resolver->depth >= FILO_ECOTOPE_DEPTH)
        return too_deep(resolver, resolver->file->lands.items[land].location);
    resolver->stack[resolver->count++] = (Definition){ DEFINITION_LAND, land };
    resolver->depth++;
    bool ok = include_node(resolver, whole, resolver->file->lands.items[land].density);
    resolver->depth--;
    resolver->count--;
    return ok;
}

// A value that is used as a density must be a plain number.
static bool check_plain(Resolver *resolver, uint32_t number, const char *what) {
    if (number == PLACEMENT_NONE) return true;
    const PlacementNode *node = placement_node(resolver->file, number);
    PlacementUnit unit = node->unit;
    if (unit.kind == PLACEMENT_UNIT_PLAIN) return true;
    if (unit.kind == PLACEMENT_UNIT_ANY) {
        const PlacementNode *value = node;
        while (value->kind == PLACEMENT_NODE_LET)
            value = placement_node(resolver->file, resolver->file->lets.items[value->target].node);
        if (value->number >= -4 && value->number <= 4) return true;
        return placement_parse_fail(resolver->parser, node->location, FILO_ERROR_DATA,
                                    "%s: %g is outside -4 … 4", what, value->number);
    }
    if (unit.kind == PLACEMENT_UNIT_RANGE && !unit.wraps && unit.low >= -4 && unit.high <= 4) return true;
    const char *name = placement_operator_name(node->kind);
    if (node->kind >= PLACEMENT_NODE_OPERATORS) name = node->name.text;
    if (unit.kind == PLACEMENT_UNIT_HEIGHT)
        return placement_parse_fail(
            resolver->parser, node->location, FILO_ERROR_DATA,
            "%s: \"%s\" is in metres, not a density: use it in a curve or a threshold", what, name);
    return placement_parse_fail(
        resolver->parser, node->location, FILO_ERROR_DATA,
        "%s: \"%s\" is between %g and %g, not a density: use it in a curve or a threshold", what, name,
        unit.low, unit.high);
}

// All that replace others, from `land` on in the list of siblings.
static bool include_replacements(Resolver *resolver, PlacementResolved *whole, uint32_t land) {
    for (; land != PLACEMENT_NONE; land = resolver->file->lands.items[land].next_sibling)
        if (resolver->file->lands.items[land].replace && !include_replacement(resolver, whole, land))
            return false;
    return true;
}

static bool resolve_land(Resolver *resolver, uint32_t number, PlacementResolved *whole) {
    const PlacementLand *land = &resolver->file->lands.items[number];
    if (land->parent != PLACEMENT_NONE &&
        !include_definition(resolver, whole, (Definition){ DEFINITION_LAND, land->parent }))
        return false;
    if (!include_node(resolver, whole, land->density) || !check_plain(resolver, land->density, "density"))
        return false;
    return include_replacements(resolver, whole, land->next_sibling);
}

static bool resolve_layer(Resolver *resolver, uint32_t number, PlacementResolved *whole) {
    const PlacementFileLayer *layer = &resolver->file->layers.items[number];
    if (!include_definition(resolver, whole, (Definition){ DEFINITION_LAND, layer->land }) ||
        !include_node(resolver, whole, layer->density) || !check_plain(resolver, layer->density, "density"))
        return false;
    return include_replacements(resolver, whole, resolver->file->lands.items[layer->land].first_child);
}

static bool resolve_definition(Resolver *resolver, Definition d) {
    FiloEcotope *file = resolver->file;
    PlacementResolved *resolved = resolved_of(file, d);
    if (resolved->state == 2) return true;
    if (resolved->state == 1) return fail_cycle(resolver, d);
    if (resolver->depth >= FILO_ECOTOPE_DEPTH) return too_deep(resolver, location_of(file, d));
    resolved->state = 1;
    resolved->near_footprint = -1;
    resolved->near_node = PLACEMENT_NONE;
    resolver->stack[resolver->count++] = d;
    resolver->depth++;
    bool ok = d.kind == DEFINITION_LET    ? include_node(resolver, resolved, file->lets.items[d.index].node)
              : d.kind == DEFINITION_LAND ? resolve_land(resolver, d.index, resolved)
                                          : resolve_layer(resolver, d.index, resolved);
    resolver->depth--;
    resolver->count--;
    if (!ok) return false;
    if (resolved->height > FILO_ECOTOPE_DEPTH) return too_deep(resolver, location_of(file, d));
    resolved->state = 2;
    return true;
}

// ---- Names ----------------------------------------------------------------------------------------------------

// Suggestions are looked for only after a failure: they take long.

static bool find_layer(Resolver *resolver, PlacementNode *node, const char *what) {
    FiloEcotope *file = resolver->file;
    filo_array_each (&file->layers, layer) {
        if (strcmp(layer->name.text, node->name.text) != 0) continue;
        node->target = (uint32_t)(layer - file->layers.items);
        return true;
    }
    char meant[BASE_SUGGEST_SIZE];
    BaseSuggestion suggestion = base_suggest(filo_string(node->name.text));
    filo_array_each (&file->layers, layer) base_suggest_offer(&suggestion, filo_string(layer->name.text));
    return placement_parse_fail(resolver->parser, node->location, FILO_ERROR_NOT_FOUND,
                                "%s: there is no layer \"%s\"%s", what, node->name.text,
                                base_suggest_print(&suggestion, meant));
}

static bool find_land(Resolver *resolver, PlacementNode *node) {
    FiloEcotope *file = resolver->file;
    for (size_t i = 1; i < file->lands.count; i++) {
        if (strcmp(file->lands.items[i].name.text, node->name.text) != 0) continue;
        node->target = (uint32_t)i;
        return true;
    }
    char meant[BASE_SUGGEST_SIZE];
    BaseSuggestion suggestion = base_suggest(filo_string(node->name.text));
    filo_array_each (&file->lands, land) base_suggest_offer(&suggestion, filo_string(land->name.text));
    return placement_parse_fail(resolver->parser, node->location, FILO_ERROR_NOT_FOUND,
                                "ecotope: there is no ecotope \"%s\"%s", node->name.text,
                                base_suggest_print(&suggestion, meant));
}

static bool find_map(Resolver *resolver, PlacementLocation location, const char *name, uint32_t *number) {
    filo_array_each (&resolver->file->maps, map) {
        if (strcmp(map->name.text, name) != 0) continue;
        if (map->location.line == 0) map->location = location;
        *number = (uint32_t)(map - resolver->file->maps.items);
        return true;
    }
    return false;
}

static bool fail_map(Resolver *resolver, PlacementLocation location, const char *name, const char *what,
                     bool or_let) {
    FiloEcotope *file = resolver->file;
    char meant[BASE_SUGGEST_SIZE];
    BaseSuggestion suggestion = base_suggest(filo_string(name));
    if (or_let)
        filo_array_each (&file->lets, let) base_suggest_offer(&suggestion, filo_string(let->name.text));
    filo_array_each (&file->maps, map) base_suggest_offer(&suggestion, filo_string(map->name.text));
    base_suggest_print(&suggestion, meant);
    return placement_parse_fail(resolver->parser, location, FILO_ERROR_NOT_FOUND,
                                "%sthere is no map \"%s\"%s%s", what, name, meant,
                                meant[0] == '\0' ? ": declare it in \"maps\"" : "");
}

// A name in an expression: a shared expression or a map.
static bool find_named(Resolver *resolver, PlacementNode *node) {
    FiloEcotope *file = resolver->file;
    filo_array_each (&file->lets, let) {
        if (strcmp(let->name.text, node->name.text) != 0) continue;
        node->kind = PLACEMENT_NODE_LET;
        node->target = (uint32_t)(let - file->lets.items);
        return true;
    }
    if (!find_map(resolver, node->location, node->name.text, &node->target))
        return fail_map(resolver, node->location, node->name.text, "", true);
    node->kind = PLACEMENT_NODE_MAP;
    return true;
}

// ---- Nodes ----------------------------------------------------------------------------------------------------

static bool same_unit(PlacementUnit a, PlacementUnit b) {
    return a.kind == b.kind && a.wraps == b.wraps && a.low == b.low && a.high == b.high;
}

static bool refuse_wrapping(Resolver *resolver, const PlacementNode *node, const PlacementNode *operand) {
    if (!operand->unit.wraps) return true;
    return placement_parse_fail(
        resolver->parser, node->location, FILO_ERROR_DATA,
        "%s: \"%s\" is a direction, which has no least and no largest: use it in a curve",
        placement_operator_name(node->kind), operand->name.text);
}

// MIN and MAX keep a unit that all operands share; numbers take part in any.
static bool unit_of_least(Resolver *resolver, PlacementNode *node) {
    const char *what = placement_operator_name(node->kind);
    PlacementUnit unit = { .kind = PLACEMENT_UNIT_ANY };
    bool same = true;
    for (uint32_t i = node->operand; i != PLACEMENT_NONE; i = placement_node(resolver->file, i)->next) {
        const PlacementNode *operand = placement_node(resolver->file, i);
        if (!refuse_wrapping(resolver, node, operand)) return false;
        if (operand->unit.kind == PLACEMENT_UNIT_ANY) continue;
        if (unit.kind == PLACEMENT_UNIT_ANY) unit = operand->unit;
        same = same && same_unit(unit, operand->unit);
    }
    if (same && unit.kind != PLACEMENT_UNIT_ANY && unit.kind != PLACEMENT_UNIT_PLAIN) {
        node->unit = unit;
        return true;
    }
    for (uint32_t i = node->operand; i != PLACEMENT_NONE; i = placement_node(resolver->file, i)->next)
        if (!check_plain(resolver, i, what)) return false;
    return true;
}

static bool check_curve(Resolver *resolver, PlacementNode *node, const PlacementNode *operand) {
    const PlacementCurvePoint *points = &resolver->file->points.items[node->first_point];
    PlacementUnit unit = operand->unit;
    double width = points[node->point_count - 1].x - points[0].x;
    if (!unit.wraps) return unit.kind != PLACEMENT_UNIT_ANY || check_plain(resolver, node->operand, "curve");
    if (width > unit.high - unit.low)
        return placement_parse_fail(resolver->parser, node->location, FILO_ERROR_DATA,
                                    "curve: the points cover %g, more than the whole turn of \"%s\", %g",
                                    width, operand->name.text, unit.high - unit.low);
    if (points[0].x < unit.low - (unit.high - unit.low) || points[0].x > unit.high)
        return placement_parse_fail(resolver->parser, node->location, FILO_ERROR_DATA,
                                    "curve: it begins at %g, more than a whole turn from \"%s\", %g … %g",
                                    points[0].x, operand->name.text, unit.low, unit.high);
    return true;
}

static bool unit_of_operator(Resolver *resolver, PlacementNode *node) {
    const char *what = placement_operator_name(node->kind);
    const PlacementNode *operand;
    switch (node->kind) {
    case PLACEMENT_NODE_NUMBER: node->unit.kind = PLACEMENT_UNIT_ANY; return true;
    case PLACEMENT_NODE_MAP: node->unit = resolver->file->maps.items[node->target].unit; return true;
    case PLACEMENT_NODE_LET:
        node->unit = placement_node(resolver->file, resolver->file->lets.items[node->target].node)->unit;
        return true;
    case PLACEMENT_NODE_MIN:
    case PLACEMENT_NODE_MAX: return unit_of_least(resolver, node);
    case PLACEMENT_NODE_CURVE:
        return check_curve(resolver, node, placement_node(resolver->file, node->operand));
    case PLACEMENT_NODE_THRESHOLD:
        operand = placement_node(resolver->file, node->operand);
        if (!refuse_wrapping(resolver, node, operand)) return false;
        return operand->unit.kind != PLACEMENT_UNIT_ANY || check_plain(resolver, node->operand, what);
    case PLACEMENT_NODE_CLAMP:
    case PLACEMENT_NODE_BLUR:
        operand = placement_node(resolver->file, node->operand);
        if (!refuse_wrapping(resolver, node, operand)) return false;
        if (operand->unit.kind != PLACEMENT_UNIT_ANY)
            node->unit = operand->unit;
        else
            return check_plain(resolver, node->operand, what);
        return true;
    case PLACEMENT_NODE_MULTIPLY:
    case PLACEMENT_NODE_ADD:
    case PLACEMENT_NODE_SUBTRACT:
    case PLACEMENT_NODE_INVERT:
        for (uint32_t i = node->operand; i != PLACEMENT_NONE; i = placement_node(resolver->file, i)->next)
            if (!check_plain(resolver, i, what)) return false;
        return true;
    default: return true;
    }
}

static bool resolve_near(Resolver *resolver, PlacementNode *node, uint32_t number) {
    for (uint32_t i = node->operand; i != PLACEMENT_NONE; i = placement_node(resolver->file, i)->next) {
        PlacementNode *operand = placement_node(resolver->file, i);
        if (!find_layer(resolver, operand, "near")) return false;
        int footprint = resolver->file->layers.items[operand->target].footprint;
        if (footprint > node->near_footprint) node->near_footprint = footprint;
    }
    node->near_node = number;
    return true;
}

static bool check_blur(Resolver *resolver, const PlacementNode *node) {
    if (node->near_footprint >= 0)
        return placement_parse_fail(
            resolver->parser, placement_node(resolver->file, node->near_node)->location, FILO_ERROR_DATA,
            "blur: \"near\" cannot be blurred: it depends on what is placed, and a blur is computed "
            "before");
    if (node->second > node->number / 3)
        return placement_parse_fail(resolver->parser, node->location, FILO_ERROR_DATA,
                                    "blur: %g metres need a resolution of %g or less", node->number,
                                    node->number / 3);
    return true;
}

// Resolves what a node refers to: its name, and its operands.
static bool resolve_parts(Resolver *resolver, uint32_t number) {
    PlacementNode *node = placement_node(resolver->file, number);
    PlacementResolved parts = { .near_footprint = -1, .near_node = PLACEMENT_NONE };
    bool ok = true;
    if (node->kind == PLACEMENT_NODE_NAMED) ok = find_named(resolver, node);
    if (ok && node->kind == PLACEMENT_NODE_NEAR) return resolve_near(resolver, node, number);
    if (ok && node->kind == PLACEMENT_NODE_LAYER)
        ok = find_layer(resolver, node, "layer") &&
             include_definition(resolver, &parts, (Definition){ DEFINITION_LAYER, node->target });
    if (ok && node->kind == PLACEMENT_NODE_PRESENCE)
        ok = find_land(resolver, node) &&
             include_definition(resolver, &parts, (Definition){ DEFINITION_LAND, node->target });
    if (ok && node->kind == PLACEMENT_NODE_LET)
        ok = include_definition(resolver, &parts, (Definition){ DEFINITION_LET, node->target });
    for (uint32_t i = node->operand; ok && i != PLACEMENT_NONE; i = placement_node(resolver->file, i)->next)
        ok = include_node(resolver, &parts, i);
    node->height = parts.height;
    node->near_footprint = parts.near_footprint;
    node->near_node = parts.near_node;
    return ok;
}

static bool resolve_node(Resolver *resolver, uint32_t number) {
    PlacementNode *node = placement_node(resolver->file, number);
    if (node->resolved) return true;
    if (resolver->depth >= FILO_ECOTOPE_DEPTH) return too_deep(resolver, node->location);
    node->near_footprint = -1;
    resolver->depth++;
    bool ok = resolve_parts(resolver, number) && unit_of_operator(resolver, node);
    resolver->depth--;
    if (!ok || (node->kind == PLACEMENT_NODE_BLUR && !check_blur(resolver, node))) return false;
    if (node->height > FILO_ECOTOPE_DEPTH) return too_deep(resolver, node->location);
    node->resolved = true;
    return true;
}

// ---- Names of the file ----------------------------------------------------------------------------------------

static bool fail_twice(Resolver *resolver, PlacementLocation location, const char *what, const char *name,
                       PlacementLocation other) {
    return placement_parse_fail(resolver->parser, location, FILO_ERROR_DATA,
                                "there is another %s \"%s\", in line %d", what, name, other.line);
}

static bool check_names(Resolver *resolver) {
    const FiloEcotope *file = resolver->file;
    for (size_t i = 0; i < file->layers.count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(file->layers.items[i].name.text, file->layers.items[k].name.text) == 0)
                return fail_twice(resolver, file->layers.items[i].location, "layer",
                                  file->layers.items[i].name.text, file->layers.items[k].location);
    for (size_t i = 1; i < file->lands.count; i++)
        for (size_t k = 1; k < i; k++)
            if (strcmp(file->lands.items[i].name.text, file->lands.items[k].name.text) == 0)
                return fail_twice(resolver, file->lands.items[i].location, "ecotope",
                                  file->lands.items[i].name.text, file->lands.items[k].location);
    filo_array_each (&file->lets, let)
        filo_array_each (&file->maps, map)
            if (strcmp(let->name.text, map->name.text) == 0)
                return placement_parse_fail(resolver->parser, let->location, FILO_ERROR_DATA,
                                            "let: \"%s\" is the name of a map", let->name.text);
    return true;
}

static bool find_footprint(Resolver *resolver, PlacementFileLayer *layer) {
    FiloEcotope *file = resolver->file;
    const char *name = layer->footprint_name.text;
    if (name[0] == '\0') {
        if (file->footprints.count == 1) return true;
        return placement_parse_fail(resolver->parser, layer->location, FILO_ERROR_DATA,
                                    "\"%s\": \"footprint\" is missing", layer->name.text);
    }
    BaseSuggestion suggestion = base_suggest(filo_string(name));
    filo_array_each (&file->footprints, footprint) {
        if (strcmp(footprint->name.text, name) == 0) {
            layer->footprint = (int)(footprint - file->footprints.items);
            return true;
        }
        base_suggest_offer(&suggestion, filo_string(footprint->name.text));
    }
    char meant[BASE_SUGGEST_SIZE];
    return placement_parse_fail(resolver->parser, layer->footprint_location, FILO_ERROR_NOT_FOUND,
                                "there is no footprint \"%s\"%s", name,
                                base_suggest_print(&suggestion, meant));
}

// Finds the footprint of each layer, and their order in a placement.
static bool order_layers(Resolver *resolver) {
    FiloEcotope *file = resolver->file;
    filo_array_each (&file->layers, layer) {
        if (!find_footprint(resolver, layer)) return false;
        PlacementFileFootprint *footprint = &file->footprints.items[layer->footprint];
        if (footprint->layer_count >= FILO_PLACEMENT_LAYERS)
            return placement_parse_fail(resolver->parser, layer->location, FILO_ERROR_LIMIT,
                                        "more than %d layers with the footprint \"%s\"",
                                        FILO_PLACEMENT_LAYERS, footprint->name.text);
        footprint->layer_count++;
    }
    int index = 0;
    for (size_t f = 0; f < file->footprints.count; f++) {
        PlacementFileFootprint *footprint = &file->footprints.items[f];
        footprint->first_layer = index;
        if (footprint->layer_count == 0)
            return placement_parse_fail(resolver->parser, footprint->location, FILO_ERROR_DATA,
                                        "no layer has the footprint \"%s\"", footprint->name.text);
        for (size_t i = 0; i < file->layers.count; i++) {
            if (file->layers.items[i].footprint != (int)f) continue;
            file->order[index] = (uint32_t)i;
            file->layers.items[i].index = index++;
        }
    }
    if (index == 0)
        return placement_parse_fail(resolver->parser, (PlacementLocation){ 1, 1 }, FILO_ERROR_DATA,
                                    "there are no layers");
    return true;
}

static bool check_near(Resolver *resolver, const PlacementFileLayer *layer) {
    FiloEcotope *file = resolver->file;
    const PlacementResolved *resolved = &layer->resolved;
    if (resolved->near_footprint < layer->footprint) return true;
    const PlacementNode *near_node = placement_node(file, resolved->near_node);
    const char *object = "";
    for (uint32_t i = near_node->operand; i != PLACEMENT_NONE; i = placement_node(file, i)->next) {
        const PlacementFileLayer *other = &file->layers.items[placement_node(file, i)->target];
        if (other->footprint == resolved->near_footprint) object = other->name.text;
    }
    return placement_parse_fail(
        resolver->parser, near_node->location, FILO_ERROR_DATA,
        "near: \"%s\" cannot be near \"%s\", whose footprint \"%s\" is not placed before its own, \"%s\"",
        layer->name.text, object, file->footprints.items[resolved->near_footprint].name.text,
        file->footprints.items[layer->footprint].name.text);
}

bool placement_parse_resolve(PlacementParser *parser) {
    FiloEcotope *file = parser->file;
    Resolver resolver = { .parser = parser, .file = file };
    if (!check_names(&resolver) || !order_layers(&resolver)) return false;
    for (size_t i = 0; i < file->lets.count; i++)
        if (!resolve_definition(&resolver, (Definition){ DEFINITION_LET, (uint32_t)i })) return false;
    for (size_t i = 0; i < file->lands.count; i++)
        if (!resolve_definition(&resolver, (Definition){ DEFINITION_LAND, (uint32_t)i })) return false;
    filo_array_each (&file->layers, layer) {
        Definition definition = { DEFINITION_LAYER, (uint32_t)(layer - file->layers.items) };
        if (!resolve_definition(&resolver, definition) || !check_near(&resolver, layer)) return false;
        if (layer->towards_name.text[0] == '\0') continue;
        if (!find_map(&resolver, layer->towards_location, layer->towards_name.text, &layer->towards))
            return fail_map(&resolver, layer->towards_location, layer->towards_name.text, "towards: ", false);
        if (layer->towards == PLACEMENT_HEIGHT)
            return placement_parse_fail(parser, layer->towards_location, FILO_ERROR_DATA,
                                        "towards: \"height\" is not a direction");
    }
    for (size_t i = 1; i < file->maps.count; i++)
        if (file->maps.items[i].location.line != 0 && !file->maps.items[i].computed)
            file->needed[file->needed_count++] = (uint32_t)i;
    return true;
}
