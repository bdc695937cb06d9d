// Descriptions of types: built-in types, types created at run time, and tables of their fields.

#include <filo/check.h>
#include <filo/reflect.h>
#include <filo/strings.h>

#include "base/reflect_value.h"
#include "base/text/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// ---- Built-in types -----------------------------------------------------------------------------------

#define BUILT_IN(Type, shown_name, kind_)                                                                    \
    const FiloType *filo_type_##Type(void) {                                                                 \
        static const FiloType type = {                                                                       \
            .name = shown_name, .kind = kind_, .size = sizeof(Type), .align = _Alignof(Type)                 \
        };                                                                                                   \
        return &type;                                                                                        \
    }

BUILT_IN(_Bool, "bool", FILO_KIND_BOOL)
const FiloType *(filo_type_bool)(void) { return filo_type__Bool(); }
BUILT_IN(char, "char", FILO_KIND_CHAR)
BUILT_IN(int8_t, "int8_t", FILO_KIND_INT)
BUILT_IN(int16_t, "int16_t", FILO_KIND_INT)
BUILT_IN(int32_t, "int32_t", FILO_KIND_INT)
BUILT_IN(int64_t, "int64_t", FILO_KIND_INT)
BUILT_IN(uint8_t, "uint8_t", FILO_KIND_UINT)
BUILT_IN(uint16_t, "uint16_t", FILO_KIND_UINT)
BUILT_IN(uint32_t, "uint32_t", FILO_KIND_UINT)
BUILT_IN(uint64_t, "uint64_t", FILO_KIND_UINT)
BUILT_IN(int, "int", FILO_KIND_INT)
BUILT_IN(float, "float", FILO_KIND_FLOAT)
BUILT_IN(double, "double", FILO_KIND_FLOAT)
BUILT_IN(FiloEntity, "FiloEntity", FILO_KIND_ENTITY)
BUILT_IN(FiloName, "FiloName", FILO_KIND_NAME)

// ---- Fields -------------------------------------------------------------------------------------------

const FiloField *filo_type_field(const FiloType *type, const char *name) {
    if (!FILO_CHECK(type != NULL, "pass a type")) return NULL;
    for (size_t i = 0; i < type->field_count; i++)
        if (strcmp(type->fields[i].name, name) == 0) return &type->fields[i];
    for (size_t i = 0; i < type->field_count;
         i++) // current names of all fields have priority over older ones
        if (type->fields[i].was != NULL && strcmp(type->fields[i].was, name) == 0) return &type->fields[i];
    return NULL;
}

// ---- Types made at run time ---------------------------------------------------------------------------

// One block: the type, its fields, and all their texts.
typedef struct RuntimeType {
    FiloType type;
    size_t block_size;
    FiloField fields[];
} RuntimeType;

static size_t text_size(const char *text) { return text != NULL ? strlen(text) + 1 : 0; }

static const char *copy_text(char **space, const char *text) {
    if (text == NULL) return NULL;
    size_t size = strlen(text) + 1;
    char *copy = memcpy(*space, text, size);
    *space += size;
    return copy;
}

static FiloResult check_fields(const char *name, const FiloField *fields, size_t count) {
    if (count == 0 || count > FILO_TYPE_FIELDS)
        return filo_error(FILO_ERROR_LIMIT, "type %s: give it 1 to %d fields, not %zu", name,
                          FILO_TYPE_FIELDS, count);
    for (size_t i = 0; i < count; i++) {
        if (fields[i].name == NULL || fields[i].name[0] == '\0')
            return filo_error(FILO_ERROR_DATA, "type %s: field %zu has no name", name, i);
        if (strpbrk(fields[i].name, ".[]\"") != NULL)
            return filo_error(FILO_ERROR_DATA, "type %s: field name \"%s\" has one of . [ ] \" in it", name,
                              fields[i].name);
        if (fields[i].type == NULL && fields[i].type_function == NULL)
            return filo_error(FILO_ERROR_DATA, "type %s: field %s has no type", name, fields[i].name);
        for (size_t k = 0; k < i; k++)
            if (strcmp(fields[k].name, fields[i].name) == 0)
                return filo_error(FILO_ERROR_EXISTS, "type %s: two fields are called %s", name,
                                  fields[i].name);
    }
    return filo_ok();
}

// Computes offsets as a C compiler does; false if the struct would be larger than FILO_GIB(1).
static bool lay_out(FiloType *type, FiloField *fields) {
    type->align = 1;
    type->size = 0;
    for (size_t i = 0; i < type->field_count; i++) {
        const FiloType *element = filo_field_type(&fields[i]);
        size_t bytes, count = FILO_MAX(fields[i].count, (size_t)1);
        if (__builtin_mul_overflow(element->size, count, &bytes) || bytes > FILO_GIB(1)) return false;
        fields[i].offset = FILO_ALIGN_UP(type->size, element->align);
        type->size = fields[i].offset + bytes;
        type->align = FILO_MAX(type->align, element->align);
        if (type->size > FILO_GIB(1)) return false;
    }
    type->size = FILO_ALIGN_UP(type->size, type->align);
    return true;
}

FiloResult filo_type_create(const FiloType **type, const char *name, const FiloField *fields,
                            size_t field_count, const FiloAllocator *allocator) {
    if (type == NULL) return FILO_MISTAKE("pass where to put the type");
    *type = NULL;
    if (name == NULL || fields == NULL) return FILO_MISTAKE("a type needs a name and fields");
    FiloResult result = check_fields(name, fields, field_count);
    if (result.code != FILO_OK) return result;

    size_t fixed = sizeof(RuntimeType) + field_count * sizeof(FiloField);
    size_t texts = text_size(name);
    for (size_t i = 0; i < field_count; i++)
        texts += text_size(fields[i].name) + text_size(fields[i].unit) + text_size(fields[i].help) +
                 text_size(fields[i].was);
    RuntimeType *made = filo_alloc(allocator, fixed + texts, 0);
    if (made == NULL) return filo_error(FILO_ERROR_MEMORY, "type %s: no memory", name);

    char *space = (char *)made + fixed;
    *made = (RuntimeType){ .block_size = fixed + texts };
    made->type = (FiloType){ .kind = FILO_KIND_STRUCT, .fields = made->fields, .field_count = field_count };
    made->type.name = copy_text(&space, name);
    for (size_t i = 0; i < field_count; i++) {
        made->fields[i] = fields[i];
        made->fields[i].name = copy_text(&space, fields[i].name);
        made->fields[i].unit = copy_text(&space, fields[i].unit);
        made->fields[i].help = copy_text(&space, fields[i].help);
        made->fields[i].was = copy_text(&space, fields[i].was);
    }
    if (!lay_out(&made->type, made->fields)) {
        filo_free(allocator, made, made->block_size, 0);
        return filo_error(FILO_ERROR_LIMIT, "type %s: larger than 1 GiB", name);
    }
    *type = &made->type;
    return filo_ok();
}

void filo_type_destroy(const FiloType *type, const FiloAllocator *allocator) {
    if (type == NULL) return;
    RuntimeType *made = (RuntimeType *)(uintptr_t)type; // the type is its first member
    filo_free(allocator, made, made->block_size, 0);
}

// ---- Readable tables -----------------------------------------------------------------------------------

typedef struct Text {
    char *buffer;
    size_t size, length;
} Text;

static void add(Text *text, const char *format, ...) FILO_PRINTF(2, 3);
static void add(Text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    size_t available = text->length < text->size ? text->size - text->length : 0;
    int written = vsnprintf(available > 0 ? text->buffer + text->length : NULL, available, format, arguments);
    va_end(arguments);
    if (written > 0) text->length += (size_t)written;
}

static void describe_attributes(Text *text, const FiloField *field) {
    char low[BASE_NUMBER_TEXT], high[BASE_NUMBER_TEXT];
    if (field->min != 0 || field->max != 0) {
        base_number_print_double(low, field->min);
        base_number_print_double(high, field->max);
        add(text, "  %s … %s", low, high);
    }
    if (field->unit != NULL) add(text, "  [%s]", field->unit);
    if ((field->flags & FILO_FIELD_TRANSIENT) != 0) add(text, "  transient");
    if ((field->flags & FILO_FIELD_READ_ONLY) != 0) add(text, "  read-only");
    if ((field->flags & FILO_FIELD_HIDDEN) != 0) add(text, "  hidden");
    if (field->was != NULL) add(text, "  (was %s)", field->was);
    if (field->help != NULL) add(text, "  %s", field->help);
}

size_t filo_type_describe(const FiloType *type, char *text, size_t size) {
    if (!FILO_CHECK(type != NULL, "pass a type")) return 0;
    Text out = { text, size, 0 };
    if (size > 0) text[0] = '\0';
    add(&out, "%s: %zu bytes, aligned to %zu\n", type->name, type->size, type->align);
    for (size_t i = 0; i < type->value_count; i++)
        add(&out, "    %-20s %" PRId64 "\n", type->values[i].name, type->values[i].value);
    for (size_t i = 0; i < type->field_count; i++) {
        const FiloField *field = &type->fields[i];
        char type_name[80];
        const char *element = filo_field_type(field)->name;
        if (field->count > 0)
            snprintf(type_name, sizeof type_name, "%s[%zu]", element, field->count);
        else
            snprintf(type_name, sizeof type_name, "%s", element);
        add(&out, "    %4zu  %-16s %-16s", field->offset, field->name, type_name);
        describe_attributes(&out, field);
        add(&out, "\n");
    }
    return FILO_MIN(out.length, size > 0 ? size - 1 : 0);
}
