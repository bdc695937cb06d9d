// Operations of programs on whole cells; a part of kernels.h. The loops are simple enough for the compiler to make vector
// code of them; what they compute is defined in program.h.

INLINE int32_t placement_kernel_clamp(int32_t x, int32_t low, int32_t high) {
    x = x < low ? low : x;
    return x > high ? high : x;
}

// Most curves have one segment.
KERNEL_TARGET static void placement_kernel_line(int32_t start, PlacementSegment s, const int32_t *restrict a,
                                                int32_t *restrict to, int points) {
    for (int i = 0; i < points; i++) {
        int32_t rise = (placement_kernel_clamp(a[i] - s.x, 0, s.dx) * s.slope) >> 14;
        to[i] = placement_kernel_clamp(start + rise, -PLACEMENT_PROGRAM_LIMIT, PLACEMENT_PROGRAM_LIMIT);
    }
}

KERNEL_TARGET static void placement_kernel_curve(const PlacementProgram *program, const PlacementCurve *curve,
                                                 const int32_t *restrict a, int32_t *restrict to,
                                                 int points) {
    const PlacementSegment *segments = program->segments + curve->first;
    if (curve->count == 1 && segments[0].dx != 0) {
        placement_kernel_line(curve->start, segments[0], a, to, points);
        return;
    }
    for (int i = 0; i < points; i++) to[i] = curve->start;
    for (int32_t k = 0; k < curve->count; k++) {
        PlacementSegment s = segments[k];
        if (s.dx == 0)
            for (int i = 0; i < points; i++) to[i] += a[i] >= s.x ? s.slope : 0;
        else
            for (int i = 0; i < points; i++)
                to[i] += (placement_kernel_clamp(a[i] - s.x, 0, s.dx) * s.slope) >> 14;
    }
    for (int i = 0; i < points; i++)
        to[i] = placement_kernel_clamp(to[i], -PLACEMENT_PROGRAM_LIMIT, PLACEMENT_PROGRAM_LIMIT);
}

KERNEL_TARGET static void placement_kernel_noise(const PlacementNoise *noise, const int32_t *x,
                                                 const int32_t *y, int32_t *to, int points) {
    uint32_t sum[PLACEMENT_POINTS];
    memset(sum, 0, (size_t)points * sizeof sum[0]);
    for (int32_t octave = 0; octave < noise->octaves; octave++) {
        uint32_t seed = noise->seed + (uint32_t)octave;
        for (int i = 0; i < points; i++) {
            int32_t cx = (int32_t)((uint32_t)x[i] << octave), cy = (int32_t)((uint32_t)y[i] << octave);
            int32_t ix = cx >> 12, iy = cy >> 12;
            uint32_t tx = (uint32_t)cx & 4095, ty = (uint32_t)cy & 4095;
            uint32_t sx = (tx * tx >> 12) * (12288 - 2 * tx) >> 12,
                     sy = (ty * ty >> 12) * (12288 - 2 * ty) >> 12;
            // The products of the next column and row are one addition away.
            uint32_t hx = (uint32_t)ix * PLACEMENT_PROGRAM_HASH_X,
                     hy = (uint32_t)iy * PLACEMENT_PROGRAM_HASH_Y ^ seed;
            uint32_t hx1 = hx + PLACEMENT_PROGRAM_HASH_X,
                     hy1 = ((uint32_t)iy * PLACEMENT_PROGRAM_HASH_Y + PLACEMENT_PROGRAM_HASH_Y) ^ seed;
            uint32_t a = placement_program_mix(hx ^ hy) >> 16, b = placement_program_mix(hx1 ^ hy) >> 16;
            uint32_t c = placement_program_mix(hx ^ hy1) >> 16, d = placement_program_mix(hx1 ^ hy1) >> 16;
            uint32_t low = (a * (4096 - sx) + b * sx) >> 12, high = (c * (4096 - sx) + d * sx) >> 12;
            sum[i] += ((low * (4096 - sy) + high * sy) >> 12) >> (octave + 1);
        }
    }
    for (int i = 0; i < points; i++) to[i] = (int32_t)(sum[i] * (uint32_t)noise->scale >> 16);
}

static void placement_kernel_near(const PlacementRun *run, const PlacementNear *near, int column, int row,
                                  int32_t *to) {
    int points = run->footprint->points;
    const int32_t *x = run->x.units + (size_t)column * (size_t)points,
                  *y = run->y.units + (size_t)row * (size_t)points;
    for (int i = 0; i < points; i++)
        to[i] = placement_near_value(near, placement_nearest(&run->claims, x[i], y[i], near));
}

KERNEL_TARGET static void placement_kernel_operate(const PlacementRun *run, const PlacementOp *op, int column,
                                                   int row, int32_t (*registers)[PLACEMENT_POINTS]) {
    const PlacementProgram *program = &run->footprint->program;
    int points = run->footprint->points;
    const int32_t *restrict a = registers[op->a], *restrict b = registers[op->b];
    int32_t *restrict to = registers[op->to], imm = op->imm; // never the register of an operand
    switch ((PlacementOpCode)op->code) {
    case PLACEMENT_OP_CONSTANT:
        for (int i = 0; i < points; i++) to[i] = imm;
        break;
    case PLACEMENT_OP_MIN:
        for (int i = 0; i < points; i++) to[i] = a[i] < b[i] ? a[i] : b[i];
        break;
    case PLACEMENT_OP_MAX:
        for (int i = 0; i < points; i++) to[i] = a[i] > b[i] ? a[i] : b[i];
        break;
    case PLACEMENT_OP_ADD:
        for (int i = 0; i < points; i++)
            to[i] = placement_kernel_clamp(a[i] + b[i], -PLACEMENT_PROGRAM_LIMIT, PLACEMENT_PROGRAM_LIMIT);
        break;
    case PLACEMENT_OP_SUBTRACT:
        for (int i = 0; i < points; i++)
            to[i] = placement_kernel_clamp(a[i] - b[i], -PLACEMENT_PROGRAM_LIMIT, PLACEMENT_PROGRAM_LIMIT);
        break;
    case PLACEMENT_OP_MULTIPLY:
        for (int i = 0; i < points; i++)
            to[i] = (placement_kernel_clamp(a[i], -PLACEMENT_PROGRAM_ONE, PLACEMENT_PROGRAM_ONE) *
                     placement_kernel_clamp(b[i], -PLACEMENT_PROGRAM_ONE, PLACEMENT_PROGRAM_ONE)) >>
                    15;
        break;
    case PLACEMENT_OP_STEP:
        for (int i = 0; i < points; i++) to[i] = a[i] >= imm ? PLACEMENT_PROGRAM_ONE : 0;
        break;
    case PLACEMENT_OP_CLAMP:
        for (int i = 0; i < points; i++) to[i] = placement_kernel_clamp(a[i], 0, PLACEMENT_PROGRAM_ONE);
        break;
    case PLACEMENT_OP_CURVE: placement_kernel_curve(program, &program->curves[imm], a, to, points); break;
    case PLACEMENT_OP_NOISE:
        placement_kernel_noise(&program->noises[imm], run->x.noise[imm] + (size_t)column * (size_t)points,
                               run->y.noise[imm] + (size_t)row * (size_t)points, to, points);
        break;
    case PLACEMENT_OP_NEAR: placement_kernel_near(run, &program->nears[imm], column, row, to); break;
    case PLACEMENT_OP_SAMPLE:
    case PLACEMENT_OP_LAYER:
    case PLACEMENT_OP_MAP_LAYER: break;
    }
}
