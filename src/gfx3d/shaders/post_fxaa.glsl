// Smooths edges (after FXAA 3.11 by Timothy Lottes): finds edges by brightness, follows each to both ends, and blends
// with the pixel beyond the edge by how near the end is. OPAQUE: alpha is the brightness (post_tone.glsl).

//! vertex
#include "post_screen.glsl"

//! fragment
uniform sampler2D image;
uniform vec2 texel; // size of one of the image, 0 to 1
uniform int steps;  // of the search. Not constant: drivers would unroll the loop, and never leave it early
in vec2 uv;
out vec4 result;


#ifdef OPAQUE
float luma(vec4 color) { return color.a; }
#else
float luma(vec4 color) { return dot(color.rgb, vec3(0.299, 0.587, 0.114)); }
#endif

void main() {
    ivec2 p = clamp(ivec2(uv / texel), ivec2(1), ivec2(1.0 / texel) - 2); // all neighbours are in the picture
    float m = luma(texelFetch(image, p, 0));
    float n = luma(texelFetchOffset(image, p, 0, ivec2(0, -1))), s = luma(texelFetchOffset(image, p, 0, ivec2(0, 1)));
    float e = luma(texelFetchOffset(image, p, 0, ivec2(1, 0))), w = luma(texelFetchOffset(image, p, 0, ivec2(-1, 0)));
    float highest = max(max(max(n, s), max(e, w)), m), lowest = min(min(min(n, s), min(e, w)), m);
    float range = highest - lowest;
    bool edge = range > max(0.05, highest * 0.125);
    float nw = luma(texelFetchOffset(image, p, 0, ivec2(-1, -1))), ne = luma(texelFetchOffset(image, p, 0, ivec2(1, -1)));
    float sw = luma(texelFetchOffset(image, p, 0, ivec2(-1, 1))), se = luma(texelFetchOffset(image, p, 0, ivec2(1, 1)));
    // How much the pixel differs from those around it: thin lines and single pixels.
    float mean = (2.0 * (n + s + e + w) + nw + ne + sw + se) * (1.0 / 12.0);
    float alone = smoothstep(0.0, 1.0, clamp(abs(mean - m) / max(range, 1e-4), 0.0, 1.0));
    alone = alone * alone * 0.75;
    float along_x = abs(nw + sw - 2.0 * w) + 2.0 * abs(n + s - 2.0 * m) + abs(ne + se - 2.0 * e);
    float along_y = abs(nw + ne - 2.0 * n) + 2.0 * abs(w + e - 2.0 * m) + abs(sw + se - 2.0 * s);
    bool horizontal = along_x >= along_y;
    float before = horizontal ? n : w, after = horizontal ? s : e;
    bool steep_before = abs(before - m) >= abs(after - m);
    float gradient = 0.25 * max(abs(before - m), abs(after - m));
    float edge_luma = 0.5 * (m + (steep_before ? before : after));
    vec2 across = (horizontal ? vec2(0.0, texel.y) : vec2(texel.x, 0.0)) * (steep_before ? -1.0 : 1.0);
    vec2 along = horizontal ? vec2(texel.x, 0.0) : vec2(0.0, texel.y);
    vec2 start = uv + across * 0.5;
    float left = 0.0, right = 0.0, left_luma = 0.0, right_luma = 0.0;
    bool left_end = !edge, right_end = !edge;
    for (int i = 0; i < steps; i++) {
        float stride = i < 3 ? 1.0 : i < 5 ? 2.0 : 4.0;
        left += left_end ? 0.0 : stride;
        right += right_end ? 0.0 : stride;
        float l = luma(textureLod(image, start - along * left, 0.0)) - edge_luma;
        float r = luma(textureLod(image, start + along * right, 0.0)) - edge_luma;
        left_luma = left_end ? left_luma : l;
        right_luma = right_end ? right_luma : r;
        left_end = left_end || abs(l) >= gradient;
        right_end = right_end || abs(r) >= gradient;
        if (left_end && right_end) break;
    }
    float nearest = min(left, right), end_luma = left < right ? left_luma : right_luma;
    bool crosses = (end_luma < 0.0) != (m - edge_luma < 0.0);
    float offset = crosses ? 0.5 - nearest / max(left + right, 1.0) : 0.0;
    offset = edge ? max(offset, alone) : 0.0;
    result = textureLod(image, uv + across * offset, 0.0);
#ifdef OPAQUE
    result.a = 1.0;
#endif
}
