// GIF, by giflib: all frames composed as a viewer shows them, one below the other.
//
// The header of a GIF does not have the number of frames. So the blocks are counted first: that gives the number of
// frames before memory is allocated for them, and detects truncated files. Then the frames are drawn to a canvas one
// after the other. The "disposal" of a frame says what happens to the canvas before the next one.

#include "assets/images/image.h"

#include <gif_lib.h>
#include <string.h>

typedef struct Gif {
    const AssetsImageSource *source;
    size_t position;
    GifFileType *file;
    FiloPixels canvas, backup; // backup: the canvas before a frame with DISPOSE_PREVIOUS
    GifByteType *line;
    size_t line_size;
    GraphicsControlBlock control; // of the next frame
} Gif;

// ---- Counting frames --------------------------------------------------------------------------------------

// Moves `at` past data sub-blocks and the empty one that ends them.
static bool skip_sub_blocks(const AssetsImageSource *source, size_t *at) {
    while (*at < source->size) {
        size_t length = source->bytes[(*at)++];
        if (length == 0) return true;
        if (length > source->size - *at) return false;
        *at += length;
    }
    return false;
}

static size_t palette_size(uint8_t flags) { return (flags & 0x80) != 0 ? (size_t)3 << ((flags & 7) + 1) : 0; }

// 0 if the file is truncated or its blocks are invalid.
static size_t count_frames(const AssetsImageSource *source) {
    if (source->size < 13) return 0;
    size_t frames = 0, at = 13 + palette_size(source->bytes[10]);
    while (at < source->size) {
        uint8_t kind = source->bytes[at++];
        if (kind == ';') return frames;
        if (kind == '!') {
            at++; // type of the extension
            if (!skip_sub_blocks(source, &at)) return 0;
        } else if (kind == ',') {
            if (source->size - at < 10) return 0;
            at += 9 + palette_size(source->bytes[at + 8]) + 1; // 1: the size of codes
            if (at > source->size || !skip_sub_blocks(source, &at)) return 0;
            frames++;
        } else {
            return 0;
        }
    }
    return 0;
}

// ---- Reading ------------------------------------------------------------------------------------------

static int read_bytes(GifFileType *file, GifByteType *to, int count) {
    Gif *gif = file->UserData;
    size_t size = FILO_MIN((size_t)count, gif->source->size - gif->position);
    memcpy(to, gif->source->bytes + gif->position, size);
    gif->position += size;
    return (int)size;
}

static FiloResult gif_error(const Gif *gif, int error) {
    if (error == D_GIF_ERR_NOT_ENOUGH_MEM) return assets_image_no_memory(gif->source);
    const char *text = GifErrorString(error);
    return filo_error(FILO_ERROR_DATA, "%s: broken GIF (%s)", gif->source->name,
                      text != NULL ? text : "not to be read");
}

static FiloResult read_extension(Gif *gif) {
    int code;
    GifByteType *block;
    if (DGifGetExtension(gif->file, &code, &block) == GIF_ERROR) return gif_error(gif, gif->file->Error);
    while (block != NULL) {
        if (code == GRAPHICS_EXT_FUNC_CODE && block[0] >= 4)
            (void)DGifExtensionToGCB(4, block + 1, &gif->control);
        if (DGifGetExtensionNext(gif->file, &block) == GIF_ERROR) return gif_error(gif, gif->file->Error);
    }
    return filo_ok();
}

static void draw_line(const Gif *gif, const ColorMapObject *palette, int64_t y) {
    const GifImageDesc *image = &gif->file->Image;
    if (y >= gif->canvas.height) return;
    int64_t right = FILO_MIN((int64_t)image->Left + image->Width, gif->canvas.width);
    for (int64_t x = image->Left; x < right; x++) {
        int index = gif->line[x - image->Left];
        if (index == gif->control.TransparentColor || index >= palette->ColorCount) continue;
        GifColorType color = palette->Colors[index];
        *filo_pixels_at(&gif->canvas, (int)x, (int)y) = filo_color(color.Red, color.Green, color.Blue, 255);
    }
}

// Lines are in order, or interlaced in four passes: every eighth line first, then those between.
static FiloResult draw_lines(Gif *gif, const ColorMapObject *palette) {
    static const int first[] = { 0, 4, 2, 1 }, step[] = { 8, 8, 4, 2 };
    const GifImageDesc *image = &gif->file->Image;
    for (int pass = 0; pass < (image->Interlace ? 4 : 1); pass++) {
        int start = image->Interlace ? first[pass] : 0, stride = image->Interlace ? step[pass] : 1;
        for (int y = start; y < image->Height; y += stride) {
            if (DGifGetLine(gif->file, gif->line, image->Width) == GIF_ERROR)
                return gif_error(gif, gif->file->Error);
            draw_line(gif, palette, (int64_t)image->Top + y);
        }
    }
    return filo_ok();
}

static FiloResult make_line(Gif *gif, size_t size) {
    if (size <= gif->line_size) return filo_ok();
    GifByteType *line = filo_resize(gif->source->allocator, gif->line, gif->line_size, size, 0);
    if (line == NULL) return assets_image_no_memory(gif->source);
    gif->line = line;
    gif->line_size = size;
    return filo_ok();
}

static FiloResult draw_frame(Gif *gif) {
    const GifImageDesc *image = &gif->file->Image;
    const ColorMapObject *palette = image->ColorMap != NULL ? image->ColorMap : gif->file->SColorMap;
    if (palette == NULL) return filo_error(FILO_ERROR_DATA, "%s: broken GIF (no palette)", gif->source->name);
    if (image->Width < 1 || image->Height < 1 || image->Left < 0 || image->Top < 0)
        return filo_error(FILO_ERROR_DATA, "%s: broken GIF (a frame of %d x %d pixels)", gif->source->name,
                          image->Width, image->Height);
    // Drawing line by line needs no memory for a frame larger than the canvas. This limits the time.
    FiloResult result =
        assets_image_check_size(gif->source, (uint64_t)image->Width, (uint64_t)image->Height, 1);
    if (result.code == FILO_OK) result = make_line(gif, (size_t)image->Width);
    return result.code == FILO_OK ? draw_lines(gif, palette) : result;
}

static void clear_frame(const Gif *gif) {
    const GifImageDesc *image = &gif->file->Image;
    int right = FILO_MIN(image->Left + image->Width, gif->canvas.width);
    int bottom = FILO_MIN(image->Top + image->Height, gif->canvas.height);
    if (image->Left >= right || image->Top >= bottom) return;
    FiloPixels part =
        filo_pixels_part(&gif->canvas, image->Left, image->Top, right - image->Left, bottom - image->Top);
    filo_pixels_fill(&part, FILO_COLOR_TRANSPARENT);
}

// Viewers show frames with a delay below 0.02 s for 0.1 s, and files rely on it.
static float frame_seconds(int hundredths) { return hundredths < 2 ? 0.1f : (float)hundredths / 100.0f; }

static FiloResult read_frame(Gif *gif, FiloImageFrames *frames, int index) {
    if (DGifGetImageDesc(gif->file) == GIF_ERROR) return gif_error(gif, gif->file->Error);
    bool restore = gif->control.DisposalMode == DISPOSE_PREVIOUS;
    if (restore && gif->backup.data == NULL &&
        !filo_pixels_create(&gif->backup, gif->canvas.width, gif->canvas.height, gif->source->allocator))
        return assets_image_no_memory(gif->source);
    if (restore) filo_pixels_copy(&gif->backup, 0, 0, &gif->canvas);
    FiloResult result = draw_frame(gif);
    if (result.code != FILO_OK) return result;
    filo_pixels_copy(&frames->pixels, 0, index * frames->height, &gif->canvas);
    frames->seconds[index] = frame_seconds(gif->control.DelayTime);
    if (restore) filo_pixels_copy(&gif->canvas, 0, 0, &gif->backup);
    if (gif->control.DisposalMode == DISPOSE_BACKGROUND) clear_frame(gif);
    gif->control = (GraphicsControlBlock){ .TransparentColor = NO_TRANSPARENT_COLOR };
    return filo_ok();
}

static FiloResult read_frames(Gif *gif, FiloImageFrames *frames) {
    int index = 0;
    while (index < frames->frame_count) {
        GifRecordType kind;
        if (DGifGetRecordType(gif->file, &kind) == GIF_ERROR) return gif_error(gif, gif->file->Error);
        FiloResult result;
        if (kind == EXTENSION_RECORD_TYPE)
            result = read_extension(gif);
        else if (kind == IMAGE_DESC_RECORD_TYPE)
            result = read_frame(gif, frames, index++);
        else
            return filo_error(FILO_ERROR_DATA, "%s: the GIF ends too early", gif->source->name);
        if (result.code != FILO_OK) return result;
    }
    return filo_ok();
}

static FiloResult make_frames(Gif *gif, FiloImageFrames *frames, size_t count) {
    const AssetsImageSource *source = gif->source;
    uint64_t width = (uint64_t)gif->file->SWidth, height = (uint64_t)gif->file->SHeight;
    FiloResult result = assets_image_make_pixels(source, &frames->pixels, width, height, count);
    if (result.code != FILO_OK) return result;
    frames->frame_count = (int)count;
    frames->width = (int)width;
    frames->height = (int)height;
    frames->seconds = filo_alloc_zero(source->allocator, count * sizeof(float), 0);
    if (frames->seconds == NULL ||
        !filo_pixels_create(&gif->canvas, frames->width, frames->height, source->allocator))
        return assets_image_no_memory(source);
    return read_frames(gif, frames);
}

FiloResult assets_gif_decode(const AssetsImageSource *source, FiloImageFrames *frames, bool only_first) {
    *frames = (FiloImageFrames){ 0 };
    size_t count = count_frames(source);
    if (count == 0)
        return filo_error(FILO_ERROR_DATA, "%s: the GIF ends too early, or has no frames", source->name);
    Gif gif = { .source = source, .control = { .TransparentColor = NO_TRANSPARENT_COLOR } };
    int error = 0;
    gif.file = DGifOpen(&gif, read_bytes, &error);
    if (gif.file == NULL) return gif_error(&gif, error);
    FiloResult result = make_frames(&gif, frames, only_first ? 1 : count);
    DGifCloseFile(gif.file, &error);
    filo_pixels_free(&gif.canvas, source->allocator);
    filo_pixels_free(&gif.backup, source->allocator);
    filo_free(source->allocator, gif.line, gif.line_size, 0);
    if (result.code != FILO_OK) filo_image_frames_free(frames, source->allocator);
    return result;
}
