// The schedule as text, and as a graph for Graphviz.
//
// Both are written piece by piece into memory of the caller. What does not fit is counted, not written.

#include "ecs/schedule/schedule.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct Text {
    char *text;
    size_t size, length; // of the memory; of the whole text
} Text;

static void text_begin(Text *text, char *memory, size_t size) {
    *text = (Text){ memory, memory != NULL ? size : 0, 0 };
    if (text->size > 0) memory[0] = 0;
}

static void FILO_PRINTF(2, 3) text_add(Text *text, const char *format, ...) {
    size_t used = FILO_MIN(text->length, text->size);
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text->size > 0 ? text->text + used : NULL, text->size - used, format, arguments);
    va_end(arguments);
    if (length > 0) text->length += (size_t)length;
}

static const char *phase_name(int phase, char buffer[16]) {
    switch (phase) {
    case FILO_PHASE_INPUT: return "input";
    case FILO_PHASE_BEFORE: return "before";
    case FILO_PHASE_UPDATE: return "update";
    case FILO_PHASE_AFTER: return "after";
    case FILO_PHASE_EXTRACT: return "extract";
    default: break;
    }
    snprintf(buffer, 16, "%d", phase);
    return buffer;
}

static const char *component_name(const FiloWorld *world, uint32_t component) {
    return filo_component_info(world, (FiloComponent){ component })->name;
}

// ---- Attributes of a system -------------------------------------------------------------------------------

// A list of groups and states, as in the brackets after a system.
typedef struct Attributes {
    Text *text;
    const char *begin, *separator; // before the first, and before each further one
    bool any;
} Attributes;

static void attribute_begin(Attributes *attributes) {
    text_add(attributes->text, "%s", attributes->any ? attributes->separator : attributes->begin);
    attributes->any = true;
}

static void print_states(Attributes *attributes, const FiloWorld *world, const EcsStateList *list,
                         const char *what) {
    if (list->count == 0) return;
    attribute_begin(attributes);
    for (uint32_t i = 0; i < list->count; i++) {
        const EcsStates *states = &world->schedule->states.items[list->items[i].states];
        text_add(attributes->text, "%s %s.%s", i == 0 ? what : " or", states->name_text,
                 ecs_states_value_name(states, list->items[i].value));
    }
}

static void print_attributes(Attributes *attributes, const FiloWorld *world, const EcsSystem *system) {
    for (uint32_t i = 0; i < system->group_count; i++) {
        attribute_begin(attributes);
        text_add(attributes->text, "group %s",
                 filo_name_text(world->schedule->groups.items[system->groups[i]].name));
    }
    print_states(attributes, world, &system->in_state, "in");
    print_states(attributes, world, &system->on_enter, "enter");
    print_states(attributes, world, &system->on_leave, "leave");
}

// ---- Text -------------------------------------------------------------------------------------------------

static void print_system(Text *text, const FiloWorld *world, const EcsSystem *system) {
    text_add(text, "%s", system->name);
    if (system->after_system != NULL)
        text_add(text, " after %s (%s)", system->after_system->name,
                 system->after_component != 0 ? component_name(world, system->after_component)
                                              : "as declared");
    Attributes attributes = { .text = text, .begin = " [", .separator = ", " };
    print_attributes(&attributes, world, system);
    if (!ecs_system_is_on(world, system)) {
        attribute_begin(&attributes);
        text_add(text, "off");
    }
    if (attributes.any) text_add(text, "]");
}

static void print_systems(Text *text, const FiloWorld *world, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; i++) {
        if (i > first) text_add(text, ", ");
        print_system(text, world, world->schedule->order.items[i]);
    }
    text_add(text, "\n");
}

// Of the systems of a phase that have recorded changes, or events, the first one whose records are applied after those of
// `last`; NULL: none.
static const EcsSystem *next_recording(const EcsSchedule *schedule, uint32_t first, uint32_t end, bool events,
                                       const EcsSystem *last) {
    const EcsSystem *next = NULL;
    for (uint32_t i = first; i < end; i++) {
        const EcsSystem *system = schedule->order.items[i];
        bool records = base_load_relaxed(events ? &system->records_events : &system->records_changes);
        if (records && (last == NULL || system->source > last->source) &&
            (next == NULL || system->source < next->source))
            next = system;
    }
    return next;
}

// Returns whether there are any.
static bool print_recording(Text *text, const EcsSchedule *schedule, uint32_t first, uint32_t end,
                            bool events, const char *begin) {
    const EcsSystem *last = NULL, *system;
    for (; (system = next_recording(schedule, first, end, events, last)) != NULL; last = system)
        text_add(text, "%s%s", last != NULL ? ", " : begin, system->name);
    if (last != NULL) text_add(text, ")");
    return last != NULL;
}

// What takes effect at the end of a phase, whose first system is `first`.
static void print_end(Text *text, const EcsSchedule *schedule, uint32_t first, const EcsStage *last) {
    char buffer[16], begin[48];
    const char *name = phase_name(last->phase, buffer);
    snprintf(begin, sizeof begin, "end of %s: apply changes (of ", name);
    bool any = print_recording(text, schedule, first, last->end, false, begin);
    if (any)
        snprintf(begin, sizeof begin, ", deliver events (of ");
    else
        snprintf(begin, sizeof begin, "end of %s: deliver events (of ", name);
    any = print_recording(text, schedule, first, last->end, true, begin) || any;
    if (any) text_add(text, "\n");
}

size_t filo_world_print_schedule(FiloWorld *world, char *memory, size_t size) {
    if (!ecs_may_read(world)) return 0;
    Text text;
    text_begin(&text, memory, size);
    FiloResult r = ecs_schedule_resolve(world);
    if (r.code != FILO_OK) text_add(&text, "%s\n", r.message);
    const EcsSchedule *schedule = world->schedule;
    if (schedule->state_hook_count > 0) {
        text_add(&text, "states: ");
        print_systems(&text, world, 0, schedule->state_hook_count);
    }
    uint32_t phase_first = schedule->state_hook_count;
    for (size_t i = 0; i < schedule->stages.count; i++) {
        const EcsStage *stage = &schedule->stages.items[i];
        char buffer[16];
        text_add(&text, "stage %zu (%s): ", i, phase_name(stage->phase, buffer));
        print_systems(&text, world, stage->first, stage->end);
        if (!stage->ends_phase) continue;
        print_end(&text, schedule, phase_first, stage);
        phase_first = stage->end;
    }
    return text.length;
}

// ---- Graph ------------------------------------------------------------------------------------------------

// The text inside of quotation marks.
static void draw_text(Text *text, const char *string) {
    for (; *string != 0; string++) text_add(text, *string == '"' || *string == '\\' ? "\\%c" : "%c", *string);
}

static void draw_name(Text *text, const char *name) {
    text_add(text, "\"");
    draw_text(text, name);
    text_add(text, "\"");
}

// The system's name, and its attributes below.
static void draw_label(Text *text, const FiloWorld *world, const EcsSystem *system) {
    char memory[512];
    Text label;
    text_begin(&label, memory, sizeof memory);
    Attributes attributes = { .text = &label, .begin = "", .separator = ", " };
    print_attributes(&attributes, world, system);
    if (!attributes.any) return;
    text_add(text, " [label=\"");
    draw_text(text, system->name);
    text_add(text, "\\n");
    draw_text(text, memory);
    text_add(text, "\"]");
}

static void draw_systems(Text *text, const FiloWorld *world, uint32_t first, uint32_t end) {
    for (uint32_t k = first; k < end; k++) {
        const EcsSystem *system = world->schedule->order.items[k];
        text_add(text, "        ");
        draw_name(text, system->name);
        draw_label(text, world, system);
        // A double frame: it is parallel. A dashed frame: it is off.
        if (system->parallel) text_add(text, " [peripheries=2]");
        if (!ecs_system_is_on(world, system)) text_add(text, " [style=dashed]");
        text_add(text, ";\n");
    }
    text_add(text, "    }\n");
}

static void draw_stage(Text *text, const FiloWorld *world, size_t number) {
    const EcsStage *stage = &world->schedule->stages.items[number];
    char buffer[16];
    text_add(text, "    subgraph cluster_%zu {\n        label=\"stage %zu (%s)\";\n", number, number,
             phase_name(stage->phase, buffer));
    draw_systems(text, world, stage->first, stage->end);
}

// Edges to the systems of a stage: from the system that each must follow, and from the phase before.
static void draw_edges(Text *text, const FiloWorld *world, size_t number) {
    const EcsSchedule *schedule = world->schedule;
    const EcsStage *stage = &schedule->stages.items[number];
    for (uint32_t k = stage->first; k < stage->end; k++) {
        const EcsSystem *system = schedule->order.items[k];
        if (system->after_system == NULL) continue;
        text_add(text, "    ");
        draw_name(text, system->after_system->name);
        text_add(text, " -> ");
        draw_name(text, system->name);
        if (system->after_component == 0) {
            text_add(text, " [style=dashed];\n");
            continue;
        }
        text_add(text, " [label=");
        draw_name(text, component_name(world, system->after_component));
        text_add(text, "];\n");
    }
    if (number == 0 || schedule->stages.items[number - 1].phase == stage->phase) return;
    text_add(text, "    ");
    draw_name(text, schedule->order.items[schedule->stages.items[number - 1].first]->name);
    text_add(text, " -> ");
    draw_name(text, schedule->order.items[stage->first]->name);
    text_add(text, " [ltail=cluster_%zu, lhead=cluster_%zu, style=bold];\n", number - 1, number);
}

size_t filo_world_draw_schedule(FiloWorld *world, char *memory, size_t size) {
    if (!ecs_may_read(world)) return 0;
    Text text;
    text_begin(&text, memory, size);
    FiloResult r = ecs_schedule_resolve(world);
    const EcsSchedule *schedule = world->schedule;
    text_add(&text, "digraph schedule {\n    rankdir=LR;\n    compound=true;\n    node [shape=box];\n");
    if (r.code != FILO_OK) {
        text_add(&text, "    label=");
        draw_name(&text, r.message);
        text_add(&text, ";\n");
    }
    if (schedule->state_hook_count > 0) {
        text_add(&text, "    subgraph cluster_states {\n        label=\"states\";\n");
        draw_systems(&text, world, 0, schedule->state_hook_count);
    }
    for (size_t i = 0; i < schedule->stages.count; i++) draw_stage(&text, world, i);
    for (size_t i = 0; i < schedule->stages.count; i++) draw_edges(&text, world, i);
    text_add(&text, "}\n");
    return text.length;
}
