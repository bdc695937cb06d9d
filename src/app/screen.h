// The module "screen": a window, what draws in it, and the picture.

#ifndef FILO_APP_SCREEN_H
#define FILO_APP_SCREEN_H

#include <filo/app.h>

typedef struct AppScreen {
    FiloWindowDesc desc; // title and `headless` may still be changed by the app that it finds
    FiloApp *app;        // what follows while it is loaded
    FiloHeap heap;
    FiloBackend backend; // what was chosen
    FiloWindow *window;
    FiloGpu *gpu;       // NULL: the CPU draws
    FiloPixels picture; // drawn by the CPU, or read back
    bool show_failed;   // it was logged that the window does not show pixels,
    bool too_large;     // or that it is too large
} AppScreen;

FiloModuleDesc app_screen_module(AppScreen *screen);

#endif
