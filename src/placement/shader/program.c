// GLSL for what the layers of a footprint compute: one statement for each operation of program.h.

#include "placement/shader/shader.h"

void placement_shader_program_functions(PlacementShaderText *t, const PlacementProgram *program) {
    if (program->noise_count == 0) return;
    PlacementShaderFloat far = placement_shader_float(PLACEMENT_FAR);
    placement_say(t,
                  "int noise_at(float position, float frequency, int base) {\n"
                  "    precise float at = (position * frequency) * 4096.0;\n"
                  "    at = min(max(at, -%s), %s);\n"
                  "    return int(uint(int(floor(at))) + uint(base));\n"
                  "}\n",
                  far.text, far.text);
    placement_say(t, "uint hash(int x, int y, uint seed) {\n"
                     "    uint h = uint(x) * 0x9E3779B1u ^ uint(y) * 0x85EBCA77u ^ seed;\n"
                     "    h ^= h >> 16; h *= 0x7FEB352Du; h ^= h >> 15; h *= 0x846CA68Bu;\n"
                     "    return h ^ (h >> 16);\n"
                     "}\n");
    placement_say(
        t, "int noise(int x, int y, uint seed, int octaves, uint scale) {\n"
           "    uint sum = 0u;\n"
           "    for (int octave = 0; octave < octaves; octave++) {\n"
           "        int ix = x >> 12, iy = y >> 12;\n"
           "        uint tx = uint(x) & 4095u, ty = uint(y) & 4095u, s = seed + uint(octave);\n"
           "        uint sx = ((tx * tx >> 12) * (12288u - 2u * tx)) >> 12;\n"
           "        uint sy = ((ty * ty >> 12) * (12288u - 2u * ty)) >> 12;\n"
           "        uint a = hash(ix, iy, s) >> 16, b = hash(ix + 1, iy, s) >> 16;\n"
           "        uint c = hash(ix, iy + 1, s) >> 16, d = hash(ix + 1, iy + 1, s) >> 16;\n"
           "        uint low = (a * (4096u - sx) + b * sx) >> 12, high = (c * (4096u - sx) + d * sx) >> 12;\n"
           "        sum += ((low * (4096u - sy) + high * sy) >> 12) >> uint(octave + 1);\n"
           "        x = int(uint(x) << 1); y = int(uint(y) << 1);\n"
           "    }\n"
           "    return int((sum * scale) >> 16);\n"
           "}\n");
}

// ---- Operations ---------------------------------------------------------------------------------------------

typedef struct Writer {
    PlacementShaderText *t;
    const FiloPlacement *placement;
    const PlacementFootprint *footprint;
    const PlacementShaderReaders *readers;
    const PlacementShaderData *data;
} Writer;

static void say_sample(const Writer *w, int map) {
    placement_say(w->t, "int");
    placement_shader_sample(w->t, &w->placement->maps[map], w->data->maps[map], w->readers->of[map], false);
}

static void say_curve(const Writer *w, const PlacementOp *op) {
    const PlacementProgram *program = &w->footprint->program;
    const PlacementCurve *c = &program->curves[op->imm];
    placement_say(w->t, "        { int c = %d, a = r%d;\n", (int)c->start, op->a);
    for (int32_t i = 0; i < c->count; i++) {
        const PlacementSegment *s = &program->segments[c->first + i];
        if (s->dx == 0)
            placement_say(w->t, "          c += a >= %d ? %d : 0;\n", (int)s->x, (int)s->slope);
        else
            placement_say(w->t, "          c += (clamp(a - (%d), 0, %d) * (%d)) >> 14;\n", (int)s->x,
                          (int)s->dx, (int)s->slope);
    }
    placement_say(w->t, "          r%d = clamp(c, -%d, %d); }\n", op->to, PLACEMENT_PROGRAM_LIMIT,
                  PLACEMENT_PROGRAM_LIMIT);
}

static void say_noise(const Writer *w, const PlacementOp *op) {
    const PlacementNoise *n = &w->footprint->program.noises[op->imm];
    PlacementShaderFloat frequency = placement_shader_float(1.0f / n->wavelength);
    placement_say(w->t,
                  "        r%d = noise(noise_at(x, %s, noise_x%d), noise_at(y, %s, noise_y%d), 0x%xu, %d, "
                  "0x%xu);\n",
                  op->to, frequency.text, (int)op->imm, frequency.text, (int)op->imm, n->seed,
                  (int)n->octaves, (uint32_t)n->scale);
}

static void say_layer(const Writer *w, const PlacementOp *op) {
    PlacementShaderText *t = w->t;
    const PlacementLayer *layer = &w->footprint->layers[op->imm];
    if (op->code == PLACEMENT_OP_LAYER) {
        placement_say(t, "        sum += 2 * r%d;\n", op->a);
    } else {
        placement_say(t, "        { precise float d = float(");
        say_sample(w, layer->map);
        placement_say(t, ") * %s + %s;\n", placement_shader_float(layer->scale).text,
                      placement_shader_float(layer->offset).text);
        placement_say(t,
                      "          d = min(max(d, %s), %s);\n"
                      "          precise float e = d * 65536.0;\n"
                      "          sum += int(roundEven(e)); }\n",
                      placement_shader_float(layer->min).text, placement_shader_float(layer->max).text);
    }
    placement_say(t, "        w = w == 0 && sum > threshold ? %d : w;\n", (int)op->imm + 1);
}

static void say_operation(const Writer *w, const PlacementOp *op) {
    PlacementShaderText *t = w->t;
    switch ((PlacementOpCode)op->code) {
    case PLACEMENT_OP_CONSTANT:
        placement_say(t, "        r%d = int(0x%xu);\n", op->to, (uint32_t)op->imm);
        break;
    case PLACEMENT_OP_SAMPLE:
        placement_say(t, "        r%d = (", op->to);
        say_sample(w, op->imm);
        placement_say(t, " + 1) >> 1;\n");
        break;
    case PLACEMENT_OP_MIN: placement_say(t, "        r%d = min(r%d, r%d);\n", op->to, op->a, op->b); break;
    case PLACEMENT_OP_MAX: placement_say(t, "        r%d = max(r%d, r%d);\n", op->to, op->a, op->b); break;
    case PLACEMENT_OP_ADD:
    case PLACEMENT_OP_SUBTRACT:
        placement_say(t, "        r%d = clamp(r%d %c r%d, -%d, %d);\n", op->to, op->a,
                      op->code == PLACEMENT_OP_ADD ? '+' : '-', op->b, PLACEMENT_PROGRAM_LIMIT,
                      PLACEMENT_PROGRAM_LIMIT);
        break;
    case PLACEMENT_OP_MULTIPLY:
        placement_say(t, "        r%d = (clamp(r%d, -%d, %d) * clamp(r%d, -%d, %d)) >> 15;\n", op->to, op->a,
                      PLACEMENT_PROGRAM_ONE, PLACEMENT_PROGRAM_ONE, op->b, PLACEMENT_PROGRAM_ONE,
                      PLACEMENT_PROGRAM_ONE);
        break;
    case PLACEMENT_OP_STEP:
        placement_say(t, "        r%d = r%d >= int(0x%xu) ? %d : 0;\n", op->to, op->a, (uint32_t)op->imm,
                      PLACEMENT_PROGRAM_ONE);
        break;
    case PLACEMENT_OP_CLAMP:
        placement_say(t, "        r%d = clamp(r%d, 0, %d);\n", op->to, op->a, PLACEMENT_PROGRAM_ONE);
        break;
    case PLACEMENT_OP_CURVE: say_curve(w, op); break;
    case PLACEMENT_OP_NOISE: say_noise(w, op); break;
    case PLACEMENT_OP_NEAR:
        placement_say(t, "        r%d = near_%d(unit_x, unit_y);\n", op->to, (int)op->imm);
        break;
    case PLACEMENT_OP_LAYER:
    case PLACEMENT_OP_MAP_LAYER: say_layer(w, op); break;
    }
}

void placement_shader_program(PlacementShaderText *t, const FiloPlacement *p, int index,
                              const PlacementShaderReaders *readers, const PlacementShaderData *data) {
    const PlacementFootprint *f = &p->footprints[index];
    Writer writer = { t, p, f, readers, data };
    placement_say(t, "        int sum = 0, w = 0;\n");
    bool used[PLACEMENT_PROGRAM_REGISTERS] = { 0 };
    for (size_t i = 0; i < f->program.op_count; i++) {
        const PlacementOp *op = &f->program.ops[i];
        const uint8_t registers[3] = { op->to, op->a, op->b };
        for (int k = 0; k < 3; k++) {
            if (!used[registers[k]]) placement_say(t, "        int r%d = 0;\n", registers[k]);
            used[registers[k]] = true;
        }
    }
    for (size_t i = 0; i < f->program.op_count; i++) say_operation(&writer, &f->program.ops[i]);
}
