// Devices, shaders and pixel checks for the tests of the graphics device. Tests run on OpenGL 4.5 and on 3.3, and
// fail if the driver reports an error.

#ifndef FILO_TEST_GPU_SCENE_H
#define FILO_TEST_GPU_SCENE_H

#include "support/gl_context.h"
#include "support/test.h"

#include <filo/gpu.h>
#include <filo/log.h>

#define WINDOW_WIDTH  FILO_TEST_GL_WIDTH
#define WINDOW_HEIGHT FILO_TEST_GL_HEIGHT

// Counts warnings and errors in the log, which include those of the driver and of GL.
typedef struct LogCount {
    int count;
    char last[512];
    FiloLogSink sink;
} LogCount;

static inline void count_message(const FiloLogMessage *message, void *user) {
    LogCount *log = user;
    log->count++;
    (void)snprintf(log->last, sizeof log->last, "%s", message->text);
}

static inline void log_count_begin(LogCount *log) {
    *log = (LogCount){ 0 };
    log->sink =
        filo_log_add_sink(&(FiloLogSinkDesc){ .write = count_message, .user = log, .filter = "warn" });
}

static inline void log_count_end(LogCount *log) { filo_log_remove_sink(log->sink); }

// Runs the body on a device, and skips the test without one. Every GL error is in the log, because `debug` is on, and
// fails the test.
static inline void on_device(FiloGpuKind kind, void (*body)(FiloGpu *gpu)) {
    filo_test_gl_context(kind == FILO_GPU_GL45 ? 4 : 3, kind == FILO_GPU_GL45 ? 5 : 3);
    LogCount log;
    log_count_begin(&log);
    FiloGpu *gpu;
    assert_ok(filo_gpu_create(&gpu, &(FiloGpuDesc){ .kind = kind, .debug = true }));
    assert_int_equal(filo_gpu_limits(gpu)->kind, kind);
    body(gpu);
    filo_gpu_destroy(gpu);
    log_count_end(&log);
    if (log.count > 0) fail_msg("%d messages in the log, the last: %s", log.count, log.last);
    filo_test_gl_context_end();
}

// Runs the body on both devices. Without OpenGL 4.5 it runs on 3.3, and the test is skipped.
static inline void on_both(void (*body)(FiloGpu *gpu)) {
    on_device(FILO_GPU_GL33, body);
    on_device(FILO_GPU_GL45, body);
}

static inline FiloGpu *null_device(void) {
    FiloGpu *gpu;
    assert_ok(filo_gpu_create(&gpu, &(FiloGpuDesc){ .kind = FILO_GPU_NULL }));
    return gpu;
}

// ---- Shaders ------------------------------------------------------------------------------------------

// Positions in clip space, one colour for all.
#define FLAT_VERTEX                                                                                          \
    "layout(location = 0) in vec2 position;\nvoid main() { gl_Position = vec4(position, 0, 1); }\n"
#define FLAT_FRAGMENT "uniform vec4 color;\nout vec4 result;\nvoid main() { result = color; }\n"

static inline FiloPipeline flat_pipeline(FiloGpu *gpu, FiloBlend blend) {
    FiloPipeline pipeline;
    assert_ok(filo_gpu_pipeline_create(&pipeline, gpu,
                                       &(FiloPipelineDesc){ .label = "flat",
                                                            .vertex = FLAT_VERTEX,
                                                            .fragment = FLAT_FRAGMENT,
                                                            .attributes = { { FILO_ATTRIBUTE_FLOAT2, 0, 0 } },
                                                            .buffers = { { 8, false } },
                                                            .blend = blend }));
    return pipeline;
}

// A rectangle in clip space that shows a picture: its upper left corner is texture coordinate (0, 0).
#define PICTURE_VERTEX                                                                                       \
    "uniform vec4 rect;\nout vec2 uv;\n"                                                                     \
    "void main() {\n"                                                                                        \
    "    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"                                           \
    "    uv = corner;\n"                                                                                     \
    "    gl_Position = vec4(rect.x + rect.z * corner.x, rect.y - rect.w * corner.y, 0, 1);\n"                \
    "}\n"
#define PICTURE_FRAGMENT                                                                                     \
    "uniform sampler2D picture;\nin vec2 uv;\nout vec4 result;\n"                                            \
    "void main() { result = texture(picture, uv); }\n"

static inline FiloPipeline picture_pipeline(FiloGpu *gpu) {
    FiloPipeline pipeline;
    assert_ok(filo_gpu_pipeline_create(&pipeline, gpu,
                                       &(FiloPipelineDesc){ .label = "picture",
                                                            .vertex = PICTURE_VERTEX,
                                                            .fragment = PICTURE_FRAGMENT,
                                                            .topology = FILO_TRIANGLE_STRIP }));
    return pipeline;
}

// Draws a texture over the whole of the pass.
static inline void draw_picture(FiloGpu *gpu, FiloPipeline pipeline, FiloTexture texture) {
    filo_gpu_use(gpu, pipeline);
    assert_true(filo_gpu_set_vec4(gpu, "rect", filo_vec4(-1, 1, 2, 2)));
    assert_true(filo_gpu_set_texture(gpu, "picture", texture));
    filo_gpu_draw(gpu, 0, 4, 1);
}

static inline FiloBuffer vertices(FiloGpu *gpu, const float *data, size_t size) {
    FiloBuffer buffer;
    assert_ok(filo_gpu_buffer_create(
        &buffer, gpu,
        &(FiloBufferDesc){ .label = "vertices", .size = size, .data = data, .constant = true }));
    return buffer;
}

static inline FiloTexture make_texture(FiloGpu *gpu, const FiloTextureDesc *desc) {
    FiloTexture texture;
    assert_ok(filo_gpu_texture_create(&texture, gpu, desc));
    return texture;
}

// ---- Passes and pixels --------------------------------------------------------------------------------

static inline void begin_window(FiloGpu *gpu, FiloVec4 color) {
    filo_gpu_begin_pass(
        gpu, &(FiloGpuPass){ .width = WINDOW_WIDTH, .height = WINDOW_HEIGHT, .clear = true, .color = color });
}

static inline FiloColor read_pixel(FiloGpu *gpu, FiloRenderTarget target, int x, int y) {
    FiloColor color = { 1, 2, 3, 4 };
    assert_ok(filo_gpu_read(gpu, target, x, y, &(FiloPixels){ &color, 1, 1, 1 }));
    return color;
}

#define WINDOW ((FiloRenderTarget){ 0 })

// Fails unless the pixel has this colour, give or take 2 in a byte.
#define assert_pixel(gpu, target, x, y, color)                                                               \
    check_pixel((gpu), (target), (x), (y), (color), __FILE__, __LINE__)

static inline bool near_byte(int a, int b) { return a - b <= 2 && b - a <= 2; }

static inline void check_pixel(FiloGpu *gpu, FiloRenderTarget target, int x, int y, FiloColor wanted,
                               const char *file, int line) {
    FiloColor found = read_pixel(gpu, target, x, y);
    if (near_byte(found.r, wanted.r) && near_byte(found.g, wanted.g) && near_byte(found.b, wanted.b) &&
        near_byte(found.a, wanted.a))
        return;
    print_error("pixel %d, %d is %d %d %d %d, not %d %d %d %d\n", x, y, found.r, found.g, found.b, found.a,
                wanted.r, wanted.g, wanted.b, wanted.a);
    _fail(file, line);
}

#define RED_PIXEL   filo_color(255, 0, 0, 255)
#define GREEN_PIXEL filo_color(0, 255, 0, 255)
#define BLUE_PIXEL  filo_color(0, 0, 255, 255)
#define WHITE_PIXEL filo_color(255, 255, 255, 255)
#define BLACK_PIXEL filo_color(0, 0, 0, 255)

#endif
