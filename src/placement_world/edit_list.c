// Edits as a list of JSON.

#include "placement_world/placement_world.h"

#include <string.h>

#define NO_OBJECT "pass a FiloPlacementWorld whose world exists"

// ---- Writing ------------------------------------------------------------------------------------------------------

static void write_double(FiloJsonWriter *writer, const char *name, double value) {
    filo_json_key(writer, name);
    filo_json_write_double(writer, value);
}
static void write_float(FiloJsonWriter *writer, const char *name, float value) {
    if (value == 0) return;
    filo_json_key(writer, name);
    filo_json_write_float(writer, value);
}
static void write_name(FiloJsonWriter *writer, const char *key, FiloName name) {
    filo_json_key(writer, key);
    filo_json_write_text(writer, filo_name_text(name));
}

static const char *kind_name(FiloPlacementEditKind kind) {
    const FiloType *type = FILO_TYPE(FiloPlacementEditKind);
    for (size_t i = 0; i < type->value_count; i++)
        if (type->values[i].value == (int64_t)kind) return type->values[i].name;
    return "none";
}

static void write_edit(FiloJsonWriter *writer, const FiloPlacementEdit *edit) {
    filo_json_on_one_line(writer);
    filo_json_begin_object(writer);
    filo_json_key(writer, "kind");
    filo_json_write_text(writer, kind_name(edit->kind));
    if (edit->kind == FILO_PLACEMENT_REMOVE || edit->kind == FILO_PLACEMENT_PIN) {
        filo_json_key(writer, "id");
        filo_reflect_write_json(FILO_TYPE(FiloPlacementId), &edit->id, writer);
        if (edit->kind == FILO_PLACEMENT_PIN) write_name(writer, "layer", edit->layer);
    } else {
        write_double(writer, "x", edit->x);
        write_double(writer, "y", edit->y);
        write_float(writer, "radius", edit->radius);
        if (edit->footprints != 0) {
            filo_json_key(writer, "footprints");
            filo_json_write_uint64(writer, edit->footprints);
        }
        write_float(writer, "strength", edit->strength);
        write_float(writer, "softness", edit->softness);
        if (edit->kind != FILO_PLACEMENT_CLEAR) write_name(writer, "map", edit->map);
    }
    filo_json_end_object(writer);
}

void filo_placement_edits_write(FiloPlacementWorld *pw, FiloJsonWriter *writer) {
    if (!FILO_CHECK(pw != NULL && pw->world != NULL && writer != NULL, NO_OBJECT ", and a writer")) return;
    (void)placement_world_edits_sync(pw); // without memory, the edits before the last change
    filo_json_begin_object(writer);
    filo_json_key(writer, "edits");
    filo_json_begin_array(writer);
    filo_array_each (&pw->edits.list, e)
        if (e->edit.kind != FILO_PLACEMENT_NO_EDIT) write_edit(writer, &e->edit);
    filo_json_end_array(writer);
    filo_json_end_object(writer);
}

// ---- Reading ------------------------------------------------------------------------------------------------------

typedef struct List {
    FiloArray(FiloPlacementEdit) edits;
    FiloNameBatch names;
    FiloResult problem; // the first one
} List;

static void note_problem(const FiloProblem *problem, void *user) {
    List *list = user;
    if (list->problem.code == FILO_OK) list->problem = filo_error(FILO_ERROR_DATA, "%s", problem->message);
}

static FiloResult read_edit(List *list, FiloJsonReader *reader, FiloJsonToken token,
                            const FiloPlacementWorld *pw) {
    if (token.kind != FILO_JSON_OBJECT_BEGIN)
        return filo_json_error_at(reader, token, "expected an edit, which is an object, and not %s",
                                  filo_json_kind_name(token.kind));
    if (list->edits.count == FILO_PLACEMENT_EDITS)
        return filo_error(FILO_ERROR_LIMIT, "%s: more than %d edits", reader->source, FILO_PLACEMENT_EDITS);
    FiloPlacementEdit edit = { 0 };
    const FiloReadOptions options = {
        .problem = note_problem, .user = list, .partial = true, .names = &list->names
    };
    FiloResult r = filo_reflect_read_json(FILO_TYPE(FiloPlacementEdit), &edit, reader, &options);
    if (r.code != FILO_OK) return r;
    if (list->problem.code != FILO_OK) return list->problem;
    if (list->names.result.code != FILO_OK) return list->names.result;
    edit.order = 0;
    r = filo_placement_edit_check(pw, &edit);
    if (r.code != FILO_OK) {
        FiloResult at = filo_json_error_at(reader, token, "%s", r.message);
        at.code = r.code;
        return at;
    }
    if (!filo_array_push(&list->edits, edit))
        return filo_error(FILO_ERROR_MEMORY, "no memory for a list of edits");
    return filo_ok();
}

static FiloResult expect(FiloJsonReader *reader, FiloJsonKind kind, const char *what) {
    FiloJsonToken token = filo_json_next(reader);
    if (token.kind == kind) return filo_ok();
    if (token.kind == FILO_JSON_ERROR) return reader->error;
    return filo_json_error_at(reader, token, "expected %s, and not %s", what,
                              filo_json_kind_name(token.kind));
}

// The value of "edits".
static FiloResult read_array(List *list, FiloJsonReader *reader, const FiloPlacementWorld *pw) {
    FiloResult r = expect(reader, FILO_JSON_ARRAY_BEGIN, "a list of edits");
    while (r.code == FILO_OK) {
        FiloJsonReader at = *reader; // filo_reflect_read_json reads a value from its beginning
        FiloJsonToken token = filo_json_next(&at);
        if (token.kind == FILO_JSON_ERROR) return at.error;
        if (token.kind == FILO_JSON_ARRAY_END) {
            *reader = at;
            return r;
        }
        r = read_edit(list, reader, token, pw);
    }
    return r;
}

static FiloResult read_list(List *list, FiloJsonReader *reader, const FiloPlacementWorld *pw) {
    FiloResult r = expect(reader, FILO_JSON_OBJECT_BEGIN, "an object with \"edits\"");
    bool found = false;
    while (r.code == FILO_OK) {
        FiloJsonToken token = filo_json_next(reader);
        if (token.kind == FILO_JSON_ERROR) return reader->error;
        if (token.kind == FILO_JSON_OBJECT_END) {
            if (!found) return filo_json_error_at(reader, token, "there is no \"edits\" in this object");
            return expect(reader, FILO_JSON_END, "the end of the text");
        }
        if (found || !filo_json_equal(token, "edits"))
            return filo_json_error_at(reader, token, "expected nothing but one \"edits\"");
        found = true;
        r = read_array(list, reader, pw);
    }
    return r;
}

// Of the names in a list, only those stay that its edits need.
static void keep_names(List *list) {
    filo_array_each (&list->edits, edit) {
        if (edit->kind != FILO_PLACEMENT_PIN) edit->layer = (FiloName){ 0 };
        if (edit->kind < FILO_PLACEMENT_ADD) edit->map = (FiloName){ 0 };
        if (edit->layer.id != 0) filo_name_make_permanent(edit->layer);
        if (edit->map.id != 0) filo_name_make_permanent(edit->map);
    }
}

static FiloResult create_all(FiloPlacementWorld *pw, const List *list) {
    FiloArray(FiloEntity) made;
    filo_array_init(&made, pw->allocator);
    bool complete = filo_array_reserve(&made, list->edits.count);
    for (size_t i = 0; i < list->edits.count && complete; i++) {
        FiloEntity entity = filo_create(pw->world, FILO_SET_COPY(FiloPlacementEdit, &list->edits.items[i]));
        complete = entity.id != 0 && filo_array_push(&made, entity);
    }
    if (!complete) filo_entity_destroy_many(pw->world, made.items, made.count);
    filo_array_deinit(&made);
    return complete ? filo_ok() : filo_error(FILO_ERROR_MEMORY, "no memory for %zu edits", list->edits.count);
}

FiloResult filo_placement_edits_read(FiloPlacementWorld *pw, const char *text, size_t length,
                                     const char *source) {
    if (pw == NULL || pw->world == NULL || text == NULL) return FILO_MISTAKE(NO_OBJECT ", and a text");
    FiloJsonReader reader;
    filo_json_reader_init(&reader, text, length, source != NULL ? source : "edits");
    List list = { 0 };
    filo_array_init(&list.edits, pw->allocator);
    FiloResult r = read_list(&list, &reader, pw);
    if (r.code == FILO_OK) {
        keep_names(&list);
        r = create_all(pw, &list);
    }
    filo_name_batch_end(&list.names, false);
    filo_array_deinit(&list.edits);
    return r;
}
