#include "sprites.h"

#include <filo/filo.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void scene_begin(Scene *scene, const char *service) {
    size_t count = 0;
    int images = 0;
    if (sscanf(service, "%*[^.].%*[^.].%zu.%d", &count, &images) != 2)
        filo_panic("\"%s\" is no scene", service);
    *scene = (Scene){ calloc(count, sizeof *scene->sprites), count, images };
    if (scene->sprites == NULL) filo_panic("no memory for the benchmark");
    for (size_t i = 0; i < count; i++) {
        FiloRandom random = filo_random_keyed(1, 0, 0, i);
        SceneSprite *s = &scene->sprites[i];
        s->x = filo_random_float_range(&random, 0, SCENE_WIDTH - SCENE_SIZE);
        s->y = filo_random_float_range(&random, 0, SCENE_HEIGHT - SCENE_SIZE);
        s->vx = filo_random_float_range(&random, -3, 3);
        s->vy = filo_random_float_range(&random, -3, 3);
        s->r = (uint8_t)filo_random_range(&random, 80, 255);
        s->g = (uint8_t)filo_random_range(&random, 80, 255);
        s->b = (uint8_t)filo_random_range(&random, 80, 255);
        s->a = 255;
    }
}

void scene_end(Scene *scene) { free(scene->sprites); }

void scene_move(Scene *scene) {
    for (size_t i = 0; i < scene->count; i++) {
        SceneSprite *s = &scene->sprites[i];
        s->x += s->vx;
        s->y += s->vy;
        if (s->x < 0 || s->x > SCENE_WIDTH - SCENE_SIZE) s->vx = -s->vx;
        if (s->y < 0 || s->y > SCENE_HEIGHT - SCENE_SIZE) s->vy = -s->vy;
    }
}

void scene_image(uint8_t *rgba, int n) {
    FiloColor color = filo_color_from_hsv((float)n / 7.0f, 0.5f, 1, 1);
    for (int y = 0; y < SCENE_SIZE; y++) {
        for (int x = 0; x < SCENE_SIZE; x++) {
            float dx = (float)x - 7.5f, dy = (float)y - 7.5f;
            float alpha = filo_clamp01(1.6f - filo_sqrt(dx * dx + dy * dy) / 6);
            uint8_t pixel[4] = { color.r, color.g, color.b, filo_byte_from_unit(alpha) };
            memcpy(rgba + 4 * (y * SCENE_SIZE + x), pixel, 4);
        }
    }
}
