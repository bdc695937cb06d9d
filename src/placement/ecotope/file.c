// Ecotope files: reading one, and what is in it.

#include "placement/ecotope/ecotope.h"

#include <filo/files.h>

static void deinit(FiloEcotope *file) {
    filo_array_deinit(&file->nodes);
    filo_array_deinit(&file->points);
    filo_array_deinit(&file->maps);
    filo_array_deinit(&file->footprints);
    filo_array_deinit(&file->lets);
    filo_array_deinit(&file->lands);
    filo_array_deinit(&file->layers);
}

static void init(FiloEcotope *file, const char *source, const FiloAllocator *allocator) {
    *file = (FiloEcotope){ .allocator = allocator };
    filo_string_copy(filo_string(source != NULL ? source : "ecotope"), file->source, sizeof file->source);
    filo_array_init(&file->nodes, allocator);
    filo_array_init(&file->points, allocator);
    filo_array_init(&file->maps, allocator);
    filo_array_init(&file->footprints, allocator);
    filo_array_init(&file->lets, allocator);
    filo_array_init(&file->lands, allocator);
    filo_array_init(&file->layers, allocator);
}

void filo_ecotope_free(FiloEcotope *ecotope) {
    if (ecotope == NULL) return;
    deinit(ecotope);
    filo_free(ecotope->allocator, ecotope, sizeof *ecotope, 0);
}

FiloResult filo_ecotope_parse(FiloEcotope **ecotope, const char *text, size_t length, const char *source,
                              const FiloAllocator *allocator) {
    if (ecotope == NULL) return FILO_MISTAKE("pass a pointer for the ecotope");
    *ecotope = NULL;
    if (text == NULL) return FILO_MISTAKE("pass the text of the ecotope");
    FiloEcotope *file = filo_alloc(allocator, sizeof *file, 0);
    if (file == NULL)
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory to read the ecotope",
                          source != NULL ? source : "ecotope");
    init(file, source, allocator);
    PlacementParser parser = { .file = file };
    if (!placement_parse_file(&parser, text, length) || !placement_parse_resolve(&parser)) {
        filo_ecotope_free(file);
        return parser.result;
    }
    *ecotope = file;
    return filo_ok();
}

FiloResult filo_ecotope_load(FiloEcotope **ecotope, const char *path, const FiloAllocator *allocator) {
    if (ecotope == NULL) return FILO_MISTAKE("pass a pointer for the ecotope");
    *ecotope = NULL;
    if (path == NULL) return FILO_MISTAKE("pass the path of the ecotope");
    FiloFileData data;
    FiloResult result =
        filo_file_read(&data, path, &(FiloFileReadDesc){ .allocator = allocator, .limit = FILO_MIB(64) });
    if (result.code != FILO_OK) return result;
    result = filo_ecotope_parse(ecotope, data.text, data.size, path, allocator);
    filo_file_free(&data);
    return result;
}

static bool check(const FiloEcotope *ecotope) {
    return FILO_CHECK(ecotope != NULL, "pass the ecotope that filo_ecotope_parse or filo_ecotope_load made");
}

size_t filo_ecotope_map_count(const FiloEcotope *ecotope) {
    return check(ecotope) ? ecotope->needed_count : 0;
}

const char *filo_ecotope_map_name(const FiloEcotope *ecotope, size_t map) {
    if (!check(ecotope) || map >= ecotope->needed_count) return "";
    return ecotope->maps.items[ecotope->needed[map]].name.text;
}

size_t filo_ecotope_footprint_count(const FiloEcotope *ecotope) {
    return check(ecotope) ? ecotope->footprints.count : 0;
}

const char *filo_ecotope_footprint_name(const FiloEcotope *ecotope, size_t footprint) {
    if (!check(ecotope) || footprint >= ecotope->footprints.count) return "";
    return ecotope->footprints.items[footprint].name.text;
}

size_t filo_ecotope_layer_count(const FiloEcotope *ecotope) {
    return check(ecotope) ? ecotope->layers.count : 0;
}

const char *filo_ecotope_layer_name(const FiloEcotope *ecotope, size_t layer) {
    if (!check(ecotope) || layer >= ecotope->layers.count) return "";
    return ecotope->layers.items[ecotope->order[layer]].name.text;
}
