// The scene drawn by a minimal, fast GL program: corners written to one buffer, all images on one texture, one draw
// call. A lower bound for programs that draw with GL.

#include "serve.h"
#include "sprites.h"

#include <SDL2/SDL.h>
#include <epoxy/gl.h>

#include <filo/time.h>

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

typedef struct Corner {
    float x, y;
    uint16_t u, v;
    uint8_t color[4];
} Corner;

static Scene scene;
static SDL_Window *window;
static GLuint buffer;
static Corner *corners;

static const char *const vertex_source =
    "#version 330 core\n"
    "layout(location = 0) in vec2 position; layout(location = 1) in vec2 "
    "texel; layout(location = 2) in vec4 color;\n"
    "out vec2 uv; out vec4 tint;\n"
    "void main() { uv = texel; tint = color; gl_Position = vec4(position.x "
    "/ 400.0 - 1.0, 1.0 - position.y / 300.0, 0, 1); }\n";
static const char *const fragment_source =
    "#version 330 core\n"
    "uniform sampler2D image; in vec2 uv; in vec4 tint; out vec4 result;\n"
    "void main() { result = texture(image, uv) * tint; }\n";

static GLuint compile(GLenum kind, const char *source) {
    GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    return shader;
}

static void make_texture(void) {
    // All images side by side.
    int width = SCENE_SIZE * scene.images;
    uint8_t *all = calloc((size_t)width * SCENE_SIZE, 4), image[SCENE_SIZE * SCENE_SIZE * 4];
    for (int i = 0; i < scene.images; i++) {
        scene_image(image, i);
        for (int y = 0; y < SCENE_SIZE; y++)
            memcpy(all + ((size_t)y * (size_t)width + (size_t)i * SCENE_SIZE) * 4, image + y * SCENE_SIZE * 4,
                   SCENE_SIZE * 4);
    }
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, SCENE_SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, all);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    free(all);
}

static void make_buffers(void) {
    GLuint array, indices;
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof(Corner), (void *)0);
    glVertexAttribPointer(1, 2, GL_UNSIGNED_SHORT, GL_TRUE, sizeof(Corner), (void *)8);
    glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Corner), (void *)12);
    for (GLuint i = 0; i < 3; i++) glEnableVertexAttribArray(i);
    uint32_t *list = malloc(scene.count * 6 * sizeof *list);
    const uint32_t order[6] = { 0, 1, 2, 0, 2, 3 };
    for (size_t i = 0; i < scene.count * 6; i++) list[i] = (uint32_t)(i / 6 * 4) + order[i % 6];
    glGenBuffers(1, &indices);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(scene.count * 6 * sizeof *list), list, GL_STATIC_DRAW);
    free(list);
    corners = malloc(scene.count * 4 * sizeof *corners);
}

static bool begin(const char *service) {
    scene_begin(&scene, service);
    mallopt(M_TRIM_THRESHOLD,
            1 << 30); // otherwise malloc would return memory to the system and request it again in each frame
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return false;
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    window = SDL_CreateWindow("GL", 0, 0, SCENE_WIDTH, SCENE_HEIGHT, SDL_WINDOW_OPENGL);
    if (window == NULL || SDL_GL_CreateContext(window) == NULL) return false;
    GLuint program = glCreateProgram();
    glAttachShader(program, compile(GL_VERTEX_SHADER, vertex_source));
    glAttachShader(program, compile(GL_FRAGMENT_SHADER, fragment_source));
    glLinkProgram(program);
    glUseProgram(program);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glClearColor(0.08f, 0.09f, 0.12f, 1);
    make_texture();
    make_buffers();
    return glGetError() == GL_NO_ERROR;
}

static double sample(void) {
    scene_move(&scene);
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < scene.count; i++) {
        const SceneSprite *s = &scene.sprites[i];
        uint16_t left = (uint16_t)(65535 * (i % (size_t)scene.images) / (size_t)scene.images);
        uint16_t right = (uint16_t)(65535 * (i % (size_t)scene.images + 1) / (size_t)scene.images);
        const float x = s->x, y = s->y, size = SCENE_SIZE;
        Corner *c = corners + i * 4;
        c[0] = (Corner){ x, y, left, 0, { s->r, s->g, s->b, s->a } };
        c[1] = (Corner){ x + size, y, right, 0, { s->r, s->g, s->b, s->a } };
        c[2] = (Corner){ x + size, y + size, right, 65535, { s->r, s->g, s->b, s->a } };
        c[3] = (Corner){ x, y + size, left, 65535, { s->r, s->g, s->b, s->a } };
    }
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(scene.count * 4 * sizeof *corners), corners, GL_STREAM_DRAW);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawElements(GL_TRIANGLES, (GLsizei)(scene.count * 6), GL_UNSIGNED_INT, NULL);
    uint32_t pixel;
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &pixel);
    double ms = (double)(filo_time_ns() - start) / 1e6;
    SDL_GL_SwapWindow(window);
    return ms;
}

static void end(void) {
    SDL_Quit();
    scene_end(&scene);
    free(corners);
}

BENCH_SERVICE(gl_frame_1, "gl.frame.100000.1", begin, sample, end)
BENCH_SERVICE(gl_frame_4, "gl.frame.100000.4", begin, sample, end)
