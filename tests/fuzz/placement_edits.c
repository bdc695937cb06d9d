// Any bytes as a list of edits: it is refused and adds nothing, or it is read, the world can be computed with it, and what
// is written is read again as the same.

#include <filo/placement_world.h>
#include <filo/system.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint8_t map[4] = { 40, 200, 120, 90 };
#define VALUES                                                                                               \
    { .data = map, .format = FILO_MAP_U8, .width = 2, .height = 2 }
static FiloPlacement *placement;

static void make_tree(FiloChanges *changes, FiloEntity entity, const FiloPlacementObject *object,
                      void *user) {
    (void)changes, (void)entity, (void)object, (void)user; // its FiloPlacedObject is all that it needs
}

static FiloPlacementWorld *make_forest(FiloWorld **world) {
    if (placement == NULL &&
        filo_placement_create(
            &placement, &(FiloPlacementDesc){ .size = { 64, 64, 1 },
                                              .footprints = { { .footprint = 4,
                                                                .layers = { { .name = "tree",
                                                                              .density.map = VALUES } } } } })
                .code != FILO_OK)
        abort();
    FiloPlacementWorld *forest;
    const FiloNamedMap maps[] = { { .name = "tree", .map = VALUES } };
    const FiloPlacementEntities entities[] = { { .layer = "tree", .make = make_tree } };
    const FiloPlacementWorldDesc desc = { .placement = placement,
                                          .footprints = { { .distance = 30, .promote = 10 } },
                                          .entities = entities,
                                          .entities_count = 1,
                                          .no_delay = true,
                                          .maps = maps,
                                          .map_count = 1 };
    if (filo_world_create(world, NULL).code != FILO_OK ||
        filo_placement_world_create(&forest, *world, &desc).code != FILO_OK)
        abort();
    filo_create(*world, FILO_SET(FiloTransform2, .position = { 20, 30 }), FILO_ADD(FiloPlacementViewer));
    return forest;
}

static FiloJsonWriter write_list(FiloPlacementWorld *forest) {
    FiloJsonWriter writer;
    filo_json_writer_init(&writer, NULL);
    filo_placement_edits_write(forest, &writer);
    if (!filo_json_writer_ok(&writer)) abort();
    return writer;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    FiloWorld *world, *other;
    FiloPlacementWorld *forest = make_forest(&world), *again = make_forest(&other);
    FiloResult r = filo_placement_edits_read(forest, (const char *)data, size, "fuzz");
    if (r.code != FILO_OK) {
        if (r.message[0] == '\0' || filo_world_stats(world).entities != 1) abort();
    } else {
        if (filo_world_tick(world, 1).code != FILO_OK) abort();
        filo_placement_world_wait(forest);
        FiloJsonWriter first = write_list(forest);
        if (filo_placement_edits_read(again, filo_json_writer_text(&first), filo_json_writer_length(&first),
                                      "again")
                .code != FILO_OK)
            abort();
        FiloJsonWriter second = write_list(again);
        if (strcmp(filo_json_writer_text(&first), filo_json_writer_text(&second)) != 0) abort();
        filo_json_writer_deinit(&first);
        filo_json_writer_deinit(&second);
    }
    filo_placement_world_destroy(forest);
    filo_placement_world_destroy(again);
    filo_world_destroy(world);
    filo_world_destroy(other);
    return 0;
}
