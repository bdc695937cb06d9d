// The scene of all 2D figures: sprites of 16 × 16 pixels, tinted and translucent at the edges, that bounce in a picture
// of 800 × 600. Filo and the other libraries draw the same.

#ifndef FILO_BENCH_SPRITES_H
#define FILO_BENCH_SPRITES_H

#include <stddef.h>
#include <stdint.h>

#define SCENE_WIDTH  800
#define SCENE_HEIGHT 600
#define SCENE_SIZE   16 // of a sprite

typedef struct SceneSprite {
    float x, y; // upper left corner, pixels
    float vx, vy;
    uint8_t r, g, b, a; // tint, straight
} SceneSprite;

typedef struct Scene {
    SceneSprite *sprites;
    size_t count;
    int images; // sprite n shows image n % images
} Scene;

// A service is called "library.kind.count.images": "sdl.submit.100000.4".
void scene_begin(Scene *scene, const char *service);
void scene_end(Scene *scene);
void scene_move(Scene *scene); // by one frame
// Straight colours of an image, 16 × 16, 4 bytes a pixel; n from 0.
void scene_image(uint8_t *rgba, int n);

#endif
