// A terrain tool for the console: makes a heightmap or reads one, erodes it, and writes what placement needs to know about
// the land as pictures of 16 bits. It shows
//   - filo/terrain.h: noise, erosion, slope, flow, wetness, water, roads, distances, all on all processors;
//   - filo_grey16_save and filo_grey16_load (filo/image.h), for grey pictures of 16 bits;
//   - the same maps, to the bit, on any number of threads (--hash).
//
// Try: ./dev run terrain                                              30 km² at 2 m, in out/terrain
//      ./dev run terrain --texels 512 --metres 4000 --seed 3 --mountains 0.9
//      ./dev run terrain --from out/terrain/height.png --erosion 0    only bakes

#include <filo/filo.h>
#include <filo/image.h>

#include "land.h"

#include <stdio.h>
#include <unistd.h>

// ---- Progress -------------------------------------------------------------------------------------------

static bool show_progress(float done, void *user) {
    Land *land = user;
    int64_t now = filo_time_ns();
    if (!land->interactive || now - land->shown_ns < 50 * FILO_MILLISECOND) return true;
    land->shown_ns = now;
    enum { BAR = 32 };
    char bar[BAR + 1] = { 0 };
    for (int i = 0; i < BAR; i++) bar[i] = (float)i < done * BAR ? '#' : '.';
    fprintf(stderr, "\r%-12s [%s] %3.0f %% ", land->step, bar, (double)done * 100);
    return true;
}

void begin_step(Land *land, const char *name) {
    land->step = name;
    land->step_started_ns = filo_time_ns();
    land->shown_ns = 0;
    land->desc.progress = show_progress;
    land->desc.user = land;
}

void end_step(Land *land) {
    double seconds = (double)(filo_time_ns() - land->step_started_ns) / 1e9;
    fprintf(stderr, "%s%-12s %6.2f s%s\n", land->interactive ? "\r" : "", land->step, seconds,
            land->interactive ? "                                " : "");
}

// ---- Run ------------------------------------------------------------------------------------------------

static uint64_t hash_of(const Land *land) {
    uint64_t hash = 0;
    for (int i = 0; i < MAP_COUNT; i++)
        hash = filo_hash_seeded(land->maps[i], texel_count(land) * sizeof(uint16_t), hash);
    return hash;
}

static FiloResult make_and_save(Land *land, const char *preview) {
    FiloResult r = make_heights(land);
    if (r.code == FILO_OK) r = bake_maps(land);
    if (r.code != FILO_OK) return r;
    begin_step(land, "writing");
    r = save_maps(land);
    if (r.code == FILO_OK) r = save_preview(land, preview);
    if (r.code == FILO_OK) end_step(land);
    return r;
}

static FiloResult run(Land *land, const FiloCommonArgs *common) {
    char preview[FILO_PATH_SIZE], folder[FILO_PATH_SIZE];
    const char *out = land->options.out;
    if (!filo_path_join(preview, sizeof preview, out, "preview.png"))
        return filo_error(FILO_ERROR_LIMIT, "%s: the path is too long", out);
    const char *path = land->options.preview != NULL ? land->options.preview : preview;
    FiloResult r = filo_folder_make(out);
    if (r.code == FILO_OK && filo_path_folder(folder, sizeof folder, path)) r = filo_folder_make(folder);
    if (r.code == FILO_OK) r = filo_jobs_create(&land->jobs, &(FiloJobsDesc){ .threads = common->threads });
    if (r.code != FILO_OK) return r;
    int64_t started = filo_time_ns();
    r = make_and_save(land, path);
    if (r.code == FILO_OK) {
        double seconds = (double)(filo_time_ns() - started) / 1e9;
        printf("%s: %d x %d texels, %.1f km2, %.1f s on %d threads\n", path, land->width, land->height,
               (double)land->desc.size.x * (double)land->desc.size.y / 1e6, seconds,
               filo_jobs_threads(land->jobs));
        if (common->hash) printf("%016llx\n", (unsigned long long)hash_of(land));
        if (common->stats) printf("{\"seconds\":%.3f,\"texels\":%zu}\n", seconds, texel_count(land));
    }
    free_land(land);
    filo_jobs_destroy(land->jobs, FILO_JOBS_FINISH);
    return r;
}

int main(int argc, char **argv) {
    Land land = { .options = { .size = 2750,
                               .metres = 5500,
                               .high = 800,
                               .erosion = 0.7f,
                               .roughness = 0.5f,
                               .mountains = 0.5f,
                               .roads = "auto",
                               .towns = 6,
                               .river = 0.4f,
                               .farthest = 500,
                               .out = "out/terrain" },
                  .interactive = isatty(STDERR_FILENO) };
    Options *o = &land.options;
    const FiloFlag flags[] = {
        { "texels", "texels of a side, if the heights are generated", .integer = &o->size, .min = 16,
          .max = 16384 },
        { "metres", "of the longer side", .real = &o->metres, .min = 1, .max = 1e6 },
        { "high", "metres of the largest height of a map", .real = &o->high, .min = 1, .max = 1e4 },
        { "erosion", "0 (none) to 1", .real = &o->erosion, .min = 0, .max = 1 },
        { "roughness", "of generated land, 0 to 1", .real = &o->roughness, .min = 0.01, .max = 1 },
        { "mountains", "of generated land, 0 to 1", .real = &o->mountains, .min = 0.01, .max = 1 },
        { "from", "heightmap to read: PNG, or raw 16 bits (.r16, .raw)", .path = &o->from },
        { "big-endian", "the raw heightmap has the higher byte first", .on = &o->big_endian },
        { "roads", "a mask to read, \"auto\" or \"none\"", .path = &o->roads },
        { "towns", "that automatic roads connect", .integer = &o->towns, .min = 2, .max = 64 },
        { "sea", "metres: land below is water; 0: no sea", .real = &o->sea, .min = 0, .max = 1e4 },
        { "river", "km2 upstream from which a stream is a river", .real = &o->river, .min = 1e-4,
          .max = 1e4 },
        { "farthest", "metres of the largest distance in a map", .real = &o->farthest, .min = 1, .max = 1e6 },
        { "out", "folder for the maps", .value_name = "FOLDER", .path = &o->out },
        { "preview", "picture to write; by default preview.png in that folder", .path = &o->preview },
    };
    FiloArgs args;
    FiloArgsDesc desc = { .summary = "Generates and erodes land, and bakes maps of it.",
                          FILO_ARGS_FLAGS(flags),
                          .defaults = { .seed = 1 },
                          .ignores = FILO_ARGS_SCREEN | FILO_ARGS_FRAMES };
    if (!filo_args_main(&args, argc, argv, &desc)) return args.exit_code;
    land.seed = args.common.seed;
    if (args.common.trace != NULL) filo_profile_start(NULL);
    FiloResult r = run(&land, &args.common);
    if (r.code == FILO_OK && args.common.trace != NULL) r = filo_profile_save_trace(args.common.trace, NULL);
    if (r.code != FILO_OK) filo_log_error("terrain", "%s", r.message);
    return r.code == FILO_OK ? 0 : 1;
}
