// The private parts of sheets. A worker reads a file into a draft; the main thread completes the sheet when its image
// is loaded, because that needs the size of the image.

#ifndef FILO_ASSETS_SHEET_H
#define FILO_ASSETS_SHEET_H

#include <filo/containers.h>
#include <filo/sheet.h>

typedef struct AssetsSheetGrid {
    int width, height; // of a frame; 0: there is no grid
    int margin, spacing;
} AssetsSheetGrid;

typedef struct AssetsSheetEvent {
    uint32_t frame;
    FiloName name;
} AssetsSheetEvent;

// The data of an asset of type "sheet". The sheet is the first member, because users of the data see a FiloSheet.
typedef struct AssetsSheetDraft {
    FiloSheet sheet;
    AssetsSheetGrid grid;
    FiloArray(FiloSheetFrame) frames;
    FiloArray(FiloSheetClip) clips;
    FiloArray(AssetsSheetEvent) events;
    FiloNameBatch names; // of frames, clips and events: permanent once the sheet is complete
    char image[1024];    // name of the image, as in the file
} AssetsSheetDraft;

extern const FiloImageAsset assets_image_placeholder;

// Reads a file into a draft of zeroes. Free the draft by assets_sheet_draft_clear, also on failure.
FiloResult assets_sheet_read(AssetsSheetDraft *draft, const char *text, size_t length, const char *name,
                             const FiloAllocator *allocator);
void assets_sheet_draft_clear(AssetsSheetDraft *draft);
// Makes draft->sheet. `width` and `height` are those of the image; 0: unknown.
FiloResult assets_sheet_complete(AssetsSheetDraft *draft, int width, int height, const char *name,
                                 const FiloAllocator *allocator);

// Allocates zeroed frames and clips. False without memory.
bool assets_sheet_allocate(FiloSheet *sheet, size_t frames, size_t clips, const FiloAllocator *allocator);
// Number of frames of the grid that fit into an image.
size_t assets_sheet_count_grid_frames(const AssetsSheetGrid *grid, int width, int height);
// Warns, once, if frames of the grid do not fill the image.
void assets_sheet_check_grid(const AssetsSheetGrid *grid, int width, int height, const char *name);
// Fills in all frames of a sheet.
void assets_sheet_fill_grid(FiloSheet *sheet, const AssetsSheetGrid *grid, int width);

#endif
