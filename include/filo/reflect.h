// filo/reflect.h: descriptions of plain C structs.
//
// A struct is described once, next to its definition. With the description Filo prints, parses, compares and hashes it,
// and converts it to and from JSON. The world, saved worlds, scenes and events all use the same description.
//
//     typedef enum Mood { MOOD_CALM, MOOD_ANGRY } Mood;
//     FILO_REFLECT_ENUM(Mood, FILO_VALUE(MOOD_CALM, "calm"), FILO_VALUE(MOOD_ANGRY, "angry"))
//
//     typedef struct Enemy {
//         FiloVec2 position;
//         float health;
//         Mood mood;
//         uint16_t loot[4];
//         char name[32];
//         FiloEntity target;
//     } Enemy;
//     FILO_REFLECT(Enemy,
//                  FILO_FIELD(FiloVec2, position, .unit = "m"),
//                  FILO_FIELD(float, health, .min = 0, .max = 100, .help = "dies at 0"),
//                  FILO_FIELD(Mood, mood),
//                  FILO_FIELD(uint16_t, loot),      // the compiler finds the array's length
//                  FILO_FIELD(char, name),          // an array of char is text
//                  FILO_FIELD(FiloEntity, target))  // remapped when entities are copied or loaded
//
//     Enemy enemy = { .health = 40 };
//     FiloJsonWriter writer;
//     …
//     filo_reflect_write_json(FILO_TYPE(Enemy), &enemy, &writer);
//
// The compiler checks the type in FILO_FIELD against the field. Fields may be: bool, char (as text), int8_t … uint64_t,
// int, float, double, enums, FiloEntity, FiloName, described structs, and arrays of any of these with one dimension.
// Pointers, unions and bit fields cannot be described; a struct may contain them, and no function here reads or changes
// them. Fields that are not described are neither saved nor hashed. Debug builds report such fields when a component is
// registered, unless .partial is set (filo/world.h).
//
// FILO_REFLECT defines a function, so no semicolon follows it. In a header shared by several sources, declare it with
// FILO_REFLECT_DECLARE and define it in one of them. The macros are for C only; C++ code can use descriptions. All
// functions here may be called from any thread; they access only the data that is passed to them.

#ifndef FILO_REFLECT_H
#define FILO_REFLECT_H

#include <filo/json.h>
#include <filo/memory.h>
#include <filo/strings.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

// ---- Descriptions -------------------------------------------------------------------------------------

typedef enum FiloKind {
    FILO_KIND_BOOL,
    FILO_KIND_CHAR, // in arrays: UTF-8 text up to the first zero byte; an array of n holds n − 1 bytes of text
    FILO_KIND_INT,    // signed, by size
    FILO_KIND_UINT,   // unsigned, by size
    FILO_KIND_FLOAT,  // 4 or 8 bytes
    FILO_KIND_ENUM,   // one of the values
    FILO_KIND_FLAGS,  // any of the values, or-ed together
    FILO_KIND_NAME,   // FiloName: saved and hashed as its text
    FILO_KIND_ENTITY, // FiloEntity
    FILO_KIND_STRUCT,
} FiloKind;

typedef struct FiloType FiloType;
typedef const FiloType *(*FiloTypeFunction)(void);

typedef enum FiloFieldFlags {
    FILO_FIELD_TRANSIENT = 1, // a cache: not saved, not compared, not hashed
    FILO_FIELD_READ_ONLY = 2, // tools show it and do not change it
    FILO_FIELD_HIDDEN = 4,    // tools do not show it
    FILO_FIELD_CLAMPED = 8,   // numbers in JSON are clamped to min and max; NaN keeps the value
} FiloFieldFlags;

typedef struct FiloField {
    const char *name;
    FiloTypeFunction type_function; // of one element; NULL if `type` is set
    const FiloType *type;           // for descriptions made at run time
    size_t offset;                  // bytes from the start of the struct
    size_t count;                   // length of the array; 0: not an array
    // Optional attributes:
    double min, max;          // sensible range; both 0: any
    double step;              // sensible step in an editor
    const char *unit;         // "m", "hp", "°"
    const char *help;         // one sentence
    const char *was;          // an older name, still accepted when reading
    FiloTypeFunction choices; // an integer that holds a value of this enum or these flags
    uint32_t flags;           // FiloFieldFlags
    uint32_t flags_end_;
} FiloField;

typedef struct FiloEnumValue {
    const char *name;
    int64_t value;
} FiloEnumValue;

struct FiloType {
    const char *name;
    FiloKind kind;
    size_t size, align;
    const FiloField *fields; // of a struct
    size_t field_count;
    const FiloEnumValue *values; // of an enum or flags
    size_t value_count;
    bool is_signed; // of an enum
    // Of a component: the call that registers it together with the systems and settings that it needs, as text:
    // "filo_physics2_register(world)". Messages about the component name this call. NULL: it needs nothing else, and
    // filo_component registers it. Not a part of the layout: hashes and files do not depend on it.
    const char *registered_by;
};

// The description of a type by its C name: FILO_TYPE(Enemy), FILO_TYPE(float).
#define FILO_TYPE(Type) FILO_TYPE_(Type)
#ifdef __cplusplus
#    define FILO_REFLECT_DECLARE(Type) extern "C" const FiloType *filo_type_##Type(void)
#else
#    define FILO_REFLECT_DECLARE(Type) const FiloType *filo_type_##Type(void)
#endif

#define FILO_TYPE_FIELDS 256 // a struct may have this many described fields

#define FILO_REFLECT(Type, ...) FILO_REFLECT_STRUCT_(filo_type_##Type, Type, #Type, NULL, __VA_ARGS__)

// The same for a component that a call registers (FiloType.registered_by; filo/world.h, "Components of modules"):
//
//     FILO_REFLECT_MODULE(Sail, "sailing_register(world)", FILO_FIELD(float, area, .unit = "m²"))
#define FILO_REFLECT_MODULE(Type, call, ...)                                                                 \
    FILO_REFLECT_STRUCT_(filo_type_##Type, Type, #Type, call, __VA_ARGS__)

// FILO_FIELD(type, name, attributes…): the attributes are designated initialisers of FiloField.
#define FILO_FIELD(...) FILO_FIELD_(__VA_ARGS__, .flags_end_ = 0)

#define FILO_REFLECT_ENUM(Type, ...)  FILO_REFLECT_VALUES_(Type, FILO_KIND_ENUM, __VA_ARGS__)
#define FILO_REFLECT_FLAGS(Type, ...) FILO_REFLECT_VALUES_(Type, FILO_KIND_FLAGS, __VA_ARGS__)
// The name is how the value is written in files; keep it when the C name changes.
#define FILO_VALUE(constant, text)                                                                           \
    { (text), (int64_t)(constant) }

// The built-in types.
const FiloType *filo_type__Bool(void); // in C, bool is a macro for this
const FiloType *filo_type_bool(void);  // in C++ it is not
const FiloType *filo_type_char(void);
const FiloType *filo_type_int8_t(void);
const FiloType *filo_type_int16_t(void);
const FiloType *filo_type_int32_t(void);
const FiloType *filo_type_int64_t(void);
const FiloType *filo_type_uint8_t(void);
const FiloType *filo_type_uint16_t(void);
const FiloType *filo_type_uint32_t(void);
const FiloType *filo_type_uint64_t(void);
const FiloType *filo_type_int(void);
const FiloType *filo_type_float(void);
const FiloType *filo_type_double(void);
const FiloType *filo_type_FiloEntity(void);
const FiloType *filo_type_FiloName(void);
// A generator (filo/random.h): in a component it is saved with its position in the sequence.
const FiloType *filo_type_FiloRandom(void);
// The types of filo/maths.h.
const FiloType *filo_type_FiloVec2(void);
const FiloType *filo_type_FiloVec3(void);
const FiloType *filo_type_FiloVec4(void);
const FiloType *filo_type_FiloIVec2(void);
const FiloType *filo_type_FiloQuat(void);
const FiloType *filo_type_FiloRect(void);
const FiloType *filo_type_FiloAabb3(void);
const FiloType *filo_type_FiloAffine2(void);
const FiloType *filo_type_FiloMat4(void);
const FiloType *filo_type_FiloColor(void);

// The type of a field's element.
static inline const FiloType *filo_field_type(const FiloField *field) {
    return field->type != NULL ? field->type : field->type_function();
}

// The field with this name, or with this as its older name; NULL if there is none.
const FiloField *filo_type_field(const FiloType *type, const char *name);

// Makes a struct description at run time, for data without a C struct. Names, types and attributes are copied from
// `fields`; offsets, size and alignment are computed as by a C compiler. Field types are in `type` or `type_function`.
// Free it with filo_type_destroy.
FiloResult filo_type_create(const FiloType **type, const char *name, const FiloField *fields,
                            size_t field_count, const FiloAllocator *allocator);
void filo_type_destroy(const FiloType *type, const FiloAllocator *allocator);

// A readable table of the fields with type, offset, range, unit and help. Returns its length; what does not fit is cut.
size_t filo_type_describe(const FiloType *type, char *text, size_t size);

// ---- Values -------------------------------------------------------------------------------------------

// True if all described fields are equal. −0 equals 0 and every NaN equals every NaN. Text is compared up to its end;
// padding and transient fields are not compared.
bool filo_reflect_equal(const FiloType *type, const void *a, const void *b);

// The first field that differs, as a path ("position.x", "loot[2]"), in `path`; false if none does.
bool filo_reflect_difference(const FiloType *type, const void *a, const void *b, char *path, size_t size);

// Equal values (as defined by filo_reflect_equal) have the same hash on every machine and compiler.
uint64_t filo_reflect_hash(const FiloType *type, const void *data, uint64_t seed);

// One value inside a struct, found by its path.
typedef struct FiloValue {
    const FiloType *type;
    const FiloField *field; // that it belongs to; NULL for the whole struct
    void *data;
    size_t count; // length of the array; 0: not an array
} FiloValue;

// Finds "position.x", "loot[2]", "name"; "" is the whole struct. The error names the part of the path that is wrong.
FiloResult filo_reflect_find(FiloValue *value, const FiloType *type, void *data, const char *path);

// Prints a value on one line: a number, a name, unquoted text, anything larger as JSON. Returns the length of the whole
// text; what does not fit is cut. filo_reflect_parse reads it back as the same value.
size_t filo_reflect_print(FiloValue value, char *text, size_t size);
// Sets a value from such a text. On an error the value stays as it was, and no name of the text is kept.
FiloResult filo_reflect_parse(FiloValue value, const char *text);

// Calls `visit` for every entity reference in `data`, to remap it.
void filo_reflect_entities(const FiloType *type, void *data, void (*visit)(FiloEntity *entity, void *user),
                           void *user);

// ---- JSON ---------------------------------------------------------------------------------------------

// Writes `data` as an object: fields in order of description; enums by name, flags as a list of names, text
// as a string, entities as their number.
void filo_reflect_write_json(const FiloType *type, const void *data, FiloJsonWriter *writer);

// Something in a JSON text that does not fit the description. None of these stops the reading.
typedef enum FiloProblemKind {
    FILO_PROBLEM_UNKNOWN_FIELD,  // in the text, not in the description: skipped
    FILO_PROBLEM_MISSING_FIELD,  // in the description, not in the text: keeps its value
    FILO_PROBLEM_REPEATED_FIELD, // twice in the text: the last one counts
    FILO_PROBLEM_WRONG_KIND,     // text for a number and so on: keeps its value
    FILO_PROBLEM_DOES_NOT_FIT,   // a number, text or list too large for the field: keeps its value; a list is
                                 // cut
    FILO_PROBLEM_UNKNOWN_VALUE,  // no such name in the enum: keeps its value
    FILO_PROBLEM_OUT_OF_RANGE,   // outside min and max: stored unchanged, unless FILO_FIELD_CLAMPED
} FiloProblemKind;

typedef struct FiloProblem {
    FiloProblemKind kind;
    const char *path;    // "position.x"
    const char *message; // "level.json:3:14: health: 150 is outside 0 … 100"; valid during the call
    int line, column;
} FiloProblem;

typedef struct FiloReadOptions {
    void (*problem)(const FiloProblem *problem, void *user); // NULL: problems are not reported
    void *user;
    bool partial;         // fields may be missing (an override): do not report them
    FiloNameBatch *names; // FiloName fields are added to it (filo/strings.h); NULL: filo_name is used
} FiloReadOptions;

// Reads one value from `reader` into `data`. Text that is not JSON is an error, and `data` is then unchanged. Missing
// fields keep their value, so set defaults first. `options` may be NULL.
FiloResult filo_reflect_read_json(const FiloType *type, void *data, FiloJsonReader *reader,
                                  const FiloReadOptions *options);

// ---- Behind the macros --------------------------------------------------------------------------------

#define FILO_TYPE_(Type) filo_type_##Type()

// Names that contain the type's are made by the macros above, so that a macro with the name of a type is not expanded.
#define FILO_REFLECT_STRUCT_(function, Type, text, call, ...)                                                \
    const FiloType *function(void);                                                                          \
    const FiloType *function(void) {                                                                         \
        typedef Type FiloSelf;                                                                               \
        static const FiloField fields[] = { __VA_ARGS__ };                                                   \
        _Static_assert(FILO_COUNT_OF(fields) <= FILO_TYPE_FIELDS, "too many fields in " text);               \
        static const FiloType type = { .name = text,                                                         \
                                       .kind = FILO_KIND_STRUCT,                                             \
                                       .size = sizeof(Type),                                                 \
                                       .align = _Alignof(Type),                                              \
                                       .fields = fields,                                                     \
                                       .field_count = FILO_COUNT_OF(fields),                                 \
                                       .registered_by = call };                                              \
        return &type;                                                                                        \
    }

#define FILO_FIELD_(Type, field, ...)                                                                        \
    {                                                                                                        \
        .name = #field, .type_function = filo_type_##Type, .offset = offsetof(FiloSelf, field),              \
        .count = FILO_FIELD_COUNT_(Type, field), __VA_ARGS__                                                 \
    }

// The length of an array field, 0 for a single one; does not compile when the field has another type.
#define FILO_FIELD_COUNT_(Type, field)                                                                       \
    _Generic(&((FiloSelf *)0)->field, Type * : 0, Type(*)[sizeof(((FiloSelf *)0)->field) / sizeof(Type)]     \
             : sizeof(((FiloSelf *)0)->field) / sizeof(Type))

#define FILO_REFLECT_VALUES_(Type, kind_, ...)                                                               \
    const FiloType *filo_type_##Type(void);                                                                  \
    const FiloType *filo_type_##Type(void) {                                                                 \
        static const FiloEnumValue values[] = { __VA_ARGS__ };                                               \
        static const FiloType type = { .name = #Type,                                                        \
                                       .kind = kind_,                                                        \
                                       .size = sizeof(Type),                                                 \
                                       .align = _Alignof(Type),                                              \
                                       .values = values,                                                     \
                                       .value_count = FILO_COUNT_OF(values),                                 \
                                       .is_signed = (Type)-1 < (Type)1 };                                    \
        return &type;                                                                                        \
    }

FILO_END_DECLS

#endif
