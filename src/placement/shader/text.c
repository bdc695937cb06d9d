// Writing text, and the parts that all shaders begin with.

#include "placement/shader/shader.h"

#include <stdarg.h>
#include <stdio.h>

void placement_say(PlacementShaderText *t, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    size_t left = t->length < t->size ? t->size - t->length : 0;
    int length = vsnprintf(left > 0 ? t->text + t->length : NULL, left, format, arguments);
    va_end(arguments);
    if (length > 0) t->length += (size_t)length;
}

PlacementShaderFloat placement_shader_float(float value) {
    PlacementShaderFloat f;
    snprintf(f.text, sizeof f.text, "uintBitsToFloat(0x%08xu)", filo_float_to_bits(value));
    return f;
}

static const char texels[] = "uniform usamplerBuffer data8, data16, data32, data128;\n"
                             "uint data_8(int i) { return texelFetch(data8, i).x; }\n"
                             "uint data_16(int i) { return texelFetch(data16, i).x; }\n"
                             "uint data_32(int i) { return texelFetch(data32, i).x; }\n"
                             "uvec2 data_64(int i) { return texelFetch(data128, i).xy; }\n"
                             "uvec3 data_96(int i) { return texelFetch(data128, i).xyz; }\n";

static const char storage[] =
    "layout(std430, binding = 0) readonly buffer Data { uint data[]; };\n"
    "uint data_8(int i) { return (data[i >> 2] >> uint((i & 3) << 3)) & 255u; }\n"
    "uint data_16(int i) { return (data[i >> 1] >> uint((i & 1) << 4)) & 65535u; }\n"
    "uint data_32(int i) { return data[i]; }\n"
    "uvec2 data_64(int i) { return uvec2(data[i << 2], data[(i << 2) + 1]); }\n"
    "uvec3 data_96(int i) { return uvec3(data[i << 2], data[(i << 2) + 1], data[(i << 2) + 2]); }\n";

void placement_shader_begin(PlacementShaderText *t) {
    placement_say(t, "layout(local_size_x = %d) in;\n", FILO_SHADER_LOCAL);
    placement_say(t, "%s", t->texels ? texels : storage);
    placement_say(t, "layout(std430, binding = 1) buffer Tables { int tables[]; };\n"
                     "layout(std430, binding = 2) buffer Scratch { uint scratch[]; };\n");
}

void placement_shader_begin_main(PlacementShaderText *t, const PlacementFootprint *f, int index,
                                 int block_words) {
    int parts = f->points / placement_group_points(f);
    placement_say(t,
                  "void main() {\n"
                  "    int group = int((gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * %du + "
                  "gl_LocalInvocationID.x);\n"
                  "    if (group >= tables[%d]) return;\n"
                  "    int cell = group >> %d, part = group & %d, columns = tables[%d];\n"
                  "    int row = cell / columns, column = cell - row * columns;\n"
                  "    int gx = tables[%d] + column, gy = tables[%d] + row;\n",
                  FILO_SHADER_LOCAL, placement_table(index, TABLE_GROUPS), placement_shader_log2(parts),
                  parts - 1, placement_table(index, TABLE_COLUMNS), placement_table(index, TABLE_FIRST_X),
                  placement_table(index, TABLE_FIRST_Y));
    placement_say(t,
                  "    int block_x = tables[%d] + ((gx >> 6) - tables[%d]) * %d;\n"
                  "    int block_y = tables[%d] + ((gy >> 6) - tables[%d]) * %d;\n",
                  placement_table(index, TABLE_X), placement_table(index, TABLE_BLOCK_X), block_words,
                  placement_table(index, TABLE_Y), placement_table(index, TABLE_BLOCK_Y), block_words);
    PlacementShaderFloat size = placement_shader_float(f->size);
    placement_say(t,
                  "    precise float begin_x = %s * float(gx & 63);\n"
                  "    precise float begin_y = %s * float(gy & 63);\n",
                  size.text, size.text);
}

void placement_shader_position(PlacementShaderText *t, const PlacementFootprint *f,
                               const PlacementShaderFootprintData *data) {
    PlacementShaderFloat footprint = placement_shader_float(f->footprint);
    placement_say(t,
                  "        uvec2 point = data_64(%u + i);\n"
                  "        precise float x = (begin_x + uintBitsToFloat(point.x)) * %s;\n"
                  "        precise float y = (begin_y + uintBitsToFloat(point.y)) * %s;\n",
                  data->pattern, footprint.text, footprint.text);
}

void placement_shader_units(PlacementShaderText *t, const FiloPlacement *p) {
    placement_say(t,
                  "        precise float scaled_x = x * %d.0, scaled_y = y * %d.0;\n"
                  "        int unit_x = units_x + int(floor(scaled_x)), unit_y = units_y + "
                  "int(floor(scaled_y));\n",
                  (int)p->units, (int)p->units);
}

// ---- Public -------------------------------------------------------------------------------------------------

size_t filo_placement_shader_text(const FiloPlacement *placement, FiloPlacementShader shader,
                                  size_t footprint, uint32_t options, char *text, size_t size) {
    if (size > 0 && text != NULL) text[0] = 0;
    if (!FILO_CHECK(placement != NULL && (text != NULL || size == 0),
                    "pass a placement, and memory for the text"))
        return 0;
    if (!FILO_CHECK(shader == FILO_SHADER_NUMBER || footprint < (size_t)placement->footprint_count,
                    "there are %d footprints, and no number %zu", placement->footprint_count, footprint))
        return 0;
    PlacementShaderText t = { .text = text, .size = size, .texels = (options & FILO_SHADER_TEXELS) != 0 };
    switch (shader) {
    case FILO_SHADER_EVALUATE: placement_shader_evaluate(&t, placement, (int)footprint); break;
    case FILO_SHADER_NUMBER: placement_shader_number(&t, placement); break;
    case FILO_SHADER_WRITE: placement_shader_write(&t, placement, (int)footprint); break;
    default: (void)FILO_CHECK(false, "there is no shader %d", (int)shader); break;
    }
    return t.length;
}
