// Memory of a model: a list of blocks for what lives as long as the model, and temporary memory of its reader. Both count
// for the limit of the options, so a small file cannot ask for gigabytes.

#include "model/model.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE FILO_KIB(16)

// Counts bytes for the limit. False: reader->result is the error.
static bool reserve(ModelReader *reader, size_t bytes) {
    if (bytes <= reader->memory_limit - reader->memory) {
        reader->memory += bytes;
        return true;
    }
    reader->result = filo_error(FILO_ERROR_LIMIT, "%s: needs more than the limit of %zu bytes of memory",
                                reader->name, reader->memory_limit);
    return false;
}

static void no_memory(ModelReader *reader, size_t bytes) {
    reader->memory -= bytes;
    reader->result =
        filo_error(FILO_ERROR_MEMORY, "%s: no memory for %zu bytes of the model", reader->name, bytes);
}

static ModelStore *store_of(ModelReader *reader) { return (ModelStore *)(void *)reader->model; }

static ModelBlock *add_block(ModelReader *reader, size_t size) {
    if (!reserve(reader, size)) return NULL;
    ModelBlock *block = filo_alloc(reader->allocator, size, 0);
    if (block == NULL) {
        no_memory(reader, size);
        return NULL;
    }
    *block = (ModelBlock){ .size = size, .used = FILO_ALIGN_UP(sizeof *block, 16) };
    ModelStore *store = store_of(reader);
    // The first block stays the one with room; a block for a single large array goes behind it.
    if (store->blocks != NULL && size > BLOCK_SIZE) {
        block->next = store->blocks->next;
        store->blocks->next = block;
    } else {
        block->next = store->blocks;
        store->blocks = block;
    }
    return block;
}

void *model_alloc(ModelReader *reader, size_t count, size_t size, size_t align) {
    reader->result = filo_ok();
    size_t bytes, header = FILO_ALIGN_UP(sizeof(ModelBlock), 16);
    if (count == 0 || size == 0) return NULL;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2) {
        reserve(reader, SIZE_MAX);
        return NULL;
    }
    ModelBlock *block = store_of(reader)->blocks;
    size_t start = block != NULL ? FILO_ALIGN_UP(block->used, align) : 0;
    if (block == NULL || start > block->size || block->size - start < bytes) {
        block = add_block(reader, FILO_MAX(BLOCK_SIZE, header + bytes));
        if (block == NULL) return NULL;
        start = FILO_ALIGN_UP(block->used, align);
    }
    block->used = start + bytes;
    return memset((uint8_t *)block + start, 0, bytes);
}

char *model_copy_text(ModelReader *reader, const char *text, size_t length) {
    char *copy = model_alloc(reader, length + 1, 1, 1);
    if (copy != NULL && length > 0) memcpy(copy, text, length);
    return copy;
}

void *model_temporary(ModelReader *reader, void *memory, size_t old_size, size_t new_size) {
    reader->result = filo_ok();
    if (new_size > old_size && !reserve(reader, new_size - old_size)) return NULL;
    void *block = filo_resize(reader->allocator, memory, old_size, new_size, 0);
    if (new_size <= old_size) {
        if (new_size == 0 || block != NULL) reader->memory -= old_size - new_size;
    } else if (block == NULL) {
        no_memory(reader, new_size - old_size);
    }
    return block;
}

void *model_temporary_grow(ModelReader *reader, void *memory, size_t *capacity, size_t needed,
                           size_t element) {
    if (needed <= *capacity && memory != NULL) return memory;
    size_t wanted = FILO_MAX(FILO_MAX(needed, *capacity * 2), (size_t)16);
    if (wanted > SIZE_MAX / 2 / element) {
        reserve(reader, SIZE_MAX);
        return NULL;
    }
    void *block = model_temporary(reader, memory, *capacity * element, wanted * element);
    if (block != NULL) *capacity = wanted;
    return block;
}

FiloResult model_mesh_create(ModelReader *reader, FiloMeshData *mesh, const FiloMeshDesc *desc) {
    FiloResult r = model_mesh_create_unset(reader, mesh, desc);
    if (r.code == FILO_OK && mesh->memory != NULL) memset(mesh->memory, 0, mesh->memory_size);
    return r;
}

FiloResult model_mesh_create_unset(ModelReader *reader, FiloMeshData *mesh, const FiloMeshDesc *desc) {
    *mesh = (FiloMeshData){ 0 };
    size_t bytes = model_mesh_bytes(desc);
    if (!reserve(reader, bytes)) return reader->result;
    FiloResult r = model_mesh_allocate(mesh, desc, reader->allocator);
    if (r.code == FILO_OK) return r;
    reader->memory -= bytes;
    return filo_error(r.code, "%s: %s", reader->name, r.message);
}
