// Any bytes as a table of translations: refused with a message, or each of its texts can be formatted.

#include "text/typesetter.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    FiloTypesetter *setter;
    if (filo_typesetter_create(&setter, &(FiloTypesetterDesc){ 0 }).code != FILO_OK) abort();
    FiloResult r = filo_text_add_translations(setter, "fuzz", filo_string_from((const char *)data, size));
    if (r.code == FILO_OK) {
        const TextTable *table = setter->tables.uses[0].table;
        const FiloTextArgument arguments[] = { filo_text_number("count", 3),
                                               filo_text_string("name", "[Ä]") };
        for (size_t i = 0; i < table->entries.count; i++) {
            char text[64];
            const char *key = table->strings.data + table->entries.items[i].key;
            if (filo_text_translate(setter, key) == key) abort();
            size_t length = filo_text_translate_format(setter, text, sizeof text, key, arguments, 2);
            if (strlen(text) > length || strlen(text) >= sizeof text) abort();
        }
    } else if (r.message[0] == '\0') {
        abort();
    }
    filo_typesetter_destroy(setter);
    return 0;
}
