// The scene drawn by Allegro 5, which needs a display: a virtual one (Xvfb) is started if there is none.

#include "serve.h"
#include "sprites.h"

#include <allegro5/allegro.h>
#include <allegro5/allegro_opengl.h>

#include <filo/time.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static Scene scene;
static ALLEGRO_DISPLAY *display;
static ALLEGRO_BITMAP *bitmaps[64];
static pid_t xvfb;

static bool start_xvfb(void) {
    int to[2];
    if (pipe(to) != 0) return false;
    xvfb = fork();
    if (xvfb == 0) {
        char number[16];
        snprintf(number, sizeof number, "%d", to[1]);
        if (freopen("/dev/null", "w", stderr) == NULL) _exit(1);
        execlp("Xvfb", "Xvfb", "-displayfd", number, "-screen", "0", "1024x768x24", (char *)NULL);
        _exit(1);
    }
    close(to[1]);
    char name[16] = ":";
    ssize_t length = xvfb > 0 ? read(to[0], name + 1, sizeof name - 2) : 0;
    close(to[0]);
    if (length <= 0) return false;
    name[strcspn(name, "\n")] = '\0';
    setenv("DISPLAY", name, 1);
    return true;
}

static bool begin(const char *service) {
    scene_begin(&scene, service);
    if (getenv("DISPLAY") == NULL && !start_xvfb()) return false;
    if (!al_init()) return false;
    al_set_new_display_flags(ALLEGRO_OPENGL | ALLEGRO_PROGRAMMABLE_PIPELINE | ALLEGRO_WINDOWED);
    al_set_new_display_option(ALLEGRO_VSYNC, 2, ALLEGRO_SUGGEST);
    display = al_create_display(SCENE_WIDTH, SCENE_HEIGHT);
    if (display == NULL) return false;
    al_set_new_bitmap_flags(ALLEGRO_VIDEO_BITMAP);
    for (int i = 0; i < scene.images; i++) {
        uint8_t rgba[SCENE_SIZE * SCENE_SIZE * 4];
        scene_image(rgba, i);
        bitmaps[i] = al_create_bitmap(SCENE_SIZE, SCENE_SIZE);
        if (bitmaps[i] == NULL) return false;
        ALLEGRO_LOCKED_REGION *lock =
            al_lock_bitmap(bitmaps[i], ALLEGRO_PIXEL_FORMAT_ABGR_8888_LE, ALLEGRO_LOCK_WRITEONLY);
        for (int y = 0; y < SCENE_SIZE; y++)
            memcpy((char *)lock->data + y * lock->pitch, rgba + y * SCENE_SIZE * 4, SCENE_SIZE * 4);
        al_unlock_bitmap(bitmaps[i]);
    }
    al_set_blender(ALLEGRO_ADD, ALLEGRO_ALPHA, ALLEGRO_INVERSE_ALPHA);
    return true;
}

static void submit(void) {
    al_clear_to_color(al_map_rgb(20, 24, 32));
    al_hold_bitmap_drawing(true);
    for (size_t i = 0; i < scene.count; i++) {
        const SceneSprite *s = &scene.sprites[i];
        al_draw_tinted_bitmap(bitmaps[i % (size_t)scene.images], al_map_rgb(s->r, s->g, s->b), s->x, s->y, 0);
    }
    al_hold_bitmap_drawing(false);
}

static double sample_submit(void) {
    scene_move(&scene);
    int64_t start = filo_time_ns();
    submit();
    double ns = (double)(filo_time_ns() - start) / (double)scene.count;
    al_flip_display();
    return ns;
}

static double sample_frame(void) {
    scene_move(&scene);
    int64_t start = filo_time_ns();
    submit();
    ALLEGRO_LOCKED_REGION *lock = al_lock_bitmap_region(al_get_backbuffer(display), 0, 0, 1, 1,
                                                        ALLEGRO_PIXEL_FORMAT_ANY, ALLEGRO_LOCK_READONLY);
    if (lock != NULL) al_unlock_bitmap(al_get_backbuffer(display));
    double ms = (double)(filo_time_ns() - start) / 1e6;
    al_flip_display();
    return ms;
}

static void end(void) {
    al_destroy_display(display);
    al_uninstall_system(); // while Xvfb is still running
    scene_end(&scene);
    if (xvfb > 0) kill(xvfb, SIGTERM);
}

BENCH_SERVICE(allegro_submit_1, "allegro.submit.100000.1", begin, sample_submit, end)
BENCH_SERVICE(allegro_submit_4, "allegro.submit.100000.4", begin, sample_submit, end)
BENCH_SERVICE(allegro_frame_1k, "allegro.frame.1000.4", begin, sample_frame, end)
BENCH_SERVICE(allegro_frame_10k, "allegro.frame.10000.4", begin, sample_frame, end)
BENCH_SERVICE(allegro_frame_100k, "allegro.frame.100000.4", begin, sample_frame, end)
