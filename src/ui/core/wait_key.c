// Waiting for a key: for pages on which the player chooses keys.
//
// The wait lasts from a call to the next frame, and is renewed by the next call. input.c passes all presses here in the
// meantime, and consumes them.

#include "ui/ui.h"

bool ui_waits_for_key(const FiloUi *ui) { return ui->wait.frame != 0 && ui->wait.frame == ui->frame; }

static unsigned kind_of(FiloKey key) {
    if (key >= FILO_PAD_A) return FILO_UI_GAMEPAD;
    return key >= FILO_MOUSE_LEFT && key <= FILO_MOUSE_5 ? FILO_UI_MOUSE : FILO_UI_KEYBOARD;
}

void ui_wait_press(FiloUi *ui, FiloKey key) {
    if (ui->wait.key != FILO_KEY_NONE) return; // the first one counts
    if (key == FILO_PAD_B && (ui->wait.kinds & FILO_UI_GAMEPAD) == 0) key = FILO_KEY_ESCAPE;
    if (key == FILO_KEY_ESCAPE || (ui->wait.kinds & kind_of(key)) != 0) ui->wait.key = key;
}

FiloUiKeyWait filo_ui_wait_key(FiloUi *ui, unsigned kinds, FiloKey *key) {
    if (key != NULL) *key = FILO_KEY_NONE;
    if (!ui_usable(ui) || !FILO_CHECK(key != NULL, "pass where the key is to be stored"))
        return FILO_UI_CANCELLED;
    const bool waited = ui->wait.frame + 1 == ui->frame;
    const FiloKey pressed = waited ? ui->wait.key : FILO_KEY_NONE;
    ui->wait.key = FILO_KEY_NONE;
    ui->wait.kinds = kinds != 0 ? kinds : FILO_UI_KEYBOARD | FILO_UI_MOUSE | FILO_UI_GAMEPAD;
    ui->wait.frame = pressed == FILO_KEY_NONE ? ui->frame : 0;
    if (pressed == FILO_KEY_NONE) return FILO_UI_WAITING;
    if (pressed == FILO_KEY_ESCAPE) return FILO_UI_CANCELLED;
    *key = pressed;
    return FILO_UI_CHOSEN;
}
