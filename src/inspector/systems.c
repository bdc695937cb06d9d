// The tabs of systems, memory and modules.

#include "inspector/inspector.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SMOOTH       0.1 // weight of a new value in a smoothed one
#define BYTES_IN_MIB 1048576.0
#define ACCOUNTS     128
#define ORDER_FRAMES 40 // between two changes of the order of systems

// An order of rows by one of their numbers.
typedef struct Ranked {
    size_t index;
    double value;
} Ranked;

static int compare_ascending(const void *a, const void *b) {
    const Ranked *left = a, *right = b;
    if (left->value != right->value) return left->value < right->value ? -1 : 1;
    return left->index < right->index ? -1 : left->index > right->index;
}

static int compare_descending(const void *a, const void *b) {
    const Ranked *left = a, *right = b;
    if (left->value != right->value) return left->value > right->value ? -1 : 1;
    return left->index < right->index ? -1 : left->index > right->index;
}

// `sort` is the column, or −1 − column for descending order.
static void rank(Ranked *rows, size_t count, int sort) {
    qsort(rows, count, sizeof *rows, sort < 0 ? compare_descending : compare_ascending);
}
static int sorted_column(int sort) { return sort < 0 ? -1 - sort : sort; }

// ---- Systems ----------------------------------------------------------------------------------------------

enum { SYSTEM_NAME, SYSTEM_TIME, SYSTEM_ROWS, SYSTEM_STAGE };

static void request_switch(FiloInspector *inspector, FiloCommandKind kind, const char *name, bool on) {
    FiloCommand *command = inspector_request(inspector, kind, FILO_ENTITY_NONE);
    if (command == NULL) return;
    command->path = filo_name(name);
    strcpy(command->value, on ? "true" : "false");
}

static void show_groups(FiloInspector *inspector, FiloUi *ui) {
    const char *group;
    for (size_t n = 0; (group = filo_world_group_at(inspector->world, n)) != NULL; n++) {
        char label[INSPECTOR_LABEL];
        bool on = filo_world_group_enabled(inspector->world, group);
        snprintf(label, sizeof label, "group %s", group);
        if (filo_ui_switch(ui, label, &on)) request_switch(inspector, FILO_COMMAND_GROUP, group, on);
    }
}

static void show_system(FiloInspector *inspector, FiloUi *ui, size_t index) {
    const FiloWorld *world = inspector->world;
    const FiloSystemId system = filo_system_at(world, index);
    const FiloSystemStats stats = filo_system_stats(world, system);
    const char *name = filo_system_name(world, system);
    bool on = filo_system_enabled(world, system);
    if (filo_ui_check(ui, name, &on)) request_switch(inspector, FILO_COMMAND_SYSTEM, name, on);
    inspector_mark(inspector, ui, name);
    filo_ui_format(ui, "%.3f", inspector->system_ms[index]);
    filo_ui_format(ui, "%" PRIu64, stats.rows);
    if (stats.stage == UINT32_MAX)
        filo_ui_label(ui, "hook");
    else
        filo_ui_format(ui, "%u", stats.stage);
}

static double system_key(int column, size_t index, double ms, const FiloSystemStats *stats) {
    switch (column) {
    case SYSTEM_TIME: return ms;
    case SYSTEM_ROWS: return (double)stats->rows;
    case SYSTEM_STAGE: return (double)stats->stage;
    default: return (double)index; // the order of registration
    }
}

// Smooths the times. The order is computed some times a second, so that rows do not move under the mouse.
static double update_systems(FiloInspector *inspector, size_t count) {
    const FiloWorld *world = inspector->world;
    const bool is_due = inspector->system_wait-- <= 0 || inspector->system_count != count ||
                        inspector->sorted_by != inspector->system_sort;
    Ranked order[INSPECTOR_SYSTEMS];
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const FiloSystemStats stats = filo_system_stats(world, filo_system_at(world, i));
        double *ms = &inspector->system_ms[i];
        *ms += (stats.last_ns / 1e6 - *ms) * SMOOTH;
        sum += *ms;
        order[i] = (Ranked){ i, system_key(sorted_column(inspector->system_sort), i, *ms, &stats) };
    }
    if (!is_due) return sum;
    rank(order, count, inspector->system_sort);
    for (size_t i = 0; i < count; i++) inspector->system_order[i] = (uint16_t)order[i].index;
    inspector->system_wait = ORDER_FRAMES;
    inspector->system_count = count;
    inspector->sorted_by = inspector->system_sort;
    return sum;
}

void inspector_show_systems(FiloInspector *inspector, FiloUi *ui) {
    static const FiloUiColumn columns[] = { { .title = "System" },
                                            { .title = "ms", .width = 64, .right = true },
                                            { .title = "rows", .width = 64, .right = true },
                                            { .title = "stage", .width = 50, .right = true } };
    const size_t count = FILO_MIN(filo_world_stats(inspector->world).systems, (size_t)INSPECTOR_SYSTEMS);
    const double sum = update_systems(inspector, count);
    show_groups(inspector, ui);
    filo_ui_format(ui, "%zu systems, %.2f ms a tick over all threads", count, sum);
    const FiloUiTable table = { .columns = columns,
                                .column_count = FILO_COUNT_OF(columns),
                                .row_count = count,
                                .sort = &inspector->system_sort,
                                .stripes = true };
    if (filo_ui_begin_table(ui, "systems", &table))
        for (size_t row; filo_ui_table_row(ui, &row);)
            show_system(inspector, ui, inspector->system_order[row]);
    filo_ui_end(ui);
}

// ---- Memory -------------------------------------------------------------------------------------------------

enum { MEMORY_NAME, MEMORY_USED, MEMORY_PEAK, MEMORY_BUDGET };

static double memory_key(int column, size_t index, const FiloMemoryStats *stats) {
    switch (column) {
    case MEMORY_USED: return (double)stats->used;
    case MEMORY_PEAK: return (double)stats->peak;
    case MEMORY_BUDGET: return (double)stats->budget;
    default: return (double)index;
    }
}

static void show_account(FiloUi *ui, const FiloMemoryStats *account) {
    filo_ui_label(ui, account->name);
    filo_ui_format(ui, "%.2f", (double)account->used / BYTES_IN_MIB);
    filo_ui_format(ui, "%.2f", (double)account->peak / BYTES_IN_MIB);
    if (account->budget > 0)
        filo_ui_format(ui, "%.0f", (double)account->budget / BYTES_IN_MIB);
    else
        filo_ui_text(ui, FILO_UI_TEXT_MUTED, "-");
}

void inspector_show_memory(FiloInspector *inspector, FiloUi *ui) {
    static const FiloUiColumn columns[] = { { .title = "Account" },
                                            { .title = "MiB", .width = 64, .right = true },
                                            { .title = "peak", .width = 64, .right = true },
                                            { .title = "budget", .width = 64, .right = true } };
    FiloMemoryStats accounts[ACCOUNTS];
    Ranked order[ACCOUNTS];
    const size_t count = FILO_MIN(filo_memory_list(accounts, ACCOUNTS), (size_t)ACCOUNTS);
    size_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += accounts[i].used;
        order[i] = (Ranked){ i, memory_key(sorted_column(inspector->memory_sort), i, &accounts[i]) };
    }
    rank(order, count, inspector->memory_sort);
    filo_ui_format(ui, "%.1f MiB in %zu accounts", (double)sum / BYTES_IN_MIB, count);
    const FiloUiTable table = { .columns = columns,
                                .column_count = FILO_COUNT_OF(columns),
                                .row_count = count,
                                .sort = &inspector->memory_sort,
                                .stripes = true };
    if (filo_ui_begin_table(ui, "memory", &table))
        for (size_t row; filo_ui_table_row(ui, &row);) show_account(ui, &accounts[order[row].index]);
    filo_ui_end(ui);
}

// ---- Modules ------------------------------------------------------------------------------------------------

static void show_module(FiloInspector *inspector, FiloUi *ui, const char *name) {
    FiloLines page = { .items = inspector->lines, .capacity = INSPECTOR_LINES };
    (void)filo_modules_panel_of(inspector->modules, name, ui);
    (void)filo_modules_debug_of(inspector->modules, name, &page);
    for (size_t i = 0; i < page.count; i++)
        filo_ui_text(ui, inspector->lines[i].title ? FILO_UI_TEXT_MUTED : FILO_UI_TEXT_NORMAL,
                     inspector->lines[i].text);
    if (page.left_out > 0) filo_ui_format(ui, "and %zu lines more", page.left_out);
}

void inspector_show_modules(FiloInspector *inspector, FiloUi *ui) {
    const char *name;
    if (inspector->modules == NULL) return;
    filo_ui_begin_tabs(ui, "modules", &inspector->module_tab);
    for (size_t i = 0; (name = filo_modules_loaded_at(inspector->modules, i)) != NULL; i++) {
        if (!filo_modules_panel_of(inspector->modules, name, NULL) &&
            !filo_modules_debug_of(inspector->modules, name, NULL))
            continue;
        if (filo_ui_begin_tab(ui, name)) show_module(inspector, ui, name);
        filo_ui_end(ui);
    }
    filo_ui_end(ui);
}
