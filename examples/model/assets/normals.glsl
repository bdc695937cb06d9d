// Shows the direction that a surface faces as a colour: x is red, y green, z blue, each from -1 (dark) to 1 (bright).
//! fragment
void surface(inout FiloSurface s) {
    vec3 direction = s.normal * 0.5 + 0.5;
    s.color.rgb = pow(direction, vec3(2.6)); // colours are linear here
}
