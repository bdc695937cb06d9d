// Suns, points and spots of the world → the Frame block of each view.

#include "gfx3d/lights/lights.h"

#include "base/suggest.h"

#include <filo/log.h>

// The exposure of 0 stops: a grey surface in the default sun is then in the middle of what a screen shows.
#define EXPOSURE 0.8f

// ---- Creating -------------------------------------------------------------------------------------------------

static FiloResult make_depth_array(FiloGfx3d *gfx, FiloTexture *texture, int size, int layers) {
    return filo_gpu_texture_create(texture, gfx->gpu,
                                   &(FiloTextureDesc){ .label = "shadows",
                                                       .format = FILO_TEXTURE_DEPTH24,
                                                       .width = size,
                                                       .height = size,
                                                       .layers = layers,
                                                       .linear = true,
                                                       .target = true,
                                                       .compare = true });
}

static FiloResult make_shadow_map(FiloGfx3d *gfx) {
    Gfx3dLights *lights = gfx->lights;
    lights->shadow_layers = gfx->desc.shadow_cascades;
    FiloResult r = make_depth_array(gfx, &lights->no_shadow_map, 1, 1);
    if (r.code == FILO_OK)
        r = make_depth_array(gfx, &lights->shadow_map, gfx->desc.shadow_size, lights->shadow_layers);
    for (int i = 0; i < lights->shadow_layers && r.code == FILO_OK; i++)
        r = filo_gpu_target_create(
            &lights->shadow_targets[i], gfx->gpu,
            &(FiloRenderTargetDesc){ .label = "cascade", .depth = lights->shadow_map, .layer = i });
    return r;
}

FiloResult gfx3d_lights_init(FiloGfx3d *gfx) {
    Gfx3dLights *lights = gfx->lights = filo_alloc_zero(gfx->allocator, sizeof *lights, 0);
    if (lights == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for lights");
    lights->lamps.allocator = gfx->allocator;
    lights->query =
        filo_query(gfx->world, FILO_READ(FiloTransform3), FILO_READ(FiloLight),
                   FILO_OPTIONAL_READ(FiloPreviousTransform3), FILO_OPTIONAL_READ(FiloWorldTransform3));
    if (lights->query == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for the query of lights");
    FiloResult r = make_shadow_map(gfx);
    return r.code == FILO_OK ? gfx3d_sky_init(gfx) : r;
}

void gfx3d_lights_deinit(FiloGfx3d *gfx) {
    Gfx3dLights *lights = gfx->lights;
    if (lights == NULL) return;
    gfx3d_sky_deinit(gfx);
    for (int i = 0; i < GFX3D_CASCADES; i++) filo_gpu_target_destroy(gfx->gpu, lights->shadow_targets[i]);
    filo_gpu_texture_destroy(gfx->gpu, lights->shadow_map);
    filo_gpu_texture_destroy(gfx->gpu, lights->no_shadow_map);
    filo_query_release(lights->query);
    filo_array_deinit(&lights->lamps);
    filo_free(gfx->allocator, lights, sizeof *lights, 0);
    gfx->lights = NULL;
}

// ---- Lights of the world --------------------------------------------------------------------------------------

FiloVec3 gfx3d_linear_color(FiloColor color, FiloVec3 if_zero) {
    if (color.r == 0 && color.g == 0 && color.b == 0 && color.a == 0) return if_zero;
    FiloVec4 c = filo_color_to_straight(color);
    float *parts[] = { &c.x, &c.y, &c.z };
    for (int i = 0; i < 3; i++) {
        float x = *parts[i];
        *parts[i] = x <= 0.04045f ? x * (1.0f / 12.92f) : filo_pow((x + 0.055f) * (1.0f / 1.055f), 2.4f);
    }
    return filo_vec4_xyz(c);
}

// Numbers of a component that are not finite, or negative, count as 0.
static float positive(float x, float if_zero) { return x > 0.0f && x < 1e30f ? x : if_zero; }

// Says once of a light that it has a number that cannot be.
static void check_light(FiloEntity entity, const FiloLight *light) {
    const struct {
        const char *name;
        float value;
    } numbers[] = { { "intensity", light->intensity },
                    { "range", light->range },
                    { "inner", light->inner },
                    { "outer", light->outer },
                    { "shadow_distance", light->shadow_distance } };
    for (size_t i = 0; i < FILO_COUNT_OF(numbers); i++)
        if (FILO_UNLIKELY(!(numbers[i].value >= 0)) && base_first_time_id(numbers[i].name, entity.id))
            filo_log_warn("gfx3d",
                          "the light (entity %u) has the %s %g, which counts as 0, so as the default: it "
                          "must be positive",
                          filo_entity_index(entity), numbers[i].name, (double)numbers[i].value);
}

static void add_sun(Gfx3dLights *lights, const FiloLight *light, FiloVec3 axis) {
    Gfx3dSun sun = { .found = true, .direction = filo_vec3_normalise(axis), .shadows = light->shadows };
    if (!(filo_vec3_length_squared(sun.direction) > 0.5f)) return;
    sun.color =
        filo_vec3_scale(gfx3d_linear_color(light->color, filo_vec3(1, 1, 1)), positive(light->intensity, 3));
    sun.shadow_distance = positive(light->shadow_distance, 100);
    const FiloVec3 *a = &sun.color, *b = &lights->sun.color;
    if (!lights->sun.found || a->x + a->y + a->z > b->x + b->y + b->z) lights->sun = sun;
}

static void add_lamp(Gfx3dLights *lights, FiloEntity entity, const FiloLight *light, const FiloMat4 *matrix) {
    float range = positive(light->range, 20);
    FiloVec3 color =
        filo_vec3_scale(gfx3d_linear_color(light->color, filo_vec3(1, 1, 1)), positive(light->intensity, 10));
    Gfx3dLamp lamp = { .range = range, .entity = entity };
    lamp.light = (Gfx3dFrameLight){ .position = filo_vec3(matrix->m[12], matrix->m[13], matrix->m[14]),
                                    .inverse_square_range = 1.0f / (range * range),
                                    .color = color,
                                    .spot_offset = 1.0f };
    FiloVec3 axis = filo_vec3_normalise(filo_vec3(-matrix->m[8], -matrix->m[9], -matrix->m[10]));
    lamp.light.direction = axis;
    if (light->kind == FILO_LIGHT_SPOT) {
        float outer = filo_clamp(positive(light->outer, 0.5f), 0.01f, 1.55f);
        float inner = filo_clamp(positive(light->inner, filo_min(0.35f, outer * 0.7f)), 0.0f, outer - 0.005f);
        float edge = filo_cos(outer);
        lamp.light.spot_scale = 1.0f / filo_max(filo_cos(inner) - edge, 1e-4f);
        lamp.light.spot_offset = -edge * lamp.light.spot_scale;
    }
    (void)filo_array_push(&lights->lamps, lamp);
}

void gfx3d_lights_extract(FiloGfx3d *gfx) {
    Gfx3dLights *lights = gfx->lights;
    lights->frame++;
    lights->sun = (Gfx3dSun){ 0 };
    filo_array_clear(&lights->lamps);
    FiloIter it = filo_query_iter(lights->query);
    while (filo_iter_next(&it)) {
        const FiloLight *found = filo_read(&it, FiloLight);
        const FiloTransform3 *transforms = filo_read(&it, FiloTransform3);
        const FiloPreviousTransform3 *previous = filo_read(&it, FiloPreviousTransform3);
        const FiloWorldTransform3 *worlds = filo_read(&it, FiloWorldTransform3);
        for (size_t i = 0; i < it.count; i++) {
            FiloEntity entity = filo_iter_entity(&it, i);
            if (gfx3d_is_concealed(gfx, filo_entity_index(entity))) continue;
            FiloMat4 matrix =
                gfx3d_drawn_matrix(gfx, entity, &transforms[i], previous != NULL ? &previous[i] : NULL,
                                   worlds != NULL ? &worlds[i] : NULL);
            check_light(entity, &found[i]);
            if (found[i].kind == FILO_LIGHT_SUN)
                add_sun(lights, &found[i], filo_vec3(matrix.m[8], matrix.m[9], matrix.m[10]));
            else
                add_lamp(lights, entity, &found[i], &matrix);
        }
    }
    const FiloEnvironment *environment = filo_get_global(gfx->world, FiloEnvironment);
    lights->environment = environment != NULL ? *environment : (FiloEnvironment){ 0 };
    gfx3d_sky_update(gfx);
    gfx->stats.lights = lights->lamps.count + (lights->sun.found ? 1 : 0);
}

// ---- Shadows --------------------------------------------------------------------------------------------------

static bool has_shadows(const Gfx3dLights *lights) {
    FiloVec3 color = gfx3d_sky_sun_color(lights);
    return lights->sun.found && lights->sun.shadows && color.x + color.y + color.z > 1e-3f;
}

static void describe_cascades(const FiloGfx3d *gfx, const Gfx3dView *camera, Gfx3dCascadesDesc *desc) {
    const Gfx3dLights *lights = gfx->lights;
    *desc = (Gfx3dCascadesDesc){ .eye = camera->eye,
                                 .forward = camera->forward,
                                 .orthographic = camera->orthographic,
                                 .half_width = 1.0f / camera->projection.m[0],
                                 .half_height = 1.0f / camera->projection.m[5],
                                 .near = camera->near,
                                 .distance =
                                     filo_clamp(lights->sun.shadow_distance, camera->near * 2, camera->far),
                                 .to_sun = lights->sun.direction,
                                 .count = lights->shadow_layers,
                                 .size = gfx->desc.shadow_size };
}

void gfx3d_lights_add_shadows(FiloGfx3d *gfx, Gfx3dView *camera) {
    if (!has_shadows(gfx->lights)) return;
    Gfx3dCascadesDesc desc;
    Gfx3dCascade cascades[GFX3D_CASCADES];
    Gfx3dSunAxes axes;
    describe_cascades(gfx, camera, &desc);
    gfx3d_cascades(cascades, &axes, &desc);
    for (int i = 0; i < desc.count; i++) {
        Gfx3dView *view = gfx3d_view_add(gfx);
        if (view == NULL) return;
        view->camera = camera->camera;
        view->shadow = true;
        view->cascade = i;
        view->width = view->height = desc.size;
        view->view = cascades[i].view;
        view->projection = cascades[i].projection;
        view->orthographic = true;
        view->near = 0.0f;
        view->far = 2.0f / -cascades[i].projection.m[10];
        view->settings = camera->settings;
        view->eye = camera->eye;
        view->forward = camera->forward;
        // Levels of detail are those of the camera, as far as it is the same mesh that casts the shadow.
        view->pixels_per_unit = camera->pixels_per_unit;
        view->orthographic = camera->orthographic;
        gfx3d_view_update(view);
        camera->shadows[i] = view;
    }
}

FiloRenderTarget gfx3d_shadow_target(FiloGfx3d *gfx, const Gfx3dView *view) {
    return gfx->lights->shadow_targets[FILO_CLAMP(view->cascade, 0, GFX3D_CASCADES - 1)];
}

// ---- Which lights a view shows --------------------------------------------------------------------------------

// How much a light matters: its brightness where it is nearest to the eye.
static float influence(const Gfx3dLamp *lamp, FiloVec3 eye) {
    FiloVec3 c = lamp->light.color;
    float distance = filo_max(filo_vec3_distance(eye, lamp->light.position) - lamp->range, 0.0f);
    float brightness = (c.x + c.y + c.z) * lamp->range;
    return brightness / (1.0f + distance * distance);
}

// Inserts a key into a list that is sorted from the highest on, and has at most GFX3D_LIGHTS of them.
static void keep_highest(uint64_t *keys, size_t *count, uint64_t key) {
    if (*count == GFX3D_LIGHTS && key < keys[*count - 1]) return;
    size_t at = *count < GFX3D_LIGHTS ? (*count)++ : GFX3D_LIGHTS - 1;
    for (; at > 0 && keys[at - 1] < key; at--) keys[at] = keys[at - 1];
    keys[at] = key;
}

// Chooses at most GFX3D_LIGHTS, and puts them into the tiles that they reach, those that matter most first. Of two that
// matter equally, the first in the world comes first. Bits of positive floats are ordered as the floats are.
static void choose_lamps(const Gfx3dLights *lights, const Gfx3dView *view, Gfx3dFrameBlock *block) {
    uint64_t keys[GFX3D_LIGHTS];
    size_t count = 0, reach = 0;
    for (size_t i = 0; i < lights->lamps.count; i++) {
        const Gfx3dLamp *lamp = &lights->lamps.items[i];
        if (gfx3d_view_misses(view, lamp->light.position, lamp->range)) continue;
        reach++;
        uint64_t matters = filo_float_to_bits(influence(lamp, view->eye));
        keep_highest(keys, &count, matters << 32 | (UINT32_MAX - (uint32_t)i));
    }
    if (reach > GFX3D_LIGHTS && base_first_time_id("lights of a camera", view->camera.id))
        filo_log_warn(
            "gfx3d",
            "%zu lights reach into the view of the camera (entity %u), and it shows the %d that matter most: "
            "give them smaller ranges",
            reach, filo_entity_index(view->camera), GFX3D_LIGHTS);
    Gfx3dTilesDesc tiles = { view->view, view->projection, view->orthographic, view->near };
    for (size_t i = 0; i < count; i++) {
        const Gfx3dLamp *lamp = &lights->lamps.items[UINT32_MAX - (uint32_t)keys[i]];
        block->lights[i] = lamp->light;
        gfx3d_tiles_add(block->light_tiles, &tiles, (int)i, lamp->light.position, lamp->range);
    }
    block->light_count = (int32_t)count;
}

// ---- Exposure -------------------------------------------------------------------------------------------------

Gfx3dExposure gfx3d_lights_exposure(const FiloGfx3d *gfx, const Gfx3dView *view) {
    const FiloEnvironment *e = &gfx->lights->environment;
    float stops = filo_clamp(view->settings.exposure, -20, 20) + filo_clamp(e->exposure, -20, 20);
    return (Gfx3dExposure){ EXPOSURE * filo_exp2(stops), filo_clamp01(e->bloom) };
}

// ---- Blocks ---------------------------------------------------------------------------------------------------

static void write_shadows(const FiloGfx3d *gfx, const Gfx3dView *view, Gfx3dFrameBlock *block) {
    Gfx3dCascadesDesc desc;
    Gfx3dCascade cascades[GFX3D_CASCADES];
    Gfx3dSunAxes axes;
    describe_cascades(gfx, view, &desc);
    gfx3d_cascades(cascades, &axes, &desc);
    float ends[GFX3D_CASCADES];
    for (int i = 0; i < GFX3D_CASCADES; i++) {
        const Gfx3dCascade *cascade = &cascades[FILO_MIN(i, desc.count - 1)];
        ends[i] = i < desc.count - 1 ? cascade->end : 1e30f;
        block->cascades[i] =
            filo_vec4(cascade->offset.x, cascade->offset.y, cascade->scale.x, cascade->texel);
    }
    block->sun_x = axes.axes[0];
    block->sun_y = axes.axes[1];
    block->sun_z = filo_vec3_scale(axes.axes[2], axes.depth_scale);
    block->sun_depth = axes.depth_offset;
    block->cascade_count = desc.count;
    block->cascade_ends = filo_vec4(ends[0], ends[1], ends[2], ends[3]);
    block->shadow_fade = desc.distance;
    block->shadow_start = desc.distance * 0.8f;
}

// The integral of the density of fog from fog_height to a height above it.
static float fog_integral(float above, float falloff) {
    return above <= 0.0f || falloff <= 0.0f ? above : (1.0f - filo_exp(-falloff * above)) / falloff;
}

static void write_environment(const Gfx3dLights *lights, Gfx3dFrameBlock *block) {
    const FiloEnvironment *e = &lights->environment;
    block->fog_color = gfx3d_linear_color(e->fog_color, lights->sky->horizon);
    bool own_color = e->fog_color.r != 0 || e->fog_color.g != 0 || e->fog_color.b != 0 || e->fog_color.a != 0;
    block->fog_glow = own_color ? filo_vec3(0, 0, 0) : lights->sky->glow;
    block->fog_density = positive(e->fog_density, 0);
    block->fog_height = e->fog_height;
    block->fog_falloff = positive(e->fog_falloff, 0);
    block->fog_eye = fog_integral(block->eye.y - e->fog_height, block->fog_falloff);
    float ambient = e->ambient < 0.0f ? 0.0f : positive(e->ambient, 1);
    block->sky_light = ambient;
    for (int i = 0; i < 9; i++) block->ambient[i] = filo_vec4_scale(lights->sky->ambient[i], ambient);
    FiloVec3 one_color = gfx3d_linear_color(e->ambient_color, filo_vec3(-1, 0, 0));
    if (one_color.x >= 0.0f) {
        for (int i = 0; i < 9; i++) block->ambient[i] = (FiloVec4){ 0 };
        block->ambient[0] = filo_vec4_from_vec3(filo_vec3_scale(one_color, ambient), 0);
    }
    block->sky_layers = GFX3D_SKY_LAYERS - 1;
}

static void write_block(FiloGfx3d *gfx, const Gfx3dView *view, Gfx3dFrameBlock *block) {
    const Gfx3dLights *lights = gfx->lights;
    *block = (Gfx3dFrameBlock){ .view_projection = view->view_projection,
                                .view = view->view,
                                .eye = view->eye,
                                .time = gfx->time,
                                .forward = view->forward,
                                .near = view->near,
                                .far = view->far,
                                .sun_direction = filo_vec3(0, 1, 0),
                                .shadow_pass = view->shadow,
                                .shadow_texel = 1.0f / (float)gfx->desc.shadow_size,
                                .perspective = view->orthographic ? 0.0f : 1.0f };
    FiloIVec2 size = view->shadow ? (FiloIVec2){ view->width, view->height } : gfx3d_picture_size(gfx, view);
    block->size = filo_vec2((float)size.x, (float)size.y);
    if (view->shadow) return;
    block->inverse = filo_mat4_inverse(view->view_projection);
    block->exposure = gfx3d_lights_exposure(gfx, view).factor;
    // Digits of the golden ratio: evenly spread, whatever the number of frames.
    block->random = filo_fract((float)(lights->frame % 1024) * 0.618034f);
    if (lights->sun.found) {
        block->sun_direction = lights->sun.direction;
        block->sun_color = gfx3d_sky_sun_color(lights);
    }
    if (view->shadows[0] != NULL) write_shadows(gfx, view, block);
    write_environment(lights, block);
    choose_lamps(lights, view, block);
}

void gfx3d_lights_write_blocks(FiloGfx3d *gfx) {
    filo_array_each (&gfx->views, slot) {
        Gfx3dView *view = *slot;
        view->frame_block = (FiloRingPiece){ 0 };
        if (!filo_gpu_ring_take(gfx->gpu, gfx->uniform_ring, sizeof(Gfx3dFrameBlock), &view->frame_block))
            continue;
        Gfx3dFrameBlock block; // composed here: memory of the GPU is slow to read
        write_block(gfx, view, &block);
        memcpy(view->frame_block.memory, &block, sizeof block);
        filo_gpu_ring_done(gfx->gpu, gfx->uniform_ring, &view->frame_block);
    }
}

void gfx3d_lights_bind(FiloGfx3d *gfx, const Gfx3dView *view, Gfx3dPass pass) {
    const FiloRingPiece *piece = &view->frame_block;
    if (piece->buffer.id != 0)
        filo_gpu_set_block(gfx->gpu, 0, piece->buffer, piece->offset, sizeof(Gfx3dFrameBlock));
    // Few shaders of depth read these, and a pass cannot read what it draws to.
    FiloTexture shadows = pass == GFX3D_PASS_SHADOW ? gfx->lights->no_shadow_map : gfx->lights->shadow_map;
    (void)filo_gpu_set_texture(gfx->gpu, "filo_shadow_map", shadows);
    (void)filo_gpu_set_texture(gfx->gpu, "filo_sky_map", gfx->lights->sky->map_texture);
}
