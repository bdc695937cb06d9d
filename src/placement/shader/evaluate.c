// The shader that evaluates the candidates of a footprint: one invocation for a group of points of a cell.

#include "placement/shader/shader.h"

// Whether objects of earlier footprints matter.
static bool has_claims(const FiloPlacement *p, int index) {
    for (int e = 0; e < index; e++)
        if (p->footprints[index].reach[e] > 0) return true;
    return false;
}

static void say_group(PlacementShaderText *t, const PlacementFootprint *f,
                      const PlacementShaderReaders *readers, int index, bool winners, bool claims) {
    static const char *const bounds[] = { "lower", "upper", "wanted_lower", "wanted_upper" };
    for (int i = 0; i < (winners ? 4 : 2); i++)
        placement_say(t,
                      "    float %s_x = intBitsToFloat(tables[block_x + %d]), %s_y = "
                      "intBitsToFloat(tables[block_y + %d]);\n",
                      bounds[i], BLOCK_LOWER + i, bounds[i], BLOCK_LOWER + i);
    if (claims)
        placement_say(t, "    int units_x = tables[block_x + %d], units_y = tables[block_y + %d];\n",
                      BLOCK_UNITS, BLOCK_UNITS);
    for (int r = 0; r < readers->count; r++) placement_shader_reader_begin(t, r);
    for (int n = 0; n < (int)f->program.noise_count; n++)
        placement_say(t, "    int noise_x%d = tables[block_x + %d], noise_y%d = tables[block_y + %d];\n", n,
                      BLOCK_READERS + readers->count + n, n, BLOCK_READERS + readers->count + n);
    // The first pin of this group, by halving.
    placement_say(
        t,
        "    int clearings = tables[%d], pins = tables[%d], pin = 0, pin_end = tables[%d];\n"
        "    int first_candidate = group * %d;\n"
        "    for (int last = pin_end; pin < last;) {\n"
        "        int middle = (pin + last) >> 1;\n"
        "        if (tables[pins + 2 * middle] < first_candidate) pin = middle + 1; else last = middle;\n"
        "    }\n"
        "    int next_pin = pin < pin_end ? tables[pins + 2 * pin] : -1;\n",
        placement_table(index, TABLE_CLEARING_COUNT), placement_table(index, TABLE_PINS),
        placement_table(index, TABLE_PIN_COUNT), placement_group_points(f));
    for (int l = 0; l < f->layer_count; l++) placement_say(t, "    uint mask%d = 0u;\n", l);
    if (winners) placement_say(t, "    uint wanted = 0u;\n");
    if (claims)
        placement_say(t, "    uint pinned = 0u;\n"
                         "    int x0 = 0x3FFFFFFF, y0 = x0, x1 = -x0, y1 = -x0;\n");
}

static void say_clearings(PlacementShaderText *t, int index) {
    placement_say(
        t,
        "        if (clearings > 0 && w != 0) {\n"
        "            int blocks = tables[%d], rows = (tables[%d] + tables[%d] - 1 >> 6) - tables[%d] + 1;\n"
        "            for (int c = 0; c < clearings; c++) {\n"
        "                int at = tables[%d] + c * (%d + blocks + rows);\n"
        "                if (column < tables[at] || column > tables[at + 1] || row < tables[at + 2] || row > "
        "tables[at + 3]) continue;\n"
        "                precise float dx = x - intBitsToFloat(tables[at + %d + ((gx >> 6) - tables[%d])]);\n"
        "                precise float dy = y - intBitsToFloat(tables[at + %d + blocks + ((gy >> 6) - "
        "tables[%d])]);\n"
        "                precise float squared = dx * dx + dy * dy;\n"
        "                if (squared <= intBitsToFloat(tables[at + %d])) { w = 0; break; }\n"
        "            }\n"
        "        }\n",
        placement_table(index, TABLE_BLOCKS_X), placement_table(index, TABLE_FIRST_Y),
        placement_table(index, TABLE_ROWS), placement_table(index, TABLE_BLOCK_Y),
        placement_table(index, TABLE_CLEARINGS), CLEARING_CENTRE, CLEARING_CENTRE,
        placement_table(index, TABLE_BLOCK_X), CLEARING_CENTRE, placement_table(index, TABLE_BLOCK_Y),
        CLEARING_LIMIT);
}

static void say_edits(PlacementShaderText *t, int index, bool claims) {
    say_clearings(t, index);
    // Pins are inside the area, and are not pushed away.
    placement_say(t,
                  "        if (first_candidate + k == next_pin) {\n"
                  "            w = tables[pins + 2 * pin + 1];\n"
                  "            pin++;\n"
                  "            next_pin = pin < pin_end ? tables[pins + 2 * pin] : -1;\n"
                  "%s"
                  "        }\n",
                  claims ? "            pinned |= 1u << uint(k);\n" : "");
}

static void say_point(PlacementShaderText *t, const FiloPlacement *p, int index,
                      const PlacementShaderReaders *readers, const PlacementShaderData *data, bool claims) {
    const PlacementFootprint *f = &p->footprints[index];
    int mask = f->n - 1, shift = placement_shader_log2(f->n);
    placement_say(t, "        int i = part * %d + k;\n", placement_group_points(f));
    placement_shader_position(t, f, &data->footprints[index]);
    if (claims) placement_shader_units(t, p);
    placement_say(t,
                  "        int threshold = int(data_32(%u + ((((i >> %d) + gy) & %d) << %d) + ((i + gx) & "
                  "%d)));\n",
                  data->footprints[index].threshold, shift, mask, shift, mask);
    int height = p->maps[PLACEMENT_HEIGHT].data != NULL ? readers->of[PLACEMENT_HEIGHT] : -1;
    for (int r = 0; r < readers->count; r++) {
        // The height is for writing, unless a layer has it too.
        bool used = r != height;
        for (int m = 1; m < p->map_count; m++) used = used || readers->of[m] == r;
        for (size_t i = 0; i < f->program.op_count; i++)
            used = used ||
                   (f->program.ops[i].code == PLACEMENT_OP_SAMPLE && readers->of[f->program.ops[i].imm] == r);
        if (used) placement_shader_reader_at(t, p, &readers->readers[r], r);
    }
    placement_shader_program(t, p, index, readers, data);
    placement_say(t, "        if (!(x >= lower_x && x < upper_x && y >= lower_y && y < upper_y)) w = 0;\n");
}

// Stores the winners of the group, four in a word, and then drops those outside of the area that was asked for.
static void say_winners(PlacementShaderText *t, const PlacementFootprint *f, int index) {
    placement_say(t, "    for (int k = 0; k < %d; k += 4) {\n        uint bytes = 0u;\n",
                  placement_group_points(f));
    // Four bits become the lowest bits of four bytes.
    for (int l = 0; l < f->layer_count; l++)
        placement_say(t,
                      "        bytes |= (((mask%d >> uint(k)) & 15u) * 0x00204081u & 0x01010101u) * %du;\n",
                      l, l + 1);
    placement_say(t, "        scratch[tables[%d] + ((first_candidate + k) >> 2)] = bytes;\n    }\n",
                  placement_table(index, TABLE_WINNERS));
    for (int l = 0; l < f->layer_count; l++) placement_say(t, "    mask%d &= wanted;\n", l);
}

static void say_masks(PlacementShaderText *t, const PlacementFootprint *f, int index) {
    placement_say(t,
                  "    int masks = tables[%d], groups = tables[%d], shift = tables[%d], sums = tables[%d];\n"
                  "    if (masks < 0) return;\n",
                  placement_table(index, TABLE_MASKS), placement_table(index, TABLE_GROUPS), TABLE_SHIFT,
                  TABLE_SUMS);
    for (int l = 0; l < f->layer_count; l++)
        placement_say(
            t,
            "    { int at = masks + %d * groups + group;\n"
            "      scratch[at] = mask%d;\n"
            "      if (mask%d != 0u) atomicAdd(tables[sums + (at >> shift)], bitCount(mask%d)); }\n",
            l, l, l, l);
}

void placement_shader_evaluate(PlacementShaderText *t, const FiloPlacement *p, int index) {
    const PlacementFootprint *f = &p->footprints[index];
    bool winners = placement_shader_has_winners(p, index), claims = has_claims(p, index);
    PlacementShaderReaders readers;
    PlacementShaderData data;
    placement_shader_readers(p, f, &readers);
    placement_shader_data_layout(p, &data);
    placement_shader_begin(t);
    placement_shader_sample_functions(t);
    if (claims) placement_shader_claims(t, p, index);
    placement_shader_program_functions(t, &f->program);
    placement_shader_begin_main(t, f, index, placement_block_words(f, &readers));
    say_group(t, f, &readers, index, winners, claims);
    if (claims) placement_shader_claims_begin(t, p, index);
    placement_say(t, "    for (int k = 0; k < %d; k++) {\n", placement_group_points(f));
    say_point(t, p, index, &readers, &data, claims);
    say_edits(t, index, claims);
    for (int l = 0; l < f->layer_count; l++)
        placement_say(t, "        mask%d |= uint(w == %d) << uint(k);\n", l, l + 1);
    if (claims)
        placement_say(t, "        if (w != 0) {\n"
                         "            x0 = min(x0, unit_x); x1 = max(x1, unit_x);\n"
                         "            y0 = min(y0, unit_y); y1 = max(y1, unit_y);\n"
                         "        }\n");
    if (winners)
        placement_say(t, "        wanted |= uint(x >= wanted_lower_x && x < wanted_upper_x && y >= "
                         "wanted_lower_y && y < wanted_upper_y) << uint(k);\n");
    placement_say(t, "    }\n");
    if (claims) placement_shader_push(t, p, index, &data);
    if (winners) say_winners(t, f, index);
    say_masks(t, f, index);
    placement_say(t, "}\n");
}
