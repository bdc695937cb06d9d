// The table of images, by name, and their frames. See images.h.

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
        entries[i] = (Gfx2dImageEntry){ .frames = &gfx->unrequested };
    gfx->entries = entries;
    gfx->entry_count = count;
    gfx->entries[0].frames = &gfx->box;
    return true;
}

void gfx2d_frames_mark_requested(FiloGfx2d *gfx, FiloName name) {
    __atomic_store_n(&gfx->entries[name.id].requested, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&gfx->has_requests, true, __ATOMIC_RELAXED);
}

// ---- Regions -----------------------------------------------------------------------------------------------

static Gfx2dSpriteFrame sprite_frame(const FiloGfx2d *gfx, Gfx2dFrameRegion region) {
    float unit = gfx->units_per_pixel;
    return (Gfx2dSpriteFrame){
        .region = region,
        .half_width = region.trimmed_width * 0.5f * unit,
        .half_height = region.trimmed_height * 0.5f * unit,
        .centre_x = (region.left + region.trimmed_width * 0.5f - region.width * 0.5f) * unit,
        .centre_y = (region.height * 0.5f - region.top - region.trimmed_height * 0.5f) * unit,
        .full_width = region.width * unit,
        .full_height = region.height * unit,
        .image_and_kind = region.page | (uint32_t)FILO_QUAD_IMAGE << 16,
    };
}

static Gfx2dFrameRegion sheet_region(const Gfx2dPageSlot *slot, const FiloSheetFrame *frame) {
    return (Gfx2dFrameRegion){ .u0 = (uint16_t)(slot->x + frame->x),
                               .v0 = (uint16_t)(slot->y + frame->y),
                               .u1 = (uint16_t)(slot->x + frame->x + frame->width),
                               .v1 = (uint16_t)(slot->y + frame->y + frame->height),
                               .page = slot->page,
                               .width = frame->full_width,
                               .height = frame->full_height,
                               .left = frame->left,
                               .top = frame->top,
                               .trimmed_width = frame->width,
                               .trimmed_height = frame->height };
}

static Gfx2dFrameRegion whole_region(const Gfx2dPageSlot *slot) {
    return sheet_region(slot, &(FiloSheetFrame){ .width = slot->width,
                                                 .height = slot->height,
                                                 .full_width = slot->width,
                                                 .full_height = slot->height });
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

bool gfx2d_frames_set(FiloGfx2d *gfx, Gfx2dImage *image, const FiloSheet *sheet, const Gfx2dPageSlot *slot) {
    size_t count = sheet != NULL && sheet->frame_count > 0 ? sheet->frame_count : 1;
    Gfx2dSpriteFrame *frames = filo_alloc(gfx->allocator, count * sizeof *frames, FILO_CACHE_LINE);
    if (frames == NULL) return false;
    for (size_t i = 0; i < count; i++) {
        Gfx2dFrameRegion region = whole_region(slot);
        // A frame outside of its image, which may have become smaller, shows the whole image.
        const FiloSheetFrame *frame = sheet != NULL && i < sheet->frame_count ? &sheet->frames[i] : NULL;
        if (frame != NULL && frame->x + frame->width <= slot->width &&
            frame->y + frame->height <= slot->height)
            region = sheet_region(slot, frame);
        frames[i] = sprite_frame(gfx, region);
    }
    return set_frames(gfx, image, frames, count);
}

bool gfx2d_frames_set_target(FiloGfx2d *gfx, Gfx2dImage *image, uint16_t page, int width, int height) {
    Gfx2dSpriteFrame *frame = filo_alloc(gfx->allocator, sizeof *frame, FILO_CACHE_LINE);
    if (frame == NULL) return false;
    *frame = sprite_frame(
        gfx, whole_region(&(Gfx2dPageSlot){ 0, 0, (uint16_t)width, (uint16_t)height, page, true }));
    return set_frames(gfx, image, frame, 1);
}

// ---- Init and deinit ----------------------------------------------------------------------------------------

#define PLACEHOLDER_SIZE 16 // pixels

// Magenta and black squares, unlike any picture of a game.
static FiloResult add_placeholder(FiloGfx2d *gfx) {
    FiloColor squares[PLACEHOLDER_SIZE * PLACEHOLDER_SIZE];
    for (int y = 0; y < PLACEHOLDER_SIZE; y++)
        for (int x = 0; x < PLACEHOLDER_SIZE; x++)
            squares[y * PLACEHOLDER_SIZE + x] =
                ((x ^ y) & 4) != 0 ? filo_color(255, 0, 255, 255) : filo_color(32, 0, 32, 255);
    FiloPixels pixels = { squares, PLACEHOLDER_SIZE, PLACEHOLDER_SIZE, PLACEHOLDER_SIZE };
    FiloResult result = gfx2d_pages_add(&gfx->pages, &pixels, "placeholder", &gfx->placeholder_slot);
    if (result.code != FILO_OK) return result;
    gfx->placeholder = gfx->unrequested = sprite_frame(gfx, whole_region(&gfx->placeholder_slot));
    return filo_ok();
}

static FiloResult add_white(FiloGfx2d *gfx) {
    FiloColor white = FILO_COLOR_WHITE;
    FiloPixels pixels = { &white, 1, 1, 1 };
    FiloResult result = gfx2d_pages_add(&gfx->pages, &pixels, "white", &gfx->white_slot);
    if (result.code != FILO_OK) return result;
    gfx->white = sprite_frame(gfx, whole_region(&gfx->white_slot));
    // Sprites without an image are boxes of one unit.
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
