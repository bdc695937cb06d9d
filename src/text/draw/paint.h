// Layouts become quads: letters from the glyph cache, effects, lines under letters, icons.

#ifndef TEXT_DRAW_PAINT_H
#define TEXT_DRAW_PAINT_H

#include "text/glyphs/glyph_cache.h"

// Letters up to this size, in pixels, are drawn from pictures of their exact size where that is possible.
#define TEXT_EXACT_SIZE 128.0f

typedef FiloArray(FiloQuad) TextQuadArray;
typedef FiloArray(uint32_t) TextIndexArray;

typedef struct TextPaint {
    const FiloTypesetter *setter;
    TextGlyphs *glyphs;
    TextQuadArray quads;
    bool keep_used;
    TextIndexArray used; // with keep_used: the glyphs that quads show, one for each quad or fewer
    // About everything that was painted since these were reset:
    bool missing;      // some glyphs are not ready yet
    bool shows_images; // icons, or a bitmap font: other quads after filo_gfx2d_generation has changed
    // Scales (TextPlace.scale), exclusive and inclusive, for which the same pictures would have been chosen.
    float scale_above, scale_up_to;
} TextPaint;

// Where a layout goes.
typedef struct TextPlace {
    FiloVec2 at;
    float up; // 1 in the world, −1 on the screen, where y goes down
    // On the screen, upright and not scaled: letters are at whole pixels, or quarters of them. `origin` is what is added
    // to the quads later: the translation of the current transform.
    bool exact;
    FiloVec2 origin;
    float scale; // pixels per unit of the layout, about
} TextPlace;

void text_paint_init(TextPaint *paint, const FiloTypesetter *setter, TextGlyphs *glyphs,
                     const FiloAllocator *allocator);
void text_paint_deinit(TextPaint *paint);
// Appends the quads of a layout with the colour, effects and `hidden` of the style. Without memory some are missing.
void text_paint_layout(TextPaint *paint, const FiloTextLayout *layout, const FiloTextStyle *style,
                       const TextPlace *place);

#endif
