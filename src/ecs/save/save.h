// Saved worlds: the format of a file, and what the sources that write and read it share.
//
//   file.c             the file around the body: sizes, checksum, compression
//   types.c            descriptions of types: written and read
//   write.c            a world as the body of a file
//   load.c             the body as the state of a world; load.h has what its parts share:
//   load_components.c  components, global ones, and those that are required
//   load_entities.c    entities and their components
//   load_events.c      events and providers
//   load_check.c       checks of families and names, so that a hostile file does no harm
//   reader.c           numbers and texts
//   convert.c          values in a file as values of this program: a list of steps for each component
//
// A file begins with EcsSaveHeader. The rest, the body, is compressed, and padded with zeroes to 1/32 of its size, if that is more
// than 16 MiB.
// The body, with all numbers low byte first:
//
//   u64 offset of the names, u64 tick, u64 seed
//   types       u32 count; each after those of its fields: text name, u8 kind, u8 size, u8 sign;
//               enums: u32 count, each text name, u64 value;
//               structs: u32 count of fields, each text name, u32 type, u32 length
//   components  u32 count; text name, u32 type, u8 storage; u32 required components, each u32 (from format 2 on)
//   globals     u32 count; u32 component, value
//   directory   u32 indices; u32 free ones in order, each u32 index, u32 generation;
//               u32 retired, each u32 index
//   tables      u32 count; u32 components, each u32; for the active and the inactive partition: u32 rows,
//               u64 id of each, then the values column by column
//   holders     u32 count; u32 component, u32 rows, u64 id of each, the values
//   events      u8 whether there are any; the clock; u32 count; each name, u32 type + 1, due and key, payload
//   providers   u32 count; text name, u64 size, bytes
//   names       u32 count; each a text. Values refer to them by number, from 1; 0 is the empty name
//
// A text is u32 length and bytes. A value is its fields one after the other, without padding. A name in a value is
// its u32 number.

#ifndef FILO_ECS_SAVE_SAVE_H
#define FILO_ECS_SAVE_SAVE_H

#include "ecs/snapshot/runs.h"
#include "ecs/snapshot/snapshot.h"

#include <filo/strings.h>

#define ECS_SAVE_VERSION 2            // that is written; older ones are read too
#define ECS_SAVE_SMALL   FILO_MIB(16) // the body is at most this large,
#define ECS_SAVE_RATIO   32 // or this many times as large as the file, unless FiloLoadDesc.limit says otherwise
#define ECS_SAVE_LIMIT   FILO_GIB(4) // of the file
#define ECS_SAVE_DEPTH   16          // structs in structs

typedef struct EcsSaveHeader {
    char magic[8]; // "filosave"
    uint32_t version, flags;
    uint64_t body_size;
    uint64_t compressed_size; // of the body; the rest of the file is zeroes
    uint64_t checksum;        // of the fields before it and the rest of the file
} EcsSaveHeader;

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are written as they are in memory");

// ---- Writing --------------------------------------------------------------------------------------------

typedef struct EcsSaveWriter {
    FiloWorld *world;
    FiloBytes bytes;
    FiloMap names; // id → number in the file
    FiloArray(FiloName) name_list;
    FiloMap types;               // hash of type and choices → number in the file
    FiloArray(EcsRunArray) runs; // by component
    bool failed;                 // out of memory
} EcsSaveWriter;

void ecs_save_put(EcsSaveWriter *writer, const void *bytes, size_t size);
static inline void ecs_save_put_u8(EcsSaveWriter *writer, uint8_t number) {
    ecs_save_put(writer, &number, 1);
}
static inline void ecs_save_put_u32(EcsSaveWriter *writer, uint32_t number) {
    ecs_save_put(writer, &number, 4);
}
static inline void ecs_save_put_u64(EcsSaveWriter *writer, uint64_t number) {
    ecs_save_put(writer, &number, 8);
}
void ecs_save_put_text(EcsSaveWriter *writer, const char *text);

// Writes the types of all components and events, and stores their numbers.
void ecs_save_write_types(EcsSaveWriter *writer);
// The number of a struct.
uint32_t ecs_save_type_number(const EcsSaveWriter *writer, const FiloType *type);
uint32_t ecs_save_component_type(const EcsSaveWriter *writer, const EcsComponentData *component);

// The body of a file. `bytes` is empty.
FiloResult ecs_save_write(FiloWorld *world, FiloBytes *bytes);

// ---- Reading --------------------------------------------------------------------------------------------

// Reads bytes that may be anything. Past the end, everything reads as 0.
typedef struct EcsSaveReader {
    const uint8_t *bytes;
    size_t size, at;
    bool failed;
} EcsSaveReader;

static inline FiloResult ecs_load_damaged(const char *what) {
    return filo_error(FILO_ERROR_DATA, "%s", what);
}

// The next `count` × `size` bytes; NULL if there are not as many.
const uint8_t *ecs_load_take(EcsSaveReader *reader, uint64_t count, uint64_t size);
uint8_t ecs_load_take_u8(EcsSaveReader *reader);
uint32_t ecs_load_take_u32(EcsSaveReader *reader);
uint64_t ecs_load_take_u64(EcsSaveReader *reader);
FiloString ecs_load_take_text(EcsSaveReader *reader);
static inline size_t ecs_load_left(const EcsSaveReader *reader) {
    return reader->failed ? 0 : reader->size - reader->at;
}

typedef struct EcsSavedField {
    FiloString name;
    uint32_t type, count; // count 0: not an array
} EcsSavedField;

typedef struct EcsSavedValue {
    FiloString name;
    int64_t value;
} EcsSavedValue;

typedef struct EcsSavedType {
    FiloString name;
    FiloKind kind;
    bool is_signed;
    uint64_t size;       // bytes of a value in the file
    uint32_t depth;      // structs in it
    size_t first, count; // fields, or values
} EcsSavedType;

typedef struct EcsSavedTypes {
    FiloArray(EcsSavedType) types;
    FiloArray(EcsSavedField) fields;
    FiloArray(EcsSavedValue) values;
} EcsSavedTypes;

void ecs_saved_types_init(EcsSavedTypes *types, const FiloAllocator *allocator);
void ecs_saved_types_deinit(EcsSavedTypes *types);
FiloResult ecs_saved_types_read(EcsSavedTypes *types, EcsSaveReader *reader);

// ---- Converting -----------------------------------------------------------------------------------------

// Reports about what cannot be loaded.
typedef struct EcsLoadReports {
    void (*report)(const char *sentence, void *user); // NULL: they are logged
    void *user;
    FiloMap reported; // hashes of sentences
} EcsLoadReports;

// Reports each sentence once.
void ecs_load_report(EcsLoadReports *reports, const char *format, ...) FILO_PRINTF(2, 3);

// A name of the file in this process, retained; {0} until a value has it.
typedef struct EcsSavedName {
    FiloName name;
    bool permanent; // some value other than the name of an entity has it: permanent once the file is accepted
} EcsSavedName;

// The names of a file, by number − 1.
typedef struct EcsSavedNames {
    FiloArray(FiloString) texts;
    FiloArray(EcsSavedName) names;
} EcsSavedNames;

typedef enum EcsStepKind {
    ECS_STEP_COPY,    // bytes
    ECS_STEP_NUMBERS, // of any two types
    ECS_STEP_ENUMS,
    ECS_STEP_FLAGS,
    ECS_STEP_NAMES,
    ECS_STEP_TEXT,
} EcsStepKind;

typedef struct EcsStep {
    EcsStepKind kind;
    uint32_t from, to;            // offsets in the value of the file and in the value here
    uint32_t count;               // bytes, or values
    uint32_t capacity;            // of a text here
    const EcsSavedType *saved;    // of one value
    const FiloType *type, *names; // of one value here; and of its names, if it is an enum or flags
    const FiloField *field;       // for reports
    bool reported;
} EcsStep;

typedef struct EcsConversion {
    const EcsSavedTypes *types;
    EcsSavedNames *names;
    EcsLoadReports *reports;
    bool of_entity_names;  // of FiloEntityName, by which names go with their entities
    const char *component; // for reports
    FiloArray(EcsStep) steps;
    uint64_t size; // bytes of a value in the file
    bool failed;   // out of memory
} EcsConversion;

void ecs_conversion_init(EcsConversion *conversion, const FiloAllocator *allocator);
void ecs_conversion_deinit(EcsConversion *conversion);
// Computes the steps from a struct of the file to one here. Reports what cannot be converted. False without memory.
bool ecs_conversion_make(EcsConversion *conversion, uint32_t from, const FiloType *to);
// Converts one value. `to` has its default value. An error if the bytes are not valid.
FiloResult ecs_convert(EcsConversion *conversion, const uint8_t *from, uint8_t *to);

// ---- Loading --------------------------------------------------------------------------------------------

// Puts the world into the state of a body. `version`: of the format.
FiloResult ecs_save_read(FiloWorld *world, const uint8_t *body, size_t size, uint32_t version,
                         const char *name, const FiloLoadDesc *desc);

// Checks families and names of a world that is loaded, and registers the names.
FiloResult ecs_load_check(FiloWorld *world, const FiloAllocator *allocator);

#endif
