// The table of events and their payload types.
//
// Descriptions of types are compared by signature, a hash of names and layout, and not by address: modules in different
// libraries have different descriptions of the same struct, and a reloaded library has another address.

#include <filo/check.h>
#include <filo/hash.h>

#include "events/events.h"

#include <string.h>

// ---- The table ----------------------------------------------------------------------------------------

EventsSlot *events_find(const FiloEvents *events, FiloName name) {
    if (name.id >= FILO_NAME_LIMIT) return NULL;
    // Both acquires pair with the releases in add_slot: the contents of page and slot are visible.
    EventsPage *page = base_load_acquire(&events->pages[name.id / EVENTS_PAGE_SIZE]);
    return page != NULL ? base_load_acquire(&(*page)[name.id % EVENTS_PAGE_SIZE]) : NULL;
}

static EventsSlot *add_slot(FiloEvents *events, FiloName name) {
    BASE_ATOMIC(EventsPage *) *entry = &events->pages[name.id / EVENTS_PAGE_SIZE];
    EventsPage *page = base_load_relaxed(entry);
    if (page == NULL) {
        page = filo_alloc_zero(events->allocator, sizeof *page, _Alignof(EventsPage));
        if (page == NULL) return NULL;
        base_store_release(entry, page); // release: pairs with the acquire in events_find
    }
    EventsSlot *slot = filo_alloc_zero(events->allocator, sizeof *slot, _Alignof(EventsSlot));
    if (slot == NULL) return NULL;
    slot->name = name;
    slot->next = events->slots;
    events->slots = slot;
    // Release: pairs with the acquire in events_find.
    base_store_release(&(*page)[name.id % EVENTS_PAGE_SIZE], slot);
    return slot;
}

EventsSlot *events_find_or_add(FiloEvents *events, FiloName name) {
    EventsSlot *slot = events_find(events, name);
    if (slot != NULL) return slot;
    if (!FILO_CHECK(name.id != 0 && name.id < FILO_NAME_LIMIT, "give the event a name, by filo_name"))
        return NULL;
    filo_mutex_lock(&events->lock);
    slot = events_find(events, name); // another thread may have added it
    if (slot == NULL) slot = add_slot(events, name);
    filo_mutex_unlock(&events->lock);
    return slot;
}

// ---- Signatures ---------------------------------------------------------------------------------------

static void add_text(FiloHasher *hasher, const char *text) {
    filo_hasher_add(hasher, text, strlen(text) + 1);
}

static void add_type(FiloHasher *hasher, const FiloType *type) {
    add_text(hasher, type->name);
    filo_hasher_add_u32(hasher, (uint32_t)type->kind);
    filo_hasher_add_u64(hasher, type->size);
    filo_hasher_add_u64(hasher, type->align);
    for (size_t i = 0; i < type->value_count; i++) {
        add_text(hasher, type->values[i].name);
        filo_hasher_add_u64(hasher, (uint64_t)type->values[i].value);
    }
    for (size_t i = 0; i < type->field_count; i++) {
        const FiloField *field = &type->fields[i];
        add_text(hasher, field->name);
        filo_hasher_add_u64(hasher, field->offset);
        filo_hasher_add_u64(hasher, field->count);
        add_type(hasher, filo_field_type(field)); // the recursion ends: a struct cannot contain itself
    }
}

static uint64_t signature_of(const FiloType *type) {
    if (type == NULL) return 0;
    FiloHasher hasher;
    filo_hasher_init(&hasher, 0);
    add_type(&hasher, type);
    return filo_hasher_finish(&hasher);
}

// ---- Declaring ----------------------------------------------------------------------------------------

static const char *type_name(const FiloType *type) { return type != NULL ? type->name : "nothing"; }

// Declares the payload type of the event. False if it has another one, which is then in `other`.
static bool declare(FiloEvents *events, EventsSlot *slot, const FiloType *type, const FiloType **other) {
    uint64_t signature = signature_of(type);
    filo_mutex_lock(&events->lock);
    bool declared = base_load_relaxed(&slot->declared);
    bool same = !declared || slot->signature == signature;
    *other = base_load_relaxed(&slot->type);
    if (!declared) {
        slot->size = type != NULL ? type->size : 0;
        slot->align = type != NULL ? type->align : 1;
        slot->signature = signature;
    }
    if (same && *other != type) {
        base_store_relaxed(&slot->equal_type, *other);
        base_store_relaxed(&slot->type, type);
    }
    // Release: pairs with the acquire in has_type; size, align and type are visible with it.
    if (!declared) base_store_release(&slot->declared, true);
    filo_mutex_unlock(&events->lock);
    return same;
}

static FiloResult check_align(FiloName event, const FiloType *type) {
    if (type == NULL || type->align <= FILO_EVENT_ALIGN) return filo_ok();
    return filo_error(FILO_ERROR_LIMIT, "event \"%s\": %s is aligned to %zu, a payload may be to %d",
                      filo_name_text(event), type->name, type->align, FILO_EVENT_ALIGN);
}

FiloResult filo_events_declare(FiloEvents *events, FiloName event, const FiloType *type) {
    if (events == NULL) return FILO_MISTAKE("pass events");
    FiloResult r = check_align(event, type);
    if (r.code != FILO_OK) return r;
    if (event.id == 0) return FILO_MISTAKE("give the event a name, by filo_name");
    EventsSlot *slot = events_find_or_add(events, event);
    if (slot == NULL) return filo_error(FILO_ERROR_MEMORY, "event \"%s\": no memory", filo_name_text(event));
    const FiloType *other;
    if (declare(events, slot, type, &other)) {
        filo_mutex_lock(&events->lock);
        slot->may_be_unhandled = true;
        filo_mutex_unlock(&events->lock);
        return filo_ok();
    }
    return filo_error(FILO_ERROR_KIND, "event \"%s\" carries %s, not %s", filo_name_text(event),
                      type_name(other), type_name(type));
}

bool filo_events_declared(const FiloEvents *events, FiloName event, const FiloType **type) {
    if (!FILO_CHECK(events != NULL, "pass events")) return false;
    const EventsSlot *slot = events_find(events, event);
    // Acquire: pairs with the release in declare.
    if (slot == NULL || !base_load_acquire(&slot->declared)) return false;
    if (type != NULL) *type = base_load_relaxed(&slot->type);
    return true;
}

// The fast path: whether the type is one of the last two descriptions of the event.
static bool has_type(const EventsSlot *slot, const FiloType *type) {
    // Acquire: pairs with the release in declare.
    if (!base_load_acquire(&slot->declared)) return false;
    if (type == base_load_relaxed(&slot->type)) return true;
    // NULL in equal_type means none: it never means "no payload".
    return type != NULL && type == base_load_relaxed(&slot->equal_type);
}

EventsSlot *events_find_typed(FiloEvents *events, FiloName name, const FiloType *type, const char *what) {
    EventsSlot *slot = events_find_or_add(events, name);
    if (slot == NULL) return NULL;
    if (FILO_LIKELY(has_type(slot, type))) return slot;
    FiloResult r = check_align(name, type);
    if (!FILO_CHECK(r.code == FILO_OK, "%s", r.message)) return NULL;
    const FiloType *other;
    bool same = declare(events, slot, type, &other);
    if (!FILO_CHECK(same, "event \"%s\" carries %s: %s with that type, not %s", filo_name_text(name),
                    type_name(other), what, type_name(type)))
        return NULL;
    return slot;
}
