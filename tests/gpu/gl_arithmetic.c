// Arithmetic in compute shaders is that of C, to the bit: a simulation may run on either. Integers always; floats where
// GLSL demands correct rounding, that is for sums and products, and with `precise`, so that none are contracted.

#include "gpu/scene.h"

#include "support/failing_allocator.h"

#define COUNT 100000
#define GROUP 64

// Runs a shader once for each of COUNT elements: words of `input` in slot 0, words of `output` in slot 1.
static void run(const char *text, const void *input, size_t input_size, void *output, size_t output_size) {
    filo_test_gl_context(4, 5);
    FiloGpu *gpu;
    assert_ok(filo_gpu_create(&gpu, &(FiloGpuDesc){ .kind = FILO_GPU_GL45 }));
    FiloPipeline pipeline;
    assert_ok(filo_gpu_pipeline_create(&pipeline, gpu,
                                       &(FiloPipelineDesc){ .label = "arithmetic", .compute = text }));
    FiloBuffer from, to;
    FiloBufferDesc desc = { .use = FILO_BUFFER_STORAGE, .size = input_size, .data = input };
    assert_ok(filo_gpu_buffer_create(&from, gpu, &desc));
    desc = (FiloBufferDesc){ .use = FILO_BUFFER_STORAGE, .size = output_size };
    assert_ok(filo_gpu_buffer_create(&to, gpu, &desc));
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .compute = true });
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_storage(gpu, 0, from, 0, input_size);
    filo_gpu_set_storage(gpu, 1, to, 0, output_size);
    filo_gpu_dispatch(gpu, (COUNT + GROUP - 1) / GROUP, 1, 1);
    filo_gpu_barrier(gpu, FILO_BARRIER_COPY);
    filo_gpu_end_pass(gpu);
    filo_gpu_buffer_read(gpu, to, 0, output, output_size);
    filo_gpu_destroy(gpu);
    filo_test_gl_context_end();
}

// ---- Integers -----------------------------------------------------------------------------------------

#define INTEGERS 20
#define INTEGER_SHADER                                                                                       \
    "layout(local_size_x = 64) in;\n"                                                                        \
    "layout(std430, binding = 0) readonly buffer Input { uvec2 pairs[]; };\n"                                \
    "layout(std430, binding = 1) writeonly buffer Output { uint found[]; };\n"                               \
    "void main() {\n"                                                                                        \
    "    uint i = gl_GlobalInvocationID.x;\n"                                                                \
    "    if (i >= uint(pairs.length())) return;\n"                                                           \
    "    uint a = pairs[i].x, b = pairs[i].y, s = b & 31u, at = i * 20u, high, low, carry;\n"                \
    "    int ia = int(a), ib = int(b), ihigh, ilow;\n"                                                       \
    "    umulExtended(a, b, high, low);\n"                                                                   \
    "    imulExtended(ia, ib, ihigh, ilow);\n"                                                               \
    "    found[at + 0u] = a + b;\n"                                                                          \
    "    found[at + 1u] = a - b;\n"                                                                          \
    "    found[at + 2u] = a * b;\n"                                                                          \
    "    found[at + 3u] = high;\n"                                                                           \
    "    found[at + 4u] = low;\n"                                                                            \
    "    found[at + 5u] = uint(ihigh);\n"                                                                    \
    "    found[at + 6u] = uint(ilow);\n"                                                                     \
    "    found[at + 7u] = uint(ia * ib);\n"                                                                  \
    "    found[at + 8u] = uint(ia >> s);\n"                                                                  \
    "    found[at + 9u] = a >> s;\n"                                                                         \
    "    found[at + 10u] = a << s;\n"                                                                        \
    "    found[at + 11u] = a / max(b >> 8, 1u);\n"                                                           \
    "    found[at + 12u] = a % max(b >> 8, 1u);\n"                                                           \
    "    found[at + 13u] = uint((ia >> 1) / max(ib >> 16, 1));\n"                                            \
    "    found[at + 14u] = uint(min(ia, ib));\n"                                                             \
    "    found[at + 15u] = max(a, b);\n"                                                                     \
    "    found[at + 16u] = uint(bitCount(a)) | uint(findMSB(b) + 1) << 8;\n"                                 \
    "    found[at + 17u] = uaddCarry(a, b, carry) ^ carry;\n"                                                \
    "    found[at + 18u] = floatBitsToUint(float(a >> 8)) ^ floatBitsToUint(float(ib >> 8));\n"              \
    "    found[at + 19u] = uint(float(a >> 8) * 0.5);\n"                                                     \
    "}\n"

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// Shifts with copies of the sign, as the shader's; C leaves it to the compiler.
static int32_t shift(int32_t value, uint32_t by) {
    return value >= 0 ? value >> by : (int32_t) ~(~(uint32_t)value >> by);
}

static void expected_integers(uint32_t a, uint32_t b, uint32_t *out) {
    int32_t ia = (int32_t)a, ib = (int32_t)b;
    uint32_t s = b & 31, divisor = FILO_MAX(b >> 8, 1u), msb = 0;
    uint64_t product = (uint64_t)a * b, signed_product = (uint64_t)((int64_t)ia * ib);
    for (uint32_t left = b; left != 0; left >>= 1) msb++;
    uint32_t values[INTEGERS] = {
        a + b,
        a - b,
        a * b,
        (uint32_t)(product >> 32),
        (uint32_t)product,
        (uint32_t)(signed_product >> 32),
        (uint32_t)signed_product,
        (uint32_t)signed_product,
        (uint32_t)shift(ia, s),
        a >> s,
        a << s,
        a / divisor,
        a % divisor,
        (uint32_t)(shift(ia, 1) / FILO_MAX(shift(ib, 16), 1)),
        (uint32_t)FILO_MIN(ia, ib),
        FILO_MAX(a, b),
        (uint32_t)__builtin_popcount(a) | msb << 8,
        (a + b) ^ (uint32_t)(a + b < a),
        bits_of((float)(a >> 8)) ^ bits_of((float)shift(ib, 8)),
        (uint32_t)((float)(a >> 8) * 0.5f),
    };
    memcpy(out, values, sizeof values);
}

FILO_TEST(integers_in_shaders_are_those_of_c) {
    static uint32_t pairs[COUNT][2], found[COUNT][INTEGERS];
    static const uint32_t edges[] = { 0, 1, 2, 31, 32, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF };
    uint64_t random = 7;
    for (size_t i = 0; i < COUNT; i++) {
        for (int k = 0; k < 2; k++) {
            pairs[i][k] = test_random(&random) << 16;
            pairs[i][k] ^= test_random(&random);
        }
        // All pairs of edges.
        if (i >= FILO_COUNT_OF(edges) * FILO_COUNT_OF(edges)) continue;
        pairs[i][0] = edges[i / FILO_COUNT_OF(edges)];
        pairs[i][1] = edges[i % FILO_COUNT_OF(edges)];
    }
    run(INTEGER_SHADER, pairs, sizeof pairs, found, sizeof found);
    for (size_t i = 0; i < COUNT; i++) {
        uint32_t expected[INTEGERS];
        expected_integers(pairs[i][0], pairs[i][1], expected);
        for (int k = 0; k < INTEGERS; k++)
            if (found[i][k] != expected[k])
                fail_msg("result %d of 0x%x and 0x%x is 0x%x, not 0x%x", k, pairs[i][0], pairs[i][1],
                         found[i][k], expected[k]);
    }
}

// ---- Floats -------------------------------------------------------------------------------------------

#define FLOATS 6
#define FLOAT_SHADER                                                                                         \
    "layout(local_size_x = 64) in;\n"                                                                        \
    "layout(std430, binding = 0) readonly buffer Input { vec4 items[]; };\n"                                 \
    "layout(std430, binding = 1) writeonly buffer Output { float found[]; };\n"                              \
    "void main() {\n"                                                                                        \
    "    uint i = gl_GlobalInvocationID.x, at = i * 6u;\n"                                                   \
    "    if (i >= uint(items.length())) return;\n"                                                           \
    "    float a = items[i].x, b = items[i].y, c = items[i].z, d = items[i].w;\n"                            \
    "    precise float product = a * b;\n"                                                                   \
    "    precise float sum = a + b;\n"                                                                       \
    "    precise float difference = a - b;\n"                                                                \
    "    precise float both = a * b + c;\n"                                                                  \
    "    precise float blend = a + (b - a) * d;\n"                                                           \
    "    precise float bilinear = (a * d + b * c) - (c * d - a * b);\n"                                      \
    "    found[at + 0u] = product;\n"                                                                        \
    "    found[at + 1u] = sum;\n"                                                                            \
    "    found[at + 2u] = difference;\n"                                                                     \
    "    found[at + 3u] = both;\n"                                                                           \
    "    found[at + 4u] = blend;\n"                                                                          \
    "    found[at + 5u] = bilinear;\n"                                                                       \
    "}\n"

// With a random sign and mantissa, and an exponent from -20 to 20, so that no result is denormal or infinite.
static float random_float(uint64_t *random) {
    uint32_t mantissa = test_random(random) & 0x7FFFFF, exponent = 107 + test_random(random) % 41;
    uint32_t bits = mantissa | exponent << 23 | (test_random(random) & 1) << 31;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

FILO_TEST(precise_sums_and_products_in_shaders_are_those_of_c) {
    static float items[COUNT][4], found[COUNT][FLOATS];
    uint64_t random = 11;
    int telling = 0; // items for which a contracted a * b + c would differ
    for (size_t i = 0; i < COUNT; i++) {
        for (int k = 0; k < 4; k++) items[i][k] = random_float(&random);
        // Every other sum nearly cancels, so that the bits that rounding removed from the product would show.
        if (i % 2 == 0) items[i][2] = -(items[i][0] * items[i][1]) * (1 + (float)(i % 64) / 1024);
        float product = items[i][0] * items[i][1];
        double exact = (double)items[i][0] * (double)items[i][1] + (double)items[i][2];
        telling += (float)exact != product + items[i][2];
    }
    assert_true(telling > COUNT / 4);
    run(FLOAT_SHADER, items, sizeof items, found, sizeof found);
    for (size_t i = 0; i < COUNT; i++) {
        float a = items[i][0], b = items[i][1], c = items[i][2], d = items[i][3];
        float expected[FLOATS] = { a * b,     a + b,           a - b,
                                   a * b + c, a + (b - a) * d, (a * d + b * c) - (c * d - a * b) };
        for (int k = 0; k < FLOATS; k++)
            if (bits_of(found[i][k]) != bits_of(expected[k]))
                fail_msg("result %d of %a %a %a %a is %a, not %a", k, (double)a, (double)b, (double)c,
                         (double)d, (double)found[i][k], (double)expected[k]);
    }
}
