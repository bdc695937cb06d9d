// For tests that open windows: leaks of SDL, Mesa and X11 must not fail the tests under the sanitizers. Include it in
// one file of an executable. (gl_context.c has suppressions for the driver's threads, and keeps drivers loaded.)

#ifndef FILO_TEST_SCREENLESS_H
#define FILO_TEST_SCREENLESS_H

__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libX11\n"        // the connection's extensions
           "leak:libdbus-1\n"     // SDL's input methods
           "leak:swrast_dri.so\n" // the software driver
           "leak:libEGL_mesa\n"
           "leak:libGLX_mesa\n"
           "leak:libGLdispatch\n";
}

#endif
