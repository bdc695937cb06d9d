// Lines for debugging. They are not lit, and have no fog.
#include "frame.glsl"
#include "maths.glsl"

//! vertex
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 color;
out vec4 shade;

void main() {
    // A little nearer, in front of the surfaces that they lie on.
    gl_Position = frame.view_projection * vec4(mix(position, frame.eye, 0.002), 1.0);
    vec3 straight = color.a > 0.0 ? color.rgb / color.a : color.rgb;
    shade = vec4(filo_linear(straight) * (color.a > 0.0 ? color.a : 1.0), color.a);
}

//! fragment
in vec4 shade;
out vec4 result;

void main() { result = shade; }
