// The sections of a file. The whole text is checked first, so all later code can rely on valid JSON.

#include "placement/ecotope/ecotope.h"

#include <filo/terrain.h>

// ---- Maps -----------------------------------------------------------------------------------------------------

static const PlacementFileMap built_ins[PLACEMENT_BUILT_INS] = {
    { .name = { "height" }, .unit = { .kind = PLACEMENT_UNIT_HEIGHT } },
    { .name = { "slope" }, .unit = { PLACEMENT_UNIT_RANGE, false, 0, 90 }, .computed = true },
    { .name = { "aspect" },
      .unit = { PLACEMENT_UNIT_RANGE, true, 0, 360 },
      .filter = FILO_MAP_NEAREST,
      .computed = true },
    // A value of 32768 of 65535 is flat.
    { .name = { "curvature" },
      .unit = { PLACEMENT_UNIT_RANGE, false, -FILO_TERRAIN_CURVATURE * 32768.0 / 32767,
                FILO_TERRAIN_CURVATURE },
      .computed = true },
    { .name = { "wetness" }, .unit = { PLACEMENT_UNIT_RANGE, false, 2, 18 } },
    { .name = { "flow" }, .unit = { PLACEMENT_UNIT_RANGE, false, 0, 65535.0 / 2048 } },
};

static bool add_built_ins(PlacementParser *parser) {
    for (size_t i = 0; i < PLACEMENT_BUILT_INS; i++)
        if (!filo_array_push(&parser->file->maps, built_ins[i])) return placement_parse_no_memory(parser);
    return true;
}

// The map of this name: a new one, or one of the built-in maps that is declared now.
static PlacementFileMap *declare_map(PlacementParser *parser, FiloJsonToken key) {
    FiloEcotope *file = parser->file;
    PlacementName name;
    if (!placement_parse_name(parser, key, "maps", &name)) return NULL;
    PlacementLocation location = placement_location(key);
    PlacementFileMap *map = NULL;
    filo_array_each (&file->maps, other)
        if (strcmp(other->name.text, name.text) == 0) map = other;
    if (map == file->maps.items)
        return placement_parse_fail(parser, location, FILO_ERROR_DATA,
                                    "maps: \"height\" is the heightmap, and cannot be declared"),
               NULL;
    if (map != NULL && map->declared)
        return placement_parse_fail(parser, location, FILO_ERROR_DATA, "maps: \"%s\" is declared twice",
                                    name.text),
               NULL;
    if (map == NULL) {
        if (file->maps.count >= FILO_PLACEMENT_MAPS)
            return placement_parse_fail(parser, location, FILO_ERROR_LIMIT, "maps: more than %d",
                                        FILO_PLACEMENT_MAPS - PLACEMENT_BUILT_INS),
                   NULL;
        if (!filo_array_push(&file->maps, (PlacementFileMap){ .name = name }))
            return placement_parse_no_memory(parser), NULL;
        map = &file->maps.items[file->maps.count - 1];
        map->unit = (PlacementUnit){ PLACEMENT_UNIT_PLAIN, false, 0, 1 };
    }
    map->declared = true;
    map->computed = false;
    return map;
}

static bool read_filter(PlacementParser *parser, FiloJsonToken token, FiloMapFilter *filter) {
    bool text = token.kind == FILO_JSON_STRING;
    if (text && filo_json_equal(token, "bilinear"))
        *filter = FILO_MAP_BILINEAR;
    else if (text && filo_json_equal(token, "nearest"))
        *filter = FILO_MAP_NEAREST;
    else
        return placement_parse_fail(parser, placement_location(token), FILO_ERROR_DATA,
                                    "filter: expected \"bilinear\" or \"nearest\"");
    return true;
}

static bool read_range(PlacementParser *parser, FiloJsonToken token, PlacementUnit *unit) {
    double pair[2];
    PlacementLocation location = placement_location(token);
    if (!placement_parse_pair(parser, token, "range", -1e9, 1e9, pair)) return false;
    if (pair[0] >= pair[1])
        return placement_parse_fail(parser, location, FILO_ERROR_DATA, "range: %g is not below %g", pair[0],
                                    pair[1]);
    bool plain = pair[0] == 0 && pair[1] == 1;
    *unit =
        (PlacementUnit){ plain ? PLACEMENT_UNIT_PLAIN : PLACEMENT_UNIT_RANGE, unit->wraps, pair[0], pair[1] };
    return true;
}

static bool read_map(PlacementParser *parser, FiloJsonToken key, FiloJsonToken value) {
    static const char *const names[] = { "range", "filter", "wraps" };
    PlacementFileMap *map = declare_map(parser, key);
    if (map == NULL) return false;
    if (value.kind != FILO_JSON_OBJECT_BEGIN)
        return placement_parse_wrong_kind(parser, value, "maps", "an object");
    PlacementMembers members = { names, FILO_COUNT_OF(names), 0 };
    unsigned member;
    while (placement_parse_member(parser, &members, &member, &key, &value)) {
        bool ok = member == 0   ? read_range(parser, value, &map->unit)
                  : member == 1 ? read_filter(parser, value, &map->filter)
                                : placement_parse_bool(parser, value, "wraps", &map->unit.wraps);
        if (!ok) return false;
    }
    if (parser->result.code != FILO_OK) return false;
    if (map->unit.wraps) {
        map->unit.kind = PLACEMENT_UNIT_RANGE;
        map->filter = FILO_MAP_NEAREST;
    }
    return true;
}

// ---- Footprints -----------------------------------------------------------------------------------------------

static bool read_footprint(PlacementParser *parser, FiloJsonToken key, FiloJsonToken value) {
    static const char *const names[] = { "metres", "pattern" };
    FiloEcotope *file = parser->file;
    PlacementFileFootprint footprint = { .location = placement_location(key), .pattern = 8 };
    if (!placement_parse_name(parser, key, "footprints", &footprint.name)) return false;
    if (file->footprints.count >= FILO_PLACEMENT_FOOTPRINTS)
        return placement_parse_fail(parser, footprint.location, FILO_ERROR_LIMIT, "footprints: more than %d",
                                    FILO_PLACEMENT_FOOTPRINTS);
    filo_array_each (&file->footprints, other)
        if (strcmp(other->name.text, footprint.name.text) == 0)
            return placement_parse_fail(parser, footprint.location, FILO_ERROR_DATA,
                                        "footprints: \"%s\" is there twice", footprint.name.text);
    if (value.kind != FILO_JSON_OBJECT_BEGIN)
        return placement_parse_wrong_kind(parser, value, "footprints", "an object");
    PlacementMembers members = { names, FILO_COUNT_OF(names), 0 };
    unsigned member;
    FiloJsonToken inner;
    double pattern = 8;
    while (placement_parse_member(parser, &members, &member, &inner, &value)) {
        if (member == 0 && !placement_parse_number(parser, value, "metres", 0.01, 1e4, &footprint.metres))
            return false;
        if (member == 1 && !placement_parse_number(parser, value, "pattern", 4, 16, &pattern)) return false;
        if (pattern != 4 && pattern != 8 && pattern != 16)
            return placement_parse_fail(parser, placement_location(value), FILO_ERROR_DATA,
                                        "pattern: %g is not 4, 8 or 16", pattern);
    }
    if (parser->result.code != FILO_OK) return false;
    if ((members.seen & 1) == 0)
        return placement_parse_fail(parser, footprint.location, FILO_ERROR_DATA,
                                    "\"%s\": \"metres\" is missing", footprint.name.text);
    if (file->footprints.count > 0 &&
        footprint.metres > file->footprints.items[file->footprints.count - 1].metres)
        return placement_parse_fail(
            parser, footprint.location, FILO_ERROR_DATA,
            "\"%s\" is larger than \"%s\": footprints are placed in order, the largest first",
            footprint.name.text, file->footprints.items[file->footprints.count - 1].name.text);
    footprint.pattern = (int)pattern;
    return filo_array_push(&file->footprints, footprint) || placement_parse_no_memory(parser);
}

// ---- Shared expressions ---------------------------------------------------------------------------------------

static bool read_let(PlacementParser *parser, FiloJsonToken key, FiloJsonToken value) {
    FiloEcotope *file = parser->file;
    PlacementLet let = { .location = placement_location(key) };
    if (!placement_parse_name(parser, key, "let", &let.name)) return false;
    if (file->lets.count >= PLACEMENT_FILE_ECOTOPES)
        return placement_parse_fail(parser, let.location, FILO_ERROR_LIMIT,
                                    "let: more than %d shared expressions", PLACEMENT_FILE_ECOTOPES);
    filo_array_each (&file->lets, other)
        if (strcmp(other->name.text, let.name.text) == 0)
            return placement_parse_fail(parser, let.location, FILO_ERROR_DATA, "let: \"%s\" is there twice",
                                        let.name.text);
    if (!placement_parse_expression(parser, value, let.name.text, &let.node)) return false;
    return filo_array_push(&file->lets, let) || placement_parse_no_memory(parser);
}

// ---- Ecotopes -------------------------------------------------------------------------------------------------

static bool read_lands(PlacementParser *parser, FiloJsonToken token, uint32_t parent);

static bool add_land(PlacementParser *parser, PlacementLocation location, uint32_t parent, uint32_t *number) {
    FiloEcotope *file = parser->file;
    if (file->lands.count > PLACEMENT_FILE_ECOTOPES)
        return placement_parse_fail(parser, location, FILO_ERROR_LIMIT, "more than %d ecotopes in one file",
                                    PLACEMENT_FILE_ECOTOPES);
    PlacementLand land = { .location = location, .density = PLACEMENT_NONE, .parent = parent };
    land.first_child = land.last_child = land.next_sibling = land.previous_sibling = PLACEMENT_NONE;
    if (!filo_array_push(&file->lands, land)) return placement_parse_no_memory(parser);
    *number = (uint32_t)file->lands.count - 1;
    if (parent == PLACEMENT_NONE) return true;
    PlacementLand *above = &file->lands.items[parent];
    file->lands.items[*number].previous_sibling = above->last_child;
    if (above->last_child == PLACEMENT_NONE)
        above->first_child = *number;
    else
        file->lands.items[above->last_child].next_sibling = *number;
    above->last_child = *number;
    return true;
}

static bool read_layers(PlacementParser *parser, FiloJsonToken token, uint32_t land) {
    if (token.kind != FILO_JSON_ARRAY_BEGIN)
        return placement_parse_wrong_kind(parser, token, "layers", "a list");
    while ((token = filo_json_next(&parser->reader)).kind != FILO_JSON_ARRAY_END)
        if (!placement_parse_layer(parser, token, land)) return false;
    return true;
}

static bool read_land(PlacementParser *parser, FiloJsonToken begin, uint32_t parent) {
    static const char *const names[] = { "name", "density", "replace", "layers", "ecotopes" };
    if (begin.kind != FILO_JSON_OBJECT_BEGIN)
        return placement_parse_wrong_kind(parser, begin, "ecotopes", "an object");
    PlacementLocation location = placement_location(begin);
    uint32_t number = PLACEMENT_NONE;
    if (!add_land(parser, location, parent, &number)) return false;
    PlacementMembers members = { names, FILO_COUNT_OF(names), 0 };
    unsigned member;
    FiloJsonToken key, value;
    while (placement_parse_member(parser, &members, &member, &key, &value)) {
        PlacementLand *land = &parser->file->lands.items[number]; // valid until an ecotope is added
        bool ok = member == 0   ? placement_parse_name(parser, value, "name", &land->name)
                  : member == 1 ? placement_parse_expression(parser, value, "density", &land->density)
                  : member == 2 ? placement_parse_bool(parser, value, "replace", &land->replace)
                  : member == 3 ? read_layers(parser, value, number)
                                : read_lands(parser, value, number);
        if (!ok) return false;
    }
    if (parser->result.code != FILO_OK) return false;
    if ((members.seen & 1) == 0)
        return placement_parse_fail(parser, location, FILO_ERROR_DATA, "an ecotope without \"name\"");
    return true;
}

static bool read_lands(PlacementParser *parser, FiloJsonToken token, uint32_t parent) {
    if (token.kind != FILO_JSON_ARRAY_BEGIN)
        return placement_parse_wrong_kind(parser, token, "ecotopes", "a list");
    while ((token = filo_json_next(&parser->reader)).kind != FILO_JSON_ARRAY_END)
        if (!read_land(parser, token, parent)) return false;
    return true;
}

// ---- The whole file -------------------------------------------------------------------------------------------

enum { SECTION_FILO, SECTION_MAPS, SECTION_FOOTPRINTS, SECTION_LET, SECTION_ECOTOPES, SECTION_COUNT };
static const char *const section_names[SECTION_COUNT] = { "filo", "maps", "footprints", "let", "ecotopes" };

typedef bool (*ReadEntry)(PlacementParser *parser, FiloJsonToken key, FiloJsonToken value);

static bool read_entries(PlacementParser *parser, unsigned section, FiloJsonToken token) {
    ReadEntry read = section == SECTION_MAPS ? read_map : section == SECTION_LET ? read_let : read_footprint;
    if (token.kind != FILO_JSON_OBJECT_BEGIN)
        return placement_parse_wrong_kind(parser, token, section_names[section], "an object");
    FiloJsonToken key;
    while ((key = filo_json_next(&parser->reader)).kind == FILO_JSON_KEY)
        if (!read(parser, key, filo_json_next(&parser->reader))) return false;
    return true;
}

static bool read_section(PlacementParser *parser, unsigned section, FiloJsonToken token) {
    if (section == SECTION_ECOTOPES) return read_lands(parser, token, 0);
    if (section != SECTION_FILO) return read_entries(parser, section, token);
    if (token.kind == FILO_JSON_STRING && filo_json_equal(token, "ecotope")) return true;
    return placement_parse_fail(parser, placement_location(token), FILO_ERROR_KIND,
                                "filo: expected \"ecotope\": this is something else");
}

static bool is_json(PlacementParser *parser) {
    FiloJsonReader reader = parser->reader;
    FiloJsonToken token = filo_json_next(&reader);
    if (token.kind != FILO_JSON_ERROR && token.kind != FILO_JSON_END && filo_json_skip(&reader, token))
        token = filo_json_next(&reader);
    if (token.kind == FILO_JSON_END) return true;
    parser->result = reader.error;
    if (parser->result.code == FILO_OK) parser->result = filo_json_error_at(&reader, token, "not JSON");
    return false;
}

bool placement_parse_file(PlacementParser *parser, const char *text, size_t length) {
    filo_json_reader_init(&parser->reader, text, length, parser->file->source);
    uint32_t root; // 0
    if (!is_json(parser) || !add_built_ins(parser) ||
        !add_land(parser, (PlacementLocation){ 1, 1 }, PLACEMENT_NONE, &root))
        return false;
    FiloJsonToken begin = filo_json_next(&parser->reader), key, value;
    if (begin.kind != FILO_JSON_OBJECT_BEGIN)
        return placement_parse_wrong_kind(parser, begin, "an ecotope", "an object");
    PlacementMembers members = { section_names, SECTION_COUNT, 0 };
    unsigned section;
    while (placement_parse_member(parser, &members, &section, &key, &value))
        if (!read_section(parser, section, value)) return false;
    if (parser->result.code != FILO_OK) return false;
    static const unsigned required[] = { SECTION_FOOTPRINTS, SECTION_ECOTOPES };
    for (size_t i = 0; i < FILO_COUNT_OF(required); i++)
        if ((members.seen >> required[i] & 1) == 0)
            return placement_parse_fail(parser, placement_location(begin), FILO_ERROR_DATA,
                                        "\"%s\" is missing", section_names[required[i]]);
    return true;
}
