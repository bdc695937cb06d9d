// From a value in a file to one of this program: a list of steps, computed once for each component.
//
// Fields are found by name, or by their former name. Where both sides agree, bytes are copied, in runs as long as
// possible. Otherwise numbers are converted by way of int64_t or double, enums and flags by the names of their
// values.

#include "base/reflect_value.h"
#include "ecs/save/save.h"

#include <filo/hash.h>
#include <filo/log.h>

#include <math.h>
#include <stdio.h>

void ecs_conversion_init(EcsConversion *conversion, const FiloAllocator *allocator) {
    *conversion = (EcsConversion){ 0 };
    filo_array_init(&conversion->steps, allocator);
}

void ecs_conversion_deinit(EcsConversion *conversion) { filo_array_deinit(&conversion->steps); }

void ecs_load_report(EcsLoadReports *reports, const char *format, ...) {
    char sentence[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    uint64_t hash = filo_hash(sentence, strlen(sentence));
    if (filo_map_has(&reports->reported, hash)) return;
    (void)filo_map_set(&reports->reported, hash, &(uint8_t){ 1 }); // without memory it may be repeated
    if (reports->report != NULL)
        reports->report(sentence, reports->user);
    else
        filo_log_warn("ecs", "%s", sentence);
}

// ---- Steps ----------------------------------------------------------------------------------------------

// Joins a step with the last one, if both copy bytes that are adjacent on both sides.
static bool join_last(EcsConversion *conversion, const EcsStep *step) {
    if (step->kind != ECS_STEP_COPY || conversion->steps.count == 0) return false;
    EcsStep *last = &conversion->steps.items[conversion->steps.count - 1];
    if (last->kind != ECS_STEP_COPY || last->from + last->count != step->from ||
        last->to + last->count != step->to)
        return false;
    last->count += step->count;
    return true;
}

static void add_step(EcsConversion *conversion, EcsStep step) {
    if (join_last(conversion, &step)) return;
    if (!filo_array_push(&conversion->steps, step)) conversion->failed = true;
}

static bool is_number(FiloKind kind) {
    return kind == FILO_KIND_BOOL || kind == FILO_KIND_CHAR || kind == FILO_KIND_INT ||
           kind == FILO_KIND_UINT || kind == FILO_KIND_FLOAT || kind == FILO_KIND_ENUM ||
           kind == FILO_KIND_FLAGS;
}

static bool same_values(const EcsConversion *conversion, const EcsSavedType *saved, const FiloType *names) {
    if (saved->count != names->value_count) return false;
    for (size_t i = 0; i < saved->count; i++) {
        const EcsSavedValue *value = &conversion->types->values.items[saved->first + i];
        if (value->value != names->values[i].value ||
            !filo_string_equal(value->name, filo_string(names->values[i].name)))
            return false;
    }
    return true;
}

// A value, or an array of them, that is neither struct nor text. False if it cannot be converted.
static bool add_values(EcsConversion *conversion, const EcsSavedType *saved, const FiloType *type,
                       EcsStep step) {
    FiloKind kind = base_value_kind(type, step.field);
    step.saved = saved;
    step.type = type;
    step.names = base_value_names(type, step.field);
    bool plain = saved->size == type->size && saved->kind == kind && kind != FILO_KIND_NAME &&
                 saved->is_signed == base_value_is_signed(type);
    bool named = (kind == FILO_KIND_ENUM || kind == FILO_KIND_FLAGS) && saved->kind == kind;
    if (plain && kind != FILO_KIND_BOOL && (!named || same_values(conversion, saved, step.names))) {
        step.kind = ECS_STEP_COPY;
        step.count *= (uint32_t)saved->size;
    } else if (named) {
        step.kind = kind == FILO_KIND_ENUM ? ECS_STEP_ENUMS : ECS_STEP_FLAGS;
    } else if (saved->kind == FILO_KIND_NAME && kind == FILO_KIND_NAME) {
        step.kind = ECS_STEP_NAMES;
    } else if (is_number(saved->kind) && is_number(kind)) {
        step.kind = ECS_STEP_NUMBERS;
    } else {
        return false;
    }
    add_step(conversion, step);
    return true;
}

static void add_struct(EcsConversion *conversion, const EcsSavedType *saved, const FiloType *type,
                       uint64_t from, size_t to);

static void add_field(EcsConversion *conversion, const EcsSavedType *owner, const EcsSavedField *from_field,
                      uint64_t from, const FiloField *field, size_t to) {
    const EcsSavedType *saved = &conversion->types->types.items[from_field->type];
    const FiloType *type = filo_field_type(field);
    uint32_t had = FILO_MAX(from_field->count, 1u), has = (uint32_t)FILO_MAX(field->count, (size_t)1);
    EcsStep step = {
        .from = (uint32_t)from, .to = (uint32_t)to, .count = FILO_MIN(had, has), .field = field
    };
    bool text = saved->kind == FILO_KIND_CHAR && from_field->count > 0;
    bool converted = true;
    if (text && base_value_is_text(type, field->count)) {
        step.kind = ECS_STEP_TEXT;
        step.count = had;
        step.capacity = has;
        add_step(conversion, step);
        return;
    }
    if (text || base_value_is_text(type, field->count))
        converted = false;
    else if (saved->kind == FILO_KIND_STRUCT && type->kind == FILO_KIND_STRUCT)
        for (uint32_t i = 0; i < step.count; i++)
            add_struct(conversion, saved, type, from + i * saved->size, to + i * type->size);
    else
        converted = saved->kind != FILO_KIND_STRUCT && type->kind != FILO_KIND_STRUCT &&
                    add_values(conversion, saved, type, step);
    if (!converted)
        ecs_load_report(conversion->reports,
                        "%s: field %s of " FILO_STRING_FORMAT
                        " has become something else; it has its default value",
                        conversion->component, field->name, FILO_STRING_PRINT(owner->name));
    else if (had > has)
        ecs_load_report(conversion->reports,
                        "%s: list %s of " FILO_STRING_FORMAT
                        " had %u elements and has room for %u; the others are dropped",
                        conversion->component, field->name, FILO_STRING_PRINT(owner->name), had, has);
}

// The field of this program for a field of the file: by its name, then by its former name.
static const FiloField *find_field(const FiloType *type, FiloString name) {
    const FiloField *older = NULL;
    for (size_t i = 0; i < type->field_count; i++) {
        const FiloField *field = &type->fields[i];
        if ((field->flags & FILO_FIELD_TRANSIENT) != 0) continue;
        if (filo_string_equal(name, filo_string(field->name))) return field;
        if (older == NULL && field->was != NULL && filo_string_equal(name, filo_string(field->was)))
            older = field;
    }
    return older;
}

// Whether a field was found by its former name, and the file has one with its present name too.
static bool has_newer_source(const EcsConversion *conversion, const EcsSavedType *saved,
                             const FiloField *field, FiloString name) {
    if (filo_string_equal(name, filo_string(field->name))) return false;
    for (size_t i = 0; i < saved->count; i++)
        if (filo_string_equal(conversion->types->fields.items[saved->first + i].name,
                              filo_string(field->name)))
            return true;
    return false;
}

static void add_struct(EcsConversion *conversion, const EcsSavedType *saved, const FiloType *type,
                       uint64_t from, size_t to) {
    for (size_t i = 0; i < saved->count && !conversion->failed; i++) {
        const EcsSavedField *field = &conversion->types->fields.items[saved->first + i];
        const FiloField *here = find_field(type, field->name);
        if (here == NULL || has_newer_source(conversion, saved, here, field->name))
            ecs_load_report(
                conversion->reports,
                "%s: field " FILO_STRING_FORMAT " of " FILO_STRING_FORMAT " is gone; its values are dropped",
                conversion->component, FILO_STRING_PRINT(field->name), FILO_STRING_PRINT(saved->name));
        else
            add_field(conversion, saved, field, from, here, to + here->offset);
        from += conversion->types->types.items[field->type].size * FILO_MAX(field->count, 1u);
    }
}

bool ecs_conversion_make(EcsConversion *conversion, uint32_t from, const FiloType *to) {
    const EcsSavedType *saved = &conversion->types->types.items[from];
    filo_array_clear(&conversion->steps);
    conversion->size = saved->size;
    conversion->failed = false;
    add_struct(conversion, saved, to, 0, 0);
    return !conversion->failed;
}

// ---- Numbers --------------------------------------------------------------------------------------------

static void report_once(EcsConversion *conversion, EcsStep *step, const char *what) {
    if (step->reported) return;
    step->reported = true;
    ecs_load_report(conversion->reports, "%s: field %s: %s", conversion->component, step->field->name, what);
}

// A type that describes values of the file.
static FiloType as_type(const EcsSavedType *saved) {
    return (FiloType){ .name = "",
                       .kind = saved->kind,
                       .size = (size_t)saved->size,
                       .align = 1,
                       .is_signed = saved->is_signed };
}

static bool is_unsigned(const FiloType *type) { return !base_value_is_signed(type); }

// The nearest number that the type can hold. `above`: the number is unsigned.
static int64_t nearest(const FiloType *type, int64_t number, bool above) {
    if (base_value_fits(type, number, above)) return number;
    bool negative = !above && number < 0;
    if (base_value_is_signed(type)) {
        int64_t limit = type->size >= 8 ? INT64_MAX : (INT64_C(1) << (type->size * 8 - 1)) - 1;
        return negative ? -limit - 1 : limit;
    }
    return negative ? 0 : (int64_t)(type->size >= 8 ? UINT64_MAX : (UINT64_C(1) << (type->size * 8)) - 1);
}

static int64_t whole_number(const FiloType *type, double number, bool *fits) {
    const double limit = 9223372036854775808.0; // 2^63
    *fits = true;
    bool above = false;
    int64_t whole = 0;
    if (number >= limit && number < limit * 2 && is_unsigned(type))
        whole = (int64_t)(uint64_t)number, above = true;
    else if (number >= limit || number < -limit || isnan(number))
        *fits = false, whole = isnan(number) ? 0 : number > 0 ? INT64_MAX : INT64_MIN;
    else
        whole = (int64_t)number;
    if (!*fits && number >= limit && is_unsigned(type)) return nearest(type, -1, true);
    *fits = *fits && base_value_fits(type, whole, above);
    return nearest(type, whole, above);
}

static void store_float(const FiloType *type, uint8_t *to, double number) {
    float narrow = (float)number;
    if (type->size == sizeof narrow)
        memcpy(to, &narrow, sizeof narrow);
    else
        memcpy(to, &number, sizeof number);
}

static void convert_number(EcsConversion *conversion, EcsStep *step, const FiloType *saved,
                           const uint8_t *from, uint8_t *to) {
    const FiloType *type = step->type;
    bool from_float = saved->kind == FILO_KIND_FLOAT, fits = true;
    int64_t whole = from_float ? 0 : base_value_load(saved, from);
    bool above = !from_float && whole < 0 && is_unsigned(saved);
    if (type->kind == FILO_KIND_FLOAT) {
        store_float(type, to,
                    from_float ? base_value_load_float(saved, from)
                    : above    ? (double)(uint64_t)whole
                               : (double)whole);
    } else if (type->kind == FILO_KIND_BOOL) {
        *to = from_float ? base_value_load_float(saved, from) != 0 : whole != 0;
    } else {
        if (from_float)
            whole = whole_number(type, base_value_load_float(saved, from), &fits);
        else if (!(fits = base_value_fits(type, whole, above)))
            whole = nearest(type, whole, above);
        base_value_store(type, to, whole);
    }
    if (!fits)
        report_once(conversion, step,
                    "some values do not fit any more and were replaced by the nearest that does");
}

// ---- Names of values ------------------------------------------------------------------------------------

static bool value_here(const FiloType *names, FiloString name, int64_t *value) {
    for (size_t i = 0; i < names->value_count; i++)
        if (filo_string_equal(name, filo_string(names->values[i].name))) {
            *value = names->values[i].value;
            return true;
        }
    return false;
}

static void convert_enum(EcsConversion *conversion, EcsStep *step, const FiloType *saved, const uint8_t *from,
                         uint8_t *to) {
    int64_t number = base_value_load(saved, from);
    bool exists = true;
    for (size_t i = 0; i < step->saved->count; i++) {
        const EcsSavedValue *value = &conversion->types->values.items[step->saved->first + i];
        if (value->value != number) continue;
        exists = value_here(step->names, value->name, &number);
        break;
    }
    if (exists && base_value_fits(step->type, number, false))
        base_value_store(step->type, to, number);
    else
        report_once(conversion, step, "some values do not exist any more; they have their default value");
}

static void convert_flags(EcsConversion *conversion, EcsStep *step, const FiloType *saved,
                          const uint8_t *from, uint8_t *to) {
    uint64_t bits = (uint64_t)base_value_load(saved, from), rest = bits, here = 0;
    bool exists = true;
    for (size_t i = 0; i < step->saved->count; i++) {
        const EcsSavedValue *value = &conversion->types->values.items[step->saved->first + i];
        uint64_t mask = (uint64_t)value->value;
        int64_t found = 0;
        if (mask == 0 || (bits & mask) != mask) continue;
        rest &= ~mask;
        if (value_here(step->names, value->name, &found))
            here |= (uint64_t)found;
        else
            exists = false;
    }
    here |= rest; // bits without a name stay
    if (!exists) report_once(conversion, step, "some flags do not exist any more; they are dropped");
    base_value_store(step->type, to, (int64_t)here);
}

// ---- Text -----------------------------------------------------------------------------------------------

static bool convert_name(EcsConversion *conversion, const uint8_t *from, uint8_t *to, FiloResult *result) {
    uint32_t number;
    memcpy(&number, from, sizeof number);
    FiloName name = { 0 };
    if (number > conversion->names->texts.count) {
        *result = filo_error(FILO_ERROR_DATA, "a value refers to a name that is not there");
        return false;
    }
    if (number > 0) {
        EcsSavedName *saved = &conversion->names->names.items[number - 1];
        if (saved->name.id == 0)
            *result = filo_name_retain(&saved->name, conversion->names->texts.items[number - 1]);
        if (result->code != FILO_OK) return false;
        saved->permanent |= !conversion->of_entity_names;
        name = saved->name;
    }
    memcpy(to, &name, sizeof name);
    return true;
}

static void convert_text(EcsConversion *conversion, EcsStep *step, const uint8_t *from, uint8_t *to) {
    FiloString text = filo_string_from((const char *)from, strnlen((const char *)from, step->count));
    FiloString fits = filo_utf8_cut(text, step->capacity - 1);
    if (fits.length < text.length) report_once(conversion, step, "some texts are too long now and were cut");
    memset(to, 0, step->capacity);
    if (fits.length > 0) memcpy(to, fits.data, fits.length);
}

// ---- One value ------------------------------------------------------------------------------------------

static FiloResult convert_step(EcsConversion *conversion, EcsStep *step, const uint8_t *from, uint8_t *to) {
    FiloResult result = filo_ok();
    if (step->kind == ECS_STEP_COPY) {
        memcpy(to, from, step->count);
        return result;
    }
    if (step->kind == ECS_STEP_TEXT) {
        convert_text(conversion, step, from, to);
        return result;
    }
    const FiloType saved = as_type(step->saved);
    for (uint32_t i = 0; i < step->count; i++, from += saved.size, to += step->type->size) {
        if (step->kind == ECS_STEP_NUMBERS)
            convert_number(conversion, step, &saved, from, to);
        else if (step->kind == ECS_STEP_ENUMS)
            convert_enum(conversion, step, &saved, from, to);
        else if (step->kind == ECS_STEP_FLAGS)
            convert_flags(conversion, step, &saved, from, to);
        else if (!convert_name(conversion, from, to, &result))
            break;
    }
    return result;
}

FiloResult ecs_convert(EcsConversion *conversion, const uint8_t *from, uint8_t *to) {
    filo_array_each (&conversion->steps, step) {
        if (step->kind == ECS_STEP_COPY) {
            memcpy(to + step->to, from + step->from, step->count);
            continue;
        }
        FiloResult result = convert_step(conversion, step, from + step->from, to + step->to);
        if (result.code != FILO_OK) return result;
    }
    return filo_ok();
}
