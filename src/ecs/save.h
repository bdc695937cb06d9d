// Saved worlds: what a file is made of, and what the sources that write and read it share.
//
//   save.c          the file around the world: sizes, checksum, compression
//   save_write.c    a world as bytes
//   save_types.c    the descriptions of components, as bytes
//   convert.c       from a description in a file to one of this program: a list of steps for each value
//   load.c          the bytes as a world
//   load_check.c    what must hold between entities, so that a hostile file does no harm: families, names
//
// A file begins with FiloSaveHeader; the rest is compressed, and filled up with zeroes to 1/4096 of what it
// holds. What it holds ("the body"), with all numbers low byte first:
//
//   u64 where the names are, u64 tick, u64 seed
//   types       u32 count; each after those that it uses: text name, u8 kind, u8 size, u8 sign;
//               enums: u32 count, each text name, u64 value;
//               structs: u32 count of fields, each text name, u32 type, u32 length
//   components  u32 count; text name, u32 type, u8 storage; u32 required components, each u32 (from format 2 on)
//   globals     u32 count; u32 component, value
//   directory   u32 indices; u32 free ones in order, each u32 index, u32 generation;
//               u32 retired, each u32 index
//   tables      u32 count; u32 components, each u32; for active and inactive: u32 rows, u64 id of each,
//               then column by column the values
//   holders     u32 count; u32 component, u32 rows, u64 id of each, the values
//   events      u8 whether there are any; the clock; u32 count; each name, u32 type + 1, due and key, payload
//   providers   u32 count; text name, u64 size, bytes
//   names       u32 count; each a text. Values refer to them by number; 0 is the empty one
//
// A text is u32 length and bytes. A value is its fields one after the other, without padding; a name is its
// u32 number.

#ifndef FILO_ECS_SAVE_H
#define FILO_ECS_SAVE_H

#include "ecs/runs.h"
#include "ecs/snapshot.h"

#include <filo/strings.h>

#define FILO_SAVE_VERSION 2           // that is written; older ones are read
#define FILO_SAVE_RATIO   4096        // a file is at least its content divided by this
#define FILO_SAVE_LIMIT   FILO_GIB(4) // bytes in a file, unless the caller says otherwise
#define FILO_SAVE_DEPTH   16          // structs in structs

typedef struct FiloSaveHeader {
    char magic[8]; // "filosave"
    uint32_t version, flags;
    uint64_t body_size;
    uint64_t compressed_size; // of the body; the rest of the file is zeroes
    uint64_t checksum;        // of all before it and all behind it
} FiloSaveHeader;

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are written as they lie in memory");

// ---- Writing --------------------------------------------------------------------------------------------

typedef struct FiloSaveWriter {
    FiloWorld *world;
    FiloBytes bytes;
    FiloMap names; // id → number in the file
    FiloArray(FiloName) name_list;
    FiloMap types;                // hash of type and choices → number in the file
    FiloArray(FiloRunArray) runs; // by component
    bool failed;                  // out of memory
} FiloSaveWriter;

void filo_put(FiloSaveWriter *writer, const void *bytes, size_t size);
static inline void filo_put_u8(FiloSaveWriter *writer, uint8_t number) { filo_put(writer, &number, 1); }
static inline void filo_put_u32(FiloSaveWriter *writer, uint32_t number) { filo_put(writer, &number, 4); }
static inline void filo_put_u64(FiloSaveWriter *writer, uint64_t number) { filo_put(writer, &number, 8); }
void filo_put_text(FiloSaveWriter *writer, const char *text);

// Writes the types of all components and events, and remembers their numbers.
void filo_save_write_types(FiloSaveWriter *writer);
// The number of a type; of a struct, since only these are asked for.
uint32_t filo_save_type_number(const FiloSaveWriter *writer, const FiloType *type);
uint32_t filo_save_component_type(const FiloSaveWriter *writer, const FiloComponentData *component);

// The body of a file. `bytes` is empty.
FiloResult filo_save_write(FiloWorld *world, FiloBytes *bytes);

// ---- Reading --------------------------------------------------------------------------------------------

// Goes over bytes that may be anything: once something is missing, everything reads as 0.
typedef struct FiloSaveReader {
    const uint8_t *bytes;
    size_t size, at;
    bool failed;
} FiloSaveReader;

// The next `count` × `size` bytes; NULL if there are not as many.
const uint8_t *filo_take(FiloSaveReader *reader, uint64_t count, uint64_t size);
uint8_t filo_take_u8(FiloSaveReader *reader);
uint32_t filo_take_u32(FiloSaveReader *reader);
uint64_t filo_take_u64(FiloSaveReader *reader);
FiloString filo_take_text(FiloSaveReader *reader);
static inline size_t filo_left(const FiloSaveReader *reader) {
    return reader->failed ? 0 : reader->size - reader->at;
}

typedef struct FiloSavedField {
    FiloString name;
    uint32_t type, count; // count 0: not an array
} FiloSavedField;

typedef struct FiloSavedValue {
    FiloString name;
    int64_t value;
} FiloSavedValue;

typedef struct FiloSavedType {
    FiloString name;
    FiloKind kind;
    bool is_signed;
    uint64_t size;       // bytes of a value in the file
    uint32_t depth;      // structs in it
    size_t first, count; // fields, or values
} FiloSavedType;

typedef struct FiloSavedTypes {
    FiloArray(FiloSavedType) types;
    FiloArray(FiloSavedField) fields;
    FiloArray(FiloSavedValue) values;
} FiloSavedTypes;

void filo_saved_types_init(FiloSavedTypes *types, const FiloAllocator *allocator);
void filo_saved_types_deinit(FiloSavedTypes *types);
FiloResult filo_saved_types_read(FiloSavedTypes *types, FiloSaveReader *reader);

// ---- Converting -----------------------------------------------------------------------------------------

// Who is told what has no place, and what was told.
typedef struct FiloLoadReports {
    void (*report)(const char *sentence, void *user); // NULL: it is logged
    void *user;
    FiloMap told; // hash of a sentence → nothing
} FiloLoadReports;

// Each sentence once.
void filo_report(FiloLoadReports *reports, const char *format, ...) FILO_PRINTF(2, 3);

// A name as it is in this process, once something had it. It is counted.
typedef struct FiloSavedName {
    FiloName name;
    bool stays; // it is a value of more than an entity's name: it stays if the file is accepted
} FiloSavedName;

// Texts of names in a file, and their names here.
typedef struct FiloSavedNames {
    FiloArray(FiloString) texts;
    FiloArray(FiloSavedName) names;
} FiloSavedNames;

typedef enum FiloStepKind {
    FILO_STEP_COPY,    // bytes
    FILO_STEP_NUMBERS, // of any two types
    FILO_STEP_ENUMS,
    FILO_STEP_FLAGS,
    FILO_STEP_NAMES,
    FILO_STEP_TEXT,
} FiloStepKind;

typedef struct FiloStep {
    FiloStepKind kind;
    uint32_t from, to;            // offsets
    uint32_t count;               // bytes, or values
    uint32_t room;                // of text
    const FiloSavedType *saved;   // of one value
    const FiloType *type, *names; // of one value here; and of its names, if it is an enum or flags
    const FiloField *field;       // for reports
    bool reported;
} FiloStep;

typedef struct FiloConversion {
    const FiloSavedTypes *types;
    FiloSavedNames *names;
    FiloLoadReports *reports;
    bool of_entity_names;  // of FiloEntityName, by which names go with their entities
    const char *component; // for reports
    FiloArray(FiloStep) steps;
    uint64_t size; // bytes of a value in the file
    bool failed;   // out of memory
} FiloConversion;

void filo_conversion_init(FiloConversion *conversion, const FiloAllocator *allocator);
void filo_conversion_deinit(FiloConversion *conversion);
// Works out the steps from a struct of the file to one here. Reports what has no place. False without memory.
bool filo_conversion_make(FiloConversion *conversion, uint32_t from, const FiloType *to);
// One value; `to` has its first value. An error if the bytes make no sense.
FiloResult filo_convert(FiloConversion *conversion, const uint8_t *from, uint8_t *to);

// ---- Loading --------------------------------------------------------------------------------------------

// The body of a file of this format as the state of the world.
FiloResult filo_save_read(FiloWorld *world, const uint8_t *body, size_t size, uint32_t version,
                          const char *name, const FiloLoadDesc *desc);

// What values of components in a world must be like for the world to work: brothers and sisters, parents,
// names.
FiloResult filo_load_check(FiloWorld *world, const FiloAllocator *allocator);

#endif
