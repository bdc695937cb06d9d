// Evaluates candidates one by one, as the method is written down: the reference for the loops over whole cells, and what
// questions about single points use.

#include "placement/scalar.h"

// ---- Coordinates --------------------------------------------------------------------------------------------

int32_t placement_base(double origin, double corner, float size, int full) {
    double base = (origin - corner) / (double)size * (double)full * 256.0;
    if (!(base >= -1e9)) return -1000000000; // NaN too
    if (base > 1e9) return 1000000000;
    base += base < 0 ? -0.5 : 0.5;
    return (int32_t)base; // towards 0: to the nearest
}

float placement_bound(double limit, double origin) {
    double distance = limit - origin;
    float bound = (float)distance;
    if ((double)bound < distance) { // the next float above
        uint32_t bits = filo_float_to_bits(bound);
        if (bound == 0)
            bits = 1;
        else
            bits = bound > 0 ? bits + 1 : bits - 1;
        bound = filo_float_from_bits(bits);
    }
    return bound;
}

PlacementPoint placement_point(const PlacementFootprint *f, int32_t cell_x, int32_t cell_y, int index) {
    return (PlacementPoint){
        .x = placement_local(f->size, placement_in_block(cell_x), f->px[index], f->footprint),
        .y = placement_local(f->size, placement_in_block(cell_y), f->py[index], f->footprint),
        .origin_x = (double)placement_block(cell_x) * f->block,
        .origin_y = (double)placement_block(cell_y) * f->block,
    };
}

int32_t placement_threshold(const PlacementFootprint *f, int32_t cell_x, int32_t cell_y, int index) {
    // n is a power of two, so the mask is the mathematical modulus of negative cells too.
    int mask = f->n - 1;
    int x = (index % f->n + (cell_x & mask)) & mask;
    int y = (index / f->n + (cell_y & mask)) & mask;
    return f->threshold[y * f->n + x];
}

// ---- Sampling -----------------------------------------------------------------------------------------------

static uint32_t texel(const PlacementMap *map, int32_t x, int32_t y) {
    const PlacementReader *r = &map->reader;
    x = FILO_CLAMP(x, 0, r->full_width - 1) - r->x;
    y = FILO_CLAMP(y, 0, r->full_height - 1) - r->y;
    x = FILO_CLAMP(x, 0, r->width - 1);
    y = FILO_CLAMP(y, 0, r->height - 1);
    const uint8_t *at = map->data + (size_t)y * r->stride + (size_t)x * r->step;
    if (r->format == FILO_MAP_U8) return *at * 257u;
    uint16_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

uint32_t placement_sample_at(const PlacementMap *map, int32_t x, int32_t y) {
    if (map->reader.filter == FILO_MAP_NEAREST) return texel(map, x >> 8, y >> 8) << 16;
    x -= 128;
    y -= 128;
    uint32_t right = (uint32_t)x & 255, up = (uint32_t)y & 255;
    int32_t x0 = x >> 8, y0 = y >> 8;
    uint32_t low = texel(map, x0, y0) * (256 - right) + texel(map, x0 + 1, y0) * right;
    uint32_t high = texel(map, x0, y0 + 1) * (256 - right) + texel(map, x0 + 1, y0 + 1) * right;
    return low * (256 - up) + high * up; // 65535 · 65536 at most
}

static uint32_t sample(const FiloPlacement *p, const PlacementMap *map, PlacementPoint at) {
    const PlacementReader *r = &map->reader;
    int32_t base_x, base_y;
    if (at.bases != NULL) {
        base_x = at.bases->x[map - at.bases->maps];
        base_y = at.bases->y[map - at.bases->maps];
    } else {
        base_x = placement_base(at.origin_x, p->corner_x, p->size.x, r->full_width);
        base_y = placement_base(at.origin_y, p->corner_y, p->size.y, r->full_height);
    }
    return placement_sample_at(map, placement_texel(at.x, p->inverse_x, (float)r->full_width, base_x),
                               placement_texel(at.y, p->inverse_y, (float)r->full_height, base_y));
}

int32_t placement_sample(const FiloPlacement *p, const PlacementMap *map, PlacementPoint at) {
    uint32_t value = sample(p, map, at);
    return (int32_t)((value + 32768) >> 16);
}

uint32_t placement_sample_fine(const FiloPlacement *p, const PlacementMap *map, PlacementPoint at) {
    return sample(p, map, at) >> 8;
}

float placement_height_at(const FiloPlacement *p, const PlacementMap *height, PlacementPoint at) {
    if (height->data == NULL) return p->lowest;
    return (float)placement_sample_fine(p, height, at) * p->height_scale + p->lowest;
}

// ---- Programs -----------------------------------------------------------------------------------------------

static int32_t curve(const PlacementProgram *program, const PlacementCurve *c, int32_t a) {
    int32_t y = c->start;
    for (int32_t i = 0; i < c->count; i++) {
        const PlacementSegment *s = &program->segments[c->first + i];
        if (s->dx == 0)
            y += a >= s->x ? s->slope : 0;
        else
            y += (FILO_CLAMP(a - s->x, 0, s->dx) * s->slope) >> 14;
    }
    return y;
}

int32_t placement_noise_base(double origin, float wavelength) {
    double base = origin / (double)wavelength * 4096.0;
    double whole = (double)(int64_t)base;
    if (whole > base) whole -= 1;
    if (base - whole >= 0.5) whole += 1;
    return (int32_t)(uint32_t)(uint64_t)(int64_t)whole; // modulo 2^32
}

int32_t placement_noise_coordinate(float position, float frequency, int32_t base) {
    float t = (position * frequency) * 4096.0f;
    t = t < -PLACEMENT_FAR ? -PLACEMENT_FAR : t > PLACEMENT_FAR ? PLACEMENT_FAR : t;
    return (int32_t)((uint32_t)placement_floor(t) + (uint32_t)base);
}

static int32_t noise(const PlacementNoise *n, int32_t x, int32_t y) {
    uint32_t sum = 0;
    for (int32_t octave = 0; octave < n->octaves; octave++) {
        int32_t ix = x >> 12, iy = y >> 12;
        uint32_t tx = (uint32_t)x & 4095, ty = (uint32_t)y & 4095, seed = n->seed + (uint32_t)octave;
        uint32_t sx = (tx * tx >> 12) * (12288 - 2 * tx) >> 12, sy = (ty * ty >> 12) * (12288 - 2 * ty) >> 12;
        uint32_t a = placement_program_hash(ix, iy, seed) >> 16,
                 b = placement_program_hash(ix + 1, iy, seed) >> 16;
        uint32_t c = placement_program_hash(ix, iy + 1, seed) >> 16,
                 d = placement_program_hash(ix + 1, iy + 1, seed) >> 16;
        uint32_t low = (a * (4096 - sx) + b * sx) >> 12, high = (c * (4096 - sx) + d * sx) >> 12;
        sum += ((low * (4096 - sy) + high * sy) >> 12) >> (octave + 1);
        x = (int32_t)((uint32_t)x << 1), y = (int32_t)((uint32_t)y << 1);
    }
    return (int32_t)(sum * (uint32_t)n->scale >> 16);
}

static int32_t limit(int32_t x) { return FILO_CLAMP(x, -PLACEMENT_PROGRAM_LIMIT, PLACEMENT_PROGRAM_LIMIT); }
static int32_t unit(int32_t x) { return FILO_CLAMP(x, -PLACEMENT_PROGRAM_ONE, PLACEMENT_PROGRAM_ONE); }

int32_t placement_near_value(const PlacementNear *near, uint32_t squared) {
    if (squared == UINT32_MAX) return 0;
    float d = (float)(squared >> 6) * near->factor;
    int32_t value = PLACEMENT_PROGRAM_ONE - (int32_t)placement_round(d);
    return value < 0 ? 0 : value;
}

static int32_t operate(const PlacementCandidate *c, const PlacementOp *op, const int32_t *registers) {
    const FiloPlacement *p = c->placement;
    const PlacementProgram *program = &c->footprint->program;
    int32_t a = registers[op->a], b = registers[op->b];
    switch ((PlacementOpCode)op->code) {
    case PLACEMENT_OP_CONSTANT: return op->imm;
    case PLACEMENT_OP_SAMPLE: return (placement_sample(p, &c->maps[op->imm], c->at) + 1) >> 1;
    case PLACEMENT_OP_MIN: return FILO_MIN(a, b);
    case PLACEMENT_OP_MAX: return FILO_MAX(a, b);
    case PLACEMENT_OP_ADD: return limit(a + b);
    case PLACEMENT_OP_SUBTRACT: return limit(a - b);
    case PLACEMENT_OP_MULTIPLY: return (unit(a) * unit(b)) >> 15;
    case PLACEMENT_OP_STEP: return a >= op->imm ? PLACEMENT_PROGRAM_ONE : 0;
    case PLACEMENT_OP_CLAMP: return FILO_CLAMP(a, 0, PLACEMENT_PROGRAM_ONE);
    case PLACEMENT_OP_CURVE: return limit(curve(program, &program->curves[op->imm], a));
    case PLACEMENT_OP_NOISE: {
        const PlacementNoise *n = &program->noises[op->imm];
        float frequency = 1.0f / n->wavelength;
        return noise(n,
                     placement_noise_coordinate(c->at.x, frequency,
                                                placement_noise_base(c->at.origin_x, n->wavelength)),
                     placement_noise_coordinate(c->at.y, frequency,
                                                placement_noise_base(c->at.origin_y, n->wavelength)));
    }
    case PLACEMENT_OP_NEAR: {
        const PlacementNear *near = &program->nears[op->imm];
        return placement_near_value(near, placement_nearest(c->claims, c->unit_x, c->unit_y, near));
    }
    case PLACEMENT_OP_LAYER:
    case PLACEMENT_OP_MAP_LAYER: break;
    }
    return 0;
}

// The density of the layer that `op` hands over.
static int32_t layer_density(const PlacementCandidate *c, const PlacementOp *op, const int32_t *registers) {
    const PlacementLayer *layer = &c->footprint->layers[op->imm];
    if (op->code == PLACEMENT_OP_LAYER) return 2 * registers[op->a];
    return placement_density(layer, placement_sample(c->placement, &c->maps[layer->map], c->at));
}

static bool is_layer(const PlacementOp *op) {
    return op->code == PLACEMENT_OP_LAYER || op->code == PLACEMENT_OP_MAP_LAYER;
}

uint8_t placement_evaluate(const PlacementCandidate *c) {
    const PlacementProgram *program = &c->footprint->program;
    int32_t registers[PLACEMENT_PROGRAM_REGISTERS], sum = 0;
    registers[0] = 0;
    for (size_t i = 0; i < program->op_count; i++) {
        const PlacementOp *op = &program->ops[i];
        if (!is_layer(op)) {
            registers[op->to] = operate(c, op, registers);
            continue;
        }
        sum += layer_density(c, op, registers);
        if (sum > c->threshold) return (uint8_t)(op->imm + 1);
    }
    return 0;
}

int32_t placement_evaluate_layer(const PlacementCandidate *c, int layer) {
    const PlacementProgram *program = &c->footprint->program;
    int32_t registers[PLACEMENT_PROGRAM_REGISTERS];
    registers[0] = 0;
    for (size_t i = 0; i < program->op_count; i++) {
        const PlacementOp *op = &program->ops[i];
        if (!is_layer(op))
            registers[op->to] = operate(c, op, registers);
        else if (op->imm == layer)
            return layer_density(c, op, registers);
    }
    return 0;
}
