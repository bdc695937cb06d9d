// Terrain: squares of a quadtree, each an instance of one grid (src/gfx3d/ground/).
//
// GROUND_QUADS: quads along a side of the grid. LAYERS: kinds of ground. DEPTH_ONLY: for shadows and the depth pre-pass.
// HAS_SURFACE: the caller's shader has a function `surface`.

//! vertex
#include "frame.glsl"

layout(location = 0) in uvec4 grid;   // x, z
layout(location = 1) in uvec4 square; // column, row, level
layout(location = 2) in vec2 range;   // where it begins to blend into the next level, and 1 / the length of that

uniform highp sampler2D ground_heights;
uniform vec4 ground_position; // of the first value; w: the highest point
uniform vec3 ground_step;     // from value to value; y: the height of 1
uniform ivec2 ground_last;    // column and row

#ifndef DEPTH_ONLY
out vec3 position;
#endif

// As gfx3d_ground_point and gfx3d_ground_vertex (select.c) compute it.
vec3 point(uvec2 at) {
    ivec2 value = min(ivec2(at), ground_last);
    float height = texelFetch(ground_heights, value, 0).r;
    return ground_position.xyz + vec3(float(value.x), height, float(value.y)) * ground_step;
}

void main() {
    uvec2 at = square.xy * uint(GROUND_QUADS) + grid.xy;
    vec3 fine = point(at << square.z);
    vec3 coarse = point((at & ~1u) << square.z);
    vec3 away = vec3(fine.x - frame.eye.x, max(frame.eye.y - ground_position.w, 0.0), fine.z - frame.eye.z);
    float blend = clamp((length(away) - range.x) * range.y, 0.0, 1.0);
    vec3 world = fine * (1.0 - blend) + coarse * blend;
#ifndef DEPTH_ONLY
    position = world;
#endif
    gl_Position = frame.view_projection * vec4(world, 1.0);
}

//! fragment
#ifdef DEPTH_ONLY
void main() {}
#else
#include "frame.glsl"
#include "surface.glsl"
#include "light.glsl"

in vec3 position;
out vec4 filo_result;

uniform vec4 ground_position;
uniform vec3 ground_step;
uniform ivec2 ground_last;
uniform sampler2D ground_shape; // x and z of the normal, visible part of the sky, noise
uniform sampler2D ground_weights;
uniform sampler2DArray ground_images;
uniform vec4 layer_color[LAYERS]; // w: 1 / size
uniform vec4 layer_fit[LAYERS];   // height and slope, from and to
uniform vec4 layer_more[LAYERS];  // 1 / blend, roughness, channel of weights or -1, blend

const float SLOPE_BLEND = 0.12;

// 1 from low to high, fading to 0 within 1 / sharpness.
float fit(float value, float low, float high, float sharpness) {
    return clamp(min(value - low, high - value) * sharpness + 1.0, 0.0, 1.0);
}

float weight_of(int layer, float height, float slope, float noise, vec4 painted) {
    vec4 range = layer_fit[layer], more = layer_more[layer];
    float weight = fit(height + noise * more.w, range.x, range.y, more.x) *
                   fit(slope + noise * 0.35, range.z, range.w, 1.0 / SLOPE_BLEND);
    if (more.z > -0.5) weight *= dot(painted, vec4(equal(vec4(more.z), vec4(0.0, 1.0, 2.0, 3.0))));
    return weight;
}

// The image of a layer, at two scales against repetition: far away the larger one counts.
vec3 image_of(int layer, vec2 at, vec2 dx, vec2 dy, float far) {
    vec4 color = layer_color[layer];
    vec2 uv = at * color.w, gx = dx * color.w, gy = dy * color.w;
    vec3 small = textureGrad(ground_images, vec3(uv, float(layer)), gx, gy).rgb;
    mat2 turned = mat2(0.1056, 0.0794, -0.0794, 0.1056); // by 37 degrees, and 7.6 times as large
    vec3 large = textureGrad(ground_images, vec3(turned * uv, float(layer)), turned * gx, turned * gy).rgb;
    return color.rgb * mix(small, large, far);
}

float brightness(vec3 color) { return dot(color, vec3(0.3, 0.55, 0.15)); }

// Turns a normal as if brighter places were higher (Mikkelsen, Bump mapping unparametrized surfaces).
vec3 bumped(vec3 normal, vec3 dx, vec3 dy, float height) {
    vec3 r1 = cross(dy, normal), r2 = cross(normal, dx);
    float area = dot(dx, r1);
    vec3 slope = sign(area) * (dFdx(height) * r1 + dFdy(height) * r2);
    return normalize(abs(area) * normal - slope);
}

#ifdef HAS_SURFACE
#include "custom"
#endif

void main() {
    vec2 at = (position.xz - ground_position.xz) / ground_step.xz;
    vec4 shape = texture(ground_shape, (at + 0.5) / vec2(ground_last + 1));
    vec2 flat_normal = shape.xy;
    vec3 normal = vec3(flat_normal.x, sqrt(max(1.0 - dot(flat_normal, flat_normal), 0.01)), flat_normal.y);
    float slope = length(flat_normal) / normal.y, noise = shape.w - 0.5;
    vec4 painted = texture(ground_weights, at / vec2(ground_last));

    // A layer covers those before it. Of what is seen of each, the two largest are drawn. What the third has is subtracted,
    // so that nothing jumps where it takes over.
    float first = 0.0, second = 0.0, third = 0.0, left = 1.0;
    int one = 0, two = 0;
    for (int i = LAYERS - 1; i >= 0; i--) {
        float weight = weight_of(i, position.y, slope, noise, painted);
        float seen = weight * left;
        left -= seen;
        if (seen > first) {
            third = second, second = first, two = one;
            first = seen, one = i;
        } else if (seen > second) {
            third = second, second = seen, two = i;
        } else
            third = max(third, seen);
    }

    vec3 away = frame.eye - position;
    float distance = length(away), far = mix(0.3, 0.8, clamp(distance * 0.01, 0.0, 1.0));
    vec3 dx = dFdx(position), dy = dFdy(position);
    vec3 a = image_of(one, position.xz, dx.xz, dy.xz, far);
    vec3 b = image_of(two, position.xz, dx.xz, dy.xz, far);
    // What is bright is high: at a border the higher one covers the lower one.
    float wa = (first - third) * (0.15 + brightness(a)), wb = (second - third) * (0.15 + brightness(b));
    float mixed = smoothstep(0.25, 0.75, wb / max(wa + wb, 1e-5));
    vec3 color = mix(a, b, mixed);

    FiloSurface s = filo_surface(position, normal);
    s.color = vec4(color, 1.0);
    s.normal = bumped(normal, dx, dy, brightness(color) * 0.22 * clamp(1.5 - distance * 0.03, 0.0, 1.0));
    s.roughness = mix(layer_more[one].y, layer_more[two].y, mixed);
    s.occlusion = shape.z * (0.7 + 0.3 * clamp(brightness(color) * 3.0, 0.0, 1.0));
    s.uv = at;
#ifdef HAS_SURFACE
    surface(s);
#endif
    vec3 view = away / max(distance, 1e-4);
    filo_result = vec4(filo_fog(filo_light(s, view), position), 1.0);
}
#endif
