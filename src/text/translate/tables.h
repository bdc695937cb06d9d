// Tables of translations. A TextTable is what a file was decoded to; it does not change any more, and is freed with
// its last reference.

#ifndef TEXT_TABLES_H
#define TEXT_TABLES_H

#include <filo/assets.h>
#include <filo/containers.h>
#include <filo/text.h>

#define TEXT_TABLES_MAX 16

typedef enum TextPlural {
    TEXT_PLURAL_OTHER,
    TEXT_PLURAL_ZERO,
    TEXT_PLURAL_ONE,
    TEXT_PLURAL_TWO,
    TEXT_PLURAL_FEW,
    TEXT_PLURAL_MANY,
    TEXT_PLURAL_COUNT
} TextPlural;

// Offsets into TextTable.strings; 0 is none.
typedef struct TextEntry {
    uint32_t key;
    uint32_t forms[TEXT_PLURAL_COUNT];
    uint32_t argument; // that decides on the form
} TextEntry;

typedef struct TextTable {
    uint32_t references; // atomic
    const FiloAllocator *allocator;
    FiloBuilder strings; // each ends in a zero
    FiloArray(TextEntry) entries;
    FiloMap index; // of entries, by the hash of their keys
    uint32_t language;
} TextTable;

typedef struct TextTableUse {
    FiloName name; // retained
    FiloAsset asset;
    uint32_t version;
    TextTable *table; // retained; NULL: not loaded
} TextTableUse;

typedef struct TextTables {
    TextTableUse uses[TEXT_TABLES_MAX]; // the first one is asked last
    size_t count;
    uint32_t version;
    FiloMap missing; // hashes of keys that were reported
} TextTables;

// The form of a number in a language ("de", "pt-BR").
TextPlural text_plural_form(const char *language, double number);

// Reads a table; `source` is named in messages. Any thread.
FiloResult text_table_read(TextTable **table, FiloString json, const char *source,
                           const FiloAllocator *allocator);
void text_table_release(TextTable *table); // NULL is allowed
// The entry of a key; NULL if there is none.
const TextEntry *text_table_find(const TextTable *table, const char *key);
FiloAssetType text_table_type(void);

void text_tables_init(FiloTypesetter *setter);
void text_tables_deinit(FiloTypesetter *setter);
void text_tables_update(FiloTypesetter *setter);

#endif
