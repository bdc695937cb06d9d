// What systems declare to read and write.

#include "ecs/entity/entity.h"
#include "ecs/schedule/schedule.h"
#include "ecs/storage/components.h"

// ---- Declaring --------------------------------------------------------------------------------------------

static bool term_ends(const FiloTerm *term) { return term->type == NULL && term->component.id == 0; }

// The component of a term; NULL after the last term, or with a report if it is not registered.
static EcsComponentData *term_component(const FiloWorld *world, const FiloTerm *term, const char *subject) {
    if (term_ends(term)) return NULL;
    FiloComponent component = term->component;
    if (component.id == 0) component = filo_component_of(world, term->type());
    EcsComponentData *data = ecs_component_data(world, component);
    if (data == NULL && term->type != NULL)
        (void)FILO_CHECK_MADE(data != NULL, "%s: register the component %s before, with %s", subject,
                              term->type()->name, ecs_registering_call(term->type()).text);
    else
        (void)FILO_CHECK_MADE(data != NULL, "%s: there is no component %u in this world", subject,
                              component.id);
    return data;
}

static bool grow(EcsAccessSet *set, const FiloWorld *world) {
    uint32_t count = (uint32_t)FILO_BITS_WORDS(world->components.count + 1);
    if (count == set->word_count) return true;
    FILO_ASSERT(set->words == NULL, "all of a system is declared at once");
    set->words = filo_alloc_zero(world->allocator, (size_t)3 * count * sizeof *set->words, 0);
    if (set->words == NULL) return false;
    set->word_count = count;
    return true;
}

void ecs_access_free(EcsAccessSet *set, const FiloWorld *world) {
    filo_free(world->allocator, set->words, (size_t)3 * set->word_count * sizeof *set->words, 0);
    *set = (EcsAccessSet){ 0 };
}

// The access of a term. Testing whether a component changed is a read.
static FiloAccess term_access(const FiloTerm *term) {
    return term->changed && term->access == FILO_ACCESS_NONE ? FILO_ACCESS_READ : term->access;
}

static bool declare(EcsAccessSet *set, const FiloWorld *world, const FiloTerm *terms, const char *subject,
                    bool rows) {
    if (!grow(set, world)) return false;
    for (size_t i = 0; i < FILO_TERMS && !term_ends(&terms[i]); i++) {
        EcsComponentData *component = term_component(world, &terms[i], subject);
        if (component == NULL) return false;
        uint64_t bit = UINT64_C(1) << component->id % 64, *word = &set->words[component->id / 64];
        FiloAccess access = term_access(&terms[i]);
        if (access == FILO_ACCESS_WRITE_NEXT) {
            if (!FILO_CHECK(rows,
                            "%s: FILO_WRITE_NEXT(%s) is for the .query of a system; here only present values "
                            "can be used",
                            subject, component->info.name))
                return false;
            word[(size_t)2 * set->word_count] |= bit;
            set->next = true;
            continue;
        }
        if (access >= FILO_ACCESS_READ) *word |= bit;
        if (access == FILO_ACCESS_WRITE) word[set->word_count] |= bit;
    }
    return true;
}

bool ecs_access_declare(EcsAccessSet *set, const FiloWorld *world, const FiloTerm *terms,
                        const char *subject) {
    return declare(set, world, terms, subject, false);
}

bool ecs_access_declare_rows(EcsAccessSet *set, const FiloWorld *world, const FiloTerm *terms,
                             const char *subject) {
    return declare(set, world, terms, subject, true);
}

uint32_t ecs_access_conflict(const EcsAccessSet *later, const EcsAccessSet *earlier) {
    uint32_t count = FILO_MIN(later->word_count, earlier->word_count);
    bool next = later->next || earlier->next;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t *a = &later->words[i], *b = &earlier->words[i];
        const uint64_t *a_written = a + later->word_count, *b_written = b + earlier->word_count;
        uint64_t both = (*a & *b_written) | (*a_written & *b);
        if (FILO_UNLIKELY(next)) {
            uint64_t a_next = a_written[later->word_count], b_next = b_written[earlier->word_count];
            both |= (*a & b_next) | (a_next & (*b_written | b_next));
        }
        if (both != 0) return i * 64 + (uint32_t)__builtin_ctzll(both);
    }
    return 0;
}

// ---- Systems that run together ------------------------------------------------------------------------------

// Declares the terms of the rows, or those that are not of the rows: of parents, and global components.
static bool declare_some(EcsAccessSet *set, const FiloWorld *world, const FiloTerm *terms, bool rows,
                         const char *subject) {
    FiloTerm some[FILO_TERMS] = { 0 };
    for (size_t i = 0, count = 0; i < FILO_TERMS && !term_ends(&terms[i]); i++) {
        const EcsComponentData *component = term_component(world, &terms[i], subject);
        if (component == NULL) return false;
        if ((!terms[i].from_parent && component->global == NULL) == rows) some[count++] = terms[i];
    }
    return declare(set, world, some, subject, rows);
}

bool ecs_access_declare_parted(EcsAccessSet *rows, EcsAccessSet *others, const FiloWorld *world,
                               const FiloSystemDesc *desc, const char *subject) {
    if (!declare_some(rows, world, desc->query.terms, true, subject) ||
        !declare_some(others, world, desc->query.terms, false, subject) ||
        !declare(others, world, desc->extra_access, subject, false))
        return false;
    for (size_t i = 0; i < FILO_SYSTEM_QUERIES; i++)
        if (!declare(others, world, desc->extra_queries[i].terms, subject, false)) return false;
    return true;
}

// The sets of a word: what is read or written, what is written, and what next values are written of.
typedef struct Word {
    uint64_t used, written, next;
} Word;

static Word word_of(const EcsAccessSet *set, uint32_t i) {
    if (i >= set->word_count) return (Word){ 0, 0, 0 };
    return (Word){ set->words[i], set->words[i + set->word_count],
                   set->words[i + (size_t)2 * set->word_count] };
}

uint32_t ecs_access_conflict_together(const EcsSystem *a, const EcsSystem *b) {
    uint32_t count = FILO_MIN(a->access.word_count, b->access.word_count);
    for (uint32_t i = 0; i < count; i++) {
        Word a_rows = word_of(&a->rows, i), a_others = word_of(&a->others, i);
        Word b_rows = word_of(&b->rows, i), b_others = word_of(&b->others, i);
        uint64_t a_written = a_rows.written | a_others.written, b_written = b_rows.written | b_others.written;
        uint64_t both = (a_written & b_others.used) | (b_written & a_others.used) |
                        (a_others.written & b_rows.used) | (b_others.written & a_rows.used) |
                        (a_rows.next & (b_written | b_rows.next)) | (b_rows.next & a_written);
        if (both != 0) return i * 64 + (uint32_t)__builtin_ctzll(both);
    }
    return 0;
}

uint32_t ecs_access_shared_rows(const EcsSystem *a, const EcsSystem *b) {
    uint32_t count = FILO_MIN(a->rows.word_count, b->rows.word_count);
    for (uint32_t i = 0; i < count; i++) {
        Word a_rows = word_of(&a->rows, i), b_rows = word_of(&b->rows, i);
        uint64_t both = (a_rows.written & b_rows.used) | (b_rows.written & a_rows.used);
        if (both != 0) return i * 64 + (uint32_t)__builtin_ctzll(both);
    }
    return 0;
}

// ---- Next values ------------------------------------------------------------------------------------------

static bool next_term_is_valid(const EcsAccessSet *set, const FiloTerm *term,
                               const EcsComponentData *component, const char *subject) {
    const char *name = component->info.name;
    return FILO_CHECK(component->info.double_buffered,
                      "%s: %s has no next value: register it with .double_buffered = true", subject, name) &&
           FILO_CHECK(term->kind == FILO_TERM_REQUIRED, "%s: FILO_WRITE_NEXT(%s) cannot be optional", subject,
                      name) &&
           FILO_CHECK(!ecs_access_has(set, component->id, true),
                      "%s writes %s and its next value: choose FILO_WRITE or FILO_WRITE_NEXT", subject, name);
}

bool ecs_access_next_is_valid(const EcsAccessSet *set, const FiloWorld *world, const FiloTerm *terms,
                              const char *subject) {
    for (size_t i = 0; i < FILO_TERMS && !term_ends(&terms[i]); i++) {
        const FiloTerm *term = &terms[i];
        const EcsComponentData *component = term_component(world, term, subject);
        const char *name = component->info.name;
        bool next = term->access == FILO_ACCESS_WRITE_NEXT, twice = false;
        for (size_t k = 0; next && k < i; k++)
            twice = twice || (terms[k].access == FILO_ACCESS_WRITE_NEXT &&
                              term_component(world, &terms[k], subject) == component);
        if (!FILO_CHECK(!twice, "%s has FILO_WRITE_NEXT(%s) twice", subject, name) ||
            !FILO_CHECK((component->in_table || component->global != NULL) && !term->from_parent,
                        "%s writes next values, so it must have every row: %s%s is not stored in tables, and "
                        "could leave rows out; look it up in an extra query, or by .extra_access",
                        subject, name, term->from_parent ? " of the parent" : "") ||
            !FILO_CHECK(
                !term->changed,
                "%s writes next values, so it must have every row, and not only those where %s changed",
                subject, name) ||
            (next && !next_term_is_valid(set, term, component, subject)))
            return false;
    }
    return true;
}

// ---- Parallel systems -------------------------------------------------------------------------------------

static bool is_global(const EcsComponentData *component) {
    return component->info.storage == FILO_STORAGE_GLOBAL;
}

bool ecs_access_has_rows(const FiloWorld *world, const FiloQueryDesc *query) {
    for (size_t i = 0; i < FILO_TERMS && !term_ends(&query->terms[i]); i++)
        if (!is_global(term_component(world, &query->terms[i], ""))) return true;
    return false;
}

// Whether `a` rejects a component that `b` requires.
static bool rejects_other(const FiloWorld *world, const FiloQueryDesc *a, const FiloQueryDesc *b) {
    for (size_t i = 0; i < FILO_TERMS && !term_ends(&a->terms[i]); i++) {
        if (a->terms[i].kind != FILO_TERM_REJECTED || a->terms[i].from_parent) continue;
        const EcsComponentData *component = term_component(world, &a->terms[i], "");
        for (size_t k = 0; k < FILO_TERMS && !term_ends(&b->terms[k]); k++)
            if (b->terms[k].kind == FILO_TERM_REQUIRED && !b->terms[k].from_parent &&
                term_component(world, &b->terms[k], "") == component)
                return true;
    }
    return false;
}

// Whether no entity can match both.
static bool disjoint(const FiloWorld *world, const FiloQueryDesc *a, const FiloQueryDesc *b) {
    return rejects_other(world, a, b) || rejects_other(world, b, a) ||
           (a->activity != b->activity && a->activity != FILO_ANY_ACTIVITY &&
            b->activity != FILO_ANY_ACTIVITY);
}

bool ecs_access_parts_are_independent(const FiloWorld *world, const FiloSystemDesc *desc,
                                      const char *subject) {
    EcsAccessSet rows = { 0 }; // of the row that a part works on
    if (!ecs_access_declare_rows(&rows, world, desc->query.terms, subject)) return false;
    bool valid = true;
    for (size_t i = 0; i < FILO_TERMS && !term_ends(&desc->query.terms[i]) && valid; i++) {
        const FiloTerm *term = &desc->query.terms[i];
        const EcsComponentData *component = term_component(world, term, subject);
        valid = FILO_CHECK(
                    !is_global(component) || term->access != FILO_ACCESS_WRITE,
                    "%s: its parts run at once, so they cannot all write the one %s; do not make it parallel",
                    subject, component->info.name) &&
                FILO_CHECK(
                    !term->from_parent || !ecs_access_has(&rows, component->id, true),
                    "%s: its parts run at once, so one would read %s of a parent while another writes it; do "
                    "not make it parallel",
                    subject, component->info.name);
    }
    for (size_t q = 0; q < FILO_SYSTEM_QUERIES && valid; q++) {
        bool apart = disjoint(world, &desc->query, &desc->extra_queries[q]);
        for (size_t i = 0; i < FILO_TERMS && !term_ends(&desc->extra_queries[q].terms[i]) && valid; i++) {
            const FiloTerm *term = &desc->extra_queries[q].terms[i];
            const EcsComponentData *component = term_component(world, term, subject);
            valid =
                FILO_CHECK(term->access != FILO_ACCESS_WRITE,
                           "%s: its parts run at once, so they cannot all write %s in an extra query; do not "
                           "make it parallel",
                           subject, component->info.name) &&
                FILO_CHECK(apart || term_access(term) == FILO_ACCESS_NONE ||
                               !ecs_access_has(&rows, component->id, true),
                           "%s: its parts run at once, so one would read %s in an extra query while another "
                           "writes it; keep the entities apart with FILO_WITHOUT, or do not make it parallel",
                           subject, component->info.name);
        }
    }
    ecs_access_free(&rows, world);
    return valid;
}

// ---- Checks in debug builds -------------------------------------------------------------------------------

#ifndef NDEBUG

static FILO_THREAD_LOCAL const EcsSystem *running;

const EcsSystem *ecs_system_enter(const EcsSystem *system) {
    const EcsSystem *outer = running;
    running = system;
    return outer;
}

bool ecs_access_allowed(const FiloWorld *world, const EcsComponentData *component, FiloAccess access) {
    if (!ecs_may_read(world)) return false;
    if (running == NULL || running->world != world || access == FILO_ACCESS_NONE) return true;
    const char *name = component->info.name;
    bool write = access == FILO_ACCESS_WRITE;
    if (access == FILO_ACCESS_WRITE_NEXT)
        return FILO_CHECK(
            ecs_access_has_next(&running->access, component->id),
            "system \"%s\" writes the next %s, which it did not declare: add FILO_WRITE_NEXT(%s) "
            "to the terms of its .query",
            running->name, name, name);
    return FILO_CHECK(
        ecs_access_has(&running->access, component->id, write),
        "system \"%s\" %s %s, which it did not declare: add %s(%s) to its terms or to .extra_access",
        running->name, write ? "writes" : "reads", name, write ? "FILO_WRITE" : "FILO_READ", name);
}

#else

bool ecs_access_allowed(const FiloWorld *world, const EcsComponentData *component, FiloAccess access) {
    FILO_UNUSED(world), FILO_UNUSED(component), FILO_UNUSED(access);
    return true;
}

#endif

bool ecs_report_beside_tick(const FiloWorld *world) {
    bool refused = (base_load_relaxed(&world->closed) & ECS_CLOSED_CALLER) != 0;
    return FILO_CHECK(
        false,
        "this thread uses the world while %s: copy what you draw in `extract`; use the world in "
        "systems, in `frame`, or between ticks",
        refused ? "the frame is drawn, when a tick may be running" : "a tick is running on others");
}
