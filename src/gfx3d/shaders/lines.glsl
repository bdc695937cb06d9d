// Lines for debugging. They are not lit, and have no fog.
#include "frame.glsl"
#include "maths.glsl"

//! vertex
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 color;
out vec4 shade;

void main() {
    gl_Position = frame.view_projection * vec4(position, 1.0);
    gl_Position.z -= 1e-5 * gl_Position.w; // in front of the surfaces that they lie on
    vec3 straight = color.a > 0.0 ? color.rgb / color.a : color.rgb;
    shade = vec4(filo_linear(straight) * (color.a > 0.0 ? color.a : 1.0), color.a);
}

//! fragment
in vec4 shade;
out vec4 result;

void main() { result = shade; }
