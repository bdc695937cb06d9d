// Pages: the pictures that all images lie on.
//
// An image takes a place on a page, with a border of one texel all round that repeats its edge. Pages have
// shelves: rows of one height, divided into pieces that are taken or free. What is given back can be used
// again, and shelves that are empty become room for any height.
//
// The first page begins small and grows up to the page size, then others of that size follow. Places on a page
// never move, so growing disturbs nobody. An image that is larger than a page gets one of its own. On the card
// all pages are layers of one texture, which is as large as the largest of them; so there the size is limited.
//
// The pages are kept in memory; where there is a card, its texture is a copy of them.

#ifndef FILO_GFX2D_PAGES_H
#define FILO_GFX2D_PAGES_H

#include <filo/containers.h>
#include <filo/gpu.h>
#include <filo/pixels.h>

// A place that was given out; without its border. All zero: none.
typedef struct Gfx2dPageSpot {
    uint16_t x, y, width, height;
    uint16_t page;
    bool taken;
} Gfx2dPageSpot;

typedef struct Gfx2dShelfPiece {
    uint16_t x, width;
    bool taken;
    uint32_t next; // to the right, + 1; 0: none. Of a piece that is not in use: the next such
} Gfx2dShelfPiece;

typedef struct Gfx2dShelf {
    uint16_t y, height;
    uint32_t first; // piece, + 1
} Gfx2dShelf;

typedef struct Gfx2dPage {
    FiloPixels pixels;             // no data: this number is free
    FiloArray(Gfx2dShelf) shelves; // from the top
    int filled;                    // rows that shelves have
    bool own;                      // of one large image, or of a target: nothing else is put there
    bool borrowed;                 // pixels are somebody else's
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
    uint32_t free_piece; // + 1; 0: none
} Gfx2dPages;

#define GFX2D_PAGE_SIZE_FIRST 256 // of the first page, at first
#define GFX2D_PAGES_MAX       4096

// `size` 0: 2048.
void gfx2d_pages_init(Gfx2dPages *pages, int size, FiloGpu *gpu, const FiloAllocator *allocator);
void gfx2d_pages_deinit(Gfx2dPages *pages);

// Copies an image to a page. FILO_ERROR_MEMORY, or FILO_ERROR_LIMIT if it is too large; `name` for the
// message.
FiloResult gfx2d_pages_put(Gfx2dPages *pages, const FiloPixels *pixels, const char *name,
                           Gfx2dPageSpot *spot);
// Gives a place back. One that is not taken is allowed.
void gfx2d_pages_take_back(Gfx2dPages *pages, Gfx2dPageSpot *spot);
// A page whose pixels are the caller's, for targets on the CPU. UINT16_MAX without memory.
uint16_t gfx2d_pages_borrow(Gfx2dPages *pages, FiloPixels pixels);
void gfx2d_pages_give_back(Gfx2dPages *pages, uint16_t page); // such a page

size_t gfx2d_pages_count(const Gfx2dPages *pages); // that are in use

#endif
