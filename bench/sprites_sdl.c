// The scene drawn by SDL_Renderer: by its GL driver, with batching, and by its software driver.

#include "serve.h"
#include "sprites.h"

#include <SDL2/SDL.h>

#include <filo/time.h>

static Scene scene;
static SDL_Window *window;
static SDL_Renderer *renderer;
static SDL_Surface *surface; // of the software driver
static SDL_Texture *textures[64];

static bool begin_with(const char *service, const char *driver) {
    scene_begin(&scene, service);
    SDL_SetHint(SDL_HINT_RENDER_DRIVER, driver);
    SDL_SetHint(SDL_HINT_RENDER_BATCHING, "1");
    SDL_SetHint(SDL_HINT_RENDER_VSYNC, "0");
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return false;
    if (strcmp(driver, "software") == 0) {
        surface = SDL_CreateRGBSurfaceWithFormat(0, SCENE_WIDTH, SCENE_HEIGHT, 32, SDL_PIXELFORMAT_ARGB8888);
        renderer = surface != NULL ? SDL_CreateSoftwareRenderer(surface) : NULL;
    } else {
        window = SDL_CreateWindow("SDL", 0, 0, SCENE_WIDTH, SCENE_HEIGHT, SDL_WINDOW_OPENGL);
        renderer = window != NULL ? SDL_CreateRenderer(window, -1, SDL_RENDERER_ACCELERATED) : NULL;
    }
    if (renderer == NULL) return false;
    for (int i = 0; i < scene.images; i++) {
        uint8_t rgba[SCENE_SIZE * SCENE_SIZE * 4];
        scene_image(rgba, i);
        textures[i] = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_ABGR8888, SDL_TEXTUREACCESS_STATIC,
                                        SCENE_SIZE, SCENE_SIZE);
        if (textures[i] == NULL) return false;
        SDL_UpdateTexture(textures[i], NULL, rgba, SCENE_SIZE * 4);
        SDL_SetTextureBlendMode(textures[i], SDL_BLENDMODE_BLEND);
    }
    return true;
}

static bool begin(const char *service) { return begin_with(service, "opengl"); }
static bool begin_software(const char *service) { return begin_with(service, "software"); }

static void submit(void) {
    SDL_SetRenderDrawColor(renderer, 20, 24, 32, 255);
    SDL_RenderClear(renderer);
    for (size_t i = 0; i < scene.count; i++) {
        const SceneSprite *s = &scene.sprites[i];
        SDL_Texture *texture = textures[i % (size_t)scene.images];
        SDL_SetTextureColorMod(texture, s->r, s->g, s->b);
        SDL_FRect to = { s->x, s->y, SCENE_SIZE, SCENE_SIZE };
        SDL_RenderCopyF(renderer, texture, NULL, &to);
    }
    SDL_RenderFlush(renderer);
}

// Nanoseconds a sprite, without waiting for the picture.
static double sample_submit(void) {
    scene_move(&scene);
    int64_t start = filo_time_ns();
    submit();
    double ns = (double)(filo_time_ns() - start) / (double)scene.count;
    SDL_RenderPresent(renderer);
    return ns;
}

// Milliseconds a frame; reading a pixel waits for the picture.
static double sample_frame(void) {
    scene_move(&scene);
    int64_t start = filo_time_ns();
    submit();
    uint32_t pixel;
    SDL_RenderReadPixels(renderer, &(SDL_Rect){ 0, 0, 1, 1 }, SDL_PIXELFORMAT_ARGB8888, &pixel, 4);
    double ms = (double)(filo_time_ns() - start) / 1e6;
    SDL_RenderPresent(renderer);
    return ms;
}

static void end(void) {
    SDL_DestroyRenderer(renderer);
    SDL_FreeSurface(surface);
    if (window != NULL) SDL_DestroyWindow(window);
    SDL_Quit();
    scene_end(&scene);
}

BENCH_SERVICE(sdl_submit_1, "sdl.submit.100000.1", begin, sample_submit, end)
BENCH_SERVICE(sdl_submit_4, "sdl.submit.100000.4", begin, sample_submit, end)
BENCH_SERVICE(sdl_frame_1k, "sdl.frame.1000.4", begin, sample_frame, end)
BENCH_SERVICE(sdl_frame_10k, "sdl.frame.10000.4", begin, sample_frame, end)
BENCH_SERVICE(sdl_frame_100k, "sdl.frame.100000.4", begin, sample_frame, end)
BENCH_SERVICE(sdl_software, "sdl.software.100000.4", begin_software, sample_frame, end)
