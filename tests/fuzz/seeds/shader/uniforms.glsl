#define COUNT 4
//! vertex
layout(std140) uniform Camera { mat4 view; vec4 eye[COUNT]; };
uniform mat4 joints[COUNT], other;
uniform highp vec2 offset[3];
void main() { gl_Position = view * joints[0] * other * vec4(offset[1], 0, 1); }
//! fragment
const int LIGHTS = 2;
uniform float strength[LIGHTS]; uniform sampler2D image;
#ifdef NEVER
uniform float never;
#else
uniform vec4 color = vec4(1);
#endif
out vec4 c;
void main() { c = color * strength[0] * texture(image, vec2(0)); }
