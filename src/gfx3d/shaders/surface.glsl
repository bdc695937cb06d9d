// A point of a surface, in fragment shaders: what light.glsl lights, and what a material's `surface` function changes.

struct FiloSurface {
    vec4 color;  // straight and linear
    vec3 normal; // in the world, of length 1
    float metallic;
    float roughness;
    float occlusion; // 1: the whole sky is seen
    vec3 emissive;
    vec3 position; // in the world
    vec2 uv;
    vec3 local;        // position in the mesh
    vec4 vertex_color; // of the vertex times that of the instance; it is in `color` already
    vec2 values;       // of the instance
};

// A rough white surface.
FiloSurface filo_surface(vec3 position, vec3 normal) {
    FiloSurface s;
    s.color = vec4(1.0);
    s.normal = normal;
    s.metallic = 0.0;
    s.roughness = 1.0;
    s.occlusion = 1.0;
    s.emissive = vec3(0.0);
    s.position = position;
    s.uv = vec2(0.0);
    s.local = vec3(0.0);
    s.vertex_color = vec4(1.0);
    s.values = vec2(0.0);
    return s;
}
