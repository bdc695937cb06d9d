// Passes and draws. Before a draw, only the GL state that has changed is set.
//
// Orientation: in clip space y = +1 is the upper edge of the picture, in the window and in targets, and the first row
// of a texture is the upper one, whether it was loaded or drawn. In the window GL does the same, but counts rows from
// the bottom, so y of viewport and scissor is converted. In a target GL would put the upper edge into the last row. So
// targets are drawn upside down (on 4.5 by clip control, on 3.3 by a main function of ours, see program.c), and rows
// are counted from the top. Flipping y reverses the winding of triangles; clip control takes care of that, 3.3 needs
// another glFrontFace.

#include "gpu/gl/gl.h"

#include <string.h>

static void set_enabled(GLenum what, bool enabled) {
    if (enabled)
        glEnable(what);
    else
        glDisable(what);
}

// ---- Fixed state --------------------------------------------------------------------------------------

static GpuGlFixed fixed_state(const FiloPipelineDesc *desc) {
    return (GpuGlFixed){ .blend = desc->blend,
                         .depth_test = desc->depth_test,
                         .depth_equal = desc->depth_equal,
                         .depth_write = desc->depth_write,
                         .cull_back = desc->cull_back,
                         .cull_front = desc->cull_front,
                         .mirrored = desc->mirrored,
                         .no_color = desc->no_color,
                         .wireframe = desc->wireframe,
                         .depth_bias = desc->depth_bias,
                         .depth_slope_bias = desc->depth_slope_bias };
}

static void apply_blend(FiloBlend blend) {
    set_enabled(GL_BLEND, blend != FILO_BLEND_NONE);
    glBlendEquation(GL_FUNC_ADD);
    if (blend == FILO_BLEND_OVER) glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    if (blend == FILO_BLEND_ADD) glBlendFunc(GL_ONE, GL_ONE);
    if (blend == FILO_BLEND_OVER_TWICE) {
        glBlendColor(0, 0, 0, 2);
        glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_CONSTANT_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    }
}

static void apply_depth(const GpuGlFixed *fixed) {
    // GL writes no depth while the test is disabled, so it is enabled and always passes.
    set_enabled(GL_DEPTH_TEST, fixed->depth_test || fixed->depth_write);
    glDepthFunc(!fixed->depth_test ? GL_ALWAYS : fixed->depth_equal ? GL_EQUAL : GL_LEQUAL);
    glDepthMask(fixed->depth_write);
}

static void apply_cull(const GpuGlFixed *fixed) {
    set_enabled(GL_CULL_FACE, fixed->cull_back || fixed->cull_front);
    glCullFace(!fixed->cull_front ? GL_BACK : fixed->cull_back ? GL_FRONT_AND_BACK : GL_FRONT);
}

static void apply_bias(const GpuGlFixed *fixed) {
    bool biased = fixed->depth_bias != 0 || fixed->depth_slope_bias != 0;
    set_enabled(GL_POLYGON_OFFSET_FILL, biased);
    set_enabled(GL_POLYGON_OFFSET_LINE, biased);
    glPolygonOffset(fixed->depth_slope_bias, fixed->depth_bias);
}

static void apply_state(GpuGlState *gl, const GpuGlFixed *fixed) {
    const GpuGlFixed *old = &gl->fixed;
    bool all = !gl->valid;
    if (all || old->blend != fixed->blend) apply_blend(fixed->blend);
    if (all || old->depth_test != fixed->depth_test || old->depth_write != fixed->depth_write ||
        old->depth_equal != fixed->depth_equal)
        apply_depth(fixed);
    if (all || old->cull_back != fixed->cull_back || old->cull_front != fixed->cull_front) apply_cull(fixed);
    if (all || old->mirrored != fixed->mirrored)
        glFrontFace(gl->clockwise != fixed->mirrored ? GL_CW : GL_CCW);
    if (all || old->depth_bias != fixed->depth_bias || old->depth_slope_bias != fixed->depth_slope_bias)
        apply_bias(fixed);
    if (all || old->wireframe != fixed->wireframe)
        glPolygonMode(GL_FRONT_AND_BACK, fixed->wireframe ? GL_LINE : GL_FILL);
    if (all || old->no_color != fixed->no_color) {
        GLboolean on = !fixed->no_color;
        glColorMask(on, on, on, on);
    }
    gl->fixed = *fixed;
    gl->valid = true;
}

// ---- Passes -------------------------------------------------------------------------------------------

// Other libraries may have used the context since the last pass, so its state is unknown.
static void reset_state(FiloGpu *gpu) {
    GpuGlState *gl = &gpu->gl;
    gl->valid = false;
    gl->program = gl->vertex_array = 0;
    glUseProgram(0);
    glBindVertexArray(0);
    memset(gl->textures, 0xFF, sizeof gl->textures);
    gl->vertices_changed = gl->indices_changed = true;
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_SCISSOR_TEST);
    glEnable(GL_PROGRAM_POINT_SIZE);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

void gpu_gl_begin_pass(FiloGpu *gpu, const GpuTarget *target, const FiloGpuPass *pass) {
    if (pass->label != NULL) gpu_gl_push_label(gpu, pass->label);
    gpu->gl.pass_label = pass->label != NULL;
    reset_state(gpu);
    gpu->gl.flipped = target != NULL;
    const GpuTexture *color = target != NULL ? gpu_texture_at(gpu, target->color) : NULL;
    set_enabled(GL_FRAMEBUFFER_SRGB, color != NULL && color->format == FILO_TEXTURE_RGBA8_SRGB);
    glBindFramebuffer(GL_FRAMEBUFFER, target != NULL ? target->name : 0);
    gpu->gl.clockwise = gpu->gl.flipped && gpu->limits.kind != FILO_GPU_GL45;
    if (gpu->limits.kind == FILO_GPU_GL45)
        glClipControl(gpu->gl.flipped ? GL_UPPER_LEFT : GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
    glViewport(0, 0, gpu->pass.width, gpu->pass.height);
    if (!pass->clear) return;
    glDepthMask(GL_TRUE);
    glClearColor(pass->color.x, pass->color.y, pass->color.z, pass->color.w);
    glClear((pass->keep_color ? 0 : GL_COLOR_BUFFER_BIT) | (pass->keep_depth ? 0 : GL_DEPTH_BUFFER_BIT));
}

// Restores the state that other libraries expect.
void gpu_gl_end_pass(FiloGpu *gpu) {
    glBindVertexArray(0);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_FRAMEBUFFER_SRGB);
    GpuGlFixed plain = gpu->gl.fixed;
    plain.no_color = plain.wireframe = plain.cull_front = plain.mirrored = false;
    gpu->gl.clockwise = false;
    plain.depth_bias = plain.depth_slope_bias = 0;
    if (gpu->gl.valid) apply_state(&gpu->gl, &plain);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    if (gpu->limits.kind == FILO_GPU_GL45) glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
    glFrontFace(GL_CCW);
    if (gpu->gl.pass_label) gpu_gl_pop_label(gpu);
}

static int gl_row(const FiloGpu *gpu, GpuArea area) {
    return gpu->gl.flipped ? area.y : gpu->pass.height - area.y - area.height;
}

void gpu_gl_set_viewport(FiloGpu *gpu, GpuArea area) {
    glViewport(area.x, gl_row(gpu, area), area.width, area.height);
}

void gpu_gl_set_scissor(FiloGpu *gpu, GpuArea area) {
    set_enabled(GL_SCISSOR_TEST, area.width > 0);
    if (area.width > 0) glScissor(area.x, gl_row(gpu, area), area.width, area.height);
}

void gpu_gl_use(FiloGpu *gpu, GpuPipeline *pipeline) {
    gpu_gl_bind_program(gpu, pipeline->program.name);
    if (pipeline->compute) return;
    gpu_gl_bind_vertex_array(gpu, pipeline->vertex_array);
    gpu->gl.vertices_changed = gpu->gl.indices_changed = true;
}

void gpu_gl_bind_vertex_array(FiloGpu *gpu, uint32_t name) {
    if (gpu->gl.vertex_array == name && gpu->pass.active) return;
    glBindVertexArray(name);
    gpu->gl.vertex_array = name;
}

void gpu_gl_set_vertices(FiloGpu *gpu, int slot, const GpuBuffer *buffer, size_t offset) {
    FILO_UNUSED(slot);
    FILO_UNUSED(buffer);
    FILO_UNUSED(offset);
    gpu->gl.vertices_changed = true;
}

void gpu_gl_set_indices(FiloGpu *gpu, const GpuBuffer *buffer) {
    FILO_UNUSED(buffer);
    gpu->gl.indices_changed = true;
}

void gpu_gl_set_block(FiloGpu *gpu, int slot, const GpuBuffer *buffer, size_t offset, size_t size) {
    FILO_UNUSED(gpu);
    glBindBufferRange(GL_UNIFORM_BUFFER, (GLuint)slot, buffer->name, (GLintptr)offset, (GLsizeiptr)size);
}

// ---- Draws --------------------------------------------------------------------------------------------

void gpu_gl_bind_samplers(FiloGpu *gpu, const GpuProgram *program, const GpuSampler *samplers) {
    GpuGlState *gl = &gpu->gl;
    for (int unit = 0; unit < program->unit_count; unit++) {
        const GpuTexture *texture = samplers[unit].texture;
        GLuint name = texture != NULL ? texture->name : samplers[unit].buffer->texels[samplers[unit].format];
        if (gl->textures[unit] == name) continue;
        glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
        glBindTexture(texture != NULL ? gpu_gl_texture_target(texture) : GL_TEXTURE_BUFFER, name);
        gl->textures[unit] = name;
    }
}

void gpu_gl_prepare_draw(FiloGpu *gpu, const GpuDraw *draw) {
    GpuProgram *program = &draw->pipeline->program;
    gpu_gl_bind_program(gpu, program->name);
    gpu_gl_bind_vertex_array(gpu, draw->pipeline->vertex_array);
    GpuGlFixed fixed = fixed_state(&draw->pipeline->desc);
    apply_state(&gpu->gl, &fixed);
    gpu_gl_bind_samplers(gpu, program, draw->samplers);
    float flip = gpu->gl.flipped ? -1 : 1;
    if (program->flip_location >= 0 && program->flip != flip) {
        glUniform1f(program->flip_location, flip);
        program->flip = flip;
    }
}

GLenum gpu_gl_mode(const GpuPipeline *pipeline) {
    static const GLenum modes[] = { GL_TRIANGLES, GL_TRIANGLE_STRIP, GL_LINES, GL_POINTS };
    return modes[pipeline->desc.topology];
}

void gpu_gl_issue_draw(const GpuDraw *draw) {
    GLenum mode = gpu_gl_mode(draw->pipeline);
    if (draw->indices != NULL)
        glDrawElementsInstancedBaseVertex(mode, draw->count, GL_UNSIGNED_INT,
                                          (const void *)((uintptr_t)draw->first * sizeof(uint32_t)),
                                          draw->instances, draw->base_vertex);
    else
        glDrawArraysInstanced(mode, draw->first, draw->count, draw->instances);
}
