// The built-in font: its letters exist, differ, and are aligned.

#include "gfx2d/draw/font.h"
#include "gfx2d/draw/draw.h"
#include "support/failing_allocator.h"

static const uint8_t *letter(uint32_t character) { return gfx2d_font_rows[gfx2d_font_letter(character)]; }

static int pixels_of(uint32_t character) {
    int count = 0;
    for (int y = 0; y < GFX2D_FONT_HEIGHT; y++) count += __builtin_popcount(letter(character)[y]);
    return count;
}

FILO_TEST(all_letters_of_latin_1_exist_and_only_spaces_are_empty) {
    for (uint32_t c = 32; c < 256; c++) {
        if (c >= 127 && c < 160) continue;
        assert_int_equal(gfx2d_font_letter(c), c - 32);
        assert_int_equal(pixels_of(c) == 0, c == 32 || c == 160);
    }
}

FILO_TEST(what_the_font_does_not_have_is_a_box) {
    static const uint32_t others[] = { 0, 9, 31, 127, 128, 159, 256, 0x20AC, 0xFFFD, 0x1F600 };
    for (size_t i = 0; i < FILO_COUNT_OF(others); i++)
        assert_int_equal(gfx2d_font_letter(others[i]), GFX2D_FONT_BOX - GFX2D_FONT_FIRST);
    assert_true(pixels_of(127) > 20);
}

FILO_TEST(no_two_letters_look_alike) {
    for (uint32_t a = 33; a < 256; a++) {
        if (a >= 127 && a < 161) continue;
        for (uint32_t b = a + 1; b < 256; b++) {
            if ((b >= 127 && b < 161) || (a == '-' && b == 0xAD)) continue; // the soft hyphen is a hyphen
            if (memcmp(letter(a), letter(b), GFX2D_FONT_HEIGHT) == 0)
                fail_msg("U+%02X and U+%02X are alike", a, b);
        }
    }
}

FILO_TEST(letters_that_are_often_confused_differ_clearly) {
    static const char *const pairs[] = { "0O", "1l", "1I", "lI", "l|", "5S", "8B",
                                         "2Z", "6G", "uv", "nh", ",.", ";:" };
    for (size_t i = 0; i < FILO_COUNT_OF(pairs); i++) {
        int difference = 0;
        for (int y = 0; y < GFX2D_FONT_HEIGHT; y++)
            difference += __builtin_popcount(
                (uint8_t)(letter((uint8_t)pairs[i][0])[y] ^ letter((uint8_t)pairs[i][1])[y]));
        if (difference < 3) fail_msg("%s differ in %d pixels", pairs[i], difference);
    }
}

FILO_TEST(letters_leave_a_gap_and_stand_on_one_line) {
    for (uint32_t c = 33; c < 256; c++) {
        if (c >= 127 && c < 160) continue;
        for (int y = 0; y < GFX2D_FONT_HEIGHT; y++) assert_int_equal(letter(c)[y] & 1, 0);
        assert_int_equal(letter(c)[GFX2D_FONT_HEIGHT - 1], 0);
    }
    for (uint32_t c = 'A'; c <= 'Z'; c++) {
        assert_int_not_equal(letter(c)[2], 0);
        assert_int_not_equal(letter(c)[11], 0);
        if (c != 'Q') assert_int_equal(letter(c)[12], 0);
    }
    for (const char *c = "aceimnorsuvwxz"; *c != 0; c++) {
        assert_int_not_equal(letter((uint8_t)*c)[5], 0);
        assert_int_not_equal(letter((uint8_t)*c)[11], 0);
        assert_int_equal(letter((uint8_t)*c)[12], 0);
    }
}

FILO_TEST(the_image_shows_sixteen_letters_in_a_row) {
    FiloPixels pixels;
    assert_true(gfx2d_font_pixels(&pixels, NULL));
    assert_int_equal(pixels.width, 128);
    assert_int_equal(pixels.height, 224);
    for (uint32_t c = 32; c < 256; c++)
        for (int y = 0; y < 16; y++)
            for (int x = 0; x < 8; x++) {
                FiloColor color =
                    *filo_pixels_at(&pixels, (int)(c - 32) % 16 * 8 + x, (int)(c - 32) / 16 * 16 + y);
                int expected = (gfx2d_font_rows[c - 32][y] & 0x80 >> x) != 0 ? 255 : 0;
                assert_true(color.r == expected && color.g == expected && color.b == expected &&
                            color.a == expected);
            }
    filo_pixels_free(&pixels, NULL);
}

FILO_TEST(without_memory_there_is_no_image) {
    FailingAllocator failing = FAILING_AT(failing, 0);
    FiloPixels pixels;
    assert_false(gfx2d_font_pixels(&pixels, &failing.allocator));
    assert_null(pixels.data);
    assert_int_equal(failing.blocks, 0);
}
