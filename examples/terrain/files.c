// What is written: each map as a PNG of 16 bits, all at once on all processors, and a coloured picture of the land.

#include "land.h"

#include <stdio.h>

// ---- Maps -----------------------------------------------------------------------------------------------

typedef struct Saving {
    const Land *land;
    FiloResult results[MAP_COUNT];
} Saving;

static void save_some(size_t begin, size_t end, void *user) {
    Saving *saving = user;
    const Land *land = saving->land;
    for (size_t i = begin; i < end; i++) {
        char name[64], path[FILO_PATH_SIZE];
        snprintf(name, sizeof name, "%s.png", map_names[i]);
        FiloGrey16 grey = { land->maps[i], land->width, land->height, land->width };
        saving->results[i] = filo_path_join(path, sizeof path, land->options.out, name)
                                 ? filo_grey16_save(&grey, path)
                                 : filo_error(FILO_ERROR_LIMIT, "%s: the path is too long", name);
    }
}

FiloResult save_maps(const Land *land) {
    Saving saving = { .land = land };
    filo_jobs_for_each(land->jobs, MAP_COUNT, save_some, &saving);
    for (int i = 0; i < MAP_COUNT; i++)
        if (saving.results[i].code != FILO_OK) return saving.results[i];
    return filo_ok();
}

// ---- The preview ----------------------------------------------------------------------------------------

#define PREVIEW_SIDE 1024 // pixels at most

static float unit_of(const Land *land, MapKind map, size_t i) { return (float)land->maps[map][i] / 65535.0f; }

static FiloVec3 mix(FiloVec3 a, FiloVec3 b, float t) { return filo_vec3_lerp(a, b, filo_clamp01(t)); }

// What grows there: meadows, woods, rock, snow.
static FiloVec3 ground_color(const Land *land, size_t i) {
    static const FiloVec3 meadow = { 0.47f, 0.55f, 0.27f }, wood = { 0.25f, 0.35f, 0.20f };
    static const FiloVec3 pasture = { 0.58f, 0.58f, 0.36f }, rock = { 0.50f, 0.47f, 0.43f };
    static const FiloVec3 snow = { 0.93f, 0.95f, 0.98f }, shore = { 0.35f, 0.50f, 0.25f };
    float height = unit_of(land, MAP_HEIGHT, i), slope = unit_of(land, MAP_SLOPE, i) * 90;
    float hollow = unit_of(land, MAP_CURVATURE, i) - 0.5f, wetness = unit_of(land, MAP_WETNESS, i);
    FiloVec3 color = mix(meadow, pasture, (height - 0.1f) * 3);
    color = mix(color, shore, (wetness - 0.45f) * 3);
    float trees = filo_smoothstep(9, 18, slope) * (1 - filo_smoothstep(0.36f, 0.44f, height - hollow * 0.4f));
    color = mix(color, wood, trees * 0.85f);
    color = mix(color, rock, filo_smoothstep(32, 43, slope - hollow * 12));
    float cold = filo_smoothstep(0.42f, 0.5f, height + hollow * 0.2f) * (1 - filo_smoothstep(38, 50, slope));
    return mix(color, snow, cold);
}

// Light from the upper left, and a little from the sky, less of it in hollows.
static float light_at(const Land *land, size_t i) {
    float slope = unit_of(land, MAP_SLOPE, i) * FILO_HALF_PI,
          aspect = unit_of(land, MAP_ASPECT, i) * FILO_TAU;
    float across = filo_sin(slope), hollow = unit_of(land, MAP_CURVATURE, i) - 0.5f;
    // The normal leans downhill; rows go down in the picture.
    float sun =
        -0.56f * across * filo_cos(aspect) - 0.56f * across * filo_sin(aspect) + 0.61f * filo_cos(slope);
    return 0.36f - 0.3f * hollow + 1.1f * filo_max(sun, 0);
}

static FiloVec3 color_at(const Land *land, size_t i) {
    static const FiloVec3 water = { 0.17f, 0.36f, 0.50f }, road = { 0.86f, 0.80f, 0.66f };
    if (land->roads[i] != 0) return road;
    if (land->water[i] != 0) return water;
    return filo_vec3_scale(ground_color(land, i), light_at(land, i));
}

typedef struct Painting {
    const Land *land;
    FiloPixels pixels;
    int step; // texels of a pixel
} Painting;

static void paint_rows(size_t begin, size_t end, void *user) {
    const Painting *p = user;
    float weight = 1.0f / (float)(p->step * p->step);
    for (size_t row = begin; row < end; row++)
        for (int column = 0; column < p->pixels.width; column++) {
            FiloVec3 sum = filo_vec3(0, 0, 0);
            for (int k = 0; k < p->step * p->step; k++) {
                size_t y = row * (size_t)p->step + (size_t)(k / p->step);
                size_t x = (size_t)column * (size_t)p->step + (size_t)(k % p->step);
                sum = filo_vec3_add_scaled(sum, color_at(p->land, y * (size_t)p->land->width + x), weight);
            }
            *filo_pixels_at(&p->pixels, column, (int)row) =
                filo_color_from_straight(filo_vec4_from_vec3(sum, 1));
        }
}

FiloResult save_preview(const Land *land, const char *path) {
    Painting painting = { .land = land };
    painting.step = (FILO_MAX(land->width, land->height) + PREVIEW_SIDE - 1) / PREVIEW_SIDE;
    int width = FILO_MAX(land->width / painting.step, 1), height = FILO_MAX(land->height / painting.step, 1);
    if (!filo_pixels_create(&painting.pixels, width, height, NULL))
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the picture", path);
    filo_jobs_for(land->jobs, (size_t)height, paint_rows, &painting);
    FiloResult r = filo_image_save(&painting.pixels, path);
    filo_pixels_free(&painting.pixels, NULL);
    return r;
}
