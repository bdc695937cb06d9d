// Fills a placement from an ecotope: maps, footprints, layers and programs.

#include "placement/ecotope/ecotope.h"

#include "base/suggest.h"

#include <stdio.h>

typedef struct Blurred {
    uint32_t value;
    double metres, resolution;
    int map;
} Blurred;

typedef struct Application {
    FiloPlacement *p;
    const FiloPlacementDesc *desc;
    const FiloEcotope *file;
    int maps[FILO_PLACEMENT_MAPS + PLACEMENT_BUILT_INS]
            [2]; // by map of the file and filter: 1 + its number; 0: not yet
    Blurred blurred[FILO_PLACEMENT_MAPS];
    size_t blurred_count;
} Application;

// ---- Maps -----------------------------------------------------------------------------------------------------

static const FiloTerrainMap *find_map(const FiloPlacementDesc *desc, const char *name) {
    for (size_t i = 0; i < desc->map_count; i++)
        if (strcmp(desc->maps[i].name, name) == 0) return &desc->maps[i].map;
    return NULL;
}

static FiloResult fail_missing(const FiloEcotope *file, const PlacementFileMap *map,
                               const FiloPlacementDesc *desc) {
    BaseSuggestion suggestion = base_suggest(filo_string(map->name.text));
    for (size_t i = 0; i < desc->map_count; i++)
        base_suggest_offer(&suggestion, filo_string(desc->maps[i].name));
    char meant[BASE_SUGGEST_SIZE];
    base_suggest_print(&suggestion, meant);
    bool baked = strcmp(map->name.text, "flow") == 0 || strcmp(map->name.text, "wetness") == 0 ||
                 strstr(map->name.text, "distance") != NULL || strstr(map->name.text, "direction") != NULL;
    if (meant[0] == '\0' && baked)
        filo_string_copy(FILO_STRING(": examples/terrain makes such maps"), meant, sizeof meant);
    return placement_ecotope_error(file, map->location, FILO_ERROR_NOT_FOUND,
                                   "the map \"%s\" was not passed to the placement%s", map->name.text, meant);
}

static FiloResult check_maps(const FiloEcotope *file, const FiloPlacementDesc *desc) {
    char what[80];
    if (desc->maps == NULL && desc->map_count > 0) return FILO_MISTAKE("pass the maps whose number you give");
    for (size_t i = 0; i < desc->map_count; i++)
        if (desc->maps[i].name == NULL) return FILO_MISTAKE("give every map of an ecotope its name");
    filo_array_each (&file->maps, map) {
        if (map->location.line == 0 || map->unit.kind == PLACEMENT_UNIT_HEIGHT) continue;
        const FiloTerrainMap *from = find_map(desc, map->name.text);
        if (from == NULL && map->computed) continue;
        if (from == NULL) return fail_missing(file, map, desc);
        snprintf(what, sizeof what, "the map \"%s\"", map->name.text);
        FiloResult result = placement_check_map(from, what);
        if (result.code != FILO_OK) return result;
    }
    return filo_ok();
}

// The heightmap as it is read here: floats are 16 bits by now.
static FiloTerrainDesc describe_terrain(const FiloPlacement *p) {
    const PlacementMap *height = &p->maps[PLACEMENT_HEIGHT];
    const PlacementReader *r = &height->reader;
    return (FiloTerrainDesc){ .heights = { .data = height->data,
                                           .format = r->format,
                                           .width = r->width,
                                           .height = r->height,
                                           .stride = r->stride,
                                           .step = r->step,
                                           .x = r->x,
                                           .y = r->y,
                                           .full_width = r->full_width,
                                           .full_height = r->full_height },
                              .size = { p->size.x, p->size.y },
                              .low = p->lowest,
                              .high = p->lowest + p->size.z,
                              .allocator = p->allocator };
}

// Whether heights differ, so that there is a slope.
static bool has_heights(const FiloPlacement *p) {
    return p->maps[PLACEMENT_HEIGHT].data != NULL && p->lowest + p->size.z > p->lowest;
}

static FiloResult bake_map(FiloPlacement *p, const PlacementFileMap *map, uint16_t *values) {
    FiloTerrainDesc terrain = describe_terrain(p);
    if (strcmp(map->name.text, "slope") == 0) return filo_terrain_bake_slope(values, &terrain);
    if (strcmp(map->name.text, "aspect") == 0) return filo_terrain_bake_aspect(values, &terrain);
    return filo_terrain_bake_curvature(values, &terrain);
}

// Computes slope, aspect or curvature; the placement owns the map.
static FiloResult compute_map(FiloPlacement *p, const PlacementFileMap *map, int *number) {
    FiloTerrainMap from = describe_terrain(p).heights;
    if ((int64_t)from.width * from.height > FILO_TERRAIN_TEXELS_MAX || from.width > 65536 ||
        from.height > 65536 || from.full_width > 65536 || from.full_height > 65536)
        return filo_error(FILO_ERROR_LIMIT, "the heightmap is too large to compute the map \"%s\": pass it",
                          map->name.text);
    if (p->map_count > FILO_PLACEMENT_MAPS)
        return filo_error(FILO_ERROR_LIMIT, "the map \"%s\": there are more than %d maps", map->name.text,
                          FILO_PLACEMENT_MAPS);
    PlacementMap *to = &p->maps[p->map_count];
    *to = (PlacementMap){ .owned_size = (size_t)from.width * (size_t)from.height * sizeof(uint16_t) };
    to->owned = filo_alloc(p->allocator, to->owned_size, 0);
    if (to->owned == NULL)
        return filo_error(FILO_ERROR_MEMORY, "no memory for the map \"%s\"", map->name.text);
    *number = p->map_count++;
    snprintf(to->name, sizeof to->name, "%s", map->name.text);
    to->data = (const uint8_t *)to->owned;
    from.data = to->owned;
    from.format = FILO_MAP_U16;
    from.stride = from.step = 0;
    to->reader = placement_reader(&from, map->filter);
    return bake_map(p, map, to->owned);
}

static FiloResult add_map(Application *application, uint32_t number, FiloMapFilter filter, int *index) {
    const PlacementFileMap *map = &application->file->maps.items[number];
    const FiloTerrainMap *from = find_map(application->desc, map->name.text);
    int *known = &application->maps[number][filter == FILO_MAP_NEAREST];
    *index = *known - 1;
    if (*known > 0) return filo_ok();
    FiloResult result = from != NULL ? placement_add_map(application->p, from, filter, map->name.text, index)
                                     : compute_map(application->p, map, index);
    if (result.code == FILO_OK) *known = *index + 1;
    return result;
}

// ---- Callbacks of the compiler --------------------------------------------------------------------------------

static int number_of_map(PlacementCompiler *compiler, uint32_t number) {
    Application *application = compiler->user;
    const PlacementFileMap *map = &application->file->maps.items[number];
    int index = -1;
    if (map->unit.kind == PLACEMENT_UNIT_HEIGHT)
        return application->p->maps[PLACEMENT_HEIGHT].data != NULL ? PLACEMENT_HEIGHT : -1;
    if (find_map(application->desc, map->name.text) == NULL && !has_heights(application->p)) return -1;
    if (compiler->result.code == FILO_OK)
        compiler->result = add_map(application, number, map->filter, &index);
    return index;
}

static int number_of_blur(PlacementCompiler *compiler, uint32_t node, uint32_t value) {
    Application *application = compiler->user;
    const PlacementNode *n = &application->file->nodes.items[node];
    for (size_t i = 0; i < application->blurred_count; i++) {
        const Blurred *other = &application->blurred[i];
        if (other->value == value && other->metres == n->number && other->resolution == n->second)
            return other->map;
    }
    int map = -1;
    compiler->result = placement_ecotope_blur(application->p, compiler, node, value, &map);
    if (map >= 0)
        application->blurred[application->blurred_count++] = (Blurred){ value, n->number, n->second, map };
    return map;
}

// ---- Layers and footprints ------------------------------------------------------------------------------------

static FiloResult add_layer(Application *application, PlacementFootprint *f, uint32_t number) {
    FiloPlacement *p = application->p;
    const PlacementFileLayer *from = &application->file->layers.items[number];
    PlacementLayer *layer = &f->layers[f->layer_count++];
    p->layer_count++;
    *layer = (PlacementLayer){ .map = -1, .towards = -1 };
    snprintf(layer->name, sizeof layer->name, "%s", from->name.text);
    layer->radius = from->radius == 0 ? f->footprint * 0.5f : from->radius < 0 ? -1 : from->radius;
    FiloVariation variation = from->variation;
    if (from->towards != PLACEMENT_NONE) variation.turn = FILO_TURN_NONE; // its map is added below
    FiloResult result = placement_set_variation(p, layer, &variation);
    if (result.code != FILO_OK || from->towards == PLACEMENT_NONE) return result;
    layer->variation.turn = FILO_TURN_TOWARDS;
    const PlacementFileMap *map = &application->file->maps.items[from->towards];
    if (find_map(application->desc, map->name.text) == NULL && !has_heights(p)) return result;
    return add_map(application, from->towards, FILO_MAP_NEAREST, &layer->towards);
}

static FiloResult add_footprint(Application *application, const PlacementFileFootprint *from) {
    FiloPlacement *p = application->p;
    int number = p->footprint_count++;
    PlacementFootprint *f = &p->footprints[number];
    snprintf(f->name, sizeof f->name, "%s", from->name.text);
    f->first_layer = p->layer_count;
    FiloPattern pattern = filo_pattern_for(from->pattern, p->seed, (uint32_t)number);
    if (!placement_setup_footprint(p, f, (float)from->metres, &pattern, number))
        return filo_error(FILO_ERROR_MEMORY, "no memory for a placement");
    for (int i = 0; i < from->layer_count; i++) {
        FiloResult result = add_layer(application, f, application->file->order[from->first_layer + i]);
        if (result.code != FILO_OK) return result;
    }
    return filo_ok();
}

// ---- Programs -------------------------------------------------------------------------------------------------

static FiloResult compile_footprint(PlacementCompiler *compiler, const PlacementFileFootprint *from,
                                    PlacementFootprint *f) {
    PlacementRoot roots[FILO_PLACEMENT_LAYERS];
    for (int i = 0; i < from->layer_count; i++)
        roots[i] =
            (PlacementRoot){ placement_compile_layer(compiler, compiler->file->order[from->first_layer + i]),
                             i };
    if (compiler->result.code != FILO_OK) return compiler->result;
    if (compiler->graph.failed)
        return filo_error(FILO_ERROR_MEMORY, "no memory for the program of an ecotope");
    char what[80];
    snprintf(what, sizeof what, "footprint \"%s\"", f->name);
    f->plain = false;
    return placement_graph_emit(&f->program, &compiler->graph, roots, (size_t)from->layer_count, what,
                                compiler->allocator);
}

static FiloResult compile(Application *application) {
    FiloPlacement *p = application->p;
    const FiloEcotope *file = application->file;
    PlacementCompiler compiler;
    FiloResult result = filo_error(FILO_ERROR_MEMORY, "no memory for the program of an ecotope");
    if (placement_compiler_init(&compiler, file, p->allocator)) {
        compiler.lowest = (double)p->lowest;
        compiler.highest = (double)p->lowest + (double)p->size.z;
        compiler.map = number_of_map;
        compiler.blur = number_of_blur;
        compiler.user = application;
        result = filo_ok();
        for (size_t i = 0; i < file->footprints.count && result.code == FILO_OK; i++)
            result = compile_footprint(&compiler, &file->footprints.items[i], &p->footprints[i]);
    }
    placement_compiler_deinit(&compiler);
    return result;
}

FiloResult placement_ecotope_check(const FiloPlacementDesc *desc) {
    if (desc->footprints[0].footprint != 0 || desc->footprints[0].layers[0].density.map.data != NULL)
        return FILO_MISTAKE("give a placement an ecotope or footprints, not both");
    return check_maps(desc->ecotope, desc);
}

FiloResult placement_ecotope_apply(FiloPlacement *p, const FiloPlacementDesc *desc) {
    Application application = { .p = p, .desc = desc, .file = desc->ecotope };
    FiloResult result = filo_ok();
    for (size_t i = 0; i < application.file->footprints.count && result.code == FILO_OK; i++)
        result = add_footprint(&application, &application.file->footprints.items[i]);
    return result.code == FILO_OK ? compile(&application) : result;
}
