// Pictures of trees, for those that are far away. A small rasteriser draws the mesh from the side: a depth for each sample,
// four samples a pixel, colours as they are painted, without light.

#include "meshes.h"

#include <float.h>
#include <string.h>

#define WIDTH   (CARD_PIXELS / CARD_COLUMNS)
#define HEIGHT  (CARD_PIXELS / CARD_ROWS)
#define SAMPLES 2 // along each side of a pixel
#define ACROSS  (WIDTH * SAMPLES)
#define DOWN    (HEIGHT * SAMPLES)

typedef struct Picture {
    FiloColor colors[DOWN][ACROSS];
    float depths[DOWN][ACROSS];
} Picture;

FiloRect card_image(uint32_t number) {
    float x = (float)(number % CARD_COLUMNS) * WIDTH, y = (float)(number / CARD_COLUMNS) * HEIGHT;
    return filo_rect(filo_vec2((x + 1) / CARD_PIXELS, (y + 1) / CARD_PIXELS),
                     filo_vec2((x + WIDTH - 1) / CARD_PIXELS, (y + HEIGHT - 1) / CARD_PIXELS));
}

// Half of its width: the tree is in the middle.
static float half_width(FiloAabb3 bounds) {
    return filo_max(filo_max(-bounds.min.x, bounds.max.x), filo_max(-bounds.min.z, bounds.max.z));
}

static FiloColor texel_at(const FiloPixels *image, FiloVec2 uv) {
    int x = FILO_CLAMP((int)(uv.x * (float)image->width), 0, image->width - 1);
    int y = FILO_CLAMP((int)(uv.y * (float)image->height), 0, image->height - 1);
    return *filo_pixels_at(image, x, y);
}

static FiloColor lit(FiloColor color, FiloColor light) {
    return filo_color((uint8_t)(color.r * light.r / 255), (uint8_t)(color.g * light.g / 255),
                      (uint8_t)(color.b * light.b / 255), color.a);
}

typedef struct Corner {
    float x, y, depth;
    FiloVec2 uv;
    FiloColor light;
} Corner;

static void draw_triangle(Picture *picture, const Corner c[3], const FiloPixels *image) {
    float area = (c[1].x - c[0].x) * (c[2].y - c[0].y) - (c[2].x - c[0].x) * (c[1].y - c[0].y);
    if (filo_abs(area) < 1e-6f) return;
    int x0 = FILO_MAX(filo_floor_to_int(filo_min(c[0].x, filo_min(c[1].x, c[2].x))), 0);
    int x1 = FILO_MIN(filo_floor_to_int(filo_max(c[0].x, filo_max(c[1].x, c[2].x))), ACROSS - 1);
    int y0 = FILO_MAX(filo_floor_to_int(filo_min(c[0].y, filo_min(c[1].y, c[2].y))), 0);
    int y1 = FILO_MIN(filo_floor_to_int(filo_max(c[0].y, filo_max(c[1].y, c[2].y))), DOWN - 1);
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            float px = (float)x + 0.5f, py = (float)y + 0.5f;
            float b = ((px - c[0].x) * (c[2].y - c[0].y) - (c[2].x - c[0].x) * (py - c[0].y)) / area;
            float d = ((c[1].x - c[0].x) * (py - c[0].y) - (px - c[0].x) * (c[1].y - c[0].y)) / area;
            float a = 1 - b - d;
            if (a < 0 || b < 0 || d < 0) continue;
            float depth = a * c[0].depth + b * c[1].depth + d * c[2].depth;
            if (depth <= picture->depths[y][x]) continue; // z grows towards the viewer
            FiloVec2 uv = filo_vec2(a * c[0].uv.x + b * c[1].uv.x + d * c[2].uv.x,
                                    a * c[0].uv.y + b * c[1].uv.y + d * c[2].uv.y);
            FiloColor color = texel_at(image, uv);
            if (color.a < 110) continue;
            picture->depths[y][x] = depth;
            picture->colors[y][x] = lit(color, filo_color_lerp(c[0].light, c[2].light, d));
            picture->colors[y][x].a = 255;
        }
}

// The mean of the samples of a pixel. What is empty gets the mean colour of the tree, so that no edge is dark.
static void reduce(const Picture *picture, const FiloPixels *into) {
    uint64_t sums[4] = { 0 };
    for (int pass = 0; pass < 2; pass++)
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                uint32_t r = 0, g = 0, b = 0, n = 0;
                for (int i = 0; i < SAMPLES * SAMPLES; i++) {
                    FiloColor color = picture->colors[SAMPLES * y + i / SAMPLES][SAMPLES * x + i % SAMPLES];
                    if (color.a != 0) r += color.r, g += color.g, b += color.b, n++;
                }
                if (pass == 0) {
                    sums[0] += r, sums[1] += g, sums[2] += b, sums[3] += n;
                    continue;
                }
                uint64_t all = FILO_MAX(sums[3], (uint64_t)1);
                FiloColor mean = filo_color((uint8_t)(sums[0] / all), (uint8_t)(sums[1] / all),
                                            (uint8_t)(sums[2] / all), 0);
                if (n > 0)
                    mean = filo_color((uint8_t)(r / n), (uint8_t)(g / n), (uint8_t)(b / n),
                                      (uint8_t)(255 * n / (SAMPLES * SAMPLES)));
                *filo_pixels_at(into, x, y) = mean;
            }
}

void card_take(const FiloPixels *pixels, uint32_t number, const FiloMeshData *mesh, const FiloPixels *trees) {
    Picture *picture = filo_alloc_zero(NULL, sizeof *picture, 0);
    if (picture == NULL) return;
    for (int i = 0; i < DOWN * ACROSS; i++) picture->depths[i / ACROSS][i % ACROSS] = -FLT_MAX;
    float half = half_width(mesh->bounds), top = mesh->bounds.max.y;
    for (uint32_t i = 0; i + 2 < mesh->index_count; i += 3) {
        Corner corners[3];
        for (uint32_t j = 0; j < 3; j++) {
            uint32_t v = mesh->indices[i + j];
            FiloVec3 p = mesh->positions[v];
            corners[j] = (Corner){ (p.x / half * 0.5f + 0.5f) * ACROSS, (1 - p.y / top) * DOWN, p.z,
                                   mesh->uvs[v], mesh->colors[v] };
        }
        draw_triangle(picture, corners, trees);
    }
    FiloPixels part = filo_pixels_part(pixels, (int)(number % CARD_COLUMNS) * WIDTH,
                                       (int)(number / CARD_COLUMNS) * HEIGHT, WIDTH, HEIGHT);
    reduce(picture, &part);
    filo_free(NULL, picture, sizeof *picture, 0);
}

void card_build(Builder *builder, uint32_t number, FiloAabb3 bounds) {
    builder_clear(builder, 1);
    FiloRect uv = card_image(number);
    float half = half_width(bounds);
    for (uint32_t i = 0; i < 4; i++)
        (void)builder_vertex(
            builder, filo_vec3(i % 2 == 0 ? -half : half, i < 2 ? 0 : bounds.max.y, 0), filo_vec3(0, 0, 1),
            filo_vec2(i % 2 == 0 ? uv.min.x : uv.max.x, i < 2 ? uv.max.y : uv.min.y), FILO_COLOR_WHITE);
    builder_triangle(builder, 0, 1, 2);
    builder_triangle(builder, 2, 1, 3);
}
