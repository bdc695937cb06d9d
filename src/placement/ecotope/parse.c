// The sections of a file. The whole text is checked first, so all later code can rely on valid JSON.

#include "placement/ecotope/ecotope.h"

#include <filo/terrain.h>

// ---- Maps -----------------------------------------------------------------------------------------------------

static const EcotopeMap built_ins[ECOTOPE_BUILT_INS] = {
    { .name = { "height" }, .unit = { .kind = ECOTOPE_HEIGHT } },
    { .name = { "slope" }, .unit = { ECOTOPE_RANGE, false, 0, 90 }, .computed = true },
    { .name = { "aspect" },
      .unit = { ECOTOPE_RANGE, true, 0, 360 },
      .filter = FILO_MAP_NEAREST,
      .computed = true },
    // A value of 32768 of 65535 is flat.
    { .name = { "curvature" },
      .unit = { ECOTOPE_RANGE, false, -FILO_TERRAIN_CURVATURE * 32768.0 / 32767, FILO_TERRAIN_CURVATURE },
      .computed = true },
    { .name = { "wetness" }, .unit = { ECOTOPE_RANGE, false, 2, 18 } },
    { .name = { "flow" }, .unit = { ECOTOPE_RANGE, false, 0, 65535.0 / 2048 } },
};

static bool add_built_ins(EcotopeParser *parser) {
    for (size_t i = 0; i < ECOTOPE_BUILT_INS; i++)
        if (!filo_array_push(&parser->file->maps, built_ins[i])) return ecotope_no_memory(parser);
    return true;
}

// The map of this name: a new one, or one of the built-in maps that is declared now.
static EcotopeMap *declare_map(EcotopeParser *parser, FiloJsonToken key) {
    FiloEcotope *file = parser->file;
    EcotopeName name;
    if (!ecotope_read_name(parser, key, "maps", &name)) return NULL;
    EcotopeLocation location = ecotope_location(key);
    EcotopeMap *map = NULL;
    filo_array_each (&file->maps, other)
        if (strcmp(other->name.text, name.text) == 0) map = other;
    if (map == file->maps.items)
        return ecotope_fail(parser, location, FILO_ERROR_DATA,
                            "maps: \"height\" is the heightmap, and cannot be declared"),
               NULL;
    if (map != NULL && map->declared)
        return ecotope_fail(parser, location, FILO_ERROR_DATA, "maps: \"%s\" is declared twice", name.text),
               NULL;
    if (map == NULL) {
        if (file->maps.count >= FILO_PLACEMENT_MAPS)
            return ecotope_fail(parser, location, FILO_ERROR_LIMIT, "maps: more than %d",
                                FILO_PLACEMENT_MAPS - ECOTOPE_BUILT_INS),
                   NULL;
        if (!filo_array_push(&file->maps, (EcotopeMap){ .name = name })) return ecotope_no_memory(parser), NULL;
        map = &file->maps.items[file->maps.count - 1];
        map->unit = (EcotopeUnit){ ECOTOPE_PLAIN, false, 0, 1 };
    }
    map->declared = true;
    map->computed = false;
    return map;
}

static bool read_filter(EcotopeParser *parser, FiloJsonToken token, FiloMapFilter *filter) {
    bool text = token.kind == FILO_JSON_STRING;
    if (text && filo_json_equal(token, "bilinear"))
        *filter = FILO_MAP_BILINEAR;
    else if (text && filo_json_equal(token, "nearest"))
        *filter = FILO_MAP_NEAREST;
    else
        return ecotope_fail(parser, ecotope_location(token), FILO_ERROR_DATA,
                            "filter: expected \"bilinear\" or \"nearest\"");
    return true;
}

static bool read_range(EcotopeParser *parser, FiloJsonToken token, EcotopeUnit *unit) {
    double pair[2];
    EcotopeLocation location = ecotope_location(token);
    if (!ecotope_read_pair(parser, token, "range", -1e9, 1e9, pair)) return false;
    if (pair[0] >= pair[1])
        return ecotope_fail(parser, location, FILO_ERROR_DATA, "range: %g is not below %g", pair[0], pair[1]);
    bool plain = pair[0] == 0 && pair[1] == 1;
    *unit = (EcotopeUnit){ plain ? ECOTOPE_PLAIN : ECOTOPE_RANGE, unit->wraps, pair[0], pair[1] };
    return true;
}

static bool read_map(EcotopeParser *parser, FiloJsonToken key, FiloJsonToken value) {
    static const char *const names[] = { "range", "filter", "wraps" };
    EcotopeMap *map = declare_map(parser, key);
    if (map == NULL) return false;
    if (value.kind != FILO_JSON_OBJECT_BEGIN) return ecotope_wrong_kind(parser, value, "maps", "an object");
    EcotopeMembers members = { names, FILO_COUNT_OF(names), 0 };
    unsigned member;
    while (ecotope_next_member(parser, &members, &member, &key, &value)) {
        bool ok = member == 0   ? read_range(parser, value, &map->unit)
                  : member == 1 ? read_filter(parser, value, &map->filter)
                                : ecotope_read_bool(parser, value, "wraps", &map->unit.wraps);
        if (!ok) return false;
    }
    if (parser->result.code != FILO_OK) return false;
    if (map->unit.wraps) {
        map->unit.kind = ECOTOPE_RANGE;
        map->filter = FILO_MAP_NEAREST;
    }
    return true;
}

// ---- Footprints -----------------------------------------------------------------------------------------------

static bool read_footprint(EcotopeParser *parser, FiloJsonToken key, FiloJsonToken value) {
    static const char *const names[] = { "metres", "pattern" };
    FiloEcotope *file = parser->file;
    EcotopeFootprint footprint = { .location = ecotope_location(key), .pattern = 8 };
    if (!ecotope_read_name(parser, key, "footprints", &footprint.name)) return false;
    if (file->footprints.count >= FILO_PLACEMENT_FOOTPRINTS)
        return ecotope_fail(parser, footprint.location, FILO_ERROR_LIMIT, "footprints: more than %d",
                            FILO_PLACEMENT_FOOTPRINTS);
    filo_array_each (&file->footprints, other)
        if (strcmp(other->name.text, footprint.name.text) == 0)
            return ecotope_fail(parser, footprint.location, FILO_ERROR_DATA, "footprints: \"%s\" is there twice",
                                footprint.name.text);
    if (value.kind != FILO_JSON_OBJECT_BEGIN) return ecotope_wrong_kind(parser, value, "footprints", "an object");
    EcotopeMembers members = { names, FILO_COUNT_OF(names), 0 };
    unsigned member;
    FiloJsonToken inner;
    double pattern = 8;
    while (ecotope_next_member(parser, &members, &member, &inner, &value)) {
        if (member == 0 && !ecotope_read_number(parser, value, "metres", 0.01, 1e4, &footprint.metres)) return false;
        if (member == 1 && !ecotope_read_number(parser, value, "pattern", 4, 16, &pattern)) return false;
        if (pattern != 4 && pattern != 8 && pattern != 16)
            return ecotope_fail(parser, ecotope_location(value), FILO_ERROR_DATA,
                                "pattern: %g is not 4, 8 or 16", pattern);
    }
    if (parser->result.code != FILO_OK) return false;
    if ((members.seen & 1) == 0)
        return ecotope_fail(parser, footprint.location, FILO_ERROR_DATA, "\"%s\": \"metres\" is missing",
                            footprint.name.text);
    if (file->footprints.count > 0 &&
        footprint.metres > file->footprints.items[file->footprints.count - 1].metres)
        return ecotope_fail(parser, footprint.location, FILO_ERROR_DATA,
                            "\"%s\" is larger than \"%s\": footprints are placed in order, the largest first",
                            footprint.name.text, file->footprints.items[file->footprints.count - 1].name.text);
    footprint.pattern = (int)pattern;
    return filo_array_push(&file->footprints, footprint) || ecotope_no_memory(parser);
}

// ---- Shared expressions ---------------------------------------------------------------------------------------

static bool read_let(EcotopeParser *parser, FiloJsonToken key, FiloJsonToken value) {
    FiloEcotope *file = parser->file;
    EcotopeLet let = { .location = ecotope_location(key) };
    if (!ecotope_read_name(parser, key, "let", &let.name)) return false;
    if (file->lets.count >= ECOTOPE_ECOTOPES)
        return ecotope_fail(parser, let.location, FILO_ERROR_LIMIT, "let: more than %d shared expressions",
                            ECOTOPE_ECOTOPES);
    filo_array_each (&file->lets, other)
        if (strcmp(other->name.text, let.name.text) == 0)
            return ecotope_fail(parser, let.location, FILO_ERROR_DATA, "let: \"%s\" is there twice", let.name.text);
    if (!ecotope_read_expression(parser, value, let.name.text, &let.node)) return false;
    return filo_array_push(&file->lets, let) || ecotope_no_memory(parser);
}

// ---- Ecotopes -------------------------------------------------------------------------------------------------

static bool read_lands(EcotopeParser *parser, FiloJsonToken token, uint32_t parent, int depth);

static bool add_land(EcotopeParser *parser, EcotopeLocation location, uint32_t parent, uint32_t *number) {
    FiloEcotope *file = parser->file;
    if (file->lands.count > ECOTOPE_ECOTOPES)
        return ecotope_fail(parser, location, FILO_ERROR_LIMIT, "more than %d ecotopes in one file",
                            ECOTOPE_ECOTOPES);
    EcotopeLand land = { .location = location, .density = ECOTOPE_NONE, .parent = parent };
    land.first_child = land.last_child = land.next_sibling = ECOTOPE_NONE;
    if (!filo_array_push(&file->lands, land)) return ecotope_no_memory(parser);
    *number = (uint32_t)file->lands.count - 1;
    if (parent == ECOTOPE_NONE) return true;
    EcotopeLand *above = &file->lands.items[parent];
    if (above->last_child == ECOTOPE_NONE)
        above->first_child = *number;
    else
        file->lands.items[above->last_child].next_sibling = *number;
    above->last_child = *number;
    return true;
}

static bool read_layers(EcotopeParser *parser, FiloJsonToken token, uint32_t land) {
    if (token.kind != FILO_JSON_ARRAY_BEGIN) return ecotope_wrong_kind(parser, token, "layers", "a list");
    while ((token = filo_json_next(&parser->reader)).kind != FILO_JSON_ARRAY_END)
        if (!ecotope_read_layer(parser, token, land)) return false;
    return true;
}

static bool read_land(EcotopeParser *parser, FiloJsonToken begin, uint32_t parent, int depth) {
    static const char *const names[] = { "name", "density", "replace", "layers", "ecotopes" };
    if (begin.kind != FILO_JSON_OBJECT_BEGIN) return ecotope_wrong_kind(parser, begin, "ecotopes", "an object");
    EcotopeLocation location = ecotope_location(begin);
    uint32_t number;
    if (!add_land(parser, location, parent, &number)) return false;
    EcotopeMembers members = { names, FILO_COUNT_OF(names), 0 };
    unsigned member;
    FiloJsonToken key, value;
    while (ecotope_next_member(parser, &members, &member, &key, &value)) {
        EcotopeLand *land = &parser->file->lands.items[number]; // valid until an ecotope is added
        bool ok = member == 0   ? ecotope_read_name(parser, value, "name", &land->name)
                  : member == 1 ? ecotope_read_expression(parser, value, "density", &land->density)
                  : member == 2 ? ecotope_read_bool(parser, value, "replace", &land->replace)
                  : member == 3 ? read_layers(parser, value, number)
                                : read_lands(parser, value, number, depth + 1);
        if (!ok) return false;
    }
    if (parser->result.code != FILO_OK) return false;
    if ((members.seen & 1) == 0)
        return ecotope_fail(parser, location, FILO_ERROR_DATA, "an ecotope without \"name\"");
    return true;
}

static bool read_lands(EcotopeParser *parser, FiloJsonToken token, uint32_t parent, int depth) {
    if (token.kind != FILO_JSON_ARRAY_BEGIN) return ecotope_wrong_kind(parser, token, "ecotopes", "a list");
    if (depth > FILO_ECOTOPE_DEPTH)
        return ecotope_fail(parser, ecotope_location(token), FILO_ERROR_LIMIT,
                            "ecotopes more than %d deep inside each other", FILO_ECOTOPE_DEPTH);
    while ((token = filo_json_next(&parser->reader)).kind != FILO_JSON_ARRAY_END)
        if (!read_land(parser, token, parent, depth)) return false;
    return true;
}

// ---- The whole file -------------------------------------------------------------------------------------------

enum { SECTION_FILO, SECTION_MAPS, SECTION_FOOTPRINTS, SECTION_LET, SECTION_ECOTOPES, SECTION_COUNT };
static const char *const section_names[SECTION_COUNT] = { "filo", "maps", "footprints", "let", "ecotopes" };

typedef bool (*ReadEntry)(EcotopeParser *parser, FiloJsonToken key, FiloJsonToken value);

static bool read_entries(EcotopeParser *parser, unsigned section, FiloJsonToken token) {
    ReadEntry read = section == SECTION_MAPS ? read_map : section == SECTION_LET ? read_let : read_footprint;
    if (token.kind != FILO_JSON_OBJECT_BEGIN)
        return ecotope_wrong_kind(parser, token, section_names[section], "an object");
    FiloJsonToken key;
    while ((key = filo_json_next(&parser->reader)).kind == FILO_JSON_KEY)
        if (!read(parser, key, filo_json_next(&parser->reader))) return false;
    return true;
}

static bool read_section(EcotopeParser *parser, unsigned section, FiloJsonToken token) {
    if (section == SECTION_ECOTOPES) return read_lands(parser, token, 0, 1);
    if (section != SECTION_FILO) return read_entries(parser, section, token);
    if (token.kind == FILO_JSON_STRING && filo_json_equal(token, "ecotope")) return true;
    return ecotope_fail(parser, ecotope_location(token), FILO_ERROR_KIND,
                        "filo: expected \"ecotope\": this is something else");
}

static bool is_json(EcotopeParser *parser) {
    FiloJsonReader reader = parser->reader;
    FiloJsonToken token = filo_json_next(&reader);
    if (token.kind != FILO_JSON_ERROR && token.kind != FILO_JSON_END && filo_json_skip(&reader, token))
        token = filo_json_next(&reader);
    if (token.kind == FILO_JSON_END) return true;
    parser->result = reader.error;
    if (parser->result.code == FILO_OK) parser->result = filo_json_error_at(&reader, token, "not JSON");
    return false;
}

bool ecotope_parse_file(EcotopeParser *parser, const char *text, size_t length) {
    filo_json_reader_init(&parser->reader, text, length, parser->file->source);
    uint32_t root; // 0
    if (!is_json(parser) || !add_built_ins(parser) ||
        !add_land(parser, (EcotopeLocation){ 1, 1 }, ECOTOPE_NONE, &root))
        return false;
    FiloJsonToken begin = filo_json_next(&parser->reader), key, value;
    if (begin.kind != FILO_JSON_OBJECT_BEGIN) return ecotope_wrong_kind(parser, begin, "an ecotope", "an object");
    EcotopeMembers members = { section_names, SECTION_COUNT, 0 };
    unsigned section;
    while (ecotope_next_member(parser, &members, &section, &key, &value))
        if (!read_section(parser, section, value)) return false;
    if (parser->result.code != FILO_OK) return false;
    static const unsigned required[] = { SECTION_FOOTPRINTS, SECTION_ECOTOPES };
    for (size_t i = 0; i < FILO_COUNT_OF(required); i++)
        if ((members.seen >> required[i] & 1) == 0)
            return ecotope_fail(parser, ecotope_location(begin), FILO_ERROR_DATA, "\"%s\" is missing",
                                section_names[required[i]]);
    return true;
}
