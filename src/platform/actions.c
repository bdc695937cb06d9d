// Actions: names that are bound to keys, buttons and axes.
//
// The value of an action is the sum of its bindings. The action is down from a threshold on. Its edges follow from
// whether it was down in the last tick and is down now. A key that was tapped between two ticks, or released and
// pressed again, has both edges. So does its action then, unless its other bindings held it down all the time.

#include "platform/actions.h"

#include "platform/input_state.h"

#include <filo/check.h>
#include <filo/memory.h>

#include <math.h>
#include <string.h>

// ---- Creating and adding --------------------------------------------------------------------------------

FiloResult filo_actions_create(FiloActions **actions, const FiloAllocator *allocator) {
    if (actions == NULL) return FILO_MISTAKE("pass a pointer to filo_actions_create that the actions go to");
    *actions = filo_alloc_zero(allocator, sizeof **actions, 0);
    if (*actions == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for actions");
    (*actions)->allocator = allocator;
    return filo_ok();
}

static void free_text(const FiloActions *actions, const char *text) {
    if (text != NULL) filo_free(actions->allocator, (char *)(uintptr_t)text, strlen(text) + 1, 0);
}

void filo_actions_destroy(FiloActions *actions) {
    if (actions == NULL) return;
    for (size_t i = 0; i < actions->count; i++) {
        free_text(actions, actions->entries[i].desc.name);
        free_text(actions, actions->entries[i].desc.help);
    }
    filo_free(actions->allocator, actions, sizeof *actions, 0);
}

static const char *copy_text(const FiloActions *actions, const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = filo_alloc(actions->allocator, size, 0);
    if (copy != NULL) memcpy(copy, text, size);
    return copy;
}

bool platform_binding_valid(const FiloBinding *binding) {
    if (!(fabsf(binding->scale) <= PLATFORM_BINDING_SCALE_MAX)) return false;
    if (binding->is_axis) return binding->key == FILO_KEY_NONE && (unsigned)binding->axis < FILO_AXIS_COUNT;
    // A key without a name could not be saved.
    return binding->key == FILO_KEY_NONE || filo_key_named(filo_key_name(binding->key)) == binding->key;
}

static FiloResult check_desc(const FiloActions *actions, const FiloActionDesc *desc) {
    if (actions == NULL || desc == NULL)
        return FILO_MISTAKE("pass actions and a description to filo_actions_add");
    if (desc->name == NULL || desc->name[0] == '\0') return FILO_MISTAKE("give the action a name");
    if (!isfinite(desc->threshold) || desc->threshold < 0)
        return FILO_MISTAKE("give the action \"%s\" a threshold of 0 or more", desc->name);
    for (size_t i = 0; i < FILO_ACTION_BINDINGS; i++)
        if (!platform_binding_valid(&desc->bindings[i]))
            return FILO_MISTAKE(
                "bind the action \"%s\" to a FiloKey or a FiloPadAxis, with a scale from -%d to %d; "
                "binding %zu is not",
                desc->name, PLATFORM_BINDING_SCALE_MAX, PLATFORM_BINDING_SCALE_MAX, i);
    return filo_ok();
}

static FiloResult fill_entry(const FiloActions *actions, PlatformActionEntry *entry,
                             const FiloActionDesc *desc) {
    *entry = (PlatformActionEntry){ .desc = *desc, .name = filo_name(desc->name) };
    memcpy(entry->defaults, desc->bindings, sizeof entry->defaults);
    entry->desc.name = copy_text(actions, desc->name);
    entry->desc.help = desc->help != NULL ? copy_text(actions, desc->help) : NULL;
    if (entry->name.id != 0 && entry->desc.name != NULL && (desc->help == NULL || entry->desc.help != NULL))
        return filo_ok();
    free_text(actions, entry->desc.name);
    free_text(actions, entry->desc.help);
    return filo_error(FILO_ERROR_MEMORY, "no memory for the action \"%s\"", desc->name);
}

FiloResult filo_actions_add(FiloActions *actions, const FiloActionDesc *desc) {
    FiloResult result = check_desc(actions, desc);
    if (result.code != FILO_OK) return result;
    if (platform_actions_find(actions, filo_string(desc->name)) != NULL)
        return filo_error(FILO_ERROR_EXISTS, "there is an action \"%s\" already", desc->name);
    if (actions->count == FILO_INPUT_ACTIONS)
        return filo_error(FILO_ERROR_LIMIT, "too many actions: \"%s\" is one more than %d", desc->name,
                          FILO_INPUT_ACTIONS);
    result = fill_entry(actions, &actions->entries[actions->count], desc);
    if (result.code == FILO_OK) actions->count++;
    return result;
}

// ---- Finding and binding --------------------------------------------------------------------------------

PlatformActionEntry *platform_actions_find(FiloActions *actions, FiloString name) {
    for (size_t i = 0; i < actions->count; i++)
        if (filo_string_equal(filo_string(actions->entries[i].desc.name), name)) return &actions->entries[i];
    return NULL;
}

size_t filo_actions_count(const FiloActions *actions) {
    return FILO_CHECK(actions != NULL, "pass actions to filo_actions_count") ? actions->count : 0;
}

const FiloActionDesc *filo_actions_at(const FiloActions *actions, size_t index) {
    if (!FILO_CHECK(actions != NULL, "pass actions to filo_actions_at") || index >= actions->count)
        return NULL;
    return &actions->entries[index].desc;
}

FiloResult filo_actions_bind(FiloActions *actions, const char *action, size_t slot, FiloBinding binding) {
    if (actions == NULL || action == NULL)
        return FILO_MISTAKE("pass actions and a name to filo_actions_bind");
    PlatformActionEntry *entry = platform_actions_find(actions, filo_string(action));
    if (entry == NULL) return filo_error(FILO_ERROR_NOT_FOUND, "there is no action \"%s\"", action);
    if (slot >= FILO_ACTION_BINDINGS)
        return FILO_MISTAKE("the action \"%s\" has bindings 0 to %d, not %zu", action,
                            FILO_ACTION_BINDINGS - 1, slot);
    if (!platform_binding_valid(&binding))
        return FILO_MISTAKE(
            "the action \"%s\" can be bound to a key or an axis only, with a scale from -%d to %d", action,
            PLATFORM_BINDING_SCALE_MAX, PLATFORM_BINDING_SCALE_MAX);
    entry->desc.bindings[slot] = binding;
    return filo_ok();
}

void filo_actions_reset(FiloActions *actions) {
    if (!FILO_CHECK(actions != NULL, "pass actions to filo_actions_reset")) return;
    for (size_t i = 0; i < actions->count; i++)
        memcpy(actions->entries[i].desc.bindings, actions->entries[i].defaults,
               sizeof actions->entries[i].defaults);
}

// ---- Evaluating -----------------------------------------------------------------------------------------

// The value of the gamepad whose stick or trigger is moved farthest.
static float any_pad_axis(const FiloInput *input, FiloPadAxis axis) {
    float farthest = 0;
    for (int i = 0; i < FILO_INPUT_PADS; i++) {
        float value = input->pads[i].axes[axis];
        if (value * value > farthest * farthest) farthest = value;
    }
    return farthest;
}

typedef struct Sum {
    float value;  // of all bindings
    float steady; // of the bindings without an edge in this tick
    bool tapped;  // a key that reaches the threshold alone went down and up, or up and down
} Sum;

static Sum sum_bindings(const FiloActionDesc *desc, const FiloInput *input, float threshold) {
    Sum sum = { 0 };
    for (size_t i = 0; i < FILO_ACTION_BINDINGS; i++) {
        const FiloBinding *binding = &desc->bindings[i];
        if (platform_binding_empty(binding)) continue;
        float scale = binding->scale != 0 ? binding->scale : 1;
        if (binding->is_axis) {
            float value = any_pad_axis(input, binding->axis) * scale;
            sum.value += value, sum.steady += value;
            continue;
        }
        bool pressed = filo_input_pressed(input, binding->key),
             released = filo_input_released(input, binding->key);
        if (filo_input_down(input, binding->key)) {
            sum.value += scale;
            if (!pressed && !released) sum.steady += scale;
        }
        sum.tapped = sum.tapped || (pressed && released && scale >= threshold);
    }
    return sum;
}

static bool was_down(const FiloInput *previous, size_t index, FiloName name) {
    if (previous == NULL) return false;
    // Nearly always at the same index.
    if (index < previous->action_count && previous->actions[index].name.id == name.id)
        return previous->actions[index].down;
    const FiloActionState *found = platform_input_find_action(previous, name); // NULL if it was added since
    return found != NULL && found->down;
}

void filo_actions_evaluate(const FiloActions *actions, FiloInput *input, const FiloInput *previous) {
    if (!FILO_CHECK(actions != NULL && input != NULL, "pass actions and an input to filo_actions_evaluate"))
        return;
    for (size_t i = 0; i < actions->count; i++) {
        const PlatformActionEntry *entry = &actions->entries[i];
        float threshold = entry->desc.threshold > 0 ? entry->desc.threshold : 0.5f;
        Sum sum = sum_bindings(&entry->desc, input, threshold);
        bool before = was_down(previous, i, entry->name), down = sum.value >= threshold;
        bool tapped = sum.tapped && sum.steady < threshold;
        input->actions[i] = (FiloActionState){ .name = entry->name,
                                               .value = FILO_CLAMP(sum.value, -1.0f, 1.0f),
                                               .down = down,
                                               .pressed = (down && !before) || tapped,
                                               .released = (!down && before) || tapped };
    }
    input->action_count = (uint32_t)actions->count;
    memset(&input->actions[actions->count], 0,
           (FILO_INPUT_ACTIONS - actions->count) * sizeof input->actions[0]);
}
