// Edits as a list of JSON.
//
// An edit is read twice: first its members are compared with those that its kind needs, then reflection reads the values.

#include "base/suggest.h"
#include "placement_world/placement_world.h"

#include <stdio.h>
#include <string.h>

#define NO_OBJECT "pass a FiloPlacementWorld whose world exists"

// ---- Members ------------------------------------------------------------------------------------------------------

enum { KIND, X, Y, RADIUS, FOOTPRINTS, STRENGTH, SOFTNESS, ID, LAYER, MAP, MEMBERS };
static const char *const member_names[MEMBERS] = { "kind",     "x",        "y",  "radius", "footprints",
                                                   "strength", "softness", "id", "layer",  "map" };
enum { ID_MEMBERS = 4 };
static const char *const id_names[ID_MEMBERS] = { "cell_x", "cell_y", "footprint", "point" };

#define BIT(member) (1u << (member))
typedef struct Members {
    uint32_t needed, optional; // bits
} Members;

static Members members_of(FiloPlacementEditKind kind) {
    const uint32_t circle = BIT(KIND) | BIT(X) | BIT(Y) | BIT(RADIUS);
    switch (kind) {
    case FILO_PLACEMENT_CLEAR: return (Members){ circle, BIT(FOOTPRINTS) };
    case FILO_PLACEMENT_REMOVE: return (Members){ BIT(KIND) | BIT(ID), 0 };
    case FILO_PLACEMENT_PIN: return (Members){ BIT(KIND) | BIT(ID) | BIT(LAYER), 0 };
    case FILO_PLACEMENT_ADD:
    case FILO_PLACEMENT_SUBTRACT:
    case FILO_PLACEMENT_SET: return (Members){ circle | BIT(MAP) | BIT(STRENGTH), BIT(SOFTNESS) };
    case FILO_PLACEMENT_NO_EDIT: break;
    }
    return (Members){ BIT(KIND), 0 };
}

// ---- Writing ------------------------------------------------------------------------------------------------------

static void write_double(FiloJsonWriter *writer, const char *name, double value) {
    filo_json_key(writer, name);
    filo_json_write_double(writer, value);
}
static void write_float(FiloJsonWriter *writer, const char *name, float value) {
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
    Members members = members_of(edit->kind);
    if ((members.needed & BIT(ID)) != 0) {
        filo_json_key(writer, "id");
        filo_reflect_write_json(FILO_TYPE(FiloPlacementId), &edit->id, writer);
    }
    if ((members.needed & BIT(X)) != 0) {
        write_double(writer, "x", edit->x);
        write_double(writer, "y", edit->y);
        write_float(writer, "radius", edit->radius);
    }
    if ((members.optional & BIT(FOOTPRINTS)) != 0 && edit->footprints != 0) {
        filo_json_key(writer, "footprints");
        filo_json_write_uint64(writer, edit->footprints);
    }
    if ((members.needed & BIT(STRENGTH)) != 0) write_float(writer, "strength", edit->strength);
    if ((members.optional & BIT(SOFTNESS)) != 0 && edit->softness != 0)
        write_float(writer, "softness", edit->softness);
    if ((members.needed & BIT(LAYER)) != 0) write_name(writer, "layer", edit->layer);
    if ((members.needed & BIT(MAP)) != 0) write_name(writer, "map", edit->map);
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

// ---- Checking members ---------------------------------------------------------------------------------------------

// Which of `names` a key is: it must be one of them, and come once.
static FiloResult find_member(const FiloJsonReader *reader, FiloJsonToken key, const char *const *names,
                              int count, uint32_t *seen, int *member) {
    for (*member = 0; *member < count && !filo_json_equal(key, names[*member]);) ++*member;
    if (*member == count) {
        char wanted[64], meant[BASE_SUGGEST_SIZE];
        filo_json_as_text(key, wanted, sizeof wanted);
        BaseSuggestion suggestion = base_suggest(filo_string(wanted));
        for (int i = 0; i < count; i++) base_suggest_offer(&suggestion, filo_string(names[i]));
        return filo_json_error_at(reader, key, "there is no \"%s\" here%s", wanted,
                                  base_suggest_print(&suggestion, meant));
    }
    if ((*seen & BIT(*member)) != 0)
        return filo_json_error_at(reader, key, "\"%s\" is given twice", names[*member]);
    *seen |= BIT(*member);
    return filo_ok();
}

// The names of members, or of kinds, with commas between them.
typedef struct Names {
    char text[160];
    size_t length;
} Names;

static void add_name(Names *names, const char *name) {
    int length = snprintf(names->text + names->length, sizeof names->text - names->length, "%s%s",
                          names->length > 0 ? ", " : "", name);
    if (length > 0) names->length = FILO_MIN(names->length + (size_t)length, sizeof names->text - 1);
}

static FiloResult check_needed(const FiloJsonReader *reader, FiloJsonToken at, const char *what,
                               uint32_t missing, const char *const *names) {
    Names list = { .length = 0 };
    for (int i = 0; missing >> i != 0; i++)
        if ((missing & BIT(i)) != 0) add_name(&list, names[i]);
    return missing == 0 ? filo_ok() : filo_json_error_at(reader, at, "%s needs %s", what, list.text);
}

static FiloResult read_kind(const FiloJsonReader *reader, FiloJsonToken token, FiloPlacementEditKind *kind) {
    const FiloType *type = FILO_TYPE(FiloPlacementEditKind);
    char wanted[64] = "", meant[BASE_SUGGEST_SIZE];
    Names kinds = { .length = 0 };
    if (token.kind == FILO_JSON_STRING) filo_json_as_text(token, wanted, sizeof wanted);
    BaseSuggestion suggestion = base_suggest(filo_string(wanted));
    for (size_t i = 0; i < type->value_count; i++) {
        if (type->values[i].value == FILO_PLACEMENT_NO_EDIT) continue;
        *kind = (FiloPlacementEditKind)type->values[i].value;
        if (token.kind == FILO_JSON_STRING && filo_json_equal(token, type->values[i].name)) return filo_ok();
        base_suggest_offer(&suggestion, filo_string(type->values[i].name));
        add_name(&kinds, type->values[i].name);
    }
    if (token.kind != FILO_JSON_STRING)
        return filo_json_error_at(reader, token, "kind: expected one of %s, and not %s", kinds.text,
                                  filo_json_kind_name(token.kind));
    return filo_json_error_at(reader, token, "kind: \"%s\" is none of %s%s", wanted, kinds.text,
                              base_suggest_print(&suggestion, meant));
}

// The members of an id. Reflection says what is wrong with one that is not an object.
static FiloResult check_id(FiloJsonReader *reader, FiloJsonToken begin) {
    if (begin.kind != FILO_JSON_OBJECT_BEGIN) return filo_ok();
    uint32_t seen = 0;
    FiloJsonToken key;
    while ((key = filo_json_next(reader)).kind == FILO_JSON_KEY) {
        int member;
        FiloResult r = find_member(reader, key, id_names, ID_MEMBERS, &seen, &member);
        if (r.code != FILO_OK) return r;
        if (!filo_json_skip(reader, key)) return reader->error;
    }
    if (key.kind == FILO_JSON_ERROR) return reader->error;
    return check_needed(reader, begin, "an id", (BIT(ID_MEMBERS) - 1) & ~seen, id_names);
}

// Compares the members of an edit with those of its kind. `reader` is a copy, which has read its `begin`.
static FiloResult check_members(FiloJsonReader *reader, FiloJsonToken begin) {
    uint32_t seen = 0;
    FiloJsonToken keys[MEMBERS] = { 0 }, key;
    FiloPlacementEditKind kind = FILO_PLACEMENT_NO_EDIT;
    while ((key = filo_json_next(reader)).kind == FILO_JSON_KEY) {
        int member;
        FiloResult r = find_member(reader, key, member_names, MEMBERS, &seen, &member);
        if (r.code != FILO_OK) return r;
        keys[member] = key;
        if (member == KIND)
            r = read_kind(reader, filo_json_next(reader), &kind);
        else if (member == ID)
            r = check_id(reader, filo_json_next(reader));
        else if (!filo_json_skip(reader, key))
            return reader->error;
        if (reader->error.code != FILO_OK) return reader->error;
        if (r.code != FILO_OK) return r;
    }
    if (key.kind == FILO_JSON_ERROR) return reader->error;
    if ((seen & BIT(KIND)) == 0) return check_needed(reader, begin, "an edit", BIT(KIND), member_names);
    Members members = members_of(kind);
    char what[64];
    snprintf(what, sizeof what, "an edit of kind \"%s\"", kind_name(kind));
    for (int i = 0; i < MEMBERS; i++)
        if ((seen & ~(members.needed | members.optional) & BIT(i)) != 0)
            return filo_json_error_at(reader, keys[i], "%s has no \"%s\"", what, member_names[i]);
    return check_needed(reader, begin, what, members.needed & ~seen, member_names);
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

// `inside` has read `token`, the beginning of the edit, which `reader` has not.
static FiloResult read_edit(List *list, FiloJsonReader *reader, FiloJsonReader *inside, FiloJsonToken token,
                            const FiloPlacementWorld *pw) {
    if (token.kind != FILO_JSON_OBJECT_BEGIN)
        return filo_json_error_at(reader, token, "expected an edit, which is an object, and not %s",
                                  filo_json_kind_name(token.kind));
    if (list->edits.count == FILO_PLACEMENT_EDITS)
        return filo_error(FILO_ERROR_LIMIT, "%s: more than %d edits", reader->source, FILO_PLACEMENT_EDITS);
    FiloResult r = check_members(inside, token);
    if (r.code != FILO_OK) return r;
    FiloPlacementEdit edit = { 0 };
    const FiloReadOptions options = {
        .problem = note_problem, .user = list, .partial = true, .names = &list->names
    };
    r = filo_reflect_read_json(FILO_TYPE(FiloPlacementEdit), &edit, reader, &options);
    if (r.code != FILO_OK) return r;
    if (list->problem.code != FILO_OK) return list->problem;
    if (list->names.result.code != FILO_OK) return list->names.result;
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
        r = read_edit(list, reader, &at, token, pw);
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

// Those of a list that was refused do not stay.
static void keep_names(List *list) {
    filo_array_each (&list->edits, edit) {
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
