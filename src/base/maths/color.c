// Colours: functions with powers or branches. The transfer function is that of IEC 61966-2-1 (sRGB).

#include <filo/color.h>

float filo_srgb_to_linear(float encoded) {
    float x = filo_clamp01(encoded);
    return x <= 0.04045f ? x / 12.92f : filo_pow((x + 0.055f) / 1.055f, 2.4f);
}

float filo_linear_to_srgb(float light) {
    float x = filo_clamp01(light);
    // The standard's 1.055 p - 0.055, written so that 1 gives 1.
    return x <= 0.0031308f ? x * 12.92f : 1.0f + 1.055f * (filo_pow(x, 1.0f / 2.4f) - 1.0f);
}

FiloColor filo_color_from_linear(FiloVec4 c) {
    return filo_color_from_straight(
        filo_vec4(filo_linear_to_srgb(c.x), filo_linear_to_srgb(c.y), filo_linear_to_srgb(c.z), c.w));
}

FiloVec4 filo_color_to_linear(FiloColor c) {
    FiloVec4 s = filo_color_to_straight(c);
    return filo_vec4(filo_srgb_to_linear(s.x), filo_srgb_to_linear(s.y), filo_srgb_to_linear(s.z), s.w);
}

// The intensity of a primary at a distance (in sixths of the colour wheel) from its hue: 1 up to one sixth, 0 from two.
static float primary(float distance) { return filo_clamp01(2.0f - distance); }

FiloColor filo_color_from_hsv(float hue, float saturation, float value, float alpha) {
    float h = filo_fract(hue) * 6.0f, s = filo_clamp01(saturation), v = filo_clamp01(value);
    float r = primary(filo_min(h, 6.0f - h)), g = primary(filo_abs(h - 2.0f)),
          b = primary(filo_abs(h - 4.0f));
    return filo_color_from_straight(
        filo_vec4(v * filo_lerp(1.0f, r, s), v * filo_lerp(1.0f, g, s), v * filo_lerp(1.0f, b, s), alpha));
}
