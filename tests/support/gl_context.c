// A GL context for tests, and suppressions for drivers under sanitizers.

#include "support/gl_context.h"

#include "support/test.h"

#include <epoxy/egl.h>

static EGLDisplay display = EGL_NO_DISPLAY;
static EGLContext context = EGL_NO_CONTEXT;
static EGLSurface surface = EGL_NO_SURFACE;

void filo_test_gl_context_end(void) {
    if (display == EGL_NO_DISPLAY) return;
    (void)eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context != EGL_NO_CONTEXT) (void)eglDestroyContext(display, context);
    if (surface != EGL_NO_SURFACE) (void)eglDestroySurface(display, surface);
    context = EGL_NO_CONTEXT;
    surface = EGL_NO_SURFACE;
}

static bool open_display(void) {
    if (display != EGL_NO_DISPLAY) return true;
    if (!epoxy_has_egl()) return false;
    EGLDisplay found = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
    if (found == EGL_NO_DISPLAY || !eglInitialize(found, NULL, NULL)) return false;
    display = found;
    return true;
}

static bool make_context(int major, int minor) {
    static const EGLint wanted[] = { EGL_SURFACE_TYPE,
                                     EGL_PBUFFER_BIT,
                                     EGL_RENDERABLE_TYPE,
                                     EGL_OPENGL_BIT,
                                     EGL_RED_SIZE,
                                     8,
                                     EGL_GREEN_SIZE,
                                     8,
                                     EGL_BLUE_SIZE,
                                     8,
                                     EGL_ALPHA_SIZE,
                                     8,
                                     EGL_DEPTH_SIZE,
                                     24,
                                     EGL_NONE };
    static const EGLint size[] = { EGL_WIDTH, FILO_TEST_GL_WIDTH, EGL_HEIGHT, FILO_TEST_GL_HEIGHT, EGL_NONE };
    const EGLint version[] = { EGL_CONTEXT_MAJOR_VERSION,
                               major,
                               EGL_CONTEXT_MINOR_VERSION,
                               minor,
                               EGL_CONTEXT_OPENGL_PROFILE_MASK,
                               EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                               EGL_NONE };
    EGLConfig config;
    EGLint found = 0;
    if (!eglBindAPI(EGL_OPENGL_API) || !eglChooseConfig(display, wanted, &config, 1, &found) || found == 0)
        return false;
    surface = eglCreatePbufferSurface(display, config, size);
    context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    return surface != EGL_NO_SURFACE && context != EGL_NO_CONTEXT &&
           eglMakeCurrent(display, surface, surface, context);
}

void filo_test_gl_context(int major, int minor) {
    filo_test_gl_context_end();
    if (open_display() && make_context(major, minor)) return;
    filo_test_gl_context_end();
    skip();
}

// ---- Sanitizers ---------------------------------------------------------------------------------------

// A driver that was unloaded would leave leak reports without symbols, so drivers stay loaded. The test is linked so
// that libraries find this function before the C library's.
__attribute__((visibility("default"))) int dlclose(void *handle);
int dlclose(void *handle) {
    (void)handle;
    return 0;
}

// The thread sanitizer does not see how the threads of the software driver synchronise.
__attribute__((visibility("default"))) const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void) {
    return "race:swrast_dri.so\n"
           "race:libLLVM\n"
           "race:libGLX_mesa\n"
           "deadlock:swrast_dri.so\n"
           "mutex:swrast_dri.so\n" // it unlocks what libLLVM has locked
           "race:libopenal.so\n"   // as does a sound server
           "race:libpulse\n"
           "called_from_lib:libLLVM\n";
}
