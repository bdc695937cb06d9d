// Sheets from inside: a file is read into a draft, off the main thread, and the draft becomes a sheet when the
// size of its image is known.

#ifndef FILO_ASSETS_SHEET_H
#define FILO_ASSETS_SHEET_H

#include <filo/containers.h>
#include <filo/sheet.h>

typedef struct AssetsSheetGrid {
    int width, height; // of a frame; 0: there is no grid
    int margin, spacing;
} AssetsSheetGrid;

typedef struct AssetsSheetMark { // an event at a frame
    uint32_t frame;
    FiloName event;
} AssetsSheetMark;

// The data of an asset of type "sheet". The sheet stands first, because it is all that others see.
typedef struct AssetsSheetDraft {
    FiloSheet sheet;
    AssetsSheetGrid grid;
    FiloArray(FiloSheetFrame) frames;
    FiloArray(FiloSheetClip) clips;
    FiloArray(AssetsSheetMark) marks;
    FiloNameBatch names; // of frames, clips and events: they stay when the sheet is complete
    char image[1024];    // its name as the file has it
} AssetsSheetDraft;

extern const FiloImageAsset assets_image_placeholder;

// Reads a file into a draft of zeroes; what was read so far is freed by assets_sheet_draft_clear, on failure too.
FiloResult assets_sheet_read(AssetsSheetDraft *draft, const char *text, size_t length, const char *name,
                             const FiloAllocator *allocator);
void assets_sheet_draft_clear(AssetsSheetDraft *draft);
// Makes draft->sheet. `width` and `height` of the image; 0: not known.
FiloResult assets_sheet_complete(AssetsSheetDraft *draft, int width, int height, const char *name,
                                 const FiloAllocator *allocator);

// Room for so many frames and clips, zeroed. False without memory.
bool assets_sheet_allocate(FiloSheet *sheet, size_t frames, size_t clips, const FiloAllocator *allocator);
// How many frames of a grid an image has.
size_t assets_sheet_grid_frames(const AssetsSheetGrid *grid, int width, int height);
// Fills all frames of a sheet that was allocated for so many.
void assets_sheet_fill_grid(FiloSheet *sheet, const AssetsSheetGrid *grid, int width);

#endif
