// The record of an entity index: where the entity is, and its generation. directory.h has the functions of a world's
// records.

#ifndef FILO_ECS_STORAGE_RECORD_H
#define FILO_ECS_STORAGE_RECORD_H

#include <filo/types.h>

#include <string.h>

// Six bytes, so that an entity with 16 bytes of data takes less than 28 in all. Not aligned: read and written by the
// functions below.
//
// The location is one of
//   chunk id << ECS_ROW_BITS | row in the chunk    the index is in use
//   ECS_LOCATION_FREE | next free index            it is free; the list begins with the index that was freed first
//   ECS_LOCATION_PENDING | number of its plan      a refresh works on it (changes/refresh.h)
typedef struct EcsRecord {
    uint8_t location[4];
    uint8_t generation[2]; // of the entity, or of the next one at this index; 0: the index is retired
} EcsRecord;

#define ECS_LOCATION_FREE    0x80000000u
#define ECS_LOCATION_PENDING 0x40000000u
#define ECS_LOCATION_MASK    0x3FFFFFFFu
#define ECS_LOCATION_LAST    ECS_LOCATION_MASK // ends the list of free indices
#define ECS_ROW_BITS         13
#define ECS_CHUNK_ROWS       (1u << ECS_ROW_BITS) // maximum
#define ECS_CHUNKS           (1u << 17)           // maximum
#define ECS_GENERATION_LAST  0xFFFFu

static inline uint32_t ecs_record_location(const EcsRecord *record) {
    uint32_t location;
    memcpy(&location, record->location, 4);
    return location;
}
static inline void ecs_record_set_location(EcsRecord *record, uint32_t location) {
    memcpy(record->location, &location, 4);
}
static inline uint32_t ecs_record_generation(const EcsRecord *record) {
    uint16_t generation;
    memcpy(&generation, record->generation, 2);
    return generation;
}
static inline void ecs_record_set_generation(EcsRecord *record, uint32_t generation) {
    uint16_t narrow = (uint16_t)generation;
    memcpy(record->generation, &narrow, 2);
}
// Whether a record is in use and of this generation. `entity` has the index of the record.
static inline bool ecs_record_is_of(const EcsRecord *record, FiloEntity entity) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    // Upper 16 bits of the location, then the generation. ECS_LOCATION_FREE is the bit below the generation.
    uint32_t end;
    memcpy(&end, (const uint8_t *)record + 2, 4);
    return end >> 15 == entity.id >> 31;
#else
    return ecs_record_generation(record) == entity.id >> 32 &&
           (ecs_record_location(record) & ECS_LOCATION_FREE) == 0;
#endif
}

static inline uint32_t ecs_location(uint32_t chunk_id, uint32_t row) {
    return chunk_id << ECS_ROW_BITS | row;
}
static inline uint32_t ecs_row_of(uint32_t location) { return location & (ECS_CHUNK_ROWS - 1); }
static inline FiloEntity ecs_entity_make(uint32_t index, uint32_t generation) {
    return (FiloEntity){ (uint64_t)generation << 32 | index };
}

#endif
