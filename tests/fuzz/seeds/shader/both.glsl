uniform float time;
//! vertex
void main() {}
//! fragment
out vec4 c;
void main() {}
