// Placement by compute shaders, in a GL context without a screen. The time ends when the objects can be read.

#include "placement.h"

#include <epoxy/egl.h>

#include <stdio.h>
#include <string.h>

static FiloGpu *gpu;

static bool make_context(void) {
    if (!epoxy_has_egl()) return false;
    EGLDisplay display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
        return false;
    static const EGLint version[] = { EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 5, EGL_NONE };
    EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version);
    return context != EGL_NO_CONTEXT && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
}

FiloPlacementGpu *placement_gl_create(const PlacementSite *site) {
    if (gpu == NULL && (!make_context() || filo_gpu_create(&gpu, NULL).code != FILO_OK)) return NULL;
    FiloPlacementGpu *pgpu = NULL;
    FiloResult r =
        filo_placement_gpu_create(&pgpu, gpu, &(FiloPlacementGpuDesc){ .placement = site->placement });
    if (r.code != FILO_OK) fprintf(stderr, "no placement by GL: %s\n", r.message);
    return pgpu;
}

double placement_gl_sample(void *state) {
    PlacementSite *site = state;
    FiloPlacementGpuFuture future;
    FiloPlacementGpuResult result;
    int64_t start = filo_time_ns();
    FiloResult r = filo_placement_gpu_start(&future, site->pgpu, &site->request);
    if (r.code == FILO_OK) r = filo_placement_gpu_take(site->pgpu, future, &result);
    double us = (double)(filo_time_ns() - start) * 1e-3;
    bench_expect(r.code == FILO_OK && result.count == site->placed, "shaders place the same number");
    // The bytes are compared with those of the CPU outside of the measured time.
    r = filo_placement_compute(site->placement, &site->request, &site->result);
    bench_expect(r.code == FILO_OK &&
                     memcmp(result.objects, site->result.objects, result.count * sizeof(FiloPlaced)) == 0,
                 "shaders place the same objects");
    filo_placement_gpu_release(site->pgpu, &result);
    return us;
}
