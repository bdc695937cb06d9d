// Any bytes as JSON: the reader ends and stays inside the text. Accepted text can be written and read again as the
// same.

#include <filo/json.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Copies a whole text, token by token; false if it is not JSON.
static bool copy(const char *text, size_t length, FiloJsonWriter *writer) {
    FiloJsonReader reader;
    filo_json_reader_init(&reader, text, length, "fuzz");
    for (;;) {
        FiloJsonToken token = filo_json_next(&reader);
        if (token.kind < FILO_JSON_END && (token.text < text || token.text + token.length > text + length))
            abort();
        char string[64];
        int64_t whole;
        uint64_t large;
        double number;
        switch (token.kind) {
        case FILO_JSON_NULL: filo_json_write_null(writer); break;
        case FILO_JSON_FALSE: filo_json_write_bool(writer, false); break;
        case FILO_JSON_TRUE: filo_json_write_bool(writer, true); break;
        case FILO_JSON_NUMBER:
            if (filo_json_as_int64(token, &whole))
                filo_json_write_int64(writer, whole);
            else if (filo_json_as_uint64(token, &large))
                filo_json_write_uint64(writer, large);
            else if (filo_json_as_double(token, &number))
                filo_json_write_double(writer, number);
            else
                filo_json_write_null(writer); // too large for every type
            break;
        case FILO_JSON_STRING:
            filo_json_as_text(token, string, sizeof string);
            filo_json_write_text(writer, string);
            break;
        case FILO_JSON_KEY:
            filo_json_as_text(token, string, sizeof string);
            filo_json_key(writer, string);
            break;
        case FILO_JSON_OBJECT_BEGIN: filo_json_begin_object(writer); break;
        case FILO_JSON_OBJECT_END: filo_json_end_object(writer); break;
        case FILO_JSON_ARRAY_BEGIN: filo_json_begin_array(writer); break;
        case FILO_JSON_ARRAY_END: filo_json_end_array(writer); break;
        case FILO_JSON_END: return true;
        case FILO_JSON_ERROR:
            if (reader.error.code == FILO_OK || reader.error.message[0] == '\0') abort();
            return false;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    FiloJsonWriter first, second;
    filo_json_writer_init(&first, &(FiloJsonWriterDesc){ .indent = size % 3 == 0 ? 2 : 0 });
    filo_json_writer_init(&second, &(FiloJsonWriterDesc){ .indent = size % 3 == 0 ? 2 : 0 });
    if (copy((const char *)data, size, &first)) {
        if (!filo_json_writer_ok(&first)) abort();
        if (!copy(filo_json_writer_text(&first), filo_json_writer_length(&first), &second))
            abort(); // written text must be readable
        if (filo_json_writer_length(&first) != filo_json_writer_length(&second) ||
            memcmp(filo_json_writer_text(&first), filo_json_writer_text(&second),
                   filo_json_writer_length(&first)) != 0)
            abort();
    }
    filo_json_writer_deinit(&first);
    filo_json_writer_deinit(&second);
    return 0;
}
