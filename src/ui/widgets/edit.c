#include "ui/ui.h"
void ui_edit_free(FiloUi *ui) { FILO_UNUSED(ui); }
void ui_edit_end_frame(FiloUi *ui) { FILO_UNUSED(ui); }
bool ui_edit_inline(FiloUi *ui, uint64_t id, char *text, size_t size, bool *cancelled) {
    FILO_UNUSED(ui), FILO_UNUSED(id), FILO_UNUSED(text), FILO_UNUSED(size);
    *cancelled = true;
    return true;
}
UiTextAlign ui_table_align(FiloUi *ui, const UiOpen *row) {
    FILO_UNUSED(ui), FILO_UNUSED(row);
    return UI_TEXT_LEFT;
}
