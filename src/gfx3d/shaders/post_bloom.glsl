// Light around bright parts. BRIGHT: the first step takes what is bright; SMALLER: half the size; LARGER: twice the size,
// added to what is there.

//! vertex
#include "post_screen.glsl"

//! fragment
uniform sampler2D image;
uniform vec2 texel; // size of one of the image, 0 to 1
uniform float exposure;
in vec2 uv;
out vec4 result;

#ifdef BRIGHT
// As it is shown: exposure is not for what is unlit (render/render.h).
vec3 read(vec2 offset) {
    vec4 color = texture(image, uv + offset * texel);
    return color.rgb * mix(exposure, 1.0, clamp(color.a - 1.0, 0.0, 1.0));
}
#else
vec3 read(vec2 offset) { return texture(image, uv + offset * texel).rgb; }
#endif

void main() {
#ifdef LARGER
    vec3 sum = read(vec2(-1.0, -1.0)) + read(vec2(1.0, -1.0)) + read(vec2(-1.0, 1.0)) + read(vec2(1.0, 1.0));
    result = vec4(sum * 0.25, 1.0);
#else
    vec3 a = read(vec2(-1.0, -1.0)), b = read(vec2(1.0, -1.0)), c = read(vec2(-1.0, 1.0)), d = read(vec2(1.0, 1.0));
#ifdef BRIGHT
    // Weighted by brightness, so that a single bright pixel does not flicker (Karis).
    vec4 w = vec4(max(a.r, max(a.g, a.b)), max(b.r, max(b.g, b.b)), max(c.r, max(c.g, c.b)),
                  max(d.r, max(d.g, d.b)));
    w = 1.0 / (1.0 + w);
    vec3 color = (a * w.x + b * w.y + c * w.z + d * w.w) / dot(w, vec4(1.0));
    float bright = max(color.r, max(color.g, color.b));
    float over = clamp(bright - 1.0, 0.0, 1.5);
    over = max(over * over * (1.0 / 3.0), bright - 1.75);
    result = vec4(min(color * (over / max(bright, 1e-4)), vec3(30.0)), 1.0);
#else
    result = vec4((a + b + c + d) * 0.25, 1.0);
#endif
#endif
}
