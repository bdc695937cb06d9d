// GLSL for finding objects of earlier footprints, with the exact distances of claims.c.
//
// The objects of a footprint are in no list on the GPU: its winners are bytes by cell and point. The points of its pattern
// are sorted into n · n squares of a cell (data.c), so the squares around a position lead to the few points that can be near
// enough. The range of squares is computed in floats and is generous; distances are integers.
//
// Of footprints that are much larger, a group of candidates has few objects in its reach. Then the objects are searched once
// for the group, and each is compared with all its claimed points. Otherwise each claimed point searches.

#include "placement/shader/shader.h"

#include <stdio.h>

// Squares are searched this much further than the distance needs, in squares. Floats of positions and indexes are exact to
// 0.06 squares in the largest area that a request may have.
#define GENEROUS "0.125"

static bool is_claimed_from(const FiloPlacement *p, int index, int e) {
    return p->footprints[index].reach[e] > 0;
}

// Variables for the tables of earlier footprints, which are read once for a group.
void placement_shader_claims_begin(PlacementShaderText *t, const FiloPlacement *p, int index) {
    for (int e = 0; e < index; e++) {
        if (!is_claimed_from(p, index, e)) continue;
        PlacementShaderReaders readers;
        placement_shader_readers(p, &p->footprints[e], &readers);
        int shift = placement_shader_log2(p->footprints[e].n),
            words = placement_block_words(&p->footprints[e], &readers);
        placement_say(t, "    winners_%d = tables[%d];\n", e, placement_table(e, TABLE_WINNERS));
        for (int y = 0; y < 2; y++)
            placement_say(t,
                          "    count_%c%d = tables[%d];\n"
                          "    squares_%c%d = (count_%c%d << %d) - 1;\n"
                          "    origin_%c%d = tables[%d];\n"
                          "    first_%c%d = tables[%d];\n"
                          "    units_%c%d = tables[%d] - tables[%d] * %d + %d;\n",
                          'x' + y, e, placement_table(e, y == 0 ? TABLE_COLUMNS : TABLE_ROWS), 'x' + y, e,
                          'x' + y, e, shift, 'x' + y, e, placement_table(e, TABLE_ORIGIN_X + y), 'x' + y, e,
                          placement_table(e, TABLE_FIRST_X + y), 'x' + y, e, placement_table(e, TABLE_X + y),
                          placement_table(e, TABLE_BLOCK_X + y), words, BLOCK_UNITS);
    }
}

static void say_variables(PlacementShaderText *t, const FiloPlacement *p, int index) {
    for (int e = 0; e < index; e++) {
        if (!is_claimed_from(p, index, e)) continue;
        placement_say(t, "int winners_%d;\n", e);
        for (int axis = 'x'; axis <= 'y'; axis++)
            placement_say(t, "int count_%c%d, squares_%c%d, origin_%c%d, first_%c%d, units_%c%d;\n", axis, e,
                          axis, e, axis, e, axis, e, axis, e);
    }
}

// What depends on the column or the row of a cell alone: where its points begin, in the block and in units.
static void say_cell(PlacementShaderText *t, const FiloPlacement *p, int e, char axis, const char *cell) {
    PlacementShaderReaders readers;
    placement_shader_readers(p, &p->footprints[e], &readers);
    placement_say(t,
                  "            int e_g%c = first_%c%d + %s;\n"
                  "            precise float e_begin_%c = %s * float(e_g%c & 63);\n"
                  "            int e_unit_%c = tables[units_%c%d + (e_g%c >> 6) * %d];\n",
                  axis, axis, e, cell, axis, placement_shader_float(p->footprints[e].size).text, axis, axis,
                  axis, e, axis, placement_block_words(&p->footprints[e], &readers));
}

// Begins the loops over all objects of the footprint `e` within `reach` units of the box from (x0, y0) to (x1, y1). The body
// has `winner` (from 1 on), and ex and ey, in units. Squares that are side by side in a cell have their points one after the
// other.
static void say_loop_begin(PlacementShaderText *t, const FiloPlacement *p, const PlacementShaderData *data,
                           int e, const char *reach) {
    const PlacementFootprint *f = &p->footprints[e];
    int shift = placement_shader_log2(f->n);
    PlacementShaderFloat squares =
        placement_shader_float((float)((double)f->n / (f->cell * (double)p->units)));
    placement_say(t, "    {\n        int reach = %s;\n", reach);
    for (int axis = 'x'; axis <= 'y'; axis++)
        placement_say(t,
                      "        int low_%c = max(int(floor(float(%c0 - origin_%c%d - reach) * %s - " GENEROUS
                      ")), 0);\n"
                      "        int high_%c = min(int(floor(float(%c1 - origin_%c%d + reach) * %s + " GENEROUS
                      ")), squares_%c%d);\n",
                      axis, axis, axis, e, squares.text, axis, axis, axis, e, squares.text, axis, e);
    placement_say(t,
                  "        for (int sy = low_y; sy <= high_y; sy++) {\n"
                  "            int e_row = sy >> %d, squares = %u + ((sy & %d) << %d);\n",
                  shift, data->footprints[e].first, f->n - 1, shift);
    say_cell(t, p, e, 'y', "e_row");
    placement_say(t, "        for (int e_column = low_x >> %d; e_column <= high_x >> %d; e_column++) {\n",
                  shift, shift);
    say_cell(t, p, e, 'x', "e_column");
    placement_say(
        t,
        "            int e_cell = (e_row * count_x%d + e_column) * %d;\n"
        "            int e_end = int(data_32(squares + min(high_x - (e_column << %d), %d) + 1));\n"
        "            for (int n = int(data_32(squares + max(low_x - (e_column << %d), 0))); n < e_end; "
        "n++) {\n"
        "                uvec3 e_point = data_96(%u + n);\n"
        "                int at = e_cell + int(e_point.z);\n"
        "                int winner = int((scratch[winners_%d + (at >> 2)] >> uint((at & 3) << 3)) & "
        "255u);\n"
        "                if (winner == 0) continue;\n",
        e, f->points, shift, f->n - 1, shift, data->footprints[e].points, e);
    for (int axis = 'x'; axis <= 'y'; axis++)
        placement_say(t,
                      "                precise float p%c = (e_begin_%c + uintBitsToFloat(e_point.%c)) * %s;\n"
                      "                precise float u%c = p%c * %d.0;\n"
                      "                int e%c = e_unit_%c + int(floor(u%c));\n",
                      axis, axis, axis, placement_shader_float(f->footprint).text, axis, axis, (int)p->units,
                      axis, axis, axis);
}

static void say_loop_end(PlacementShaderText *t) {
    placement_say(t, "            }\n        }\n        }\n    }\n");
}

// An expression for the radius of the object that the loop is at.
static void say_radius(PlacementShaderText *t, const PlacementFootprint *f) {
    placement_say(t, "                int radius_e = ");
    for (int l = 0; l < f->layer_count - 1; l++)
        placement_say(t, "winner == %d ? %d : ", l + 1, (int)f->layers[l].radius_units);
    placement_say(t, "%d;\n                if (radius_e < 0) continue;\n",
                  (int)f->layers[f->layer_count - 1].radius_units);
}

static int32_t largest_radius(const PlacementFootprint *f) {
    int32_t largest = -1;
    for (int l = 0; l < f->layer_count; l++) largest = FILO_MAX(largest, f->layers[l].radius_units);
    return largest;
}

// Whether footprint `e` pushes objects of `index` away.
static bool pushes(const FiloPlacement *p, int index, int e) {
    return is_claimed_from(p, index, e) && largest_radius(&p->footprints[e]) >= 0 &&
           largest_radius(&p->footprints[index]) >= 0;
}

static bool by_group(const FiloPlacement *p, int index, int e) {
    return p->footprints[e].footprint >= 1.5f * p->footprints[index].footprint;
}

// Distances are squared only where they are small enough.
#define NEAR_ENOUGH "abs(dx) <= 32767 && abs(dy) <= 32767 && uint(dx * dx) + uint(dy * dy) < "

static void say_blocked(PlacementShaderText *t, const FiloPlacement *p, const PlacementShaderData *data,
                        int index) {
    placement_say(t, "bool blocked(int x, int y, int radius) {\n    int x0 = x, x1 = x, y0 = y, y1 = y;\n");
    for (int e = 0; e < index; e++) {
        if (!pushes(p, index, e) || by_group(p, index, e)) continue;
        char reach[48];
        snprintf(reach, sizeof reach, "radius + %d", (int)largest_radius(&p->footprints[e]));
        say_loop_begin(t, p, data, e, reach);
        say_radius(t, &p->footprints[e]);
        placement_say(t, "                int least = radius_e + radius, dx = ex - x, dy = ey - y;\n"
                         "                if (" NEAR_ENOUGH "uint(least * least)) return true;\n");
        say_loop_end(t);
    }
    placement_say(t, "    return false;\n}\n");
}

// Begins a loop over the points of the group that are claimed by layers with a radius, and are not pinned. The body has the
// point k, its unit_x and unit_y, and its radius.
static void say_points_begin(PlacementShaderText *t, const FiloPlacement *p, int index,
                             const PlacementShaderData *data) {
    const PlacementFootprint *f = &p->footprints[index];
    placement_say(t, "    uint left = 0u;\n");
    for (int l = 0; l < f->layer_count; l++)
        if (f->layers[l].radius_units >= 0) placement_say(t, "    left |= mask%d;\n", l);
    placement_say(t,
                  "    left &= ~pinned;\n"
                  "    while (left != 0u) {\n"
                  "        int k = findLSB(left), i = part * %d + k, radius = -1;\n"
                  "        left &= left - 1u;\n",
                  placement_group_points(f));
    for (int l = 0; l < f->layer_count; l++)
        if (f->layers[l].radius_units >= 0)
            placement_say(t, "        radius = (mask%d >> uint(k) & 1u) != 0u ? %d : radius;\n", l,
                          (int)f->layers[l].radius_units);
    placement_shader_position(t, f, &data->footprints[index]);
    placement_shader_units(t, p);
}

// Removes the point k from all layers if the condition holds.
static void say_points_end(PlacementShaderText *t, const PlacementFootprint *f, const char *condition) {
    placement_say(t, "        uint others = %s ? ~(1u << uint(k)) : 0xFFFFFFFFu;\n", condition);
    for (int l = 0; l < f->layer_count; l++) placement_say(t, "        mask%d &= others;\n", l);
    placement_say(t, "    }\n");
}

void placement_shader_push(PlacementShaderText *t, const FiloPlacement *p, int index,
                           const PlacementShaderData *data) {
    const PlacementFootprint *f = &p->footprints[index];
    bool by_point = false;
    for (int e = 0; e < index; e++) {
        by_point = by_point || (pushes(p, index, e) && !by_group(p, index, e));
        if (!pushes(p, index, e) || !by_group(p, index, e)) continue;
        char reach[16];
        snprintf(reach, sizeof reach, "%d", (int)(largest_radius(&p->footprints[e]) + largest_radius(f)));
        say_loop_begin(t, p, data, e, reach);
        say_radius(t, &p->footprints[e]);
        placement_say(t,
                      "    int touch = radius_e + %d;\n"
                      "    if (ex < x0 - touch || ex > x1 + touch || ey < y0 - touch || ey > y1 + touch) "
                      "continue;\n",
                      (int)largest_radius(f));
        say_points_begin(t, p, index, data);
        placement_say(t, "        int least = radius_e + radius, dx = ex - unit_x, dy = ey - unit_y;\n");
        say_points_end(t, f, NEAR_ENOUGH "uint(least * least)");
        say_loop_end(t);
    }
    if (!by_point) return;
    say_points_begin(t, p, index, data);
    say_points_end(t, f, "blocked(unit_x, unit_y, radius)");
}

static void say_near(PlacementShaderText *t, const FiloPlacement *p, const PlacementShaderData *data,
                     int index, size_t number) {
    const PlacementNear *near = &p->footprints[index].program.nears[number];
    placement_say(t,
                  "int near_%zu(int x, int y) {\n    uint nearest = 0xFFFFFFFFu;\n"
                  "    int x0 = x, x1 = x, y0 = y, y1 = y;\n",
                  number);
    for (int e = 0; e < index; e++) {
        const PlacementFootprint *f = &p->footprints[e];
        uint32_t layers = 0;
        for (int l = 0; l < f->layer_count; l++) {
            int layer = f->first_layer + l;
            layers |= (near->layers[layer / 32] >> (layer % 32) & 1) << l;
        }
        if (!is_claimed_from(p, index, e) || layers == 0) continue;
        char reach[16];
        snprintf(reach, sizeof reach, "%d", (int)near->within_units);
        say_loop_begin(t, p, data, e, reach);
        placement_say(t,
                      "                int dx = ex - x, dy = ey - y;\n"
                      "                if (((0x%xu >> uint(winner - 1)) & 1u) != 0u && " NEAR_ENOUGH
                      "0x%xu)\n"
                      "                    nearest = min(nearest, uint(dx * dx) + uint(dy * dy));\n",
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
    say_variables(t, p, index);
    say_blocked(t, p, &data, index);
    for (size_t i = 0; i < p->footprints[index].program.near_count; i++) say_near(t, p, &data, index, i);
}
