// Any text as a shader file that includes itself and another: it is refused with a place, or every line of the result has
// one.

#include "gfx3d/materials/compose.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static FiloResult open_file(Gfx3dSource *source, const char *name, void *user) {
    *source = (Gfx3dSource){ name, user };
    if (strcmp(name, "none") == 0) return filo_error(FILO_ERROR_NOT_FOUND, "there is none");
    if (strcmp(name, "custom") == 0) source->text = NULL;
    return filo_ok();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *copy = malloc(size + 1);
    if (copy == NULL) return 0;
    if (size > 0) memcpy(copy, data, size);
    copy[size] = '\0';
    for (int stage = GFX3D_STAGE_VERTEX; stage <= GFX3D_STAGE_FRAGMENT; stage++) {
        Gfx3dText text;
        FiloResult result = gfx3d_compose(&text, &(Gfx3dComposeDesc){ .source = { "fuzz.glsl", copy },
                                                                      .stage = (Gfx3dStage)stage,
                                                                      .defines = "A B=2",
                                                                      .open = open_file,
                                                                      .user = copy });
        if (result.code != FILO_OK && result.message[0] == '\0') abort();
        if (result.code != FILO_OK) continue;
        FiloResult error = filo_error(FILO_ERROR_DATA, "x (vertex shader), line 3: no");
        error = gfx3d_text_error(&error, &text, &text);
        if (strstr(error.message, ": no") == NULL) abort();
        const char *composed = filo_builder_text(&text.text);
        (void)gfx3d_text_has_function(composed, "vertex");
        Gfx3dUniforms uniforms = { 0 };
        if (gfx3d_text_uniforms(composed, &uniforms))
            filo_array_each (&uniforms, uniform)
                if (uniform->name[0] == '\0' || memchr(uniform->name, 0, sizeof uniform->name) == NULL)
                    abort();
        filo_array_deinit(&uniforms);
        gfx3d_text_free(&text);
    }
    free(copy);
    return 0;
}
