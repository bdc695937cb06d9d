#include "shared/pages.h"

#include "shared/settings.h"

const char *const page_names[] = { "title", "pause", "settings", "over", "sound", "keys", NULL };

bool pages_have_player(const FiloApp *app) {
    const FiloCommonArgs *args = filo_app_args(app);
    return !args->headless && args->replay == NULL && args->frames == 0;
}

Page page_at_start(int chosen, bool has_player, int *tab) {
    static const struct {
        Page page;
        int tab;
    } named[] = { { PAGE_TITLE, SETTINGS_SCREEN },    { PAGE_PAUSE, SETTINGS_SCREEN },
                  { PAGE_SETTINGS, SETTINGS_SCREEN }, { PAGE_OVER, SETTINGS_SCREEN },
                  { PAGE_SETTINGS, SETTINGS_SOUND },  { PAGE_SETTINGS, SETTINGS_KEYS } };
    *tab = chosen >= 0 ? named[chosen].tab : SETTINGS_SCREEN;
    if (chosen >= 0) return named[chosen].page;
    return has_player ? PAGE_TITLE : PAGE_NONE;
}

void page_text(FiloUi *ui, FiloUiTextKind kind, const char *text) {
    filo_ui_size(ui, &(FiloUiSize){ .align = FILO_UI_ALIGN_CENTRE });
    filo_ui_text(ui, kind, text);
}
