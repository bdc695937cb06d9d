// Calling the hooks of modules in a frame.

#include <filo/check.h>

#include "events/modules.h"

#include <string.h>

// ---- The order of rendering -----------------------------------------------------------------------------

void events_modules_sort_renders(FiloModules *modules) {
    size_t count = 0;
    EventsRenderEntry *entries = modules->renders.items;
    for (size_t i = 0; i < modules->all.count; i++) {
        const EventsModule *module = modules->all.items[i];
        for (size_t r = 0; module->loaded && r < module->render_count; r++) {
            // Insertion sort is stable: equal orders stay in the order of registration.
            size_t at = count++;
            for (; at > 0 && entries[at - 1].hook->order > module->renders[r].order; at--)
                entries[at] = entries[at - 1];
            entries[at] = (EventsRenderEntry){ module, &module->renders[r] };
        }
    }
    modules->renders.count = count; // the capacity was reserved by filo_modules_register
}

// ---- Calling --------------------------------------------------------------------------------------------

static const char *const part_names[] = { "poll",    "before_ticks", "extract", "panels", "render",
                                          "present", "end",          "define",  "wait",   "finish" };
_Static_assert(FILO_COUNT_OF(part_names) == FILO_FRAME_PARTS, "each part has a name");

static FiloFrameFunction function_of(const FiloFrameHooks *hooks, FiloFramePart part) {
    switch (part) {
    case FILO_FRAME_POLL: return hooks->poll;
    case FILO_FRAME_BEFORE_TICKS: return hooks->before_ticks;
    case FILO_FRAME_EXTRACT: return hooks->extract;
    case FILO_FRAME_PANELS: return hooks->panels;
    case FILO_FRAME_PRESENT: return hooks->present;
    case FILO_FRAME_END: return hooks->end;
    case FILO_FRAME_DEFINE: return hooks->define;
    case FILO_FRAME_WAIT: return hooks->wait;
    case FILO_FRAME_FINISH: return hooks->finish;
    case FILO_FRAME_RENDER:
    case FILO_FRAME_PARTS: break;
    }
    return NULL;
}

// The first failure stays in `result`.
static void call(FiloModules *modules, const EventsModule *module, FiloFrameFunction function,
                 const char *part, FiloResult *result) {
    if (function == NULL) return;
    FiloResult r = function(&modules->frame, module->desc.user);
    if (r.code == FILO_OK || result->code != FILO_OK) return;
    *result =
        filo_error(r.code, "module \"%s\" failed in %s: %s", filo_name_text(module->name), part, r.message);
}

static void flush(FiloModules *modules, FiloResult *result) {
    for (size_t i = 0; i < modules->loaded.count; i++) {
        const EventsModule *module = modules->loaded.items[i];
        call(modules, module, module->desc.frame.flush, "flush", result);
    }
}

static void render(FiloModules *modules, FiloResult *result) {
    for (size_t i = 0; i < modules->renders.count; i++) {
        const EventsRenderEntry *entry = &modules->renders.items[i];
        if (entry->hook->direct) flush(modules, result);
        call(modules, entry->module, entry->hook->render, part_names[FILO_FRAME_RENDER], result);
    }
    flush(modules, result);
}

FiloResult filo_modules_call(FiloModules *modules, FiloFramePart part) {
    if (modules == NULL) return FILO_MISTAKE("pass modules");
    if (!FILO_CHECK((unsigned)part < FILO_FRAME_PARTS, "pass a FiloFramePart; %d is none", (int)part))
        return filo_error(FILO_ERROR_ARGUMENT, "a frame has no such part");
    FiloResult result = filo_ok();
    modules->hook_depth++;
    if (part == FILO_FRAME_WAIT) modules->frame.waited = false;
    if (part == FILO_FRAME_RENDER) render(modules, &result);
    for (size_t i = 0; part != FILO_FRAME_RENDER && i < modules->loaded.count; i++) {
        const EventsModule *module = modules->loaded.items[i];
        call(modules, module, function_of(&module->desc.frame, part), part_names[part], &result);
    }
    modules->hook_depth--;
    return result;
}

bool filo_modules_input(FiloModules *modules, const struct FiloInputChange *change) {
    if (!FILO_CHECK(modules != NULL, "pass modules")) return false;
    bool consumed = false;
    modules->hook_depth++;
    for (size_t i = modules->loaded.count; i-- > 0 && !consumed;) {
        const FiloModuleDesc *desc = &modules->loaded.items[i]->desc;
        if (desc->frame.input != NULL) consumed = desc->frame.input(&modules->frame, change, desc->user);
    }
    modules->hook_depth--;
    return consumed;
}

FiloResult filo_modules_shot(FiloModules *modules, const char *path) {
    if (modules == NULL) return FILO_MISTAKE("pass modules");
    const FiloModuleDesc *desc = NULL;
    for (size_t i = 0; i < modules->loaded.count && desc == NULL; i++)
        if (modules->loaded.items[i]->desc.frame.shot != NULL) desc = &modules->loaded.items[i]->desc;
    if (desc == NULL)
        return filo_error(FILO_ERROR_UNSUPPORTED, "%s: no module that is loaded takes pictures", path);
    modules->hook_depth++;
    FiloResult r = desc->frame.shot(&modules->frame, path, desc->user);
    modules->hook_depth--;
    return r;
}

size_t filo_modules_flags(const FiloModules *modules, FiloFlag *flags, size_t capacity) {
    if (!FILO_CHECK(modules != NULL, "pass modules")) return 0;
    size_t count = 0;
    for (size_t i = 0; i < modules->all.count; i++) {
        const EventsModule *module = modules->all.items[i];
        for (size_t f = 0; f < module->flag_count; f++, count++)
            if (count < capacity) flags[count] = module->flags[f];
    }
    return count;
}
