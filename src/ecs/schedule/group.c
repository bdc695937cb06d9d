// Groups of systems that are switched on and off together.
//
// A group is a name and whether it is off. The list only grows, so the index of a group stays valid: systems and
// records in change sets refer to it. Which groups are off is a part of the state of the world. A provider, which is
// added with the first group, saves it: the names of those that are off, each ended by a zero. A name that no system
// of the world uses is restored nevertheless. The hash is 0 if no group is off, so worlds that differ only in which
// groups their systems name are equal.

#include "base/suggest.h"
#include "ecs/schedule/schedule.h"

#include <filo/hash.h>
#include <filo/snapshot.h>

#define PROVIDER "filo groups"

static uint32_t find(const EcsSchedule *schedule, FiloName name) {
    for (size_t i = 0; name.id != 0 && i < schedule->groups.count; i++)
        if (schedule->groups.items[i].name.id == name.id) return (uint32_t)i;
    return ECS_NO_GROUP;
}

// ---- State --------------------------------------------------------------------------------------------------

static size_t saved_size(FiloWorld *world, void *user) {
    FILO_UNUSED(user);
    size_t size = 0;
    filo_array_each (&world->schedule->groups, group)
        if (group->off) size += filo_name_string(group->name).length + 1;
    return size;
}

static void save(FiloWorld *world, void *bytes, void *user) {
    FILO_UNUSED(user);
    char *to = bytes;
    filo_array_each (&world->schedule->groups, group) {
        if (!group->off) continue;
        FiloString name = filo_name_string(group->name);
        memcpy(to, name.data, name.length + 1);
        to += name.length + 1;
    }
}

// Switches a group off, and adds it if no system has named it yet. False without memory.
static bool restore_off(EcsSchedule *schedule, FiloName name) {
    uint32_t group = find(schedule, name);
    if (group == ECS_NO_GROUP)
        return filo_array_push(&schedule->groups, ((EcsGroup){ .name = name, .off = true }));
    schedule->groups.items[group].off = true;
    return true;
}

static FiloResult restore(FiloWorld *world, const void *bytes, size_t size, void *user) {
    FILO_UNUSED(user);
    EcsSchedule *schedule = world->schedule;
    const char *text = bytes;
    size_t count = 0;
    if (size > 0 && text[size - 1] != 0) return filo_error(FILO_ERROR_DATA, "the name of a group has no end");
    for (size_t i = 0; i < size; i++) count += text[i] == 0;
    FiloArray(FiloName) names;
    filo_array_init(&names, NULL);
    FiloNameBatch batch = { 0 };
    bool ok = filo_array_reserve(&names, count) &&
              filo_array_reserve(&schedule->groups, schedule->groups.count + count);
    for (size_t i = 0; ok && i < size; i += strlen(text + i) + 1) {
        FiloName name = filo_name_batch_add(&batch, filo_string(text + i));
        ok = (name.id != 0 || text[i] == 0) && filo_array_push(&names, name);
    }
    if (ok) {
        filo_array_each (&schedule->groups, group) group->off = false;
        filo_array_each (&names, name)
            if (name->id != 0) (void)restore_off(schedule, *name); // cannot fail: memory is reserved
        schedule->active_stale = true;
    }
    FiloResult result = batch.result;
    if (!ok && result.code == FILO_OK)
        result = filo_error(FILO_ERROR_MEMORY, "no memory for groups of systems");
    filo_name_batch_end(&batch, ok);
    filo_array_deinit(&names);
    return result;
}

uint64_t ecs_groups_hash(const FiloWorld *world) {
    uint64_t sum = 0;
    filo_array_each (&world->schedule->groups, group)
        if (group->off) sum += filo_hash_u64(filo_name_hash(group->name));
    return sum;
}

static bool add_provider(FiloWorld *world) {
    return filo_world_add_provider(
        world, &(FiloProvider){ .name = PROVIDER, .size = saved_size, .save = save, .restore = restore });
}

uint32_t ecs_group_number(FiloWorld *world, const char *text) {
    EcsSchedule *schedule = world->schedule;
    FiloName name = filo_name(text);
    if (name.id == 0) return ECS_NO_GROUP;
    uint32_t group = find(schedule, name);
    if (group == ECS_NO_GROUP) {
        if (!filo_array_reserve(&schedule->groups, schedule->groups.count + 1)) return ECS_NO_GROUP;
        if (!schedule->has_group_provider && !add_provider(world)) return ECS_NO_GROUP;
        schedule->has_group_provider = true;
        group = (uint32_t)schedule->groups.count;
        (void)filo_array_push(&schedule->groups, (EcsGroup){ .name = name });
    }
    schedule->groups.items[group].named = true;
    return group;
}

// ---- Switching ----------------------------------------------------------------------------------------------

// The group with the most similar name; NULL if none is similar.
static const char *most_similar(const EcsSchedule *schedule, FiloString wanted) {
    const char *best = NULL;
    BaseSuggestion suggestion = base_suggest(wanted);
    filo_array_each (&schedule->groups, group)
        if (group->named && base_suggest_offer(&suggestion, filo_name_string(group->name)))
            best = filo_name_text(group->name);
    return best;
}

// The index of a group that a system named; ECS_NO_GROUP, with a report, if none did.
static uint32_t named_group(const FiloWorld *world, const char *text) {
    const EcsSchedule *schedule = world->schedule;
    if (!FILO_CHECK(text != NULL && text[0] != 0, "pass the name of a group")) return ECS_NO_GROUP;
    uint32_t group = find(schedule, filo_name_find(filo_string(text)));
    if (FILO_LIKELY(group != ECS_NO_GROUP && schedule->groups.items[group].named)) return group;
    const char *meant = most_similar(schedule, filo_string(text));
    if (meant != NULL)
        (void)FILO_CHECK(false, "no system has the group \"%s\": did you mean \"%s\"?", text, meant);
    else
        (void)FILO_CHECK(false, "no system has the group \"%s\": add one with .groups = { \"%s\" } before",
                         text, text);
    return ECS_NO_GROUP;
}

static void set_enabled(FiloWorld *world, uint32_t which, int64_t value) {
    EcsGroup *group = &world->schedule->groups.items[which];
    if (group->off == (value == 0)) return;
    group->off = value == 0;
    world->schedule->active_stale = true;
}

bool filo_world_set_group_enabled(FiloWorld *world, const char *group, bool enabled) {
    if (!ecs_may_read(world)) return false;
    uint32_t which = named_group(world, group);
    if (which == ECS_NO_GROUP ||
        !FILO_CHECK(!ecs_is_running(world) && world->schedule->state == ECS_TICK_NONE,
                    "group \"%s\": inside a system, use filo_changes_set_group_enabled(it->changes, …)",
                    group))
        return false;
    set_enabled(world, which, enabled);
    return true;
}

bool filo_changes_set_group_enabled(FiloChanges *changes, const char *group, bool enabled) {
    if (!ecs_changes_are_valid(changes)) return false;
    uint32_t which = named_group(filo_changes_world(changes), group);
    if (which == ECS_NO_GROUP) return false;
    return ecs_changes_record(changes,
                              &(EcsWorldChange){ .apply = set_enabled, .value = enabled, .which = which });
}

bool filo_world_group_enabled(const FiloWorld *world, const char *group) {
    if (!ecs_may_read(world)) return true;
    uint32_t which = named_group(world, group);
    return which == ECS_NO_GROUP || !world->schedule->groups.items[which].off;
}

const char *filo_world_group_at(const FiloWorld *world, size_t n) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return NULL;
    filo_array_each (&world->schedule->groups, group)
        if (group->named && n-- == 0) return filo_name_text(group->name);
    return NULL;
}
