#include "embed_fixture.h"

#include <filo/files.h>

// ---- Traces -----------------------------------------------------------------------------------------------------

// Outputs: a float, a vector, a bool, an int, an event without a value, an event with a float.
// Leaves:  0        1         2       3       4                          5, 6
static FiloSf one_of_each(FiloSfBuilder *b) {
    FiloSf time = filo_sf_time(b);
    FiloSf late = filo_sf_greater(time, filo_sf_constant(b, FILO_SF(float, 1)));
    FiloSf tick = filo_sf_repeatedly(b, 0.5f, FILO_SF_NONE);
    FiloSf elements[] = {
        filo_sf_sin(filo_sf_scale(time, 3)),
        filo_sf_integral(filo_sf_constant(b, FILO_SF(FiloVec2, 1, -1))),
        late,
        filo_sf_hold(filo_sf_count(tick), FILO_SF(int32_t, 0)),
        filo_sf_edge(late),
        filo_sf_tag(tick, time),
    };
    return filo_sf_tuple(b, elements, FILO_COUNT_OF(elements));
}

static FiloTrace trace_of(FiloSf (*write)(FiloSfBuilder *b), FiloNetwork **network, size_t count,
                          float delta) {
    *network = make_network(&no_input, write);
    FiloTrace trace = { 0 };
    assert_ok(filo_embed(*network, &(FiloStream){ .count = count, .delta = delta },
                         &(FiloEmbed){ .trace = &trace }));
    return trace;
}

// Whether the text consists of elements that are closed in the right order.
static bool is_well_formed(const char *text) {
    char open[32][16];
    size_t depth = 0;
    bool any = false;
    for (const char *at = text; *at != 0; at++) {
        if (*at == '&' && strncmp(at, "&lt;", 4) != 0 && strncmp(at, "&gt;", 4) != 0 &&
            strncmp(at, "&amp;", 5) != 0)
            return false;
        if (*at != '<') continue;
        bool closing = at[1] == '/';
        const char *name = at + (closing ? 2 : 1), *end = strchr(at, '>');
        if (end == NULL || memchr(at + 1, '<', (size_t)(end - at) - 1) != NULL) return false;
        size_t length = strcspn(name, " >/");
        if (length == 0 || length >= 16) return false;
        if (closing) {
            if (depth == 0 || strncmp(open[depth - 1], name, length) != 0 || open[depth - 1][length] != 0)
                return false;
            depth--;
        } else if (end[-1] != '/') {
            if (depth == 32 || (depth == 0 && any)) return false;
            snprintf(open[depth++], 16, "%.*s", (int)length, name);
            any = true;
        }
        at = end;
    }
    return any && depth == 0;
}

FILO_TEST(the_check_of_well_formed_texts_works) {
    assert_true(is_well_formed("<a><b c=\"1\"/>x</a>"));
    assert_false(is_well_formed("<a><b></a></b>"));
    assert_false(is_well_formed("<a>"));
    assert_false(is_well_formed("<a>&</a>"));
    assert_false(is_well_formed("<a><b <c/></a>"));
}

// ---- Pictures ---------------------------------------------------------------------------------------------------

FILO_TEST(each_kind_of_output_is_drawn_in_its_way) {
    FiloNetwork *network;
    FiloTrace trace = trace_of(one_of_each, &network, 100, 1.0f / 40);
    FiloPlotPanel panel = { .trace = &trace,
                            .title = "one of each",
                            .text = "a line",
                            .names = { "wave", "line", "late", "count", "edge", "tick" } };
    FiloBuilder svg = { 0 };
    assert_ok(filo_trace_plot(&(FiloPlot){ .panels = &panel, .title = "page" }, &svg));
    const char *text = filo_builder_text(&svg);
    assert_true(is_well_formed(text));
    // Curves: wave, line.x, line.y, count as steps, late as high and low; and six lines in the legend.
    assert_int_equal(filo_test_count(text, "<path class=\"curve\""), 5);
    assert_int_equal(filo_test_count(text, "<line class=\"curve\""), 5);
    assert_contains(text, ">line.x</text>");
    assert_contains(text, ">line.y</text>");
    assert_contains(text, ">tick</text>");
    assert_int_equal(filo_test_count(text, "class=\"stem\""), 5); // at 0.5, 1, 1.5, 2 and 2.5 s
    assert_int_equal(filo_test_count(text, "class=\"fill\""), 1); // late is true once
    assert_int_equal(filo_test_count(text, "Z\"/>"), 1);          // one edge
    assert_contains(text, ">page</text>");
    assert_contains(text, ">one of each</text>");
    assert_contains(text, ">a line</text>");
    assert_contains(text, ">0.5</text>");
    assert_contains(text, " s</text>");
    assert_int_equal(filo_test_count(text, "nan"), 0);
    assert_int_equal(filo_test_count(text, "inf"), 0);
    filo_builder_deinit(&svg);
    filo_trace_deinit(&trace);
    filo_network_destroy(network);
}

FILO_TEST(hidden_leaves_are_not_drawn) {
    FiloNetwork *network;
    FiloTrace trace = trace_of(one_of_each, &network, 100, 1.0f / 40);
    FiloPlotPanel panel = { .trace = &trace, .hidden = { false, true, true, true, true, true, true } };
    FiloBuilder svg = { 0 };
    assert_ok(filo_trace_plot(&(FiloPlot){ .panels = &panel }, &svg));
    const char *text = filo_builder_text(&svg);
    assert_int_equal(filo_test_count(text, "<path"), 1);
    assert_int_equal(filo_test_count(text, "<line class=\"curve\""),
                     0); // one curve without a name needs no legend
    filo_builder_deinit(&svg);
    filo_trace_deinit(&trace);
    filo_network_destroy(network);
}

static FiloSf square_wave(FiloSfBuilder *b) {
    FiloSf count = filo_sf_hold(filo_sf_count(filo_sf_repeatedly(b, 1, FILO_SF_NONE)), FILO_SF(int32_t, 0));
    return filo_sf_select(filo_sf_equal(count, filo_sf_constant(b, FILO_SF(int32_t, 1))), filo_sf_time(b),
                          filo_sf_constant(b, FILO_SF(float, 0)));
}

// The number of points of the only curve.
static size_t curve_points(const FiloPlotPanel *panel) {
    FiloBuilder svg = { 0 };
    assert_ok(filo_trace_plot(&(FiloPlot){ .panels = panel }, &svg));
    const char *curve = strstr(filo_builder_text(&svg), "<path class=\"curve\"");
    assert_non_null(curve);
    size_t points = 1;
    for (const char *at = curve; *at != '/'; at++) points += *at == 'L';
    filo_builder_deinit(&svg);
    return points;
}

FILO_TEST(floats_are_drawn_as_steps_where_wanted) {
    FiloNetwork *network;
    FiloTrace trace = trace_of(square_wave, &network, 5, 0.5f);
    assert_int_equal(curve_points(&(FiloPlotPanel){ .trace = &trace }), 6);
    // Each sample but the first has one point more, and the last one its end.
    assert_int_equal(curve_points(&(FiloPlotPanel){ .trace = &trace, .steps = { true } }), 6 + 5 + 1);
    filo_trace_deinit(&trace);
    filo_network_destroy(network);
}

FILO_TEST(thin_leaves_are_in_the_background) {
    FiloNetwork *network;
    FiloTrace trace = trace_of(one_of_each, &network, 100, 1.0f / 40);
    // The wave, the strip of the bool, and the marks of the event with a float.
    FiloPlotPanel panel = { .trace = &trace, .thin = { [0] = true, [2] = true, [6] = true } };
    FiloBuilder svg = { 0 };
    assert_ok(filo_trace_plot(&(FiloPlot){ .panels = &panel }, &svg));
    assert_true(is_well_formed(filo_builder_text(&svg)));
    assert_int_equal(filo_test_count(filo_builder_text(&svg), "<g class=\"thin\">"), 3);
    filo_builder_deinit(&svg);
    filo_trace_deinit(&trace);
    filo_network_destroy(network);
}

FILO_TEST(several_panels_are_on_one_page_in_rows_and_columns) {
    FiloNetwork *network;
    FiloTrace trace = trace_of(one_of_each, &network, 10, 0.25f), empty = { 0 };
    FiloPlotPanel panels[5] = { { .trace = &trace, .title = "first" },
                                { .trace = &trace, .title = "second" },
                                { .trace = &trace, .title = "third" },
                                { .trace = &trace, .title = "fourth" },
                                { .trace = &empty, .title = "empty" } };
    FiloBuilder svg = { 0 };
    assert_ok(filo_trace_plot(
        &(FiloPlot){ .panels = panels, .count = 5, .columns = 2, .width = 300, .height = 200 }, &svg));
    const char *text = filo_builder_text(&svg);
    assert_true(is_well_formed(text));
    assert_contains(text, "width=\"624\" height=\"632\"");
    assert_int_equal(filo_test_count(text, "class=\"area\""), 5);
    for (int i = 0; i < 5; i++) assert_contains(text, panels[i].title);
    filo_builder_deinit(&svg);
    filo_trace_deinit(&trace);
    filo_network_destroy(network);
}

typedef struct Line {
    char text[16];
} Line;
FILO_REFLECT(Line, FILO_FIELD(char, text))

// A list, an event with a list, an event with a text. Leaves: 0, 1 and 2, 3 and 4.
static FiloSf lists(FiloSfBuilder *b) {
    FiloSfBranch clock = filo_sf_branch(b, "clock", NULL);
    filo_sf_define(clock, filo_sf_time(b));
    FiloSfMember members[] = { { .branch = clock }, { .branch = clock }, { .branch = clock } };
    FiloSfCollection collection = {
        .capacity = 4, .kinds = { clock }, .initial = members, .initial_count = 3
    };
    FiloSf elements[] = { filo_sf_par(filo_sf_time(b), &collection),
                          filo_sf_sample_window(filo_sf_time(b), 2, 1),
                          filo_sf_repeatedly(b, 1, FILO_SF(Line, "hello")) };
    return filo_sf_tuple(b, elements, 3);
}

FILO_TEST(of_a_list_the_number_of_its_elements_is_drawn) {
    FiloNetwork *network;
    FiloTrace trace = trace_of(lists, &network, 40, 0.1f);
    assert_int_equal(trace.leaf_count, 5);
    FiloPlotPanel panel = { .trace = &trace, .names = { "all", "window", NULL, "said" } };
    FiloBuilder svg = { 0 };
    assert_ok(filo_trace_plot(&(FiloPlot){ .panels = &panel }, &svg));
    const char *text = filo_builder_text(&svg);
    assert_true(is_well_formed(text));
    assert_contains(text, ">all.count</text>");
    assert_contains(text, ">window.count</text>");
    assert_contains(text, ">said</text>");
    assert_int_equal(filo_test_count(text, "<path class=\"curve\""), 1);
    assert_int_equal(filo_test_count(text, "class=\"stem\""), filo_test_count(text, "Z\"/>"));
    assert_in_range(filo_test_count(text, "Z\"/>"), 3, 4); // each second
    filo_builder_deinit(&svg);
    filo_trace_deinit(&trace);
    filo_network_destroy(network);
}

static FiloSf wild(FiloSfBuilder *b) { // 0 / 0, 1 / 0, then large numbers
    FiloSf time = filo_sf_time(b), zero = filo_sf_constant(b, FILO_SF(float, 0));
    FiloSf late = filo_sf_greater(time, filo_sf_constant(b, FILO_SF(float, 1)));
    FiloSf large = filo_sf_scale(time, 1e30f);
    return filo_sf_select(late, large, filo_sf_div(time, zero));
}

FILO_TEST(numbers_that_cannot_be_drawn_are_left_out) {
    FiloNetwork *network;
    FiloTrace trace = trace_of(wild, &network, 20, 0.25f);
    FiloBuilder svg = { 0 };
    assert_ok(filo_trace_plot(&(FiloPlot){ .panels = &(FiloPlotPanel){ .trace = &trace } }, &svg));
    const char *text = filo_builder_text(&svg);
    assert_true(is_well_formed(text));
    assert_contains(text, "e30</text>");
    assert_int_equal(filo_test_count(text, "nan"), 0);
    assert_int_equal(filo_test_count(text, "inf"), 0);
    filo_builder_deinit(&svg);
    filo_trace_deinit(&trace);
    filo_network_destroy(network);
}

FILO_TEST(texts_are_escaped) {
    FiloTrace empty = { 0 };
    FiloPlotPanel panel = { .trace = &empty,
                            .title = "a < b & c > \x01"
                                     "d",
                            .unit = "<m>" };
    FiloBuilder svg = { 0 };
    assert_ok(filo_trace_plot(&(FiloPlot){ .panels = &panel, .title = "\xff" }, &svg));
    assert_true(is_well_formed(filo_builder_text(&svg)));
    assert_contains(filo_builder_text(&svg), "a &lt; b &amp; c &gt; d");
    assert_contains(filo_builder_text(&svg), " &lt;m&gt;");
    assert_true(filo_utf8_valid(filo_builder_string(&svg)));
    filo_builder_deinit(&svg);
}

FILO_TEST(the_locale_does_not_matter) {
    FiloNetwork *network;
    FiloTrace trace = trace_of(one_of_each, &network, 30, 0.1f);
    FiloPlot plot = { .panels = &(FiloPlotPanel){ .trace = &trace } };
    FiloBuilder point = { 0 }, comma = { 0 };
    assert_ok(filo_trace_plot(&plot, &point));
    filo_test_use_decimal_comma();
    assert_ok(filo_trace_plot(&plot, &comma));
    assert_string_equal(filo_builder_text(&point), filo_builder_text(&comma));
    filo_builder_deinit(&point);
    filo_builder_deinit(&comma);
    filo_trace_deinit(&trace);
    filo_network_destroy(network);
}

FILO_TEST(a_plot_is_written_to_a_file) {
    FiloNetwork *network;
    FiloTrace trace = trace_of(one_of_each, &network, 30, 0.1f);
    const char *path = filo_test_path("plot.svg");
    FiloPlot plot = { .panels = &(FiloPlotPanel){ .trace = &trace } };
    assert_ok(filo_trace_plot_write(&plot, path));
    FiloFileData data;
    assert_ok(filo_file_read(&data, path, NULL));
    FiloBuilder svg = { 0 };
    assert_ok(filo_trace_plot(&plot, &svg));
    assert_int_equal(data.size, svg.length);
    assert_memory_equal(data.text, filo_builder_text(&svg), svg.length);
    filo_file_free(&data);
    filo_builder_deinit(&svg);
    FiloResult r = filo_trace_plot_write(&plot, filo_test_path("missing/plot.svg"));
    assert_error(r, FILO_ERROR_NOT_FOUND, "missing/plot.svg");
    filo_trace_deinit(&trace);
    filo_network_destroy(network);
}

FILO_TEST(a_plot_without_memory_says_so) {
    FiloTrace empty = { 0 };
    filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    FailingAllocator failing = FAILING_AT(failing, 3);
    FiloBuilder svg;
    filo_builder_init(&svg, &failing.allocator);
    FiloResult r = filo_trace_plot(&(FiloPlot){ .panels = &(FiloPlotPanel){ .trace = &empty } }, &svg);
    assert_error(r, FILO_ERROR_MEMORY, "no memory for the text of a plot");
    filo_builder_deinit(&svg);
    assert_int_equal(failing.blocks, 0);
}

FILO_TEST(misuse_of_a_plot_is_reported) {
    FiloTrace empty = { 0 };
    FiloPlotPanel panels[2] = { { .trace = &empty }, { 0 } };
    FiloBuilder svg = { 0 };
    expect_mistake("pass a plot with panels", filo_trace_plot(NULL, &svg));
    expect_mistake("pass a plot with panels", filo_trace_plot(&(FiloPlot){ 0 }, &svg));
    expect_mistake("set `trace` of panel 1",
                   filo_trace_plot(&(FiloPlot){ .panels = panels, .count = 2 }, &svg));
    expect_mistake("at least 120 × 120 pixels",
                   filo_trace_plot(&(FiloPlot){ .panels = panels, .width = 50 }, &svg));
    expect_mistake("pass a plot and the path", filo_trace_plot_write(&(FiloPlot){ .panels = panels }, NULL));
    assert_int_equal(svg.length, 0);
}
