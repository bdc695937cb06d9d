// Courtyard: walls, columns, lamps and water in the evening, to walk through. The second part of the tutorial
// (docs/tutorial-3d.md) builds it step by step. It shows
//   - meshes, a sun with shadows, a sky, point lights, particles;
//   - materials with textures that are made by code, and one with a shader of its own;
//   - a camera that walks, and a system that keeps it inside.
//
// W A S D walk, the mouse looks while its right button is held, Shift runs.
//
// Try: ./dev run courtyard
//      ./dev run courtyard --backend gl --headless --frames 60 --shot courtyard.png

#include <filo/filo.h>

#include <stdio.h>

#define SIDE       16.0f // of the courtyard, in units; a unit is a metre
#define WALL       3.2f  // height
#define EYE_HEIGHT 1.7f
#define COLUMNS    10
#define TEXTURE    128 // pixels

// ---- Components -----------------------------------------------------------------------------------------------------

typedef struct Turn {
    float speed; // radians a second
} Turn;
FILO_REFLECT(Turn, FILO_FIELD(float, speed, .unit = "rad/s"))

// ---- Systems --------------------------------------------------------------------------------------------------------

// Keeps what walks on its feet and inside of the walls.
static void stay_inside(FiloIter *it) {
    FiloTransform3 *transform = filo_write(it, FiloTransform3);
    const float limit = SIDE / 2 - 0.6f;
    for (size_t i = 0; i < it->count; i++) {
        FiloVec3 *p = &transform[i].position;
        *p = filo_vec3(filo_clamp(p->x, -limit, limit), EYE_HEIGHT, filo_clamp(p->z, -limit, limit));
        float distance = filo_sqrt(p->x * p->x + p->z * p->z), least = 3;
        if (distance < least && distance > 0)
            *p = filo_vec3(p->x * least / distance, p->y, p->z * least / distance);
    }
}

static void turn(FiloIter *it) {
    const Turn *turns = filo_read(it, Turn);
    FiloTransform3 *transform = filo_write(it, FiloTransform3);
    for (size_t i = 0; i < it->count; i++) {
        FiloQuat step = filo_quat_from_axis_angle(filo_vec3(0, 1, 0), turns[i].speed * it->delta);
        transform[i].rotation = filo_quat_mul(step, filo_quat_normalise(transform[i].rotation));
    }
}

static FiloResult define(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    filo_system_add(
        world, &(FiloSystemDesc){ .name = "stay inside",
                                  .run = stay_inside,
                                  .query.terms = { FILO_WRITE(FiloTransform3), FILO_WITH(FiloFlight) } });
    filo_component(world, Turn);
    filo_system_add(world,
                    &(FiloSystemDesc){ .name = "turn",
                                       .run = turn,
                                       .parallel = true,
                                       .query.terms = { FILO_READ(Turn), FILO_WRITE(FiloTransform3) } });
    return filo_ok();
}

// ---- Setup ----------------------------------------------------------------------------------------------------------

// A box that stands on `foot`.
static void add_box(FiloWorld *world, FiloVec3 foot, FiloVec3 size, const char *material) {
    filo_create(world,
                FILO_SET(FiloTransform3, .position = { foot.x, foot.y + size.y / 2, foot.z }, .scale = size),
                FILO_SET(FiloMesh, .mesh = filo_name("box"), .material = filo_name(material)));
}

// Four boxes around the middle: walls, or the rim of a basin.
static void add_square(FiloWorld *world, float side, float thickness, float height, const char *material) {
    for (int i = 0; i < 4; i++) {
        FiloSinCos at = filo_sincos(FILO_PI / 2 * (float)i);
        FiloVec3 along_x = { side + thickness, height, thickness },
                 along_z = { thickness, height, side + thickness };
        add_box(world, filo_vec3(side / 2 * at.cos, 0, side / 2 * at.sin), i % 2 == 0 ? along_z : along_x,
                material);
    }
}

static void build_walls(FiloWorld *world) {
    filo_create(world, FILO_SET(FiloTransform3, .scale = { SIDE, 1, SIDE }),
                FILO_SET(FiloMesh, .mesh = filo_name("plane"), .material = filo_name("tiles")));
    add_square(world, SIDE, 0.6f, WALL, "bricks");
}

static void add_sun(FiloWorld *world) {
    FiloVec3 direction = { 0.8f, -0.32f, -0.35f };
    filo_create(world, FILO_SET(FiloTransform3, .rotation = filo_quat_look(direction, filo_vec3(0, 1, 0))),
                FILO_SET(FiloLight, .shadows = true, .color = filo_color_from_hex(0xFFD9A8FF), .intensity = 4,
                         .shadow_distance = 40));
    filo_set_global(world, FiloEnvironment, .haze = 0.25f, .exposure = -0.6f, .bloom = 0.3f);
}

// How high a wall of stones is at a point of its texture: 0 in the joints, up to 1 on the stones.
static float stone_height(float x, float y, int columns, int rows) {
    float row = filo_floor(y * (float)rows), u = x * (float)columns + 0.5f * row, v = y * (float)rows;
    uint32_t stone = (uint32_t)row % (uint32_t)rows * 64 + (uint32_t)u % (uint32_t)columns;
    FiloRandom random = filo_random_keyed(7, 0, 0, stone);
    u -= filo_floor(u);
    v -= row;
    float edge = filo_min(filo_min(u, 1 - u) * (float)rows / (float)columns, filo_min(v, 1 - v));
    return filo_smoothstep(0.03f, 0.12f, edge) * (0.8f + 0.2f * filo_random_float(&random));
}

// Paints stones: their colour, and the direction of their surface as red, green and blue.
static void paint_stones(FiloPixels *colors, FiloPixels *normals, FiloVec3 color, int columns, int rows) {
    for (int i = 0; i < TEXTURE * TEXTURE; i++) {
        float x = (float)(i % TEXTURE) / TEXTURE, y = (float)(i / TEXTURE) / TEXTURE, step = 1.0f / TEXTURE;
        float height = stone_height(x, y, columns, rows), shade = 0.6f + 0.4f * height;
        FiloVec3 slope = { height - stone_height(x + step, y, columns, rows),
                           stone_height(x, y + step, columns, rows) - height, 0.7f };
        FiloVec3 normal = filo_vec3_scale(filo_vec3_normalise(slope), 0.5f);
        *filo_pixels_at(colors, i % TEXTURE, i / TEXTURE) =
            filo_color_from_straight(filo_vec4(color.x * shade, color.y * shade, color.z * shade, 1));
        *filo_pixels_at(normals, i % TEXTURE, i / TEXTURE) =
            filo_color_from_straight(filo_vec4(0.5f + normal.x, 0.5f + normal.y, 0.5f + normal.z, 1));
    }
}

// A material of stones, with two textures.
static FiloResult add_stone(FiloGfx3d *gfx, const char *name, FiloVec3 color, int columns, int rows,
                            FiloVec2 repeat) {
    char color_map[64], normal_map[64];
    snprintf(color_map, sizeof color_map, "%s color", name);
    snprintf(normal_map, sizeof normal_map, "%s normal", name);
    FiloPixels colors = { 0 }, normals = { 0 };
    FiloResult r = filo_error(FILO_ERROR_MEMORY, "no memory for textures");
    if (filo_pixels_create(&colors, TEXTURE, TEXTURE, NULL) &&
        filo_pixels_create(&normals, TEXTURE, TEXTURE, NULL)) {
        paint_stones(&colors, &normals, color, columns, rows);
        r = filo_gfx3d_add_texture(gfx, filo_name(color_map), &colors, false);
        if (r.code == FILO_OK) r = filo_gfx3d_add_texture(gfx, filo_name(normal_map), &normals, true);
    }
    filo_pixels_free(&colors, NULL);
    filo_pixels_free(&normals, NULL);
    if (r.code != FILO_OK) return r;
    return filo_gfx3d_add_material(
        gfx, filo_name(name),
        &(FiloMaterialDesc){
            .values = { FILO_VEC2("uv_scale", repeat.x, repeat.y), FILO_FLOAT("roughness", 0.85f) },
            .textures = { { .name = "color_map", .image = filo_name(color_map) },
                          { .name = "normal_map", .image = filo_name(normal_map) } } });
}

static FiloResult add_plain_materials(FiloGfx3d *gfx) {
    FiloResult r = filo_gfx3d_add_material(
        gfx, filo_name("gold"),
        &(FiloMaterialDesc){ .values = { FILO_VEC4("color", 1, 0.72f, 0.3f, 1), FILO_FLOAT("metallic", 1),
                                         FILO_FLOAT("roughness", 0.25f) } });
    if (r.code == FILO_OK)
        r = filo_gfx3d_add_material(
            gfx, filo_name("marble"),
            &(FiloMaterialDesc){
                .values = { FILO_VEC4("color", 0.55f, 0.52f, 0.47f, 1), FILO_FLOAT("roughness", 0.4f) } });
    if (r.code == FILO_OK)
        r = filo_gfx3d_add_material(
            gfx, filo_name("glow"),
            &(FiloMaterialDesc){
                .own_light = true,
                .values = { FILO_VEC4("color", 0, 0, 0, 1), FILO_VEC3("emissive", 5, 2.2f, 0.7f) } });
    return r;
}

static void build_columns(FiloWorld *world) {
    for (int i = 0; i < COLUMNS; i++) {
        FiloSinCos at = filo_sincos(FILO_TAU * ((float)i + 0.5f) / COLUMNS);
        FiloVec3 foot = { 5.5f * at.cos, 0, 5.5f * at.sin };
        add_box(world, foot, filo_vec3(0.9f, 0.3f, 0.9f), "marble");
        add_box(world, filo_vec3(foot.x, 2.7f, foot.z), filo_vec3(0.8f, 0.25f, 0.8f), "marble");
        filo_create(
            world,
            FILO_SET(FiloTransform3, .position = { foot.x, 1.5f, foot.z }, .scale = { 0.55f, 2.4f, 0.55f }),
            FILO_SET(FiloMesh, .mesh = filo_name("cylinder"), .material = filo_name("marble")));
    }
}

static void add_statue(FiloWorld *world) {
    add_box(world, filo_vec3(0, 0, 0), filo_vec3(0.9f, 1, 0.9f), "marble");
    filo_create(world,
                FILO_SET(FiloTransform3, .position = { 0, 2, 0 }, .scale = { 1.1f, 1.1f, 1.1f },
                         .rotation = filo_quat_from_axis_angle(filo_vec3(1, 0, 0.5f), 1.2f)),
                FILO_SET(FiloMesh, .mesh = filo_name("torus"), .material = filo_name("gold")),
                FILO_SET(Turn, .speed = 0.6f));
}

static void hang_lamps(FiloWorld *world) {
    for (int i = 1; i < COLUMNS; i += 2) {
        FiloSinCos at = filo_sincos(FILO_TAU * (float)i / COLUMNS);
        FiloVec3 position = { 5.5f * at.cos, 2.1f, 5.5f * at.sin };
        filo_create(world, FILO_SET(FiloTransform3, .position = position, .scale = { 0.18f, 0.24f, 0.18f }),
                    FILO_SET(FiloMesh, .mesh = filo_name("sphere"), .material = filo_name("glow"),
                             .flags = FILO_MESH_NO_SHADOW),
                    FILO_SET(FiloLight, .kind = FILO_LIGHT_POINT, .range = 7, .intensity = 6,
                             .color = filo_color_from_hex(0xFFB060FF)));
    }
}

static void add_fireflies(FiloWorld *world) {
    filo_create(world, FILO_SET(FiloTransform3, .position = { 0, 1.4f, 0 }),
                FILO_SET(FiloParticles, .rate = 14, .seconds = 7, .age = 7, .box = { 11, 2, 11 },
                         .velocity = { 0, 0.1f, 0 }, .spread = { 0.25f, 0.15f, 0.25f }, .size = 0.045f,
                         .add = true, .brightness = 8, .color = filo_color_from_hex(0xFFE070FF)));
}

// Waves in the vertices; the surface is clear where it is seen from above, and like a mirror where it is not.
static const char *water_shader =
    "//! vertex\n"
    "void vertex(inout FiloVertex v) {\n"
    "    vec2 p = v.position.xz * 3.0;\n"
    "    float t = frame.time * 1.5;\n"
    "    v.position.y += 0.02 * (sin(p.x + t) + sin(p.y * 1.3 - t) + sin(length(p) * 2.0 - t * 2.0));\n"
    "    v.normal = normalize(vec3(-0.1 * cos(p.x + t), 1.0, 0.1 * cos(p.y * 1.3 - t)));\n"
    "}\n"
    "//! fragment\n"
    "void surface(inout FiloSurface s) {\n"
    "    float facing = max(dot(s.normal, normalize(frame.eye - s.position)), 0.0);\n"
    "    s.color.a = mix(0.95, 0.45, facing);\n"
    "}\n";

static FiloResult add_water(FiloGfx3d *gfx, FiloWorld *world) {
    FiloMeshData grid;
    FiloResult r =
        filo_mesh_plane(&grid, &(FiloPlaneDesc){ .size = { 4, 4 }, .columns = 48, .rows = 48 }, NULL);
    if (r.code == FILO_OK) r = filo_gfx3d_add_mesh(gfx, filo_name("water"), &grid);
    filo_mesh_free(&grid, NULL);
    if (r.code == FILO_OK)
        r = filo_gfx3d_add_material(
            gfx, filo_name("water"),
            &(FiloMaterialDesc){
                .source = water_shader,
                .mode = FILO_MATERIAL_BLEND,
                .values = { FILO_VEC4("color", 0.02f, 0.09f, 0.1f, 1), FILO_FLOAT("roughness", 0.08f) } });
    filo_create(world, FILO_SET(FiloTransform3, .position = { 0, 0.35f, 0 }),
                FILO_SET(FiloMesh, .mesh = filo_name("water"), .material = filo_name("water")));
    add_square(world, 4, 0.4f, 0.5f, "marble"); // the rim of the basin
    return r;
}

static FiloResult create(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    filo_create(world,
                FILO_SET(FiloTransform3, .position = { 2.2f, EYE_HEIGHT, 7 },
                         .rotation = filo_quat_look(filo_vec3(-2.9f, -0.3f, -7), filo_vec3(0, 1, 0))),
                FILO_SET(FiloFlight, .walk = true, .speed = 3, .fast = 2),
                FILO_SET(FiloCamera3, .field_of_view = 1.1f));
    build_walls(world);
    add_sun(world);
    FiloGfx3d *gfx = filo_app_gfx3d(app);
    FiloResult r = add_stone(gfx, "bricks", filo_vec3(0.75f, 0.5f, 0.38f), 4, 8, filo_vec2(8, 2));
    if (r.code == FILO_OK) r = add_stone(gfx, "tiles", filo_vec3(0.62f, 0.6f, 0.55f), 4, 4, filo_vec2(5, 5));
    if (r.code == FILO_OK) r = add_plain_materials(gfx);
    build_columns(world);
    add_statue(world);
    hang_lamps(world);
    add_fireflies(world);
    if (r.code == FILO_OK) r = add_water(gfx, world);
    if (r.code != FILO_OK) return r;
    return filo_ok();
}

// ---- Main -----------------------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    const FiloAppDesc desc = {
        .name = "courtyard",
        .summary = "A courtyard in the evening, to walk through.",
        .window = { .title = "Courtyard", .width = 960, .height = 540 },
        .gfx3d = true,
        .create = create,
        .define = define,
    };
    return filo_run(argc, argv, &desc);
}
