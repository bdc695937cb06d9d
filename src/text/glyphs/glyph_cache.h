// The pictures of glyphs on the atlas pages of the renderer.
//
// A glyph is known by its font, the version of that, its number, and how it is shown: mode, size, quarter of a pixel. The
// first time that it is asked for, it is requested; workers make its picture, and a later update puts that on a page. So
// no frame waits for a glyph, and none takes over more than a few. Text that is asked for in the meantime has gaps.
// text_glyphs_finish waits, for pictures that are saved.
//
// Pictures take up to `texel_limit` texels. Beyond that, the glyphs that were not used for the longest time are freed,
// except those of the last frames, and those that are pinned because quads that are kept show them. If these alone take
// twice as much, further glyphs are not shown.
//
// All functions are for the main thread.

#ifndef TEXT_GLYPHS_CACHE_H
#define TEXT_GLYPHS_CACHE_H

#include <filo/containers.h>
#include <filo/gfx2d.h>
#include <filo/jobs.h>

#include "text/glyphs/rasterise.h"

typedef enum TextGlyphState {
    TEXT_GLYPH_UNUSED, // the entry is free
    TEXT_GLYPH_WAITING,
    TEXT_GLYPH_WORKING, // a worker makes it
    TEXT_GLYPH_READY,
    TEXT_GLYPH_EMPTY, // nothing is visible: a space, or a picture that could not be made
} TextGlyphState;

typedef struct TextGlyph {
    uint64_t key;
    uint64_t used; // frame
    FiloAtlasRegion region;
    float left, top, em; // as in TextGlyphImage
    uint32_t pins;
    uint8_t state; // TextGlyphState
} TextGlyph;

// How a glyph is shown.
typedef struct TextGlyphLook {
    TextGlyphMode mode;
    float size;       // of the em, in pixels
    unsigned quarter; // of a pixel to the right: TEXT_GLYPH_COVERAGE
} TextGlyphLook;

#define TEXT_GLYPH_NONE UINT32_MAX
#define TEXT_WORK_ITEMS 8
#define TEXT_WORKS      8

typedef struct TextWorkItem {
    uint32_t index; // of the glyph
    TextGlyphRequest request;
    TextGlyphImage image;
    bool made; // false: no memory
} TextWorkItem;

// What one job makes.
typedef struct TextGlyphWork {
    FiloJob job;
    TextRasteriser *rasteriser;
    bool running;
    uint32_t count, taken; // items, and how many of them are on pages
    TextWorkItem items[TEXT_WORK_ITEMS];
} TextGlyphWork;

#define TEXT_RECENT 256 // a power of two
typedef struct TextRecentGlyph {
    uint64_t key;
    uint32_t index; // + 1; 0: none
} TextRecentGlyph;

typedef struct TextGlyphs {
    const FiloAllocator *allocator;
    const FiloTypesetter *setter;
    FiloGfx2d *gfx;
    FiloJobs *jobs;
    FiloMap indices;                     // key → index in `glyphs`
    TextRecentGlyph recent[TEXT_RECENT]; // the last ones that were asked for, by their key
    FiloArray(TextGlyph) glyphs;         // pointers are valid until the next glyph is asked for
    FiloArray(uint32_t) free;            // unused entries
    FiloArray(uint32_t) waiting;
    FiloArray(uint32_t) oldest; // scratch memory of eviction
    TextGlyphWork *works;       // [TEXT_WORKS]
    uint64_t frame;
    uint32_t generation; // grows when a glyph is ready, or was freed
    size_t texels, texel_limit;
    size_t ready;    // glyphs with a picture
    uint64_t made;   // pictures so far
    uint64_t misses; // glyphs that were asked for before they were ready
    uint64_t evicted;
    bool full_reported;
} TextGlyphs;

// `texel_limit` 0: 4 Mi texels, which is one page of 2048 × 2048. NULL without memory.
TextGlyphs *text_glyphs_create(const FiloTypesetter *setter, FiloGfx2d *gfx, FiloJobs *jobs,
                               const FiloAllocator *allocator, size_t texel_limit);
void text_glyphs_destroy(TextGlyphs *glyphs); // NULL is allowed

// The index of a glyph, requested if it is new. TEXT_GLYPH_NONE without memory.
uint32_t text_glyphs_find(TextGlyphs *glyphs, const TextFont *font, uint32_t glyph, TextGlyphLook look);
// The same for a glyph that is ready; TEXT_GLYPH_NONE if it is not, and it is not requested.
uint32_t text_glyphs_find_ready(TextGlyphs *glyphs, const TextFont *font, uint32_t glyph, TextGlyphLook look);
static inline const TextGlyph *text_glyphs_at(const TextGlyphs *glyphs, uint32_t index) {
    return &glyphs->glyphs.items[index];
}
// A glyph that is pinned is not freed.
void text_glyphs_pin(TextGlyphs *glyphs, uint32_t index);
void text_glyphs_unpin(TextGlyphs *glyphs, uint32_t index);

// Once a frame, before quads are made: takes over some of what workers have made, gives them more, frees what is old.
void text_glyphs_update(TextGlyphs *glyphs);
// Waits until every requested glyph is there. True if there were any.
bool text_glyphs_finish(TextGlyphs *glyphs);

#endif
