// Pictures of glyphs. See rasterise.h.
//
// Outlines are not hinted: their shape and position scale with the size.

#include "text/glyphs/rasterise.h"

#include "text/font/freetype.h"
#include "text/glyphs/field.h"

#include <freetype/ftmm.h>
#include <freetype/ftoutln.h>

#define FACES    4 // open at a time
#define SIDE_MAX 2048
#define AXES_MAX 64 // of a font; the others stay at their defaults

typedef struct OpenFace {
    TextFontFile *file; // retained: the face reads its bytes
    FT_Face face;
    TextAxes axes; // of the face
    uint64_t used;
} OpenFace;

struct TextRasteriser {
    const FiloAllocator *allocator;
    TextFreeType freetype;
    OpenFace faces[FACES];
    uint64_t clock;
};

// ---- Faces --------------------------------------------------------------------------------------------------

TextRasteriser *text_rasteriser_create(const FiloAllocator *allocator) {
    TextRasteriser *r = filo_alloc_zero(allocator, sizeof *r, 0);
    if (r == NULL) return NULL;
    r->allocator = allocator;
    if (text_freetype_init(&r->freetype, allocator)) return r;
    filo_free(allocator, r, sizeof *r, 0);
    return NULL;
}

static void close_face(OpenFace *open) {
    if (open->file == NULL) return;
    FT_Done_Face(open->face);
    text_font_file_release(open->file);
    *open = (OpenFace){ 0 };
}

void text_rasteriser_destroy(TextRasteriser *r) {
    if (r == NULL) return;
    for (int i = 0; i < FACES; i++) close_face(&r->faces[i]);
    text_freetype_deinit(&r->freetype);
    filo_free(r->allocator, r, sizeof *r, 0);
}

static FT_Fixed place_on(const FT_Var_Axis *axis, const TextAxes *axes) {
    const float *value = text_axes_find(axes, (hb_tag_t)axis->tag);
    return value != NULL ? (FT_Fixed)((double)*value * 0x10000) : axis->def;
}

// A font whose axes are damaged is shown as it is.
static void set_axes(TextRasteriser *r, FT_Face face, const TextAxes *axes) {
    FT_MM_Var *variable;
    if (axes->count == 0 || !text_freetype_ok(&r->freetype, FT_Get_MM_Var(face, &variable))) return;
    FT_Fixed places[AXES_MAX];
    FT_UInt count = FILO_MIN(variable->num_axis, (FT_UInt)AXES_MAX);
    for (FT_UInt i = 0; i < count; i++) places[i] = place_on(&variable->axis[i], axes);
    FT_Done_MM_Var(r->freetype.library, variable);
    (void)text_freetype_ok(&r->freetype, FT_Set_Var_Design_Coordinates(face, count, places));
}

// The face of a file at its axes; NULL if it cannot be opened.
static FT_Face face_of(TextRasteriser *r, TextFontFile *file, const TextAxes *axes) {
    OpenFace *oldest = &r->faces[0];
    for (int i = 0; i < FACES; i++) {
        OpenFace *open = &r->faces[i];
        if (open->file == file && text_axes_equal(&open->axes, axes)) {
            open->used = ++r->clock;
            return open->face;
        }
        if (open->used < oldest->used) oldest = open;
    }
    FT_Face face;
    if (!text_freetype_ok(&r->freetype, FT_New_Memory_Face(r->freetype.library, file->bytes,
                                                           (FT_Long)file->size, 0, &face)))
        return NULL;
    set_axes(r, face, axes);
    if (r->freetype.failed) {
        FT_Done_Face(face);
        return NULL;
    }
    close_face(oldest);
    *oldest = (OpenFace){ text_font_file_retain(file), face, *axes, ++r->clock };
    return face;
}

// ---- Copying ------------------------------------------------------------------------------------------------

static uint8_t value_at(const FT_Bitmap *bitmap, int x, int y) {
    const uint8_t *row = bitmap->buffer + (ptrdiff_t)y * bitmap->pitch;
    if (bitmap->pixel_mode == FT_PIXEL_MODE_MONO) return row[x / 8] & 0x80 >> x % 8 ? 255 : 0;
    return bitmap->pixel_mode == FT_PIXEL_MODE_GRAY ? row[x] : 0;
}

// Coverages and distances become white pixels with that alpha.
static bool copy_values(const TextRasteriser *r, const FT_Bitmap *bitmap, FiloPixels *pixels) {
    int width = (int)bitmap->width, height = (int)bitmap->rows;
    if (!filo_pixels_create(pixels, width, height, r->allocator)) return false;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            uint8_t value = value_at(bitmap, x, y);
            *filo_pixels_at(pixels, x, y) = filo_color(value, value, value, value);
        }
    return true;
}

// FreeType's colours are premultiplied, blue first.
static FiloColor color_at(const FT_Bitmap *bitmap, int x, int y) {
    const uint8_t *p = bitmap->buffer + (ptrdiff_t)y * bitmap->pitch;
    if (bitmap->pixel_mode == FT_PIXEL_MODE_BGRA)
        return filo_color(p[4 * x + 2], p[4 * x + 1], p[4 * x], p[4 * x + 3]);
    uint8_t value = value_at(bitmap, x, y);
    return filo_color(value, value, value, value);
}

// The mean of the pixels from (x0, y0) to (x1, y1), those at the edge by the part that is inside.
static FiloColor mean_color(const FT_Bitmap *bitmap, double x0, double y0, double x1, double y1) {
    double sums[4] = { 0 }, area = (x1 - x0) * (y1 - y0);
    int right = FILO_MIN((int)__builtin_ceil(x1), (int)bitmap->width),
        bottom = FILO_MIN((int)__builtin_ceil(y1), (int)bitmap->rows);
    for (int y = FILO_MAX((int)y0, 0); y < bottom; y++) {
        double height = FILO_MIN(y + 1.0, y1) - FILO_MAX((double)y, y0);
        for (int x = FILO_MAX((int)x0, 0); x < right; x++) {
            double part = height * (FILO_MIN(x + 1.0, x1) - FILO_MAX((double)x, x0)) / area;
            FiloColor c = color_at(bitmap, x, y);
            sums[0] += part * c.r, sums[1] += part * c.g, sums[2] += part * c.b, sums[3] += part * c.a;
        }
    }
    return filo_color((uint8_t)(sums[0] + 0.5), (uint8_t)(sums[1] + 0.5), (uint8_t)(sums[2] + 0.5),
                      (uint8_t)(sums[3] + 0.5));
}

// Scales a picture down by the mean of what each new pixel covers. It is never scaled up.
static bool copy_colors(const TextRasteriser *r, const FT_Bitmap *bitmap, double scale, FiloPixels *pixels) {
    scale = FILO_MIN(scale, 1.0);
    int width = (int)__builtin_ceil(bitmap->width * scale),
        height = (int)__builtin_ceil(bitmap->rows * scale);
    if (!filo_pixels_create(pixels, FILO_MAX(width, 1), FILO_MAX(height, 1), r->allocator)) return false;
    double step = 1 / scale;
    for (int y = 0; y < pixels->height; y++)
        for (int x = 0; x < pixels->width; x++)
            *filo_pixels_at(pixels, x, y) =
                mean_color(bitmap, x * step, y * step, (x + 1) * step, (y + 1) * step);
    return true;
}

// ---- Kinds of pictures ----------------------------------------------------------------------------------------

// True if the glyph has an outline now, which is not empty.
static bool load_outline(TextRasteriser *r, FT_Face face, const TextGlyphRequest *q) {
    FT_F26Dot6 size = (FT_F26Dot6)(q->size * 64 + 0.5f);
    if (FT_Set_Char_Size(face, 0, FILO_MAX(size, 1), 72, 72) != 0) return false;
    FT_Int32 flags = FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP;
    if (!text_freetype_ok(&r->freetype, FT_Load_Glyph(face, q->glyph, flags))) return false;
    FT_GlyphSlot slot = face->glyph;
    if (slot->format != FT_GLYPH_FORMAT_OUTLINE || slot->outline.n_points == 0) return false;
    if (q->bold) {
        // It grows to the right and upwards.
        FT_Pos width = (FT_Pos)(q->size * TEXT_BOLD_WIDTH * 64);
        FT_Outline_Embolden(&slot->outline, width);
        FT_Outline_Translate(&slot->outline, 0, -width / 2);
    }
    if (q->slanted) {
        FT_Matrix shear = { 0x10000, (FT_Fixed)(TEXT_SLANT * 0x10000), 0, 0x10000 };
        FT_Outline_Transform(&slot->outline, &shear);
    }
    FT_Outline_Translate(&slot->outline, (FT_Pos)(q->offset * 64), 0);
    FT_BBox box;
    FT_Outline_Get_CBox(&slot->outline, &box);
    return box.xMax - box.xMin < SIDE_MAX * 64 && box.yMax - box.yMin < SIDE_MAX * 64;
}

static void set_position(TextGlyphImage *image, FT_GlyphSlot slot, float em) {
    image->left = (float)slot->bitmap_left;
    image->top = (float)slot->bitmap_top;
    image->em = em;
}

static bool is_empty(const FT_Bitmap *bitmap) {
    return bitmap->buffer == NULL || bitmap->width == 0 || bitmap->rows == 0 || bitmap->width > SIDE_MAX ||
           bitmap->rows > SIDE_MAX;
}

static bool make_coverage(TextRasteriser *r, FT_Face face, const TextGlyphRequest *q, TextGlyphImage *image) {
    if (!load_outline(r, face, q)) return true;
    FT_Render_Mode mode = q->mode == TEXT_GLYPH_MONO ? FT_RENDER_MODE_MONO : FT_RENDER_MODE_NORMAL;
    if (!text_freetype_ok(&r->freetype, FT_Render_Glyph(face->glyph, mode)) || is_empty(&face->glyph->bitmap))
        return true;
    set_position(image, face->glyph, q->size);
    return copy_values(r, &face->glyph->bitmap, &image->pixels);
}

static bool make_field(TextRasteriser *r, FT_Face face, const TextGlyphRequest *q, TextGlyphImage *image) {
    if (!load_outline(r, face, q)) return true;
    int left = 0, top = 0;
    bool made = text_field_make(&image->pixels, &left, &top, &face->glyph->outline, q->size, r->allocator);
    image->left = (float)left, image->top = (float)top, image->em = q->size;
    return made;
}

// Selects the smallest of the sizes that a font has pictures of which is large enough; otherwise the largest. Returns
// that size, or the requested one if the font has outlines.
static float select_size(FT_Face face, float size) {
    int best = -1;
    for (int i = 0; i < face->num_fixed_sizes; i++) {
        float candidate = (float)face->available_sizes[i].y_ppem / 64;
        float chosen = best >= 0 ? (float)face->available_sizes[best].y_ppem / 64 : 0;
        if (best < 0 || (chosen < size ? candidate > chosen : candidate >= size && candidate < chosen))
            best = i;
    }
    if (best >= 0 && FT_Select_Size(face, best) == 0) return (float)face->available_sizes[best].y_ppem / 64;
    return FT_Set_Char_Size(face, 0, (FT_F26Dot6)(size * 64 + 0.5f), 72, 72) == 0 ? size : 0;
}

static bool make_color(TextRasteriser *r, FT_Face face, const TextGlyphRequest *q, TextGlyphImage *image) {
    float made_for = select_size(face, q->size);
    FT_Int32 flags = FT_LOAD_COLOR | FT_LOAD_NO_HINTING;
    if (!(made_for > 0) || !text_freetype_ok(&r->freetype, FT_Load_Glyph(face, q->glyph, flags))) return true;
    FT_GlyphSlot slot = face->glyph;
    if (slot->format != FT_GLYPH_FORMAT_BITMAP &&
        !text_freetype_ok(&r->freetype, FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL)))
        return true;
    if (is_empty(&slot->bitmap)) return true;
    double scale = FILO_MIN((double)q->size / (double)made_for, 1.0);
    set_position(image, slot, (float)(made_for * scale));
    image->left = (float)(image->left * scale);
    image->top = (float)(image->top * scale);
    return copy_colors(r, &slot->bitmap, scale, &image->pixels);
}

static bool make_image(TextRasteriser *r, const TextGlyphRequest *q, TextGlyphImage *image) {
    FT_Face face = face_of(r, q->file, &q->axes);
    if (face == NULL || q->glyph >= (uint32_t)face->num_glyphs) return true;
    switch (q->mode) {
    case TEXT_GLYPH_FIELD: return make_field(r, face, q, image);
    case TEXT_GLYPH_COLOR: return make_color(r, face, q, image);
    case TEXT_GLYPH_COVERAGE:
    case TEXT_GLYPH_MONO: return make_coverage(r, face, q, image);
    }
    return true;
}

bool text_rasterise(TextRasteriser *r, const TextGlyphRequest *q, TextGlyphImage *image) {
    *image = (TextGlyphImage){ .em = q->size };
    if (q->file->kind != TEXT_FONT_OUTLINE || !(q->size > 0) || q->size > SIDE_MAX) return true;
    r->freetype.failed = false;
    if (make_image(r, q, image) && !r->freetype.failed) return true;
    filo_pixels_free(&image->pixels, r->allocator);
    return false;
}
