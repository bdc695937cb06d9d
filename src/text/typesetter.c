// Creating, destroying and updating a typesetter.

#include "text/typesetter.h"

#include "text/font/font_file.h"

#include <filo/check.h>
#include <filo/threads.h>

bool text_enter(FiloTypesetter *setter) {
    uint32_t user = __atomic_load_n(&setter->user, __ATOMIC_RELAXED);
    if (!FILO_CHECK(user == 0, "another thread is using this typesetter: use it on the main thread, not in "
                               "systems and jobs"))
        return false;
    __atomic_store_n(&setter->user, filo_thread_id(), __ATOMIC_RELAXED);
    return true;
}

void text_leave(FiloTypesetter *setter) { __atomic_store_n(&setter->user, 0, __ATOMIC_RELAXED); }

static FiloResult register_types(FiloTypesetter *setter) {
    if (setter->assets == NULL) return filo_ok();
    FiloAssetType font = text_font_type(), table = text_table_type();
    FiloResult r = filo_assets_register(setter->assets, &font);
    if (r.code != FILO_OK) return r;
    r = filo_assets_register(setter->assets, &table);
    if (r.code != FILO_OK) (void)filo_assets_unregister(setter->assets, font.name);
    setter->registered = r.code == FILO_OK;
    return r;
}

FiloResult filo_typesetter_create(FiloTypesetter **out, const FiloTypesetterDesc *desc) {
    if (out == NULL) return FILO_MISTAKE("pass a place for the typesetter");
    *out = NULL;
    if (desc == NULL) return FILO_MISTAKE("pass a description of the typesetter");
    const FiloAllocator *allocator = desc->allocator != NULL ? desc->allocator : filo_heap();
    FiloTypesetter *setter = filo_alloc_zero(allocator, sizeof *setter, 0);
    if (setter == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for a typesetter");
    setter->allocator = allocator;
    setter->assets = desc->assets;
    setter->frame = 2; // so that "two frames ago" is a number
    text_cache_init(setter, desc->cache_size);
    text_tables_init(setter);
    bool ready = text_work_init(&setter->work, allocator);
    ready = text_fonts_init(setter) && ready;
    FiloResult r =
        ready ? register_types(setter) : filo_error(FILO_ERROR_MEMORY, "no memory for a typesetter");
    if (r.code != FILO_OK) {
        filo_typesetter_destroy(setter);
        return r;
    }
    *out = setter;
    return r;
}

void filo_typesetter_destroy(FiloTypesetter *setter) {
    if (setter == NULL) return;
    filo_text_detach(setter);
    text_cache_deinit(setter);
    text_tables_deinit(setter);
    text_fonts_deinit(setter);
    text_work_deinit(&setter->work);
    if (setter->registered) {
        (void)filo_assets_unregister(setter->assets, "font");
        (void)filo_assets_unregister(setter->assets, "translations");
    }
    filo_free(setter->allocator, setter, sizeof *setter, 0);
}

#define TRIM_CHARACTERS 65536u // of a long text
#define TRIM_FRAMES     120u   // without laying anything out

void filo_typesetter_update(FiloTypesetter *setter) {
    if (!FILO_CHECK(setter != NULL, "pass the typesetter that filo_typesetter_create returned")) return;
    if (!text_enter(setter)) return;
    setter->frame++;
    text_fonts_update(setter);
    text_tables_update(setter);
    text_cache_evict(setter);
    if (setter->work.characters.capacity > TRIM_CHARACTERS &&
        setter->frame > setter->laid_out_frame + TRIM_FRAMES) {
        text_work_trim(&setter->work);
        text_placed_deinit(&setter->cache.placed);
    }
    text_leave(setter);
}

FiloTextStats filo_text_stats(const FiloTypesetter *setter) {
    if (!FILO_CHECK(setter != NULL, "pass the typesetter that filo_typesetter_create returned"))
        return (FiloTextStats){ 0 };
    return (FiloTextStats){ .fonts = setter->fonts.fonts.count,
                            .layouts = setter->cache.count,
                            .memory = setter->cache.memory,
                            .laid_out = setter->cache.laid_out };
}
