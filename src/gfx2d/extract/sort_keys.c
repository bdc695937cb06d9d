// The sort keys of a part: which layers, orders and states occur, and how often.
//
// The key of a sprite follows from the second 8 bytes of FiloSprite: frame, layer, flags, order, shader. Two sprites
// have the same key if these words are equal in the bits of GFX2D_KEY_MASK. In most parts all rows have one key.
//
// Keys are counted again only if sprites of the chunk were written, or if images have changed (an image may have become
// a target), not if sprites merely moved.

#include "gfx2d/renderer.h"

_Static_assert(offsetof(FiloSprite, frame) == 4 && offsetof(FiloSprite, layer) == 6 &&
                   offsetof(FiloSprite, flags) == 7 && offsetof(FiloSprite, order) == 8 &&
                   offsetof(FiloSprite, shader) == 10 && sizeof(FiloSprite) == 24 && FILO_SPRITE_HIDDEN == 16,
               "GFX2D_KEY_MASK depends on where the fields lie");
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#    error "GFX2D_KEY_MASK is for little-endian machines"
#endif

#define HIDDEN_BIT (UINT64_C(1) << 28)

static inline uint64_t word_of(const FiloSprite *sprite) {
    uint64_t word;
    memcpy(&word, &sprite->frame, sizeof word);
    return word;
}

Gfx2dSortKey gfx2d_extract_plain_key(uint8_t layer, int16_t order, uint16_t state) {
    return (Gfx2dSortKey)layer << 48 | (Gfx2dSortKey)(uint16_t)(order + 32768) << 32 | state;
}

bool gfx2d_extract_sorted_by_y(const FiloGfx2d *gfx, uint8_t layer) {
    return (gfx->sorted_layers[layer / 64] >> layer % 64 & 1) != 0;
}

static uint16_t state_of(const FiloSprite *sprite, const Gfx2dSpriteFrame *frame) {
    if (FILO_UNLIKELY(gfx2d_page_is_target(frame->region.page))) return gfx2d_page_state(frame->region.page);
    return sprite->shader < GFX2D_STATE_GLYPHS ? sprite->shader : 0;
}

Gfx2dSortKey gfx2d_extract_key_at(Gfx2dSortKey key, float y) {
    // Sprites that are higher up are drawn first.
    Gfx2dSortKey height = (uint32_t)filo_sort_key_float(-y);
    return (key & ~(Gfx2dSortKey)0xFFFFFFFF0000u) | height << 16;
}

Gfx2dSortKey gfx2d_extract_sort_key(const FiloGfx2d *gfx, const FiloSprite *sprite,
                                    const Gfx2dSpriteFrame *frame, float y) {
    Gfx2dSortKey key = gfx2d_extract_plain_key(sprite->layer, sprite->order, state_of(sprite, frame));
    return gfx2d_extract_sorted_by_y(gfx, sprite->layer) ? gfx2d_extract_key_at(key, y) : key;
}

// Counts rows with one key. False if the part has too many keys, or needs one for each row.
static bool count_rows(const FiloGfx2d *gfx, Gfx2dPart *part, const FiloSprite *sprite, uint64_t word,
                       uint32_t rows) {
    if ((word & HIDDEN_BIT) != 0) return true;
    unsigned index = gfx2d_extract_key_index(part, word);
    if (index == GFX2D_PART_KEYS) {
        if (part->key_count == GFX2D_PART_KEYS || gfx2d_extract_sorted_by_y(gfx, sprite->layer)) return false;
        index = part->key_count++;
        uint16_t state = sprite->shader < GFX2D_STATE_GLYPHS ? sprite->shader : 0;
        part->keys[index] = gfx2d_extract_plain_key(sprite->layer, sprite->order, state);
        part->key_words[index] = word;
        part->key_rows[index] = 0;
        size_t slot = gfx2d_extract_key_slot(word);
        while (part->key_slots[slot] != 0) slot = (slot + 1) % GFX2D_KEY_SLOTS;
        part->key_slots[slot] = (uint8_t)(index + 1);
    }
    part->key_rows[index] += rows;
    return true;
}

// Whether all rows have the same key. Also returns the union of their words, and whether some have no image.
static bool is_uniform(FiloGfx2d *gfx, const Gfx2dPart *part, uint64_t *all_words, bool *has_boxes) {
    uint64_t first = word_of(part->sprites), differ = 0, words = 0;
    uint32_t boxes = 0;
    for (uint32_t i = 0; i < part->rows; i++) {
        uint64_t word = word_of(&part->sprites[i]);
        differ |= word ^ first;
        words |= word;
        FiloName image = part->sprites[i].image;
        boxes |= image.id == 0;
        if (FILO_UNLIKELY(image.id < gfx->entry_count && gfx->entries[image.id].frames == &gfx->unrequested))
            gfx2d_frames_mark_requested(gfx, image);
    }
    *all_words = words;
    *has_boxes = boxes != 0;
    return (differ & GFX2D_KEY_MASK) == 0;
}

// Whether some sprite shows a target: such a part is unsorted, since the state follows from the image.
static bool shows_target(const FiloGfx2d *gfx, const Gfx2dPart *part) {
    if (gfx->gpu == NULL || gfx->targets.count == 0) return false;
    for (uint32_t i = 0; i < part->rows; i++) {
        const FiloSprite *sprite = &part->sprites[i];
        if (gfx2d_page_is_target(gfx2d_frames_find(gfx, sprite->image, sprite->frame)->region.page))
            return true;
    }
    return false;
}

void gfx2d_extract_count_keys(FiloGfx2d *gfx, Gfx2dPart *part) {
    uint64_t words;
    bool boxes;
    part->keys_counted = true;
    part->key_generation = gfx->generation;
    part->key_count = 0;
    memset(part->key_slots, 0, sizeof part->key_slots);
    bool uniform = is_uniform(gfx, part, &words, &boxes);
    part->features = (uint8_t)((words >> 24 & FILO_SPRITE_LINEAR) != 0 ? GFX2D_FEATURE_LINEAR : 0);
    if (boxes) part->features |= GFX2D_FEATURE_SHAPES;
    part->unsorted = shows_target(gfx, part);
    if (part->unsorted) return;
    if (uniform) {
        part->unsorted =
            !count_rows(gfx, part, part->sprites, word_of(part->sprites) & GFX2D_KEY_MASK, part->rows);
        return;
    }
    for (uint32_t i = 0; i < part->rows && !part->unsorted; i++)
        part->unsorted =
            !count_rows(gfx, part, &part->sprites[i], word_of(&part->sprites[i]) & GFX2D_KEY_MASK, 1);
}
