// Shared arrays and shared words: one allocation each, of a size that is chosen at run time.
//
// The header is a cache line of its own, which is constant after creation. The elements begin at the next line. With
// `spread` each element begins a cache line, so that two threads that write neighbours do not contend for a line. The
// caller orders accesses to elements of a shared array. Words are atomic: they are read with acquire and written with
// release, so that a word can publish what was written before it.

#include <filo/check.h>
#include <filo/lockfree.h>

#include "base/atomic.h"

// ---- Memory for both ----------------------------------------------------------------------------------

// Computes the bytes from element to element, and the size of header and elements together; false if it overflows.
static bool compute_layout(size_t header, size_t count, size_t element_size, bool spread, size_t *stride,
                           size_t *size) {
    if (element_size > SIZE_MAX / 2) return false;
    *stride = spread ? FILO_ALIGN_UP(element_size, (size_t)FILO_CACHE_LINE) : element_size;
    return !__builtin_mul_overflow(*stride, count, size) && *size <= SIZE_MAX / 2 &&
           !__builtin_add_overflow(*size, header, size);
}

static FiloResult too_large(const char *name, size_t count, size_t element_size) {
    return filo_error(FILO_ERROR_LIMIT, "%s: %zu elements of %zu bytes are more than memory can be", name,
                      count, element_size);
}

static FiloResult no_memory(const char *name, size_t count, size_t element_size) {
    return filo_error(FILO_ERROR_MEMORY, "%s: no memory for %zu elements of %zu bytes", name, count,
                      element_size);
}

// ---- Shared array -------------------------------------------------------------------------------------

struct FiloSharedArray {
    _Alignas(FILO_CACHE_LINE) size_t count;
    size_t stride, size;
    const char *name;
    const FiloAllocator *allocator;
    _Alignas(FILO_CACHE_LINE) unsigned char elements[];
};

FiloResult filo_shared_array_create(FiloSharedArray **array, const FiloSharedArrayDesc *desc) {
    if (array == NULL || desc == NULL) return FILO_MISTAKE("describe the array, and pass where to put it");
    *array = NULL;
    const char *name = desc->name != NULL ? desc->name : "shared array";
    if (desc->count == 0 || desc->element_size == 0)
        return FILO_MISTAKE("%s: give the count and the size of elements", name);
    size_t stride, size;
    if (!compute_layout(sizeof(FiloSharedArray), desc->count, desc->element_size, desc->spread, &stride,
                        &size))
        return too_large(name, desc->count, desc->element_size);
    FiloSharedArray *created = filo_alloc_zero(desc->allocator, size, FILO_CACHE_LINE);
    if (created == NULL) return no_memory(name, desc->count, desc->element_size);
    created->count = desc->count;
    created->stride = stride;
    created->size = size;
    created->name = name;
    created->allocator = desc->allocator;
    *array = created;
    return filo_ok();
}

void filo_shared_array_destroy(FiloSharedArray *array) {
    if (array != NULL) filo_free(array->allocator, array, array->size, FILO_CACHE_LINE);
}

size_t filo_shared_array_count(const FiloSharedArray *array) {
    return FILO_CHECK(array != NULL, "pass a shared array") ? array->count : 0;
}

void *filo_shared_array_at(FiloSharedArray *array, size_t index) {
    if (!FILO_CHECK(array != NULL, "pass a shared array")) return NULL;
    if (!FILO_CHECK(index < array->count, "%s: pass an index below %zu, not %zu", array->name, array->count,
                    index))
        return NULL;
    return array->elements + index * array->stride;
}

// ---- Shared words -------------------------------------------------------------------------------------

struct FiloSharedWords {
    _Alignas(FILO_CACHE_LINE) size_t count;
    size_t stride, size; // `stride` in words
    const char *name;
    const FiloAllocator *allocator;
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(uint64_t) words[];
};

FiloResult filo_shared_words_create(FiloSharedWords **words, const FiloSharedWordsDesc *desc) {
    if (words == NULL || desc == NULL) return FILO_MISTAKE("describe the words, and pass where to put it");
    *words = NULL;
    const char *name = desc->name != NULL ? desc->name : "shared words";
    if (desc->count == 0) return FILO_MISTAKE("%s: give the count of words", name);
    size_t stride, size;
    if (!compute_layout(sizeof(FiloSharedWords), desc->count, sizeof(uint64_t), desc->spread, &stride, &size))
        return too_large(name, desc->count, sizeof(uint64_t));
    FiloSharedWords *created = filo_alloc_zero(desc->allocator, size, FILO_CACHE_LINE);
    if (created == NULL) return no_memory(name, desc->count, sizeof(uint64_t));
    created->count = desc->count;
    created->stride = stride / sizeof(uint64_t);
    created->size = size;
    created->name = name;
    created->allocator = desc->allocator;
    *words = created;
    return filo_ok();
}

void filo_shared_words_destroy(FiloSharedWords *words) {
    if (words != NULL) filo_free(words->allocator, words, words->size, FILO_CACHE_LINE);
}

size_t filo_shared_words_count(const FiloSharedWords *words) {
    return FILO_CHECK(words != NULL, "pass shared words") ? words->count : 0;
}

static bool in_range(const FiloSharedWords *words, size_t index) {
    return FILO_CHECK(words != NULL, "pass shared words") &&
           FILO_CHECK(index < words->count, "%s: pass an index below %zu, not %zu", words->name, words->count,
                      index);
}

// All operations on words pair with each other: what a thread wrote before it wrote a word with release is visible to a
// thread that reads that word with acquire.

uint64_t filo_shared_words_load(const FiloSharedWords *words, size_t index) {
    if (!in_range(words, index)) return 0;
    return base_load_acquire(&words->words[index * words->stride]);
}

void filo_shared_words_store(FiloSharedWords *words, size_t index, uint64_t value) {
    if (in_range(words, index)) base_store_release(&words->words[index * words->stride], value);
}

uint64_t filo_shared_words_exchange(FiloSharedWords *words, size_t index, uint64_t value) {
    if (!in_range(words, index)) return 0;
    return base_exchange_acq_rel(&words->words[index * words->stride], value);
}

uint64_t filo_shared_words_add(FiloSharedWords *words, size_t index, uint64_t value) {
    if (!in_range(words, index)) return 0;
    return base_add_acq_rel(&words->words[index * words->stride], value);
}

bool filo_shared_words_compare_swap(FiloSharedWords *words, size_t index, uint64_t *expected,
                                    uint64_t value) {
    if (!FILO_CHECK(words != NULL && expected != NULL, "pass shared words, and what is expected"))
        return false;
    if (!in_range(words, index)) return false;
    return base_cas_acq_rel_acquire(&words->words[index * words->stride], expected, value);
}
