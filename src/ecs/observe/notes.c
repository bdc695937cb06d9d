// A list of entities, each once: see EcsNotes in observe.h.

#include "ecs/observe/observe.h"

#define MIN_CAPACITY 64

// Bytes of the one block with entities, list and info.
static size_t block_size(uint32_t capacity) { return capacity * (2 * sizeof(FiloEntity) + sizeof(uint32_t)); }

void ecs_notes_deinit(EcsNotes *notes, const FiloWorld *world) {
    filo_free(world->allocator, notes->entities, block_size(notes->capacity), 0);
    filo_free(world->allocator, notes->slots, notes->slot_count * sizeof *notes->slots, 0);
    *notes = (EcsNotes){ 0 };
}

static bool grow(EcsNotes *notes, const FiloWorld *world, size_t count) {
    if (count > ECS_NOTES_MAX) {
        filo_out_of_memory(world->name, 0, "observers can be notified of 134217727 entities at a time");
        return false;
    }
    uint32_t capacity =
        (uint32_t)FILO_MIN(FILO_MAX(count, (size_t)notes->capacity * 2), (size_t)ECS_NOTES_MAX);
    capacity = FILO_MAX(capacity, (uint32_t)MIN_CAPACITY);
    EcsNotes grown = *notes;
    grown.entities = filo_alloc(world->allocator, block_size(capacity), 0);
    if (grown.entities == NULL) return false;
    grown.list = grown.entities + capacity;
    grown.info = (uint32_t *)(grown.list + capacity);
    grown.capacity = capacity;
    if (notes->count > 0) {
        memcpy(grown.entities, notes->entities, notes->count * sizeof *notes->entities);
        memcpy(grown.info, notes->info, notes->count * sizeof *notes->info);
    }
    filo_free(world->allocator, notes->entities, block_size(notes->capacity), 0);
    *notes = grown;
    return true;
}

static bool grow_slots(EcsNotes *notes, const FiloWorld *world, size_t end) {
    // At least as many as the directory has records, so that both grow at the same time.
    size_t count = FILO_MAX(end, world->record_capacity);
    uint32_t *slots = filo_resize(world->allocator, notes->slots, notes->slot_count * sizeof *slots,
                                  count * sizeof *slots, 0);
    if (slots == NULL) return false;
    memset(slots + notes->slot_count, 0, (count - notes->slot_count) * sizeof *slots);
    notes->slots = slots;
    notes->slot_count = (uint32_t)count;
    return true;
}

bool ecs_notes_reserve(EcsNotes *notes, const FiloWorld *world, size_t count, size_t end) {
    return (count <= notes->capacity || grow(notes, world, count)) &&
           (end <= notes->slot_count || grow_slots(notes, world, end));
}

uint32_t ecs_notes_put(EcsNotes *notes, const FiloWorld *world, FiloEntity entity) {
    uint32_t index = (uint32_t)entity.id, before = 0;
    if (index < notes->slot_count) {
        uint32_t entry = notes->slots[index];
        if (entry < notes->count && (uint32_t)notes->entities[entry].id == index) {
            if (notes->entities[entry].id == entity.id) return entry;
            before = entry + 1;
            // Generations grow, except if an entity is created under an old id: only such an entity may have an earlier
            // entry.
            if (entity.id < notes->entities[entry].id)
                for (uint32_t at = before; at != 0; at = notes->info[at - 1] >> ECS_NOTE_BITS)
                    if (notes->entities[at - 1].id == entity.id) return at - 1;
        }
    }
    if (!ecs_notes_reserve(notes, world, (size_t)notes->count + 1, (size_t)index + 1)) return ECS_NO_NOTE;
    uint32_t entry = notes->count++;
    notes->entities[entry] = entity;
    notes->info[entry] = before << ECS_NOTE_BITS;
    notes->slots[index] = entry;
    return entry;
}
