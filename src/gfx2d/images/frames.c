// Which frame of which image lies where: a table by the number of the name, so that a sprite finds its frame in
// two steps.
//
// Names that nobody has asked for show `unknown`, which looks like the stand-in and is recognised by its
// address: extraction notes that they are wanted, and they are asked for when it is over.

#include "gfx2d/renderer.h"

// ---- The table ----------------------------------------------------------------------------------------------

bool gfx2d_frames_cover_names(FiloGfx2d *gfx) {
    uint32_t names = filo_name_count();
    if (names <= gfx->entry_count) return true;
    uint32_t count = FILO_MIN(names + names / 2 + 64, FILO_NAME_LIMIT);
    Gfx2dImageEntry *entries = filo_resize(gfx->allocator, gfx->entries, gfx->entry_count * sizeof *entries,
                                           count * sizeof *entries, 0);
    if (entries == NULL) return false;
    for (uint32_t i = gfx->entry_count; i < count; i++)
        entries[i] = (Gfx2dImageEntry){ .frames = &gfx->unknown };
    gfx->entries = entries;
    gfx->entry_count = count;
    gfx->entries[0].frames = &gfx->box;
    return true;
}

void gfx2d_frames_want(FiloGfx2d *gfx, FiloName name) {
    __atomic_store_n(&gfx->entries[name.id].wanted, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&gfx->wants, true, __ATOMIC_RELAXED);
}

// ---- Places ---------------------------------------------------------------------------------------------------

// What extraction needs of a place.
static Gfx2dSpriteFrame frame_of(const FiloGfx2d *gfx, Gfx2dFramePlace place) {
    float unit = gfx->units_per_pixel;
    return (Gfx2dSpriteFrame){
        .place = place,
        .half_width = place.part_width * 0.5f * unit,
        .half_height = place.part_height * 0.5f * unit,
        .centre_x = (place.left + place.part_width * 0.5f - place.width * 0.5f) * unit,
        .centre_y = (place.height * 0.5f - place.top - place.part_height * 0.5f) * unit,
        .full_width = place.width * unit,
        .full_height = place.height * unit,
        .image_and_kind = place.page | (uint32_t)FILO_QUAD_IMAGE << 16,
    };
}

static Gfx2dFramePlace whole_place(const Gfx2dPageSpot *spot) {
    return (Gfx2dFramePlace){ .u0 = spot->x,
                              .v0 = spot->y,
                              .u1 = (uint16_t)(spot->x + spot->width),
                              .v1 = (uint16_t)(spot->y + spot->height),
                              .page = spot->page,
                              .frame_count = 1,
                              .width = spot->width,
                              .height = spot->height,
                              .part_width = spot->width,
                              .part_height = spot->height };
}

static Gfx2dFramePlace sheet_place(const Gfx2dPageSpot *spot, const FiloSheetFrame *frame,
                                   size_t frame_count) {
    return (Gfx2dFramePlace){ .u0 = (uint16_t)(spot->x + frame->x),
                              .v0 = (uint16_t)(spot->y + frame->y),
                              .u1 = (uint16_t)(spot->x + frame->x + frame->width),
                              .v1 = (uint16_t)(spot->y + frame->y + frame->height),
                              .page = spot->page,
                              .frame_count = (uint16_t)FILO_MIN(frame_count, (size_t)UINT16_MAX),
                              .width = frame->full_width,
                              .height = frame->full_height,
                              .left = frame->left,
                              .top = frame->top,
                              .part_width = frame->width,
                              .part_height = frame->height };
}

static bool frame_fits(const Gfx2dPageSpot *spot, const FiloSheetFrame *frame) {
    return frame->x + frame->width <= spot->width && frame->y + frame->height <= spot->height;
}

// ---- Images -------------------------------------------------------------------------------------------------

Gfx2dImage *gfx2d_frames_image(FiloGfx2d *gfx, FiloName name) {
    if (name.id == 0 || !gfx2d_frames_cover_names(gfx)) return NULL;
    Gfx2dImageEntry *entry = &gfx->entries[name.id];
    if (entry->image != 0) return &gfx->images.items[entry->image - 1];
    if (!filo_array_push(&gfx->images, (Gfx2dImage){ .name = name })) return NULL;
    *entry = (Gfx2dImageEntry){ &gfx->placeholder, 0, 0, (uint32_t)gfx->images.count };
    return &gfx->images.items[gfx->images.count - 1];
}

void gfx2d_frames_clear(FiloGfx2d *gfx, Gfx2dImage *image) {
    gfx->entries[image->name.id].frames = &gfx->placeholder;
    gfx->entries[image->name.id].last = 0;
    filo_free(gfx->allocator, image->frames, image->frame_count * sizeof *image->frames, FILO_CACHE_LINE);
    image->frames = NULL;
    image->frame_count = 0;
    image->present = false;
    gfx->generation++;
}

static bool set_frames(FiloGfx2d *gfx, Gfx2dImage *image, Gfx2dSpriteFrame *frames, size_t count) {
    gfx2d_frames_clear(gfx, image);
    image->frames = frames;
    image->frame_count = count;
    image->present = true;
    gfx->entries[image->name.id].frames = frames;
    gfx->entries[image->name.id].last = (uint16_t)(FILO_MIN(count, (size_t)UINT16_MAX + 1) - 1);
    return true;
}

bool gfx2d_frames_set(FiloGfx2d *gfx, Gfx2dImage *image, const FiloSheet *sheet, const Gfx2dPageSpot *spot) {
    size_t count = sheet != NULL && sheet->frame_count > 0 ? sheet->frame_count : 1;
    Gfx2dSpriteFrame *frames = filo_alloc(gfx->allocator, count * sizeof *frames, FILO_CACHE_LINE);
    if (frames == NULL) return false;
    for (size_t i = 0; i < count; i++) {
        Gfx2dFramePlace place = whole_place(spot);
        // A frame outside of its image, which may have become smaller, shows all of it.
        if (sheet != NULL && i < sheet->frame_count && frame_fits(spot, &sheet->frames[i]))
            place = sheet_place(spot, &sheet->frames[i], count);
        frames[i] = frame_of(gfx, place);
    }
    return set_frames(gfx, image, frames, count);
}

bool gfx2d_frames_set_target(FiloGfx2d *gfx, Gfx2dImage *image, uint16_t page, int width, int height) {
    Gfx2dSpriteFrame *frame = filo_alloc(gfx->allocator, sizeof *frame, FILO_CACHE_LINE);
    if (frame == NULL) return false;
    *frame =
        frame_of(gfx, whole_place(&(Gfx2dPageSpot){ 0, 0, (uint16_t)width, (uint16_t)height, page, true }));
    return set_frames(gfx, image, frame, 1);
}

// ---- Beginning and end --------------------------------------------------------------------------------------

#define STAND_IN 16 // pixels

// Magenta and black squares: nobody takes it for a picture of the game.
static FiloResult add_placeholder(FiloGfx2d *gfx) {
    FiloColor squares[STAND_IN * STAND_IN];
    for (int y = 0; y < STAND_IN; y++)
        for (int x = 0; x < STAND_IN; x++)
            squares[y * STAND_IN + x] =
                ((x ^ y) & 4) != 0 ? filo_color(255, 0, 255, 255) : filo_color(32, 0, 32, 255);
    FiloPixels pixels = { squares, STAND_IN, STAND_IN, STAND_IN };
    FiloResult result = gfx2d_pages_put(&gfx->pages, &pixels, "placeholder", &gfx->placeholder_spot);
    if (result.code != FILO_OK) return result;
    gfx->placeholder = gfx->unknown = frame_of(gfx, whole_place(&gfx->placeholder_spot));
    return filo_ok();
}

static FiloResult add_white(FiloGfx2d *gfx) {
    FiloColor white = FILO_COLOR_WHITE;
    FiloPixels pixels = { &white, 1, 1, 1 };
    FiloResult result = gfx2d_pages_put(&gfx->pages, &pixels, "white", &gfx->white_spot);
    if (result.code != FILO_OK) return result;
    gfx->white = frame_of(gfx, whole_place(&gfx->white_spot));
    // What sprites without an image show: no image at all, and one unit, not one pixel.
    gfx->box = (Gfx2dSpriteFrame){ .half_width = 0.5f,
                                   .half_height = 0.5f,
                                   .full_width = 1.0f,
                                   .full_height = 1.0f,
                                   .image_and_kind = (uint32_t)FILO_QUAD_BOX << 16 };
    return filo_ok();
}

FiloResult gfx2d_frames_init(FiloGfx2d *gfx) {
    gfx->images.allocator = gfx->allocator;
    FiloResult result = add_white(gfx);
    if (result.code == FILO_OK) result = add_placeholder(gfx);
    if (result.code != FILO_OK) return result;
    if (!gfx2d_frames_cover_names(gfx))
        return filo_error(FILO_ERROR_MEMORY, "no memory for the table of images");
    return filo_ok();
}

void gfx2d_frames_deinit(FiloGfx2d *gfx) {
    filo_array_each (&gfx->images, image)
        filo_free(gfx->allocator, image->frames, image->frame_count * sizeof *image->frames, FILO_CACHE_LINE);
    filo_array_deinit(&gfx->images);
    filo_free(gfx->allocator, gfx->entries, gfx->entry_count * sizeof *gfx->entries, 0);
}
