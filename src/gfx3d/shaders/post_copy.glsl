// Copies a picture. TARGET: that of a target, an array with one layer, of bytes in sRGB; the result is linear.

//! vertex
#include "post_screen.glsl"

//! fragment
#include "maths.glsl"
in vec2 uv;
out vec4 result;
#ifdef TARGET
uniform highp sampler2DArray image;
void main() {
    vec4 color = texture(image, vec3(uv, 0.0));
    result = vec4(filo_linear(color.rgb), color.a);
}
#else
uniform sampler2D image;
void main() { result = texture(image, uv); }
#endif
