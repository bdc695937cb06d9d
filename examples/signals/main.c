// Signals: every function of filo/signal.h and filo/task.h as a small plot of what it computes. It shows
//   - networks of signal functions that are compiled and run over a list of samples: filo_embed, FiloTrace;
//   - how each function is written: the code of a panel is below its plot, as it was compiled;
//   - plots of traces as SVG: filo_trace_plot_write.
//
// Inputs are thin: the numbers x and y, the bools c and p as bars, the events e and d as marks. The output is thick. In
// plots with steps there are four samples a second, so that a delay of one sample is visible.
//
// Right and left page through the groups of functions, 1 to 9 and 0 go to one, Space stops the time.
//
// Look for a function in values.c, events.c, switches.c or tasks.c.
//
// Try: ./dev run signals --page time
//      ./dev run signals --svg out/signals.svg
//      change the inputs in gallery.c

#include "gallery.h"

#include <stdio.h>
#include <string.h>

#define CYCLE (GALLERY_SECONDS + 1) // seconds until the time begins again

// ---- The world --------------------------------------------------------------------------------------------

typedef struct View { // one for the world
    float time;       // of the cursor, seconds
    int32_t page;     // 0: all; otherwise a group + 1
    bool stopped;
} View;
FILO_REFLECT(View, FILO_FIELD(float, time), FILO_FIELD(int32_t, page), FILO_FIELD(bool, stopped))

static void advance(FiloIter *it) {
    const FiloInput *input = filo_read_global(it, FiloInput);
    View *view = filo_write_global(it, View);
    int step = filo_input_pressed(input, FILO_KEY_RIGHT) - filo_input_pressed(input, FILO_KEY_LEFT);
    view->page = (view->page + step + GROUP_COUNT + 1) % (GROUP_COUNT + 1);
    if (filo_input_pressed(input, FILO_KEY_0)) view->page = 0;
    for (int i = 0; i < GROUP_COUNT; i++)
        if (filo_input_pressed(input, (FiloKey)(FILO_KEY_1 + i))) view->page = i + 1;
    if (filo_input_pressed(input, FILO_KEY_SPACE)) view->stopped = !view->stopped;
    if (view->stopped) return;
    view->time += it->delta;
    if (view->time > CYCLE) view->time -= CYCLE;
}

// ---- Colours ----------------------------------------------------------------------------------------------

static FiloColor paper(void) { return filo_color_from_hex(0x10141DFF); }
static FiloColor card(void) { return filo_color_from_hex(0x1A202CFF); }
static FiloColor ink(float strength) {
    return filo_color_lerp(card(), filo_color_from_hex(0xE8ECF4FF), strength);
}
static FiloColor group_color(GalleryGroup group) {
    static const uint32_t colors[GROUP_COUNT] = { 0x5CC8FFFF, 0x7C9BFFFF, 0xB58CFFFF, 0xFF9F5AFF, 0xFFC94DFF,
                                                  0xA5D84CFF, 0x3FD6A0FF, 0x35D0CFFF, 0xFF7EA8FF };
    return filo_color_from_hex(colors[group]);
}
// Of the thin inputs: a and b of a kind.
static FiloColor input_color(char letter) {
    return filo_color_from_hex(strchr("xce", letter) != NULL ? 0x8FA3BFFF : 0xB39A7CFF);
}

// ---- Plots ------------------------------------------------------------------------------------------------

typedef struct Plot {
    FiloDraw *draw;
    const GalleryPanel *panel;
    FiloRect area;   // of the curves
    float low, high; // values at its ends
    float time;      // of the cursor
    bool large;
    FiloColor color;
    float width; // of lines
    float strip; // height of a strip for a bool
    float next;  // the top of the next strip
} Plot;

static const FiloSfLeaf *leaf_of(const Plot *plot, size_t leaf) { return &plot->panel->trace.leaves[leaf]; }

static bool is_list(const FiloSfLeaf *leaf) { return leaf->type->kind == FILO_KIND_STRUCT; }

static bool is_strip(const FiloSfLeaf *leaf) { return leaf->type->kind == FILO_KIND_BOOL || leaf->presence; }

// Whether a presence has a value, whose marks show it.
static bool has_value(const Plot *plot, size_t presence) {
    for (size_t i = 0; i < plot->panel->trace.leaf_count; i++)
        if (leaf_of(plot, i)->present_by == presence + 1) return true;
    return false;
}

static bool occurs(const Plot *plot, size_t leaf, size_t sample) {
    uint32_t by = leaf_of(plot, leaf)->present_by;
    return by == 0 || filo_trace_value(&plot->panel->trace, by - 1, sample, uint8_t) != 0;
}

// The n-th number of a leaf; only lists have several. False past the end, and where there is none.
static bool number(const Plot *plot, size_t leaf, size_t sample, size_t n, float *value) {
    const FiloSfLeaf *described = leaf_of(plot, leaf);
    const void *data = filo_trace_at(&plot->panel->trace, leaf, sample);
    if (!occurs(plot, leaf, sample)) return false;
    if (is_list(described)) {
        const float *element = filo_sf_list_at(data, FILO_TYPE(float), n);
        if (element != NULL) *value = *element;
        return element != NULL;
    }
    if (described->type->kind == FILO_KIND_FLOAT)
        memcpy(value, data, sizeof *value);
    else {
        int32_t integer;
        memcpy(&integer, data, sizeof integer);
        *value = (float)integer;
    }
    return n == 0;
}

static float x_of(const Plot *plot, double time) {
    return filo_lerp(plot->area.min.x, plot->area.max.x, (float)time / GALLERY_SECONDS);
}

static float y_of(const Plot *plot, float value) {
    return filo_lerp(plot->area.max.y, plot->area.min.y, (value - plot->low) / (plot->high - plot->low));
}

static void find_range(Plot *plot) {
    plot->low = -0.15f;
    plot->high = 0.15f;
    for (size_t leaf = 0; leaf < plot->panel->trace.leaf_count; leaf++) {
        if (is_strip(leaf_of(plot, leaf))) continue;
        for (size_t i = 0; i < plot->panel->trace.count; i++) {
            float value;
            for (size_t n = 0; number(plot, leaf, i, n, &value); n++) {
                plot->low = filo_min(plot->low, value);
                plot->high = filo_max(plot->high, value);
            }
        }
    }
    float margin = (plot->high - plot->low) * 0.07f;
    plot->low -= margin;
    plot->high += margin;
}

// What is later than the cursor is darker.
static FiloColor at_time(const Plot *plot, FiloColor color, double time) {
    return time <= (double)plot->time + 1e-3 ? color : filo_color_lerp(card(), color, 0.4f);
}

// The numbers of one leaf. Jumps are vertical.
static void draw_curve(const Plot *plot, size_t leaf, float width, FiloColor color) {
    const FiloTrace *trace = &plot->panel->trace;
    bool steps = plot->panel->delta > GALLERY_FINE;
    float height = plot->area.max.y - plot->area.min.y;
    for (int bright = 0; bright < 2; bright++) {
        FiloVec2 points[2 * GALLERY_SAMPLES];
        size_t count = 0;
        for (size_t i = 0; i < trace->count; i++) {
            float value;
            if (bright == 1 && trace->times[i] > (double)plot->time) break;
            if (!number(plot, leaf, i, 0, &value)) {
                filo_draw_lines(plot->draw, points, count, width, at_time(plot, color, bright ? 0 : 99));
                count = 0;
                continue;
            }
            FiloVec2 point = filo_vec2(x_of(plot, trace->times[i]), y_of(plot, value));
            bool jumps = count > 0 && filo_abs(point.y - points[count - 1].y) > 0.12f * height;
            if (count > 0 && (steps || jumps)) {
                points[count] = filo_vec2(point.x, points[count - 1].y);
                count++;
            }
            points[count++] = point;
        }
        filo_draw_lines(plot->draw, points, count, width, at_time(plot, color, bright ? 0 : 99));
    }
}

// Members of a collection, each with a tint by its key; or lists that are not the output of one, as marks.
static void draw_list(const Plot *plot, size_t leaf) {
    const FiloTrace *trace = &plot->panel->trace;
    bool coarse = plot->panel->delta > GALLERY_FINE;
    for (size_t i = 0; i < trace->count; i++) {
        if (!occurs(plot, leaf, i)) continue;
        const FiloSfList *list = filo_trace_at(trace, leaf, i);
        for (size_t n = 0; n < list->count; n++) {
            float value = 0;
            number(plot, leaf, i, n, &value);
            uint32_t key = filo_sf_list_key(list, n);
            FiloColor tint = filo_color_lerp(plot->color, FILO_COLOR_WHITE, 0.3f * (float)(key % 4));
            tint = at_time(plot, tint, trace->times[i]);
            FiloVec2 point = filo_vec2(x_of(plot, trace->times[i]), y_of(plot, value)), end = point;
            filo_draw_circle(plot->draw, point, plot->width * (key == 0 || coarse ? 1.2f : 0.5f), tint);
            const FiloSfList *next = i + 1 < trace->count ? filo_trace_at(trace, leaf, i + 1) : NULL;
            for (size_t m = 0; key != 0 && next != NULL && m < next->count; m++) {
                if (filo_sf_list_key(next, m) != key || !number(plot, leaf, i + 1, m, &value)) continue;
                end.x = x_of(plot, trace->times[i + 1]);
                end.y = y_of(plot, value);
                filo_draw_line(plot->draw, point, end, plot->width, tint);
            }
        }
    }
}

// An event: a stem from zero, and a dot at its value. The cursor makes it large for a moment.
static void draw_marks(const Plot *plot, size_t leaf, float width, FiloColor color) {
    const FiloTrace *trace = &plot->panel->trace;
    for (size_t i = 0; i < trace->count; i++) {
        float value;
        if (!number(plot, leaf, i, 0, &value)) continue;
        FiloVec2 point = filo_vec2(x_of(plot, trace->times[i]), y_of(plot, value));
        FiloColor seen = at_time(plot, color, trace->times[i]);
        float age = plot->time - (float)trace->times[i];
        float pulse = age >= 0 && age < 0.3f && width > 1.6f ? 1 - age / 0.3f : 0;
        filo_draw_line(plot->draw, filo_vec2(point.x, y_of(plot, 0)), point, width * 0.6f,
                       filo_color_lerp(card(), seen, 0.7f));
        filo_draw_circle(plot->draw, point, width * (1.5f + 1.5f * pulse), seen);
    }
}

static bool is_true(const Plot *plot, size_t leaf, size_t sample) {
    return sample < plot->panel->trace.count &&
           filo_trace_value(&plot->panel->trace, leaf, sample, uint8_t) != 0;
}

static void draw_diamond(const Plot *plot, float x, float y, FiloColor color) {
    float size = filo_min(plot->width * 2, plot->strip * 0.5f);
    FiloVec2 diamond[] = { { x - size, y }, { x, y - size }, { x + size, y }, { x, y + size } };
    filo_draw_line(plot->draw, filo_vec2(x, plot->area.min.y), filo_vec2(x, y), 1,
                   filo_color_lerp(card(), color, 0.5f));
    filo_draw_polygon(plot->draw, diamond, 4, color);
}

// A strip below the curves: bars where a bool is true, diamonds where an event without a value occurs.
static void draw_strip(Plot *plot, size_t leaf, FiloColor color) {
    const FiloTrace *trace = &plot->panel->trace;
    float middle = plot->next + plot->strip / 2, half = (plot->strip - 2) / 2, now = x_of(plot, plot->time);
    plot->next += plot->strip;
    filo_draw_line(plot->draw, filo_vec2(plot->area.min.x, middle), filo_vec2(plot->area.max.x, middle), 1,
                   ink(0.12f));
    for (size_t i = 0, end; i < trace->count; i = end) {
        for (end = i + 1; is_true(plot, leaf, i) && is_true(plot, leaf, end);) end++;
        if (!is_true(plot, leaf, i)) continue;
        float left = x_of(plot, trace->times[i]),
              right = x_of(plot, trace->times[FILO_MIN(end, trace->count - 1)]);
        if (leaf_of(plot, leaf)->presence && end == i + 1) {
            draw_diamond(plot, left, middle, at_time(plot, color, trace->times[i]));
            continue;
        }
        FiloRect bar = filo_rect(filo_vec2(left, middle - half), filo_vec2(right, middle + half));
        filo_draw_box(plot->draw, bar, at_time(plot, color, 99));
        bar.max.x = filo_min(right, now);
        if (now > left) filo_draw_box(plot->draw, bar, color);
    }
}

static void draw_leaf(Plot *plot, size_t leaf, char letter) {
    const FiloSfLeaf *described = leaf_of(plot, leaf);
    bool input = letter != 0;
    FiloColor color = input ? input_color(letter) : plot->color;
    float width = input ? 1 : plot->width;
    // The further numbers of an output that is a tuple are lighter.
    for (size_t i = plot->panel->input_leaves; i < leaf; i++)
        if (!is_strip(leaf_of(plot, i))) color = filo_color_lerp(plot->color, FILO_COLOR_WHITE, 0.6f);
    if (is_strip(described)) {
        if (!described->presence || !has_value(plot, leaf))
            draw_strip(plot, leaf, input ? filo_color_lerp(card(), color, 0.45f) : color);
    } else if (is_list(described))
        draw_list(plot, leaf);
    else if (described->present_by != 0)
        draw_marks(plot, leaf, input ? 1.5f : width, color);
    else
        draw_curve(plot, leaf, width, color);
}

static void draw_axes(const Plot *plot, float bottom) {
    FiloRect area = plot->area;
    for (int second = 0; second <= (int)GALLERY_SECONDS; second++) {
        float x = x_of(plot, second);
        filo_draw_line(plot->draw, filo_vec2(x, area.min.y), filo_vec2(x, bottom), 1, ink(0.07f));
    }
    filo_draw_line(plot->draw, filo_vec2(area.min.x, y_of(plot, 0)), filo_vec2(area.max.x, y_of(plot, 0)), 1,
                   ink(0.2f));
    if (!plot->large) return;
    float range = plot->high - plot->low, step = range < 1.4f ? 0.5f : range < 4 ? 1 : 2;
    for (float value = filo_ceil(plot->low / step) * step; value < plot->high; value += step) {
        char text[16];
        snprintf(text, sizeof text, "%g", (double)value + 0.0); // not -0
        filo_draw_text(plot->draw, area.min.x - 4 - 8 * (float)strlen(text), y_of(plot, value) - 8, 1,
                       ink(0.4f), text);
    }
}

static void draw_plot(Plot *plot) {
    const GalleryPanel *panel = plot->panel;
    int strips = 0, curves = 0;
    for (size_t i = 0; i < panel->trace.leaf_count; i++) {
        if (!is_strip(leaf_of(plot, i)))
            curves++;
        else if (!leaf_of(plot, i)->presence || !has_value(plot, i))
            strips++;
    }
    float bottom = plot->area.max.y, height = bottom - plot->area.min.y;
    plot->strip = curves == 0 ? height / (float)FILO_MAX(strips, 1) : plot->large ? 14 : 8;
    if (curves == 0) plot->strip = filo_min(plot->strip, plot->large ? 36 : 14);
    plot->next = bottom - plot->strip * (float)strips;
    plot->area.max.y = plot->next - (strips > 0 ? 3 : 0);
    find_range(plot);
    if (curves > 0) draw_axes(plot, bottom);
    size_t leaf = 0;
    for (const char *input = panel->inputs; *input != 0; input++)
        for (int i = 0; i < (*input == 'e' || *input == 'd' ? 2 : 1); i++) draw_leaf(plot, leaf++, *input);
    for (; leaf < panel->trace.leaf_count; leaf++) draw_leaf(plot, leaf, 0);
    float x = x_of(plot, filo_min(plot->time, GALLERY_SECONDS));
    filo_draw_line(plot->draw, filo_vec2(x, plot->area.min.y), filo_vec2(x, bottom), 1, ink(0.5f));
}

// ---- Pages ------------------------------------------------------------------------------------------------

// How many letters of code are in the next line, which ends after a comma or a bracket.
static size_t line_length(const char *code, size_t room) {
    size_t length = strlen(code), space = 0, bracket = 0;
    if (length <= room) return length;
    for (size_t i = 1; i <= room; i++) {
        if (code[i - 1] == ' ') space = i;
        if (code[i - 1] == '(') bracket = i;
    }
    return space > room / 2 ? space : bracket > 0 ? bracket : room;
}

// The code of a panel, from the bottom up. Returns where it begins.
static float draw_code(FiloDraw *draw, FiloRect box, const char *code) {
    size_t room = (size_t)((box.max.x - box.min.x) / 8);
    float y = box.max.y;
    for (const char *rest = code; *rest != 0; rest += line_length(rest, room)) y -= 16;
    for (float line = y; *code != 0; line += 16) {
        size_t length = line_length(code, room);
        filo_draw_format(draw, box.min.x, line, 1, ink(0.55f), "%.*s", (int)length, code);
        code += length;
    }
    return y;
}

static void draw_panel(FiloDraw *draw, const GalleryPanel *panel, FiloRect box, bool large, float time) {
    filo_draw_box(draw, box, card());
    FiloRect inside = filo_rect_expand(box, large ? -10 : -4);
    Plot plot = { .draw = draw, .panel = panel, .time = time, .large = large };
    plot.color = group_color(panel->group);
    plot.width = large ? 2.5f : 1.7f;
    filo_draw_text(draw, inside.min.x, box.min.y + (large ? 5 : 1), 1,
                   filo_color_lerp(plot.color, FILO_COLOR_WHITE, 0.25f), panel->name);
    plot.area = inside;
    plot.area.min.y = box.min.y + (large ? 34 : 18);
    if (large) {
        float width = 8 * (float)strlen(panel->yampa), room = inside.max.x - inside.min.x - width - 8;
        if (strcmp(panel->name, panel->yampa) != 0 && 8 * (float)strlen(panel->name) < room)
            filo_draw_text(draw, inside.max.x - width, box.min.y + 5, 1, ink(0.4f), panel->yampa);
        plot.area.min.x += 24;
        plot.area.max.y = draw_code(draw, inside, panel->code) - 10;
    }
    draw_plot(&plot);
}

static void draw_head(FiloDraw *draw, const View *view, FiloVec2 size) {
    filo_draw_text(draw, 14, 10, 2, FILO_COLOR_WHITE, "Signal functions");
    float x = 310;
    for (int i = 0; i <= GROUP_COUNT; i++) {
        char text[32];
        snprintf(text, sizeof text, "%d %s", i, i == 0 ? "all" : gallery_group_name((GalleryGroup)(i - 1)));
        FiloColor color = i == 0 ? FILO_COLOR_WHITE : group_color((GalleryGroup)(i - 1));
        float width = 8 * (float)strlen(text);
        bool shown = view->page == i || view->page == 0;
        filo_draw_text(draw, x, 8, 1, shown ? color : filo_color_lerp(paper(), color, 0.55f), text);
        if (view->page == i)
            filo_draw_box(draw, filo_rect(filo_vec2(x, 25), filo_vec2(x + width, 27)), color);
        x += width + 24;
    }
    // What the inputs look like.
    x = 310;
    for (const char *letter = GALLERY_INPUTS; *letter != 0; letter++, x += 56) {
        FiloColor color = input_color(*letter);
        FiloVec2 left = filo_vec2(x + 14, 39), right = filo_vec2(x + 38, 39);
        filo_draw_format(draw, x, 31, 1, color, "%c", *letter);
        if (letter - GALLERY_INPUTS < 2) filo_draw_line(draw, left, right, 1, color);
        if (letter - GALLERY_INPUTS < 4 && letter - GALLERY_INPUTS >= 2)
            filo_draw_line(draw, left, right, 8, filo_color_lerp(card(), color, 0.45f));
        if (letter - GALLERY_INPUTS >= 4) filo_draw_circle(draw, left, 3, color);
    }
    filo_draw_text(draw, x, 31, 1, ink(0.55f),
                   "inputs: numbers, bools, events    thick: output    grey: the name in Yampa");
    filo_draw_format(draw, size.x - 14 - 8 * 30, 8, 1, ink(0.8f), "%30s",
                     view->stopped ? "stopped (Space)" : "");
    filo_draw_format(draw, size.x - 14 - 8 * 6, 31, 1, ink(0.8f), "%.2f s",
                     (double)filo_min(view->time, GALLERY_SECONDS));
}

typedef struct Shown {
    Gallery gallery;
    View view;
    int page; // at the beginning
    const char *svg;
} Shown;

static void draw(FiloApp *app, FiloDraw *draw) {
    const Shown *shown = filo_app_user(app);
    const View *view = &shown->view;
    const Gallery *gallery = &shown->gallery;
    FiloVec2 size = filo_draw_size(draw);
    draw_head(draw, view, size);
    size_t count = 0;
    for (size_t i = 0; i < gallery->count; i++)
        count += view->page == 0 || (int)gallery->panels[i].group == view->page - 1;
    // Panels are about 1.3 times as wide as high; in the page of all, 2.1 times.
    float top = 56, gap = view->page == 0 ? 4 : 8, shape = view->page == 0 ? 2.1f : 1.25f;
    size_t columns =
        (size_t)FILO_MAX(1, (int)filo_ceil(filo_sqrt((float)count * size.x / (size.y - top) / shape)));
    size_t rows = FILO_MAX((count + columns - 1) / columns, 1), n = 0;
    columns = FILO_MAX((count + rows - 1) / rows, 1); // as few as have the same number of rows
    FiloVec2 cell = filo_vec2((size.x - gap) / (float)columns, (size.y - top - gap) / (float)rows);
    for (size_t i = 0; i < gallery->count; i++) {
        const GalleryPanel *panel = &gallery->panels[i];
        if (view->page != 0 && (int)panel->group != view->page - 1) continue;
        FiloVec2 at = filo_vec2(filo_floor(gap + (float)(n % columns) * cell.x),
                                filo_floor(top + (float)(n / columns) * cell.y));
        FiloRect box =
            filo_rect(at, filo_vec2(filo_floor(at.x + cell.x - gap), filo_floor(at.y + cell.y - gap)));
        draw_panel(draw, panel, box, view->page != 0, view->time);
        n++;
    }
}

// ---- Main -------------------------------------------------------------------------------------------------

static FiloResult define(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    filo_component(world, View, .storage = FILO_STORAGE_GLOBAL);
    filo_system_add(world, &(FiloSystemDesc){ "advance", advance,
                                              .query.terms = { FILO_READ(FiloInput), FILO_WRITE(View) } });
    return filo_ok();
}

static FiloResult create(FiloApp *app) {
    Shown *shown = filo_app_user(app);
    FiloResult r = gallery_make(&shown->gallery);
    if (r.code != FILO_OK) return r;
    if (shown->svg != NULL) r = gallery_write_svg(&shown->gallery, shown->svg);
    if (r.code == FILO_OK && shown->svg != NULL && filo_app_args(app)->frames == 0) filo_app_quit(app);
    filo_set_global(filo_app_world(app), View, .page = shown->page);
    return r;
}

static void extract(FiloApp *app) {
    Shown *shown = filo_app_user(app);
    shown->view = *filo_get_global(filo_app_world(app), View);
}

int main(int argc, char **argv) {
    static Shown shown;
    static const char *const pages[] = { "all",    "values",       "composition", "time",        "sources",
                                         "events", "accumulators", "switches",    "collections", "tasks",
                                         NULL };
    const FiloFlag flags[] = {
        { "page", "the group of functions to begin with", .choice = &shown.page, .choices = pages },
        { "svg", "write all plots to this file, and end", .path = &shown.svg, .unrecorded = true },
    };
    int code = filo_run(argc, argv,
                        &(FiloAppDesc){ .name = "signals",
                                        .summary = "Every signal function, as a plot of what it computes.",
                                        .window = { .title = "Signals", .width = 1760, .height = 1040 },
                                        .background = paper(),
                                        .flags = flags,
                                        .flag_count = FILO_COUNT_OF(flags),
                                        .define = define,
                                        .create = create,
                                        .extract = extract,
                                        .draw = draw,
                                        .user = &shown });
    gallery_free(&shown.gallery);
    return code;
}
