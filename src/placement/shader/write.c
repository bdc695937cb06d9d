// The shaders that number objects and write them.

#include "placement/shader/shader.h"

// The first object of each layer of a footprint whose word is in this piece.
static void say_first_objects(PlacementShaderText *t, const FiloPlacement *p, int index) {
    const PlacementFootprint *f = &p->footprints[index];
    placement_say(t,
                  "    for (int l = 0; tables[%d] >= 0 && l < %d; l++) {\n"
                  "        int i = tables[%d] + l * tables[%d];\n"
                  "        if (i >= piece << shift && i < end) counts[%d + l] = scratch[prefix + i];\n"
                  "    }\n",
                  placement_table(index, TABLE_MASKS), f->layer_count, placement_table(index, TABLE_MASKS),
                  placement_table(index, TABLE_GROUPS), 1 + f->first_layer);
}

void placement_shader_number(PlacementShaderText *t, const FiloPlacement *p) {
    placement_shader_begin(t);
    placement_say(t,
                  "layout(std430, binding = 4) buffer Counts { uint counts[]; };\n"
                  "void main() {\n"
                  "    int piece = int((gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * %du + "
                  "gl_LocalInvocationID.x);\n"
                  "    int words = tables[%d], shift = tables[%d], prefix = tables[%d], sums = tables[%d];\n"
                  "    if (piece > words >> shift) return;\n"
                  "    uint sum = 0u;\n"
                  "    for (int i = 0; i < piece; i++) sum += uint(tables[sums + i]);\n"
                  "    int end = min((piece + 1) << shift, words);\n"
                  "    for (int i = piece << shift; i < end; i++) {\n"
                  "        scratch[prefix + i] = sum;\n"
                  "        sum += uint(bitCount(scratch[i]));\n"
                  "    }\n"
                  "    if (piece == words >> shift) counts[0] = sum;\n",
                  FILO_SHADER_LOCAL, TABLE_WORDS, TABLE_SHIFT, TABLE_PREFIX, TABLE_SUMS);
    for (int i = 0; i < p->footprint_count; i++) say_first_objects(t, p, i);
    placement_say(t, "}\n");
}

// The height z of the point at x and y.
static void say_height(PlacementShaderText *t, const FiloPlacement *p, const PlacementShaderReaders *readers,
                       const PlacementShaderData *data) {
    const PlacementMap *height = &p->maps[PLACEMENT_HEIGHT];
    PlacementShaderFloat lowest = placement_shader_float(p->lowest);
    if (height->data == NULL) {
        placement_say(t, "        float z = %s;\n", lowest.text);
        return;
    }
    int reader = readers->of[PLACEMENT_HEIGHT];
    placement_shader_reader_at(t, p, &readers->readers[reader], reader);
    placement_say(t, "        precise float z = float");
    placement_shader_sample(t, height, data->maps[PLACEMENT_HEIGHT], reader, true);
    placement_say(t, " * %s + %s;\n", placement_shader_float(p->height_scale).text, lowest.text);
}

void placement_shader_write(PlacementShaderText *t, const FiloPlacement *p, int index) {
    const PlacementFootprint *f = &p->footprints[index];
    PlacementShaderReaders readers;
    PlacementShaderData data;
    placement_shader_readers(p, f, &readers);
    placement_shader_data_layout(p, &data);
    placement_shader_begin(t);
    placement_say(t, "layout(std430, binding = 3) writeonly buffer Objects { uvec4 objects[]; };\n");
    placement_shader_sample_functions(t);
    placement_shader_begin_main(t, f, index, placement_block_words(f, &readers));
    if (p->maps[PLACEMENT_HEIGHT].data != NULL)
        placement_shader_reader_begin(t, readers.of[PLACEMENT_HEIGHT]);
    placement_say(t,
                  "    int groups = tables[%d], masks = tables[%d] + group, prefix = tables[%d] + masks;\n",
                  placement_table(index, TABLE_GROUPS), placement_table(index, TABLE_MASKS), TABLE_PREFIX);
    placement_say(t, "    uint left = 0u;\n");
    for (int l = 0; l < f->layer_count; l++)
        placement_say(t,
                      "    uint mask%d = scratch[masks + %d * groups], first%d = scratch[prefix + %d * "
                      "groups];\n"
                      "    left |= mask%d;\n",
                      l, l, l, l, l);
    placement_say(t,
                  "    while (left != 0u) {\n"
                  "        int k = findLSB(left), i = part * %d + k;\n"
                  "        left &= left - 1u;\n"
                  "        uint below = (1u << uint(k)) - 1u, layer = 0u, at = 0u;\n",
                  placement_group_points(f));
    for (int l = 0; l < f->layer_count; l++)
        placement_say(t,
                      "        if ((mask%d >> uint(k) & 1u) != 0u) { layer = %du; at = first%d + "
                      "uint(bitCount(mask%d & below)); }\n",
                      l, f->first_layer + l, l, l);
    placement_shader_position(t, f, &data.footprints[index]);
    say_height(t, p, &readers, &data);
    placement_say(t,
                  "        uint block = uint((gx >> 6) & 255) << 16 | uint((gy >> 6) & 255) << 24;\n"
                  "        objects[at] = uvec4(floatBitsToUint(x), floatBitsToUint(y), floatBitsToUint(z), "
                  "layer | block);\n"
                  "    }\n"
                  "}\n");
}
