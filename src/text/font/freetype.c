// FreeType's memory. See freetype.h.

#include "text/font/freetype.h"

#include <filo/check.h>

#define HEADER 16 // before each block: its size

static void *resize_block(TextFreeType *freetype, void *block, size_t size) {
    uint8_t *base = block != NULL ? (uint8_t *)block - HEADER : NULL;
    size_t old_size = 0;
    if (base != NULL) memcpy(&old_size, base, sizeof old_size);
    uint8_t *memory = filo_resize(freetype->allocator, base, old_size, size > 0 ? size + HEADER : 0, HEADER);
    if (memory == NULL) {
        freetype->failed = freetype->failed || size > 0;
        return NULL;
    }
    size += HEADER;
    memcpy(memory, &size, sizeof size);
    return memory + HEADER;
}

static void *allocate(FT_Memory memory, long size) {
    return size > 0 ? resize_block(memory->user, NULL, (size_t)size) : NULL;
}
static void release(FT_Memory memory, void *block) {
    if (block != NULL) (void)resize_block(memory->user, block, 0);
}
static void *reallocate(FT_Memory memory, long old_size, long size, void *block) {
    FILO_UNUSED(old_size);
    if (size > 0) return resize_block(memory->user, block, (size_t)size);
    release(memory, block);
    return NULL;
}

bool text_freetype_init(TextFreeType *freetype, const FiloAllocator *allocator) {
    *freetype =
        (TextFreeType){ .allocator = allocator, .memory = { freetype, allocate, release, reallocate } };
    if (FT_New_Library(&freetype->memory, &freetype->library) != 0) return false;
    FT_Add_Default_Modules(freetype->library); // it leaves out those for which there is no memory
    if (!freetype->failed) return true;
    text_freetype_deinit(freetype);
    return false;
}

void text_freetype_deinit(TextFreeType *freetype) {
    FT_Done_Library(freetype->library);
    freetype->library = NULL;
}

bool text_freetype_ok(TextFreeType *freetype, FT_Error error) {
    if (error == FT_Err_Out_Of_Memory && !freetype->failed) {
        filo_out_of_memory("text", 0, "FreeType has no memory for a glyph");
        freetype->failed = true;
    }
    return error == 0;
}
