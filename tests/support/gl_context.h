// A GL context for tests, without a display: EGL's surfaceless platform with a small surface to draw to.
//
//     FILO_TEST(draws_a_triangle) {
//         filo_test_gl_context(4, 5); // skips the test if there is none
//         …
//
// Linked with the tests of the modules that use GL; see tests/CMakeLists.txt.

#ifndef FILO_TEST_GL_CONTEXT_H
#define FILO_TEST_GL_CONTEXT_H

#define FILO_TEST_GL_WIDTH  128 // of the surface, the "window"
#define FILO_TEST_GL_HEIGHT 96

// Creates a core context of this version or higher, with colours, alpha and 24 bits of depth, and makes it current. The
// context of an earlier call is destroyed. Skips the test if there is no such context.
void filo_test_gl_context(int major, int minor);
// Destroys it, so that none is current.
void filo_test_gl_context_end(void);

#endif
