// Sheets: memory, frames on a grid, and assets of type "sheet".

#include <filo/check.h>
#include <filo/log.h>

#include "assets/assets.h"
#include "assets/sheets/sheet.h"
#include "base/suggest.h"

#include <string.h>

#define GRID_SECONDS 0.1f // duration of a frame of a grid

// ---- Memory ---------------------------------------------------------------------------------------------

bool assets_sheet_allocate(FiloSheet *sheet, size_t frames, size_t clips, const FiloAllocator *allocator) {
    *sheet = (FiloSheet){ .image = sheet->image };
    FiloSheetFrame *frame_memory = filo_alloc_zero(allocator, frames * sizeof(FiloSheetFrame), 0);
    FiloSheetClip *clip_memory =
        clips > 0 ? filo_alloc_zero(allocator, clips * sizeof(FiloSheetClip), 0) : NULL;
    if (frame_memory == NULL || (clips > 0 && clip_memory == NULL)) {
        filo_free(allocator, frame_memory, frames * sizeof(FiloSheetFrame), 0);
        filo_free(allocator, clip_memory, clips * sizeof(FiloSheetClip), 0);
        return false;
    }
    sheet->frames = frame_memory;
    sheet->frame_count = frames;
    sheet->clips = clip_memory;
    sheet->clip_count = clips;
    return true;
}

void filo_sheet_free(FiloSheet *sheet, const FiloAllocator *allocator) {
    filo_free(allocator, (void *)sheet->frames, sheet->frame_count * sizeof(FiloSheetFrame), 0);
    filo_free(allocator, (void *)sheet->clips, sheet->clip_count * sizeof(FiloSheetClip), 0);
    *sheet = (FiloSheet){ 0 };
}

void assets_sheet_draft_clear(AssetsSheetDraft *draft) {
    filo_array_deinit(&draft->frames);
    filo_array_deinit(&draft->clips);
    filo_array_deinit(&draft->events);
    filo_name_batch_end(&draft->names, false);
}

// ---- Grids ----------------------------------------------------------------------------------------------

// Number of frames in a length, with a margin at both ends and spacing between frames.
static int frames_along(int length, int frame, int margin, int spacing) {
    int64_t available = (int64_t)length - 2 * (int64_t)margin + spacing;
    return available >= (int64_t)frame + spacing ? (int)(available / ((int64_t)frame + spacing)) : 0;
}

size_t assets_sheet_count_grid_frames(const AssetsSheetGrid *grid, int width, int height) {
    return (size_t)frames_along(width, grid->width, grid->margin, grid->spacing) *
           (size_t)frames_along(height, grid->height, grid->margin, grid->spacing);
}

// Pixels of a length, apart from the margin at its end, that belong to no frame.
static int left_along(int length, int frame, int margin, int spacing) {
    int frames = frames_along(length, frame, margin, spacing);
    return length - 2 * margin + spacing - frames * (frame + spacing);
}

void assets_sheet_check_grid(const AssetsSheetGrid *grid, int width, int height, const char *name) {
    int right = left_along(width, grid->width, grid->margin, grid->spacing),
        bottom = left_along(height, grid->height, grid->margin, grid->spacing);
    if ((right > 0 || bottom > 0) && base_first_time("grid of a sheet", filo_string(name)))
        filo_log_warn("assets",
                      "%s: frames of %d x %d pixels do not divide the image of %d x %d: %d columns and %d "
                      "rows of pixels are in no frame",
                      name, grid->width, grid->height, width, height, right, bottom);
}

void assets_sheet_fill_grid(FiloSheet *sheet, const AssetsSheetGrid *grid, int width) {
    size_t columns = (size_t)frames_along(width, grid->width, grid->margin, grid->spacing);
    FiloSheetFrame *frames = (FiloSheetFrame *)sheet->frames;
    for (size_t i = 0; columns > 0 && i < sheet->frame_count; i++) {
        size_t column = i % columns, row = i / columns;
        frames[i] = (FiloSheetFrame){
            .x = (uint16_t)((size_t)grid->margin + column * (size_t)(grid->width + grid->spacing)),
            .y = (uint16_t)((size_t)grid->margin + row * (size_t)(grid->height + grid->spacing)),
            .width = (uint16_t)grid->width,
            .height = (uint16_t)grid->height,
            .full_width = (uint16_t)grid->width,
            .full_height = (uint16_t)grid->height,
            .seconds = GRID_SECONDS,
        };
    }
}

// ---- From a draft to a sheet ----------------------------------------------------------------------------

static FiloResult check_frames(const AssetsSheetDraft *draft, int width, int height, const char *name) {
    for (size_t i = 0; width > 0 && i < draft->frames.count; i++) {
        const FiloSheetFrame *frame = &draft->frames.items[i];
        if (frame->x + frame->width > width || frame->y + frame->height > height)
            return filo_error(FILO_ERROR_DATA,
                              "%s: frame %zu lies outside of the image, which has %d x %d pixels", name, i,
                              width, height);
    }
    return filo_ok();
}

static FiloResult count_frames(const AssetsSheetDraft *draft, int width, int height, const char *name,
                               size_t *count) {
    const AssetsSheetGrid *grid = &draft->grid;
    *count = draft->frames.count;
    if (grid->width == 0 && *count == 0) return filo_error(FILO_ERROR_DATA, "%s: there are no frames", name);
    if (grid->width == 0) return check_frames(draft, width, height, name);
    if (width <= 0 || height <= 0)
        return filo_error(FILO_ERROR_ARGUMENT, "%s: a grid needs the size of its image", name);
    *count = assets_sheet_count_grid_frames(grid, width, height);
    if (*count == 0)
        return filo_error(FILO_ERROR_DATA,
                          "%s: the image of %d x %d pixels has no room for a frame of %d x %d", name, width,
                          height, grid->width, grid->height);
    if (*count > FILO_SHEET_MAX)
        return filo_error(FILO_ERROR_LIMIT, "%s: %zu frames; a sheet has at most %d", name, *count,
                          FILO_SHEET_MAX);
    assets_sheet_check_grid(grid, width, height, name);
    return filo_ok();
}

static FiloResult check_references(const AssetsSheetDraft *draft, size_t frame_count, const char *name) {
    filo_array_each (&draft->clips, clip) {
        if (FILO_MAX(clip->from, clip->to) >= frame_count)
            return filo_error(FILO_ERROR_DATA,
                              "%s: clip \"%s\" goes to frame %d, but there are only %zu frames", name,
                              filo_name_text(clip->name), FILO_MAX(clip->from, clip->to), frame_count);
    }
    filo_array_each (&draft->events, event) {
        if (event->frame >= frame_count)
            return filo_error(FILO_ERROR_DATA,
                              "%s: event \"%s\" is at frame %u, but there are only %zu frames", name,
                              filo_name_text(event->name), event->frame, frame_count);
    }
    return filo_ok();
}

FiloResult assets_sheet_complete(AssetsSheetDraft *draft, int width, int height, const char *name,
                                 const FiloAllocator *allocator) {
    size_t count;
    FiloResult result = count_frames(draft, width, height, name, &count);
    if (result.code == FILO_OK) result = check_references(draft, count, name);
    if (result.code != FILO_OK) return result;
    FiloSheet *sheet = &draft->sheet;
    if (!assets_sheet_allocate(sheet, count, draft->clips.count, allocator))
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory for its frames", name);
    FiloSheetFrame *frames = (FiloSheetFrame *)sheet->frames;
    if (draft->grid.width > 0)
        assets_sheet_fill_grid(sheet, &draft->grid, width);
    else
        memcpy(frames, draft->frames.items, count * sizeof *frames);
    if (draft->clips.count > 0)
        memcpy((void *)sheet->clips, draft->clips.items, draft->clips.count * sizeof *sheet->clips);
    filo_array_each (&draft->events, event) frames[event->frame].event = event->name;
    filo_name_batch_end(&draft->names, true);
    return filo_ok();
}

FiloResult filo_sheet_decode(FiloSheet *sheet, char *image, size_t image_size, int width, int height,
                             const char *text, size_t length, const char *name,
                             const FiloAllocator *allocator) {
    *sheet = (FiloSheet){ 0 };
    if (image != NULL && image_size > 0) image[0] = '\0';
    if (name == NULL) name = "sheet";
    AssetsSheetDraft draft = { 0 };
    FiloResult result = assets_sheet_read(&draft, text, length, name, allocator);
    if (result.code == FILO_OK) result = assets_sheet_complete(&draft, width, height, name, allocator);
    if (result.code == FILO_OK) {
        *sheet = draft.sheet;
        if (image != NULL) filo_string_copy(filo_string(draft.image), image, image_size);
    }
    assets_sheet_draft_clear(&draft);
    return result;
}

// ---- As assets ------------------------------------------------------------------------------------------

static void free_sheet(void *data, const FiloAllocator *allocator, void *user) {
    FILO_UNUSED(user);
    AssetsSheetDraft *draft = data;
    filo_sheet_free(&draft->sheet, allocator);
    assets_sheet_draft_clear(draft);
    filo_free(allocator, draft, sizeof *draft, 0);
}

static size_t sheet_size(const void *data, void *user) {
    FILO_UNUSED(user);
    const FiloSheet *sheet = data;
    return sizeof(AssetsSheetDraft) + sheet->frame_count * sizeof(FiloSheetFrame) +
           sheet->clip_count * sizeof(FiloSheetClip);
}

// The path of the image is relative to the folder of the sheet.
static FiloResult depend_on_image(const FiloAssetBytes *bytes, AssetsSheetDraft *draft) {
    char path[FILO_PATH_SIZE];
    if (!filo_path_folder(path, sizeof path, bytes->name) ||
        !filo_path_join(path, sizeof path, path, draft->image))
        return filo_error(FILO_ERROR_LIMIT, "%s: the path of its image is too long", bytes->name);
    draft->sheet.image = filo_assets_depend(bytes->assets, bytes->asset, path);
    if (draft->sheet.image.id == 0)
        return filo_error(FILO_ERROR_DATA, "%s: its image \"%s\" cannot be loaded", bytes->name,
                          draft->image);
    return filo_ok();
}

static FiloResult decode_sheet(const FiloAssetBytes *bytes, void **data, void *user) {
    FILO_UNUSED(user);
    AssetsSheetDraft *draft = filo_alloc_zero(bytes->allocator, sizeof *draft, 0);
    if (draft == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory", bytes->name);
    FiloResult result = assets_sheet_read(draft, bytes->bytes, bytes->size, bytes->name, bytes->allocator);
    if (result.code == FILO_OK) result = depend_on_image(bytes, draft);
    if (result.code == FILO_OK)
        *data = draft;
    else
        free_sheet(draft, bytes->allocator, NULL);
    return result;
}

static FiloResult finish_sheet(FiloAssets *assets, FiloAsset asset, void *data, void *user) {
    FILO_UNUSED(user);
    AssetsSheetDraft *draft = data;
    const char *name = filo_asset_name(assets, asset);
    // A sheet of filo_assets_add is complete, and has its image.
    if (draft->sheet.frames != NULL) return filo_ok();
    if (strcmp(filo_asset_type(assets, draft->sheet.image), "image") != 0)
        return filo_error(FILO_ERROR_DATA, "%s: \"%s\" is not an image", name, draft->image);
    const FiloImageAsset *image = filo_asset_data(assets, draft->sheet.image);
    FiloResult result =
        assets_sheet_complete(draft, image->pixels.width, image->pixels.height, name, assets->allocator);
    assets_sheet_draft_clear(draft);
    return result;
}

FiloAssetType assets_sheet_type(void) {
    return (FiloAssetType){ .name = "sheet",
                            .decode = decode_sheet,
                            .finish = finish_sheet,
                            .free = free_sheet,
                            .size = sheet_size,
                            .placeholder = &assets_image_placeholder.sheet };
}

// Compares kinds, not names of types, because animations call this for every sprite.
const FiloSheet *filo_asset_sheet(const FiloAssets *assets, FiloAsset asset) {
    const AssetsRecord *record = assets_record(assets, asset);
    if (record == NULL || record->data == NULL) return &assets_image_placeholder.sheet;
    if (record->kind == &assets->kinds[ASSETS_KIND_IMAGE])
        return &((const FiloImageAsset *)record->data)->sheet;
    if (record->kind == &assets->kinds[ASSETS_KIND_SHEET]) return record->data;
    return &assets_image_placeholder.sheet;
}

FiloAsset filo_asset_sheet_image(const FiloAssets *assets, FiloAsset asset) {
    const AssetsRecord *record = assets_record(assets, asset);
    if (record != NULL && record->kind == &assets->kinds[ASSETS_KIND_IMAGE]) return asset;
    return filo_asset_sheet(assets, asset)->image;
}

// ---- Queries --------------------------------------------------------------------------------------------

int filo_sheet_clip(const FiloSheet *sheet, FiloName name) {
    for (size_t i = 0; name.id != 0 && i < sheet->clip_count; i++)
        if (sheet->clips[i].name.id == name.id) return (int)i;
    return -1;
}

int filo_sheet_frame(const FiloSheet *sheet, FiloName name) {
    for (size_t i = 0; name.id != 0 && i < sheet->frame_count; i++)
        if (sheet->frames[i].name.id == name.id) return (int)i;
    return -1;
}
