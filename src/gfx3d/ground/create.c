// Grounds by handle: creating, writing rectangles, destroying.

#include "gfx3d/ground/ground.h"

#include <string.h>

#define GROUNDS_MAX 0xFFFF

// ---- Handles ----------------------------------------------------------------------------------------------------

static Gfx3dGround *find_ground(const FiloGfx3d *gfx, FiloGround handle) {
    size_t index = (handle.id & 0xFFFF) - (size_t)1;
    if (handle.id == 0 || index >= gfx->grounds->list.count) return NULL;
    Gfx3dGround *ground = gfx->grounds->list.items[index];
    return ground->used && ground->version == handle.id >> 16 ? ground : NULL;
}

Gfx3dGround *gfx3d_ground_at(const FiloGfx3d *gfx, FiloGround handle, const char *function) {
    if (!FILO_CHECK(gfx != NULL, "%s: pass the renderer", function)) return NULL;
    Gfx3dGround *ground = find_ground(gfx, handle);
    (void)FILO_CHECK(ground != NULL, "%s: this ground has been destroyed, or never was", function);
    return ground;
}

// A slot that is free, or a new one. NULL without memory.
static Gfx3dGround *take_slot(FiloGfx3d *gfx, FiloGround *handle) {
    Gfx3dGrounds *grounds = gfx->grounds;
    size_t index = 0;
    while (index < grounds->list.count && grounds->list.items[index]->used) index++;
    if (index == grounds->list.count) {
        Gfx3dGround *added = index < GROUNDS_MAX
                                 ? filo_alloc(gfx->allocator, sizeof(Gfx3dGround), _Alignof(Gfx3dGround))
                                 : NULL;
        if (added == NULL) return NULL;
        *added = (Gfx3dGround){ 0 };
        if (!filo_array_push(&grounds->list, added)) {
            filo_free(gfx->allocator, added, sizeof *added, _Alignof(Gfx3dGround));
            return NULL;
        }
    }
    Gfx3dGround *ground = grounds->list.items[index];
    *ground = (Gfx3dGround){ .used = true, .version = (uint16_t)(ground->version + 1) };
    filo_array_init(&ground->pieces, gfx->allocator);
    filo_array_init(&ground->files, gfx->allocator);
    handle->id = (uint32_t)ground->version << 16 | (uint32_t)(index + 1);
    return ground;
}

void gfx3d_ground_free(FiloGfx3d *gfx, Gfx3dGround *ground) {
    if (!ground->used) return;
    for (int i = 0; i < GFX3D_PASSES; i++) filo_gpu_pipeline_destroy(gfx->gpu, ground->pipelines[i]);
    for (int i = 0; i < FILO_GROUND_LAYERS; i++) filo_gpu_target_destroy(gfx->gpu, ground->image_targets[i]);
    filo_gpu_texture_destroy(gfx->gpu, ground->images);
    filo_gpu_texture_destroy(gfx->gpu, ground->height_texture);
    filo_gpu_texture_destroy(gfx->gpu, ground->shape_texture);
    filo_gpu_texture_destroy(gfx->gpu, ground->weight_texture);
    size_t count = (size_t)ground->desc.columns * ground->desc.rows;
    gfx3d_ground_tree_deinit(&ground->tree, gfx->allocator);
    filo_free(gfx->allocator, ground->heights, count * sizeof *ground->heights, 0);
    filo_free(gfx->allocator, ground->shader, ground->shader_size, 1);
    filo_array_deinit(&ground->pieces);
    filo_array_deinit(&ground->files);
    *ground = (Gfx3dGround){ .version = ground->version };
}

void filo_gfx3d_ground_destroy(FiloGfx3d *gfx, FiloGround handle) {
    if (handle.id == 0) return;
    Gfx3dGround *ground = gfx3d_ground_at(gfx, handle, __func__);
    if (ground != NULL) gfx3d_ground_free(gfx, ground);
}

// ---- Creating ---------------------------------------------------------------------------------------------------

static bool is_set(const FiloGroundLayer *layer) {
    return layer->image.id != 0 || layer->color.a != 0 || layer->color.r != 0 || layer->color.g != 0 ||
           layer->color.b != 0;
}

static bool is_range(FiloVec2 range) { return range.x != 0 || range.y != 0; }

// Numbers that are 0 get their default.
static void complete(Gfx3dGround *ground) {
    FiloGroundDesc *desc = &ground->desc;
    if (desc->spacing == 0) desc->spacing = 1;
    if (desc->height == 0) desc->height = 100;
    if (desc->detail == 0) desc->detail = 8;
    if (!is_set(&desc->layers[0])) desc->layers[0].color = filo_color(128, 128, 128, 255);
    while (ground->layer_count < FILO_GROUND_LAYERS && is_set(&desc->layers[ground->layer_count])) {
        FiloGroundLayer *layer = &desc->layers[ground->layer_count++];
        if (layer->color.a == 0) layer->color = FILO_COLOR_WHITE;
        if (layer->size == 0) layer->size = 4;
        if (layer->roughness == 0) layer->roughness = 0.9f;
        if (layer->blend == 0 && is_range(layer->height))
            layer->blend = 0.1f * (layer->height.y - layer->height.x);
    }
    if (desc->weights == NULL) desc->weight_columns = desc->weight_rows = 0;
    desc->heights = NULL, desc->weights = NULL, desc->shader = NULL; // the caller's
    desc->stride = desc->columns;
}

static const char *mistake_of(const FiloGroundDesc *desc) {
    if (desc->heights == NULL || desc->columns < 2 || desc->rows < 2)
        return "a ground needs heights, of 2 columns and 2 rows at least";
    if (desc->stride != 0 && desc->stride < desc->columns)
        return "a row of heights is longer than its stride";
    if (!(desc->spacing >= 0) || !(desc->height >= 0) || !(desc->detail >= 0) || desc->spacing > 1e9f)
        return "spacing, height and detail of a ground are not negative";
    if (desc->weights != NULL && (desc->weight_columns < 1 || desc->weight_rows < 1))
        return "say how many painted weights there are: weight_columns and weight_rows";
    for (int i = 0; i < FILO_GROUND_LAYERS; i++) {
        const FiloGroundLayer *layer = &desc->layers[i];
        if (!(layer->size >= 0) || !(layer->blend >= 0) || !(layer->height.x <= layer->height.y) ||
            !(layer->slope.x <= layer->slope.y))
            return "size and blend of a layer are not negative, and its ranges go from the lower to the "
                   "higher";
        if (layer->painted && desc->weights == NULL) return "a painted layer needs weights";
    }
    return NULL;
}

static FiloResult make_shape(FiloGfx3d *gfx, Gfx3dGround *ground) {
    uint32_t columns = ground->desc.columns, rows = ground->desc.rows;
    size_t size = (size_t)columns * rows * GFX3D_GROUND_TEXEL;
    uint16_t *texels = filo_alloc(gfx->allocator, size, 0);
    if (texels == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for the normals of a ground");
    gfx3d_ground_shape(&ground->tree, gfx->jobs, 0, 0, columns, rows, texels);
    FiloResult r = filo_gpu_texture_create(&ground->shape_texture, gfx->gpu,
                                           &(FiloTextureDesc){ .label = "shape of the ground",
                                                               .format = FILO_TEXTURE_RGBA16F,
                                                               .width = (int)columns,
                                                               .height = (int)rows,
                                                               .mipmaps = true,
                                                               .linear = true,
                                                               .data = texels });
    ground->shape_changed = true;
    filo_free(gfx->allocator, texels, size, 0);
    return r;
}

static FiloResult make_textures(FiloGfx3d *gfx, Gfx3dGround *ground, const FiloGroundDesc *desc) {
    FiloResult r = filo_gpu_texture_create(&ground->height_texture, gfx->gpu,
                                           &(FiloTextureDesc){ .label = "heights of the ground",
                                                               .format = FILO_TEXTURE_R16,
                                                               .width = (int)desc->columns,
                                                               .height = (int)desc->rows,
                                                               .data = ground->heights });
    if (r.code == FILO_OK) r = make_shape(gfx, ground);
    static const uint8_t full[4] = { 255, 255, 255, 255 };
    bool painted = desc->weights != NULL;
    if (r.code == FILO_OK)
        r = filo_gpu_texture_create(&ground->weight_texture, gfx->gpu,
                                    &(FiloTextureDesc){ .label = "weights of the ground",
                                                        .width = painted ? (int)desc->weight_columns : 1,
                                                        .height = painted ? (int)desc->weight_rows : 1,
                                                        .linear = true,
                                                        .data = painted ? desc->weights : full });
    return r;
}

static FiloResult copy_shader(FiloGfx3d *gfx, Gfx3dGround *ground, const char *shader) {
    if (shader == NULL) return filo_ok();
    ground->shader_size = strlen(shader) + 1;
    ground->shader = filo_alloc(gfx->allocator, ground->shader_size, 1);
    if (ground->shader == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for the shader of a ground");
    memcpy(ground->shader, shader, ground->shader_size);
    return filo_ok();
}

static FiloResult fill(FiloGfx3d *gfx, Gfx3dGround *ground, const FiloGroundDesc *desc) {
    ground->desc = *desc;
    complete(ground);
    size_t count = (size_t)desc->columns * desc->rows,
           stride = desc->stride != 0 ? desc->stride : desc->columns;
    ground->heights = filo_alloc(gfx->allocator, count * sizeof *ground->heights, 0);
    if (ground->heights == NULL)
        return filo_error(FILO_ERROR_MEMORY, "no memory for a ground of %u × %u heights", desc->columns,
                          desc->rows);
    for (size_t row = 0; row < desc->rows; row++)
        memcpy(ground->heights + row * desc->columns, desc->heights + row * stride,
               desc->columns * sizeof *ground->heights);
    const FiloGroundDesc *full = &ground->desc;
    ground->tree = (Gfx3dGroundTree){ .heights = ground->heights,
                                      .columns = full->columns,
                                      .rows = full->rows,
                                      .position = full->position,
                                      .spacing = full->spacing,
                                      .step_z = full->flip_z ? -full->spacing : full->spacing,
                                      .unit = full->height / 65535 };
    if (!gfx3d_ground_tree_init(&ground->tree, gfx->jobs, gfx->allocator))
        return filo_error(FILO_ERROR_MEMORY, "no memory for a ground of %u × %u heights", desc->columns,
                          desc->rows);
    FiloResult r = copy_shader(gfx, ground, desc->shader);
    return r.code == FILO_OK ? make_textures(gfx, ground, desc) : r;
}

FiloResult filo_gfx3d_ground_create(FiloGround *handle, FiloGfx3d *gfx, const FiloGroundDesc *desc) {
    if (handle == NULL) return FILO_MISTAKE("say where to put the new ground");
    *handle = (FiloGround){ 0 };
    if (gfx == NULL || desc == NULL) return FILO_MISTAKE("a ground needs a renderer and a description");
    const char *mistake = mistake_of(desc);
    if (mistake != NULL) return FILO_MISTAKE("%s", mistake);
    uint32_t most = (uint32_t)filo_gpu_limits(gfx->gpu)->texture_size;
    if (desc->columns > most || desc->rows > most)
        return filo_error(FILO_ERROR_LIMIT, "a ground of %u × %u heights is more than this device can do, %u",
                          desc->columns, desc->rows, most);
    FiloGround made = { 0 };
    Gfx3dGround *ground = take_slot(gfx, &made);
    if (ground == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for a ground");
    FiloResult r = fill(gfx, ground, desc);
    if (r.code == FILO_OK)
        *handle = made;
    else
        gfx3d_ground_free(gfx, ground);
    return r;
}

// ---- Writing ----------------------------------------------------------------------------------------------------

// Values around a changed rectangle, clamped to the ground.
static void update_shape(FiloGfx3d *gfx, Gfx3dGround *ground, uint32_t column, uint32_t row, uint32_t columns,
                         uint32_t rows, uint16_t *texels) {
    gfx3d_ground_shape(&ground->tree, gfx->jobs, column, row, columns, rows, texels);
    filo_gpu_texture_write(gfx->gpu, ground->shape_texture, 0, (int)column, (int)row, (int)columns, (int)rows,
                           texels, 0);
    ground->shape_changed = true;
}

FiloResult filo_gfx3d_ground_set_heights(FiloGfx3d *gfx, FiloGround handle, uint32_t column, uint32_t row,
                                         uint32_t columns, uint32_t rows, const uint16_t *heights,
                                         uint32_t stride) {
    if (gfx == NULL || find_ground(gfx, handle) == NULL)
        return FILO_MISTAKE("pass a renderer and a ground that was created with it");
    Gfx3dGround *ground = find_ground(gfx, handle);
    Gfx3dGroundTree *tree = &ground->tree;
    if (heights == NULL || column > tree->columns || row > tree->rows || columns > tree->columns - column ||
        rows > tree->rows - row || (stride != 0 && stride < columns))
        return FILO_MISTAKE("%u × %u heights at (%u, %u) are not inside of a ground of %u × %u", columns,
                            rows, column, row, tree->columns, tree->rows);
    if (columns == 0 || rows == 0) return filo_ok();
    uint32_t x0 = column - FILO_MIN(column, (uint32_t)GFX3D_GROUND_SHAPE_REACH),
             y0 = row - FILO_MIN(row, (uint32_t)GFX3D_GROUND_SHAPE_REACH);
    uint32_t x1 = FILO_MIN(column + columns + GFX3D_GROUND_SHAPE_REACH, tree->columns),
             y1 = FILO_MIN(row + rows + GFX3D_GROUND_SHAPE_REACH, tree->rows);
    size_t size = (size_t)(x1 - x0) * (y1 - y0) * GFX3D_GROUND_TEXEL;
    uint16_t *texels = filo_alloc(gfx->allocator, size, 0);
    if (texels == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for the normals of a ground");
    stride = stride != 0 ? stride : columns;
    for (uint32_t i = 0; i < rows; i++)
        memcpy(ground->heights + (size_t)(row + i) * tree->columns + column, heights + (size_t)i * stride,
               columns * sizeof *heights);
    gfx3d_ground_tree_update(tree, gfx->jobs, column, row, columns, rows);
    memset(ground->values_set, 0, sizeof ground->values_set); // the highest value may be another
    filo_gpu_texture_write(gfx->gpu, ground->height_texture, 0, (int)column, (int)row, (int)columns,
                           (int)rows, heights, (int)stride);
    update_shape(gfx, ground, x0, y0, x1 - x0, y1 - y0, texels);
    filo_free(gfx->allocator, texels, size, 0);
    return filo_ok();
}

FiloResult filo_gfx3d_ground_set_weights(FiloGfx3d *gfx, FiloGround handle, uint32_t column, uint32_t row,
                                         uint32_t columns, uint32_t rows, const uint8_t *weights) {
    if (gfx == NULL || find_ground(gfx, handle) == NULL)
        return FILO_MISTAKE("pass a renderer and a ground that was created with it");
    Gfx3dGround *ground = find_ground(gfx, handle);
    uint32_t width = ground->desc.weight_columns, height = ground->desc.weight_rows;
    if (weights == NULL || column > width || row > height || columns > width - column || rows > height - row)
        return FILO_MISTAKE("%u × %u weights at (%u, %u) are not inside of those of this ground, %u × %u",
                            columns, rows, column, row, width, height);
    if (columns > 0 && rows > 0)
        filo_gpu_texture_write(gfx->gpu, ground->weight_texture, 0, (int)column, (int)row, (int)columns,
                               (int)rows, weights, 0);
    return filo_ok();
}

FiloGroundStats filo_gfx3d_ground_stats(const FiloGfx3d *gfx, FiloGround handle) {
    const Gfx3dGround *ground = gfx3d_ground_at(gfx, handle, __func__);
    return ground != NULL ? ground->stats : (FiloGroundStats){ 0 };
}
