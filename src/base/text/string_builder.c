// The string builder: one growing block. From the first addition on there is room for length + 1 bytes, and
// data[length] is zero.

#include <filo/check.h>
#include <filo/strings.h>

#include <stdio.h>

#define FIRST_CAPACITY 64

void filo_builder_init(FiloBuilder *builder, const FiloAllocator *allocator) {
    *builder = (FiloBuilder){ .allocator = allocator };
}

void filo_builder_deinit(FiloBuilder *builder) {
    filo_free(builder->allocator, builder->data, builder->capacity, 1);
    filo_builder_init(builder, builder->allocator);
}

void filo_builder_clear(FiloBuilder *builder) {
    builder->length = 0;
    builder->failed = false;
    if (builder->data != NULL) builder->data[0] = '\0';
}

// Room for `length` bytes and the zero; false, with everything as it was, if there is no memory for them.
static bool make_room(FiloBuilder *builder, size_t length, size_t capacity) {
    if (length < builder->capacity) return true;
    if (length >= SIZE_MAX / 4) {
        filo_out_of_memory("string builder", length, "the size is too large");
        return false;
    }
    char *data = filo_resize(builder->allocator, builder->data, builder->capacity, capacity, 1);
    if (data == NULL) return false;
    if (builder->data == NULL) data[0] = '\0';
    builder->data = data;
    builder->capacity = capacity;
    return true;
}

bool filo_builder_reserve(FiloBuilder *builder, size_t length) {
    return make_room(builder, length, length + 1);
}

// Room for `more` bytes, by doubling. Remembers a failure.
static bool grow(FiloBuilder *builder, size_t more) {
    size_t length;
    if (__builtin_add_overflow(builder->length, more, &length)) length = SIZE_MAX;
    size_t capacity = FILO_MAX(builder->capacity, FIRST_CAPACITY / 2) * 2;
    if (!builder->failed) builder->failed = !make_room(builder, length, FILO_MAX(capacity, length + 1));
    return !builder->failed;
}

bool filo_builder_add(FiloBuilder *builder, FiloString string) {
    // A part of our own text moves with it.
    uintptr_t offset = (uintptr_t)string.data - (uintptr_t)builder->data;
    bool own = builder->data != NULL && offset <= builder->length;
    if (!grow(builder, string.length)) return false;
    if (string.length == 0) return true;
    memcpy(builder->data + builder->length, own ? builder->data + offset : string.data, string.length);
    builder->length += string.length;
    builder->data[builder->length] = '\0';
    return true;
}

bool filo_builder_add_text(FiloBuilder *builder, const char *text) {
    return filo_builder_add(builder, filo_string(text));
}

bool filo_builder_add_byte(FiloBuilder *builder, char byte) {
    return filo_builder_add(builder, filo_string_from(&byte, 1));
}

bool filo_builder_add_character(FiloBuilder *builder, uint32_t code_point) {
    char bytes[4];
    size_t length = filo_utf8_encode(code_point, bytes);
    if (length == 0) length = filo_utf8_encode(FILO_UTF8_REPLACEMENT, bytes);
    return filo_builder_add(builder, filo_string_from(bytes, length));
}

bool filo_builder_printf_list(FiloBuilder *builder, const char *format, va_list arguments) {
    if (!grow(builder, 0)) return false;
    // Straight into the room that there is; usually it is enough.
    va_list again;
    va_copy(again, arguments);
    size_t room = builder->capacity - builder->length;
    int length = vsnprintf(builder->data + builder->length, room, format, arguments);
    bool good = FILO_CHECK(length >= 0, "printf does not accept the format \"%s\"", format);
    if (!good) builder->failed = true;
    if (good && (size_t)length >= room) {
        good = grow(builder, (size_t)length);
        if (good) vsnprintf(builder->data + builder->length, (size_t)length + 1, format, again);
    }
    va_end(again);
    if (good) builder->length += (size_t)length;
    builder->data[builder->length] = '\0';
    return good;
}

bool filo_builder_printf(FiloBuilder *builder, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    bool good = filo_builder_printf_list(builder, format, arguments);
    va_end(arguments);
    return good;
}
