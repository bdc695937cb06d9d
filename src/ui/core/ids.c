// Ids of widgets, and the state that is remembered for them.
//
// An id is the hash of a label and of the ids that are pushed. The table of states is open-addressed, with linear
// probing. It doubles up to UI_STATE_LIMIT entries; beyond that, all new ids share one state, which is reported once.
// A sweep removes entries that were not used for a while.

#include "ui/ui.h"

#include <string.h>

#define FORGET_FRAMES      600
#define KEEP_FRAMES        1000000
#define CLASH_COLOR_FRAMES 1

FiloString ui_label_text(const char *label) {
    FiloString text = filo_string(label), shown;
    filo_string_cut(text, FILO_STRING("##"), &shown, NULL);
    return shown;
}

static uint64_t seed(const FiloUi *ui) { return ui->id_count > 0 ? ui->ids[ui->id_count - 1] : 1; }

uint64_t ui_id(const FiloUi *ui, const char *label) {
    FiloString text = filo_string(label);
    size_t hashes = filo_string_find(text, FILO_STRING("###"));
    if (hashes != FILO_STRING_NOT_FOUND) text = filo_string_slice(text, hashes, text.length);
    uint64_t id = filo_hash_combine(seed(ui), filo_string_hash(text));
    return id != 0 ? id : 1;
}

uint64_t ui_claim(FiloUi *ui, const char *label, bool *clash) {
    uint64_t id = ui_id(ui, label);
    UiState *state = ui_state(ui, id);
    *clash = state->seen == ui->frame && state != &ui->states.overflow;
    if (*clash) {
        state->repeats++;
        if (!state->clash_reported)
            filo_log_warn("ui",
                          "two widgets \"%.64s\" have the same id: add \"##\" and something that differs, or "
                          "use filo_ui_push_id",
                          label != NULL ? label : "");
        state->clash_reported = true;
        id = filo_hash_combine(id, state->repeats);
        state = ui_state(ui, id);
    } else {
        state->repeats = 0;
    }
    state->seen = ui->frame;
    return id;
}

void ui_push_raw_id(FiloUi *ui, uint64_t id) {
    if (ui->id_count < UI_IDS)
        ui->ids[ui->id_count++] = id;
    else
        ui->ids_lost++;
}

void filo_ui_push_id(FiloUi *ui, uint64_t id) {
    if (!ui_usable(ui)) return;
    (void)FILO_CHECK(ui->id_count < UI_IDS, "more than %d ids are pushed: filo_ui_pop_id is missing", UI_IDS);
    ui_push_raw_id(ui, filo_hash_combine(seed(ui), filo_hash_u64(id)));
}

void filo_ui_pop_id(FiloUi *ui) {
    if (!ui_usable(ui)) return;
    const UiOpen *top = ui_top(ui);
    size_t least = top != NULL ? top->id_depth : 0;
    if (ui->ids_lost > 0)
        ui->ids_lost--;
    else if (FILO_CHECK(ui->id_count > least,
                        "filo_ui_pop_id without a filo_ui_push_id in the same container"))
        ui->id_count--;
}

// ---- The table --------------------------------------------------------------------------------------------------

static UiState *probe(const UiStates *states, uint64_t id) {
    size_t mask = states->capacity - 1, i = (size_t)filo_hash_u64(id) & mask;
    while (states->items[i].id != 0 && states->items[i].id != id) i = (i + 1) & mask;
    return &states->items[i];
}

// Moves all states for which `keep` is true into a table of this capacity. False without memory.
static bool rebuild(FiloUi *ui, size_t capacity, bool (*keep)(const FiloUi *, const UiState *)) {
    UiStates *states = &ui->states;
    UiState *old = states->items;
    size_t old_capacity = states->capacity;
    UiState *items = filo_alloc_zero(ui->allocator, capacity * sizeof *items, 0);
    if (items == NULL) return false;
    states->items = items;
    states->capacity = capacity;
    states->count = 0;
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i].id != 0 && (keep == NULL || keep(ui, &old[i]))) {
            *probe(states, old[i].id) = old[i];
            states->count++;
        }
    filo_free(ui->allocator, old, old_capacity * sizeof *old, 0);
    return true;
}

static UiState *overflow(UiStates *states) {
    if (!states->limit_reported)
        filo_log_warn("ui", "more than %d widgets have an id: the others do not remember what they are",
                      UI_STATE_LIMIT / 2);
    states->limit_reported = true;
    states->overflow = (UiState){ .id = 1 };
    return &states->overflow;
}

UiState *ui_state_find(FiloUi *ui, uint64_t id) {
    if (ui->states.capacity == 0) return NULL;
    UiState *state = probe(&ui->states, id);
    return state->id != 0 ? state : NULL;
}

UiState *ui_state(FiloUi *ui, uint64_t id) {
    UiStates *states = &ui->states;
    UiState *state = ui_state_find(ui, id);
    if (state != NULL) return state;
    if (states->capacity == 0 || (states->count + 1) * 2 > states->capacity) {
        size_t capacity = states->capacity == 0 ? 1024 : states->capacity * 2;
        if (capacity > UI_STATE_LIMIT || !rebuild(ui, capacity, NULL)) return overflow(states);
    }
    state = probe(states, id);
    *state = (UiState){ .id = id };
    states->count++;
    return state;
}

static bool is_recent(const FiloUi *ui, const UiState *state) {
    return ui->frame - state->seen < (state->keep ? KEEP_FRAMES : FORGET_FRAMES);
}

// Only when a quarter of the entries are old, so that a steady frame does not allocate.
void ui_states_sweep(FiloUi *ui) {
    size_t old = 0;
    for (size_t i = 0; i < ui->states.capacity; i++)
        old += ui->states.items[i].id != 0 && !is_recent(ui, &ui->states.items[i]);
    if (old > 256 && old > ui->states.count / 4) (void)rebuild(ui, ui->states.capacity, is_recent);
}

void ui_states_free(FiloUi *ui) {
    filo_free(ui->allocator, ui->states.items, ui->states.capacity * sizeof *ui->states.items, 0);
    ui->states = (UiStates){ 0 };
}

float ui_animate(const FiloUi *ui, float value, float target) {
    float duration = ui_theme(ui)->animation;
    if (ui->still || !(duration > 0)) return target;
    return filo_approach(value, target, ui->seconds / duration);
}
