// Wind, in vertex shaders.

// By how much the air moves something at a height above its foot that is flexible from there on. Gusts travel over the land.
vec3 wind_at(vec3 foot, float height, float flexible, float seed) {
    float gust = 0.55 + 0.45 * sin(0.045 * foot.x + 0.032 * foot.z - 0.9 * frame.time);
    float sway = sin(1.7 * frame.time + 6.3 * seed) + 0.4 * sin(4.1 * frame.time + 23.0 * seed + height);
    float by = 0.012 * flexible * height * height * gust;
    return vec3(by * (1.1 + sway), -0.15 * by, by * 0.55 * sway);
}
