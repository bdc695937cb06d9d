// A parser of GLSL declarations, for the null device, which has no compiler.
//
// The text is read token by token: identifiers, numbers and single characters, without comments. Before that,
// gpu_shader_filter removes what preprocessor conditions leave out. It understands #ifdef, #ifndef, and #if with a number,
// a name or `defined`; of other conditions all branches count.

#include "gpu/shader_text.h"

#include <filo/hash.h>

#include <ctype.h>
#include <limits.h>
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

// What is known of a word of a text, by its hash, so that no declaration makes the text be searched.
typedef struct Word {
    uint32_t times;
    bool has_number;
    int number; // of "#define WORD 4" or "int WORD = 4"
} Word;

static uint64_t key_of(Token token) { return filo_hash(token.text, token.length); }

static int number_of(Token token) { return (int)FILO_MIN(strtol(token.text, NULL, 10), (long)INT_MAX); }

static bool starts_number(Token token) { return token.length > 0 && isdigit((unsigned char)token.text[0]); }

// Reads a name and its number, behind "define" or "int". False without memory.
static bool add_number(FiloMap *words, const char *at, bool define) {
    Token name = next_token(&at);
    if (!define && !is(next_token(&at), "=")) return true;
    Token number = next_token(&at);
    if (name.length == 0 || !starts_number(number)) return true;
    Word *word = filo_map_put(words, key_of(name));
    if (word == NULL) return false;
    if (!word->has_number) word->number = number_of(number);
    word->has_number = true;
    return true;
}

static bool read_words(FiloMap *words, const char *text) {
    for (Token token; (token = next_token(&text)).length > 0;) {
        if (!is_word(token.text[0])) continue;
        Word *word = filo_map_put(words, key_of(token));
        if (word == NULL) return false;
        word->times++;
        bool define = is(token, "define");
        if ((define || is(token, "int")) && !add_number(words, text, define)) return false;
    }
    return true;
}

static bool add_uniform(GpuUniforms *uniforms, Token name, FiloUniformType type, int count) {
    if (uniforms->count > GPU_UNIFORMS) return true; // gpu_program_layout refuses it
    GpuUniform uniform = { .info = { .type = type, .count = count }, .location = -1 };
    size_t length = FILO_MIN(name.length, sizeof uniform.info.name - 1);
    memcpy(uniform.info.name, name.text, length);
    filo_array_each (uniforms, other)
        if (strcmp(other->info.name, uniform.info.name) == 0) return true;
    return filo_array_push(uniforms, uniform);
}

// Reads "[4]" or "[NAME]" if it is there. 1 without it, and for a size that is an expression.
static int read_count(const FiloMap *words, const char **at) {
    const char *after = *at;
    if (!is(next_token(&after), "[")) return 1;
    Token size = next_token(&after);
    if (size.length == 0) return 1;
    const Word *word = filo_map_get(words, key_of(size));
    int count = starts_number(size) ? number_of(size) : word != NULL && word->has_number ? word->number : 1;
    while (size.length > 0 && !is(size, "]")) size = next_token(&after);
    *at = after;
    return FILO_MAX(count, 1);
}

// Reads what follows the word "uniform": a type and names, or a block, which is skipped.
static bool read_declaration(const FiloMap *words, const char **at, GpuUniforms *uniforms) {
    Token type = next_token(at);
    while (is(type, "highp") || is(type, "mediump") || is(type, "lowp")) type = next_token(at);
    for (Token token = next_token(at); token.length > 0 && is_word(token.text[0]); token = next_token(at)) {
        Token name = token;
        int count = read_count(words, at);
        const Word *word = filo_map_get(words, key_of(name));
        bool used = word != NULL && word->times > 1; // not only here
        if (used && !add_uniform(uniforms, name, type_of(type), count)) return false;
        do token = next_token(at); // over an initial value
        while (token.length > 0 && !is(token, ",") && !is(token, ";"));
        if (!is(token, ",")) break;
    }
    return true;
}

static bool read_uniforms(const FiloMap *words, const char *text, GpuUniforms *uniforms) {
    for (Token token; (token = next_token(&text)).length > 0;)
        if (is(token, "uniform") && !read_declaration(words, &text, uniforms)) return false;
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
static size_t add_members(const FiloMap *words, const char **at, Layout layout, size_t size) {
    for (Token token = next_token(at); token.length > 0 && is_word(token.text[0]); token = next_token(at)) {
        const char *after = *at;
        bool array = is(next_token(&after), "[");
        size_t count = (size_t)read_count(words, at);
        size_t align = array ? 16 : layout.align;
        size = FILO_ALIGN_UP(size, align) +
               (array ? FILO_ALIGN_UP(layout.size, (size_t)16) : layout.size) * count;
        if (!is(next_token(at), ",")) break;
    }
    return size;
}

// Reads members up to "}".
static size_t read_block(const FiloMap *words, const char **at) {
    size_t size = 0;
    for (Token token; (token = next_token(at)).length > 0 && !is(token, "}");) {
        if (is(token, "highp") || is(token, "mediump") || is(token, "lowp")) continue;
        if (is(token, "#")) { // a directive: the rest of its line
            *at += strcspn(*at, "\n");
            continue;
        }
        size = add_members(words, at, layout_of(token), size);
    }
    return FILO_ALIGN_UP(FILO_MAX(size, (size_t)1), (size_t)16);
}

static void read_blocks(const FiloMap *words, const char *at, const char names[][GPU_LABEL],
                        size_t sizes[FILO_GPU_BLOCKS]) {
    for (Token token; (token = next_token(&at)).length > 0;) {
        if (!is(token, "uniform")) continue;
        Token name = next_token(&at);
        const char *inside = at;
        if (!is(next_token(&inside), "{")) continue;
        size_t size = read_block(words, &inside);
        for (int i = 0; i < FILO_GPU_BLOCKS; i++)
            if (is(name, names[i])) sizes[i] = FILO_MAX(sizes[i], size);
    }
}

// ---- Storage ------------------------------------------------------------------------------------------

// "layout(std430, binding = 3) readonly buffer Items {": the last binding before the word "buffer".
static uint32_t read_storage(const char *at) {
    uint32_t slots = 0;
    unsigned long binding = 0;
    for (Token token; (token = next_token(&at)).length > 0;) {
        if (is(token, ";")) binding = 0;
        if (is(token, "buffer")) slots |= 1u << FILO_MIN(binding, 31ul);
        if (!is(token, "binding") || !is(next_token(&at), "=")) continue;
        Token number = next_token(&at);
        binding = number.length > 0 ? strtoul(number.text, NULL, 0) : 0;
    }
    return slots;
}

bool gpu_shader_read(const char *text, const char blocks[][GPU_LABEL], GpuProgram *program) {
    FiloMap words;
    filo_map_init(&words, sizeof(Word), program->uniforms.allocator);
    bool ok = read_words(&words, text) && read_uniforms(&words, text, &program->uniforms);
    if (ok) read_blocks(&words, text, blocks, program->blocks);
    program->storage |= read_storage(text);
    filo_map_deinit(&words);
    return ok;
}

// ---- Preprocessor directives --------------------------------------------------------------------------

typedef struct Lines {
    const char *at;
    int number; // of the last line that was read
    bool in_comment;
} Lines;

typedef struct Line {
    const char *start, *end;
    const char *directive; // the text after '#'; NULL if the line does not begin with it
} Line;

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

static bool next_line(Lines *lines, Line *line) {
    if (*lines->at == '\0') return false;
    *line = (Line){ .start = lines->at, .end = lines->at + strcspn(lines->at, "\n") };
    const char *mark = line->start + strspn(line->start, " \t");
    if (!lines->in_comment && *mark == '#') line->directive = mark + 1 + strspn(mark + 1, " \t");
    lines->at = line->end + (*line->end == '\n');
    lines->number++;
    follow_comments(lines, line->start, line->end);
    return true;
}

static bool starts_with(const char *text, const char *word) { return strncmp(text, word, strlen(word)) == 0; }

int gpu_shader_version_line(const char *text) {
    Lines lines = { .at = text };
    for (Line line; next_line(&lines, &line);)
        if (line.directive != NULL && starts_with(line.directive, "version")) return lines.number;
    return 0;
}

// ---- Conditions ---------------------------------------------------------------------------------------

typedef enum Truth { NO, MAYBE, YES } Truth;

typedef struct Macro {
    Token name, value;
    Truth defined;
} Macro;

typedef struct Condition {
    Truth branch;  // the current branch counts
    Truth earlier; // an earlier branch of the same condition does
} Condition;

#define MAX_MACROS     64
#define MAX_CONDITIONS 32

typedef struct Conditions {
    Macro macros[MAX_MACROS]; // by the order of their directives
    int macro_count;
    Condition stack[MAX_CONDITIONS];
    int depth; // may be above MAX_CONDITIONS; what is inside of those counts
} Conditions;

static Truth negate(Truth truth) { return (Truth)(YES - truth); }

// Whether lines count here.
static Truth here(const Conditions *conditions) {
    Truth truth = YES;
    for (int i = 0; i < FILO_MIN(conditions->depth, MAX_CONDITIONS); i++)
        truth = FILO_MIN(truth, conditions->stack[i].branch);
    return conditions->depth > MAX_CONDITIONS ? FILO_MIN(truth, MAYBE) : truth;
}

// What drivers define is not known. Nor is FILO_GL45: programs look at FiloGpuLimits to see what a device has.
static Truth is_defined(const Conditions *conditions, Token name, Token *value) {
    for (int i = conditions->macro_count - 1; i >= 0; i--) {
        if (!same(conditions->macros[i].name, name)) continue;
        *value = conditions->macros[i].value;
        return conditions->macros[i].defined;
    }
    bool unknown = is(name, "FILO_GL45") || starts_with(name.text, "GL_") || starts_with(name.text, "__") ||
                   conditions->macro_count == MAX_MACROS;
    return unknown ? MAYBE : NO;
}

static void define(Conditions *conditions, const Line *line, const char *at, Truth defined) {
    if (here(conditions) == NO || conditions->macro_count == MAX_MACROS) return;
    if (here(conditions) == MAYBE) defined = MAYBE;
    Macro macro = { .name = next_token(&at), .defined = defined };
    const char *after = at;
    macro.value = next_token(&after);
    if (macro.value.text >= line->end) macro.value.length = 0;
    conditions->macros[conditions->macro_count++] = macro;
}

// "0", "NAME", "defined(NAME)" and "defined NAME", with or without "!" before it. Other expressions are MAYBE.
static Truth evaluate(const Conditions *conditions, const Line *line, const char *at) {
    Token none = { 0 }, token = next_token(&at);
    bool negated = is(token, "!");
    if (negated) token = next_token(&at);
    Truth truth = MAYBE;
    if (is(token, "defined")) {
        Token name = next_token(&at);
        bool enclosed = is(name, "(");
        if (enclosed) name = next_token(&at);
        truth = is_defined(conditions, name, &none);
        if (enclosed) (void)next_token(&at);
    } else if (token.length > 0) {
        Token value = { 0 };
        Truth defined = isdigit((unsigned char)token.text[0]) ? YES : is_defined(conditions, token, &value);
        if (value.length == 0) value = token;
        if (defined == YES && isdigit((unsigned char)value.text[0])) truth = atoi(value.text) != 0 ? YES : NO;
    }
    if (next_token(&at).text < line->end) return MAYBE; // there is more
    return negated ? negate(truth) : truth;
}

static void begin_condition(Conditions *conditions, Truth branch) {
    if (conditions->depth < MAX_CONDITIONS)
        conditions->stack[conditions->depth] = (Condition){ .branch = branch, .earlier = NO };
    conditions->depth++;
}

// The next branch of the innermost condition, which counts if none before it does.
static void next_branch(Conditions *conditions, Truth branch) {
    if (conditions->depth == 0 || conditions->depth > MAX_CONDITIONS) return;
    Condition *condition = &conditions->stack[conditions->depth - 1];
    condition->earlier = FILO_MAX(condition->earlier, condition->branch);
    condition->branch = FILO_MIN(branch, negate(condition->earlier));
}

// Follows a directive. False for those that have nothing to do with conditions.
static bool follow_directive(Conditions *conditions, const Line *line) {
    const char *at = line->directive;
    Token word = next_token(&at), none = { 0 };
    const char *name = at;
    if (is(word, "ifdef"))
        begin_condition(conditions, is_defined(conditions, next_token(&name), &none));
    else if (is(word, "ifndef"))
        begin_condition(conditions, negate(is_defined(conditions, next_token(&name), &none)));
    else if (is(word, "if"))
        begin_condition(conditions, evaluate(conditions, line, at));
    else if (is(word, "elif"))
        next_branch(conditions, evaluate(conditions, line, at));
    else if (is(word, "else"))
        next_branch(conditions, YES);
    else if (is(word, "endif"))
        conditions->depth -= conditions->depth > 0;
    else
        return false;
    return true;
}

FiloResult gpu_shader_filter(const char *label, const char *stage, const char *text, char *filtered) {
    Conditions conditions = { 0 };
    Lines lines = { .at = text };
    memcpy(filtered, text, strlen(text) + 1);
    for (Line line; next_line(&lines, &line);) {
        bool condition = line.directive != NULL && follow_directive(&conditions, &line);
        if (condition || here(&conditions) == NO) {
            memset(filtered + (line.start - text), ' ', (size_t)(line.end - line.start));
            continue;
        }
        if (line.directive == NULL) continue;
        if (starts_with(line.directive, "define")) define(&conditions, &line, line.directive + 6, YES);
        if (starts_with(line.directive, "undef")) define(&conditions, &line, line.directive + 5, NO);
        if (here(&conditions) == YES && starts_with(line.directive, "error"))
            return filo_error(FILO_ERROR_DATA, "%s (%s), line %d: #%.*s", label, stage, lines.number,
                              (int)strcspn(line.directive, "\r\n"), line.directive);
    }
    const char *at = filtered;
    for (Token token; (token = next_token(&at)).length > 0;)
        if (is(token, "main")) return filo_ok();
    return filo_error(FILO_ERROR_DATA, "%s (%s): it has no main function", label, stage);
}
