// The typesetter: fonts, what texts are made of, layouts that are kept.
//
//   typesetter.c   creating, updating
//   font/          files of fonts, families, chains, finding installed fonts
//   shape/         mark-up, properties of characters, breaks, directions, fonts of letters, shaping
//   layout/        lines, positions, carets, the cache
//   translate/     tables of translations
//   glyphs/        pictures of glyphs, made on workers, on the pages of the renderer
//   draw/          quads of layouts; immediate drawing; texts of the world
//   module.c       the typesetter as a module of an app
//
// One thread at a time uses it. Everything that a layout is made of lies in one block, so that it is freed and counted
// as a whole; what is needed only while it is made is in TextWork, whose memory is used again.

#ifndef TEXT_TYPESETTER_H
#define TEXT_TYPESETTER_H

#include "text/font/fonts.h"
#include "text/layout/cache.h"
#include "text/shape/work.h"
#include "text/translate/tables.h"

struct FiloTypesetter {
    const FiloAllocator *allocator;
    FiloAssets *assets;
    bool registered; // the asset types
    TextFonts fonts;
    TextCache cache;
    TextWork work;
    TextTables tables;
    uint32_t user;               // atomic: id of the thread that is using it; 0: none
    uint64_t frame;              // counts updates
    uint64_t laid_out_frame;     // when something was laid out
    struct TextDrawing *drawing; // draw/drawing.h; NULL: it cannot draw
};

// Around what one thread at a time may do. False if another thread is inside, which is reported: then text_leave must
// not be called. It is no lock, and notices a mistake only if both are inside at once.
bool text_enter(FiloTypesetter *setter);
void text_leave(FiloTypesetter *setter);

#endif
