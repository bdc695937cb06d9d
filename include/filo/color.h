// filo/color.h: colours as four bytes, premultiplied.
//
//     FiloColor glass = filo_color_from_hex(0x3366FF80);
//     FiloColor seen = filo_color_over(glass, FILO_COLOR_WHITE);
//     FiloColor hurt = filo_color_lerp(seen, FILO_COLOR_RED, 0.5f);
//
// Premultiplied means that red, green and blue have been multiplied by alpha already, so that blending, fading and
// filtering are simple sums without dark fringes. A colour with light but no alpha, such as { 255, 128, 0, 0 }, adds
// its light to what is behind it. The bytes are sRGB-encoded, as in images and on screens. "Straight" colours, as in
// image files and in colour pickers, are not multiplied: convert them on input and output.
//
// All products of bytes are rounded correctly, to (x * y + 127) / 255. Every function gives the same bits on every
// machine. Any thread.

#ifndef FILO_COLOR_H
#define FILO_COLOR_H

#include <filo/check.h>
#include <filo/vector.h>

typedef struct FiloColor {
    uint8_t r, g, b, a;
} FiloColor;

FILO_BEGIN_DECLS

// ---- Constructors -----------------------------------------------------------------------------------

// From premultiplied bytes.
static inline FiloColor filo_color(uint8_t r, uint8_t g, uint8_t b, uint8_t a) {
    FiloColor c = { r, g, b, a };
    return c;
}

// x * y / 255, rounded to the nearest.
static inline uint8_t filo_byte_mul(uint8_t x, uint8_t y) {
    uint32_t product = (uint32_t)x * y + 128u;
    return (uint8_t)((product + (product >> 8)) >> 8);
}

// 0 to 1 as 0 to 255, rounded to the nearest. Values outside are clamped; NaN is 0.
static inline uint8_t filo_byte_from_unit(float x) {
    return (uint8_t)filo_to_int(filo_clamp01(x) * 255.0f + 0.5f);
}

// From straight bytes, from 0xRRGGBBAA (straight too), and from straight floats in x, y, z, w as r, g, b, a.
static inline FiloColor filo_color_from_bytes(uint8_t r, uint8_t g, uint8_t b, uint8_t a) {
    return filo_color(filo_byte_mul(r, a), filo_byte_mul(g, a), filo_byte_mul(b, a), a);
}
static inline FiloColor filo_color_from_hex(uint32_t rgba) {
    return filo_color_from_bytes((uint8_t)(rgba >> 24), (uint8_t)(rgba >> 16), (uint8_t)(rgba >> 8),
                                 (uint8_t)rgba);
}
// The same. A number that is written without its alpha (0x336699) is a caller's mistake.
#define filo_color_from_hex(rgba)                                                                            \
    ((void)FILO_CHECK(!FILO_COLOR_LACKS_ALPHA_(#rgba),                                                       \
                      "%s: a colour is 0xRRGGBBAA, and this has no alpha: write FF behind it", #rgba),       \
     filo_color_from_hex(rgba))
#define FILO_COLOR_LACKS_ALPHA_(text)                                                                        \
    ((text)[0] == '0' && ((text)[1] | 32) == 'x' && sizeof(text) < sizeof "0xRRGGBBAA")
static inline FiloColor filo_color_from_straight(FiloVec4 c) {
    float a = filo_clamp01(c.w);
    return filo_color(filo_byte_from_unit(filo_clamp01(c.x) * a), filo_byte_from_unit(filo_clamp01(c.y) * a),
                      filo_byte_from_unit(filo_clamp01(c.z) * a), filo_byte_from_unit(a));
}

// From straight linear light: 0.5 is half as many photons. For computed lighting.
FiloColor filo_color_from_linear(FiloVec4 c);

// `hue` goes once round the colour wheel from 0 to 1 (0 red, 1/3 green, 2/3 blue) and wraps outside; `saturation` 0 is
// grey, `value` 0 is black.
FiloColor filo_color_from_hsv(float hue, float saturation, float value, float alpha);

// ---- Conversions ------------------------------------------------------------------------------------

// Straight, 0 to 1; all zero if alpha is. filo_color_from_straight converts it back to exactly the same colour, unless
// it is brighter than its alpha.
static inline FiloVec4 filo_color_to_straight(FiloColor c) {
    if (c.a == 0) return filo_vec4(0.0f, 0.0f, 0.0f, 0.0f);
    float a = (float)c.a;
    return filo_vec4(filo_min((float)c.r / a, 1.0f), filo_min((float)c.g / a, 1.0f),
                     filo_min((float)c.b / a, 1.0f), a / 255.0f);
}

// Straight linear light, the inverse of filo_color_from_linear.
FiloVec4 filo_color_to_linear(FiloColor c);

// Between the sRGB encoding and linear light, both 0 to 1. Clamped; each is the inverse of the other to 1e-6.
float filo_srgb_to_linear(float encoded);
float filo_linear_to_srgb(float light);

// ---- Blending ---------------------------------------------------------------------------------------

// Blends `top` over `bottom`; saturates.
static inline FiloColor filo_color_over(FiloColor top, FiloColor bottom) {
    uint8_t rest = (uint8_t)(255 - top.a);
    int r = top.r + filo_byte_mul(bottom.r, rest), g = top.g + filo_byte_mul(bottom.g, rest);
    int b = top.b + filo_byte_mul(bottom.b, rest), a = top.a + filo_byte_mul(bottom.a, rest);
    return filo_color((uint8_t)FILO_MIN(r, 255), (uint8_t)FILO_MIN(g, 255), (uint8_t)FILO_MIN(b, 255),
                      (uint8_t)FILO_MIN(a, 255));
}

// Multiplies channel by channel: a tint. White changes nothing.
static inline FiloColor filo_color_mul(FiloColor a, FiloColor b) {
    return filo_color(filo_byte_mul(a.r, b.r), filo_byte_mul(a.g, b.g), filo_byte_mul(a.b, b.b),
                      filo_byte_mul(a.a, b.a));
}

// Makes a colour more transparent: all channels times `opacity`, 0 to 1.
static inline FiloColor filo_color_fade(FiloColor c, float opacity) {
    uint8_t o = filo_byte_from_unit(opacity);
    return filo_color_mul(c, filo_color(o, o, o, o));
}

// From a (t = 0) to b (t = 1), each channel rounded to the nearest; t is clamped.
static inline FiloColor filo_color_lerp(FiloColor a, FiloColor b, float t) {
    float s = filo_clamp01(t);
    return filo_color((uint8_t)filo_to_int(filo_lerp((float)a.r, (float)b.r, s) + 0.5f),
                      (uint8_t)filo_to_int(filo_lerp((float)a.g, (float)b.g, s) + 0.5f),
                      (uint8_t)filo_to_int(filo_lerp((float)a.b, (float)b.b, s) + 0.5f),
                      (uint8_t)filo_to_int(filo_lerp((float)a.a, (float)b.a, s) + 0.5f));
}

static inline bool filo_color_equal(FiloColor a, FiloColor b) {
    return a.r == b.r && a.g == b.g && a.b == b.b && a.a == b.a;
}

FILO_END_DECLS

// ---- Named colours ----------------------------------------------------------------------------------

#define FILO_COLOR_TRANSPARENT filo_color(0, 0, 0, 0)
#define FILO_COLOR_BLACK       filo_color(0, 0, 0, 255)
#define FILO_COLOR_WHITE       filo_color(255, 255, 255, 255)
#define FILO_COLOR_GREY        filo_color(128, 128, 128, 255)
#define FILO_COLOR_LIGHT_GREY  filo_color(192, 192, 192, 255)
#define FILO_COLOR_DARK_GREY   filo_color(64, 64, 64, 255)
#define FILO_COLOR_RED         filo_color(230, 41, 55, 255)
#define FILO_COLOR_ORANGE      filo_color(255, 145, 32, 255)
#define FILO_COLOR_YELLOW      filo_color(253, 224, 71, 255)
#define FILO_COLOR_GREEN       filo_color(46, 160, 67, 255)
#define FILO_COLOR_CYAN        filo_color(34, 200, 220, 255)
#define FILO_COLOR_BLUE        filo_color(40, 100, 230, 255)
#define FILO_COLOR_PURPLE      filo_color(130, 70, 200, 255)
#define FILO_COLOR_MAGENTA     filo_color(230, 60, 180, 255)
#define FILO_COLOR_PINK        filo_color(255, 140, 180, 255)
#define FILO_COLOR_BROWN       filo_color(125, 80, 45, 255)

#endif
