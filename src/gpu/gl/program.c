// Shaders: compiling, linking, and listing their uniforms.

#include "gpu/gl/gl.h"
#include "gpu/shader_text.h"

#include <stdio.h>
#include <string.h>

// Text before and after the caller's. "#line 1" makes the compiler count the caller's lines, in every version since
// 3.30. OpenGL 3.3 has no clip control, so there the caller's main function is renamed, and a main function of ours
// calls it and flips y.
#define FLIP "filo_flip"
static const char *const before_45 = "#version 450 core\n#define FILO_GL45 1\n#line 1\n";
static const char *const before_33 = "#version 330 core\n#line 1\n";
static const char *const before_33_vertex = "#version 330 core\n#define main filo_main\n#line 1\n";
static const char *const after_33_vertex = "\n#undef main\nuniform float " FLIP ";\n"
                                           "void main() { filo_main(); gl_Position.y *= " FLIP "; }\n";

// ---- Compiling ----------------------------------------------------------------------------------------

// Without a text there is no shader: 0.
static FiloResult compile(FiloGpu *gpu, const char *label, GLenum kind, const char *text, GLuint *shader) {
    bool vertex = kind == GL_VERTEX_SHADER, gl45 = gpu->limits.kind == FILO_GPU_GL45;
    const char *before = gl45 ? before_45 : vertex ? before_33_vertex : before_33;
    const char *texts[] = { before, text, vertex && !gl45 ? after_33_vertex : "\n" };
    *shader = 0;
    if (text == NULL) return filo_ok();
    *shader = glCreateShader(kind);
    glShaderSource(*shader, 3, texts, NULL);
    glCompileShader(*shader);
    GLint compiled = GL_FALSE;
    glGetShaderiv(*shader, GL_COMPILE_STATUS, &compiled);
    if (compiled) return filo_ok();
    char log[4096] = "";
    glGetShaderInfoLog(*shader, sizeof log, NULL, log);
    glDeleteShader(*shader);
    *shader = 0;
    filo_log_debug("gpu", "%s: %s", label, log);
    const char *stage = kind == GL_COMPUTE_SHADER ? "compute shader"
                        : vertex                  ? "vertex shader"
                                                  : "fragment shader";
    return gpu_shader_error(label, stage, log);
}

static FiloResult link_program(const char *label, const GLuint shaders[3], GLuint *program) {
    *program = glCreateProgram();
    for (int i = 0; i < 3; i++)
        if (shaders[i] != 0) glAttachShader(*program, shaders[i]);
    glLinkProgram(*program);
    for (int i = 0; i < 3; i++)
        if (shaders[i] != 0) glDetachShader(*program, shaders[i]);
    GLint linked = GL_FALSE;
    glGetProgramiv(*program, GL_LINK_STATUS, &linked);
    if (linked) return filo_ok();
    char log[4096] = "";
    glGetProgramInfoLog(*program, sizeof log, NULL, log);
    glDeleteProgram(*program);
    *program = 0;
    return gpu_shader_error(label, "linking", log);
}

// ---- Reflection -------------------------------------------------------------------------------------------

static FiloUniformType type_of(GLenum type) {
    switch (type) {
    case GL_FLOAT: return FILO_UNIFORM_FLOAT;
    case GL_FLOAT_VEC2: return FILO_UNIFORM_VEC2;
    case GL_FLOAT_VEC3: return FILO_UNIFORM_VEC3;
    case GL_FLOAT_VEC4: return FILO_UNIFORM_VEC4;
    case GL_INT:
    case GL_BOOL: return FILO_UNIFORM_INT;
    case GL_INT_VEC2: return FILO_UNIFORM_IVEC2;
    case GL_INT_VEC4: return FILO_UNIFORM_IVEC4;
    case GL_UNSIGNED_INT: return FILO_UNIFORM_UINT;
    case GL_UNSIGNED_INT_VEC2: return FILO_UNIFORM_UVEC2;
    case GL_UNSIGNED_INT_VEC4: return FILO_UNIFORM_UVEC4;
    case GL_FLOAT_MAT3: return FILO_UNIFORM_MAT3;
    case GL_FLOAT_MAT4: return FILO_UNIFORM_MAT4;
    case GL_SAMPLER_2D: return FILO_UNIFORM_TEXTURE;
    case GL_SAMPLER_2D_ARRAY: return FILO_UNIFORM_TEXTURE_ARRAY;
    case GL_SAMPLER_2D_SHADOW: return FILO_UNIFORM_TEXTURE_SHADOW;
    case GL_SAMPLER_2D_ARRAY_SHADOW: return FILO_UNIFORM_TEXTURE_ARRAY_SHADOW;
    case GL_UNSIGNED_INT_SAMPLER_BUFFER: return FILO_UNIFORM_TEXELS;
    default: return FILO_UNIFORM_OTHER;
    }
}

static FiloResult add_uniform(const char *label, GpuProgram *program, GLuint index) {
    char name[256];
    GLsizei length = 0;
    GLint count = 0;
    GLenum type = 0;
    glGetActiveUniform(program->name, index, sizeof name, &length, &count, &type, name);
    GLint location = glGetUniformLocation(program->name, name);
    if (location < 0) return filo_ok(); // in a block, or built in
    if (strcmp(name, FLIP) == 0) {
        program->flip_location = location;
        return filo_ok();
    }
    char *bracket = strstr(name, "[0]");
    if (bracket != NULL && bracket[3] == '\0') *bracket = '\0';
    GpuUniform uniform = { .info = { .type = type_of(type), .count = count }, .location = location };
    if (strlen(name) >= sizeof uniform.info.name)
        return filo_error(FILO_ERROR_LIMIT, "%s: the name of the uniform %s is longer than %zu letters",
                          label, name, sizeof uniform.info.name - 1);
    memcpy(uniform.info.name, name, strlen(name) + 1);
    if (!filo_array_push(&program->uniforms, uniform))
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory for its uniforms", label);
    return filo_ok();
}

// The storage slots that the program uses; bit 31 for slots beyond that too.
static uint32_t read_storage(GLuint program) {
    GLint count = 0;
    uint32_t slots = 0;
    glGetProgramInterfaceiv(program, GL_SHADER_STORAGE_BLOCK, GL_ACTIVE_RESOURCES, &count);
    for (GLint i = 0; i < count; i++) {
        const GLenum property = GL_BUFFER_BINDING;
        GLint binding = 0;
        glGetProgramResourceiv(program, GL_SHADER_STORAGE_BLOCK, (GLuint)i, 1, &property, 1, NULL, &binding);
        slots |= 1u << FILO_MIN(binding, 31);
    }
    return slots;
}

// Connects the uniform blocks of the program to the slots that the pipeline gives them.
static FiloResult read_blocks(const GpuPipeline *pipeline, GpuProgram *program) {
    GLint count = 0;
    glGetProgramiv(program->name, GL_ACTIVE_UNIFORM_BLOCKS, &count);
    for (GLuint i = 0; i < (GLuint)count; i++) {
        char name[256];
        glGetActiveUniformBlockName(program->name, i, sizeof name, NULL, name);
        int slot = 0;
        while (slot < FILO_GPU_BLOCKS && strcmp(pipeline->blocks[slot], name) != 0) slot++;
        if (slot == FILO_GPU_BLOCKS)
            return filo_error(FILO_ERROR_DATA, "%s: the uniform block %s is not in the list of its blocks",
                              pipeline->label, name);
        GLint size = 0;
        glGetActiveUniformBlockiv(program->name, i, GL_UNIFORM_BLOCK_DATA_SIZE, &size);
        glUniformBlockBinding(program->name, i, (GLuint)slot);
        program->blocks[slot] = (size_t)size;
    }
    return filo_ok();
}

static FiloResult read_uniforms(FiloGpu *gpu, const char *label, GpuProgram *program) {
    GLint count = 0;
    glGetProgramiv(program->name, GL_ACTIVE_UNIFORMS, &count);
    for (GLint i = 0; i < count; i++) {
        FiloResult result = add_uniform(label, program, (GLuint)i);
        if (result.code != FILO_OK) return result;
    }
    if (gpu->limits.storage) program->storage = read_storage(program->name);
    FiloResult result = gpu_program_layout(gpu, program, label);
    if (result.code != FILO_OK) return result;
    // The unit of a sampler never changes.
    gpu_gl_bind_program(gpu, program->name);
    filo_array_each (&program->uniforms, uniform) {
        if (!gpu_uniform_is_texture(uniform->info.type)) continue;
        for (int i = 0; i < uniform->info.count; i++) glUniform1i(uniform->location + i, uniform->unit + i);
    }
    return filo_ok();
}

// ---- Programs -----------------------------------------------------------------------------------------

FiloResult gpu_gl_program_create(FiloGpu *gpu, const GpuPipeline *pipeline, GpuProgram *program,
                                 const GpuShaders *texts) {
    const char *label = pipeline->label;
    GLuint shaders[3] = { 0 };
    FiloResult result = compile(gpu, label, GL_VERTEX_SHADER, texts->vertex, &shaders[0]);
    if (result.code == FILO_OK)
        result = compile(gpu, label, GL_FRAGMENT_SHADER, texts->fragment, &shaders[1]);
    if (result.code == FILO_OK) result = compile(gpu, label, GL_COMPUTE_SHADER, texts->compute, &shaders[2]);
    if (result.code == FILO_OK) result = link_program(label, shaders, &program->name);
    for (int i = 0; i < 3; i++) glDeleteShader(shaders[i]);
    if (result.code != FILO_OK) return result;
    gpu_gl_label(gpu, GL_PROGRAM, program->name, label);
    result = read_blocks(pipeline, program);
    if (result.code == FILO_OK) result = read_uniforms(gpu, label, program);
    if (result.code != FILO_OK) gpu_gl_program_destroy(gpu, program);
    return result;
}

void gpu_gl_program_destroy(FiloGpu *gpu, GpuProgram *program) {
    if (gpu->gl.program == program->name) gpu_gl_bind_program(gpu, 0);
    glDeleteProgram(program->name);
    program->name = 0;
}

void gpu_gl_pipeline_destroy(FiloGpu *gpu, GpuPipeline *pipeline) {
    if (pipeline->compute) return;
    if (gpu->gl.vertex_array == pipeline->vertex_array) gpu_gl_bind_vertex_array(gpu, 0);
    glDeleteVertexArrays(1, &pipeline->vertex_array);
}

// ---- Uniforms -----------------------------------------------------------------------------------------

void gpu_gl_bind_program(FiloGpu *gpu, uint32_t name) {
    if (gpu->gl.program == name && gpu->pass.active) return;
    glUseProgram(name);
    gpu->gl.program = name;
}

void gpu_gl_uniform_set(FiloGpu *gpu, GpuPipeline *pipeline, const GpuUniform *uniform, int element,
                        const float *value) {
    gpu_gl_bind_program(gpu, pipeline->program.name);
    GLint location = uniform->location + element;
    GLint numbers[4] = { 0 };
    GLuint naturals[4] = { 0 };
    size_t bytes = (size_t)FILO_MIN(gpu_uniform_floats(uniform->info.type), 4) * sizeof *value;
    memcpy(numbers, value, bytes);
    memcpy(naturals, value, bytes);
    switch (uniform->info.type) {
    case FILO_UNIFORM_FLOAT: glUniform1fv(location, 1, value); break;
    case FILO_UNIFORM_VEC2: glUniform2fv(location, 1, value); break;
    case FILO_UNIFORM_VEC3: glUniform3fv(location, 1, value); break;
    case FILO_UNIFORM_VEC4: glUniform4fv(location, 1, value); break;
    case FILO_UNIFORM_INT: glUniform1iv(location, 1, numbers); break;
    case FILO_UNIFORM_IVEC2: glUniform2iv(location, 1, numbers); break;
    case FILO_UNIFORM_IVEC4: glUniform4iv(location, 1, numbers); break;
    case FILO_UNIFORM_UINT: glUniform1uiv(location, 1, naturals); break;
    case FILO_UNIFORM_UVEC2: glUniform2uiv(location, 1, naturals); break;
    case FILO_UNIFORM_UVEC4: glUniform4uiv(location, 1, naturals); break;
    case FILO_UNIFORM_MAT3: glUniformMatrix3fv(location, 1, GL_FALSE, value); break;
    case FILO_UNIFORM_MAT4: glUniformMatrix4fv(location, 1, GL_FALSE, value); break;
    default: break;
    }
}
