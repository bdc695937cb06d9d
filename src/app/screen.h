// The module "screen": the window, the graphics device, and the picture.

#ifndef FILO_APP_SCREEN_H
#define FILO_APP_SCREEN_H

#include <filo/app.h>

typedef struct AppScreen {
    FiloWindowDesc desc; // `load` may set `headless`
    bool needs_gl;       // GL is chosen unless the command line names a backend
    FiloApp *app;        // this and the following fields: while the module is loaded
    FiloHeap heap;
    FiloBackend backend; // the chosen one
    FiloWindow *window;
    FiloGpu *gpu;       // NULL: the CPU draws
    FiloPixels picture; // drawn by the CPU, or read back from the GPU
    bool show_failed;   // the warning that the window does not show pixels was logged
    bool too_large;     // the warning that the window is too large was logged
} AppScreen;

FiloModuleDesc app_screen_module(AppScreen *screen);

#endif
