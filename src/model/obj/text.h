// The text of an OBJ or MTL file: lines of words, "\" at the end of a line continues it, "#" begins a comment.
//
// Text that is parsed ends in a newline, so that no loop over the characters of a line needs to compare with the end. The
// bytes of a file are parsed in place up to their last newline; what follows it is copied, and a newline appended.

#ifndef FILO_MODEL_OBJ_TEXT_H
#define FILO_MODEL_OBJ_TEXT_H

#include "model/model.h"
#include "model/obj/number.h"

typedef struct ModelText {
    ModelReader *reader;
    const char *name; // of the file, for messages
    const char *begin, *end;
    const char *p; // what is read next
    size_t lines_before;
} ModelText;

typedef FiloResult (*ModelTextParse)(ModelText *text, void *user);

// Calls `parse`, once or twice, to read from text->p to text->end, which is behind a newline.
FiloResult model_text_parse(ModelReader *reader, const char *name, const uint8_t *bytes, size_t size,
                            ModelTextParse parse, void *user);

// An error at text->p: "rock.obj:17: …".
FiloResult model_text_error(const ModelText *text, FiloCode code, const char *format, ...)
    FILO_PRINTF(3, 4) FILO_COLD;
void model_text_warn(const ModelText *text, const char *format, ...) FILO_PRINTF(2, 3) FILO_COLD;
// "“abc” is not a number", with the word at text->p.
FiloResult model_text_no_number(const ModelText *text) FILO_COLD;

// Behind model_text_spaces: continues on the next line.
const char *model_text_continue(const char *p) FILO_COLD;

// Moves to the next word, and returns whether there is one on the line.
static inline bool model_text_spaces(ModelText *text) {
    const char *p = text->p;
    while (*p == ' ' || *p == '\t' || *p == '\r') p++;
    if (FILO_UNLIKELY(*p == '\\')) p = model_text_continue(p);
    text->p = p;
    return *p != '\n' && *p != '#';
}

// Moves behind the end of the line, with the lines that continue it.
void model_text_skip_line(ModelText *text);

// Moves to the end of the next word and returns it; empty at the end of the line.
FiloString model_text_word(ModelText *text);
// The rest of the line without spaces at its ends. Moves to the end of the line.
FiloString model_text_rest(ModelText *text);

// Reads `count` numbers; fewer, or something else, is an error. `what` is for the message: "a vertex has".
FiloResult model_text_floats(ModelText *text, float *numbers, int count, const char *what);

#endif
