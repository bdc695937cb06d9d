// Layouts that are kept, by their key and text. Memory of layouts that were evicted is used again, so that a text that
// changes in every frame does not allocate in the long run.

#ifndef TEXT_CACHE_H
#define TEXT_CACHE_H

#include "text/layout/layout.h"

#define TEXT_BLOCK_CLASSES 128

typedef struct TextCache {
    FiloMap layouts; // FiloTextLayout * by hash
    FiloTextLayout *newest, *oldest;
    size_t count, memory, limit;
    FiloTextLayout *unused[TEXT_BLOCK_CLASSES]; // blocks by size, linked by `same`
    size_t unused_memory;
    uint64_t laid_out;
    TextPlaced placed;
    bool cut_reported;
    bool style_reported, axes_reported; // numbers that make no sense
} TextCache;

void text_cache_init(FiloTypesetter *setter, size_t limit);
void text_cache_deinit(FiloTypesetter *setter);
// Evicts the layouts that were not used for longest, until the rest fits, or was used in this frame or the last.
void text_cache_evict(FiloTypesetter *setter);
FiloTextLayout *text_cache_find(FiloTypesetter *setter, uint64_t hash, const TextLayoutKey *key,
                                FiloString text);
// A block of at least `size` bytes; `block_size` is what it has. NULL without memory.
FiloTextLayout *text_cache_block(FiloTypesetter *setter, size_t size, size_t *block_size);
// Adds a layout in a block of text_cache_block. False without memory; the block is then free again.
bool text_cache_add(FiloTypesetter *setter, FiloTextLayout *layout);
void text_cache_touch(FiloTypesetter *setter, FiloTextLayout *layout);

#endif
