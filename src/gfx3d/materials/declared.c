// What a GLSL text declares: functions and uniforms, as far as materials need to know. Read token by token.

#include "gfx3d/materials/compose.h"

#include <ctype.h>
#include <string.h>

typedef struct Token {
    const char *text;
    size_t length; // 0: the end
} Token;

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static const char *skip_blanks(const char *at) {
    for (;;) {
        while (isspace((unsigned char)*at)) at++;
        if (at[0] == '/' && at[1] == '/') {
            at += strcspn(at, "\n");
        } else if (at[0] == '/' && at[1] == '*') {
            const char *end = strstr(at + 2, "*/");
            at = end != NULL ? end + 2 : at + strlen(at);
        } else {
            return at;
        }
    }
}

static Token next(const char **at) {
    Token token = { skip_blanks(*at), 0 };
    if (is_word(*token.text))
        while (is_word(token.text[token.length])) token.length++;
    else if (*token.text != '\0')
        token.length = 1;
    *at = token.text + token.length;
    return token;
}

static bool is(Token token, const char *text) {
    return token.length == strlen(text) && memcmp(token.text, text, token.length) == 0;
}

bool gfx3d_text_has_function(const char *text, const char *name) {
    const char *at = text;
    for (Token token; (token = next(&at)).length > 0;) {
        if (!is(token, "void")) continue;
        const char *after = at;
        if (is(next(&after), name) && is(next(&after), "(")) return true;
    }
    return false;
}

static FiloUniformType type_of(Token token) {
    static const struct {
        const char *name;
        FiloUniformType type;
    } types[] = { { "float", FILO_UNIFORM_FLOAT },
                  { "vec2", FILO_UNIFORM_VEC2 },
                  { "vec3", FILO_UNIFORM_VEC3 },
                  { "vec4", FILO_UNIFORM_VEC4 },
                  { "int", FILO_UNIFORM_INT },
                  { "bool", FILO_UNIFORM_INT },
                  { "mat3", FILO_UNIFORM_MAT3 },
                  { "mat4", FILO_UNIFORM_MAT4 },
                  { "uint", FILO_UNIFORM_UINT },
                  { "sampler2D", FILO_UNIFORM_TEXTURE },
                  { "ivec2", FILO_UNIFORM_IVEC2 },
                  { "sampler2DArray", FILO_UNIFORM_TEXTURE_ARRAY },
                  { "sampler2DShadow", FILO_UNIFORM_TEXTURE_SHADOW },
                  { "sampler2DArrayShadow", FILO_UNIFORM_TEXTURE_ARRAY_SHADOW },
                  { "usamplerBuffer", FILO_UNIFORM_TEXELS } };
    for (size_t i = 0; i < FILO_COUNT_OF(types); i++)
        if (is(token, types[i].name)) return types[i].type;
    return FILO_UNIFORM_OTHER;
}

// What follows the word "uniform": a type and names.
static bool read_uniforms(const char **at, Gfx3dUniforms *uniforms) {
    Token type = next(at);
    while (is(type, "highp") || is(type, "mediump") || is(type, "lowp")) type = next(at);
    for (Token name = next(at); name.length > 0 && is_word(name.text[0]); name = next(at)) {
        FiloUniformInfo info = { .type = type_of(type), .count = 1 };
        if (name.length >= sizeof info.name) return true; // the device refuses it
        memcpy(info.name, name.text, name.length);
        Token token = next(at);
        if (is(token, "{")) return true;
        if (is(token, "[")) info.count = 0;
        if (!filo_array_push(uniforms, info)) return false;
        while (token.length > 0 && !is(token, ",") && !is(token, ";")) token = next(at);
        if (!is(token, ",")) return true;
    }
    return true;
}

bool gfx3d_text_uniforms(const char *text, Gfx3dUniforms *uniforms) {
    const char *at = text;
    for (Token token; (token = next(&at)).length > 0;)
        if (is(token, "uniform") && !read_uniforms(&at, uniforms)) return false;
    return true;
}
