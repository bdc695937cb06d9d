// The cache of glyphs. See glyph_cache.h.

#include "text/glyphs/glyph_cache.h"

#include <filo/log.h>
#include <filo/time.h>

#include <stdlib.h>

#define TEXEL_LIMIT  ((size_t)4 << 20)
#define UPLOAD_LIMIT 65536   // texels that an update takes over, besides the first picture
#define ALONE_NS     1000000 // how long an update makes glyphs, if there are no other threads
#define KEPT_FRAMES  2       // glyphs of the last frames are not freed
#define ENTRY_LIMIT  65536   // entries, of which empty ones take no texels

TextGlyphs *text_glyphs_create(const FiloTypesetter *setter, FiloGfx2d *gfx, FiloJobs *jobs,
                               const FiloAllocator *allocator, size_t texel_limit) {
    TextGlyphs *glyphs = filo_alloc_zero(allocator, sizeof *glyphs, 0);
    if (glyphs == NULL) return NULL;
    glyphs->works = filo_alloc_zero(allocator, TEXT_WORKS * sizeof *glyphs->works, _Alignof(TextGlyphWork));
    if (glyphs->works == NULL) {
        filo_free(allocator, glyphs, sizeof *glyphs, 0);
        return NULL;
    }
    glyphs->allocator = allocator;
    glyphs->setter = setter;
    glyphs->gfx = gfx;
    glyphs->jobs = jobs;
    glyphs->texel_limit = texel_limit > 0 ? texel_limit : TEXEL_LIMIT;
    filo_map_init(&glyphs->indices, sizeof(uint32_t), allocator);
    filo_array_init(&glyphs->glyphs, allocator);
    filo_array_init(&glyphs->free, allocator);
    filo_array_init(&glyphs->waiting, allocator);
    filo_array_init(&glyphs->oldest, allocator);
    return glyphs;
}

static void end_item(TextGlyphs *glyphs, TextWorkItem *item) {
    filo_pixels_free(&item->image.pixels, glyphs->allocator);
    text_font_file_release(item->request.file);
    item->request.file = NULL;
}

void text_glyphs_destroy(TextGlyphs *glyphs) {
    if (glyphs == NULL) return;
    for (int i = 0; i < TEXT_WORKS; i++) {
        TextGlyphWork *work = &glyphs->works[i];
        if (work->running && glyphs->jobs != NULL) filo_jobs_wait(glyphs->jobs, &work->job);
        for (uint32_t k = work->taken; k < work->count; k++) end_item(glyphs, &work->items[k]);
        text_rasteriser_destroy(work->rasteriser);
    }
    filo_array_each (&glyphs->glyphs, glyph)
        if (glyph->state == TEXT_GLYPH_READY) filo_gfx2d_region_free(glyphs->gfx, &glyph->region);
    filo_map_deinit(&glyphs->indices);
    filo_array_deinit(&glyphs->glyphs);
    filo_array_deinit(&glyphs->free);
    filo_array_deinit(&glyphs->waiting);
    filo_array_deinit(&glyphs->oldest);
    filo_free(glyphs->allocator, glyphs->works, TEXT_WORKS * sizeof *glyphs->works, _Alignof(TextGlyphWork));
    filo_free(glyphs->allocator, glyphs, sizeof *glyphs, 0);
}

// ---- Keys ---------------------------------------------------------------------------------------------------

//   bits 0 to 20    glyph
//   bits 21 to 33   version of the font
//   bits 34 to 43   font
//   bits 44 to 59   size in 1/64 of a pixel
//   bits 60, 61     quarter of a pixel
//   bits 62, 63     mode
_Static_assert(FILO_TEXT_FONTS_MAX <= 1 << 10, "a key has ten bits for the font");

static uint64_t key_of(const TextFont *font, uint32_t glyph, TextGlyphLook look) {
    uint64_t size = (uint64_t)(look.size * 64 + 0.5f) & 0xFFFF;
    return (glyph & 0x1FFFFF) | (uint64_t)(font->version & 0x1FFF) << 21 | (uint64_t)font->index << 34 |
           size << 44 | (uint64_t)(look.quarter & 3) << 60 | (uint64_t)look.mode << 62;
}

static TextGlyphRequest request_of(TextGlyphs *glyphs, uint64_t key) {
    const TextFont *font = text_font_at(glyphs->setter, (uint16_t)(key >> 34 & 0x3FF));
    TextGlyphRequest request = { .glyph = (uint32_t)(key & 0x1FFFFF),
                                 .mode = (TextGlyphMode)(key >> 62),
                                 .size = (float)(key >> 44 & 0xFFFF) / 64,
                                 .offset = (float)(key >> 60 & 3) / 4 };
    // A font that has changed since has other glyphs under these numbers.
    if (font == NULL || (font->version & 0x1FFF) != (key >> 21 & 0x1FFF)) return request;
    request.file = text_font_file_retain(font->file);
    request.bold = font->bold;
    request.slanted = font->slanted;
    request.axes = font->axes;
    return request;
}

// ---- Entries --------------------------------------------------------------------------------------------------

static FILO_COLD uint32_t add_glyph(TextGlyphs *glyphs, uint64_t key) {
    uint32_t index;
    // Memory for everything first, so that nothing has to be undone.
    size_t count = glyphs->glyphs.count + 1;
    if (!filo_array_reserve(&glyphs->free, count) || !filo_array_reserve(&glyphs->waiting, count))
        return TEXT_GLYPH_NONE;
    if (!filo_array_pop(&glyphs->free, &index)) {
        if (!filo_array_push(&glyphs->glyphs, (TextGlyph){ 0 })) return TEXT_GLYPH_NONE;
        index = (uint32_t)glyphs->glyphs.count - 1;
    }
    if (!filo_map_set(&glyphs->indices, key, &index)) {
        (void)filo_array_push(&glyphs->free, index); // it was reserved
        return TEXT_GLYPH_NONE;
    }
    glyphs->glyphs.items[index] =
        (TextGlyph){ .key = key, .used = glyphs->frame, .state = TEXT_GLYPH_WAITING };
    (void)filo_array_push(&glyphs->waiting, index);
    return index;
}

static uint32_t find_in_map(TextGlyphs *glyphs, uint64_t key) {
    const uint32_t *found = filo_map_get(&glyphs->indices, key);
    return found != NULL ? *found : add_glyph(glyphs, key);
}

uint32_t text_glyphs_find(TextGlyphs *glyphs, const TextFont *font, uint32_t glyph, TextGlyphLook look) {
    uint64_t key = key_of(font, glyph, look);
    TextRecentGlyph *recent = &glyphs->recent[key * UINT64_C(0x9E3779B97F4A7C15) >> 56];
    if (FILO_UNLIKELY(recent->key != key || recent->index == 0)) {
        uint32_t index = find_in_map(glyphs, key);
        if (index == TEXT_GLYPH_NONE) return index;
        *recent = (TextRecentGlyph){ key, index + 1 };
    }
    uint32_t index = recent->index - 1;
    TextGlyph *entry = &glyphs->glyphs.items[index];
    entry->used = glyphs->frame;
    glyphs->misses += entry->state < TEXT_GLYPH_READY;
    return index;
}

uint32_t text_glyphs_find_ready(TextGlyphs *glyphs, const TextFont *font, uint32_t glyph,
                                TextGlyphLook look) {
    const uint32_t *found = filo_map_get(&glyphs->indices, key_of(font, glyph, look));
    if (found == NULL || glyphs->glyphs.items[*found].state != TEXT_GLYPH_READY) return TEXT_GLYPH_NONE;
    glyphs->glyphs.items[*found].used = glyphs->frame;
    return *found;
}

void text_glyphs_pin(TextGlyphs *glyphs, uint32_t index) { glyphs->glyphs.items[index].pins++; }
void text_glyphs_unpin(TextGlyphs *glyphs, uint32_t index) { glyphs->glyphs.items[index].pins--; }

static size_t texels_of(FiloAtlasRegion region) {
    return (size_t)(region.u1 - region.u0 + 2) * (size_t)(region.v1 - region.v0 + 2); // with its border
}

static void free_glyph(TextGlyphs *glyphs, uint32_t index) {
    TextGlyph *glyph = &glyphs->glyphs.items[index];
    if (glyph->state == TEXT_GLYPH_READY) {
        glyphs->texels -= texels_of(glyph->region);
        glyphs->ready--;
        filo_gfx2d_region_free(glyphs->gfx, &glyph->region);
    }
    filo_map_remove(&glyphs->indices, glyph->key);
    *glyph = (TextGlyph){ 0 };
    (void)filo_array_push(&glyphs->free, index); // add_glyph has reserved it
    glyphs->generation++;
    glyphs->evicted++;
}

// ---- Eviction -------------------------------------------------------------------------------------------------

static bool is_old(const TextGlyphs *glyphs, const TextGlyph *glyph) {
    return glyph->state >= TEXT_GLYPH_READY && glyph->pins == 0 && glyph->used + KEPT_FRAMES < glyphs->frame;
}

static int compare_age(const void *a, const void *b, void *user) {
    const TextGlyph *items = ((const TextGlyphs *)user)->glyphs.items;
    const TextGlyph *x = &items[*(const uint32_t *)a], *y = &items[*(const uint32_t *)b];
    if (x->used != y->used) return x->used < y->used ? -1 : 1;
    return x->key < y->key ? -1 : x->key > y->key;
}

// Frees old glyphs until a quarter of the limit is free again, so that it is not done in every frame.
static void evict(TextGlyphs *glyphs) {
    bool many = filo_map_count(&glyphs->indices) > ENTRY_LIMIT;
    if (glyphs->texels <= glyphs->texel_limit && !many) return;
    filo_array_clear(&glyphs->oldest);
    for (uint32_t i = 0; i < glyphs->glyphs.count; i++)
        if (is_old(glyphs, &glyphs->glyphs.items[i]) && !filo_array_push(&glyphs->oldest, i)) break;
    if (glyphs->oldest.count == 0) return;
    qsort_r(glyphs->oldest.items, glyphs->oldest.count, sizeof(uint32_t), compare_age, glyphs);
    size_t wanted = glyphs->texel_limit / 4 * 3;
    memset(glyphs->recent, 0, sizeof glyphs->recent);
    for (size_t i = 0; i < glyphs->oldest.count; i++) {
        bool enough = glyphs->texels <= wanted && (!many || i >= glyphs->oldest.count / 2);
        if (enough) break;
        free_glyph(glyphs, glyphs->oldest.items[i]);
    }
}

// ---- Making pictures ------------------------------------------------------------------------------------------

static void make_items(TextGlyphWork *work) {
    for (uint32_t i = 0; i < work->count; i++) {
        TextWorkItem *item = &work->items[i];
        if (item->request.file != NULL)
            item->made = text_rasterise(work->rasteriser, &item->request, &item->image);
    }
}

static void run_work(FiloJob *job, void *data) {
    FILO_UNUSED(job);
    make_items(*(TextGlyphWork **)data);
}

// Puts the picture of an item on a page. False if there is no room: it is tried again later.
static bool take_item(TextGlyphs *glyphs, TextWorkItem *item) {
    TextGlyph *glyph = &glyphs->glyphs.items[item->index];
    bool visible = item->made && item->image.pixels.data != NULL;
    if (visible) {
        if (glyphs->texels > 2 * glyphs->texel_limit) {
            if (!glyphs->full_reported)
                filo_log_warn("text", "the letters on the screen take more than %zu texels: some are missing",
                              2 * glyphs->texel_limit);
            glyphs->full_reported = true;
            return false;
        }
        FiloResult result = filo_gfx2d_region_add(&glyph->region, glyphs->gfx, &item->image.pixels);
        if (result.code == FILO_ERROR_MEMORY) return false; // it was reported
        visible = result.code == FILO_OK;
    }
    glyph->state = visible ? TEXT_GLYPH_READY : TEXT_GLYPH_EMPTY;
    glyph->left = item->image.left, glyph->top = item->image.top, glyph->em = item->image.em;
    if (visible) {
        glyphs->texels += texels_of(glyph->region);
        glyphs->ready++;
    }
    glyphs->made++;
    glyphs->generation++;
    return true;
}

// Takes over pictures of finished work, up to a number of texels. True if some are left.
static bool take_work(TextGlyphs *glyphs, TextGlyphWork *work, size_t *texels, size_t limit) {
    for (; work->taken < work->count; work->taken++) {
        TextWorkItem *item = &work->items[work->taken];
        if (*texels > limit) return true;
        *texels += (size_t)item->image.pixels.width * (size_t)item->image.pixels.height;
        if (!item->made && item->request.file != NULL) {
            // There was no memory: it is requested again.
            glyphs->glyphs.items[item->index].state = TEXT_GLYPH_WAITING;
            if (!filo_array_push(&glyphs->waiting, item->index)) return true;
        } else if (!take_item(glyphs, item)) {
            return true;
        }
        end_item(glyphs, item);
    }
    work->count = work->taken = 0;
    return false;
}

// Fills work that is free with what waits. False if there is nothing to do, or no memory.
static bool fill_work(TextGlyphs *glyphs, TextGlyphWork *work, size_t *next, uint32_t most) {
    if (*next == glyphs->waiting.count) return false;
    if (work->rasteriser == NULL) work->rasteriser = text_rasteriser_create(glyphs->allocator);
    if (work->rasteriser == NULL) return false;
    work->count = work->taken = 0;
    while (work->count < most && *next < glyphs->waiting.count) {
        uint32_t index = glyphs->waiting.items[(*next)++];
        TextGlyph *glyph = &glyphs->glyphs.items[index];
        glyph->state = TEXT_GLYPH_WORKING;
        work->items[work->count++] =
            (TextWorkItem){ .index = index, .request = request_of(glyphs, glyph->key) };
    }
    return true;
}

static void remove_started(TextGlyphs *glyphs, size_t count) {
    size_t left = glyphs->waiting.count - count;
    if (count > 0 && left > 0)
        memmove(glyphs->waiting.items, glyphs->waiting.items + count, left * sizeof *glyphs->waiting.items);
    glyphs->waiting.count = left;
}

static bool alone(const TextGlyphs *glyphs) {
    return glyphs->jobs == NULL || filo_jobs_threads(glyphs->jobs) < 2;
}

static size_t work_count(const TextGlyphs *glyphs) {
    return alone(glyphs) ? 1 : FILO_MIN((size_t)filo_jobs_threads(glyphs->jobs), TEXT_WORKS);
}

static void start_work(TextGlyphs *glyphs) {
    size_t next = 0;
    for (size_t i = 0; i < work_count(glyphs); i++) {
        TextGlyphWork *work = &glyphs->works[i];
        if (work->running || work->count > 0 || !fill_work(glyphs, work, &next, TEXT_WORK_ITEMS)) continue;
        filo_job_init(&work->job, run_work, &work, sizeof work);
        filo_job_set_name(&work->job, "glyphs");
        filo_job_set_priority(&work->job, FILO_PRIORITY_LOW);
        work->running = true;
        filo_jobs_run(glyphs->jobs, &work->job);
    }
    remove_started(glyphs, next);
}

// Makes glyphs on this thread, one after the other.
static void make_alone(TextGlyphs *glyphs, bool all, size_t *texels, size_t limit) {
    TextGlyphWork *work = &glyphs->works[0];
    int64_t end = filo_time_ns() + ALONE_NS;
    size_t next = 0;
    while (work->count == 0 && (all || filo_time_ns() < end) && fill_work(glyphs, work, &next, 1)) {
        make_items(work);
        bool made = work->items[0].made;
        if (take_work(glyphs, work, texels, limit) || !made) break;
    }
    remove_started(glyphs, next);
}

static void take_finished(TextGlyphs *glyphs, bool wait, size_t *texels, size_t limit) {
    for (size_t i = 0; i < TEXT_WORKS; i++) {
        TextGlyphWork *work = &glyphs->works[i];
        if (work->running && wait) filo_jobs_wait(glyphs->jobs, &work->job);
        if (work->running && !filo_job_finished(&work->job)) continue;
        if (work->running) filo_jobs_wait(glyphs->jobs, &work->job); // what it wrote is visible from here on
        work->running = false;
        if (take_work(glyphs, work, texels, limit)) break;
    }
}

void text_glyphs_update(TextGlyphs *glyphs) {
    glyphs->frame++;
    size_t texels = 0;
    evict(glyphs);
    take_finished(glyphs, false, &texels, UPLOAD_LIMIT);
    if (alone(glyphs))
        make_alone(glyphs, false, &texels, UPLOAD_LIMIT);
    else
        start_work(glyphs);
}

static bool is_busy(const TextGlyphs *glyphs) {
    bool busy = glyphs->waiting.count > 0;
    for (size_t i = 0; i < TEXT_WORKS; i++) busy = busy || glyphs->works[i].count > 0;
    return busy;
}

bool text_glyphs_finish(TextGlyphs *glyphs) {
    bool any = false;
    while (is_busy(glyphs)) {
        uint64_t before = glyphs->made;
        size_t texels = 0;
        evict(glyphs);
        take_finished(glyphs, true, &texels, SIZE_MAX);
        if (alone(glyphs))
            make_alone(glyphs, true, &texels, SIZE_MAX);
        else
            start_work(glyphs);
        take_finished(glyphs, true, &texels, SIZE_MAX);
        if (glyphs->made == before) break; // no memory, or no room
        any = true;
    }
    return any;
}
