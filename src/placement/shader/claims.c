// GLSL for finding objects of earlier footprints, with the exact distances of claims.c.
//
// The objects of a footprint are in no list on the GPU: its winners are bytes by cell and point. The points of its pattern
// are sorted into n · n squares of a cell (data.c), so the squares around a position lead to the few points that can be near
// enough. The range of squares is computed in floats and is generous; distances are integers.

#include "placement/shader/shader.h"

#include <stdio.h>

// Squares are searched this much further than the distance needs, in squares. Floats of positions and indexes are exact to
// 0.06 squares in the largest area that a request may have.
#define GENEROUS "0.125"

// Begins the loops over all objects of the footprint `e` within `reach` units of (x, y). The body has `winner` (from 1 on),
// and dx and dy, which are small enough to square.
static void say_loop_begin(PlacementShaderText *t, const FiloPlacement *p, const PlacementShaderData *data,
                           int e, const char *reach) {
    const PlacementFootprint *f = &p->footprints[e];
    PlacementShaderReaders readers;
    placement_shader_readers(p, f, &readers);
    int shift = placement_shader_log2(f->n), words = placement_block_words(f, &readers);
    PlacementShaderFloat squares =
        placement_shader_float((float)((double)f->n / (f->cell * (double)p->units)));
    placement_say(t, "    {\n        int columns = tables[%d], reach = %s;\n",
                  placement_table(e, TABLE_COLUMNS), reach);
    for (int axis = 0; axis < 2; axis++)
        placement_say(t,
                      "        float from_%c = float(%c - tables[%d] - reach) * %s - " GENEROUS ";\n"
                      "        float to_%c = float(%c - tables[%d] + reach) * %s + " GENEROUS ";\n"
                      "        int first_%c = max(int(floor(from_%c)), 0), last_%c = min(int(floor(to_%c)), "
                      "(tables[%d] << %d) - 1);\n",
                      'x' + axis, 'x' + axis, placement_table(e, TABLE_ORIGIN_X + axis), squares.text,
                      'x' + axis, 'x' + axis, placement_table(e, TABLE_ORIGIN_X + axis), squares.text,
                      'x' + axis, 'x' + axis, 'x' + axis, 'x' + axis,
                      placement_table(e, axis == 0 ? TABLE_COLUMNS : TABLE_ROWS), shift);
    placement_say(
        t,
        "        for (int sy = first_y; sy <= last_y; sy++)\n"
        "        for (int sx = first_x; sx <= last_x; sx++) {\n"
        "            int square = %u + ((sy & %d) << %d) + (sx & %d);\n"
        "            int column = sx >> %d, row = sy >> %d;\n"
        "            int end = int(data_32(square + 1));\n"
        "            for (int k = int(data_32(square)); k < end; k++) {\n"
        "                int i = int(data_32(%u + k));\n"
        "                int at = (row * columns + column) * %d + i;\n"
        "                int winner = int((scratch[tables[%d] + (at >> 2)] >> uint((at & 3) << 3)) & "
        "255u);\n"
        "                if (winner == 0) continue;\n",
        data->footprints[e].first, f->n - 1, shift, f->n - 1, shift, shift, data->footprints[e].points,
        f->points, placement_table(e, TABLE_WINNERS));
    placement_say(t, "                uvec2 point = data_64(%u + i);\n", data->footprints[e].pattern);
    for (int axis = 0; axis < 2; axis++)
        placement_say(
            t,
            "                int g%c = tables[%d] + %s;\n"
            "                precise float p%c = (%s * float(g%c & 63) + uintBitsToFloat(point.%c)) * %s;\n"
            "                precise float u%c = p%c * %d.0;\n"
            "                int d%c = tables[tables[%d] + ((g%c >> 6) - tables[%d]) * %d + %d] + "
            "int(floor(u%c)) - %c;\n",
            'x' + axis, placement_table(e, TABLE_FIRST_X + axis), axis == 0 ? "column" : "row", 'x' + axis,
            placement_shader_float(f->size).text, 'x' + axis, 'x' + axis,
            placement_shader_float(f->footprint).text, 'x' + axis, 'x' + axis, (int)p->units, 'x' + axis,
            placement_table(e, TABLE_X + axis), 'x' + axis, placement_table(e, TABLE_BLOCK_X + axis), words,
            BLOCK_UNITS, 'x' + axis, 'x' + axis);
    placement_say(t, "                if (abs(dx) > 32767 || abs(dy) > 32767) continue;\n");
}

static void say_loop_end(PlacementShaderText *t) { placement_say(t, "            }\n        }\n    }\n"); }

static void say_radius(PlacementShaderText *t, const PlacementFootprint *f) {
    placement_say(t, "                int radius_e = ");
    for (int l = 0; l < f->layer_count - 1; l++)
        placement_say(t, "winner == %d ? %d : ", l + 1, (int)f->layers[l].radius_units);
    placement_say(t, "%d;\n", (int)f->layers[f->layer_count - 1].radius_units);
}

static void say_blocked(PlacementShaderText *t, const FiloPlacement *p, const PlacementShaderData *data,
                        int index) {
    placement_say(t, "bool blocked(int x, int y, int radius) {\n    if (radius < 0) return false;\n");
    for (int e = 0; e < index; e++) {
        const PlacementFootprint *f = &p->footprints[e];
        int32_t largest = -1;
        for (int l = 0; l < f->layer_count; l++) largest = FILO_MAX(largest, f->layers[l].radius_units);
        if (p->footprints[index].reach[e] <= 0 || largest < 0) continue;
        char reach[48];
        snprintf(reach, sizeof reach, "radius + %d", (int)largest);
        say_loop_begin(t, p, data, e, reach);
        say_radius(t, f);
        placement_say(t, "                int least = radius_e + radius;\n"
                         "                if (radius_e >= 0 && uint(dx * dx) + uint(dy * dy) < "
                         "uint(least * least)) return true;\n");
        say_loop_end(t);
    }
    placement_say(t, "    return false;\n}\n");
}

static void say_near(PlacementShaderText *t, const FiloPlacement *p, const PlacementShaderData *data,
                     int index, size_t number) {
    const PlacementNear *near = &p->footprints[index].program.nears[number];
    placement_say(t, "int near_%zu(int x, int y) {\n    uint nearest = 0xFFFFFFFFu;\n", number);
    for (int e = 0; e < index; e++) {
        const PlacementFootprint *f = &p->footprints[e];
        uint32_t layers = 0;
        for (int l = 0; l < f->layer_count; l++) {
            int layer = f->first_layer + l;
            layers |= (near->layers[layer / 32] >> (layer % 32) & 1) << l;
        }
        if (p->footprints[index].reach[e] <= 0 || layers == 0) continue;
        char reach[16];
        snprintf(reach, sizeof reach, "%d", (int)near->within_units);
        say_loop_begin(t, p, data, e, reach);
        placement_say(t,
                      "                uint squared = uint(dx * dx) + uint(dy * dy);\n"
                      "                if (((0x%xu >> uint(winner - 1)) & 1u) != 0u && squared < 0x%xu)\n"
                      "                    nearest = min(nearest, squared);\n",
                      layers, (uint32_t)near->within_units * (uint32_t)near->within_units);
        say_loop_end(t);
    }
    placement_say(t,
                  "    precise float d = float(nearest >> 6) * %s;\n"
                  "    return nearest == 0xFFFFFFFFu ? 0 : max(%d - int(roundEven(d)), 0);\n}\n",
                  placement_shader_float(near->factor).text, PLACEMENT_PROGRAM_ONE);
}

void placement_shader_claims(PlacementShaderText *t, const FiloPlacement *p, int index) {
    PlacementShaderData data;
    placement_shader_data_layout(p, &data);
    say_blocked(t, p, &data, index);
    for (size_t i = 0; i < p->footprints[index].program.near_count; i++) say_near(t, p, &data, index, i);
}
