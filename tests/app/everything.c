// The world that fuzzers damage (tests/support/everything.h) has every component and every provider that the modules have.

#include "support/everything.h"
#include "support/test.h"

#include "ecs/snapshot/snapshot.h"

#include <filo/files.h>

#include <ctype.h>

static char *read_source(const char *path) {
    FiloFileData data;
    assert_ok(filo_file_read(&data, path, NULL));
    char *text = malloc(data.size + 1);
    memcpy(text, data.bytes, data.size);
    text[data.size] = 0;
    filo_file_free(&data);
    return text;
}

typedef struct Search {
    FiloWorld *world;
    size_t components, providers;
} Search;

// Looks for filo_component(world, Type, …) with the name of a type.
static void find_components(Search *search, const char *path, const char *text) {
    static const char call[] = "filo_component(";
    for (const char *at = text; (at = strstr(at, call)) != NULL;) {
        at += sizeof call - 1;
        const char *name = at + strcspn(at, ",;") + 1;
        name += strspn(name, " \n");
        size_t length = 0;
        while (isalnum((unsigned char)name[length]) || name[length] == '_') length++;
        char type[64];
        if (length == 0 || length >= sizeof type || !isupper((unsigned char)name[0]))
            continue; // in a message
        memcpy(type, name, length);
        type[length] = 0;
        if (filo_component_resolve(search->world, type).id == 0)
            fail_msg("%s registers %s: add it to tests/support/everything.h", path, type);
        search->components++;
    }
}

static void find_providers(Search *search, const char *text) {
    static const char call[] = "filo_world_add_provider(";
    for (const char *at = text; (at = strstr(at, call)) != NULL; at += sizeof call - 1)
        search->providers += strncmp(at - 5, "bool ", 5) != 0; // its definition
}

static FiloWalkAnswer search_file(const FiloWalkEntry *entry, void *user) {
    size_t length = strlen(entry->path);
    if (entry->kind != FILO_FILE_REGULAR || strcmp(entry->path + length - 2, ".c") != 0)
        return FILO_WALK_GO_ON;
    char *text = read_source(entry->path);
    find_components(user, entry->path, text);
    find_providers(user, text);
    free(text);
    return FILO_WALK_GO_ON;
}

FILO_TEST(the_world_of_the_fuzzers_has_all_components_and_providers_of_the_modules) {
    Everything all = everything_open();
    everything_fill(all.world);
    everything_run(&all, 6);
    Search search = { .world = all.world };
    assert_ok(filo_folder_walk(FILO_TEST_SOURCES "/../../src", search_file, &search, NULL));
    assert_in_range(search.components, 40, 400); // the search finds them
    assert_int_equal(search.providers, all.world->providers->items.count);
    everything_close(&all);
}

FILO_TEST(each_component_that_entities_may_have_is_in_that_world) {
    Everything all = everything_open();
    everything_fill(all.world);
    everything_run(&all, 6);
    for (uint32_t id = 1; id <= filo_component_count(all.world); id++) {
        const FiloComponentInfo *info = filo_component_info(all.world, (FiloComponent){ id });
        if (info->storage == FILO_STORAGE_GLOBAL) continue;
        size_t count = 0;
        for (uint32_t i = 0; i < filo_entity_index_end(all.world); i++) {
            FiloEntity entity = filo_entity_at(all.world, i);
            count += entity.id != 0 && filo_entity_has(all.world, entity, (FiloComponent){ id });
        }
        if (count == 0) fail_msg("no entity has %s: add one in everything_fill", info->name);
    }
    everything_close(&all);
}
