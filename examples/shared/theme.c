#include "shared/theme.h"

#define REGULAR "installed regular"
#define BOLD    "installed bold"
#define FAMILY  "installed"

static bool load(FiloTypesetter *setter, const char *name, const char *file) {
    char path[FILO_PATH_SIZE];
    return filo_font_find(path, sizeof path, file).code == FILO_OK &&
           filo_text_load_font(setter, name, path).code == FILO_OK;
}

static FiloName installed_font(FiloApp *app) {
    static const char *const files[][2] = { { "NotoSans-Regular.ttf", "NotoSans-Bold.ttf" },
                                            { "DejaVuSans.ttf", "DejaVuSans-Bold.ttf" },
                                            { "LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf" } };
    FiloTypesetter *setter = FILO_APP_OBJECT(app, FiloTypesetter);
    for (size_t i = 0; setter != NULL && i < FILO_COUNT_OF(files); i++) {
        if (!load(setter, REGULAR, files[i][0])) continue;
        bool bold = load(setter, BOLD, files[i][1]);
        FiloResult r = filo_text_add_family(
            setter, &(FiloFontFamily){ .name = FAMILY, .regular = REGULAR, .bold = bold ? BOLD : NULL });
        return r.code == FILO_OK ? filo_name(FAMILY) : (FiloName){ 0 };
    }
    return (FiloName){ 0 };
}

void theme_set(FiloApp *app, const FiloUiTheme *theme) {
    FiloUiTheme with_font = *theme;
    with_font.font = with_font.heading_font = installed_font(app);
    filo_ui_set_theme(filo_app_ui(app), &with_font);
}
