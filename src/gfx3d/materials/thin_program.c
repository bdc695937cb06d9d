// Programs and textures, first version.

#include "gfx3d/renderer.h"

#include <stdio.h>
#include <stdlib.h>

static void expand(FILE *out, const char *text, const char **seen, int *count) {
    while (*text != '\0') {
        size_t n = strcspn(text, "\n");
        char name[64];
        if (sscanf(text, "#include \"%63[^\"]\"", name) == 1) {
            const char *file = gfx3d_shader_text(name);
            bool known = false;
            for (int i = 0; i < *count; i++) known = known || seen[i] == file;
            if (!known && file != NULL) {
                seen[(*count)++] = file;
                expand(out, file, seen, count);
            }
        } else {
            fwrite(text, 1, n, out);
        }
        fputc('\n', out);
        text += n + (text[n] == '\n');
    }
}

static char *compose(const Gfx3dProgramDesc *desc, const char *wanted) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (desc->defines != NULL) fprintf(out, "#define %s\n", desc->defines);
    const char *seen[16], *source = desc->source != NULL ? desc->source : gfx3d_shader_text(desc->label);
    int count = 0;
    const char *vertex = strstr(source, "//! vertex"), *fragment = strstr(source, "//! fragment");
    char *head = strndup(source, (size_t)(vertex - source));
    char *part = wanted[0] == 'v' ? strndup(vertex, (size_t)(fragment - vertex)) : strdup(fragment);
    expand(out, head, seen, &count);
    expand(out, part, seen, &count);
    fclose(out);
    free(head);
    free(part);
    return text;
}

FiloResult gfx3d_program_create(FiloPipeline *pipeline, FiloGfx3d *gfx, const Gfx3dProgramDesc *desc) {
    FiloPipelineDesc full = desc->pipeline;
    full.label = desc->label;
    char *vertex = compose(desc, "vertex"), *fragment = compose(desc, "fragment");
    full.vertex = vertex;
    full.fragment = fragment;
    full.blocks[0] = "Frame";
    FiloResult r = filo_gpu_pipeline_create(pipeline, gfx->gpu, &full);
    free(vertex);
    free(fragment);
    return r;
}

FiloTexture gfx3d_texture_find(FiloGfx3d *gfx, const Gfx3dTextureKey *key) {
    static FiloTexture white;
    FILO_UNUSED(key);
    if (white.id == 0)
        (void)filo_gpu_texture_create(&white, gfx->gpu,
                                      &(FiloTextureDesc){ .width = 1, .height = 1, .data = "\xff\xff\xff\xff" });
    return white;
}
