// A parser of GLSL declarations, for the null device, which has no compiler.
//
// The text is read token by token: identifiers, numbers and single characters, without comments. Preprocessor
// conditions are not evaluated: declarations in all branches count.

#include "gpu/shader_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// ---- Tokens -------------------------------------------------------------------------------------------

typedef struct Token {
    const char *text;
    size_t length; // 0: the end
} Token;

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static const char *skip_comment(const char *at) {
    if (at[0] == '/' && at[1] == '/') return at + strcspn(at, "\n");
    if (at[0] != '/' || at[1] != '*') return at;
    const char *end = strstr(at + 2, "*/");
    return end != NULL ? end + 2 : at + strlen(at);
}

static Token next_token(const char **at) {
    for (const char *before = NULL; before != *at;) {
        before = *at;
        while (isspace((unsigned char)**at)) (*at)++;
        *at = skip_comment(*at);
    }
    Token token = { *at, 0 };
    if (**at == '\0') return token;
    if (is_word(**at))
        while (is_word(token.text[token.length])) token.length++;
    else
        token.length = 1;
    *at += token.length;
    return token;
}

static bool is(Token token, const char *text) {
    return token.length == strlen(text) && memcmp(token.text, text, token.length) == 0;
}

static bool same(Token a, Token b) { return a.length == b.length && memcmp(a.text, b.text, a.length) == 0; }

// ---- Uniforms -----------------------------------------------------------------------------------------

static FiloUniformType type_of(Token token) {
    static const struct {
        const char *name;
        FiloUniformType type;
    } types[] = {
        { "float", FILO_UNIFORM_FLOAT },
        { "vec2", FILO_UNIFORM_VEC2 },
        { "vec3", FILO_UNIFORM_VEC3 },
        { "vec4", FILO_UNIFORM_VEC4 },
        { "int", FILO_UNIFORM_INT },
        { "bool", FILO_UNIFORM_INT },
        { "ivec2", FILO_UNIFORM_IVEC2 },
        { "ivec4", FILO_UNIFORM_IVEC4 },
        { "uint", FILO_UNIFORM_UINT },
        { "uvec2", FILO_UNIFORM_UVEC2 },
        { "uvec4", FILO_UNIFORM_UVEC4 },
        { "mat3", FILO_UNIFORM_MAT3 },
        { "mat4", FILO_UNIFORM_MAT4 },
        { "sampler2D", FILO_UNIFORM_TEXTURE },
        { "sampler2DArray", FILO_UNIFORM_TEXTURE_ARRAY },
        { "sampler2DShadow", FILO_UNIFORM_TEXTURE_SHADOW },
        { "sampler2DArrayShadow", FILO_UNIFORM_TEXTURE_ARRAY_SHADOW },
        { "usamplerBuffer", FILO_UNIFORM_TEXELS },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(types); i++)
        if (is(token, types[i].name)) return types[i].type;
    return FILO_UNIFORM_OTHER;
}

// Whether the name appears outside of its declaration.
static bool is_used(const char *text, Token name) {
    int times = 0;
    for (Token token; (token = next_token(&text)).length > 0;) times += same(token, name);
    return times > 1;
}

static bool add_uniform(GpuUniforms *uniforms, Token name, FiloUniformType type, int count) {
    GpuUniform uniform = { .info = { .type = type, .count = count }, .location = -1 };
    size_t length = FILO_MIN(name.length, sizeof uniform.info.name - 1);
    memcpy(uniform.info.name, name.text, length);
    filo_array_each (uniforms, other)
        if (strcmp(other->info.name, uniform.info.name) == 0) return true;
    return filo_array_push(uniforms, uniform);
}

// The number of "#define NAME 4" or "int NAME = 4"; 1 if there is none.
static int constant_of(const char *text, Token name) {
    for (Token token; (token = next_token(&text)).length > 0;) {
        bool define = is(token, "define");
        if (!define && !is(token, "int")) continue;
        const char *at = text;
        if (!same(next_token(&at), name) || (!define && !is(next_token(&at), "="))) continue;
        Token number = next_token(&at);
        if (number.length > 0 && isdigit((unsigned char)number.text[0])) return atoi(number.text);
    }
    return 1;
}

// Reads "[4]" or "[NAME]" if it is there. 1 without it, and for a size that is an expression.
static int read_count(const char *text, const char **at) {
    const char *after = *at;
    if (!is(next_token(&after), "[")) return 1;
    Token size = next_token(&after);
    if (size.length == 0) return 1;
    int count = isdigit((unsigned char)size.text[0]) ? atoi(size.text) : constant_of(text, size);
    while (size.length > 0 && !is(size, "]")) size = next_token(&after);
    *at = after;
    return FILO_MAX(count, 1);
}

// Reads what follows the word "uniform": a type and names, or a block, which is skipped.
static bool read_declaration(const char *text, const char **at, GpuUniforms *uniforms) {
    Token type = next_token(at);
    while (is(type, "highp") || is(type, "mediump") || is(type, "lowp")) type = next_token(at);
    for (Token token = next_token(at); token.length > 0 && is_word(token.text[0]); token = next_token(at)) {
        Token name = token;
        int count = read_count(text, at);
        if (is_used(text, name) && !add_uniform(uniforms, name, type_of(type), count)) return false;
        do token = next_token(at); // over an initial value
        while (token.length > 0 && !is(token, ",") && !is(token, ";"));
        if (!is(token, ",")) break;
    }
    return true;
}

bool gpu_shader_uniforms(const char *text, GpuUniforms *uniforms) {
    const char *at = text;
    for (Token token; (token = next_token(&at)).length > 0;)
        if (is(token, "uniform") && !read_declaration(text, &at, uniforms)) return false;
    return true;
}

// ---- Uniform blocks -----------------------------------------------------------------------------------

// A type in the layout std140. Of a struct nothing is known but that it begins with a multiple of 16, and has at least that
// many bytes.
typedef struct Layout {
    size_t align, size;
} Layout;

static Layout layout_of(Token type) {
    static const struct {
        const char *prefix;
        Layout layouts[3]; // of two, three and four components
    } vectors[] = {
        { "vec", { { 8, 8 }, { 16, 12 }, { 16, 16 } } },   { "ivec", { { 8, 8 }, { 16, 12 }, { 16, 16 } } },
        { "uvec", { { 8, 8 }, { 16, 12 }, { 16, 16 } } },  { "bvec", { { 8, 8 }, { 16, 12 }, { 16, 16 } } },
        { "mat", { { 16, 32 }, { 16, 48 }, { 16, 64 } } },
    };
    if (is(type, "float") || is(type, "int") || is(type, "uint") || is(type, "bool")) return (Layout){ 4, 4 };
    for (size_t i = 0; i < FILO_COUNT_OF(vectors); i++) {
        size_t length = strlen(vectors[i].prefix);
        if (type.length <= length || memcmp(type.text, vectors[i].prefix, length) != 0) continue;
        char columns = type.text[length]; // "mat4x3" has four
        if (columns >= '2' && columns <= '4') return vectors[i].layouts[columns - '2'];
    }
    return (Layout){ 16, 16 };
}

// Adds the names after a type, up to ";", to the size of a block.
static size_t add_members(const char *text, const char **at, Layout layout, size_t size) {
    for (Token token = next_token(at); token.length > 0 && is_word(token.text[0]); token = next_token(at)) {
        const char *after = *at;
        bool array = is(next_token(&after), "[");
        size_t count = (size_t)read_count(text, at);
        size_t align = array ? 16 : layout.align;
        size = FILO_ALIGN_UP(size, align) +
               (array ? FILO_ALIGN_UP(layout.size, (size_t)16) : layout.size) * count;
        if (!is(next_token(at), ",")) break;
    }
    return size;
}

// Reads members up to "}".
static size_t read_block(const char *text, const char **at) {
    size_t size = 0;
    for (Token token; (token = next_token(at)).length > 0 && !is(token, "}");) {
        if (is(token, "highp") || is(token, "mediump") || is(token, "lowp")) continue;
        if (is(token, "#")) { // a directive: the rest of its line
            *at += strcspn(*at, "\n");
            continue;
        }
        size = add_members(text, at, layout_of(token), size);
    }
    return FILO_ALIGN_UP(FILO_MAX(size, (size_t)1), (size_t)16);
}

void gpu_shader_blocks(const char *text, const char names[][GPU_LABEL], size_t sizes[FILO_GPU_BLOCKS]) {
    const char *at = text;
    for (Token token; (token = next_token(&at)).length > 0;) {
        if (!is(token, "uniform")) continue;
        Token name = next_token(&at);
        const char *inside = at;
        if (!is(next_token(&inside), "{")) continue;
        size_t size = read_block(text, &inside);
        for (int i = 0; i < FILO_GPU_BLOCKS; i++)
            if (is(name, names[i])) sizes[i] = FILO_MAX(sizes[i], size);
    }
}

// ---- Storage ------------------------------------------------------------------------------------------

// "layout(std430, binding = 3) readonly buffer Items {": the last binding before the word "buffer".
uint32_t gpu_shader_storage(const char *text) {
    uint32_t slots = 0;
    unsigned long binding = 0;
    const char *at = text;
    for (Token token; (token = next_token(&at)).length > 0;) {
        if (is(token, ";")) binding = 0;
        if (is(token, "buffer")) slots |= 1u << FILO_MIN(binding, 31ul);
        if (!is(token, "binding") || !is(next_token(&at), "=")) continue;
        Token number = next_token(&at);
        binding = number.length > 0 ? strtoul(number.text, NULL, 0) : 0;
    }
    return slots;
}

// ---- Preprocessor directives --------------------------------------------------------------------------

typedef struct Lines {
    const char *at;
    int number; // of the last line that was read
    bool in_comment;
} Lines;

static void follow_comments(Lines *lines, const char *line, const char *end) {
    for (const char *c = line; c + 1 < end; c++) {
        if (lines->in_comment) {
            if (c[0] == '*' && c[1] == '/') {
                lines->in_comment = false;
                c++;
            }
        } else if (c[0] == '/' && c[1] == '/') {
            return;
        } else if (c[0] == '/' && c[1] == '*') {
            lines->in_comment = true;
            c++;
        }
    }
}

// The text after '#' on the next line that begins with it; NULL at the end.
static const char *next_directive(Lines *lines) {
    while (*lines->at != '\0') {
        const char *line = lines->at, *end = line + strcspn(line, "\n");
        const char *start = line + strspn(line, " \t");
        bool directive = !lines->in_comment && *start == '#';
        lines->at = end + (*end == '\n');
        lines->number++;
        follow_comments(lines, line, end);
        if (directive) return start + 1 + strspn(start + 1, " \t");
    }
    return NULL;
}

static bool starts_with(const char *text, const char *word) { return strncmp(text, word, strlen(word)) == 0; }

int gpu_shader_version_line(const char *text) {
    Lines lines = { .at = text };
    for (const char *directive; (directive = next_directive(&lines)) != NULL;)
        if (starts_with(directive, "version")) return lines.number;
    return 0;
}

FiloResult gpu_shader_check(const char *label, const char *stage, const char *text) {
    Lines lines = { .at = text };
    int conditions = 0;
    for (const char *directive; (directive = next_directive(&lines)) != NULL;) {
        if (starts_with(directive, "if")) conditions++;
        if (starts_with(directive, "endif")) conditions--;
        if (conditions == 0 && starts_with(directive, "error"))
            return filo_error(FILO_ERROR_DATA, "%s (%s), line %d: #%.*s", label, stage, lines.number,
                              (int)strcspn(directive, "\r\n"), directive);
    }
    for (Token token; (token = next_token(&text)).length > 0;)
        if (is(token, "main")) return filo_ok();
    return filo_error(FILO_ERROR_DATA, "%s (%s): it has no main function", label, stage);
}
