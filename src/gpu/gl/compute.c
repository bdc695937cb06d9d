// Compute passes, for OpenGL 4.5. The state that they change is listed at filo_gpu_begin_pass.

#include "gpu/gl/gl.h"

#include <string.h>

void gpu_gl_begin_compute(FiloGpu *gpu, const FiloGpuPass *pass) {
    if (pass->label != NULL) gpu_gl_push_label(gpu, pass->label);
    gpu->gl.pass_label = pass->label != NULL;
    gpu->gl.program = 0;
    glUseProgram(0);
    memset(gpu->gl.textures, 0xFF, sizeof gpu->gl.textures);
}

void gpu_gl_end_compute(FiloGpu *gpu) {
    gpu->gl.program = 0;
    glUseProgram(0);
    for (int i = 0; i < FILO_GPU_STORAGE_SLOTS; i++)
        if (gpu->pass.storage[i].buffer.id != 0) glBindBufferBase(GL_SHADER_STORAGE_BUFFER, (GLuint)i, 0);
    for (int i = 0; i < FILO_GPU_BLOCKS; i++)
        if (gpu->pass.blocks[i].buffer.id != 0) glBindBufferBase(GL_UNIFORM_BUFFER, (GLuint)i, 0);
    if (gpu->gl.pass_label) gpu_gl_pop_label(gpu);
}

void gpu_gl_dispatch(FiloGpu *gpu, const GpuDispatch *dispatch) {
    const GpuProgram *program = &dispatch->pipeline->program;
    gpu_gl_bind_program(gpu, program->name);
    gpu_gl_bind_samplers(gpu, program, dispatch->samplers);
    if (dispatch->indirect == NULL) {
        glDispatchCompute((GLuint)dispatch->groups[0], (GLuint)dispatch->groups[1],
                          (GLuint)dispatch->groups[2]);
        return;
    }
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, dispatch->indirect->name);
    glDispatchComputeIndirect((GLintptr)dispatch->offset);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, 0);
}

void gpu_gl_barrier(FiloGpu *gpu, uint32_t barriers) {
    FILO_UNUSED(gpu);
    GLbitfield bits = 0;
    if (barriers & FILO_BARRIER_STORAGE) bits |= GL_SHADER_STORAGE_BARRIER_BIT;
    if (barriers & FILO_BARRIER_VERTICES)
        bits |= GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_ELEMENT_ARRAY_BARRIER_BIT;
    if (barriers & FILO_BARRIER_INDIRECT) bits |= GL_COMMAND_BARRIER_BIT;
    if (barriers & FILO_BARRIER_COPY) bits |= GL_BUFFER_UPDATE_BARRIER_BIT;
    if (barriers & FILO_BARRIER_TEXELS) bits |= GL_TEXTURE_FETCH_BARRIER_BIT;
    if (barriers & FILO_BARRIER_READBACK) bits |= GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT;
    glMemoryBarrier(bits);
}
