// Layouts that are kept: see cache.h.

#include "text/typesetter.h"

#define BLOCK_MIN 512u

// Sizes of blocks: four for each power of two, so that at most a fifth of a block is not used.
static unsigned block_class(size_t size, size_t *block_size) {
    size_t step = BLOCK_MIN / 4, total = BLOCK_MIN;
    unsigned index = 0;
    while (total < size && index + 1 < TEXT_BLOCK_CLASSES) {
        total += step;
        if (++index % 4 == 0) step *= 2;
    }
    *block_size = FILO_MAX(total, size);
    return index;
}

// ---- Blocks ---------------------------------------------------------------------------------------------

FiloTextLayout *text_cache_block(FiloTypesetter *setter, size_t size, size_t *block_size) {
    TextCache *cache = &setter->cache;
    unsigned index = block_class(size, block_size);
    FiloTextLayout *block = cache->unused[index];
    if (block != NULL && block->block_size == *block_size) {
        cache->unused[index] = block->same;
        cache->unused_memory -= *block_size;
        return block;
    }
    return filo_alloc(setter->allocator, *block_size, 0);
}

// Keeps a block for later, unless those that are kept are a quarter of the cache already.
static void give_block(FiloTypesetter *setter, FiloTextLayout *block, size_t block_size) {
    TextCache *cache = &setter->cache;
    size_t size;
    unsigned index = block_class(block_size, &size);
    if (cache->unused_memory + block_size > cache->limit / 4) {
        filo_free(setter->allocator, block, block_size, 0);
        return;
    }
    block->block_size = block_size;
    block->same = cache->unused[index];
    cache->unused[index] = block;
    cache->unused_memory += block_size;
}

// ---- The order of use -----------------------------------------------------------------------------------

static void unlink_layout(TextCache *cache, FiloTextLayout *layout) {
    *(layout->newer != NULL ? &layout->newer->older : &cache->newest) = layout->older;
    *(layout->older != NULL ? &layout->older->newer : &cache->oldest) = layout->newer;
}

static void link_newest(TextCache *cache, FiloTextLayout *layout) {
    layout->newer = NULL;
    layout->older = cache->newest;
    *(cache->newest != NULL ? &cache->newest->newer : &cache->oldest) = layout;
    cache->newest = layout;
}

void text_cache_touch(FiloTypesetter *setter, FiloTextLayout *layout) {
    if (layout->last_used == setter->frame) return; // it is newer than all of earlier frames
    layout->last_used = setter->frame;
    unlink_layout(&setter->cache, layout);
    link_newest(&setter->cache, layout);
}

// ---- Finding, adding, evicting --------------------------------------------------------------------------

static bool fits(const FiloTextLayout *layout, const TextLayoutKey *key, FiloString text) {
    return memcmp(&layout->key, key, sizeof *key) == 0 && layout->text_length == text.length &&
           (text.length == 0 || memcmp(layout->text, text.data, text.length) == 0);
}

FiloTextLayout *text_cache_find(FiloTypesetter *setter, uint64_t hash, const TextLayoutKey *key,
                                FiloString text) {
    FiloTextLayout **first = filo_map_get(&setter->cache.layouts, hash);
    FiloTextLayout *layout = first != NULL ? *first : NULL;
    while (layout != NULL && !fits(layout, key, text)) layout = layout->same;
    return layout;
}

static void free_layout(FiloTypesetter *setter, FiloTextLayout *layout) {
    layout->last_used = TEXT_EVICTED;
    for (size_t i = 0; i < layout->icon_count; i++) filo_name_release(layout->icons[i].image);
    give_block(setter, layout, layout->block_size);
}

bool text_cache_add(FiloTypesetter *setter, FiloTextLayout *layout) {
    TextCache *cache = &setter->cache;
    FiloTextLayout **first = filo_map_put(&cache->layouts, layout->hash);
    if (first == NULL) {
        free_layout(setter, layout);
        return false;
    }
    layout->same = *first;
    *first = layout;
    layout->last_used = setter->frame;
    link_newest(cache, layout);
    cache->count++;
    cache->memory += layout->block_size;
    return true;
}

static void evict(FiloTypesetter *setter, FiloTextLayout *layout) {
    TextCache *cache = &setter->cache;
    FiloTextLayout **first = filo_map_get(&cache->layouts, layout->hash), **at = first;
    while (*at != layout) at = &(*at)->same;
    *at = layout->same;
    if (*first == NULL) filo_map_remove(&cache->layouts, layout->hash);
    unlink_layout(cache, layout);
    cache->count--;
    cache->memory -= layout->block_size;
    free_layout(setter, layout);
}

void text_cache_evict(FiloTypesetter *setter) {
    TextCache *cache = &setter->cache;
    while (cache->oldest != NULL && cache->oldest->last_used + 1 < setter->frame &&
           (cache->memory > cache->limit || cache->oldest->key.generation != setter->fonts.generation))
        evict(setter, cache->oldest);
}

void text_cache_init(FiloTypesetter *setter, size_t limit) {
    TextCache *cache = &setter->cache;
    filo_map_init(&cache->layouts, sizeof(FiloTextLayout *), setter->allocator);
    text_placed_init(&cache->placed, setter->allocator);
    cache->limit = limit != 0 ? limit : FILO_MIB(16);
}

void text_cache_deinit(FiloTypesetter *setter) {
    TextCache *cache = &setter->cache;
    while (cache->oldest != NULL) evict(setter, cache->oldest);
    for (unsigned i = 0; i < TEXT_BLOCK_CLASSES; i++)
        while (cache->unused[i] != NULL) {
            FiloTextLayout *block = cache->unused[i];
            cache->unused[i] = block->same;
            filo_free(setter->allocator, block, block->block_size, 0);
        }
    filo_map_deinit(&cache->layouts);
    text_placed_deinit(&cache->placed);
}
