// WebP, by libwebp: a picture, or the composed frames of an animation one below the other.

#include "assets/images/image.h"

#include <string.h>

#include <webp/decode.h>
#include <webp/demux.h>

static FiloResult broken(const AssetsImageSource *source) {
    return filo_error(FILO_ERROR_DATA, "%s: a broken WebP, or one that ends too early", source->name);
}

static FiloResult make_frames(const AssetsImageSource *source, FiloImageFrames *frames,
                              const WebPDemuxer *file, bool only_first) {
    uint64_t width = WebPDemuxGetI(file, WEBP_FF_CANVAS_WIDTH),
             height = WebPDemuxGetI(file, WEBP_FF_CANVAS_HEIGHT);
    uint64_t count = only_first ? 1 : WebPDemuxGetI(file, WEBP_FF_FRAME_COUNT);
    FiloResult result = assets_image_make_pixels(source, &frames->pixels, width, height, count);
    if (result.code != FILO_OK) return result;
    frames->frame_count = (int)count;
    frames->width = (int)width;
    frames->height = (int)height;
    frames->seconds = filo_alloc_zero(source->allocator, (size_t)count * sizeof(float), 0);
    return frames->seconds != NULL ? filo_ok() : assets_image_no_memory(source);
}

static FiloResult read_picture(const AssetsImageSource *source, FiloImageFrames *frames) {
    FiloPixels *pixels = &frames->pixels;
    int stride = pixels->stride * (int)sizeof(FiloColor);
    size_t size = (size_t)stride * (size_t)pixels->height;
    if (WebPDecodeRGBAInto(source->bytes, source->size, (uint8_t *)pixels->data, size, stride) == NULL)
        return broken(source);
    return filo_ok();
}

// Each frame has the time at which it ends, in milliseconds. As in a GIF, one of less than 20 is shown for 100.
static float frame_seconds(int milliseconds) {
    return milliseconds < 20 ? 0.1f : (float)milliseconds / 1000.0f;
}

static FiloResult read_animation(const AssetsImageSource *source, FiloImageFrames *frames,
                                 WebPAnimDecoder *decoder) {
    int end = 0, last_end = 0;
    for (int i = 0; i < frames->frame_count; i++, last_end = end) {
        uint8_t *canvas;
        if (!WebPAnimDecoderGetNext(decoder, &canvas, &end)) return broken(source);
        FiloPixels frame = { (FiloColor *)(void *)canvas, frames->width, frames->height, frames->width };
        filo_pixels_copy(&frames->pixels, 0, i * frames->height, &frame);
        frames->seconds[i] = frame_seconds(end - last_end);
    }
    return filo_ok();
}

static FiloResult read_frames(const AssetsImageSource *source, FiloImageFrames *frames,
                              const WebPData *data) {
    WebPAnimDecoder *decoder = WebPAnimDecoderNew(data, NULL);
    if (decoder == NULL) return broken(source);
    FiloResult result = read_animation(source, frames, decoder);
    WebPAnimDecoderDelete(decoder);
    return result;
}

static unsigned orientation_of(const WebPDemuxer *file) {
    WebPChunkIterator chunk;
    unsigned orientation = 1;
    if (WebPDemuxGetChunk(file, "EXIF", 1, &chunk) != 0)
        orientation = assets_exif_orientation(chunk.chunk.bytes, chunk.chunk.size);
    WebPDemuxReleaseChunkIterator(&chunk);
    return orientation;
}

static FiloResult read_file(const AssetsImageSource *source, FiloImageFrames *frames, const WebPDemuxer *file,
                            const WebPData *data, bool only_first) {
    FiloResult result = make_frames(source, frames, file, only_first);
    if (result.code != FILO_OK) return result;
    if ((WebPDemuxGetI(file, WEBP_FF_FORMAT_FLAGS) & ANIMATION_FLAG) != 0)
        return read_frames(source, frames, data);
    result = read_picture(source, frames);
    if (result.code == FILO_OK) result = assets_image_turn(source, &frames->pixels, orientation_of(file));
    frames->width = frames->pixels.width;
    frames->height = frames->pixels.height;
    return result;
}

FiloResult assets_webp_decode(const AssetsImageSource *source, FiloImageFrames *frames, bool only_first) {
    *frames = (FiloImageFrames){ 0 };
    WebPData data = { source->bytes, source->size };
    WebPDemuxer *file = WebPDemux(&data);
    if (file == NULL) return broken(source);
    FiloResult result = read_file(source, frames, file, &data, only_first);
    WebPDemuxDelete(file);
    if (result.code != FILO_OK) filo_image_frames_free(frames, source->allocator);
    return result;
}
