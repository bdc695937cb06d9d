// Copies an image to a whole target.

//! vertex
out vec2 uv;
void main() {
    uv = vec2(float(gl_VertexID & 1) * 2.0, float(gl_VertexID >> 1) * 2.0);
    gl_Position = vec4(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0, 0.0, 1.0);
}

//! fragment
in vec2 uv;
uniform sampler2D image;
layout(location = 0) out vec4 color;
void main() { color = texture(image, uv); }
