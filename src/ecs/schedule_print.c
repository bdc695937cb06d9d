// The schedule as text, and as a graph for Graphviz.
//
// Both are written piece by piece into memory of the caller's; what does not fit is counted, not written.

#include <filo/check.h>

#include "ecs/schedule.h"

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

// ---- Text -------------------------------------------------------------------------------------------------

static void print_system(Text *text, const FiloWorld *world, const FiloSystem *system) {
    text_add(text, "%s", system->name);
    if (system->after_system == NULL) return;
    text_add(text, " after %s (%s)", system->after_system->name,
             system->after_component != 0 ? component_name(world, system->after_component) : "as declared");
}

size_t filo_world_print_schedule(FiloWorld *world, char *memory, size_t size) {
    Text text;
    text_begin(&text, memory, size);
    FiloResult r = filo_schedule_resolve(world);
    if (r.code != FILO_OK) text_add(&text, "%s\n", r.message);
    const FiloSchedule *schedule = world->schedule;
    for (size_t i = 0; i < schedule->stages.count; i++) {
        const FiloStage *stage = &schedule->stages.items[i];
        char buffer[16];
        text_add(&text, "stage %zu (%s): ", i, phase_name(stage->phase, buffer));
        for (uint32_t k = stage->first; k < stage->end; k++) {
            if (k > stage->first) text_add(&text, ", ");
            print_system(&text, world, schedule->order.items[k]);
        }
        text_add(&text, "\n");
    }
    return text.length;
}

// ---- Graph ------------------------------------------------------------------------------------------------

static void draw_name(Text *text, const char *name) {
    text_add(text, "\"");
    for (; *name != 0; name++) text_add(text, *name == '"' || *name == '\\' ? "\\%c" : "%c", *name);
    text_add(text, "\"");
}

static void draw_stage(Text *text, const FiloSchedule *schedule, size_t number) {
    const FiloStage *stage = &schedule->stages.items[number];
    char buffer[16];
    text_add(text, "    subgraph cluster_%zu {\n        label=\"stage %zu (%s)\";\n", number, number,
             phase_name(stage->phase, buffer));
    for (uint32_t k = stage->first; k < stage->end; k++) {
        const FiloSystem *system = schedule->order.items[k];
        text_add(text, "        ");
        draw_name(text, system->name);
        // Several frames stand for several parts; what is switched off is dashed.
        if (system->parallel) text_add(text, " [peripheries=2]");
        if (!system->enabled) text_add(text, " [style=dashed]");
        text_add(text, ";\n");
    }
    text_add(text, "    }\n");
}

// Why the systems of a stage are in it: what holds each of them, and between phases that one follows the
// other.
static void draw_edges(Text *text, const FiloWorld *world, size_t number) {
    const FiloSchedule *schedule = world->schedule;
    const FiloStage *stage = &schedule->stages.items[number];
    for (uint32_t k = stage->first; k < stage->end; k++) {
        const FiloSystem *system = schedule->order.items[k];
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
    Text text;
    text_begin(&text, memory, size);
    FiloResult r = filo_schedule_resolve(world);
    const FiloSchedule *schedule = world->schedule;
    text_add(&text, "digraph schedule {\n    rankdir=LR;\n    compound=true;\n    node [shape=box];\n");
    if (r.code != FILO_OK) {
        text_add(&text, "    label=");
        draw_name(&text, r.message);
        text_add(&text, ";\n");
    }
    for (size_t i = 0; i < schedule->stages.count; i++) draw_stage(&text, schedule, i);
    for (size_t i = 0; i < schedule->stages.count; i++) draw_edges(&text, world, i);
    text_add(&text, "}\n");
    return text.length;
}
