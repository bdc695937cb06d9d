// A picture is a function of its point: heights, from which light and shadow follow, or colours.
//
// Points are from −1 to 1 over a crown, with y up.

#include "pictures.h"

#include <string.h>

#define SAMPLES 2 // of a pixel, in both directions

typedef float (*Height)(float x, float y); // 0: nothing is there

static float length(float x, float y) { return filo_sqrt(x * x + y * y); }

// ---- Heights ----------------------------------------------------------------------------------------------------

// A ball of leaves.
static float ball(float x, float y, float radius) {
    float rest = radius * radius - x * x - y * y;
    return rest > 0 ? filo_sqrt(rest) : 0;
}

// Balls in a spiral, so that they are as dense everywhere.
static float leaves(float x, float y, int count, float radius) {
    float height = 0;
    for (int i = 0; i < count; i++) {
        float out = 0.74f * filo_sqrt(((float)i + 0.5f) / (float)count), angle = 2.4f * (float)i;
        float of_ball = ball(x - out * filo_cos(angle), y - out * filo_sin(angle), radius);
        if (of_ball > 0) height = filo_max(height, of_ball + 0.5f * (1 - out));
    }
    return height;
}

static float oak(float x, float y) { return leaves(x, y, 17, 0.27f); }
static float bush(float x, float y) { return leaves(x, y, 6, 0.4f); }

// Storeys of branches, each a star.
static float spruce(float x, float y) {
    float r = length(x, y), angle = filo_atan2(y, x), height = 0;
    for (int storey = 0; storey < 5; storey++) {
        float radius = 0.98f - 0.19f * (float)storey, branches = (float)(13 - 2 * storey);
        float tip = radius * (0.84f + 0.16f * filo_cos(branches * angle + 1.7f * (float)storey));
        if (r < tip) height = 0.3f * (float)storey + 0.7f * (tip - r) + 0.1f;
    }
    return height;
}

static float stump(float x, float y) {
    float r = length(x, y);
    return r < 0.9f ? 0.5f + 0.035f * filo_sin(34 * r + filo_sin(3 * filo_atan2(y, x))) : 0;
}

// ---- Light --------------------------------------------------------------------------------------------------------

typedef struct Shade {
    float red, green, blue, alpha; // premultiplied
} Shade;

static Shade grey(float light) { return (Shade){ light, light, light, 1 }; }

static Shade lit(Height height, float x, float y) {
    const float step = 0.04f;
    float here = height(x, y);
    if (here <= 0) { // the shadow falls to the lower right, and is soft
        float dark = 0;
        for (int i = 0; i < 6; i++) {
            float away = 0.1f + 0.06f * (float)i;
            dark += height(x - away, y + away) > 0 ? 0.07f : 0;
        }
        return (Shade){ 0, 0, 0, dark };
    }
    float slope_x = height(x + step, y) - here, slope_y = height(x, y + step) - here;
    float steep = length(slope_x, slope_y) + 1.4f * step;
    float facing = (slope_x * 0.55f - slope_y * 0.65f + step) / steep;
    return grey(filo_clamp01((0.5f + 0.4f * facing) * (0.62f + 0.38f * filo_clamp01(here))));
}

// ---- The woodcutter -------------------------------------------------------------------------------------------------

static bool in_ellipse(float x, float y, float wide, float high) {
    return x * x / (wide * wide) + y * y / (high * high) < 1;
}

// He looks up, with an axe in his right hand.
static Shade woodcutter(float x, float y) {
    float round = 1 - 0.4f * length(x + 0.2f, y - 0.2f); // light from the upper left
    if (in_ellipse(x, y, 0.2f, 0.22f)) return (Shade){ 0.5f * round, 0.34f * round, 0.18f * round, 1 };
    if (in_ellipse(x, y - 0.02f, 0.34f, 0.36f))
        return (Shade){ 0.4f * round, 0.26f * round, 0.13f * round, 1 };
    if (in_ellipse(x - 0.5f, y - 0.75f, 0.2f, 0.09f)) return (Shade){ 0.75f, 0.78f, 0.8f, 1 };
    if (filo_abs(x - 0.5f) < 0.05f && y > -0.1f && y < 0.8f) return (Shade){ 0.62f, 0.45f, 0.26f, 1 };
    if (in_ellipse(x - 0.47f, y - 0.3f, 0.11f, 0.12f)) return (Shade){ 0.87f, 0.67f, 0.52f, 1 };
    bool sleeve =
        in_ellipse(x - 0.5f, y - 0.1f, 0.15f, 0.28f) || in_ellipse(x + 0.52f, y - 0.08f, 0.15f, 0.3f);
    if (sleeve || in_ellipse(x, y, 0.62f, 0.34f)) {
        bool checked = (filo_sin(22 * x) > 0) != (filo_sin(22 * y) > 0);
        return (Shade){ (checked ? 0.78f : 0.6f) * round, 0.12f * round, 0.1f * round, 1 };
    }
    return (Shade){ 0, 0, 0, in_ellipse(x - 0.16f, y + 0.16f, 0.7f, 0.45f) ? 0.35f : 0 };
}

// ---- Pixels -----------------------------------------------------------------------------------------------------------

static Shade shade_at(Height height, float x, float y) {
    return height != NULL ? lit(height, x, y) : woodcutter(x, y);
}

static FiloColor pixel(Height height, int column, int row) {
    Shade sum = { 0 };
    for (int i = 0; i < SAMPLES * SAMPLES; i++) {
        int right = i % SAMPLES, down = i / SAMPLES;
        float x = ((float)column + ((float)right + 0.5f) / SAMPLES) * 2 / PICTURE - 1;
        float y = 1 - ((float)row + ((float)down + 0.5f) / SAMPLES) * 2 / PICTURE;
        Shade shade = shade_at(height, x / PICTURE_CROWN, y / PICTURE_CROWN);
        sum.red += shade.red, sum.green += shade.green, sum.blue += shade.blue, sum.alpha += shade.alpha;
    }
    float scale = 255.0f / (SAMPLES * SAMPLES);
    return filo_color((uint8_t)(sum.red * scale), (uint8_t)(sum.green * scale), (uint8_t)(sum.blue * scale),
                      (uint8_t)(sum.alpha * scale));
}

// Tufts that are lighter or darker.
static void draw_grass(FiloPixels *pixels) {
    filo_pixels_fill(pixels, filo_color(0x5D, 0x7A, 0x3F, 255));
    for (uint32_t i = 0; i < 2600; i++) {
        FiloRandom random = filo_random_keyed(5, 0, 0, i);
        int column = (int)filo_random_below(&random, GRASS), row = (int)filo_random_below(&random, GRASS);
        int light = (int)filo_random_below(&random, 26) - 13, tall = 2 + (int)filo_random_below(&random, 3);
        for (int k = 0; k < tall; k++)
            *filo_pixels_at(pixels, (column + k / 2) % GRASS, (row + k) % GRASS) = filo_color(
                (uint8_t)(0x5D + light), (uint8_t)(0x7A + light), (uint8_t)(0x3F + light / 2), 255);
    }
}

static FiloResult add(FiloAssets *assets, const char *name, Height height) {
    bool grass = strcmp(name, "grass") == 0;
    int side = grass ? GRASS : PICTURE;
    FiloPixels pixels;
    if (!filo_pixels_create(&pixels, side, side, NULL)) return filo_error(FILO_ERROR_MEMORY, "no memory");
    if (grass) draw_grass(&pixels);
    for (int i = 0; i < side * side && !grass; i++)
        *filo_pixels_at(&pixels, i % side, i / side) = pixel(height, i % side, i / side);
    FiloAsset image = filo_assets_add_pixels(assets, name, &pixels);
    filo_pixels_free(&pixels, NULL);
    return image.id != 0 ? filo_ok() : filo_error(FILO_ERROR_MEMORY, "no memory for pictures");
}

FiloResult pictures_add(FiloAssets *assets) {
    const struct {
        const char *name;
        Height height;
    } pictures[] = { { "spruce", spruce }, { "oak", oak },         { "bush", bush },
                     { "stump", stump },   { "woodcutter", NULL }, { "grass", NULL } };
    FiloResult r = filo_ok();
    for (size_t i = 0; i < FILO_COUNT_OF(pictures) && r.code == FILO_OK; i++)
        r = add(assets, pictures[i].name, pictures[i].height);
    return r;
}
