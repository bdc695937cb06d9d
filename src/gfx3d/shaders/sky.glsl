// The sky, behind everything. IMAGE: a picture of all directions; otherwise the computed one (lights/atmosphere.h), with
// NIGHT: stars.

//! vertex
#include "frame.glsl"
uniform vec2 spread; // half the width and height of the view at distance 1; of parallel rays 0
out vec3 ray;
void main() {
    vec2 corner = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * 2.0 - 1.0;
    gl_Position = vec4(corner, 1.0, 1.0);
    vec3 right = vec3(frame.view[0].x, frame.view[1].x, frame.view[2].x);
    vec3 up = vec3(frame.view[0].y, frame.view[1].y, frame.view[2].y);
    ray = frame.forward + right * (corner.x * spread.x) + up * (corner.y * spread.y);
}

//! fragment
#include "environment.glsl"
in vec3 ray;
out vec4 result;

#ifdef IMAGE
uniform sampler2D image;
uniform vec2 turn; // about y, 1 is a whole turn; brightness

vec3 sky(vec3 d) {
    float u = atan(d.x, -d.z) * 0.15915494 + turn.x + 0.5;
    float v = acos(clamp(d.y, -1.0, 1.0)) * 0.31830989;
    // The level is given, because the derivative of u is wrong where the picture begins again.
    return textureLod(image, vec2(u, clamp(v, 0.001, 0.999)), 0.0).rgb * turn.y;
}
#else
uniform sampler2D table;
uniform float light;     // of the sun on a white surface
uniform vec3 haze_light; // the same in the colour of haze
uniform vec3 to_sun;
#ifdef NIGHT
uniform float night; // strength of stars

// Stars: one in some of the cells of a cube around the eye.
float stars(vec3 d) {
    vec3 p = d * 90.0;
    vec3 cell = floor(p);
    vec3 h = fract(cell * vec3(0.1031, 0.1030, 0.0973));
    h += dot(h, h.yxz + 33.33);
    h = fract((h.xxy + h.yxx) * h.zyx);
    vec3 offset = p - cell - 0.5 - (h - 0.5) * 0.6;
    float near = max(1.0 - dot(offset, offset) * 22.0, 0.0);
    return step(0.93, h.z) * near * near * (0.15 + h.x * h.y);
}
#endif

vec3 sky(vec3 d) {
    float level = inversesqrt(max(dot(d.xz, d.xz) * dot(to_sun.xz, to_sun.xz), 1e-10));
    float around = clamp(dot(d.xz, to_sun.xz) * level, -1.0, 1.0);
    vec2 at = vec2(around, d.y < 0.0 ? -sqrt(-d.y) : sqrt(d.y)) * 0.5 + 0.5;
    vec4 scattered = texture(table, at);
    float cosine = dot(d, to_sun);
    float base = 1.5776 - 1.52 * cosine; // Henyey and Greenstein, g = 0.76, times π
    float phase = 0.1056 * inversesqrt(base) / base;
    vec3 color = scattered.rgb * light + haze_light * (scattered.a * phase);
    // The sun itself: larger than in nature, as in pictures.
    float disc = smoothstep(0.99991, 0.99996, cosine) * smoothstep(-0.012, 0.004, d.y);
    color += frame.sun_color * (disc * 24.0);
#ifdef NIGHT
    color += vec3(0.8, 0.9, 1.0) * (night * stars(d) * smoothstep(0.0, 0.15, d.y));
#endif
    return color;
}
#endif

void main() {
    vec3 d = normalize(ray);
    vec3 color = sky(d);
    // Fog up to the far end of the view. It thins out with height here even if it does not elsewhere, so that there is
    // a sky above it.
    if (frame.fog_density > 0.0) {
        float falloff = max(frame.fog_falloff, 8.0 / frame.far);
        float height = max(frame.eye.y - frame.fog_height, 0.0);
        float amount = filo_sky_fog(d.y, falloff, height);
        color = mix(color, filo_fog_color(d), amount);
    }
    result = vec4(color, 1.0);
}
