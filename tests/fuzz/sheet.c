// Any bytes as a sheet: it is refused with a message, or its frames are inside the image and its clips inside the
// frames.

#include <filo/sheet.h>

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const FiloSheet *sheet, int width, int height) {
    if (sheet->frame_count == 0 || sheet->frame_count > FILO_SHEET_MAX) abort();
    for (size_t i = 0; i < sheet->frame_count; i++) {
        const FiloSheetFrame *frame = &sheet->frames[i];
        if (frame->width == 0 || frame->height == 0 || frame->full_width == 0) abort();
        if (frame->x + frame->width > width || frame->y + frame->height > height) abort();
        if (!(frame->seconds >= 0)) abort();
    }
    for (size_t i = 0; i < sheet->clip_count; i++) {
        const FiloSheetClip *clip = &sheet->clips[i];
        if (clip->from >= sheet->frame_count || clip->to >= sheet->frame_count || !(clip->fps >= 0)) abort();
        if (filo_sheet_clip(sheet, clip->name) > (int)i) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    FiloSheet sheet;
    char image[64];
    FiloResult result =
        filo_sheet_decode(&sheet, image, sizeof image, 64, 48, (const char *)data, size, "fuzz.json", NULL);
    if (result.code == FILO_OK)
        check(&sheet, 64, 48);
    else if (result.message[0] == '\0' || sheet.frames != NULL)
        abort();
    filo_sheet_free(&sheet, NULL);
    return 0;
}
