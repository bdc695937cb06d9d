//!fragment
vec4 sprite(vec4 t, vec2 p, vec4 c) { return t * c; }
