// JPEG, by libjpeg-turbo. Its error callback must not return, so it uses longjmp. Everything that is needed afterwards
// is in a struct outside of the function that calls setjmp.

#include "assets/images/image.h"

// After the headers of the system, which jpeglib.h needs and does not include.
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jerror.h>
#include <jpeglib.h>

// A malicious progressive file may have any number of scans over the whole image; normal files have about a dozen.
#define SCAN_LIMIT 200

typedef struct Jpeg {
    struct jpeg_decompress_struct decoder;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf leave;
    const AssetsImageSource *source;
    FiloPixels *pixels;
    FiloResult result;
} Jpeg;

static void fail(Jpeg *jpeg, FiloCode code, const char *cause) {
    jpeg->result = filo_error(code, "%s: %s", jpeg->source->name, cause);
    longjmp(jpeg->leave, 1);
}

static void on_error(j_common_ptr decoder) {
    Jpeg *jpeg = decoder->client_data;
    if (decoder->err->msg_code == JERR_OUT_OF_MEMORY) {
        fail(jpeg, FILO_ERROR_MEMORY, "no memory for the picture");
        return;
    }
    char text[JMSG_LENGTH_MAX], cause[JMSG_LENGTH_MAX + 16];
    decoder->err->format_message(decoder, text);
    snprintf(cause, sizeof cause, "broken JPEG (%s)", text);
    fail(jpeg, FILO_ERROR_DATA, cause);
}

// After a warning the library would continue, with a grey or incomplete image. We fail instead.
static void on_message(j_common_ptr decoder, int level) {
    if (level >= 0) return;
    switch (decoder->err->msg_code) {
    case JWRN_EXTRANEOUS_DATA:
    case JWRN_ADOBE_XFORM:
    case JWRN_JFIF_MAJOR: return; // harmless
    case JWRN_JPEG_EOF:
    case JWRN_HIT_MARKER: fail(decoder->client_data, FILO_ERROR_DATA, "the JPEG ends too early"); return;
    default: on_error(decoder);
    }
}

static void on_output(j_common_ptr decoder) { FILO_UNUSED(decoder); }

static void on_progress(j_common_ptr decoder) {
    if (!decoder->is_decompressor) return;
    if (((j_decompress_ptr)decoder)->input_scan_number > SCAN_LIMIT)
        fail(decoder->client_data, FILO_ERROR_LIMIT, "the JPEG has too many scans");
}

// Converts a row in place. Inks are inverted, as most programs write them: 255 is none.
static void convert_cmyk(FiloColor *row, int width) {
    for (int x = 0; x < width; x++) {
        FiloColor ink = row[x];
        row[x] = filo_color(filo_byte_mul(ink.r, ink.a), filo_byte_mul(ink.g, ink.a),
                            filo_byte_mul(ink.b, ink.a), 255);
    }
}

static void read_rows(Jpeg *jpeg) {
    struct jpeg_decompress_struct *decoder = &jpeg->decoder;
    bool inks = decoder->jpeg_color_space == JCS_CMYK || decoder->jpeg_color_space == JCS_YCCK;
    decoder->out_color_space = inks ? JCS_CMYK : JCS_EXT_RGBA;
    jpeg_start_decompress(decoder);
    while (decoder->output_scanline < decoder->output_height) {
        FiloColor *row = filo_pixels_at(jpeg->pixels, 0, (int)decoder->output_scanline);
        JSAMPROW bytes = (JSAMPROW)row;
        jpeg_read_scanlines(decoder, &bytes, 1);
        if (inks) convert_cmyk(row, jpeg->pixels->width);
    }
    jpeg_finish_decompress(decoder);
}

static unsigned orientation_of(const struct jpeg_decompress_struct *decoder) {
    static const char signature[] = "Exif\0"; // and another zero
    for (jpeg_saved_marker_ptr marker = decoder->marker_list; marker != NULL; marker = marker->next)
        if (marker->data_length > sizeof signature && memcmp(marker->data, signature, sizeof signature) == 0)
            return assets_exif_orientation(marker->data + sizeof signature,
                                           marker->data_length - sizeof signature);
    return 1;
}

static void read_image(Jpeg *jpeg) {
    struct jpeg_decompress_struct *decoder = &jpeg->decoder;
    jpeg_create_decompress(decoder);
    decoder->client_data = jpeg;
    decoder->progress = &jpeg->progress;
    jpeg_mem_src(decoder, jpeg->source->bytes, (unsigned long)jpeg->source->size);
    jpeg_save_markers(decoder, JPEG_APP0 + 1, 0xFFFF);
    jpeg_read_header(decoder, TRUE);
    unsigned orientation = orientation_of(decoder); // the markers are freed with the picture
    jpeg->result =
        assets_image_make_pixels(jpeg->source, jpeg->pixels, decoder->image_width, decoder->image_height, 1);
    if (jpeg->result.code != FILO_OK) return;
    read_rows(jpeg);
    jpeg->result = assets_image_turn(jpeg->source, jpeg->pixels, orientation);
}

static void read_guarded(Jpeg *jpeg) {
    if (setjmp(jpeg->leave) == 0) read_image(jpeg);
}

FiloResult assets_jpeg_decode(const AssetsImageSource *source, FiloPixels *pixels) {
    *pixels = (FiloPixels){ 0 };
    Jpeg jpeg = { .source = source, .pixels = pixels };
    jpeg.decoder.err = jpeg_std_error(&jpeg.errors);
    jpeg.decoder.client_data = &jpeg;
    jpeg.errors.error_exit = on_error;
    jpeg.errors.emit_message = on_message;
    jpeg.errors.output_message = on_output;
    jpeg.progress.progress_monitor = on_progress;
    jpeg.result = filo_ok();
    read_guarded(&jpeg);
    jpeg_destroy_decompress(&jpeg.decoder);
    if (jpeg.result.code != FILO_OK) filo_pixels_free(pixels, source->allocator);
    return jpeg.result;
}
