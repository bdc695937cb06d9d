// Growing arrays: functions behind the macros, with the size of an item as a parameter.
//
// Every FiloArray(Type) is a distinct struct type with the layout of FiloArrayParts. It is therefore read and written
// here by memcpy and not through a pointer of another type.

#include <filo/check.h>
#include <filo/containers.h>

#include <string.h>

#define FIRST_BYTES 64 // memory of the first growth, or one item if that is larger

static FiloArrayParts parts_of(const void *array) {
    FiloArrayParts parts;
    memcpy(&parts, array, sizeof parts);
    return parts;
}

static void store_parts(void *array, FiloArrayParts parts) { memcpy(array, &parts, sizeof parts); }

static uint8_t *item_at(FiloArrayParts parts, size_t size, size_t index) {
    return (uint8_t *)parts.items + index * size;
}

static bool set_capacity(FiloArrayParts *parts, size_t size, size_t align, size_t capacity) {
    size_t bytes;
    if (__builtin_mul_overflow(capacity, size, &bytes)) {
        filo_out_of_memory("array", SIZE_MAX, "the size is too large");
        return false;
    }
    void *items = filo_resize(parts->allocator, parts->items, parts->capacity * size, bytes, align);
    if (items == NULL) return false;
    parts->items = items;
    parts->capacity = capacity;
    return true;
}

bool filo_array_reserve_items(void *array, size_t size, size_t align, size_t capacity) {
    FiloArrayParts parts = parts_of(array);
    if (capacity <= parts.capacity) return true;
    if (!set_capacity(&parts, size, align, capacity)) return false;
    store_parts(array, parts);
    return true;
}

bool filo_array_grow(void *array, size_t size, size_t align, size_t more) {
    FiloArrayParts parts = parts_of(array);
    size_t needed;
    if (__builtin_add_overflow(parts.count, more, &needed)) needed = SIZE_MAX;
    if (needed <= parts.capacity) return true;
    size_t first = FILO_MAX(FIRST_BYTES / size, 1);
    size_t doubled = parts.capacity <= SIZE_MAX / 2 ? parts.capacity * 2 : needed;
    return filo_array_reserve_items(array, size, align, FILO_MAX(needed, FILO_MAX(first, doubled)));
}

bool filo_array_resize_items(void *array, size_t size, size_t align, size_t count) {
    size_t before = parts_of(array).count;
    if (count > before && !filo_array_grow(array, size, align, count - before)) return false;
    FiloArrayParts parts = parts_of(array);
    if (count > before) memset(item_at(parts, size, before), 0, (count - before) * size);
    parts.count = count;
    store_parts(array, parts);
    return true;
}

bool filo_array_push_items(void *array, size_t size, size_t align, const void *source, size_t count) {
    FiloArrayParts parts = parts_of(array);
    // If the source is inside the array, it moves when the array grows.
    uintptr_t offset = (uintptr_t)source - (uintptr_t)parts.items;
    bool inside = parts.items != NULL && offset < parts.count * size;
    if (!filo_array_grow(array, size, align, count)) return false;
    if (count == 0) return true;
    parts = parts_of(array);
    memcpy(item_at(parts, size, parts.count), inside ? (uint8_t *)parts.items + offset : source,
           count * size);
    parts.count += count;
    store_parts(array, parts);
    return true;
}

bool filo_array_check_index(size_t index, size_t count) {
    return FILO_CHECK(index < count, "index %zu is outside the array: use one below %zu", index, count);
}

static void swap(uint8_t *a, uint8_t *b, size_t size) {
    uint8_t buffer[256];
    for (size_t part; size > 0; a += part, b += part, size -= part) {
        part = FILO_MIN(size, sizeof buffer);
        memcpy(buffer, a, part);
        memcpy(a, b, part);
        memcpy(b, buffer, part);
    }
}

// Moves the last item to `index`. (An insertion pushes the item first, so that its value is computed before items
// move.)
bool filo_array_move_last(void *array, size_t size, size_t align, size_t index) {
    FILO_UNUSED(align);
    FiloArrayParts parts = parts_of(array);
    uint8_t buffer[256];
    size_t last = parts.count - 1;
    if (size > sizeof buffer) {
        for (size_t i = last; i > index; i--)
            swap(item_at(parts, size, i), item_at(parts, size, i - 1), size);
        return true;
    }
    memcpy(buffer, item_at(parts, size, last), size);
    memmove(item_at(parts, size, index + 1), item_at(parts, size, index), (last - index) * size);
    memcpy(item_at(parts, size, index), buffer, size);
    return true;
}

void filo_array_remove_item(void *array, size_t size, size_t align, size_t index) {
    FILO_UNUSED(align);
    FiloArrayParts parts = parts_of(array);
    if (!filo_array_check_index(index, parts.count)) return;
    parts.count--;
    memmove(item_at(parts, size, index), item_at(parts, size, index + 1), (parts.count - index) * size);
    store_parts(array, parts);
}

void filo_array_remove_item_swap(void *array, size_t size, size_t align, size_t index) {
    FILO_UNUSED(align);
    FiloArrayParts parts = parts_of(array);
    if (!filo_array_check_index(index, parts.count)) return;
    parts.count--;
    if (index != parts.count) memcpy(item_at(parts, size, index), item_at(parts, size, parts.count), size);
    store_parts(array, parts);
}

void filo_array_free_items(void *array, size_t size, size_t align) {
    FiloArrayParts parts = parts_of(array);
    filo_free(parts.allocator, parts.items, parts.capacity * size, align);
    store_parts(array, (FiloArrayParts){ .allocator = parts.allocator });
}
