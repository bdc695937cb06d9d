// A library of FreeType whose memory comes from an allocator of Filo. One thread at a time uses it: FreeType is not safe
// with several.
//
// FreeType often returns another error when an allocation fails, or goes on without what it wanted to allocate. So
// `failed` notes each of them. With `failed`, neither an error nor a result means anything about the font.

#ifndef TEXT_FREETYPE_H
#define TEXT_FREETYPE_H

#include <filo/memory.h>

#include <freetype/freetype.h>
#include <freetype/ftmodapi.h>

typedef struct TextFreeType {
    FT_Library library;
    struct FT_MemoryRec_ memory;
    const FiloAllocator *allocator;
    bool failed; // an allocation, since it was set to false
} TextFreeType;

// It must not move afterwards. False without memory.
bool text_freetype_init(TextFreeType *freetype, const FiloAllocator *allocator);
void text_freetype_deinit(TextFreeType *freetype);
// Notes an error of FreeType that says that there is no memory: libraries that it uses allocate by themselves. Returns
// whether there was no error.
bool text_freetype_ok(TextFreeType *freetype, FT_Error error);

#endif
