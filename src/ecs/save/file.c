// The file around a saved world: sizes, checksum, compression. See save.h.

#include "ecs/save/save.h"

#include <filo/files.h>
#include <filo/hash.h>

#include <zstd.h>

#define DEFAULT_LEVEL 3
#define LEVEL_MAX     19

static const char magic[8] = { 'f', 'i', 'l', 'o', 's', 'a', 'v', 'e' };

static uint64_t checksum(const EcsSaveHeader *header, const uint8_t *rest, size_t size) {
    FiloHasher hasher;
    filo_hasher_init(&hasher, 0);
    filo_hasher_add(&hasher, header, offsetof(EcsSaveHeader, checksum));
    filo_hasher_add(&hasher, rest, size);
    return filo_hasher_finish(&hasher);
}

// ---- Saving ---------------------------------------------------------------------------------------------

// Adds header and compressed body to `bytes`.
static FiloResult pack(FiloBytes *bytes, const FiloBytes *body, int level) {
    size_t start = bytes->count, bound = ZSTD_compressBound(body->count);
    FiloResult no_memory = filo_error(FILO_ERROR_MEMORY, "no memory to save a world");
    if (!filo_array_reserve(bytes, start + sizeof(EcsSaveHeader) + bound)) return no_memory;
    uint8_t *rest = bytes->items + start + sizeof(EcsSaveHeader);
    size_t compressed = ZSTD_compress(rest, bound, body->items, body->count, level);
    if (ZSTD_isError(compressed)) return no_memory; // the only possible error
    size_t size = compressed;
    if (body->count > ECS_SAVE_SMALL) size = FILO_MAX(size, body->count / ECS_SAVE_RATIO + 1);
    if (!filo_array_reserve(bytes, start + sizeof(EcsSaveHeader) + size)) return no_memory;
    rest = bytes->items + start + sizeof(EcsSaveHeader);
    memset(rest + compressed, 0, size - compressed);
    EcsSaveHeader header = { .version = ECS_SAVE_VERSION,
                             .body_size = body->count,
                             .compressed_size = compressed };
    memcpy(header.magic, magic, sizeof magic);
    header.checksum = checksum(&header, rest, size);
    memcpy(bytes->items + start, &header, sizeof header);
    bytes->count = start + sizeof header + size;
    return filo_ok();
}

FiloResult filo_world_save_bytes(FiloWorld *world, FiloBytes *bytes, const FiloSaveDesc *desc) {
    FiloSaveDesc zero = { 0 };
    if (desc == NULL) desc = &zero;
    if (world == NULL || bytes == NULL) return FILO_MISTAKE("pass a world, and where to save it");
    if (ecs_is_beside_tick(world) || ecs_is_running(world))
        return FILO_MISTAKE("save a world between ticks, not inside a system");
    if (desc->level < 0 || desc->level > LEVEL_MAX)
        return FILO_MISTAKE("the level of compression is 1 to %d, or 0", LEVEL_MAX);
    FiloBytes body;
    filo_array_init(&body, desc->allocator);
    FiloResult result = ecs_save_write(world, &body);
    if (result.code == FILO_OK) result = pack(bytes, &body, desc->level > 0 ? desc->level : DEFAULT_LEVEL);
    filo_array_deinit(&body);
    return result;
}

FiloResult filo_world_save(FiloWorld *world, const char *path, const FiloSaveDesc *desc) {
    if (path == NULL) return FILO_MISTAKE("pass the path of a file");
    FiloBytes bytes;
    filo_array_init(&bytes, desc != NULL ? desc->allocator : NULL);
    FiloResult result = filo_world_save_bytes(world, &bytes, desc);
    if (result.code == FILO_OK)
        result = filo_file_write(path, bytes.items, bytes.count,
                                 &(FiloFileWriteDesc){ .skip_sync = desc != NULL && desc->skip_sync });
    else
        result = filo_error(result.code, "%s: %s", path, result.message);
    filo_array_deinit(&bytes);
    return result;
}

// ---- Loading --------------------------------------------------------------------------------------------

static FiloResult check_header(const EcsSaveHeader *header, const uint8_t *rest, size_t rest_size,
                               const char *name, size_t limit) {
    if (memcmp(header->magic, magic, sizeof magic) != 0)
        return filo_error(FILO_ERROR_DATA, "%s: not a saved world", name);
    if (header->version == 0 || header->version > ECS_SAVE_VERSION)
        return filo_error(FILO_ERROR_UNSUPPORTED, "%s: saved in format %u; this program understands 1 to %u",
                          name, header->version, ECS_SAVE_VERSION);
    if (header->checksum != checksum(header, rest, rest_size))
        return filo_error(FILO_ERROR_DATA, "%s: damaged (the checksum is wrong)", name);
    if (header->flags != 0 || header->compressed_size > rest_size)
        return filo_error(FILO_ERROR_DATA, "%s: its sizes cannot be true", name);
    size_t most = limit > 0 ? limit : FILO_MAX(ECS_SAVE_SMALL, (sizeof *header + rest_size) * ECS_SAVE_RATIO);
    if (header->body_size <= most) return filo_ok();
    return filo_error(FILO_ERROR_LIMIT, "%s: holds %llu bytes; the limit is %zu%s", name,
                      (unsigned long long)header->body_size, most,
                      limit > 0 ? "" : " for a file of this size, unless FiloLoadDesc.limit allows more");
}

FiloResult filo_world_load_bytes(FiloWorld *world, const void *bytes, size_t size, const char *name,
                                 const FiloLoadDesc *desc) {
    FiloLoadDesc zero = { 0 };
    if (desc == NULL) desc = &zero;
    if (world == NULL || (bytes == NULL && size != 0) || name == NULL)
        return FILO_MISTAKE("pass a world, bytes, and their name");
    FiloResult mistake = ecs_check_restore(world, "load a world");
    if (mistake.code != FILO_OK) return mistake;
    EcsSaveHeader header;
    if (size < sizeof header) return filo_error(FILO_ERROR_DATA, "%s: not a saved world", name);
    memcpy(&header, bytes, sizeof header);
    const uint8_t *rest = (const uint8_t *)bytes + sizeof header;
    FiloResult result = check_header(&header, rest, size - sizeof header, name, desc->limit);
    if (result.code != FILO_OK) return result;
    size_t body_size = (size_t)header.body_size;
    uint8_t *body = filo_alloc(desc->allocator, FILO_MAX(body_size, (size_t)1), 0);
    if (body == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory to load it", name);
    size_t got = ZSTD_decompress(body, body_size, rest, (size_t)header.compressed_size);
    if (ZSTD_isError(got) || got != body_size)
        result = filo_error(FILO_ERROR_DATA, "%s: damaged (%s)", name,
                            ZSTD_isError(got) ? ZSTD_getErrorName(got) : "less than it should hold");
    else
        result = ecs_save_read(world, body, body_size, header.version, name, desc);
    filo_free(desc->allocator, body, FILO_MAX(body_size, (size_t)1), 0);
    return result;
}

FiloResult filo_world_load(FiloWorld *world, const char *path, const FiloLoadDesc *desc) {
    if (path == NULL) return FILO_MISTAKE("pass the path of a file");
    FiloFileReadDesc read = { .allocator = desc != NULL ? desc->allocator : NULL,
                              .limit = desc != NULL && desc->limit > 0 ? desc->limit : ECS_SAVE_LIMIT };
    FiloFileData data;
    FiloResult result = filo_file_read(&data, path, &read);
    if (result.code != FILO_OK) return result;
    result = filo_world_load_bytes(world, data.bytes, data.size, path, desc);
    filo_file_free(&data);
    return result;
}
