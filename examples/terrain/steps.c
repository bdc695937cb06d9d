// From heights to maps.

#include "land.h"

const char *const map_names[MAP_COUNT] = {
    "height",         "slope",           "aspect",        "curvature",      "flow",  "wetness",
    "water_distance", "water_direction", "road_distance", "road_direction", "water", "roads"
};

// ---- Memory ---------------------------------------------------------------------------------------------

static FiloResult allocate(Land *land, int width, int height) {
    land->width = width;
    land->height = height;
    size_t count = texel_count(land);
    land->memory_size = count * (sizeof(float) + MAP_COUNT * sizeof(uint16_t) + 2);
    land->memory = filo_alloc_zero(NULL, land->memory_size, 0);
    if (land->memory == NULL)
        return filo_error(FILO_ERROR_MEMORY, "no memory for maps of %d x %d texels", width, height);
    land->heights = land->memory;
    uint16_t *at = (uint16_t *)(void *)(land->heights + count);
    for (int i = 0; i < MAP_COUNT; i++) land->maps[i] = at + (size_t)i * count;
    land->water = (uint8_t *)(at + MAP_COUNT * count);
    land->roads = land->water + count;
    float texel = land->options.metres / (float)FILO_MAX(width, height);
    land->desc = (FiloTerrainDesc){
        .heights = { .data = land->maps[MAP_HEIGHT],
                     .format = FILO_MAP_U16,
                     .width = width,
                     .height = height },
        .size = { texel * (float)width, texel * (float)height },
        .high = land->options.high,
        .jobs = land->jobs,
    };
    return filo_ok();
}

void free_land(Land *land) {
    filo_free(NULL, land->memory, land->memory_size, 0);
    land->memory = NULL;
}

// ---- Heights --------------------------------------------------------------------------------------------

static FiloResult read_grey(FiloGrey16 *grey, const char *path, bool big_endian) {
    if (filo_path_has_extension(path, "r16") || filo_path_has_extension(path, "raw"))
        return filo_grey16_load_raw(grey, path, &(FiloRawDesc){ .big_endian = big_endian }, NULL);
    return filo_grey16_load(grey, path, NULL);
}

static FiloResult read_heights(Land *land) {
    FiloGrey16 grey;
    FiloResult r = read_grey(&grey, land->options.from, land->options.big_endian);
    if (r.code == FILO_OK) r = allocate(land, grey.width, grey.height);
    for (size_t i = 0; r.code == FILO_OK && i < texel_count(land); i++)
        land->heights[i] = (float)grey.data[i] * (1.0f / 65535.0f);
    filo_grey16_free(&grey, NULL);
    return r;
}

static FiloResult generate_heights(Land *land) {
    FiloResult r = allocate(land, land->options.size, land->options.size);
    if (r.code != FILO_OK) return r;
    begin_step(land, "generating");
    FiloTerrainGenerate generate = { .seed = land->seed,
                                     .roughness = land->options.roughness,
                                     .mountains = land->options.mountains };
    return filo_terrain_generate(land->heights, &land->desc, &generate);
}

FiloResult make_heights(Land *land) {
    begin_step(land, "reading");
    FiloResult r = land->options.from != NULL ? read_heights(land) : generate_heights(land);
    if (r.code != FILO_OK) return r;
    end_step(land);
    if (land->options.erosion > 0) {
        begin_step(land, "eroding");
        FiloTerrainErode erode = { .seed = land->seed, .strength = land->options.erosion };
        r = filo_terrain_erode(land->heights, &land->desc, &erode);
        if (r.code != FILO_OK) return r;
        end_step(land);
    }
    // From here on the heights are those that are saved, so that maps baked from the file are the same.
    FiloTerrainDesc floats = land->desc;
    floats.heights.data = land->heights;
    floats.heights.format = FILO_MAP_FLOAT;
    return filo_terrain_to_u16(land->maps[MAP_HEIGHT], &floats);
}

// ---- Maps -----------------------------------------------------------------------------------------------

static FiloResult bake_distances(Land *land) {
    FiloTerrainMap mask = { .data = land->water, .width = land->width, .height = land->height };
    begin_step(land, "distances");
    FiloResult r = filo_terrain_bake_distance(land->maps[MAP_WATER_DISTANCE], land->maps[MAP_WATER_DIRECTION],
                                              &land->desc, &mask, land->options.farthest);
    mask.data = land->roads;
    if (r.code == FILO_OK)
        r = filo_terrain_bake_distance(land->maps[MAP_ROAD_DISTANCE], land->maps[MAP_ROAD_DIRECTION],
                                       &land->desc, &mask, land->options.farthest);
    for (size_t i = 0; i < texel_count(land); i++) {
        land->maps[MAP_WATER][i] = (uint16_t)(land->water[i] * 257);
        land->maps[MAP_ROADS][i] = (uint16_t)(land->roads[i] * 257);
    }
    if (r.code == FILO_OK) end_step(land);
    return r;
}

static FiloResult read_roads(Land *land) {
    FiloGrey16 grey;
    FiloResult r = filo_grey16_load(&grey, land->options.roads, NULL);
    if (r.code != FILO_OK) return r;
    if (grey.width != land->width || grey.height != land->height)
        r = filo_error(FILO_ERROR_DATA, "%s: %d x %d pixels, but the heights have %d x %d",
                       land->options.roads, grey.width, grey.height, land->width, land->height);
    for (size_t i = 0; r.code == FILO_OK && i < texel_count(land); i++)
        land->roads[i] = grey.data[i] >= 32768 ? 255 : 0;
    filo_grey16_free(&grey, NULL);
    return r;
}

FiloResult bake_maps(Land *land) {
    begin_step(land, "slopes");
    FiloResult r = filo_terrain_bake_slope(land->maps[MAP_SLOPE], &land->desc);
    if (r.code == FILO_OK) r = filo_terrain_bake_aspect(land->maps[MAP_ASPECT], &land->desc);
    if (r.code == FILO_OK) r = filo_terrain_bake_curvature(land->maps[MAP_CURVATURE], &land->desc);
    if (r.code != FILO_OK) return r;
    end_step(land);
    begin_step(land, "water");
    r = filo_terrain_bake_flow(land->maps[MAP_FLOW], land->maps[MAP_WETNESS], &land->desc);
    FiloTerrainWater water = { .sea = land->options.sea > 0,
                               .sea_level = land->options.sea,
                               .flow = land->maps[MAP_FLOW],
                               .area = land->options.river * 1e6f };
    if (r.code == FILO_OK) r = filo_terrain_bake_water(land->water, &land->desc, &water);
    if (r.code != FILO_OK) return r;
    end_step(land);
    begin_step(land, "roads");
    FiloString roads = filo_string(land->options.roads);
    if (filo_string_equal(roads, filo_string("auto")))
        r = make_roads(land);
    else if (!filo_string_equal(roads, filo_string("none")))
        r = read_roads(land);
    if (r.code != FILO_OK) return r;
    end_step(land);
    return bake_distances(land);
}
