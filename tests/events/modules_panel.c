// What one module shows in the debug view: its lines, and a panel of its own.

#include "modules_fixture.h"

static void add(FiloModules *modules, FiloModuleDesc desc) {
    assert_ok(filo_modules_register(modules, &desc));
}

static void describe(FiloLines *lines, void *user) {
    filo_lines_title(lines, "%s", (const char *)user);
    for (int i = 0; i < 3; i++) filo_lines_add(lines, "line %d", i);
}

static int panel_calls;
static void show_panel(struct FiloUi *ui, void *user) { panel_calls += ui != NULL && *(char *)user == 'A'; }

FILO_TEST(one_module_has_its_lines_and_its_panel) {
    FiloModules *modules = create();
    add(modules, (FiloModuleDesc){ .name = "a", .user = "A", .debug = describe, .panel = show_panel });
    add(modules, (FiloModuleDesc){ .name = "b", .user = "B" });
    struct FiloUi *ui = (struct FiloUi *)&panel_calls;       // any address
    assert_false(filo_modules_debug_of(modules, "a", NULL)); // it is not loaded yet
    assert_false(filo_modules_panel_of(modules, "a", ui));
    assert_ok(filo_modules_load_all(modules));
    FiloLine items[6];
    FiloLines page = { .items = items, .capacity = 6 };
    assert_true(filo_modules_debug_of(modules, "a", NULL));
    assert_true(filo_modules_debug_of(modules, "a", &page));
    assert_int_equal(page.count, 4);
    assert_true(filo_modules_panel_of(modules, "a", NULL));
    assert_int_equal(panel_calls, 0);
    assert_true(filo_modules_panel_of(modules, "a", ui));
    assert_int_equal(panel_calls, 1);
    assert_false(filo_modules_debug_of(modules, "b", &page));
    assert_false(filo_modules_panel_of(modules, "b", ui));
    assert_false(filo_modules_panel_of(modules, "nothing", ui));
    assert_false(filo_modules_panel_of(modules, NULL, ui));
    filo_modules_destroy(modules);
}
