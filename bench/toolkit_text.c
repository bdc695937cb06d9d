// Benchmarks of text: a string that changes, shaping with and without the cache, labels in the world.

#include "bench.h"

#include <harfbuzz/hb.h>

#include <stdio.h>
#include <string.h>

#define FONT "DejaVuSans.ttf"

typedef struct Text {
    FiloJobs *jobs;
    FiloWorld *world;
    FiloGfx2d *gfx;
    FiloTypesetter *setter;
    FiloDraw *draw;
    hb_font_t *font;
    hb_buffer_t *buffer;
    unsigned number; // of the next string
} Text;

static void frame(Text *t) {
    filo_typesetter_update(t->setter);
    filo_gfx2d_extract(t->gfx, &(FiloExtract){ .width = 800, .height = 600, .blend = 1 });
}

static bool begin(Text *t, bool with_world) {
    *t = (Text){ 0 };
    char path[1024];
    FiloResult r = filo_font_find(path, sizeof path, FONT);
    if (r.code == FILO_OK) r = filo_jobs_create(&t->jobs, &(FiloJobsDesc){ .threads = 1 });
    if (r.code == FILO_OK) r = filo_world_create(&t->world, &(FiloWorldDesc){ .jobs = t->jobs });
    if (r.code == FILO_OK) r = filo_gfx2d_create(&t->gfx, &(FiloGfx2dDesc){ .world = t->world });
    if (r.code == FILO_OK) r = filo_typesetter_create(&t->setter, &(FiloTypesetterDesc){ 0 });
    if (r.code == FILO_OK)
        r = filo_text_attach(t->setter,
                             &(FiloTextDrawDesc){ .gfx = t->gfx, .world = with_world ? t->world : NULL });
    if (r.code == FILO_OK) r = filo_text_load_font(t->setter, FONT, path);
    if (r.code != FILO_OK) {
        fprintf(stderr, "%s\n", r.message);
        return false;
    }
    t->draw = filo_gfx2d_draw(t->gfx);
    hb_blob_t *blob = hb_blob_create_from_file(path);
    hb_face_t *face = hb_face_create(blob, 0);
    t->font = hb_font_create(face);
    t->buffer = hb_buffer_create();
    hb_face_destroy(face);
    hb_blob_destroy(blob);
    return true;
}

static void end(Text *t) {
    hb_buffer_destroy(t->buffer);
    hb_font_destroy(t->font);
    filo_typesetter_destroy(t->setter);
    filo_gfx2d_destroy(t->gfx);
    filo_world_destroy(t->world);
    filo_jobs_destroy(t->jobs, FILO_JOBS_FINISH);
}

// ---- A string that changes -------------------------------------------------------------------------------------

#define STRINGS 20 // of a frame

static double draw_strings(void *state) {
    Text *t = state;
    const FiloTextStyle style = { .font = filo_name(FONT), .size = 16 };
    int64_t took = 0;
    for (int f = 0; f < 50; f++) {
        frame(t);
        int64_t begin_ns = filo_time_ns();
        for (int i = 0; i < STRINGS; i++) {
            char text[32];
            (void)snprintf(text, sizeof text, "Score: %013u", t->number++ * 7919u); // 20 characters
            filo_text_draw(t->setter, t->draw, filo_vec2(10, (float)i * 20), &style, text);
        }
        took += filo_time_ns() - begin_ns;
        (void)filo_text_wait(t->setter);
    }
    return (double)took / (50 * STRINGS) * 1e-3;
}

static double string_limit(void *state) {
    (void)state;
    return 5;
}

// ---- Shaping -----------------------------------------------------------------------------------------------------

#define LINES 200 // of a round, which is short, so that some rounds are not interrupted

static const char *const words[] = { "the",   "office", "quick", "brown",  "AVATAR", "fox",   "jumps",
                                     "over",  "lazy",   "dog",   "To",     "wander", "fluff", "light",
                                     "years", "away",   "from",  "Tavern", "where",  "waves" };

// A line of text, another for each number.
static size_t make_line(char *text, size_t size, unsigned number) {
    size_t length = 0;
    for (unsigned i = 0; i < 10; i++) {
        unsigned word = (number * 31 + i * 7 + number / 20 * i) % FILO_COUNT_OF(words);
        length += (size_t)snprintf(text + length, size - length, "%s ", words[word]);
    }
    length += (size_t)snprintf(text + length, size - length, "%u", number);
    return length;
}

static size_t glyphs_of(const FiloTextLayout *layout) {
    size_t count;
    (void)filo_text_glyphs(layout, &count);
    return count;
}

static double shape_uncached(void *state) {
    Text *t = state;
    const FiloTextStyle style = { .font = filo_name(FONT), .size = 16 };
    int64_t took = 0;
    size_t glyphs = 0;
    filo_typesetter_update(t->setter);
    for (int i = 0; i < LINES; i++) {
        char text[256];
        size_t length = make_line(text, sizeof text, t->number++);
        int64_t begin_ns = filo_time_ns();
        glyphs += glyphs_of(filo_text_layout(t->setter, &style, filo_string_from(text, length)));
        took += filo_time_ns() - begin_ns;
    }
    return (double)took / (double)glyphs;
}

static double shape_cached(void *state) {
    Text *t = state;
    const FiloTextStyle style = { .font = filo_name(FONT), .size = 16 };
    int64_t took = 0;
    size_t glyphs = 0;
    for (int f = 0; f < 20; f++) {
        filo_typesetter_update(t->setter);
        for (int i = 0; i < LINES; i++) {
            char text[256];
            size_t length = make_line(text, sizeof text, (unsigned)i);
            int64_t begin_ns = filo_time_ns();
            size_t count = glyphs_of(filo_text_layout(t->setter, &style, filo_string_from(text, length)));
            if (f > 0) took += filo_time_ns() - begin_ns, glyphs += count;
        }
    }
    return (double)took / (double)glyphs;
}

static double shape_by_harfbuzz(void *state) {
    Text *t = state;
    int64_t took = 0;
    size_t glyphs = 0;
    for (int i = 0; i < LINES; i++) {
        char text[256];
        size_t length = make_line(text, sizeof text, t->number++);
        int64_t begin_ns = filo_time_ns();
        hb_buffer_clear_contents(t->buffer);
        hb_buffer_add_utf8(t->buffer, text, (int)length, 0, (int)length);
        hb_buffer_guess_segment_properties(t->buffer);
        hb_shape(t->font, t->buffer, NULL, 0);
        took += filo_time_ns() - begin_ns;
        glyphs += hb_buffer_get_length(t->buffer);
    }
    return (double)took / (double)glyphs;
}

// ---- Labels --------------------------------------------------------------------------------------------------------

#define LABELS 10000

typedef struct Labels {
    Text texts, sprites;
} Labels;

static double extract_ms(Text *t) {
    double best = 1e9;
    for (int i = 0; i < 5; i++) {
        int64_t begin_ns = filo_time_ns();
        frame(t);
        double ms = (double)(filo_time_ns() - begin_ns) * 1e-6;
        best = FILO_MIN(best, ms);
    }
    return best;
}

static double extract_labels(void *state) { return extract_ms(&((Labels *)state)->texts); }
static double extract_sprites(void *state) { return extract_ms(&((Labels *)state)->sprites); }

static FiloVec2 label_position(size_t i) {
    return filo_vec2((float)(i % 100) * 7 - 380, (float)(i / 100) * 5 - 260);
}

static bool begin_labels(Labels *labels) {
    if (!begin(&labels->texts, true) || !begin(&labels->sprites, false)) return false;
    size_t glyphs = 0;
    for (size_t i = 0; i < LABELS; i++) {
        FiloText text = { .font = filo_name(FONT), .size = 5 };
        (void)snprintf(text.text, sizeof text.text, "House %03zu", i % 1000);
        for (const char *c = text.text; *c != '\0'; c++) glyphs += *c != ' ';
        FiloTransform2 transform = { .position = label_position(i) };
        FiloComponentValue with[] = { { .component_type = filo_type_FiloTransform2, .value = &transform },
                                      { .component_type = filo_type_FiloText, .value = &text } };
        if (filo_entity_create_with(labels->texts.world, with, 2).id == 0) return false;
    }
    FiloPixels letter;
    if (!filo_pixels_create(&letter, 5, 5, NULL)) return false;
    FiloResult r = filo_gfx2d_add_image(labels->sprites.gfx, filo_name("letter"), &letter);
    filo_pixels_free(&letter, NULL);
    for (size_t i = 0; i < glyphs && r.code == FILO_OK; i++) {
        FiloTransform2 transform = { .position = label_position(i * LABELS / glyphs) };
        FiloSprite sprite = { .image = filo_name("letter") };
        FiloComponentValue with[] = { { .component_type = filo_type_FiloTransform2, .value = &transform },
                                      { .component_type = filo_type_FiloSprite, .value = &sprite } };
        if (filo_entity_create_with(labels->sprites.world, with, 2).id == 0) return false;
    }
    for (int i = 0; i < 4; i++) {
        frame(&labels->texts);
        frame(&labels->sprites);
        (void)filo_text_wait(labels->texts.setter);
    }
    bench_expect(filo_gfx2d_stats(labels->texts.gfx).visible == glyphs, "all letters are visible");
    bench_expect(filo_gfx2d_stats(labels->sprites.gfx).visible == glyphs, "all sprites are visible");
    return r.code == FILO_OK;
}

FILO_BENCH(toolkit) {
    Text text;
    if (bench_shows("toolkit.string") && begin(&text, false)) {
        bench_compare(&(BenchFigure){ .name = "toolkit.string",
                                      .unit = "us",
                                      .ours = draw_strings,
                                      .reference = string_limit,
                                      .reference_name = "the limit",
                                      .state = &text });
        end(&text);
    }
    if ((bench_shows("toolkit.glyphs_uncached") || bench_shows("toolkit.glyphs_cached")) &&
        begin(&text, false)) {
        bench_compare(&(BenchFigure){ .name = "toolkit.glyphs_uncached",
                                      .unit = "ns/glyph",
                                      .ours = shape_uncached,
                                      .reference = shape_by_harfbuzz,
                                      .reference_name = "HarfBuzz alone",
                                      .state = &text });
        bench_compare(&(BenchFigure){ .name = "toolkit.glyphs_cached",
                                      .unit = "ns/glyph",
                                      .ours = shape_cached,
                                      .reference = shape_by_harfbuzz,
                                      .reference_name = "HarfBuzz alone",
                                      .state = &text });
        end(&text);
    }
    Labels labels;
    if (bench_shows("toolkit.labels_10k") && begin_labels(&labels)) {
        bench_compare(&(BenchFigure){ .name = "toolkit.labels_10k",
                                      .unit = "ms",
                                      .ours = extract_labels,
                                      .reference = extract_sprites,
                                      .reference_name = "as many sprites",
                                      .state = &labels });
        end(&labels.texts);
        end(&labels.sprites);
    }
}
