// The quadtree of terrain: bounds, and squares that cover the ground without cracks.

#include "gfx3d/ground/ground.h"
#include "support/test.h"

#include <filo/random.h>

#include <stdlib.h>
#include <string.h>

static FiloRandom dice;

static float any(float low, float high) { return filo_random_float_range(&dice, low, high); }
static uint32_t count_between(int32_t low, int32_t high) {
    return (uint32_t)filo_random_range(&dice, low, high);
}

// Rough values: every cell differs from its neighbours.
static Gfx3dGroundTree make_tree(uint32_t columns, uint32_t rows, float spacing) {
    uint16_t *heights = malloc((size_t)columns * rows * sizeof *heights);
    assert_non_null(heights);
    for (size_t i = 0; i < (size_t)columns * rows; i++)
        heights[i] = (uint16_t)filo_random_range(&dice, 0, 65535);
    Gfx3dGroundTree tree = { .heights = heights,
                             .columns = columns,
                             .rows = rows,
                             .position = { 13.5f, -20, 7.25f },
                             .spacing = spacing,
                             .step_z = filo_random_chance(&dice, 0.5f) ? -spacing : spacing,
                             .unit = 60.0f / 65535 };
    assert_true(gfx3d_ground_tree_init(&tree, NULL, NULL));
    return tree;
}

static void free_tree(Gfx3dGroundTree *tree) {
    free((void *)tree->heights);
    gfx3d_ground_tree_deinit(tree, NULL);
}

// A view whose planes exclude nothing.
static Gfx3dView see_everything(const Gfx3dGroundTree *tree) {
    float width = (float)tree->columns * tree->spacing, depth = (float)tree->rows * tree->step_z;
    Gfx3dView view = { .eye = tree->position };
    view.eye.x += any(-0.2f, 1.2f) * width;
    view.eye.y += any(0, 90);
    view.eye.z += any(-0.2f, 1.2f) * depth;
    view.pixels_per_unit = any(50, 1000);
    for (int i = 0; i < 6; i++) view.planes[i] = (FiloVec4){ 0, 0, 0, 1 };
    return view;
}

static GroundSquares select_squares(const Gfx3dGroundTree *tree, const Gfx3dGroundRanges *ranges,
                                    const Gfx3dView *view) {
    GroundSquares squares;
    filo_array_init(&squares, NULL);
    assert_true(gfx3d_ground_select(tree, ranges, view, &squares));
    assert_true(squares.count > 0);
    return squares;
}

// ---- Bounds -----------------------------------------------------------------------------------------------------

static void check_bounds(const Gfx3dGroundTree *tree) {
    for (uint32_t level = 0; level < tree->level_count; level++)
        for (uint32_t row = 0; row < tree->levels[level].rows; row++)
            for (uint32_t column = 0; column < tree->levels[level].columns; column++) {
                uint32_t side = (uint32_t)GFX3D_GROUND_QUADS << level;
                uint16_t low = UINT16_MAX, high = 0;
                for (uint32_t y = row * side; y <= (row + 1) * side && y < tree->rows; y++)
                    for (uint32_t x = column * side; x <= (column + 1) * side && x < tree->columns; x++) {
                        low = FILO_MIN(low, tree->heights[(size_t)y * tree->columns + x]);
                        high = FILO_MAX(high, tree->heights[(size_t)y * tree->columns + x]);
                    }
                Gfx3dGroundBounds bounds =
                    tree->levels[level].bounds[row * tree->levels[level].columns + column];
                assert_int_equal(bounds.low, low);
                assert_int_equal(bounds.high, high);
            }
}

FILO_TEST(bounds_are_the_lowest_and_highest_value_of_each_square) {
    dice = filo_random_sequence(1);
    for (int i = 0; i < 8; i++) {
        uint32_t columns = count_between(2, 150), rows = count_between(2, 150);
        Gfx3dGroundTree tree = make_tree(columns, rows, 1);
        assert_int_equal(tree.levels[tree.level_count - 1].columns, 1);
        assert_int_equal(tree.levels[tree.level_count - 1].rows, 1);
        check_bounds(&tree);
        free_tree(&tree);
    }
}

FILO_TEST(bounds_follow_a_rectangle_that_was_written) {
    dice = filo_random_sequence(2);
    Gfx3dGroundTree tree = make_tree(140, 90, 1);
    uint16_t *heights = (uint16_t *)tree.heights;
    for (int i = 0; i < 30; i++) {
        uint32_t column = (uint32_t)filo_random_range(&dice, 0, 139),
                 row = (uint32_t)filo_random_range(&dice, 0, 89);
        uint32_t columns = (uint32_t)filo_random_range(&dice, 1, (int)FILO_MIN(140 - column, 40u));
        uint32_t rows = (uint32_t)filo_random_range(&dice, 1, (int)FILO_MIN(90 - row, 40u));
        uint16_t value = (uint16_t)(i % 2 == 0 ? 0 : 65535);
        for (uint32_t y = row; y < row + rows; y++)
            for (uint32_t x = column; x < column + columns; x++) heights[(size_t)y * 140 + x] = value;
        gfx3d_ground_tree_update(&tree, NULL, column, row, columns, rows);
        check_bounds(&tree);
    }
    free_tree(&tree);
}

FILO_TEST(bounds_are_the_same_on_any_number_of_threads) {
    dice = filo_random_sequence(3);
    Gfx3dGroundTree tree = make_tree(700, 500, 1);
    Gfx3dGroundBounds *expected = malloc(tree.bounds_count * sizeof *expected);
    assert_non_null(expected);
    memcpy(expected, tree.levels[0].bounds, tree.bounds_count * sizeof *expected);
    for (int threads = 1; threads <= 16; threads *= 4) {
        FiloJobs *jobs;
        assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads }));
        memset(tree.levels[0].bounds, 0xAB, tree.bounds_count * sizeof *expected);
        gfx3d_ground_tree_update(&tree, jobs, 0, 0, 700, 500);
        assert_memory_equal(expected, tree.levels[0].bounds, tree.bounds_count * sizeof *expected);
        filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    }
    free(expected);
    free_tree(&tree);
}

// ---- Squares ----------------------------------------------------------------------------------------------------

FILO_TEST(squares_cover_every_cell_once) {
    dice = filo_random_sequence(4);
    for (int i = 0; i < 20; i++) {
        uint32_t columns = count_between(2, 400), rows = count_between(2, 400);
        Gfx3dGroundTree tree = make_tree(columns, rows, 2);
        Gfx3dView view = see_everything(&tree);
        Gfx3dGroundRanges ranges = gfx3d_ground_ranges(&tree, &view, 8);
        GroundSquares squares = select_squares(&tree, &ranges, &view);
        uint32_t width = tree.columns - 1, height = tree.rows - 1;
        uint8_t *covered = calloc(width, height);
        assert_non_null(covered);
        filo_array_each (&squares, square) {
            uint32_t side = (uint32_t)GFX3D_GROUND_QUADS << square->level;
            for (uint32_t y = square->row * side; y < (square->row + 1u) * side && y < height; y++)
                for (uint32_t x = square->column * side; x < (square->column + 1u) * side && x < width; x++)
                    covered[y * width + x]++;
        }
        for (size_t j = 0; j < (size_t)width * height; j++) assert_int_equal(covered[j], 1);
        free(covered);
        filo_array_deinit(&squares);
        free_tree(&tree);
    }
}

// An edge of a triangle, with the corner first whose bytes are less. `turn` is 1 or −1.
typedef struct Edge {
    FiloVec3 a, b;
    int turn;
} Edge;
typedef FiloArray(Edge) Edges;

static int compare_edges(const void *a, const void *b) { return memcmp(a, b, 2 * sizeof(FiloVec3)); }

static void add_edge(Edges *edges, FiloVec3 a, FiloVec3 b) {
    bool swap = memcmp(&a, &b, sizeof a) > 0;
    Edge edge = { swap ? b : a, swap ? a : b, swap ? -1 : 1 };
    assert_true(filo_array_push(edges, edge));
}

static void add_triangle(Edges *edges, FiloVec3 a, FiloVec3 b, FiloVec3 c) {
    if (filo_vec3_equal(a, b) || filo_vec3_equal(b, c) || filo_vec3_equal(c, a)) return;
    add_edge(edges, a, b);
    add_edge(edges, b, c);
    add_edge(edges, c, a);
}

static bool is_near(float a, float b) { return filo_abs(a - b) < 0.01f; }

// A vertex that moves along the border is there but for rounding.
static bool on_border(const Gfx3dGroundTree *tree, FiloVec3 a, FiloVec3 b) {
    FiloVec3 last = gfx3d_ground_point(tree, tree->columns - 1, tree->rows - 1);
    return (is_near(a.x, b.x) && (is_near(a.x, tree->position.x) || is_near(a.x, last.x))) ||
           (is_near(a.z, b.z) && (is_near(a.z, tree->position.z) || is_near(a.z, last.z)));
}

// Every edge inside of the ground belongs to two triangles, once in each direction, and has the same bits in both.
static void check_closed(const Gfx3dGroundTree *tree, const Gfx3dGroundRanges *ranges,
                         const GroundSquares *squares) {
    Edges edges;
    filo_array_init(&edges, NULL);
    for (size_t i = 0; i < squares->count; i++)
        for (uint32_t z = 0; z < GFX3D_GROUND_QUADS; z++)
            for (uint32_t x = 0; x < GFX3D_GROUND_QUADS; x++) {
                const Gfx3dGroundSquare *square = &squares->items[i];
                FiloVec3 p00 = gfx3d_ground_vertex(tree, ranges->eye, square, x, z),
                         p10 = gfx3d_ground_vertex(tree, ranges->eye, square, x + 1, z),
                         p01 = gfx3d_ground_vertex(tree, ranges->eye, square, x, z + 1),
                         p11 = gfx3d_ground_vertex(tree, ranges->eye, square, x + 1, z + 1);
                add_triangle(&edges, p00, p01, p11);
                add_triangle(&edges, p00, p11, p10);
            }
    qsort(edges.items, edges.count, sizeof(Edge), compare_edges);
    for (size_t i = 0; i < edges.count;) {
        size_t end = i;
        int sum = 0;
        for (; end < edges.count && compare_edges(&edges.items[i], &edges.items[end]) == 0; end++)
            sum += edges.items[end].turn;
        if (!on_border(tree, edges.items[i].a, edges.items[i].b)) assert_int_equal(sum, 0);
        i = end;
    }
    filo_array_deinit(&edges);
}

FILO_TEST(squares_of_all_levels_meet_without_cracks) {
    dice = filo_random_sequence(5);
    uint32_t levels = 0, blends = 0;
    for (int i = 0; i < 24; i++) {
        uint32_t columns = count_between(200, 500), rows = count_between(200, 500);
        Gfx3dGroundTree tree = make_tree(columns, rows, any(0.5f, 4));
        Gfx3dView view = see_everything(&tree);
        Gfx3dGroundRanges ranges = gfx3d_ground_ranges(&tree, &view, any(2, 40));
        GroundSquares squares = select_squares(&tree, &ranges, &view);
        check_closed(&tree, &ranges, &squares);
        filo_array_each (&squares, square) {
            levels |= 1u << square->level;
            FiloVec3 point = gfx3d_ground_vertex(&tree, ranges.eye, square, 1, 1);
            FiloVec3 corner = gfx3d_ground_vertex(&tree, ranges.eye, square, 0, 0);
            float side = tree.spacing * (float)(1u << square->level);
            blends += point.x > corner.x + 0.1f * side && point.x < corner.x + 0.9f * side;
        }
        filo_array_deinit(&squares);
        free_tree(&tree);
    }
    assert_true((levels & 7) == 7); // otherwise nothing was shown
    assert_true(blends > 20);
}

FILO_TEST(a_level_blends_only_where_its_neighbours_cannot_be_finer) {
    dice = filo_random_sequence(6);
    Gfx3dGroundTree tree = make_tree(2000, 1500, 2);
    for (int i = 0; i < 100; i++) {
        Gfx3dView view = see_everything(&tree);
        Gfx3dGroundRanges ranges = gfx3d_ground_ranges(&tree, &view, any(1, 50));
        for (uint32_t level = 1; level + 1 < ranges.level_count; level++) {
            float diagonal = 1.4143f * GFX3D_GROUND_QUADS * 2 * (float)(1u << level);
            assert_true(ranges.begin[level] >= ranges.end[level - 1] + diagonal);
            assert_true(ranges.end[level] > ranges.begin[level]);
        }
    }
    free_tree(&tree);
}

FILO_TEST(what_a_camera_sees_is_among_its_squares) {
    dice = filo_random_sequence(7);
    Gfx3dGroundTree tree = make_tree(300, 300, 2);
    size_t all = 0, chosen = 0;
    for (int i = 0; i < 20; i++) {
        Gfx3dView view = see_everything(&tree);
        view.pixels_per_unit = 500;
        Gfx3dGroundRanges ranges = gfx3d_ground_ranges(&tree, &view, 8);
        GroundSquares everything = select_squares(&tree, &ranges, &view);
        uint32_t column = count_between(0, 299), row = count_between(0, 299);
        FiloVec3 target = gfx3d_ground_point(&tree, column, row);
        view.view = filo_mat4_look_at(view.eye, target, filo_vec3(0, 1, 0));
        view.projection = filo_mat4_perspective(1, 1.5f, 0.5f, 400);
        gfx3d_view_update(&view);
        GroundSquares squares = select_squares(&tree, &ranges, &view);
        all += everything.count, chosen += squares.count;
        filo_array_each (&everything, square) {
            bool visible = false, listed = false;
            for (uint32_t j = 0; j < 17 * 17 && !visible; j++) {
                FiloVec3 point = gfx3d_ground_vertex(&tree, ranges.eye, square, j % 17, j / 17);
                visible = !gfx3d_view_misses(&view, point, 0);
            }
            filo_array_each (&squares, other) listed |= memcmp(square, other, sizeof *square) == 0;
            assert_true(listed || !visible);
        }
        filo_array_deinit(&everything);
        filo_array_deinit(&squares);
    }
    assert_true(chosen < all * 3 / 4); // it leaves out most of the rest
    free_tree(&tree);
}

FILO_TEST(an_orthographic_camera_gets_one_level) {
    dice = filo_random_sequence(8);
    Gfx3dGroundTree tree = make_tree(500, 400, 1);
    const struct {
        float pixels;
        uint16_t level;
    } cases[] = { { 16, 0 }, { 8, 0 }, { 4, 1 }, { 2, 2 }, { 0.001f, 5 } };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        Gfx3dView view = see_everything(&tree);
        view.orthographic = true;
        view.pixels_per_unit = cases[i].pixels;
        Gfx3dGroundRanges ranges = gfx3d_ground_ranges(&tree, &view, 8);
        GroundSquares squares = select_squares(&tree, &ranges, &view);
        filo_array_each (&squares, square) {
            assert_int_equal(square->level, cases[i].level);
            assert_true(square->inverse == 0);
        }
        filo_array_deinit(&squares);
    }
    free_tree(&tree);
}

// ---- Normals ----------------------------------------------------------------------------------------------------

// Of a half float that is not denormal.
static float number(uint16_t half) {
    float size = filo_float_from_bits((half & 0x7FFFu) << 13) * 5.19229686e33f; // 2^112
    return (half & 0x8000u) != 0 ? -size : size;
}

FILO_TEST(the_texture_of_normals_has_those_of_a_plane) {
    uint16_t heights[64 * 64];
    for (int i = 0; i < 64 * 64; i++) heights[i] = (uint16_t)(100 * (i % 64) + 50 * (i / 64));
    for (int falls = 0; falls < 2; falls++) {
        Gfx3dGroundTree tree = { .heights = heights,
                                 .columns = 64,
                                 .rows = 64,
                                 .spacing = 2,
                                 .step_z = falls ? -2.0f : 2.0f,
                                 .unit = 0.01f };
        uint16_t texels[32 * 32 * 4];
        gfx3d_ground_shape(&tree, NULL, 16, 16, 32, 32, texels);
        // It rises by 1 for 2 units of x, and by 0.5 for 2 units along the rows.
        FiloVec3 normal = filo_vec3_normalise(filo_vec3(-0.5f, 1, falls ? 0.25f : -0.25f));
        for (int i = 0; i < 32 * 32; i++) {
            assert_float_equal(number(texels[4 * i]), normal.x, 0.0003f);
            assert_float_equal(number(texels[4 * i + 1]), normal.z, 0.0003f);
            assert_true(number(texels[4 * i + 2]) > 0.7f); // half of the sky is a little hidden
        }
    }
}

FILO_TEST(a_pit_sees_less_of_the_sky_than_a_peak) {
    uint16_t heights[64 * 64];
    for (int i = 0; i < 64 * 64; i++) {
        int x = i % 64 - 32, y = i / 64 - 32;
        heights[i] =
            (uint16_t)(x < 0 ? 2000 * FILO_MIN(x * x + y * y, 30) : 60000 - 50 * (x * x + y * y) / 4);
    }
    Gfx3dGroundTree tree = {
        .heights = heights, .columns = 64, .rows = 64, .spacing = 1, .step_z = 1, .unit = 1e-3f
    };
    uint16_t pit[4], peak[4];
    gfx3d_ground_shape(&tree, NULL, 31, 32, 1, 1, pit);
    gfx3d_ground_shape(&tree, NULL, 33, 32, 1, 1, peak);
    assert_true(number(pit[2]) < 0.4f);
    assert_true(number(peak[2]) > 0.98f);
}
