// Distance fields: where their edges are, how sharp they are, and that every way to draw them gives the same picture.

#include "raster/pictures.h"

enum { FIELD = 48, RADIUS = 14 };

// The field of a disc in the middle of an image.
static FiloPixels disc_field(void) {
    FiloPixels field = picture(FIELD, FIELD, FILO_COLOR_TRANSPARENT);
    for (int y = 0; y < FIELD; y++) {
        for (int x = 0; x < FIELD; x++) {
            double distance = RADIUS - hypot(x + 0.5 - FIELD / 2.0, y + 0.5 - FIELD / 2.0);
            double value = 128 + 16 * distance;
            uint8_t a = (uint8_t)(FILO_CLAMP(value, 0, 255) + 0.5);
            *filo_pixels_at(&field, x, y) = filo_color(a, a, a, a);
        }
    }
    return field;
}

static FiloQuad field_quad(float x, float y, float scale, float angle) {
    FiloQuad q = image_quad(0, 0, FIELD, FIELD, 0, 0, FIELD, FIELD);
    float half = FIELD * 0.5f * scale;
    q.x = x, q.y = y;
    q.ax = filo_cos(angle) * half, q.ay = filo_sin(angle) * half;
    q.bx = filo_sin(angle) * half, q.by = -filo_cos(angle) * half;
    q.kind = FILO_QUAD_DISTANCE;
    return q;
}

// The sum of all coverages, in pixels.
static double area_of(const FiloPixels *target) {
    double sum = 0;
    for (int i = 0; i < target->width * target->height; i++) sum += target->data[i].a / 255.0;
    return sum;
}

static FiloPixels drawn(const FiloQuad *quads, size_t count, int size, bool no_simd) {
    FiloPixels field = disc_field(), target = picture(size, size, FILO_COLOR_TRANSPARENT);
    FiloRaster *raster = make_raster(NULL, no_simd);
    draw_quads(raster, target, &field, 1, quads, count);
    filo_raster_destroy(raster);
    filo_pixels_free(&field, NULL);
    return target;
}

static double area_of_quad(FiloQuad quad, int size) {
    FiloPixels target = drawn(&quad, 1, size, false);
    double area = area_of(&target);
    filo_pixels_free(&target, NULL);
    return area;
}

static void assert_near(double value, double wanted, double part) {
    if (fabs(value - wanted) > wanted * part) fail_msg("%g is not near %g", value, wanted);
}

FILO_TEST(a_field_covers_the_area_of_its_shape_at_any_scale_and_angle) {
    const float scales[] = { 0.25f, 0.5f, 1, 2.5f, 8 };
    for (size_t i = 0; i < FILO_COUNT_OF(scales); i++) {
        for (float angle = 0; angle < 3; angle += 0.7f) {
            FiloQuad quad = field_quad(200.3f, 199.6f, scales[i], angle);
            double radius = RADIUS * (double)scales[i];
            assert_near(area_of_quad(quad, 400), 3.14159265 * radius * radius, 0.02);
        }
    }
}

// Along a line from the centre outwards, coverage falls from 1 to 0 within two pixels, at any scale.
FILO_TEST(edges_are_sharp_over_one_pixel) {
    for (float scale = 0.5f; scale <= 8; scale *= 2) {
        FiloQuad quad = field_quad(200.5f, 200.5f, scale, 0);
        FiloPixels target = drawn(&quad, 1, 400, false);
        int partial = 0;
        for (int x = 200; x < 400; x++) {
            uint8_t a = filo_pixels_at(&target, x, 200)->a;
            double distance = RADIUS * (double)scale - (x - 200);
            partial += a > 0 && a < 255;
            if (fabs(distance) > 0.7) assert_int_equal(a, distance > 0 ? 255 : 0);
        }
        assert_in_range(partial, 0, 2);
        filo_pixels_free(&target, NULL);
    }
}

FILO_TEST(a_reach_moves_the_edge_outwards) {
    for (float reach = 1; reach < 7; reach += 2) {
        FiloQuad quad = field_quad(100, 100, 2, 0.4f);
        quad.flags = filo_quad_reach(reach);
        double radius = 2 * (RADIUS + (double)reach);
        assert_near(area_of_quad(quad, 200), 3.14159265 * radius * radius, 0.03);
    }
    assert_int_equal(filo_quad_reach(-1), 0);
    assert_int_equal(filo_quad_reach(FILO_QUAD_SPREAD), 63 << 2);
    assert_int_equal(filo_quad_reach(1000), 63 << 2);
    assert_int_equal(filo_quad_reach(NAN), 0);
}

FILO_TEST(a_soft_edge_falls_off_over_its_reach) {
    FiloQuad quad = field_quad(100.5f, 100.5f, 3, 0);
    quad.kind = FILO_QUAD_DISTANCE_SOFT;
    quad.flags = filo_quad_reach(6);
    FiloPixels target = drawn(&quad, 1, 201, false);
    uint8_t before = 255;
    for (int x = 100; x < 201; x++) {
        uint8_t a = filo_pixels_at(&target, x, 100)->a;
        assert_true(a <= before);
        double outside = x - 100 - 3 * RADIUS;
        if (outside <= -1) assert_int_equal(a, 255);
        if (fabs(outside - 9) < 0.5) assert_in_range(a, 118, 137); // in the middle
        if (outside > 18.5) assert_int_equal(a, 0);
        before = a;
    }
    filo_pixels_free(&target, NULL);
}

// Without a reach it is as wide as a pixel, and so not much larger than the shape.
FILO_TEST(a_soft_edge_without_a_reach_is_one_pixel_wide) {
    FiloQuad quad = field_quad(100, 100, 2, 0);
    quad.kind = FILO_QUAD_DISTANCE_SOFT;
    double radius = 2 * RADIUS + 0.5;
    assert_near(area_of_quad(quad, 200), 3.14159265 * radius * radius, 0.02);
}

FILO_TEST(nothing_is_drawn_where_a_field_is_zero) {
    FiloPixels empty = picture(16, 16, FILO_COLOR_TRANSPARENT), target = picture(64, 64, FILO_COLOR_BLUE);
    FiloRaster *raster = make_raster(NULL, false);
    for (uint8_t kind = FILO_QUAD_DISTANCE; kind <= FILO_QUAD_DISTANCE_SOFT; kind++) {
        FiloQuad quad = image_quad(8, 8, 48, 48, 0, 0, 16, 16);
        quad.kind = kind, quad.flags = 63 << 2;
        draw_quads(raster, target, &empty, 1, &quad, 1);
        quad.image = 1;
        draw_quads(raster, target, &empty, 1, &quad, 1); // no such image
    }
    for (int i = 0; i < 64 * 64; i++) assert_true(filo_color_equal(target.data[i], FILO_COLOR_BLUE));
    filo_raster_destroy(raster);
    filo_pixels_free(&empty, NULL);
    filo_pixels_free(&target, NULL);
}

// ---- The same picture -------------------------------------------------------------------------------------

enum { SIZE = 300, QUADS = 300 };

static void random_fields(FiloQuad *quads, uint64_t seed) {
    FiloRandom random = filo_random_keyed(seed, 4, 4, 4);
    for (int i = 0; i < QUADS; i++) {
        float scale = filo_pow(2, between(&random, -3, 3));
        float turn = i % 3 == 0 ? 0 : between(&random, -4, 4);
        float y = between(&random, 0, SIZE), x = between(&random, 0, SIZE);
        quads[i] = field_quad(x, y, scale, turn);
        uint32_t bits = filo_random_u32(&random);
        if (bits % 5 == 0) quads[i].ax *= 0.5f, quads[i].by *= 1.7f;            // stretched and skewed
        if (bits % 7 == 0) quads[i].u0 = 40, quads[i].u1 = 3, quads[i].v1 = 60; // mirrored, beyond the image
        quads[i].kind = bits >> 8 & 1 ? FILO_QUAD_DISTANCE : FILO_QUAD_DISTANCE_SOFT;
        quads[i].flags = (uint8_t)(bits >> 16 & 0xFC);
        if (bits >> 9 & 1) quads[i].flags &= 2;
        if (bits % 11 == 0) quads[i].flags |= FILO_QUAD_ADD;
        quads[i].color = random_color(&random);
        if (quads[i].color.a == 0) quads[i].color.r >>= 5, quads[i].color.g >>= 5, quads[i].color.b >>= 5;
    }
}

FILO_TEST(fields_look_the_same_with_and_without_vector_instructions) {
    FiloQuad quads[QUADS];
    for (uint64_t seed = 0; seed < 4; seed++) {
        random_fields(quads, seed);
        FiloPixels a = drawn(quads, QUADS, SIZE, false), b = drawn(quads, QUADS, SIZE, true);
        assert_same_picture(&a, &b, "without vector instructions");
        filo_pixels_free(&a, NULL);
        filo_pixels_free(&b, NULL);
    }
}

FILO_TEST(fields_look_the_same_on_any_number_of_threads) {
    FiloQuad quads[QUADS];
    random_fields(quads, 9);
    FiloPixels alone = drawn(quads, QUADS, SIZE, false), field = disc_field();
    for (int threads = 2; threads <= 8; threads *= 2) {
        FiloJobs *jobs;
        assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads }));
        FiloRaster *raster = make_raster(jobs, false);
        FiloPixels target = picture(SIZE, SIZE, FILO_COLOR_TRANSPARENT);
        draw_quads(raster, target, &field, 1, quads, QUADS);
        assert_same_picture(&target, &alone, "on several threads");
        filo_pixels_free(&target, NULL);
        filo_raster_destroy(raster);
        filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    }
    filo_pixels_free(&alone, NULL);
    filo_pixels_free(&field, NULL);
}

// The same with all compilers and processors.
FILO_TEST(pictures_of_fields_have_golden_hashes) {
    static const uint64_t golden[2] = { 0xa8b0e899c560abb9, 0x4c5514522c402bdb };
    FiloQuad quads[QUADS];
    for (uint64_t seed = 0; seed < 2; seed++) {
        random_fields(quads, 20 + seed);
        FiloPixels target = drawn(quads, QUADS, SIZE, false);
        uint64_t hash = hash_of(&target);
        if (hash != golden[seed])
            fail_msg("picture %d has hash 0x%016llx", (int)seed, (unsigned long long)hash);
        filo_pixels_free(&target, NULL);
    }
}

// ---- The rule -----------------------------------------------------------------------------------------------

static double value_at(const FiloPixels *field, double u, double v) {
    double x = u - 0.5, y = v - 0.5, sum = 0;
    for (int i = 0; i < 4; i++) {
        double cx = floor(x) + (i & 1), cy = floor(y) + (i >> 1);
        double weight = (1 - fabs(x - cx)) * (1 - fabs(y - cy));
        int column = FILO_CLAMP((int)cx, 0, FIELD - 1), row = FILO_CLAMP((int)cy, 0, FIELD - 1);
        sum += weight * filo_pixels_at(field, column, row)->a;
    }
    return sum;
}

static double coverage_at(const FiloQuad *q, const Parallelogram *p, const FiloPixels *field, int64_t x,
                          int64_t y) {
    double u = (double)cross(x - p->ox, y - p->oy, p->fx, p->fy) / (double)p->area * FIELD;
    double v = (double)cross(p->ex, p->ey, x - p->ox, y - p->oy) / (double)p->area * FIELD;
    double value = value_at(field, u, v), scale = sqrt(fabs((double)p->area) / 65536) / FIELD;
    double distance = (value - 128) / 16 * scale, reach = (q->flags >> 2) / 63.0 * 8 * scale;
    if (value <= 0) return 0;
    if (q->kind == FILO_QUAD_DISTANCE) return clamp01(0.5 + distance + reach);
    double t = clamp01(1 + distance / fmax(reach, 1));
    return t * t * (3 - 2 * t);
}

FILO_TEST(every_pixel_of_a_field_follows_the_rule) {
    FiloQuad quads[QUADS];
    FiloPixels field = disc_field();
    random_fields(quads, 31);
    for (int i = 0; i < 60; i++) {
        FiloQuad q = quads[i];
        q.u0 = q.v0 = 0, q.u1 = q.v1 = FIELD, q.color = FILO_COLOR_WHITE, q.flags &= 0xFC;
        FiloPixels target = drawn(&q, 1, SIZE, i % 2 == 0);
        Parallelogram p = parallelogram_of(&q, filo_affine2_identity());
        int64_t corners[4][2] = { { p.ox, p.oy },
                                  { p.ox + p.ex, p.oy + p.ey },
                                  { p.ox + p.ex + p.fx, p.oy + p.ey + p.fy },
                                  { p.ox + p.fx, p.oy + p.fy } };
        for (int at = 0; at < SIZE * SIZE; at++) {
            int64_t x = at % SIZE * 256 + 128, y = at / SIZE * 256 + 128;
            bool inside = inside_polygon((const int64_t(*)[2])corners, 4, p.area > 0, x, y);
            double wanted = inside ? coverage_at(&q, &p, &field, x, y) * 255 : 0;
            if (fabs(target.data[at].a - wanted) > 1.01)
                fail_msg("quad %d: (%d, %d) is %d and not %g", i, at % SIZE, at / SIZE, target.data[at].a,
                         wanted);
        }
        filo_pixels_free(&target, NULL);
    }
    filo_pixels_free(&field, NULL);
}
