//! vertex
uniform float wave;
void vertex(inout FiloVertex v) { v.position.y += wave * sin(v.position.x * 4.0 + frame.time); }
//! fragment
void surface(inout FiloSurface s) { s.color.rgb *= s.uv.y > 0.5 ? vec3(0.9,0.1,0.1) : vec3(0.9); }
