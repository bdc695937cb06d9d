// Passing the contributions of modules to the modules that accept their type.

#include "events/modules.h"

typedef struct Pair {
    const EventsModule *from, *to;
    const EventsContribution *contribution;
    const EventsAccept *accept;
} Pair;

// Finds pair number `n` of two modules. If they have fewer pairs, subtracts their number from `n` and returns false.
static bool pair_of(const EventsModule *from, const EventsModule *to, size_t *n, Pair *pair) {
    for (size_t c = 0; c < from->contribute_count; c++)
        for (size_t a = 0; a < to->accept_count; a++) {
            if (from->contributes[c].type.id != to->accepts[a].type.id) continue;
            *pair = (Pair){ from, to, &from->contributes[c], &to->accepts[a] };
            if ((*n)-- == 0) return true;
        }
    return false;
}

// Pair number `n` of a module and the loaded modules. False past the last.
static bool pair_at(const FiloModules *modules, const EventsModule *module, bool from_module, size_t n,
                    Pair *pair) {
    for (size_t i = 0; i < modules->loaded.count; i++) {
        const EventsModule *other = modules->loaded.items[i];
        if (from_module ? pair_of(module, other, &n, pair) : pair_of(other, module, &n, pair)) return true;
    }
    return false;
}

static void remove_pair(FiloModules *modules, const Pair *pair) {
    if (pair->accept->remove != NULL)
        pair->accept->remove(modules, &pair->contribution->desc, pair->to->desc.user);
}

FiloResult events_contributions_add(FiloModules *modules, const EventsModule *module, bool from_module) {
    Pair pair;
    FiloResult result = filo_ok();
    modules->busy = true;
    for (size_t n = 0; result.code == FILO_OK && pair_at(modules, module, from_module, n, &pair); n++) {
        FiloResult r = pair.accept->add(modules, &pair.contribution->desc, pair.to->desc.user);
        if (r.code == FILO_OK) continue;
        result =
            filo_error(r.code, "\"%s\" does not accept the %s of \"%s\": %s", filo_name_text(pair.to->name),
                       pair.contribution->desc.type, filo_name_text(pair.from->name), r.message);
        while (n-- > 0 && pair_at(modules, module, from_module, n, &pair)) remove_pair(modules, &pair);
    }
    modules->busy = false;
    return result;
}

void events_contributions_remove(FiloModules *modules, const EventsModule *module, bool from_module) {
    Pair pair;
    modules->busy = true;
    for (size_t n = 0; pair_at(modules, module, from_module, n, &pair); n++) remove_pair(modules, &pair);
    modules->busy = false;
}
