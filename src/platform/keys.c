// Names of keys, buttons and axes, for menus and files. Never change a name: saved files contain it.

#include <filo/input.h>

static const char *const key_names[FILO_KEY_COUNT] = {
    [FILO_KEY_A] = "A",
    [FILO_KEY_B] = "B",
    [FILO_KEY_C] = "C",
    [FILO_KEY_D] = "D",
    [FILO_KEY_E] = "E",
    [FILO_KEY_F] = "F",
    [FILO_KEY_G] = "G",
    [FILO_KEY_H] = "H",
    [FILO_KEY_I] = "I",
    [FILO_KEY_J] = "J",
    [FILO_KEY_K] = "K",
    [FILO_KEY_L] = "L",
    [FILO_KEY_M] = "M",
    [FILO_KEY_N] = "N",
    [FILO_KEY_O] = "O",
    [FILO_KEY_P] = "P",
    [FILO_KEY_Q] = "Q",
    [FILO_KEY_R] = "R",
    [FILO_KEY_S] = "S",
    [FILO_KEY_T] = "T",
    [FILO_KEY_U] = "U",
    [FILO_KEY_V] = "V",
    [FILO_KEY_W] = "W",
    [FILO_KEY_X] = "X",
    [FILO_KEY_Y] = "Y",
    [FILO_KEY_Z] = "Z",
    [FILO_KEY_1] = "1",
    [FILO_KEY_2] = "2",
    [FILO_KEY_3] = "3",
    [FILO_KEY_4] = "4",
    [FILO_KEY_5] = "5",
    [FILO_KEY_6] = "6",
    [FILO_KEY_7] = "7",
    [FILO_KEY_8] = "8",
    [FILO_KEY_9] = "9",
    [FILO_KEY_0] = "0",
    [FILO_KEY_ENTER] = "Enter",
    [FILO_KEY_ESCAPE] = "Escape",
    [FILO_KEY_BACKSPACE] = "Backspace",
    [FILO_KEY_TAB] = "Tab",
    [FILO_KEY_SPACE] = "Space",
    [FILO_KEY_MINUS] = "Minus",
    [FILO_KEY_EQUALS] = "Equals",
    [FILO_KEY_LEFT_BRACKET] = "Left Bracket",
    [FILO_KEY_RIGHT_BRACKET] = "Right Bracket",
    [FILO_KEY_BACKSLASH] = "Backslash",
    [FILO_KEY_SEMICOLON] = "Semicolon",
    [FILO_KEY_APOSTROPHE] = "Apostrophe",
    [FILO_KEY_GRAVE] = "Grave",
    [FILO_KEY_COMMA] = "Comma",
    [FILO_KEY_PERIOD] = "Period",
    [FILO_KEY_SLASH] = "Slash",
    [FILO_KEY_CAPS_LOCK] = "Caps Lock",
    [FILO_KEY_F1] = "F1",
    [FILO_KEY_F2] = "F2",
    [FILO_KEY_F3] = "F3",
    [FILO_KEY_F4] = "F4",
    [FILO_KEY_F5] = "F5",
    [FILO_KEY_F6] = "F6",
    [FILO_KEY_F7] = "F7",
    [FILO_KEY_F8] = "F8",
    [FILO_KEY_F9] = "F9",
    [FILO_KEY_F10] = "F10",
    [FILO_KEY_F11] = "F11",
    [FILO_KEY_F12] = "F12",
    [FILO_KEY_PRINT_SCREEN] = "Print Screen",
    [FILO_KEY_SCROLL_LOCK] = "Scroll Lock",
    [FILO_KEY_PAUSE] = "Pause",
    [FILO_KEY_INSERT] = "Insert",
    [FILO_KEY_HOME] = "Home",
    [FILO_KEY_PAGE_UP] = "Page Up",
    [FILO_KEY_DELETE] = "Delete",
    [FILO_KEY_END] = "End",
    [FILO_KEY_PAGE_DOWN] = "Page Down",
    [FILO_KEY_RIGHT] = "Right",
    [FILO_KEY_LEFT] = "Left",
    [FILO_KEY_DOWN] = "Down",
    [FILO_KEY_UP] = "Up",
    [FILO_KEY_NUM_LOCK] = "Num Lock",
    [FILO_KEY_PAD_DIVIDE] = "Keypad Divide",
    [FILO_KEY_PAD_MULTIPLY] = "Keypad Multiply",
    [FILO_KEY_PAD_MINUS] = "Keypad Minus",
    [FILO_KEY_PAD_PLUS] = "Keypad Plus",
    [FILO_KEY_PAD_ENTER] = "Keypad Enter",
    [FILO_KEY_PAD_1] = "Keypad 1",
    [FILO_KEY_PAD_2] = "Keypad 2",
    [FILO_KEY_PAD_3] = "Keypad 3",
    [FILO_KEY_PAD_4] = "Keypad 4",
    [FILO_KEY_PAD_5] = "Keypad 5",
    [FILO_KEY_PAD_6] = "Keypad 6",
    [FILO_KEY_PAD_7] = "Keypad 7",
    [FILO_KEY_PAD_8] = "Keypad 8",
    [FILO_KEY_PAD_9] = "Keypad 9",
    [FILO_KEY_PAD_0] = "Keypad 0",
    [FILO_KEY_PAD_PERIOD] = "Keypad Period",
    [FILO_KEY_EXTRA] = "Extra",
    [FILO_KEY_MENU] = "Menu",
    [FILO_KEY_LEFT_CONTROL] = "Left Control",
    [FILO_KEY_LEFT_SHIFT] = "Left Shift",
    [FILO_KEY_LEFT_ALT] = "Left Alt",
    [FILO_KEY_LEFT_SUPER] = "Left Super",
    [FILO_KEY_RIGHT_CONTROL] = "Right Control",
    [FILO_KEY_RIGHT_SHIFT] = "Right Shift",
    [FILO_KEY_RIGHT_ALT] = "Right Alt",
    [FILO_KEY_RIGHT_SUPER] = "Right Super",
    [FILO_MOUSE_LEFT] = "Left Mouse",
    [FILO_MOUSE_RIGHT] = "Right Mouse",
    [FILO_MOUSE_MIDDLE] = "Middle Mouse",
    [FILO_MOUSE_4] = "Mouse 4",
    [FILO_MOUSE_5] = "Mouse 5",
    [FILO_PAD_A] = "Pad A",
    [FILO_PAD_B] = "Pad B",
    [FILO_PAD_X] = "Pad X",
    [FILO_PAD_Y] = "Pad Y",
    [FILO_PAD_BACK] = "Pad Back",
    [FILO_PAD_GUIDE] = "Pad Guide",
    [FILO_PAD_START] = "Pad Start",
    [FILO_PAD_LEFT_STICK] = "Pad Left Stick",
    [FILO_PAD_RIGHT_STICK] = "Pad Right Stick",
    [FILO_PAD_LEFT_SHOULDER] = "Pad Left Shoulder",
    [FILO_PAD_RIGHT_SHOULDER] = "Pad Right Shoulder",
    [FILO_PAD_UP] = "Pad Up",
    [FILO_PAD_DOWN] = "Pad Down",
    [FILO_PAD_LEFT] = "Pad Left",
    [FILO_PAD_RIGHT] = "Pad Right",
};

static const char *const axis_names[FILO_AXIS_COUNT] = {
    [FILO_AXIS_LEFT_X] = "Left X",
    [FILO_AXIS_LEFT_Y] = "Left Y",
    [FILO_AXIS_RIGHT_X] = "Right X",
    [FILO_AXIS_RIGHT_Y] = "Right Y",
    [FILO_AXIS_LEFT_TRIGGER] = "Left Trigger",
    [FILO_AXIS_RIGHT_TRIGGER] = "Right Trigger",
};

static int find(const char *const *names, int count, const char *name) {
    for (int i = 0; name != NULL && i < count; i++)
        if (names[i] != NULL && filo_string_equal_ignoring_case(filo_string(names[i]), filo_string(name)))
            return i;
    return -1;
}

const char *filo_key_name(FiloKey key) {
    return (unsigned)key < FILO_KEY_COUNT && key_names[key] != NULL ? key_names[key] : "None";
}

FiloKey filo_key_named(const char *name) {
    int key = find(key_names, FILO_KEY_COUNT, name);
    return key >= 0 ? (FiloKey)key : FILO_KEY_NONE;
}

const char *filo_pad_axis_name(FiloPadAxis axis) {
    return (unsigned)axis < FILO_AXIS_COUNT ? axis_names[axis] : "None";
}

FiloPadAxis filo_pad_axis_named(const char *name) {
    int axis = find(axis_names, FILO_AXIS_COUNT, name);
    return axis >= 0 ? (FiloPadAxis)axis : FILO_AXIS_COUNT;
}
