// Images: requested when a sprite first shows them, copied to pages when they are loaded, updated when they change.
//
// The assets call `upload` with the pixels of every image that they load; FiloGfx2d.pictures has the slot of each. The
// frames of a name follow from its sheet and from the slot of the sheet's image. Both have versions, which are compared
// once a frame: that is how a reload changes the picture.
//
// An asset that the game has loaded is not retained, so it disappears when the game unloads it. An asset that the
// renderer has loaded is retained until the renderer is destroyed.

#include "gfx2d/renderer.h"

#include <filo/log.h>

#include "gfx2d/draw/font.h"

// Frees a slot in the next extraction, when no packet shows it any more.
static void retire(FiloGfx2d *gfx, Gfx2dPageSlot *slot) {
    // Without memory for the list, the slot is lost until the renderer is destroyed.
    if (slot->taken) (void)filo_array_push(&gfx->retired, *slot);
    *slot = (Gfx2dPageSlot){ 0 };
}

static FiloResult upload(FiloAssets *assets, FiloAsset asset, void *data, const void *old, void *user) {
    FILO_UNUSED(old);
    FiloGfx2d *gfx = user;
    const FiloImageAsset *image = data;
    Gfx2dPageSlot slot;
    FiloResult result = gfx2d_pages_add(&gfx->pages, &image->pixels, filo_asset_name(assets, asset), &slot);
    if (result.code != FILO_OK) return result;
    Gfx2dPageSlot *current = filo_map_put(&gfx->pictures, asset.id);
    if (current == NULL) {
        gfx2d_pages_free_slot(&gfx->pages, &slot);
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory to note its slot on a page",
                          filo_asset_name(assets, asset));
    }
    retire(gfx, current);
    *current = slot;
    return filo_ok();
}

static void release(FiloAssets *assets, FiloAsset asset, void *data, void *user) {
    FILO_UNUSED(assets);
    FILO_UNUSED(data);
    FiloGfx2d *gfx = user;
    Gfx2dPageSlot *slot = filo_map_get(&gfx->pictures, asset.id);
    if (slot == NULL) return;
    retire(gfx, slot);
    filo_map_remove(&gfx->pictures, asset.id);
}

// ---- Requests -----------------------------------------------------------------------------------------------

static void update_image(FiloGfx2d *gfx, Gfx2dImage *image);

// True if the image is loaded already.
static bool request(FiloGfx2d *gfx, FiloName name) {
    Gfx2dImage *image = gfx2d_frames_image(gfx, name);
    if (image == NULL || gfx->assets == NULL || image->asset.id != 0 || image->present) return false;
    image->asset = filo_assets_find(gfx->assets, name);
    image->retained = image->asset.id == 0;
    if (image->retained) image->asset = filo_assets_load(gfx->assets, filo_name_text(name));
    image->version = image->picture_version = 0;
    gfx->entries[name.id].frames = &gfx->placeholder;
    if (image->asset.id != 0) update_image(gfx, image);
    return image->present;
}

bool gfx2d_images_load_requested(FiloGfx2d *gfx) {
    if (!gfx->has_requests) return false;
    gfx->has_requests = false;
    bool any = false;
    for (uint32_t i = 1; i < gfx->entry_count; i++) {
        if (gfx->entries[i].requested == 0) continue;
        gfx->entries[i].requested = 0;
        any |= request(gfx, (FiloName){ i });
    }
    return any;
}

const Gfx2dFrameRegion *gfx2d_frame(FiloGfx2d *gfx, FiloName image, unsigned frame) {
    if (image.id == 0) return &gfx->white.region;
    if (!gfx2d_frames_cover_names(gfx)) return &gfx->placeholder.region;
    if (gfx->entries[image.id].frames == &gfx->unrequested) request(gfx, image);
    return &gfx2d_frames_find(gfx, image, frame)->region;
}

float gfx2d_pixels_per_unit(const FiloGfx2d *gfx) { return gfx->pixels_per_unit; }

float filo_gfx2d_pixels_per_unit(const FiloGfx2d *gfx) {
    return FILO_CHECK(gfx != NULL, "pass a renderer") ? gfx->pixels_per_unit : 1.0f;
}

// ---- Updates --------------------------------------------------------------------------------------------------

// The slot of an image asset; NULL if it has none. An asset that was ready before the renderer existed gets one now.
static const Gfx2dPageSlot *slot_of(FiloGfx2d *gfx, FiloAsset picture) {
    const Gfx2dPageSlot *found = filo_map_get(&gfx->pictures, picture.id);
    if (found != NULL || filo_asset_state(gfx->assets, picture) != FILO_ASSET_READY) return found;
    const FiloImageAsset *data = filo_asset_data(gfx->assets, picture);
    Gfx2dPageSlot slot;
    FiloResult result =
        gfx2d_pages_add(&gfx->pages, &data->pixels, filo_asset_name(gfx->assets, picture), &slot);
    if (result.code != FILO_OK) {
        filo_log_warn("gfx2d", "%s", result.message);
        return NULL;
    }
    if (!filo_map_set(&gfx->pictures, picture.id, &slot)) {
        gfx2d_pages_free_slot(&gfx->pages, &slot);
        return NULL;
    }
    return filo_map_get(&gfx->pictures, picture.id);
}

static void resolve(FiloGfx2d *gfx, Gfx2dImage *image) {
    const char *type = filo_asset_type(gfx->assets, image->asset);
    if (type == NULL || (strcmp(type, "image") != 0 && strcmp(type, "sheet") != 0)) {
        filo_log_warn("gfx2d", "%s: a sprite shows it, but it is no image and no sheet",
                      filo_name_text(image->name));
        return;
    }
    image->picture = filo_asset_sheet_image(gfx->assets, image->asset);
    image->picture_version = filo_asset_version(gfx->assets, image->picture);
    const Gfx2dPageSlot *slot = slot_of(gfx, image->picture);
    if (slot == NULL || !gfx2d_frames_set(gfx, image, filo_asset_sheet(gfx->assets, image->asset), slot))
        gfx2d_frames_clear(gfx, image);
}

static void update_image(FiloGfx2d *gfx, Gfx2dImage *image) {
    if (filo_asset_state(gfx->assets, image->asset) == FILO_ASSET_NONE) {
        // It was unloaded. If a sprite still shows it, it is requested again.
        gfx2d_frames_clear(gfx, image);
        image->asset = image->picture = (FiloAsset){ 0 };
        image->retained = false;
        gfx->entries[image->name.id].frames = &gfx->unrequested;
        return;
    }
    uint32_t version = filo_asset_version(gfx->assets, image->asset);
    bool picture_changed =
        image->picture.id != 0 && filo_asset_version(gfx->assets, image->picture) != image->picture_version;
    if (version == image->version && !picture_changed) return;
    image->version = version;
    if (version != 0) resolve(gfx, image);
}

void gfx2d_images_update(FiloGfx2d *gfx) {
    filo_array_each (&gfx->retired, slot) gfx2d_pages_free_slot(&gfx->pages, slot);
    filo_array_clear(&gfx->retired);
    if (gfx->assets == NULL) return;
    for (size_t i = 0; i < gfx->images.count; i++)
        if (gfx->images.items[i].asset.id != 0) update_image(gfx, &gfx->images.items[i]);
}

FiloResult filo_gfx2d_add_image(FiloGfx2d *gfx, FiloName name, const FiloPixels *pixels) {
    if (gfx == NULL || pixels == NULL || name.id == 0)
        return FILO_MISTAKE("pass a renderer, a name and pixels");
    Gfx2dPageSlot slot;
    FiloResult result = gfx2d_pages_add(&gfx->pages, pixels, filo_name_text(name), &slot);
    if (result.code != FILO_OK) return result;
    Gfx2dImage *image = gfx2d_frames_image(gfx, name);
    if (image == NULL || !gfx2d_frames_set(gfx, image, NULL, &slot)) {
        gfx2d_pages_free_slot(&gfx->pages, &slot);
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory for its frame", filo_name_text(name));
    }
    retire(gfx, &image->slot);
    image->slot = slot;
    if (image->retained) filo_assets_unload(gfx->assets, image->asset);
    image->asset = image->picture = (FiloAsset){ 0 };
    image->retained = false;
    return filo_ok();
}

// ---- Regions without a name ---------------------------------------------------------------------------------

FiloResult filo_gfx2d_region_add(FiloAtlasRegion *region, FiloGfx2d *gfx, const FiloPixels *pixels) {
    if (region != NULL) *region = (FiloAtlasRegion){ 0 };
    if (region == NULL || gfx == NULL || pixels == NULL)
        return FILO_MISTAKE("pass where the region goes, a renderer and pixels");
    Gfx2dPageSlot slot;
    FiloResult result = gfx2d_pages_add(&gfx->pages, pixels, "region", &slot);
    if (result.code != FILO_OK) return result;
    *region = (FiloAtlasRegion){ slot.x, slot.y, (uint16_t)(slot.x + slot.width),
                                 (uint16_t)(slot.y + slot.height), slot.page };
    return result;
}

void filo_gfx2d_region_free(FiloGfx2d *gfx, FiloAtlasRegion *region) {
    if (!FILO_CHECK(gfx != NULL && region != NULL, "pass a renderer and a region")) return;
    if (region->u1 == 0) return;
    Gfx2dPageSlot slot = {
        region->u0,   region->v0, (uint16_t)(region->u1 - region->u0), (uint16_t)(region->v1 - region->v0),
        region->page, true
    };
    retire(gfx, &slot);
    *region = (FiloAtlasRegion){ 0 };
}

FiloImageRegion filo_gfx2d_image_region(FiloGfx2d *gfx, FiloName image, int frame) {
    if (!FILO_CHECK(gfx != NULL, "pass a renderer") ||
        !FILO_CHECK(frame >= 0, "frames count from 0; this one is %d", frame))
        return (FiloImageRegion){ 0 };
    const Gfx2dFrameRegion *r = gfx2d_frame(gfx, image, (unsigned)frame);
    return (FiloImageRegion){ .region = { r->u0, r->v0, r->u1, r->v1, r->page },
                              .size = { r->width, r->height },
                              .part = filo_rect_from_size(filo_vec2(r->left, r->top),
                                                          filo_vec2(r->trimmed_width, r->trimmed_height)) };
}

FiloAtlasRegion filo_gfx2d_letter(FiloGfx2d *gfx, uint32_t character) {
    if (!FILO_CHECK(gfx != NULL, "pass a renderer")) return (FiloAtlasRegion){ 0 };
    const Gfx2dFrameRegion *font = gfx2d_frame(gfx, filo_name(GFX2D_FONT_IMAGE), 0);
    unsigned letter = gfx2d_font_letter(character);
    uint16_t u = (uint16_t)(font->u0 + letter % GFX2D_FONT_COLUMNS * GFX2D_FONT_WIDTH);
    uint16_t v = (uint16_t)(font->v0 + letter / GFX2D_FONT_COLUMNS * GFX2D_FONT_HEIGHT);
    return (FiloAtlasRegion){ u, v, (uint16_t)(u + GFX2D_FONT_WIDTH), (uint16_t)(v + GFX2D_FONT_HEIGHT),
                              font->page };
}

uint32_t filo_gfx2d_generation(const FiloGfx2d *gfx) {
    return FILO_CHECK(gfx != NULL, "pass a renderer") ? gfx->generation : 0;
}

// ---- Init and deinit ----------------------------------------------------------------------------------------

FiloResult gfx2d_images_init(FiloGfx2d *gfx) {
    FiloPixels font;
    if (!gfx2d_font_pixels(&font, gfx->allocator))
        return filo_error(FILO_ERROR_MEMORY, "no memory for the built-in font");
    FiloResult result = filo_gfx2d_add_image(gfx, filo_name(GFX2D_FONT_IMAGE), &font);
    filo_pixels_free(&font, gfx->allocator);
    if (result.code != FILO_OK || gfx->assets == NULL) return result;
    return filo_assets_set_upload(gfx->assets, "image", upload, release, gfx);
}

void gfx2d_images_deinit(FiloGfx2d *gfx) {
    if (gfx->assets != NULL) {
        (void)filo_assets_set_upload(gfx->assets, "image", NULL, NULL, NULL);
        filo_array_each (&gfx->images, image)
            if (image->retained) filo_assets_unload(gfx->assets, image->asset);
    }
    filo_map_deinit(&gfx->pictures);
    filo_array_deinit(&gfx->retired);
}
