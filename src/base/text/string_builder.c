// The string builder: one growing block. From the first addition on its capacity is at least length + 1, and
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

// Grows to `capacity` bytes if `length` bytes and the zero do not fit; false, with everything unchanged, without
// memory.
static bool set_capacity(FiloBuilder *builder, size_t length, size_t capacity) {
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
    return set_capacity(builder, length, length + 1);
}

// Doubles the capacity if `more` bytes do not fit. Sets `failed` on failure.
static bool grow(FiloBuilder *builder, size_t more) {
    size_t length;
    if (__builtin_add_overflow(builder->length, more, &length)) length = SIZE_MAX;
    size_t capacity = FILO_MAX(builder->capacity, FIRST_CAPACITY / 2) * 2;
    if (!builder->failed) builder->failed = !set_capacity(builder, length, FILO_MAX(capacity, length + 1));
    return !builder->failed;
}

bool filo_builder_add(FiloBuilder *builder, FiloString string) {
    // A part of the builder's text moves when the builder grows.
    uintptr_t offset = (uintptr_t)string.data - (uintptr_t)builder->data;
    bool inside = builder->data != NULL && offset <= builder->length;
    if (!grow(builder, string.length)) return false;
    if (string.length == 0) return true;
    memcpy(builder->data + builder->length, inside ? builder->data + offset : string.data, string.length);
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
    // First into the available bytes, which are usually enough.
    va_list again;
    va_copy(again, arguments);
    size_t available = builder->capacity - builder->length;
    int length = vsnprintf(builder->data + builder->length, available, format, arguments);
    bool done = FILO_CHECK(length >= 0, "printf does not accept the format \"%s\"", format);
    if (!done) builder->failed = true;
    if (done && (size_t)length >= available) {
        done = grow(builder, (size_t)length);
        if (done) vsnprintf(builder->data + builder->length, (size_t)length + 1, format, again);
    }
    va_end(again);
    if (done) builder->length += (size_t)length;
    builder->data[builder->length] = '\0';
    return done;
}

bool filo_builder_printf(FiloBuilder *builder, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    bool done = filo_builder_printf_list(builder, format, arguments);
    va_end(arguments);
    return done;
}
