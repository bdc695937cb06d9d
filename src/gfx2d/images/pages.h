// Atlas pages: the pictures that all images lie on.
//
// An image gets a slot on a page, with a border of one texel all round that repeats its edge. Pages are divided into
// shelves: rows of one height, divided into pieces that are taken or free. Freed pieces are reused, and neighbouring
// empty shelves are joined, so that they fit any height again.
//
// The first page begins small and grows up to the page size; then further pages of that size follow. Slots never move.
// An image that is larger than a page gets a page of its own. On the GPU all pages are layers of one texture, which is
// as large as the largest of them; so there the size of images is limited.
//
// The pages are in memory; the texture of the GPU is a copy of them.

#ifndef FILO_GFX2D_PAGES_H
#define FILO_GFX2D_PAGES_H

#include <filo/containers.h>
#include <filo/gpu.h>
#include <filo/pixels.h>

// Where an image is, without its border. All zero: nowhere.
typedef struct Gfx2dPageSlot {
    uint16_t x, y, width, height;
    uint16_t page;
    bool taken;
} Gfx2dPageSlot;

// Pieces have numbers: their index in Gfx2dPages.pieces + 1; 0: none.
typedef struct Gfx2dShelfPiece {
    uint16_t x, width;
    bool taken;
    uint32_t next; // piece to the right; of a piece that is not in use: the next such
} Gfx2dShelfPiece;

typedef struct Gfx2dShelf {
    uint16_t y, height;
    uint32_t first; // piece
} Gfx2dShelf;

typedef struct Gfx2dPage {
    FiloPixels pixels;             // no data: this index is free
    FiloArray(Gfx2dShelf) shelves; // from the top
    int used_rows;                 // height of all shelves
    bool dedicated;                // to one large image, or to a target
    bool external;                 // the pixels belong to the caller
} Gfx2dPage;

typedef struct Gfx2dPages {
    const FiloAllocator *allocator;
    FiloGpu *gpu;        // NULL: only in memory
    FiloTexture texture; // an array with a layer for each page; {0}: none yet
    int texture_size, texture_layers;
    int size;     // of pages
    int size_max; // of a page with one large image
    int layers_max;
    FiloArray(Gfx2dPage) pages;
    FiloArray(FiloPixels) images; // the pixels of each page: what filo_raster_draw takes
    FiloArray(Gfx2dShelfPiece) pieces;
    uint32_t free_piece; // first piece that is not in use
} Gfx2dPages;

#define GFX2D_PAGE_SIZE_FIRST 256 // of the first page, until it grows
#define GFX2D_PAGES_MAX       4096

// `size` 0: 2048.
void gfx2d_pages_init(Gfx2dPages *pages, int size, FiloGpu *gpu, const FiloAllocator *allocator);
void gfx2d_pages_deinit(Gfx2dPages *pages);

// Copies an image to a page. FILO_ERROR_MEMORY, or FILO_ERROR_LIMIT if it is too large; `name` is for the message.
FiloResult gfx2d_pages_add(Gfx2dPages *pages, const FiloPixels *pixels, const char *name,
                           Gfx2dPageSlot *slot);
// Frees a slot and sets it to zero. A slot that is not taken is allowed.
void gfx2d_pages_free_slot(Gfx2dPages *pages, Gfx2dPageSlot *slot);
// Adds a page whose pixels belong to the caller: a target on the CPU. UINT16_MAX without memory.
uint16_t gfx2d_pages_add_external(Gfx2dPages *pages, FiloPixels pixels);
void gfx2d_pages_remove_external(Gfx2dPages *pages, uint16_t page);

size_t gfx2d_pages_count(const Gfx2dPages *pages); // without external pages

#endif
