// GLSL for reading maps: the arithmetic of placement_texel and placement_sample_at. Coordinates that several maps share are
// computed once.

#include "placement/shader/shader.h"

#include <stdio.h>

void placement_shader_sample_functions(PlacementShaderText *t) {
    PlacementShaderFloat far = placement_shader_float(PLACEMENT_FAR);
    placement_say(t,
                  "int texel(float position, float inverse, float width, int base) {\n"
                  "    precise float at = ((position * inverse) * width) * 256.0;\n"
                  "    at = min(max(at, -%s), %s);\n"
                  "    return int(floor(at)) + base;\n"
                  "}\n",
                  far.text, far.text);
    placement_say(t, "uint blend(uint a, uint b, uint c, uint d, uint right, uint up) {\n"
                     "    uint low = a * (256u - right) + b * right, high = c * (256u - right) + d * right;\n"
                     "    return low * (256u - up) + high * up;\n"
                     "}\n");
}

void placement_shader_reader_begin(PlacementShaderText *t, int reader) {
    placement_say(t, "    int base_x%d = tables[block_x + %d], base_y%d = tables[block_y + %d];\n", reader,
                  BLOCK_READERS + reader, reader, BLOCK_READERS + reader);
}

// Says the index of a texel on an axis, clamped to the map and to its window.
static void say_index(PlacementShaderText *t, const char *index, int first, int count, int full) {
    if (first == 0 && count == full)
        placement_say(t, "clamp(%s, 0, %d)", index, full - 1);
    else
        placement_say(t, "clamp(clamp(%s, 0, %d) - %d, 0, %d)", index, full - 1, first, count - 1);
}

static void say_axis(PlacementShaderText *t, const FiloPlacement *p, const PlacementReader *r, int reader,
                     char axis) {
    bool is_y = axis == 'y', bilinear = r->filter == FILO_MAP_BILINEAR;
    int first = is_y ? r->y : r->x, count = is_y ? r->height : r->width,
        full = is_y ? r->full_height : r->full_width;
    PlacementShaderFloat inverse = placement_shader_float(is_y ? p->inverse_y : p->inverse_x);
    placement_say(t, "        int t%c%d = texel(%c, %s, %d.0, base_%c%d)%s;\n", axis, reader, axis,
                  inverse.text, full, axis, reader, bilinear ? " - 128" : "");
    char index[32];
    for (int i = 0; i < (bilinear ? 2 : 1); i++) {
        snprintf(index, sizeof index, i == 0 ? "t%c%d >> 8" : "(t%c%d >> 8) + 1", axis, reader);
        placement_say(t, "        int %c%d_%d = ", axis, i, reader);
        say_index(t, index, first, count, full);
        placement_say(t, is_y ? " * %d;\n" : ";\n", r->width);
    }
    if (bilinear) placement_say(t, "        uint w%c%d = uint(t%c%d & 255);\n", axis, reader, axis, reader);
}

void placement_shader_reader_at(PlacementShaderText *t, const FiloPlacement *p, const PlacementReader *r,
                                int reader) {
    say_axis(t, p, r, reader, 'x');
    say_axis(t, p, r, reader, 'y');
}

// A texel as 16 bits.
static void say_texel(PlacementShaderText *t, const PlacementMap *map, uint32_t offset, int reader, int x,
                      int y) {
    if (map->reader.format == FILO_MAP_U8)
        placement_say(t, "data_8(%u + y%d_%d + x%d_%d) * 257u", offset, y, reader, x, reader);
    else
        placement_say(t, "data_16(%u + y%d_%d + x%d_%d)", offset / 2, y, reader, x, reader);
}

void placement_shader_sample(PlacementShaderText *t, const PlacementMap *map, uint32_t offset, int reader,
                             bool fine) {
    if (map->reader.filter == FILO_MAP_NEAREST) {
        placement_say(t, fine ? "((" : "(");
        say_texel(t, map, offset, reader, 0, 0);
        placement_say(t, fine ? ") << 8)" : ")");
        return;
    }
    placement_say(t, fine ? "(blend(" : "((blend(");
    for (int i = 0; i < 4; i++) {
        say_texel(t, map, offset, reader, i & 1, i >> 1);
        placement_say(t, ", ");
    }
    placement_say(t, "wx%d, wy%d)%s", reader, reader, fine ? " >> 8)" : " + 32768u) >> 16)");
}
