// TGA: kinds of pixels, palettes, runs and corners. HDR: both kinds of runs, rows from below.

#include "assets/expected.h"
#include "assets/fixture.h"

// ---- TGA ------------------------------------------------------------------------------------------------

typedef struct TgaKind {
    uint8_t kind, bits, flags;
    uint16_t width, height;
    uint16_t first, count; // of the palette
    uint8_t entry_bits;
    const uint8_t *bytes; // palette and pixels
    size_t size;
} TgaKind;

static Picture build(const TgaKind *kind) {
    Picture picture = { .name = "a.tga" };
    const uint8_t start[] = { 3, kind->count > 0, kind->kind };
    const uint8_t end[] = { kind->bits, kind->flags, 'i', 'd', '!' };
    add_bytes(&picture, start, sizeof start);
    add_u16(&picture, kind->first);
    add_u16(&picture, kind->count);
    add_bytes(&picture, &kind->entry_bits, 1);
    add_u32(&picture, 0);
    add_u16(&picture, kind->width);
    add_u16(&picture, kind->height);
    add_bytes(&picture, end, sizeof end);
    add_bytes(&picture, kind->bytes, kind->size);
    return picture;
}

static void expect_pixels(const TgaKind *kind, const char *wanted) { expect_picture(build(kind), wanted); }

static void expect_refusal(const TgaKind *kind, const char *message) {
    expect_refused_picture(build(kind), message);
}

FILO_TEST(a_tga_may_begin_at_any_corner) {
    static const uint8_t bytes[] = { 1, 2, 3, 4 };
    TgaKind kind = { .kind = 3, .bits = 8, .width = 2, .height = 2, .bytes = bytes, .size = sizeof bytes };
    expect_pixels(&kind, "030303ff 040404ff 010101ff 020202ff");
    kind.flags = 16; // from the right
    expect_pixels(&kind, "040404ff 030303ff 020202ff 010101ff");
    kind.flags = 32; // from the top
    expect_pixels(&kind, "010101ff 020202ff 030303ff 040404ff");
    kind.flags = 48;
    expect_pixels(&kind, "020202ff 010101ff 040404ff 030303ff");
    kind.flags = 64; // interlaced
    expect_refusal(&kind, "a.tga: broken TGA, or of a kind that is not supported");
}

FILO_TEST(the_first_entry_of_a_tga_palette_may_have_any_number) {
    static const uint8_t bytes[] = { 0, 0, 255, 255, 0, 0, 10, 11, 9, 12 }; // two colours, four pixels
    TgaKind kind = { .kind = 1,
                     .bits = 8,
                     .flags = 32,
                     .width = 4,
                     .height = 1,
                     .first = 10,
                     .count = 2,
                     .entry_bits = 24,
                     .bytes = bytes,
                     .size = sizeof bytes };
    expect_pixels(&kind, "ff0000ff 0000ffff 000000ff 000000ff");
    static const uint8_t small[] = { 0x00, 0x7C, 0xFF, 0x7F, 1, 0, 0, 0 }; // of 16 bits, as are the pixels
    kind = (TgaKind){ .kind = 1,
                      .bits = 16,
                      .flags = 32,
                      .width = 2,
                      .height = 1,
                      .count = 2,
                      .entry_bits = 15,
                      .bytes = small,
                      .size = sizeof small };
    expect_pixels(&kind, "ffffffff ff0000ff");
    kind.count = 300;
    expect_refusal(&kind, "a.tga: the file ends too early");
    kind.entry_bits = 8;
    expect_refusal(&kind, "a.tga: broken TGA, or of a kind that is not supported");
}

FILO_TEST(runs_of_a_tga_may_cross_rows) {
    static const uint8_t bytes[] = { 0x82, 7, 0, 9 }; // three times 7, once 9
    TgaKind kind = {
        .kind = 11, .bits = 8, .flags = 32, .width = 2, .height = 2, .bytes = bytes, .size = sizeof bytes
    };
    expect_pixels(&kind, "070707ff 070707ff 070707ff 090909ff");
    kind.size--;
    expect_refusal(&kind, "a.tga: the file ends too early");
    kind.height = 1; // the run is longer than the picture
    expect_pixels(&kind, "070707ff 070707ff");
}

FILO_TEST(alpha_of_a_tga_is_what_its_header_says_or_what_is_there) {
    static const uint8_t one_bit[] = { 0x00, 0x7C, 0x00, 0xFC };
    TgaKind kind = {
        .kind = 2, .bits = 16, .flags = 32, .width = 2, .height = 1, .bytes = one_bit, .size = 4
    };
    expect_pixels(&kind, "ff0000ff ff0000ff");
    kind.flags = 33;
    expect_pixels(&kind, "ff000000 ff0000ff");
    static const uint8_t none[] = { 1, 2, 3, 0, 4, 5, 6, 0 }, some[] = { 1, 2, 3, 0, 4, 5, 6, 7 };
    kind = (TgaKind){ .kind = 2, .bits = 32, .flags = 32, .width = 2, .height = 1, .bytes = none, .size = 8 };
    expect_pixels(&kind, "030201ff 060504ff"); // nothing would be seen
    kind.flags = 40;
    expect_pixels(&kind, "03020100 06050400");
    kind.flags = 32;
    kind.bytes = some;
    expect_pixels(&kind, "03020100 06050407");
    static const uint8_t grey[] = { 200, 100, 50, 0 };
    kind = (TgaKind){ .kind = 3, .bits = 16, .flags = 40, .width = 2, .height = 1, .bytes = grey, .size = 4 };
    expect_pixels(&kind, "c8c8c864 32323200");
}

// ---- HDR ------------------------------------------------------------------------------------------------

static Picture make_radiance(const char *header, const void *bytes, size_t size) {
    Picture picture = { .name = "a.hdr" };
    add_bytes(&picture, header, strlen(header));
    add_bytes(&picture, bytes, size);
    return picture;
}

static void expect_reds(Picture picture, const float *wanted, int count) {
    float *values;
    int width, height;
    assert_ok(
        filo_image_decode_float(&values, &width, &height, picture.bytes, picture.size, picture.name, NULL));
    assert_int_equal(width * height, count);
    for (int i = 0; i < count; i++) assert_float_equal(values[4 * i], wanted[i], 0);
    filo_free(NULL, values, (size_t)count * 16, 0);
}

static void expect_hdr_refusal(Picture picture, const char *message) {
    float *values;
    int width, height;
    assert_error(
        filo_image_decode_float(&values, &width, &height, picture.bytes, picture.size, picture.name, NULL),
        FILO_ERROR_DATA, message);
    assert_null(values);
}

#define HEAD "#?RADIANCE\nEXPOSURE=2\nFORMAT=32-bit_rle_rgbe\n\n"

FILO_TEST(older_runs_of_an_hdr_repeat_a_pixel) {
    static const uint8_t one[] = { 128, 0, 0, 129, 1, 1, 1, 3, 64, 0, 0, 129 };
    expect_reds(make_radiance(HEAD "-Y 1 +X 5\n", one, sizeof one), (float[]){ 1, 1, 1, 1, 0.5f }, 5);
    uint8_t many[] = { 128, 0, 0, 129, 1, 1, 1, 2, 1, 1, 1, 1 }; // 2, and 1 × 256
    float ones[259];
    for (int i = 0; i < 259; i++) ones[i] = 1;
    expect_reds(make_radiance(HEAD "-Y 1 +X 259\n", many, sizeof many), ones, 259);
    expect_hdr_refusal(make_radiance(HEAD "-Y 1 +X 258\n", many, sizeof many),
                       "a.hdr: the file ends too early");
    many[11] = 2;
    expect_hdr_refusal(make_radiance(HEAD "-Y 2 +X 259\n", many, sizeof many), "a.hdr: ");
    static const uint8_t first[] = { 1, 1, 1, 3, 64, 0, 0, 129, 0, 0, 0, 0 };
    expect_hdr_refusal(make_radiance(HEAD "-Y 1 +X 4\n", first, sizeof first),
                       "a.hdr: broken HDR: a run in row 0 is longer than the row");
}

FILO_TEST(an_exponent_of_0_is_black) {
    static const uint8_t bytes[] = { 255, 255, 255, 0, 128, 0, 0, 1 };
    expect_reds(make_radiance(HEAD "-Y 1 +X 2\n", bytes, sizeof bytes), (float[]){ 0, 0x1p-128f }, 2);
}

FILO_TEST(rows_of_an_hdr_may_begin_at_the_bottom) {
    static const uint8_t bytes[] = { 128, 0, 0, 129, 64, 0, 0, 129 };
    expect_reds(make_radiance(HEAD "-Y 2 +X 1\n", bytes, sizeof bytes), (float[]){ 1, 0.5f }, 2);
    expect_reds(make_radiance(HEAD "+Y 2 +X 1\n", bytes, sizeof bytes), (float[]){ 0.5f, 1 }, 2);
}

FILO_TEST(an_hdr_of_another_kind_is_refused_with_what_it_is) {
    static const uint8_t bytes[] = { 128, 0, 0, 129 };
    expect_hdr_refusal(make_radiance("#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\n", bytes, 4),
                       "a.hdr: an HDR with FORMAT=32-bit_rle_xyze; only 32-bit_rle_rgbe is supported");
    expect_hdr_refusal(make_radiance(HEAD "+X 1 -Y 1\n", bytes, 4),
                       "a.hdr: an HDR without a size like \"-Y 480 +X 640\" after its header");
    expect_hdr_refusal(make_radiance(HEAD "-Y -1 +X 1\n", bytes, 4), "a.hdr: an HDR without a size");
}
