// widgets: all widgets of filo/ui.h on one page.

#include <filo/filo.h>

static float wind = 12, rate = 0.4f;
static int count = 5, mode = 1;
static bool rain = true, fog;

static void ui(FiloApp *app, FiloUi *ui) {
    (void)app;
    if (filo_ui_begin_window(ui, "Weather", &(FiloUiWindow){ .position = { 60, 60 }, .size = { 320, 0 } })) {
        filo_ui_label(ui, "A window sizes itself to its content, and text wraps to the width that it gets.");
        filo_ui_slider(ui, "Wind", &wind, 0, 30);
        filo_ui_slider_int(ui, "Clouds", &count, 0, 8);
        filo_ui_drag(ui, "Rate", &rate, 0.01f, 0, 1);
        filo_ui_check(ui, "Rain", &rain);
        filo_ui_check(ui, "Fog", &fog);
        filo_ui_switch(ui, "Forecast", &fog);
        filo_ui_begin_row(ui);
        filo_ui_radio(ui, "Calm", &mode, 0);
        filo_ui_radio(ui, "Storm", &mode, 1);
        filo_ui_end(ui);
        filo_ui_separator(ui);
        filo_ui_begin_row(ui);
        filo_ui_spacer(ui, 0);
        filo_ui_button(ui, "Cancel");
        filo_ui_primary_button(ui, "Thunder");
        filo_ui_end(ui);
    }
    filo_ui_end(ui);
}

int main(int argc, char **argv) {
    return filo_run(argc, argv,
                    &(FiloAppDesc){ .name = "widgets", .ui = ui, .background = { 70, 84, 100, 255 } });
}
