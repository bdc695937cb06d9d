// Records of ticks.

#include "audio/audio.h"

static const char key; // of the data of a world

#define RANDOM_STREAM 0x61756469u

// ---- Positions ----------------------------------------------------------------------------------------------------

static FiloVec3 in_plane(FiloVec2 position) { return filo_vec3(position.x, position.y, 0); }

static FiloVec3 translation2(const FiloAffine2 *affine) { return in_plane(affine->origin); }

static FiloVec3 translation3(const FiloMat4 *matrix) {
    return filo_vec3(matrix->m[12], matrix->m[13], matrix->m[14]);
}

static FiloVec3 speed(FiloVec3 now, FiloVec3 before, double seconds) {
    if (!(seconds > 0)) return filo_vec3(0, 0, 0);
    return filo_vec3_scale(filo_vec3_sub(now, before), (float)(1 / seconds));
}

// A row of one of the queries: where it is, how fast, and which way it looks. False if it has no transform.
typedef struct Columns {
    const FiloTransform2 *transform2;
    const FiloPreviousTransform2 *previous2;
    const FiloWorldTransform2 *world2;
    const FiloTransform3 *transform3;
    const FiloPreviousTransform3 *previous3;
    const FiloWorldTransform3 *world3;
} Columns;

static Columns columns_of(FiloIter *it) {
    return (Columns){ filo_read(it, FiloTransform2),         filo_read(it, FiloPreviousTransform2),
                      filo_read(it, FiloWorldTransform2),    filo_read(it, FiloTransform3),
                      filo_read(it, FiloPreviousTransform3), filo_read(it, FiloWorldTransform3) };
}

typedef struct Place {
    FiloVec3 position, velocity;
    FiloQuat rotation;
    bool in_space, has_speed;
} Place;

static void place_in_space(const Columns *columns, size_t row, double seconds, Place *place) {
    const FiloTransform3 *transform = &columns->transform3[row];
    place->in_space = true;
    place->position = transform->position;
    place->rotation = transform->rotation;
    const FiloWorldTransform3 *world = columns->world3 != NULL ? &columns->world3[row] : NULL;
    const FiloPreviousTransform3 *previous = columns->previous3 != NULL ? &columns->previous3[row] : NULL;
    place->has_speed = world != NULL || previous != NULL;
    if (world != NULL && world->valid) {
        place->position = translation3(&world->now);
        place->rotation = filo_transform3_from_matrix(world->now).rotation;
        place->velocity = speed(place->position, translation3(&world->previous), seconds);
    } else if (previous != NULL && previous->valid) {
        place->velocity = speed(place->position, previous->position, seconds);
    }
}

static void place_in_plane(const Columns *columns, size_t row, double seconds, Place *place) {
    place->position = in_plane(columns->transform2[row].position);
    const FiloWorldTransform2 *world = columns->world2 != NULL ? &columns->world2[row] : NULL;
    const FiloPreviousTransform2 *previous = columns->previous2 != NULL ? &columns->previous2[row] : NULL;
    place->has_speed = world != NULL || previous != NULL;
    if (world != NULL && world->valid) {
        place->position = translation2(&world->now);
        place->velocity = speed(place->position, translation2(&world->previous), seconds);
    } else if (previous != NULL && previous->valid) {
        place->velocity = speed(place->position, in_plane(previous->position), seconds);
    }
}

static bool place_of(const Columns *columns, size_t row, double seconds, Place *place) {
    *place = (Place){ 0 };
    if (columns->transform3 != NULL)
        place_in_space(columns, row, seconds, place);
    else if (columns->transform2 != NULL)
        place_in_plane(columns, row, seconds, place);
    else
        return false;
    return true;
}

// ---- At the end of a tick -------------------------------------------------------------------------------------------

static void record_sounds(AudioRecords *records, double seconds) {
    FiloIter it = filo_query_iter(records->sound_query);
    while (filo_iter_next(&it)) {
        const FiloSound *sound = filo_read(&it, FiloSound);
        Columns columns = columns_of(&it);
        for (size_t i = 0; i < it.count; i++) {
            if (sound[i].sound.id == 0 || sound[i].ended || !sound[i].started) continue;
            Place place;
            bool placed = place_of(&columns, i, seconds, &place) && (sound[i].flags & FILO_SOUND_FLAT) == 0;
            (void)filo_array_push(&records->sounds, (AudioSoundState){ .entity = filo_iter_entity(&it, i),
                                                                       .sound = sound[i],
                                                                       .position = place.position,
                                                                       .velocity = place.velocity,
                                                                       .placed = placed,
                                                                       .in_space = place.in_space,
                                                                       .has_speed = place.has_speed });
        }
    }
}

void audio_listener_fill(AudioListener *listener, const FiloListener *component) {
    static const FiloListener defaults;
    const FiloListener *from = component != NULL ? component : &defaults;
    listener->near = from->near > 0 ? from->near : 1;
    listener->far = from->far > listener->near ? from->far : 40 * listener->near;
    if (from->far > 0 && from->far <= listener->near)
        audio_warn_listener("has a `far` that is not more than its `near`: it counts as 40 × near");
    listener->pan = from->pan > 0 ? from->pan : listener->far / 2;
    listener->speed_of_sound = from->speed_of_sound > 0 ? from->speed_of_sound : 343;
}

static bool record_listener(AudioRecords *records, double seconds, AudioListener *listener) {
    FiloIter it = filo_query_iter(records->listener_query);
    bool found = false;
    int32_t priority = 0;
    while (filo_iter_next(&it)) {
        const FiloListener *component = filo_read(&it, FiloListener);
        Columns columns = columns_of(&it);
        for (size_t i = 0; i < it.count; i++) {
            Place place;
            if (found && component[i].priority <= priority) continue;
            if (!place_of(&columns, i, seconds, &place)) {
                audio_warn_listener(
                    "has no transform, and is not used: add a FiloTransform2 or FiloTransform3");
                continue;
            }
            found = true;
            priority = component[i].priority;
            *listener = (AudioListener){ .entity = filo_iter_entity(&it, i),
                                         .position = place.position,
                                         .velocity = place.velocity,
                                         .rotation = place.rotation,
                                         .in_space = place.in_space,
                                         .has_speed = place.has_speed };
            audio_listener_fill(listener, &component[i]);
        }
    }
    return found;
}

void audio_cue_place(FiloCue *cue, FiloWorld *world) {
    if (cue->entity.id == 0 || (cue->flags & (FILO_SOUND_PLACED | FILO_SOUND_FLAT)) != 0) return;
    if (filo_component_of(world, FILO_TYPE(FiloTransform2)).id == 0) return;
    if (!filo_entity_exists(world, cue->entity)) return;
    if (filo_has(world, cue->entity, FiloTransform3))
        cue->position = filo_transform3_position(world, cue->entity);
    else if (filo_has(world, cue->entity, FiloTransform2))
        cue->position = in_plane(filo_transform2_position(world, cue->entity));
    else
        return;
    cue->flags |= FILO_SOUND_PLACED;
}

static void place_cues(AudioRecords *records) {
    for (; records->placed_cues < records->cues.count; records->placed_cues++)
        audio_cue_place(&records->cues.items[records->placed_cues], records->world);
}

static void after_tick(FiloWorld *world, void *data) {
    AudioRecords *records = data;
    uint64_t tick = filo_world_ticks(world);
    if (records->listening) place_cues(records);
    if (tick == records->tick) return; // a refresh, or handlers between ticks
    records->tick = tick;
    records->cue_count = 0;
    if (!records->listening) return;
    if (records->ticks.count >= AUDIO_TICKS_MAX) {
        records->cues.count = records->placed_cues =
            records->ticks.count > 0 ? records->ticks.items[records->ticks.count - 1].cue_end : 0;
        return;
    }
    AudioTick record = { .seconds = (double)filo_world_delta(world) };
    if (records->has_components) {
        record_sounds(records, record.seconds);
        record.has_listener = record_listener(records, record.seconds, &record.listener);
    }
    record.cue_end = records->cues.count;
    record.sound_end = records->sounds.count;
    (void)filo_array_push(&records->ticks, record);
}

// ---- Cues -----------------------------------------------------------------------------------------------------------

void audio_records_add(AudioRecords *records, const FiloCue *cue) {
    records->cue_count++;
    if (!records->listening || records->cues.count >= (size_t)AUDIO_TICKS_MAX * FILO_AUDIO_VOICES) return;
    (void)filo_array_push(&records->cues, *cue);
}

FiloRandom audio_records_random(AudioRecords *records) {
    return filo_random_keyed(filo_world_seed(records->world), filo_world_ticks(records->world), RANDOM_STREAM,
                             records->cue_count);
}

void audio_records_clear(AudioRecords *records, bool open_cues) {
    size_t taken = open_cues                  ? records->cues.count
                   : records->ticks.count > 0 ? records->ticks.items[records->ticks.count - 1].cue_end
                                              : 0;
    size_t left = records->cues.count - taken;
    if (left > 0 && taken > 0)
        memmove(records->cues.items, records->cues.items + taken, left * sizeof *records->cues.items);
    records->cues.count = left;
    records->placed_cues -= FILO_MIN(records->placed_cues, taken);
    filo_array_clear(&records->ticks);
    filo_array_clear(&records->sounds);
}

// ---- Beside the world -----------------------------------------------------------------------------------------------

static void destroy(FiloWorld *world, void *data) {
    AudioRecords *records = data;
    filo_query_release(records->sound_query);
    filo_query_release(records->listener_query);
    filo_array_deinit(&records->ticks);
    filo_array_deinit(&records->cues);
    filo_array_deinit(&records->sounds);
    filo_map_deinit(&records->lengths);
    filo_mutex_deinit(&records->length_lock);
    filo_free(filo_world_allocator(world), records, sizeof *records, 0);
}

AudioRecords *audio_records_find(const FiloWorld *world) { return filo_world_data(world, &key); }

AudioRecords *audio_records_of(FiloWorld *world, FiloAssets *assets) {
    AudioRecords *records = audio_records_find(world);
    if (records != NULL) {
        if (records->assets == NULL) records->assets = assets;
        return records;
    }
    const FiloAllocator *allocator = filo_world_allocator(world);
    records = filo_alloc_zero(allocator, sizeof *records, 0);
    if (records == NULL) return NULL;
    *records = (AudioRecords){ .world = world, .assets = assets, .tick = filo_world_ticks(world) };
    filo_array_init(&records->ticks, allocator);
    filo_array_init(&records->cues, allocator);
    filo_array_init(&records->sounds, allocator);
    filo_map_init(&records->lengths, sizeof(AudioLength), allocator);
    filo_mutex_init(&records->length_lock);
    if (filo_world_add_data(
            world,
            &(FiloWorldData){ .key = &key, .data = records, .after_tick = after_tick, .destroy = destroy }))
        return records;
    filo_free(allocator, records, sizeof *records, 0);
    return NULL;
}
