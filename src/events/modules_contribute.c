// Bringing together what modules contribute and what others accept.

#include "events/modules.h"

typedef struct Pair {
    const EventsModule *from, *to;
    const EventsContribution *contribution;
    const EventsAccept *accept;
} Pair;

// The pairs of two modules are numbered; `n` counts down to the one that is wanted. False past the last.
static bool pair_of(const EventsModule *from, const EventsModule *to, size_t *n, Pair *pair) {
    for (size_t c = 0; c < from->contribute_count; c++)
        for (size_t a = 0; a < to->accept_count; a++) {
            if (from->contributes[c].type.id != to->accepts[a].type.id) continue;
            *pair = (Pair){ from, to, &from->contributes[c], &to->accepts[a] };
            if ((*n)-- == 0) return true;
        }
    return false;
}

// The n-th pair of a module with those that are loaded: of what it gives, or of what it gets.
static bool pair_at(const FiloModules *modules, const EventsModule *module, bool gives, size_t n,
                    Pair *pair) {
    for (size_t i = 0; i < modules->loaded.count; i++) {
        const EventsModule *other = modules->loaded.items[i];
        if (gives ? pair_of(module, other, &n, pair) : pair_of(other, module, &n, pair)) return true;
    }
    return false;
}

static void remove_pair(FiloModules *modules, const Pair *pair) {
    if (pair->accept->remove != NULL)
        pair->accept->remove(modules, &pair->contribution->desc, pair->to->desc.user);
}

static FiloResult add_pairs(FiloModules *modules, const EventsModule *module, bool gives) {
    Pair pair;
    FiloResult result = filo_ok();
    modules->busy = true;
    for (size_t n = 0; result.code == FILO_OK && pair_at(modules, module, gives, n, &pair); n++) {
        FiloResult r = pair.accept->add(modules, &pair.contribution->desc, pair.to->desc.user);
        if (r.code == FILO_OK) continue;
        result =
            filo_error(r.code, "\"%s\" does not accept the %s of \"%s\": %s", filo_name_text(pair.to->name),
                       pair.contribution->desc.type, filo_name_text(pair.from->name), r.message);
        while (n-- > 0 && pair_at(modules, module, gives, n, &pair)) remove_pair(modules, &pair);
    }
    modules->busy = false;
    return result;
}

static void remove_pairs(FiloModules *modules, const EventsModule *module, bool gives) {
    Pair pair;
    modules->busy = true;
    for (size_t n = 0; pair_at(modules, module, gives, n, &pair); n++) remove_pair(modules, &pair);
    modules->busy = false;
}

FiloResult events_modules_give(FiloModules *modules, const EventsModule *module) {
    return add_pairs(modules, module, true);
}

void events_modules_take_back(FiloModules *modules, const EventsModule *module) {
    remove_pairs(modules, module, true);
}

FiloResult events_modules_receive(FiloModules *modules, const EventsModule *module) {
    return add_pairs(modules, module, false);
}

void events_modules_give_back(FiloModules *modules, const EventsModule *module) {
    remove_pairs(modules, module, false);
}
