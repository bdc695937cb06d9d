// filo/input.h: what the player does: keys, mouse, gamepads, text, and actions made of them.
//
//     static void steer(FiloIter *it) {
//         const FiloInput *input = filo_read_global(it, FiloInput);
//         float turn = filo_input_axis(input, FILO_KEY_A, FILO_KEY_D);           // −1, 0 or 1
//         if (filo_input_pressed(input, FILO_KEY_SPACE)) …                       // in this tick, once
//         if (filo_action_pressed(input, filo_name("fire"))) …                   // key, button or trigger
//     }
//
// The state is one struct. In a game it is a global component of the world (filo/app.h puts it there), the
// same for all systems of a tick. "Pressed" and "released" are seen by exactly one tick, even if several ticks
// run in a frame, or none; a key that went down and up between two ticks is both in the next one. Nothing is
// lost, and because input enters the world only here, a recording of it (below) is enough to repeat a game.
//
// The same things happen as events (FILO_EVENT_INPUT, below), in the order in which they came.

#ifndef FILO_INPUT_H
#define FILO_INPUT_H

#include <filo/events.h>
#include <filo/reflect.h>
#include <filo/strings.h>
#include <filo/vector.h>

FILO_BEGIN_DECLS

// ---- Keys and buttons -----------------------------------------------------------------------------------

// Keys by their place on the keyboard, named by what is there on a US one; numbers are USB usages. Mouse and
// gamepad buttons follow, so that one number says what an action is bound to.
typedef enum FiloKey {
    FILO_KEY_NONE = 0,
    FILO_KEY_A = 4,
    FILO_KEY_B,
    FILO_KEY_C,
    FILO_KEY_D,
    FILO_KEY_E,
    FILO_KEY_F,
    FILO_KEY_G,
    FILO_KEY_H,
    FILO_KEY_I,
    FILO_KEY_J,
    FILO_KEY_K,
    FILO_KEY_L,
    FILO_KEY_M,
    FILO_KEY_N,
    FILO_KEY_O,
    FILO_KEY_P,
    FILO_KEY_Q,
    FILO_KEY_R,
    FILO_KEY_S,
    FILO_KEY_T,
    FILO_KEY_U,
    FILO_KEY_V,
    FILO_KEY_W,
    FILO_KEY_X,
    FILO_KEY_Y,
    FILO_KEY_Z,
    FILO_KEY_1,
    FILO_KEY_2,
    FILO_KEY_3,
    FILO_KEY_4,
    FILO_KEY_5,
    FILO_KEY_6,
    FILO_KEY_7,
    FILO_KEY_8,
    FILO_KEY_9,
    FILO_KEY_0,
    FILO_KEY_ENTER,
    FILO_KEY_ESCAPE,
    FILO_KEY_BACKSPACE,
    FILO_KEY_TAB,
    FILO_KEY_SPACE,
    FILO_KEY_MINUS,
    FILO_KEY_EQUALS,
    FILO_KEY_LEFT_BRACKET,
    FILO_KEY_RIGHT_BRACKET,
    FILO_KEY_BACKSLASH,
    FILO_KEY_SEMICOLON = 51,
    FILO_KEY_APOSTROPHE,
    FILO_KEY_GRAVE,
    FILO_KEY_COMMA,
    FILO_KEY_PERIOD,
    FILO_KEY_SLASH,
    FILO_KEY_CAPS_LOCK,
    FILO_KEY_F1,
    FILO_KEY_F2,
    FILO_KEY_F3,
    FILO_KEY_F4,
    FILO_KEY_F5,
    FILO_KEY_F6,
    FILO_KEY_F7,
    FILO_KEY_F8,
    FILO_KEY_F9,
    FILO_KEY_F10,
    FILO_KEY_F11,
    FILO_KEY_F12,
    FILO_KEY_PRINT_SCREEN,
    FILO_KEY_SCROLL_LOCK,
    FILO_KEY_PAUSE,
    FILO_KEY_INSERT,
    FILO_KEY_HOME,
    FILO_KEY_PAGE_UP,
    FILO_KEY_DELETE,
    FILO_KEY_END,
    FILO_KEY_PAGE_DOWN,
    FILO_KEY_RIGHT,
    FILO_KEY_LEFT,
    FILO_KEY_DOWN,
    FILO_KEY_UP,
    FILO_KEY_NUM_LOCK,
    FILO_KEY_PAD_DIVIDE,
    FILO_KEY_PAD_MULTIPLY,
    FILO_KEY_PAD_MINUS,
    FILO_KEY_PAD_PLUS,
    FILO_KEY_PAD_ENTER,
    FILO_KEY_PAD_1,
    FILO_KEY_PAD_2,
    FILO_KEY_PAD_3,
    FILO_KEY_PAD_4,
    FILO_KEY_PAD_5,
    FILO_KEY_PAD_6,
    FILO_KEY_PAD_7,
    FILO_KEY_PAD_8,
    FILO_KEY_PAD_9,
    FILO_KEY_PAD_0,
    FILO_KEY_PAD_PERIOD,
    FILO_KEY_EXTRA, // left of Z on European keyboards
    FILO_KEY_MENU,
    FILO_KEY_LEFT_CONTROL = 224,
    FILO_KEY_LEFT_SHIFT,
    FILO_KEY_LEFT_ALT,
    FILO_KEY_LEFT_SUPER,
    FILO_KEY_RIGHT_CONTROL,
    FILO_KEY_RIGHT_SHIFT,
    FILO_KEY_RIGHT_ALT,
    FILO_KEY_RIGHT_SUPER,
    FILO_MOUSE_LEFT = 256,
    FILO_MOUSE_RIGHT,
    FILO_MOUSE_MIDDLE,
    FILO_MOUSE_4,
    FILO_MOUSE_5,
    // Of any gamepad, or of one: filo_gamepad_pressed.
    FILO_PAD_A = 272,
    FILO_PAD_B,
    FILO_PAD_X,
    FILO_PAD_Y,
    FILO_PAD_BACK,
    FILO_PAD_GUIDE,
    FILO_PAD_START,
    FILO_PAD_LEFT_STICK,
    FILO_PAD_RIGHT_STICK,
    FILO_PAD_LEFT_SHOULDER,
    FILO_PAD_RIGHT_SHOULDER,
    FILO_PAD_UP,
    FILO_PAD_DOWN,
    FILO_PAD_LEFT,
    FILO_PAD_RIGHT,
    FILO_KEY_COUNT = 288,
} FiloKey;

// "Space", "Left Mouse", "Pad A"; for menus and files. "None" for numbers that mean nothing.
const char *filo_key_name(FiloKey key);
// The other way; FILO_KEY_NONE if there is none. Upper and lower case are the same.
FiloKey filo_key_named(const char *name);

typedef enum FiloPadAxis {
    FILO_AXIS_LEFT_X,
    FILO_AXIS_LEFT_Y,
    FILO_AXIS_RIGHT_X,
    FILO_AXIS_RIGHT_Y, // −1 to 1; up is 1
    FILO_AXIS_LEFT_TRIGGER,
    FILO_AXIS_RIGHT_TRIGGER, // 0 to 1
    FILO_AXIS_COUNT,
} FiloPadAxis;

// "Left X", "Right Trigger"; "None" for numbers that mean nothing.
const char *filo_pad_axis_name(FiloPadAxis axis);
// The other way; FILO_AXIS_COUNT if there is none.
FiloPadAxis filo_pad_axis_named(const char *name);

// ---- The state ------------------------------------------------------------------------------------------

#define FILO_INPUT_PADS    4
#define FILO_INPUT_TEXT    64
#define FILO_INPUT_ACTIONS 64

typedef struct FiloKeySet {
    uint64_t bits[(FILO_KEY_COUNT + 63) / 64];
} FiloKeySet;
FILO_REFLECT_DECLARE(FiloKeySet);

typedef struct FiloGamepad {
    bool connected;
    uint32_t down, pressed, released; // bit n: FILO_PAD_A + n
    float axes[FILO_AXIS_COUNT];      // up to 0.15 is cut off to 0, and the rest stretched to the whole range
} FiloGamepad;
FILO_REFLECT_DECLARE(FiloGamepad);

typedef struct FiloActionState {
    FiloName name;
    float value; // −1 to 1: how far
    bool down, pressed, released;
} FiloActionState;
FILO_REFLECT_DECLARE(FiloActionState);

typedef struct FiloInput {
    FiloKeySet down, pressed, released;
    FiloVec2 mouse;      // pixels of the window's picture from its upper left corner, y down
    FiloVec2 mouse_move; // since the last tick; goes on when the mouse is captured
    FiloVec2 wheel;      // notches; up and right are positive
    FiloVec2 view;       // size of the picture in pixels
    bool mouse_captured, focused;
    bool quit; // the player wants to close the window: seen by one tick, as "pressed" is
    FiloGamepad pads[FILO_INPUT_PADS];
    char text[FILO_INPUT_TEXT]; // UTF-8, what was typed; what is too long for a tick is cut at a character
    uint32_t action_count;
    FiloActionState actions[FILO_INPUT_ACTIONS];
} FiloInput;
FILO_REFLECT_DECLARE(FiloInput);

static inline bool filo_key_set_has(const FiloKeySet *set, FiloKey key) {
    return (unsigned)key < FILO_KEY_COUNT && (set->bits[(unsigned)key / 64] >> ((unsigned)key % 64) & 1) != 0;
}
static inline bool filo_input_down(const FiloInput *input, FiloKey key) {
    return input != NULL && filo_key_set_has(&input->down, key);
}
static inline bool filo_input_pressed(const FiloInput *input, FiloKey key) {
    return input != NULL && filo_key_set_has(&input->pressed, key);
}
static inline bool filo_input_released(const FiloInput *input, FiloKey key) {
    return input != NULL && filo_key_set_has(&input->released, key);
}
// −1, 0 or 1.
static inline float filo_input_axis(const FiloInput *input, FiloKey negative, FiloKey positive) {
    return (filo_input_down(input, positive) ? 1.0f : 0.0f) -
           (filo_input_down(input, negative) ? 1.0f : 0.0f);
}
// WASD, arrow keys, the directional pad and the left stick of any gamepad, together; length at most 1; y up.
FiloVec2 filo_input_move(const FiloInput *input);

// Of one gamepad, 0 to FILO_INPUT_PADS − 1. A gamepad keeps its number when others come and go.
bool filo_gamepad_down(const FiloInput *input, int pad, FiloKey button);
bool filo_gamepad_pressed(const FiloInput *input, int pad, FiloKey button);
float filo_gamepad_axis(const FiloInput *input, int pad, FiloPadAxis axis);

// ---- Actions --------------------------------------------------------------------------------------------
//
// What the game asks for, instead of keys, so that the player can choose: "fire", "move x". Evaluated once a
// tick into FiloInput.actions.

// All zero if there is no such action; a debug build then logs a warning, once for each name, with the one that was
// probably meant.
FiloActionState filo_action(const FiloInput *input, FiloName name);
static inline bool filo_action_down(const FiloInput *input, FiloName name) {
    return filo_action(input, name).down;
}
static inline bool filo_action_pressed(const FiloInput *input, FiloName name) {
    return filo_action(input, name).pressed;
}
static inline float filo_action_value(const FiloInput *input, FiloName name) {
    return filo_action(input, name).value;
}

#define FILO_ACTION_BINDINGS 6

// A key or button that counts with `scale` (0 means 1; −1 for the negative side; up to 1000), or an axis of any
// gamepad.
typedef struct FiloBinding {
    FiloKey key; // FILO_KEY_NONE: an axis
    FiloPadAxis axis;
    bool is_axis;
    float scale;
} FiloBinding;
#define FILO_BIND(key_)                                                                                      \
    { .key = (key_) }
#define FILO_BIND_NEGATIVE(key_)                                                                             \
    { .key = (key_), .scale = -1 }
#define FILO_BIND_AXIS(axis_)                                                                                \
    { .axis = (axis_), .is_axis = true }
typedef struct FiloActionDesc {
    const char *name;
    const char *help;                           // for menus
    FiloBinding bindings[FILO_ACTION_BINDINGS]; // empty ones are passed over
    float threshold;                            // an action is down from this value on; 0: 0.5
} FiloActionDesc;

typedef struct FiloActions FiloActions;
FiloResult filo_actions_create(FiloActions **actions, const FiloAllocator *allocator);
void filo_actions_destroy(FiloActions *actions);
// Adds one; its texts are copied. A name that is there already: FILO_ERROR_EXISTS; more than FILO_INPUT_ACTIONS:
// FILO_ERROR_LIMIT.
FiloResult filo_actions_add(FiloActions *actions, const FiloActionDesc *desc);
size_t filo_actions_count(const FiloActions *actions);
const FiloActionDesc *filo_actions_at(const FiloActions *actions, size_t index); // NULL past the end
// What the player chose. Replaces a binding of an action (slot from 0); {0} takes it away, the others stay.
// A slot past the last, or a binding that means nothing, is a caller's mistake, FILO_ERROR_ARGUMENT; no such action,
// FILO_ERROR_NOT_FOUND.
FiloResult filo_actions_bind(FiloActions *actions, const char *action, size_t slot, FiloBinding binding);
void filo_actions_reset(FiloActions *actions); // to what the game gave
// Bindings as a JSON file, keys by name. Loading changes only actions that are in the file and known;
// what cannot be understood is passed over and logged, and an action none of whose bindings can be stays as it is;
// a broken file is an error, and nothing changes.
FiloResult filo_actions_save(const FiloActions *actions, const char *path);
FiloResult filo_actions_load(FiloActions *actions, const char *path);
// Fills input->actions from keys, buttons and axes: the value is the sum of all bindings, −1 to 1. A key that was
// only tapped between two ticks makes its action pressed and released. `previous` tells what was down; may be
// NULL.
void filo_actions_evaluate(const FiloActions *actions, FiloInput *input, const FiloInput *previous);

// ---- Collecting -----------------------------------------------------------------------------------------

// What happens between two ticks is collected here, from the window's events or by hand (tests, bots,
// touch screens), and handed to a tick as one FiloInput.
typedef enum FiloInputChangeKind {
    FILO_INPUT_KEY,      // key, down; of the mouse: position
    FILO_INPUT_MOUSE,    // position, move
    FILO_INPUT_WHEEL,    // move, position
    FILO_INPUT_TYPED,    // text
    FILO_INPUT_PAD,      // pad, down: connected or not. Leaving, it releases all of its own
    FILO_INPUT_PAD_KEY,  // pad, key, down
    FILO_INPUT_PAD_AXIS, // pad, axis, value: as the device says, with small values
    FILO_INPUT_FOCUS,    // down: has it. Losing it releases everything
    FILO_INPUT_VIEW,     // position: the size of the picture
    FILO_INPUT_CAPTURE,  // down: captured
    FILO_INPUT_QUIT,
} FiloInputChangeKind;
typedef struct FiloInputChange {
    FiloInputChangeKind kind;
    int32_t key; // FiloKey
    bool down;
    int32_t pad;
    int32_t axis; // FiloPadAxis
    float value;
    FiloVec2 position, move;
    char text[FILO_INPUT_TEXT];
} FiloInputChange;
FILO_REFLECT_DECLARE(FiloInputChange);

// All zero is an empty one. One thread at a time.
typedef struct FiloInputCollector {
    FiloInput now;  // as of the last change
    FiloInput last; // as handed out
    // Asked about each good change before it counts; false: it does not. NULL: all do.
    bool (*filter)(const FiloInputChange *change, void *user);
    void *user;
} FiloInputCollector;
// False for a change that the filter leaves out; and for one in which a number means nothing (a key, a gamepad, an
// axis), also where its kind does not use it: that is a mistake. Then nothing has changed.
bool filo_input_collect(FiloInputCollector *collector, const FiloInputChange *change);
// What the next tick sees: edges since the last call. `actions` may be NULL.
void filo_input_take(FiloInputCollector *collector, const FiloActions *actions, FiloInput *input);

// The input of several ticks as one, for what looks less often than ticks run: a frame may have several ticks or none,
// and is still to see each press exactly once. All zero is an empty one. One thread at a time.
//
//     filo_input_summary_add(&summary, &input);                       // after each take
//     …
//     const FiloInput *seen = filo_input_summary_look(&summary);      // once a frame
typedef struct FiloInputSummary {
    FiloInput input; // as of the last tick; with what happened in all ticks since the last look
    bool seen;       // nothing was added since the last look
} FiloInputSummary;
// Adds the input of a tick: what is so (what is down, the mouse) replaces what was, and what happened (edges, movement,
// text) is added to what happened since the last look.
void filo_input_summary_add(FiloInputSummary *summary, const FiloInput *input);
// What has happened since the last look, and how things are now. Without a tick since then, nothing has happened. Valid as
// long as the summary, which it is a part of.
const FiloInput *filo_input_summary_look(FiloInputSummary *summary);

// The event of a change, emitted at the start of the tick that sees it, with the FiloInputChange.
#define FILO_EVENT_INPUT "input"

// ---- Recording and replaying ------------------------------------------------------------------------------

// A file with the input of every tick, and what else decides the course of a game: the seed, the length of a
// tick, the name of the game and its flags. A tick without any change takes one byte. Files are checked when
// they are read: a broken one is an error that says where, never a crash.
#define FILO_INPUT_FLAGS 1024
typedef struct FiloInputLogHead {
    char game[64];
    uint64_t seed;
    double tick_seconds;
    char flags[FILO_INPUT_FLAGS]; // of the game's own, as given: "--enemies=1000\n" for each; empty: none
} FiloInputLogHead;

typedef struct FiloInputRecorder FiloInputRecorder;
FiloResult filo_input_recorder_create(FiloInputRecorder **recorder, const char *path,
                                      const FiloInputLogHead *head);
// One tick: its length in seconds and its input. Also changes of this tick for their events. Written as it
// goes, so that a game that crashed can be replayed up to there.
FiloResult filo_input_recorder_add(FiloInputRecorder *recorder, float delta, const FiloInput *input,
                                   const FiloInputChange *changes, size_t change_count);
// What else came into a tick from outside, such as what the player chose in a menu: an event, and a text that says what it
// carries ("": nothing). Belongs to the next tick that is added; several keep their order. FILO_ERROR_LIMIT for a
// text that is longer than FILO_INPUT_MESSAGE bytes, or an event with a name of more than 255.
#define FILO_INPUT_MESSAGE 16384
typedef struct FiloInputMessage {
    FiloName event;
    FiloString text;
} FiloInputMessage;
FiloResult filo_input_recorder_message(FiloInputRecorder *recorder, const FiloInputMessage *message);
// Writes the end, with the hash of the world (0: not known).
FiloResult filo_input_recorder_finish(FiloInputRecorder *recorder, uint64_t hash);
void filo_input_recorder_destroy(FiloInputRecorder *recorder);

typedef struct FiloInputReplay FiloInputReplay;
FiloResult filo_input_replay_open(FiloInputReplay **replay, const char *path);
// The same from bytes, which must stay until the replay is closed; `name` is for messages.
FiloResult filo_input_replay_from_memory(FiloInputReplay **replay, const void *bytes, size_t size,
                                         const char *name);
const FiloInputLogHead *filo_input_replay_head(const FiloInputReplay *replay);
// The next tick. FILO_ERROR_NOT_FOUND after the last; FILO_ERROR_DATA where the file is broken. `changes`
// points into the replay until the next call.
FiloResult filo_input_replay_next(FiloInputReplay *replay, float *delta, FiloInput *input,
                                  const FiloInputChange **changes, size_t *change_count);
// The messages of the tick that was read last, in their order, until the next call of filo_input_replay_next; the texts are
// as they are in the file, and were not looked at.
const FiloInputMessage *filo_input_replay_messages(const FiloInputReplay *replay, size_t *count);
uint64_t filo_input_replay_ticks(const FiloInputReplay *replay); // read so far
// The hash at the end, known after the last tick; 0: not known.
uint64_t filo_input_replay_hash(const FiloInputReplay *replay);
void filo_input_replay_close(FiloInputReplay *replay);

FILO_END_DECLS

#endif
