// What ecotopes are compiled to: the lists of operations, and curves in fixed point.

#include "placement/ecotope/ecotope.h"
#include "placement/ecotopes.h"
#include "support/failing_allocator.h"

#include <filo/strings.h>

#include <math.h>

// The operations of the first footprint, one letter each.
static const char *codes(const FiloPlacement *p) {
    static const char letters[] = "KSmM+-*>cCNnL";
    static char text[512];
    const PlacementProgram *program = &p->footprints[0].program;
    assert_true(program->op_count < sizeof text);
    for (size_t i = 0; i < program->op_count; i++) text[i] = letters[program->ops[i].code];
    text[program->op_count] = '\0';
    return text;
}

static void assert_codes(const Forest *forest, const char *text, const char *expected) {
    FiloPlacement *p = create_from(forest, text);
    assert_string_equal(codes(p), expected);
    filo_placement_destroy(p);
}

static Forest *new_forest(void) {
    Forest *forest = malloc(sizeof *forest);
    assert_non_null(forest);
    forest_make(forest, 7);
    return forest;
}

FILO_TEST(constants_are_folded) {
    Forest *forest = new_forest();
    assert_codes(forest, ONE_LAYER("0.5"), "KL");
    assert_codes(forest, ONE_LAYER("{'multiply': [0.5, {'add': [0.25, {'invert': 0.5}]}]}"), "KL");
    assert_codes(forest, ONE_LAYER("{'curve': [[0, 0], [1, 1]], 'of': {'threshold': 0.2, 'of': 0.3}}"), "KL");
    assert_codes(forest, ONE_LAYER("{'multiply': ['a', 1]}"), "SL");
    assert_codes(forest, ONE_LAYER("{'add': ['a', 0, 0]}"), "SL");
    FiloPlacement *p = create_from(forest, ONE_LAYER("{'subtract': [1, 0.25, 0.25]}"));
    assert_int_equal(p->footprints[0].program.ops[0].imm, PLACEMENT_PROGRAM_ONE / 2);
    filo_placement_destroy(p);
    free(forest);
}

FILO_TEST(what_is_never_needed_is_left_out) {
    Forest *forest = new_forest();
    assert_codes(forest, ONE_LAYER("{'multiply': ['a', 0]}"), "");
    assert_codes(forest, ONE_LAYER("{'clamp': [0, 1], 'of': 'a'}"), "SL");
    assert_codes(forest, ONE_LAYER("{'min': ['a', 2]}"), "SL");
    assert_codes(forest, ONE_LAYER("{'max': ['a', -1]}"), "SL");
    assert_codes(forest, ONE_LAYER("{'subtract': ['a', 'a']}"), "");
    assert_codes(forest, ONE_LAYER("{'threshold': -10, 'of': 'road'}"), "KL");
    assert_codes(forest, ONE_LAYER("{'curve': [[-10, 0.5], [-1, 1]], 'of': 'road'}"), "KL");
    // A sum can be above 1, a product cannot.
    assert_codes(forest, ONE_LAYER("{'add': ['a', 'b']}"), "SS+cL");
    assert_codes(forest, ONE_LAYER("{'multiply': ['a', 'b']}"), "SS*L");
    free(forest);
}

FILO_TEST(equal_expressions_are_computed_once) {
    Forest *forest = new_forest();
    assert_codes(forest, ONE_LAYER("{'multiply': [{'min': ['a', 'b']}, {'invert': {'min': ['b', 'a']}}]}"),
                 "SSmK-*L");
    assert_codes(
        forest,
        ONE_LAYER("{'add': [{'multiply': [0.1, {'noise': 9, 'seed': 1}]}, {'multiply': [0.2, {'noise': 9, "
                  "'seed': 1}]}]}"),
        "KN*K*+L");
    const char *curve = "{'curve': [[20, 0], [30, 1]], 'of': 'road'}";
    char density[512], text[2048];
    snprintf(density, sizeof density, "{'multiply': [%s, {'curve': [[0.1, 0], [0.15, 1]], 'of': 'a'}, %s]}",
             curve, curve);
    snprintf(text, sizeof text, ONE_LAYER("%s"), density);
    // The two curves are the same in shares of their ranges, and so are the maps.
    assert_codes(forest, text, "SC**L");
    FiloPlacement *p = create_from(forest, text);
    assert_int_equal(p->footprints[0].program.curve_count, 1);
    assert_int_equal(p->footprints[0].program.segment_count, 1);
    filo_placement_destroy(p);
    free(forest);
}

FILO_TEST(ecotopes_multiply_and_replace) {
    Forest *forest = new_forest();
    const char *text =
        "{'maps': {'a': {}, 'b': {}}, 'footprints': {'f': {'metres': 2}}, 'ecotopes': [\n"
        " {'name': 'meadow', 'density': 'a', 'layers': [{'name': 'grass', 'density': 0.5}],\n"
        "  'ecotopes': [{'name': 'bush', 'layers': [{'name': 'bushes', 'density': 0.25}]},\n"
        "   {'name': 'wood', 'replace': true, 'density': 'b', 'layers': [{'name': 'pine'}]}]}]}";
    FiloPlacement *p = create_from(forest, text);
    // grass: a · (1 − b) · 0.5; bushes: a · (1 − b) · 0.25; pine: a · b.
    assert_string_equal(codes(p), "SKS-*K*LK*L*L");
    filo_placement_destroy(p);
    free(forest);
}

// ---- Registers ------------------------------------------------------------------------------------------------

// Runs over the operations, and checks that every operand is the value that was written last for it: a register that is
// used again too early would be found by the comparison with the graph in ecotope_place.c; here it is counted.
FILO_TEST(registers_are_used_again) {
    Forest *forest = new_forest();
    FiloBuilder text = { 0 };
    filo_builder_add_text(&text, "{'add': [0");
    for (int i = 1; i <= 200; i++) filo_builder_printf(&text, ", {'multiply': ['a', 0.%03d]}", i);
    filo_builder_add_text(&text, "]}");
    char *full = malloc(text.length + 1024);
    assert_non_null(full);
    snprintf(full, text.length + 1024, ONE_LAYER("%s"), filo_builder_text(&text));
    FiloPlacement *p = create_from(forest, full);
    const PlacementProgram *program = &p->footprints[0].program;
    assert_true(program->op_count > 600);
    assert_in_range(program->register_count, 3, 5);
    for (size_t i = 0; i < program->op_count; i++) {
        const PlacementOp *op = &program->ops[i];
        if (op->code == PLACEMENT_OP_MULTIPLY || op->code == PLACEMENT_OP_ADD)
            assert_true(op->to != op->a && op->to != op->b);
    }
    filo_placement_destroy(p);
    free(full);
    filo_builder_deinit(&text);
    free(forest);
}

// Every layer needs what the first one has computed, in the other order: all of it lives at once.
FILO_TEST(too_many_values_at_once_are_refused) {
    Forest *forest = new_forest();
    FiloBuilder text = { 0 };
    filo_builder_add_text(&text,
                          "{'maps': {'a': {}}, 'footprints': {'trees': {'metres': 2}}, 'let': {'l0': 'a'");
    for (int i = 1; i < 300; i++) filo_builder_printf(&text, ", 'l%d': {'multiply': ['a', 0.%03d]}", i, i);
    for (int layer = 0; layer < 2; layer++) {
        filo_builder_add_text(&text, layer == 0 ? "}, 'ecotopes': [{'name': 'e', 'layers': [{'name': 'x'"
                                                : ", {'name': 'y'");
        filo_builder_add_text(&text, ", 'density': {'add': [0");
        for (int i = 1; i < 300; i++) filo_builder_printf(&text, ", 'l%d'", layer == 0 ? i : 300 - i);
        filo_builder_add_text(&text, "]}}");
    }
    filo_builder_add_text(&text, "]}]}");
    FiloPlacement *p;
    assert_error(create_text(&p, forest, filo_builder_text(&text), NULL), FILO_ERROR_LIMIT,
                 "footprint \"trees\": more than 256 values are needed at the same time");
    assert_null(p);
    filo_builder_deinit(&text);
    free(forest);
}

FILO_TEST(too_many_noises_are_refused) {
    Forest *forest = new_forest();
    FiloBuilder text = { 0 };
    filo_builder_add_text(
        &text, "{'footprints': {'trees': {'metres': 2}}, 'ecotopes': [{'name': 'e', 'layers': [{'name': "
               "'x', 'density': {'max': [0");
    for (int i = 0; i < 17; i++) filo_builder_printf(&text, ", {'noise': 20, 'seed': %d}", i);
    filo_builder_add_text(&text, "]}}]}]}");
    FiloPlacement *p;
    assert_error(create_text(&p, forest, filo_builder_text(&text), NULL), FILO_ERROR_LIMIT,
                 "footprint \"trees\": 17 different noises, there may be 16");
    filo_builder_deinit(&text);
    free(forest);
}

// ---- Curves ---------------------------------------------------------------------------------------------------

static double line(const PlacementCurvePoint *points, size_t count, double x) {
    if (x < points[0].x) return points[0].y;
    for (size_t i = 1; i < count; i++)
        if (x < points[i].x)
            return points[i - 1].y +
                   (points[i].y - points[i - 1].y) * (x - points[i - 1].x) / (points[i].x - points[i - 1].x);
    return points[count - 1].y;
}

// Points are multiples of 1/32768, so that rounding x plays no part.
static size_t random_curve(FiloRandom *random, PlacementCurvePoint *points) {
    size_t count = 1 + filo_random_u32(random) % 7;
    int32_t x = (int32_t)(filo_random_u32(random) % 40000) - 20000;
    for (size_t i = 0; i < count; i++) {
        int32_t span = filo_random_u32(random) % 4 == 0 ? 8 : 30000;
        x += filo_random_u32(random) % 5 == 0 ? 0 : (int32_t)(filo_random_u32(random) % (uint32_t)span);
        int32_t y = (int32_t)(filo_random_u32(random) % 65537) - 32768;
        if (filo_random_u32(random) % 8 == 0) y *= 4;
        points[i] = (PlacementCurvePoint){ x / 32768.0, y / 32768.0 };
    }
    return count;
}

FILO_TEST(curves_are_within_three_65536ths_and_exact_at_their_points) {
    FiloRandom random = filo_random_sequence(5);
    for (int round = 0; round < 300; round++) {
        PlacementCurvePoint points[8];
        size_t count = random_curve(&random, points);
        PlacementGraph graph;
        placement_graph_init(&graph, NULL);
        uint32_t operand = placement_graph_sample(&graph, 1);
        uint32_t value = placement_graph_curve(&graph, operand, points, count);
        const PlacementValue *v = &graph.values.items[value];
        for (int32_t a = 0; a <= PLACEMENT_PROGRAM_ONE; a += a % 64 == 0 || a > 32700 ? 1 : 63) {
            int32_t y = v->code == PLACEMENT_OP_CONSTANT
                            ? v->imm
                            : placement_curve_at(&graph.curves.items[v->imm], graph.segments.items, a);
            double exact = line(points, count, a / 32768.0) * 32768;
            bool is_point = a == 0 || a == PLACEMENT_PROGRAM_ONE;
            for (size_t i = 0; i < count; i++) is_point = is_point || points[i].x * 32768 == a;
            if (fabs(y - exact) > (is_point && a != 0 && a != PLACEMENT_PROGRAM_ONE ? 1e-6 : 1.501))
                fail_msg("round %d: %d gives %d instead of %g", round, a, y, exact);
            assert_in_range(y + PLACEMENT_PROGRAM_LIMIT, v->low + PLACEMENT_PROGRAM_LIMIT,
                            v->high + PLACEMENT_PROGRAM_LIMIT);
        }
        for (size_t i = 0; i < graph.segments.count; i++) {
            const PlacementSegment *s = &graph.segments.items[i];
            assert_true(llabs((int64_t)s->dx * s->slope) <= INT32_MAX);
        }
        placement_graph_deinit(&graph);
    }
}

FILO_TEST(a_curve_from_0_to_1_is_one_segment) {
    Forest *forest = new_forest();
    FiloPlacement *p = create_from(forest, ONE_LAYER("{'curve': [[0, 1], [200, 0]], 'of': 'road'}"));
    assert_int_equal(p->footprints[0].program.segment_count, 1);
    filo_placement_destroy(p);
    free(forest);
}

// ---- Memory ---------------------------------------------------------------------------------------------------

FILO_TEST(running_out_of_memory_while_compiling_leaks_nothing) {
    Forest *forest = new_forest();
    const char *text =
        ONE_LAYER("{'multiply': [{'noise': 20, 'octaves': 2}, {'curve': [[0, 0], [45, 1]], 'of': 'slope'}, "
                  "{'blur': {'max': ['a', {'noise': 7}]}, 'metres': 30, 'resolution': 10}, {'near': 'x', "
                  "'within': 3}]}}]}, {'name': 'other', 'layers': [{'name': 'x', 'footprint': 'large'");
    char full[2048];
    snprintf(full, sizeof full, "%s", text);
    char *all = strstr(full, "'all': {'metres': 2}");
    memmove(all + 24, all, strlen(all) + 1);
    memcpy(all, "'large': {'metres': 3}, ", 24);
    all = strstr(full, "'name': 'layer'");
    memmove(all + 20, all, strlen(all) + 1);
    memcpy(all, "'footprint': 'all', ", 20);
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    bool more = true;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloPlacement *p;
        FiloResult result = create_text(&p, forest, full, &failing.allocator);
        more = failing.calls > fail_at;
        if (more)
            assert_int_equal(result.code, FILO_ERROR_MEMORY);
        else
            assert_ok(result);
        filo_placement_destroy(p);
        assert_int_equal(failing.blocks, 0);
    }
    filo_fault_set_handler(before);
    free(forest);
}
