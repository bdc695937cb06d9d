// The members of a layer.

#include "placement/ecotope/ecotope.h"

#include <filo/maths.h>

enum {
    LAYER_NAME,
    LAYER_FOOTPRINT,
    LAYER_DENSITY,
    LAYER_RADIUS,
    LAYER_SCALE,
    LAYER_TILT,
    LAYER_TOWARDS,
    LAYER_TURN,
    LAYER_COLOR,
    LAYER_VARIANTS,
    LAYER_MEMBERS
};
static const char *const member_names[LAYER_MEMBERS] = {
    "name", "footprint", "density", "radius", "scale", "tilt", "towards", "turn", "color", "variants"
};

static PlacementFileLayer *layer_at(PlacementParser *parser, uint32_t layer) {
    return &parser->file->layers.items[layer];
}

static bool read_scale(PlacementParser *parser, FiloJsonToken token, FiloVariation *variation) {
    double pair[2];
    PlacementLocation location = placement_location(token);
    if (token.kind == FILO_JSON_ARRAY_BEGIN) {
        if (!placement_parse_pair(parser, token, "scale", 0.001, 1000, pair)) return false;
    } else {
        if (!placement_parse_number(parser, token, "scale", 0.001, 1000, &pair[0])) return false;
        pair[1] = pair[0];
    }
    if (pair[0] > pair[1])
        return placement_parse_fail(parser, location, FILO_ERROR_DATA, "scale: %g is above %g", pair[0],
                                    pair[1]);
    variation->scale_min = (float)pair[0];
    variation->scale_max = (float)pair[1];
    return true;
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static bool read_hex_color(PlacementParser *parser, FiloJsonToken token, FiloColor *color) {
    char text[16] = "";
    uint32_t bits = 0;
    size_t length = 0;
    if (token.kind == FILO_JSON_STRING) length = filo_json_as_text(token, text, sizeof text);
    bool ok = text[0] == '#' && (length == 7 || length == 9);
    for (size_t i = 1; ok && i < length; i++) {
        int digit = hex_digit(text[i]);
        ok = digit >= 0;
        bits = bits << 4 | (uint32_t)(digit & 15);
    }
    if (!ok)
        return placement_parse_fail(parser, placement_location(token), FILO_ERROR_DATA,
                                    "color: expected \"#rrggbb\" or a list of two");
    *color = filo_color_from_hex(length == 7 ? bits << 8 | 255 : bits);
    return true;
}

static bool read_color(PlacementParser *parser, FiloJsonToken token, FiloVariation *variation) {
    if (token.kind != FILO_JSON_ARRAY_BEGIN) {
        if (!read_hex_color(parser, token, &variation->color_a)) return false;
        variation->color_b = variation->color_a;
        return true;
    }
    PlacementLocation begin = placement_location(token);
    if (!read_hex_color(parser, filo_json_next(&parser->reader), &variation->color_a) ||
        !read_hex_color(parser, filo_json_next(&parser->reader), &variation->color_b))
        return false;
    if (filo_json_next(&parser->reader).kind != FILO_JSON_ARRAY_END)
        return placement_parse_fail(parser, begin, FILO_ERROR_DATA,
                                    "color: expected two colours, found more");
    return true;
}

static bool read_member(PlacementParser *parser, unsigned member, FiloJsonToken value, uint32_t number) {
    PlacementFileLayer *layer = layer_at(parser, number);
    const char *what = member_names[member];
    double amount = 0;
    switch (member) {
    case LAYER_NAME: return placement_parse_name(parser, value, what, &layer->name);
    case LAYER_FOOTPRINT:
        layer->footprint_location = placement_location(value);
        return placement_parse_name(parser, value, what, &layer->footprint_name);
    case LAYER_DENSITY: return placement_parse_expression(parser, value, what, &layer->density);
    case LAYER_SCALE: return read_scale(parser, value, &layer->variation);
    case LAYER_TOWARDS:
        layer->towards_location = placement_location(value);
        return placement_parse_name(parser, value, what, &layer->towards_name);
    case LAYER_TURN: return placement_parse_number(parser, value, what, 0, 180, &layer->turn);
    case LAYER_COLOR: return read_color(parser, value, &layer->variation);
    case LAYER_VARIANTS:
        return placement_parse_whole(parser, value, what, 1, 65535, &layer->variation.variants);
    case LAYER_RADIUS:
        if (!placement_parse_number(parser, value, what, 0, 1e4, &amount)) return false;
        layer->radius = amount > 0 ? (float)amount : -1.0f;
        return true;
    case LAYER_TILT:
        if (!placement_parse_number(parser, value, what, 0, 1, &amount)) return false;
        layer->variation.tilt = (float)amount;
        return true;
    default: return true;
    }
}

static void finish_turn(PlacementFileLayer *layer) {
    bool towards = layer->towards_name.text[0] != '\0';
    double turn = layer->turn >= 0 ? layer->turn : towards ? 0 : 180;
    if (towards)
        layer->variation.turn = FILO_TURN_TOWARDS;
    else
        layer->variation.turn = turn >= 180 ? FILO_TURN_ANY : FILO_TURN_NONE;
    if (layer->variation.turn != FILO_TURN_ANY) layer->variation.turn_range = (float)turn * (FILO_PI / 180);
}

bool placement_parse_layer(PlacementParser *parser, FiloJsonToken begin, uint32_t land) {
    FiloEcotope *file = parser->file;
    if (begin.kind != FILO_JSON_OBJECT_BEGIN)
        return placement_parse_wrong_kind(parser, begin, "layers", "an object");
    PlacementLocation location = placement_location(begin);
    if (file->layers.count >= (size_t)PLACEMENT_ALL_LAYERS)
        return placement_parse_fail(parser, location, FILO_ERROR_LIMIT, "more than %d layers in one file",
                                    PLACEMENT_ALL_LAYERS);
    uint32_t number = (uint32_t)file->layers.count;
    PlacementFileLayer layer = { .location = location, .land = land, .density = PLACEMENT_NONE, .turn = -1 };
    layer.towards = PLACEMENT_NONE;
    if (!filo_array_push(&file->layers, layer)) return placement_parse_no_memory(parser);
    PlacementMembers members = { member_names, LAYER_MEMBERS, 0 };
    unsigned member;
    FiloJsonToken key, value;
    while (placement_parse_member(parser, &members, &member, &key, &value))
        if (!read_member(parser, member, value, number)) return false;
    if (parser->result.code != FILO_OK) return false;
    if ((members.seen >> LAYER_NAME & 1) == 0)
        return placement_parse_fail(parser, location, FILO_ERROR_DATA, "a layer without \"name\"");
    finish_turn(layer_at(parser, number));
    return true;
}
