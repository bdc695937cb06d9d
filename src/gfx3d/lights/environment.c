// The sky: what it looks like, the light that comes from it, and the colour of fog.
//
// All of it follows from the key: kind of sky, sun, haze, image. When the key changes, the map of the sky is computed
// again: its first layer, which gives ambient light and fog, in that frame, then one blurred layer in each further frame.
// The first sky is complete at once. So frames do not depend on the speed of the machine, and none takes long.

#include <filo/log.h>

#include "gfx3d/lights/half.h"
#include "gfx3d/lights/lights.h"

#include <filo/log.h>

// A computed sky is computed again when the sun has moved by more than this: 0.25 degrees.
#define SUN_STEP 0.99999048f

// ---- Creating -------------------------------------------------------------------------------------------------

static FiloResult make_textures(FiloGfx3d *gfx, Gfx3dSky *sky) {
    FiloResult r = filo_gpu_texture_create(&sky->map_texture, gfx->gpu,
                                           &(FiloTextureDesc){ .label = "sky map",
                                                               .format = FILO_TEXTURE_RGBA16F,
                                                               .width = GFX3D_SKY_SIDE,
                                                               .height = GFX3D_SKY_SIDE,
                                                               .layers = GFX3D_SKY_LAYERS,
                                                               .linear = true });
    if (r.code != FILO_OK) return r;
    return filo_gpu_texture_create(&sky->table_texture, gfx->gpu,
                                   &(FiloTextureDesc){ .label = "sky table",
                                                       .format = FILO_TEXTURE_RGBA16F,
                                                       .width = GFX3D_SKY_COLUMNS,
                                                       .height = GFX3D_SKY_ROWS,
                                                       .linear = true });
}

static FiloResult make_pipelines(FiloGfx3d *gfx, Gfx3dSky *sky) {
    static const char *const defines[] = { NULL, "IMAGE", "NIGHT" };
    FiloResult r = filo_ok();
    for (int i = 0; i < 3 && r.code == FILO_OK; i++)
        r = gfx3d_program_create(
            &sky->pipelines[i], gfx,
            &(Gfx3dProgramDesc){ .label = "sky.glsl",
                                 .defines = defines[i],
                                 .pipeline = { .blend = FILO_BLEND_NONE, .depth_test = true } });
    return r;
}

FiloResult gfx3d_sky_init(FiloGfx3d *gfx) {
    Gfx3dSky *sky = gfx->lights->sky = filo_alloc_zero(gfx->allocator, sizeof *sky, 0);
    if (sky == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for the sky");
    gfx3d_air_init(&sky->air);
    FiloResult r = make_textures(gfx, sky);
    if (r.code == FILO_OK) r = make_pipelines(gfx, sky);
    if (r.code == FILO_OK && gfx->assets != NULL) r = gfx3d_sky_images_register(gfx->assets);
    return r;
}

void gfx3d_sky_deinit(FiloGfx3d *gfx) {
    Gfx3dSky *sky = gfx->lights->sky;
    if (sky == NULL) return;
    if (gfx->assets != NULL) filo_assets_unload(gfx->assets, sky->asset);
    for (int i = 0; i < 3; i++) filo_gpu_pipeline_destroy(gfx->gpu, sky->pipelines[i]);
    filo_gpu_texture_destroy(gfx->gpu, sky->map_texture);
    filo_gpu_texture_destroy(gfx->gpu, sky->table_texture);
    filo_gpu_texture_destroy(gfx->gpu, sky->image_texture);
    filo_free(gfx->allocator, sky, sizeof *sky, 0);
    gfx->lights->sky = NULL;
}

// ---- Textures -------------------------------------------------------------------------------------------------

static void put_half(uint16_t *texel, FiloVec3 color, float alpha) {
    texel[0] = gfx3d_half(color.x);
    texel[1] = gfx3d_half(color.y);
    texel[2] = gfx3d_half(color.z);
    texel[3] = gfx3d_half(alpha);
}

static void write_layer(FiloGfx3d *gfx, Gfx3dSky *sky, int layer) {
    const FiloVec3 *nodes = sky->map.layers[layer][0];
    for (int i = 0; i < GFX3D_SKY_SIDE * GFX3D_SKY_SIDE; i++) put_half(&sky->texels[i * 4], nodes[i], 1.0f);
    filo_gpu_texture_write(gfx->gpu, sky->map_texture, layer, 0, 0, GFX3D_SKY_SIDE, GFX3D_SKY_SIDE,
                           sky->texels, 0);
}

static void write_table(FiloGfx3d *gfx, Gfx3dSky *sky) {
    const FiloVec4 *table = sky->atmosphere.table[0];
    for (int i = 0; i < GFX3D_SKY_ROWS * GFX3D_SKY_COLUMNS; i++)
        put_half(&sky->texels[i * 4], filo_vec4_xyz(table[i]), table[i].w);
    filo_gpu_texture_write(gfx->gpu, sky->table_texture, 0, 0, 0, GFX3D_SKY_COLUMNS, GFX3D_SKY_ROWS,
                           sky->texels, 0);
}

// ---- Images ---------------------------------------------------------------------------------------------------

static const Gfx3dSkyImage *image_data(const FiloGfx3d *gfx, const Gfx3dSky *sky) {
    if (sky->asset.id == 0 || filo_asset_version(gfx->assets, sky->asset) == 0) return NULL;
    return filo_asset_data(gfx->assets, sky->asset);
}

// Requests the image of the environment, and makes a texture of it when it is loaded or reloaded.
static void update_image(FiloGfx3d *gfx, Gfx3dSky *sky, FiloName name) {
    if (gfx->assets == NULL) return;
    if (sky->image.id != name.id) {
        filo_assets_unload(gfx->assets, sky->asset);
        filo_gpu_texture_destroy(gfx->gpu, sky->image_texture);
        sky->asset =
            name.id != 0 ? filo_assets_load_as(gfx->assets, "sky", filo_name_text(name)) : (FiloAsset){ 0 };
        sky->image = name;
        sky->image_version = 0;
        sky->image_texture = (FiloTexture){ 0 };
    }
    const Gfx3dSkyImage *image = image_data(gfx, sky);
    uint32_t version = image != NULL ? filo_asset_version(gfx->assets, sky->asset) : 0;
    if (image == NULL || version == sky->image_version) return;
    filo_gpu_texture_destroy(gfx->gpu, sky->image_texture);
    FiloResult r = filo_gpu_texture_create(&sky->image_texture, gfx->gpu,
                                           &(FiloTextureDesc){ .label = filo_name_text(name),
                                                               .format = FILO_TEXTURE_RGBA16F,
                                                               .width = image->width,
                                                               .height = image->height,
                                                               .linear = true,
                                                               .wrap_u = FILO_WRAP_REPEAT,
                                                               .wrap_v = FILO_WRAP_REPEAT,
                                                               .data = image->texels });
    if (r.code != FILO_OK) filo_log_warn("gfx3d", "%s", r.message);
    sky->image_version = version;
}

// ---- What the sky is ------------------------------------------------------------------------------------------

static float luminance(FiloVec3 c) { return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z; }
static float or_one(float x) { return x > 0.0f ? x : 1.0f; }

// Without a sun, the sky is that of a sun at this height.
static const FiloVec3 DEFAULT_SUN = { 0.45f, 0.7f, 0.55f };

static Gfx3dSkyKey wanted_sky(const FiloGfx3d *gfx) {
    const Gfx3dLights *lights = gfx->lights;
    const FiloEnvironment *e = &lights->environment;
    Gfx3dSkyKey key = { .kind = e->no_sky ? GFX3D_SKY_NONE : GFX3D_SKY_COMPUTED,
                        .brightness = or_one(e->sky_brightness) };
    if (key.kind == GFX3D_SKY_COMPUTED && lights->sky->image_texture.id != 0) {
        key.kind = GFX3D_SKY_IMAGE;
        key.rotation = e->sky_rotation;
        key.limit = lights->sun.found ? 8.0f : 1000.0f;
        key.image = lights->sky->asset.id;
        key.version = lights->sky->image_version;
    }
    if (key.kind == GFX3D_SKY_COMPUTED) {
        key.to_sun = lights->sun.found ? lights->sun.direction : filo_vec3_normalise(DEFAULT_SUN);
        key.sunlight = lights->sun.found ? luminance(lights->sun.color) : 3.0f;
        key.haze = filo_clamp01(e->haze);
    }
    return key;
}

static bool same_sky(const Gfx3dSkyKey *a, const Gfx3dSkyKey *b) {
    if (a->kind != b->kind || a->brightness != b->brightness) return false;
    if (a->kind == GFX3D_SKY_IMAGE)
        return a->rotation == b->rotation && a->limit == b->limit && a->image == b->image &&
               a->version == b->version;
    if (a->kind == GFX3D_SKY_NONE) return true;
    return a->haze == b->haze && filo_vec3_dot(a->to_sun, b->to_sun) > SUN_STEP && a->sunlight == b->sunlight;
}

typedef struct Source {
    const FiloGfx3d *gfx;
    const Gfx3dSky *sky;
    const Gfx3dSkyImage *image;
} Source;

// A grey studio: brighter above.
static FiloVec3 studio(FiloVec3 direction) {
    float light = 0.32f + 0.2f * direction.y + 0.08f * direction.y * direction.y;
    return filo_vec3(light, light, light);
}

static FiloVec3 radiance(FiloVec3 direction, void *user) {
    const Source *source = user;
    const Gfx3dSkyKey *key = &source->sky->key;
    if (key->kind == GFX3D_SKY_NONE) return studio(direction);
    if (key->kind == GFX3D_SKY_COMPUTED) {
        FiloVec3 color = gfx3d_atmosphere_radiance(&source->sky->atmosphere, direction);
        return filo_vec3_scale(color, key->sunlight * key->brightness);
    }
    FiloVec3 color = gfx3d_sky_image_radiance(source->image, direction, key->rotation);
    float largest = filo_max(color.x, filo_max(color.y, color.z));
    float scale = largest > key->limit ? key->limit / largest : 1.0f;
    return filo_vec3_scale(color, key->brightness * scale);
}

typedef struct Rows {
    Gfx3dSky *sky;
} Rows;

static void compute_rows(size_t begin, size_t end, void *user) {
    Gfx3dSky *sky = ((Rows *)user)->sky;
    for (size_t i = begin; i < end; i++) gfx3d_atmosphere_row(&sky->atmosphere, &sky->air, (int)i);
}

// Fog has the colour of the horizon and a little of the sky above it: the mean of what is away from the sun, and what is
// more where the sun is.
static void find_fog(Gfx3dSky *sky) {
    FiloVec3 away = { 0 };
    FiloVec3 sun = filo_vec3_normalise(filo_vec3(sky->key.to_sun.x, 0.0f, sky->key.to_sun.z));
    if (sky->key.kind != GFX3D_SKY_COMPUTED || !(filo_vec3_length_squared(sun) > 0.5f))
        sun = filo_vec3(1, 0, 0);
    FiloVec3 side = filo_vec3(-sun.z, 0.0f, sun.x);
    float weight = 0.0f;
    for (int i = 0; i < 12; i++) {
        FiloSinCos angle = filo_sincos((float)i * (FILO_TAU / 12.0f));
        FiloVec3 d = filo_vec3_add_scaled(filo_vec3_scale(sun, angle.cos), side, angle.sin);
        float w = sky->key.kind == GFX3D_SKY_COMPUTED ? filo_max(1.0f - angle.cos, 0.0f) : 1.0f;
        FiloVec3 low = gfx3d_sky_sample(&sky->map, 0, filo_vec3(d.x, 0.035f, d.z));
        FiloVec3 high = gfx3d_sky_sample(&sky->map, 0, filo_vec3(d.x, 0.3f, d.z));
        away = filo_vec3_add_scaled(away, filo_vec3_lerp(low, high, 0.3f), w);
        weight += w;
    }
    sky->horizon = filo_vec3_scale(away, 1.0f / weight);
    sky->glow = (FiloVec3){ 0 };
    if (sky->key.kind != GFX3D_SKY_COMPUTED) return;
    FiloVec3 towards = gfx3d_sky_sample(&sky->map, 0, filo_vec3(sun.x, 0.06f, sun.z));
    sky->glow = filo_vec3_max(filo_vec3_sub(towards, sky->horizon), filo_vec3(0, 0, 0));
}

// Light of a blue sky that has fallen on the ground and on other things before is less blue.
static void soften_colors(FiloVec4 ambient[9]) {
    for (int i = 0; i < 9; i++) {
        FiloVec4 c = ambient[i];
        float grey = luminance(filo_vec4_xyz(c));
        ambient[i] = filo_vec4_lerp(c, filo_vec4(grey, grey, grey, 0), 0.3f);
    }
}

static void begin_sky(FiloGfx3d *gfx, Gfx3dSky *sky, const Gfx3dSkyKey *key) {
    sky->key = *key;
    Source source = { gfx, sky, key->kind == GFX3D_SKY_IMAGE ? image_data(gfx, sky) : NULL };
    if (key->kind == GFX3D_SKY_COMPUTED) {
        gfx3d_atmosphere_begin(&sky->atmosphere, &sky->air, key->to_sun, key->haze);
        filo_jobs_for(gfx->jobs, GFX3D_SKY_ROWS, compute_rows, &(Rows){ sky });
        gfx3d_atmosphere_end(&sky->atmosphere);
        write_table(gfx, sky);
    }
    gfx3d_sky_map_fill(&sky->map, gfx->jobs, radiance, &source);
    Gfx3dHarmonics harmonics;
    gfx3d_sky_map_harmonics(&sky->map, &harmonics);
    gfx3d_harmonics_ambient(&harmonics, sky->ambient);
    if (key->kind == GFX3D_SKY_COMPUTED) soften_colors(sky->ambient);
    find_fog(sky);
    write_layer(gfx, sky, 0);
    sky->next_layer = 1;
}

static void blur_next(FiloGfx3d *gfx, Gfx3dSky *sky) {
    gfx3d_sky_map_blur(&sky->map, gfx->jobs, sky->next_layer);
    write_layer(gfx, sky, sky->next_layer++);
}

void gfx3d_sky_update(FiloGfx3d *gfx) {
    Gfx3dSky *sky = gfx->lights->sky;
    update_image(gfx, sky, gfx->lights->environment.no_sky ? (FiloName){ 0 } : gfx->lights->environment.sky);
    Gfx3dSkyKey wanted = wanted_sky(gfx);
    // Another kind of sky or another image is complete at once, as the first sky is.
    bool at_once = !sky->valid || wanted.kind != sky->key.kind || wanted.image != sky->key.image ||
                   wanted.version != sky->key.version;
    if (at_once || (sky->next_layer == GFX3D_SKY_LAYERS && !same_sky(&wanted, &sky->key)))
        begin_sky(gfx, sky, &wanted);
    else if (sky->next_layer < GFX3D_SKY_LAYERS)
        blur_next(gfx, sky);
    while (at_once && sky->next_layer < GFX3D_SKY_LAYERS) blur_next(gfx, sky);
    sky->valid = true;
}

FiloVec3 gfx3d_sky_sun_color(const Gfx3dLights *lights) {
    if (lights->sky->key.kind != GFX3D_SKY_COMPUTED) return lights->sun.color;
    float gain;
    FiloVec3 light =
        gfx3d_sunlight(&lights->sky->air, lights->sun.direction.y, lights->environment.haze, &gain);
    return filo_vec3_mul(lights->sun.color, light);
}

// ---- Drawing --------------------------------------------------------------------------------------------------

static void set_image(FiloGfx3d *gfx, const Gfx3dSky *sky) {
    float turn = sky->key.rotation * (1.0f / FILO_TAU);
    (void)filo_gpu_set_texture(gfx->gpu, "image", sky->image_texture);
    (void)filo_gpu_set_vec2(gfx->gpu, "turn", filo_vec2(turn, sky->key.brightness));
}

static void set_computed(FiloGfx3d *gfx, const Gfx3dSky *sky, float night) {
    const Gfx3dSun *sun = &gfx->lights->sun;
    float light = sky->key.sunlight * sky->key.brightness;
    (void)filo_gpu_set_texture(gfx->gpu, "table", sky->table_texture);
    (void)filo_gpu_set_float(gfx->gpu, "light", light);
    (void)filo_gpu_set_vec3(gfx->gpu, "haze_light", filo_vec3_scale(sky->atmosphere.haze_color, light));
    (void)filo_gpu_set_vec3(gfx->gpu, "to_sun", sun->found ? sun->direction : sky->key.to_sun);
    if (night > 0.0f) (void)filo_gpu_set_float(gfx->gpu, "night", night);
}

bool gfx3d_sky_is_drawn(const FiloGfx3d *gfx, const Gfx3dView *view) {
    return gfx->lights->sky->key.kind != GFX3D_SKY_NONE && !view->settings.wireframe;
}

void gfx3d_sky_draw(FiloGfx3d *gfx, const Gfx3dView *view) {
    const Gfx3dSky *sky = gfx->lights->sky;
    if (!gfx3d_sky_is_drawn(gfx, view)) return;
    bool image = sky->key.kind == GFX3D_SKY_IMAGE;
    float night = image ? 0.0f : filo_smoothstep(0.0f, -0.2f, sky->key.to_sun.y);
    FiloVec2 spread = filo_vec2(1.0f / view->projection.m[0], 1.0f / view->projection.m[5]);
    filo_gpu_use(gfx->gpu, sky->pipelines[image ? 1 : night > 0.0f ? 2 : 0]);
    gfx3d_lights_bind(gfx, view, GFX3D_PASS_COLOR);
    (void)filo_gpu_set_vec2(gfx->gpu, "spread", view->orthographic ? filo_vec2(0, 0) : spread);
    if (image)
        set_image(gfx, sky);
    else
        set_computed(gfx, sky, night);
    filo_gpu_draw(gfx->gpu, 0, 3, 1);
}
