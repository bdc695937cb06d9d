// Composing: reads files line by line. What is left out becomes an empty line, so that a file's lines stay together: a new
// run begins only where an included file begins or ends.

#include "gfx3d/materials/compose.h"

#include "gfx3d/materials/condition.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_TEXT    FILO_MIB(1)
#define MOST_FILES      64
#define MOST_CONDITIONS 64
#define DEEPEST_INCLUDE 16

typedef struct Condition {
    bool active; // the lines of the current branch are read
    bool taken;  // a branch was, or is
    bool kept;   // it is not known: the directives stay in the text, and all branches are read
    int line;    // of #if
} Condition;

typedef struct Composer {
    const Gfx3dComposeDesc *desc;
    Gfx3dText *text;
    Gfx3dDefines defines;
    FiloArray(Gfx3dTextFile) included; // names
    Condition conditions[MOST_CONDITIONS];
    int depth; // of conditions
    int include_depth;
    bool in_comment;
    uint32_t line; // lines of the result
    FiloResult result;
} Composer;

typedef struct File {
    const char *label;
    uint32_t index; // of Gfx3dText.files
    int line;       // the current one
    Gfx3dStage part;
    int parts;       // a bit for each that was seen
    int first_depth; // of conditions, where it begins
} File;

static bool refuse(Composer *composer, FiloResult result) {
    if (composer->result.code == FILO_OK) composer->result = result;
    return false;
}
static bool no_memory(Composer *composer) {
    return refuse(composer, filo_error(FILO_ERROR_MEMORY, "%s: no memory for the text of a shader",
                                       composer->desc->source.label));
}

// ---- Lines of the result ------------------------------------------------------------------------------------

static bool emit(Composer *composer, FiloString line) {
    FiloBuilder *builder = &composer->text->text;
    if (builder->length + line.length > LONGEST_TEXT)
        return refuse(composer, filo_error(FILO_ERROR_LIMIT,
                                           "%s: with everything that it includes, the "
                                           "shader is longer than 1 MiB",
                                           composer->desc->source.label));
    composer->line++;
    return (filo_builder_add(builder, line) && filo_builder_add_byte(builder, '\n')) || no_memory(composer);
}
static bool emit_nothing(Composer *composer) { return emit(composer, filo_string("")); }

static bool begin_run(Composer *composer, const File *file) {
    Gfx3dTextRun run = { composer->line + 1, file->index, (uint32_t)file->line + 1 };
    return filo_array_push(&composer->text->runs, run) || no_memory(composer);
}

static void follow_comments(Composer *composer, FiloString line) {
    for (size_t i = 0; i + 1 < line.length; i++) {
        bool ends = line.data[i] == '*' && line.data[i + 1] == '/';
        bool begins = line.data[i] == '/' && line.data[i + 1] == '*';
        if (!composer->in_comment && line.data[i] == '/' && line.data[i + 1] == '/') return;
        if (composer->in_comment ? ends : begins) {
            composer->in_comment = !composer->in_comment;
            i++;
        }
    }
}

// ---- Conditions ---------------------------------------------------------------------------------------------

static bool is_active(const Composer *composer) {
    return composer->depth == 0 || composer->conditions[composer->depth - 1].active;
}
static bool is_maybe(const Composer *composer) {
    for (int i = 0; i < composer->depth; i++)
        if (composer->conditions[i].kept && composer->conditions[i].active) return true;
    return false;
}
static bool outside(const Composer *composer) {
    return composer->depth < 2 || composer->conditions[composer->depth - 2].active;
}

static bool begin_condition(Composer *composer, const File *file, Gfx3dTruth truth, FiloString line) {
    if (composer->depth == MOST_CONDITIONS)
        return refuse(composer,
                      filo_error(FILO_ERROR_LIMIT, "%s:%d: more than %d conditions inside each other",
                                 file->label, file->line, MOST_CONDITIONS));
    bool active = is_active(composer);
    Condition condition = { .active = active && truth != GFX3D_FALSE,
                            .taken = truth == GFX3D_TRUE,
                            .kept = active && truth == GFX3D_UNKNOWN,
                            .line = file->line };
    composer->conditions[composer->depth++] = condition;
    return condition.kept ? emit(composer, line) : emit_nothing(composer);
}

// #elif and #else.
static bool next_branch(Composer *composer, const File *file, Gfx3dTruth truth, FiloString line,
                        FiloString expression) {
    if (composer->depth == file->first_depth)
        return refuse(composer, filo_error(FILO_ERROR_DATA, "%s:%d: there is no #if before this", file->label,
                                           file->line));
    Condition *condition = &composer->conditions[composer->depth - 1];
    if (condition->kept) return emit(composer, line);
    condition->active = outside(composer) && !condition->taken && truth != GFX3D_FALSE;
    if (condition->active &&
        truth == GFX3D_UNKNOWN) { // the branches before it are left out: it begins the condition
        condition->kept = true;
        return filo_builder_add_text(&composer->text->text, "#if ") && emit(composer, expression);
    }
    condition->taken = condition->taken || truth == GFX3D_TRUE;
    return emit_nothing(composer);
}

static bool end_condition(Composer *composer, const File *file, FiloString line) {
    if (composer->depth == file->first_depth)
        return refuse(composer, filo_error(FILO_ERROR_DATA, "%s:%d: there is no #if before this", file->label,
                                           file->line));
    return composer->conditions[--composer->depth].kept ? emit(composer, line) : emit_nothing(composer);
}

static Gfx3dTruth truth_of(const Composer *composer, FiloString word, FiloString rest) {
    if (!is_active(composer)) return GFX3D_FALSE;
    if (filo_string_equal(word, FILO_STRING("if"))) return gfx3d_condition(&composer->defines, rest);
    FiloString after, name = gfx3d_word(rest, &after);
    Gfx3dTruth truth = gfx3d_defined(&composer->defines, name);
    if (filo_string_equal(word, FILO_STRING("ifdef")) || truth == GFX3D_UNKNOWN) return truth;
    return truth == GFX3D_TRUE ? GFX3D_FALSE : GFX3D_TRUE;
}

// ---- Files --------------------------------------------------------------------------------------------------

static bool read_file(Composer *composer, const Gfx3dSource *source);

static bool was_included(const Composer *composer, const char *name) {
    filo_array_each (&composer->included, file)
        if (strcmp(file->label, name) == 0) return true;
    return false;
}

// The name between quotes; false if there is none.
static bool included_name(FiloString rest, char name[GFX3D_LABEL]) {
    if (rest.length < 3 || rest.data[0] != '"') return false;
    rest = filo_string_slice(rest, 1, rest.length);
    FiloString inside;
    return filo_string_cut(rest, FILO_STRING("\""), &inside, &rest) && inside.length > 0 &&
           inside.length < GFX3D_LABEL && filo_string_copy(inside, name, GFX3D_LABEL) == inside.length;
}

static bool include(Composer *composer, const File *file, FiloString rest) {
    Gfx3dTextFile name = { "" };
    if (!included_name(rest, name.label))
        return refuse(composer,
                      filo_error(FILO_ERROR_DATA,
                                 "%s:%d: write #include \"file.glsl\", with a name of up to %d letters",
                                 file->label, file->line, GFX3D_LABEL - 1));
    if (was_included(composer, name.label)) return emit_nothing(composer);
    if (composer->included.count == MOST_FILES || composer->include_depth == DEEPEST_INCLUDE)
        return refuse(composer, filo_error(FILO_ERROR_LIMIT, "%s:%d: too many files include each other",
                                           file->label, file->line));
    Gfx3dSource source = { 0 };
    FiloResult result = composer->desc->open(&source, name.label, composer->desc->user);
    if (result.code != FILO_OK)
        return refuse(composer,
                      filo_error(result.code, "%s:%d: %s", file->label, file->line, result.message));
    if (!filo_array_push(&composer->included, name)) return no_memory(composer);
    if (source.text == NULL) return emit_nothing(composer);
    composer->include_depth++;
    bool ok = read_file(composer, &source) && begin_run(composer, file);
    composer->include_depth--;
    return ok;
}

static bool is(FiloString word, const char *text) { return filo_string_equal(word, filo_string(text)); }

static bool read_directive(Composer *composer, File *file, FiloString line) {
    FiloString rest = filo_string_slice(filo_string_trim(line), 1, line.length);
    FiloString word = gfx3d_word(rest, &rest);
    if (is(word, "if") || is(word, "ifdef") || is(word, "ifndef"))
        return begin_condition(composer, file, truth_of(composer, word, rest), line);
    if (is(word, "elif"))
        return next_branch(composer, file, gfx3d_condition(&composer->defines, rest), line, rest);
    if (is(word, "else")) return next_branch(composer, file, GFX3D_TRUE, line, rest);
    if (is(word, "endif")) return end_condition(composer, file, line);
    if (!is_active(composer)) return emit_nothing(composer);
    if (is(word, "include")) return include(composer, file, rest);
    if (is(word, "version"))
        return refuse(composer,
                      filo_error(FILO_ERROR_DATA, "%s:%d: leave out #version, the device writes its own",
                                 file->label, file->line));
    if (is(word, "error") && !is_maybe(composer))
        return refuse(composer, filo_error(FILO_ERROR_DATA, "%s:%d: #error " FILO_STRING_FORMAT, file->label,
                                           file->line, FILO_STRING_PRINT(rest)));
    if (is(word, "line")) return emit_nothing(composer); // messages have lines of files anyway
    if (is(word, "define") && !gfx3d_defines_add(&composer->defines, rest, is_maybe(composer)))
        return no_memory(composer);
    if (is(word, "undef"))
        gfx3d_defines_remove(&composer->defines, gfx3d_word(rest, &rest), is_maybe(composer));
    return emit(composer, line);
}

// "//! vertex" and "//! fragment". True if the line is one of them; a wrong one is refused.
static bool begins_part(Composer *composer, File *file, FiloString trimmed) {
    if (composer->in_comment || !filo_string_starts_with(trimmed, FILO_STRING("//!"))) return false;
    FiloString name = filo_string_trim(filo_string_slice(trimmed, 3, trimmed.length));
    Gfx3dStage part = is(name, "vertex")     ? GFX3D_STAGE_VERTEX
                      : is(name, "fragment") ? GFX3D_STAGE_FRAGMENT
                                             : 0;
    if (part == 0)
        refuse(composer,
               filo_error(FILO_ERROR_DATA,
                          "%s:%d: a part of a shader is begun by \"//! vertex\" or \"//! fragment\"",
                          file->label, file->line));
    else if ((file->parts & (int)part) != 0)
        refuse(composer,
               filo_error(FILO_ERROR_DATA, "%s:%d: this part is there twice", file->label, file->line));
    file->part = part;
    file->parts |= (int)part;
    composer->text->parts |= (int)part;
    return true;
}

static bool read_line(Composer *composer, File *file, FiloString line) {
    FiloString trimmed = filo_string_trim(line);
    if (begins_part(composer, file, trimmed))
        return composer->result.code == FILO_OK && emit_nothing(composer);
    if (file->part != 0 && file->part != composer->desc->stage) return emit_nothing(composer);
    if (!composer->in_comment && trimmed.length > 0 && trimmed.data[0] == '#')
        return read_directive(composer, file, line);
    if (!is_active(composer)) return emit_nothing(composer);
    follow_comments(composer, line);
    return emit(composer, line);
}

static bool read_file(Composer *composer, const Gfx3dSource *source) {
    Gfx3dText *text = composer->text;
    File file = { .label = source->label,
                  .index = (uint32_t)text->files.count,
                  .first_depth = composer->depth };
    Gfx3dTextFile named = { "" };
    (void)filo_string_copy(filo_string(source->label), named.label, sizeof named.label);
    if (!filo_array_push(&text->files, named)) return no_memory(composer);
    if (!begin_run(composer, &file)) return false;
    bool was_in_comment = composer->in_comment;
    FiloSplit split = filo_string_split(filo_string(source->text), FILO_STRING("\n"));
    for (FiloString line; filo_split_next(&split, &line);) {
        file.line++;
        if (line.length > 0 && line.data[line.length - 1] == '\r') line.length--;
        if (!read_line(composer, &file, line)) return false;
    }
    composer->in_comment = was_in_comment;
    if (composer->depth == file.first_depth) return true;
    return refuse(composer, filo_error(FILO_ERROR_DATA, "%s:%d: there is no #endif for this", file.label,
                                       composer->conditions[composer->depth - 1].line));
}

// ---- The whole ----------------------------------------------------------------------------------------------

// Writes "A B=2" as lines, which belong to the first file.
static bool write_defines(Composer *composer) {
    FiloSplit split = filo_string_split(filo_string(composer->desc->defines), FILO_STRING(" "));
    for (FiloString define; filo_split_next(&split, &define);) {
        FiloString name, value;
        if (define.length == 0) continue;
        bool with_value = filo_string_cut(define, FILO_STRING("="), &name, &value);
        if (!with_value) value = FILO_STRING("1");
        FiloBuilder *builder = &composer->text->text;
        bool ok = filo_builder_printf(builder, "#define " FILO_STRING_FORMAT " " FILO_STRING_FORMAT "\n",
                                      FILO_STRING_PRINT(name), FILO_STRING_PRINT(value));
        if (!ok) return no_memory(composer);
        composer->line++;
        Gfx3dDefine known = { .name = name };
        known.number = filo_parse_int64(value, &known.value).code == FILO_OK;
        if (!filo_array_push(&composer->defines, known)) return no_memory(composer);
    }
    return true;
}

void gfx3d_text_free(Gfx3dText *text) {
    filo_builder_deinit(&text->text);
    filo_array_deinit(&text->files);
    filo_array_deinit(&text->runs);
}

FiloResult gfx3d_compose(Gfx3dText *text, const Gfx3dComposeDesc *desc) {
    filo_builder_init(&text->text, desc->allocator);
    filo_array_init(&text->files, desc->allocator);
    filo_array_init(&text->runs, desc->allocator);
    text->parts = 0;
    Composer composer = { .desc = desc, .text = text };
    filo_array_init(&composer.defines, desc->allocator);
    filo_array_init(&composer.included, desc->allocator);
    if (desc->defines == NULL || write_defines(&composer)) (void)read_file(&composer, &desc->source);
    filo_array_deinit(&composer.defines);
    filo_array_deinit(&composer.included);
    if (composer.result.code != FILO_OK) gfx3d_text_free(text);
    return composer.result;
}

// ---- Messages -----------------------------------------------------------------------------------------------

// The file and line of a line of the text; NULL if it is of no file.
static const char *place_of(const Gfx3dText *text, uint32_t line, uint32_t *file_line) {
    const Gfx3dTextRun *found = NULL;
    filo_array_each (&text->runs, run)
        if (run->line <= line) found = run;
    if (found == NULL) return NULL;
    *file_line = found->file_line + (line - found->line);
    return text->files.items[found->file].label;
}

FiloResult gfx3d_text_error(const FiloResult *result, const Gfx3dText *vertex, const Gfx3dText *fragment) {
    static const char *const stages[] = { "(vertex shader), line ", "(fragment shader), line " };
    const Gfx3dText *texts[] = { vertex, fragment };
    for (int i = 0; i < 2; i++) {
        const char *at = strstr(result->message, stages[i]);
        if (at == NULL) continue;
        char *end;
        unsigned long line = strtoul(at + strlen(stages[i]), &end, 10);
        uint32_t file_line = 0;
        const char *file = place_of(texts[i], (uint32_t)line, &file_line);
        if (file != NULL) return filo_error(result->code, "%s:%u%s", file, file_line, end);
    }
    return *result;
}
