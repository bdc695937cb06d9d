// From linear colours of any brightness to those of a screen. FILM, NEUTRAL, NONE: the curve. BLOOM: adds light around
// bright parts. OPAQUE: alpha is the brightness of the result, which FXAA needs, instead of how much was covered.

//! vertex
#include "post_screen.glsl"

//! fragment
uniform sampler2D image; // alpha: render/render.h
uniform float exposure;
uniform vec4 background; // linear, premultiplied: behind what is transparent
#ifdef BLOOM
uniform sampler2D glow;
uniform float bloom;
#endif
in vec2 uv;
out vec4 result;

#ifdef FILM
// The curve of film as in ACES, fitted by Stephen Hill: it works in a wider space of colours, so that bright colours
// become white gradually.
vec3 tone(vec3 color) {
    color = mat3(0.59719, 0.07600, 0.02840, 0.35458, 0.90834, 0.13383, 0.04823, 0.01566, 0.83777) * color;
    color = (color * (color + 0.0245786) - 0.000090537) / (color * (0.983729 * color + 0.4329510) + 0.238081);
    return clamp(mat3(1.60475, -0.10208, -0.00327, -0.53108, 1.10813, -0.07276, -0.07367, -0.00605, 1.07602) * color,
                 0.0, 1.0);
}
#endif
#ifdef NEUTRAL
// Khronos PBR Neutral: the base colour of a surface in white light stays as it is.
vec3 tone(vec3 color) {
    float least = min(color.r, min(color.g, color.b));
    color -= least < 0.08 ? least - 6.25 * least * least : 0.04;
    float peak = max(color.r, max(color.g, color.b));
    float over = max(peak - 0.76, 0.0);
    float shown = peak - over + 0.24 * over / (over + 0.24);
    vec3 kept = color * (shown / max(peak, 1e-4));
    return min(mix(vec3(shown), kept, 1.0 / (0.15 * (peak - shown) + 1.0)), vec3(1.0));
}
#endif
#ifdef NONE
vec3 tone(vec3 color) { return min(color, vec3(1.0)); }
#endif

// Unlit colours up to 1 are shown as they are; above, they become white gradually.
vec3 plain(vec3 color) {
    float peak = max(color.r, max(color.g, color.b)), over = max(peak - 1.0, 0.0);
    return mix(color / max(peak, 1.0), vec3(1.0), over / (over + 8.0));
}

// Exact to half a step of a byte, without a power: three square roots.
vec3 to_srgb(vec3 c) {
    vec3 a = sqrt(c), b = sqrt(a), d = sqrt(b);
    vec3 curve = 0.662002687 * a + 0.684122060 * b - 0.323583601 * d - 0.0225411470 * c;
    return mix(c * 12.92, curve, step(0.0031308, c));
}

void main() {
    vec4 color = texture(image, uv);
    float covered = clamp(color.a, 0.0, 1.0), unlit = clamp(color.a - 1.0, 0.0, 1.0);
    vec3 lit = color.rgb * exposure;
#ifdef BLOOM
    vec3 around = texture(glow, uv).rgb * bloom;
    lit += around;
    color.rgb += around;
#endif
    vec3 linear = mix(tone(lit), plain(color.rgb), unlit);
    vec3 shown = to_srgb(min(linear + background.rgb * (1.0 - covered), vec3(1.0)));
    // Noise of one step hides the edges between steps in a smooth sky.
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
    shown += noise * (1.0 - unlit) * (1.0 / 255.0);
    result = vec4(shown, covered + background.a * (1.0 - covered));
#ifdef OPAQUE
    result.a = dot(result.rgb, vec3(0.299, 0.587, 0.114));
#endif
}
