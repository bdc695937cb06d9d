// The first difference between two worlds, as a sentence. The order of comparing: ticks, globals, entities by index
// with their components by id, pending events, groups and providers.

#include "ecs/entity/entity.h"
#include "ecs/schedule/schedule.h"
#include "ecs/snapshot/snapshot.h"
#include "ecs/storage/directory.h"

#include <filo/strings.h>

#include <inttypes.h>
#include <stdio.h>

#define VALUE_SIZE 96

typedef struct Sentence {
    char *text;
    size_t size;
} Sentence;

// Always true.
static bool report(const Sentence *sentence, const char *format, ...) FILO_PRINTF(2, 3);
static bool report(const Sentence *sentence, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (sentence->size > 0) vsnprintf(sentence->text, sentence->size, format, arguments);
    va_end(arguments);
    return true;
}

// "entity 17 (door)"
static const char *entity_text(const FiloWorld *world, FiloEntity entity, char *text, size_t size) {
    const char *name = filo_entity_name(world, entity);
    snprintf(text, size, name != NULL ? "entity %" PRIu32 " (%s)" : "entity %" PRIu32,
             filo_entity_index(entity), name);
    return text;
}

static void print_value(const FiloType *type, const void *value, const char *path, char *text, size_t size) {
    FiloValue found;
    void *data = (void *)(uintptr_t)value; // it is only read
    if (filo_reflect_find(&found, type, data, path).code == FILO_OK)
        filo_reflect_print(found, text, size);
    else
        filo_string_copy(FILO_STRING("?"), text, size);
}

static bool values_differ(const Sentence *sentence, const char *subject, const FiloType *type,
                          const void *now, const void *before) {
    char path[192], is[VALUE_SIZE], was[VALUE_SIZE];
    if (!filo_reflect_difference(type, now, before, path, sizeof path)) return false;
    print_value(type, now, path, is, sizeof is);
    print_value(type, before, path, was, sizeof was);
    return report(sentence, "%s%s%s.%s is %s, was %s", subject, subject[0] != '\0' ? ": " : "", type->name,
                  path, is, was);
}

static bool components_differ(const Sentence *sentence, const FiloWorld *world, const FiloWorld *before) {
    size_t count = FILO_MIN(world->components.count, before->components.count);
    for (size_t i = 0; i < count; i++) {
        const EcsComponentData *now = world->components.items[i], *was = before->components.items[i];
        if (strcmp(now->info.name, was->info.name) != 0)
            return report(sentence, "component %zu is %s, was %s", i + 1, now->info.name, was->info.name);
    }
    return false;
}

static bool globals_differ(const Sentence *sentence, const FiloWorld *world, const FiloWorld *before) {
    for (size_t i = 0; i < FILO_MAX(world->components.count, before->components.count); i++) {
        const EcsComponentData *now = i < world->components.count ? world->components.items[i] : NULL;
        const EcsComponentData *was = i < before->components.count ? before->components.items[i] : NULL;
        bool here = now != NULL && now->global != NULL && !now->info.transient;
        bool there = was != NULL && was->global != NULL && !was->info.transient;
        if (here != there)
            return report(sentence, "global %s is only in the %s world", (here ? now : was)->info.name,
                          here ? "first" : "second");
        if (here && values_differ(sentence, "", now->info.type, now->global, was->global)) return true;
    }
    return false;
}

// The value of a component that is compared; NULL if the entity has none.
static const void *value_of(const FiloWorld *world, FiloEntity entity, size_t number) {
    const EcsComponentData *component =
        number < world->components.count ? world->components.items[number] : NULL;
    if (component == NULL || component->global != NULL || component->info.transient) return NULL;
    return ecs_component_find(world, entity, ecs_record_find(world, entity), component);
}

static bool entity_differs(const Sentence *sentence, const FiloWorld *world, const FiloWorld *before,
                           FiloEntity entity) {
    char subject[160];
    bool active = filo_entity_active(world, entity);
    if (active != filo_entity_active(before, entity))
        return report(sentence, "%s is %s, was %s", entity_text(world, entity, subject, sizeof subject),
                      active ? "active" : "inactive", active ? "inactive" : "active");
    for (size_t i = 0; i < FILO_MAX(world->components.count, before->components.count); i++) {
        const void *now = value_of(world, entity, i), *was = value_of(before, entity, i);
        const FiloWorld *has = now != NULL ? world : before;
        if (now == NULL && was == NULL) continue;
        const EcsComponentData *component = has->components.items[i];
        if (now == NULL || was == NULL)
            return report(sentence, "%s %s %s", entity_text(has, entity, subject, sizeof subject),
                          now != NULL ? "has a" : "had a", component->info.name);
        if (component->size > 0 &&
            values_differ(sentence, entity_text(world, entity, subject, sizeof subject), component->info.type,
                          now, was))
            return true;
    }
    return false;
}

static bool entities_differ(const Sentence *sentence, const FiloWorld *world, const FiloWorld *before) {
    char subject[160];
    uint32_t end = FILO_MAX(world->index_end, before->index_end);
    for (uint32_t index = 0; index < end; index++) {
        FiloEntity now = filo_entity_at(world, index), was = filo_entity_at(before, index);
        if (now.id == 0 && was.id == 0) continue;
        if (was.id == 0)
            return report(sentence, "%s exists, did not", entity_text(world, now, subject, sizeof subject));
        if (now.id == 0)
            return report(sentence, "%s does not exist, did",
                          entity_text(before, was, subject, sizeof subject));
        if (now.id != was.id)
            return report(sentence, "%s has generation %" PRIu32 ", had %" PRIu32,
                          entity_text(world, now, subject, sizeof subject), filo_entity_generation(now),
                          filo_entity_generation(was));
        if (entity_differs(sentence, world, before, now)) return true;
    }
    return false;
}

// ---- Events and providers -------------------------------------------------------------------------------

static bool event_differs(const Sentence *sentence, const FiloPendingEvent *now, const FiloPendingEvent *was,
                          size_t number) {
    const char *name = filo_name_text(now->name), *old = filo_name_text(was->name);
    if (now->name.id != was->name.id)
        return report(sentence, "waiting event %zu is \"%s\", was \"%s\"", number, name, old);
    if (now->due != was->due)
        return report(sentence, "waiting event %zu (\"%s\") is due in tick %" PRIu64 ", was in %" PRIu64,
                      number, name, now->due, was->due);
    if ((now->type == NULL) != (was->type == NULL))
        return report(sentence, "waiting event %zu (\"%s\") %s", number, name,
                      now->type != NULL ? "carries something, did not" : "carries nothing, did");
    char subject[160];
    snprintf(subject, sizeof subject, "waiting event %zu (\"%s\")", number, name);
    return now->type != NULL && values_differ(sentence, subject, now->type, now->payload, was->payload);
}

static bool events_differ(const Sentence *sentence, const FiloWorld *world, const FiloWorld *before) {
    FiloPendingCursor now_cursor = { 0 }, was_cursor = { 0 };
    for (size_t number = 0;; number++) {
        FiloPendingEvent now, was;
        bool here = world->events != NULL && filo_events_next_pending(world->events, &now_cursor, &now);
        bool there = before->events != NULL && filo_events_next_pending(before->events, &was_cursor, &was);
        if (!here && !there) return false;
        if (here != there)
            return report(sentence, "event \"%s\" %s", filo_name_text(here ? now.name : was.name),
                          here ? "waits, did not" : "does not wait, did");
        if (event_differs(sentence, &now, &was, number)) return true;
    }
}

static const FiloProvider *find_provider(const FiloWorld *world, uint64_t name_hash) {
    for (size_t i = 0; world->providers != NULL && i < world->providers->items.count; i++)
        if (world->providers->items.items[i].name_hash == name_hash)
            return &world->providers->items.items[i].provider;
    return NULL;
}

static bool providers_differ(const Sentence *sentence, FiloWorld *world, FiloWorld *before, bool both_ways) {
    for (size_t i = 0; world->providers != NULL && i < world->providers->items.count; i++) {
        const EcsProviderData *data = &world->providers->items.items[i];
        const FiloProvider *now = &data->provider, *was = find_provider(before, data->name_hash);
        if (now->hash == NULL) continue;
        if (was == NULL || was->hash == NULL)
            return report(sentence, "provider %s is only in the %s world", now->name,
                          both_ways ? "first" : "second");
        if (now->hash(world, now->user) != was->hash(before, was->user))
            return report(sentence, "what provider %s adds differs", now->name);
    }
    return both_ways && providers_differ(sentence, before, world, false);
}

static bool is_off(const FiloWorld *world, FiloName name) {
    filo_array_each (&world->schedule->groups, group)
        if (group->name.id == name.id) return group->off;
    return false;
}

static bool groups_differ(const Sentence *sentence, const FiloWorld *world, const FiloWorld *before) {
    filo_array_each (&world->schedule->groups, group)
        if (group->off != is_off(before, group->name))
            return report(sentence, "the group \"%s\" is %s, was %s", filo_name_text(group->name),
                          group->off ? "off" : "on", group->off ? "on" : "off");
    filo_array_each (&before->schedule->groups, group)
        if (group->off && !is_off(world, group->name))
            return report(sentence, "the group \"%s\" is on, was off", filo_name_text(group->name));
    return false;
}

bool filo_world_difference(FiloWorld *world, FiloWorld *before, char *text, size_t size) {
    if (text == NULL) size = 0;
    Sentence sentence = { text, size };
    if (size > 0) text[0] = '\0';
    if (!FILO_CHECK(world != NULL && before != NULL, "pass two worlds")) return false;
    if (components_differ(&sentence, world, before)) return true;
    if (world->seed != before->seed)
        return report(&sentence, "seed is %" PRIu64 ", was %" PRIu64, world->seed, before->seed);
    if (world->tick != before->tick)
        return report(&sentence, "tick is %" PRIu64 ", was %" PRIu64, world->tick, before->tick);
    return globals_differ(&sentence, world, before) || entities_differ(&sentence, world, before) ||
           events_differ(&sentence, world, before) || groups_differ(&sentence, world, before) ||
           providers_differ(&sentence, world, before, true);
}

// ---- Snapshots ------------------------------------------------------------------------------------------

// Events and providers are not restored into the worlds that are compared, so their sections are compared as bytes.
static bool sections_differ(const Sentence *sentence, const FiloSnapshot *now, const FiloSnapshot *was,
                            const char *first) {
    filo_array_each (&now->sections, section) {
        EcsSectionKind kind = ecs_section_kind(section);
        if (kind != ECS_SECTION_PROVIDER && kind != ECS_SECTION_EVENTS) continue;
        const char *what = kind == ECS_SECTION_EVENTS ? "what waits as events" : "what a provider adds";
        const EcsSection *other = ecs_snapshot_find(was, section->key);
        if (other == NULL) return report(sentence, "%s is only in the %s snapshot", what, first);
        if (other->size != section->size ||
            memcmp(ecs_snapshot_bytes(now, section), ecs_snapshot_bytes(was, other), section->size) != 0)
            return report(sentence, "%s differs", what);
    }
    return false;
}

static FiloResult create_restored(FiloWorld **world, const FiloWorld *like, const FiloSnapshot *snapshot) {
    FiloResult result =
        filo_world_create_like(world, like, &(FiloWorldDesc){ .name = "a snapshot that is compared" });
    if (result.code == FILO_OK) result = filo_snapshot_restore(snapshot, *world);
    return result;
}

FiloResult filo_snapshot_difference(const FiloSnapshot *snapshot, const FiloSnapshot *before,
                                    const FiloWorld *world, char *text, size_t size) {
    if (text == NULL) size = 0;
    Sentence sentence = { text, size };
    if (size > 0) text[0] = '\0';
    if (world == NULL || snapshot == NULL || before == NULL)
        return FILO_MISTAKE("pass two snapshots and a world");
    FiloWorld *now = NULL, *was = NULL;
    FiloResult result = create_restored(&now, world, snapshot);
    if (result.code == FILO_OK) result = create_restored(&was, world, before);
    if (result.code == FILO_OK && !filo_world_difference(now, was, text, size) &&
        !sections_differ(&sentence, snapshot, before, "first"))
        (void)sections_differ(&sentence, before, snapshot, "second");
    filo_world_destroy(now);
    filo_world_destroy(was);
    return result;
}
