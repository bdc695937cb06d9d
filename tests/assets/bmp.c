// BMP: every header, coding and number of bits, and what a file leaves open.

#include "assets/expected.h"
#include "assets/fixture.h"

typedef struct BmpKind {
    uint32_t header; // 0: 40
    int32_t width, height;
    uint16_t bits;
    uint32_t coding, colors;
    uint32_t masks[4]; // behind the header of 40 bytes, inside of longer ones
    size_t mask_count;
    const uint8_t *palette;
    size_t palette_size;
    const uint8_t *pixels;
    size_t size;
} BmpKind;

static Picture build(const BmpKind *kind) {
    Picture picture = { .name = "a.bmp" };
    uint32_t header = kind->header != 0 ? kind->header : 40;
    uint32_t masks = header == 40 ? (uint32_t)(4 * kind->mask_count) : 0;
    add_bytes(&picture, "BM", 2);
    add_u32(&picture, 0);
    add_u32(&picture, 0);
    add_u32(&picture, 14 + header + masks + (uint32_t)kind->palette_size);
    add_u32(&picture, header);
    if (header == 12) {
        add_u16(&picture, (uint16_t)kind->width);
        add_u16(&picture, (uint16_t)kind->height);
        add_u16(&picture, 1);
        add_u16(&picture, kind->bits);
    } else {
        const uint32_t fields[] = { kind->coding, 0, 0, 0, kind->colors, 0 };
        add_u32(&picture, (uint32_t)kind->width);
        add_u32(&picture, (uint32_t)kind->height);
        add_u16(&picture, 1);
        add_u16(&picture, kind->bits);
        for (size_t i = 0; i < 6 && 16 + 4 * i < header; i++) add_u32(&picture, fields[i]);
        for (size_t i = 0; i < kind->mask_count; i++) add_u32(&picture, kind->masks[i]);
        while (picture.size < 14 + header) add_bytes(&picture, "", 1);
    }
    if (kind->palette_size > 0) add_bytes(&picture, kind->palette, kind->palette_size);
    add_bytes(&picture, kind->pixels, kind->size);
    return picture;
}

static void expect_pixels(const BmpKind *kind, const char *wanted) { expect_picture(build(kind), wanted); }

static void expect_refusal(const BmpKind *kind, const char *message) {
    expect_refused_picture(build(kind), message);
}

#define RED   "ff0000ff"
#define GREEN "00ff00ff"
#define BLUE  "0000ffff"
#define BLACK "000000ff"
#define WHITE "ffffffff"
#define CLEAR "00000000"

// Blue, green, red and a byte that means nothing.
static const uint8_t palette[] = { 255, 0, 0, 9, 0, 255, 0, 0, 0, 0, 255, 255, 255, 255, 255, 0 };

// ---- Palettes -------------------------------------------------------------------------------------------

FILO_TEST(pixels_of_1_2_4_and_8_bits_are_numbers_of_a_palette) {
    expect_pixels(&(BmpKind){ .width = 3,
                              .height = 1,
                              .bits = 1,
                              .colors = 2,
                              .palette = palette,
                              .palette_size = 8,
                              .pixels = (const uint8_t[]){ 0x40, 0, 0, 0 },
                              .size = 4 },
                  BLUE " " GREEN " " BLUE);
    BmpKind kind = {
        .width = 4, .height = 1, .colors = 4, .palette = palette, .palette_size = 16, .size = 4
    };
    kind.bits = 2;
    kind.pixels = (const uint8_t[]){ 0x1B, 0, 0, 0 };
    expect_pixels(&kind, BLUE " " GREEN " " RED " " WHITE);
    kind.bits = 4;
    kind.pixels = (const uint8_t[]){ 0x01, 0x23, 0, 0 };
    expect_pixels(&kind, BLUE " " GREEN " " RED " " WHITE);
    kind.bits = 8;
    kind.pixels = (const uint8_t[]){ 0, 1, 2, 3 };
    expect_pixels(&kind, BLUE " " GREEN " " RED " " WHITE);
}

FILO_TEST(colours_that_the_palette_lacks_are_black) {
    BmpKind kind = { .width = 4,
                     .height = 1,
                     .bits = 8,
                     .colors = 2,
                     .palette = palette,
                     .palette_size = 8,
                     .pixels = (const uint8_t[]){ 0, 1, 2, 255 },
                     .size = 4 };
    expect_pixels(&kind, BLUE " " GREEN " " BLACK " " BLACK);
    kind.colors = 0; // all 256, of which only two lie before the pixels
    expect_pixels(&kind, BLUE " " GREEN " " BLACK " " BLACK);
    kind.colors = 1 << 30;
    expect_pixels(&kind, BLUE " " GREEN " " BLACK " " BLACK);
}

FILO_TEST(files_of_os2_have_short_headers_and_palettes_of_three_bytes) {
    static const uint8_t three[] = { 255, 0, 0, 0, 255, 0 };
    expect_pixels(&(BmpKind){ .header = 12,
                              .width = 3,
                              .height = 1,
                              .bits = 8,
                              .palette = three,
                              .palette_size = 6,
                              .pixels = (const uint8_t[]){ 0, 1, 2, 0 },
                              .size = 4 },
                  BLUE " " GREEN " " BLACK);
    expect_pixels(&(BmpKind){ .header = 16,
                              .width = 3,
                              .height = 1,
                              .bits = 8,
                              .palette = palette,
                              .palette_size = 12,
                              .pixels = (const uint8_t[]){ 0, 1, 2, 0 },
                              .size = 4 },
                  BLUE " " GREEN " " RED);
    expect_pixels(&(BmpKind){ .header = 64,
                              .width = 2,
                              .height = 1,
                              .bits = 24,
                              .coding = 4, // runs of colours
                              .pixels = (const uint8_t[]){ 1, 255, 0, 0, 1, 0, 255, 0, 0, 1 },
                              .size = 10 },
                  BLUE " " GREEN);
    expect_refusal(
        &(BmpKind){
            .header = 64, .width = 2, .height = 1, .bits = 1, .coding = 3, .pixels = palette, .size = 4 },
        "a.bmp: a BMP of 1 bits a pixel in coding 3 is not supported");
}

// ---- Masks ----------------------------------------------------------------------------------------------

FILO_TEST(pixels_of_16_and_32_bits_have_masks) {
    BmpKind kind = {
        .width = 2, .height = 1, .bits = 16, .pixels = (const uint8_t[]){ 0x00, 0x7C, 0xFF, 0x7F }, .size = 4
    };
    expect_pixels(&kind, RED " " WHITE);
    kind = (BmpKind){ .width = 2,
                      .height = 1,
                      .bits = 16,
                      .coding = 3,
                      .masks = { 0xF800, 0x07E0, 0x001F },
                      .mask_count = 3,
                      .pixels = (const uint8_t[]){ 0xE0, 0x07, 0x10, 0x00 },
                      .size = 4 };
    expect_pixels(&kind, GREEN " 000084ff");
    kind = (BmpKind){
        .width = 1, .height = 1, .bits = 32, .pixels = (const uint8_t[]){ 3, 2, 1, 77 }, .size = 4
    };
    expect_pixels(&kind, "010203ff"); // there is no mask for alpha
    kind = (BmpKind){ .header = 56,
                      .width = 1,
                      .height = 1,
                      .bits = 32,
                      .coding = 3,
                      .mask_count = 4,
                      .masks = { 0xFF0000, 0xFF00, 0xFF, 0xFF000000 },
                      .pixels = (const uint8_t[]){ 3, 2, 1, 77 },
                      .size = 4 };
    expect_pixels(&kind, "0102034d");
    kind = (BmpKind){ .width = 1,
                      .height = 1,
                      .bits = 16,
                      .coding = 6,
                      .mask_count = 4,
                      .masks = { 0x0F00, 0x00F0, 0x000F, 0xF000 },
                      .pixels = (const uint8_t[]){ 0x0F, 0x8F, 0, 0 },
                      .size = 4 };
    expect_pixels(&kind, "ff00ff88");
    kind = (BmpKind){ .header = 124,
                      .width = 1,
                      .height = 1,
                      .bits = 32,
                      .coding = 3,
                      .mask_count = 4,
                      .masks = { 0x3FF00000, 0x000FFC00, 0x000003FF, 0xC0000000 },
                      .pixels = (const uint8_t[]){ 0x00, 0xFC, 0x1F, 0x80 },
                      .size = 4 };
    expect_pixels(&kind, "00ff00aa");
}

FILO_TEST(a_palette_before_pixels_that_need_none_is_skipped) {
    BmpKind kind = { .width = 1,
                     .height = 1,
                     .bits = 24,
                     .colors = 4,
                     .palette = palette,
                     .palette_size = 16,
                     .pixels = (const uint8_t[]){ 0, 0, 255, 0 },
                     .size = 4 };
    expect_pixels(&kind, RED);
    kind.bits = 16;
    kind.pixels = (const uint8_t[]){ 0x00, 0x7C, 0, 0 };
    expect_pixels(&kind, RED);
}

FILO_TEST(a_negative_height_is_a_picture_from_the_top) {
    BmpKind kind = { .width = 1,
                     .height = -2,
                     .bits = 24,
                     .pixels = (const uint8_t[]){ 0, 0, 255, 0, 255, 0, 0, 0 },
                     .size = 8 };
    expect_pixels(&kind, RED " " BLUE);
    kind.height = 2;
    expect_pixels(&kind, BLUE " " RED);
}

// ---- Run lengths ----------------------------------------------------------------------------------------

FILO_TEST(runs_and_plain_pixels_are_read_and_what_they_skip_is_transparent) {
    BmpKind kind = {
        .width = 4, .height = 2, .bits = 8, .coding = 1, .colors = 4, .palette = palette, .palette_size = 16
    };
    // Row 0 from below: two red ones; end of the row; one to the right; three plain ones; the end.
    static const uint8_t bytes[] = { 2, 2, 0, 0, 0, 2, 1, 0, 0, 3, 0, 1, 3, 0, 0, 1 };
    kind.pixels = bytes;
    kind.size = sizeof bytes;
    expect_pixels(&kind, CLEAR " " BLUE " " GREEN " " WHITE " " RED " " RED " " CLEAR " " CLEAR);
    kind.bits = 4;
    kind.coding = 2;
    static const uint8_t nibbles[] = { 3, 0x12, 0, 0, 0, 4, 0x01, 0x23, 0, 1 };
    kind.pixels = nibbles;
    kind.size = sizeof nibbles;
    expect_pixels(&kind, BLUE " " GREEN " " RED " " WHITE " " GREEN " " RED " " GREEN " " CLEAR);
    kind.size -= 2; // without its end
    expect_refusal(&kind, "a.bmp: the file ends too early");
}

FILO_TEST(runs_beyond_the_picture_are_cut) {
    static const uint8_t bytes[] = { 200, 2, 0, 0, 9, 1, 0, 2, 255, 255, 5, 1, 0, 1 };
    expect_pixels(&(BmpKind){ .width = 2,
                              .height = 1,
                              .bits = 8,
                              .coding = 1,
                              .colors = 4,
                              .palette = palette,
                              .palette_size = 16,
                              .pixels = bytes,
                              .size = sizeof bytes },
                  RED " " RED);
}

// ---- Others ---------------------------------------------------------------------------------------------

FILO_TEST(a_png_inside_a_bmp_is_read) {
    Picture png = make_png("a.png", SPNG_COLOR_TYPE_TRUECOLOR, 8, false);
    Picture bmp =
        build(&(BmpKind){ .width = 4, .height = 3, .coding = 5, .pixels = png.bytes, .size = png.size });
    FiloPixels inner, outer;
    assert_ok(filo_image_decode(&inner, png.bytes, png.size, png.name, NULL));
    assert_ok(filo_image_decode(&outer, bmp.bytes, bmp.size, bmp.name, NULL));
    assert_memory_equal(inner.data, outer.data, 4 * 3 * sizeof(FiloColor));
    filo_pixels_free(&inner, NULL);
    filo_pixels_free(&outer, NULL);
}

FILO_TEST(headers_that_cannot_be_are_refused_with_what_is_wrong) {
    BmpKind kind = { .width = 1, .height = 1, .bits = 24, .pixels = palette, .size = 4 };
    kind.bits = 64;
    expect_refusal(&kind, "a.bmp: a BMP of 64 bits a pixel in coding 0 is not supported");
    kind.bits = 24;
    kind.coding = 3;
    expect_refusal(&kind, "a.bmp: a BMP of 24 bits a pixel in coding 3 is not supported");
    kind.coding = 0;
    kind.width = -1;
    expect_refusal(&kind, "a.bmp: the header of this BMP has a size that no picture has");
    kind.width = 0;
    expect_refusal(&kind, "a.bmp: a picture of 0 x 1 pixels");
    kind.width = 1;
    kind.height = 3;
    expect_refusal(&kind, "a.bmp: the file ends too early");
    Picture picture = make_bmp();
    picture.bytes[14] = 13;
    FiloPixels pixels;
    assert_error(filo_image_decode(&pixels, picture.bytes, picture.size, "a.bmp", NULL), FILO_ERROR_DATA,
                 "a.bmp: the header of this BMP has a length that no picture has");
}
