// Images: asked for when they are first seen, put on pages when they come, looked at again when they change.
//
// The assets call `upload` with the pixels of every image that they load; where those lie is kept by asset. The
// frames of a name follow from its sheet and from where the sheet's image lies. Both have versions, which are
// compared once a frame: that is how a reload reaches the picture.
//
// An image that somebody else has loaded is not counted again, so it goes when they unload it; what the
// renderer asked for by itself stays until the renderer goes.

#include "gfx2d/renderer.h"

#include <filo/log.h>

// Given back when nothing in flight can show it any more.
static void retire(FiloGfx2d *gfx, Gfx2dPageSpot *spot) {
    // Without memory to note it, its room is lost until the renderer goes.
    if (spot->taken) (void)filo_array_push(&gfx->retired, *spot);
    *spot = (Gfx2dPageSpot){ 0 };
}

static FiloResult upload(FiloAssets *assets, FiloAsset asset, void *data, const void *old, void *user) {
    FILO_UNUSED(old);
    FiloGfx2d *gfx = user;
    const FiloImageAsset *image = data;
    Gfx2dPageSpot spot;
    FiloResult result = gfx2d_pages_put(&gfx->pages, &image->pixels, filo_asset_name(assets, asset), &spot);
    if (result.code != FILO_OK) return result;
    Gfx2dPageSpot *kept = filo_map_put(&gfx->pictures, asset.id);
    if (kept == NULL) {
        gfx2d_pages_take_back(&gfx->pages, &spot);
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory to remember where it lies",
                          filo_asset_name(assets, asset));
    }
    retire(gfx, kept);
    *kept = spot;
    return filo_ok();
}

static void release(FiloAssets *assets, FiloAsset asset, void *data, void *user) {
    FILO_UNUSED(assets);
    FILO_UNUSED(data);
    FiloGfx2d *gfx = user;
    Gfx2dPageSpot *kept = filo_map_get(&gfx->pictures, asset.id);
    if (kept == NULL) return;
    retire(gfx, kept);
    filo_map_remove(&gfx->pictures, asset.id);
}

// ---- Asking -------------------------------------------------------------------------------------------------

static void update_image(FiloGfx2d *gfx, Gfx2dImage *image);

// True if it is there already.
static bool request(FiloGfx2d *gfx, FiloName name) {
    Gfx2dImage *image = gfx2d_frames_image(gfx, name);
    if (image == NULL || gfx->assets == NULL || image->asset.id != 0 || image->present) return false;
    image->asset = filo_assets_find(gfx->assets, name);
    image->counted = image->asset.id == 0;
    if (image->counted) image->asset = filo_assets_load(gfx->assets, filo_name_text(name));
    image->version = image->picture_version = 0;
    gfx->entries[name.id].frames = &gfx->placeholder;
    if (image->asset.id != 0) update_image(gfx, image);
    return image->present;
}

bool gfx2d_images_request(FiloGfx2d *gfx) {
    if (!gfx->wants) return false;
    gfx->wants = false;
    bool any = false;
    for (uint32_t i = 1; i < gfx->entry_count; i++) {
        if (gfx->entries[i].wanted == 0) continue;
        gfx->entries[i].wanted = 0;
        any |= request(gfx, (FiloName){ i });
    }
    return any;
}

const Gfx2dFramePlace *gfx2d_frame(FiloGfx2d *gfx, FiloName image, unsigned frame) {
    if (image.id == 0) return &gfx->white.place;
    if (!gfx2d_frames_cover_names(gfx)) return &gfx->placeholder.place;
    if (gfx->entries[image.id].frames == &gfx->unknown) request(gfx, image);
    return &gfx2d_frames_find(gfx, image, frame)->place;
}

float gfx2d_pixels_per_unit(const FiloGfx2d *gfx) { return gfx->pixels_per_unit; }

// ---- Coming and going -----------------------------------------------------------------------------------------

// Where the pixels of an image asset lie; NULL if they are not on a page. One that was ready before the
// renderer came is put there now.
static const Gfx2dPageSpot *spot_of(FiloGfx2d *gfx, FiloAsset picture) {
    const Gfx2dPageSpot *spot = filo_map_get(&gfx->pictures, picture.id);
    if (spot != NULL || filo_asset_state(gfx->assets, picture) != FILO_ASSET_READY) return spot;
    const FiloImageAsset *data = filo_asset_data(gfx->assets, picture);
    Gfx2dPageSpot fresh;
    FiloResult result =
        gfx2d_pages_put(&gfx->pages, &data->pixels, filo_asset_name(gfx->assets, picture), &fresh);
    if (result.code != FILO_OK) {
        filo_log_warn("gfx2d", "%s", result.message);
        return NULL;
    }
    if (!filo_map_set(&gfx->pictures, picture.id, &fresh)) {
        gfx2d_pages_take_back(&gfx->pages, &fresh);
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
    const Gfx2dPageSpot *spot = spot_of(gfx, image->picture);
    if (spot == NULL || !gfx2d_frames_set(gfx, image, filo_asset_sheet(gfx->assets, image->asset), spot))
        gfx2d_frames_clear(gfx, image);
}

static void update_image(FiloGfx2d *gfx, Gfx2dImage *image) {
    if (filo_asset_state(gfx->assets, image->asset) == FILO_ASSET_NONE) {
        // It has gone. If it is seen again, it is asked for again.
        gfx2d_frames_clear(gfx, image);
        image->asset = image->picture = (FiloAsset){ 0 };
        image->counted = false;
        gfx->entries[image->name.id].frames = &gfx->unknown;
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
    filo_array_each (&gfx->retired, spot) gfx2d_pages_take_back(&gfx->pages, spot);
    filo_array_clear(&gfx->retired);
    if (gfx->assets == NULL) return;
    for (size_t i = 0; i < gfx->images.count; i++)
        if (gfx->images.items[i].asset.id != 0) update_image(gfx, &gfx->images.items[i]);
}

FiloResult filo_gfx2d_add_image(FiloGfx2d *gfx, FiloName name, const FiloPixels *pixels) {
    if (gfx == NULL || pixels == NULL || name.id == 0)
        return FILO_MISTAKE("pass a renderer, a name and pixels");
    Gfx2dPageSpot spot;
    FiloResult result = gfx2d_pages_put(&gfx->pages, pixels, filo_name_text(name), &spot);
    if (result.code != FILO_OK) return result;
    Gfx2dImage *image = gfx2d_frames_image(gfx, name);
    if (image == NULL || !gfx2d_frames_set(gfx, image, NULL, &spot)) {
        gfx2d_pages_take_back(&gfx->pages, &spot);
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory for its frame", filo_name_text(name));
    }
    retire(gfx, &image->spot);
    image->spot = spot;
    if (image->counted) filo_assets_unload(gfx->assets, image->asset);
    image->asset = image->picture = (FiloAsset){ 0 };
    image->counted = false;
    return filo_ok();
}

// ---- Beginning and end --------------------------------------------------------------------------------------

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
            if (image->counted) filo_assets_unload(gfx->assets, image->asset);
    }
    filo_map_deinit(&gfx->pictures);
    filo_array_deinit(&gfx->retired);
}
