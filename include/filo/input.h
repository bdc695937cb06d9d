// filo/input.h: input of the player: keys, mouse, gamepads, text, and actions that are bound to them.
//
//     static void steer(FiloIter *it) {
//         const FiloInput *input = filo_read_global(it, FiloInput);
//         float turn = filo_input_axis(input, FILO_KEY_A, FILO_KEY_D);           // −1, 0 or 1
//         if (filo_input_pressed(input, FILO_KEY_SPACE)) …                       // in this tick, once
//         if (filo_action_pressed(input, filo_name("fire"))) …                   // key, button or trigger
//     }
//
// The state of the input is one struct. In a game it is a global component of the world (filo/app.h adds it), and does
// not change during a tick. Exactly one tick sees that a key was pressed or released, even if a frame has several
// ticks, or none. A key that went down and up between two ticks is both pressed and released in the next one. Input
// enters the world only through this struct and its events, so a recording of it (below) is enough to repeat a game.
//
// Each change is also an event (FILO_EVENT_INPUT, below). Events have the order of the changes.

#ifndef FILO_INPUT_H
#define FILO_INPUT_H

#include <filo/events.h>
#include <filo/reflect.h>
#include <filo/strings.h>
#include <filo/vector.h>

FILO_BEGIN_DECLS

// ---- Keys and buttons -----------------------------------------------------------------------------------

// Keys by their position on the keyboard (scancodes), named after a US keyboard. Values are USB usages. Mouse and
// gamepad buttons follow, so that an action is bound to any of them by one number.
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
    // Buttons of any gamepad. Of one gamepad: filo_gamepad_pressed.
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

// "Space", "Left Mouse", "Pad A"; for menus and files. "None" for other numbers.
const char *filo_key_name(FiloKey key);
// The key of this name, ignoring case; FILO_KEY_NONE if there is none.
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

// "Left X", "Right Trigger"; "None" for other numbers.
const char *filo_pad_axis_name(FiloPadAxis axis);
// The axis of this name, ignoring case; FILO_AXIS_COUNT if there is none.
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
    float axes[FILO_AXIS_COUNT];      // with a dead zone of 0.15; the rest is stretched to the whole range
} FiloGamepad;
FILO_REFLECT_DECLARE(FiloGamepad);

typedef struct FiloActionState {
    FiloName name;
    float value; // −1 to 1
    bool down, pressed, released;
} FiloActionState;
FILO_REFLECT_DECLARE(FiloActionState);

typedef struct FiloInput {
    FiloKeySet down, pressed, released;
    FiloVec2 mouse;      // in pixels of the picture, from its upper left corner, y down
    FiloVec2 mouse_move; // since the last tick; also while the mouse is captured
    FiloVec2 wheel;      // notches; up and right are positive
    FiloVec2 view;       // size of the picture in pixels
    bool mouse_captured, focused;
    bool quit; // the player wants to close the window; true in one tick, as `pressed` is
    FiloGamepad pads[FILO_INPUT_PADS];
    char text
        [FILO_INPUT_TEXT]; // UTF-8, typed since the last tick; cut after a whole character if it is too long
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
// The sum of WASD, the arrow keys, and the directional pad and left stick of any gamepad. Length at most 1; y is up.
FiloVec2 filo_input_move(const FiloInput *input);

// Of one gamepad, 0 to FILO_INPUT_PADS − 1. The number of a gamepad does not change when others are connected or
// disconnected.
bool filo_gamepad_down(const FiloInput *input, int pad, FiloKey button);
bool filo_gamepad_pressed(const FiloInput *input, int pad, FiloKey button);
float filo_gamepad_axis(const FiloInput *input, int pad, FiloPadAxis axis);

// ---- Actions --------------------------------------------------------------------------------------------
//
// A game queries actions such as "fire" and "move x" instead of keys, so that the player can choose the keys. Actions
// are evaluated once per tick into FiloInput.actions.

// All zero if there is no such action. A debug build then logs a warning, once per name, with the most similar name.
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

// A key or button, or an axis of any gamepad. Its value is multiplied by `scale`: −1000 to 1000; 0 means 1; −1 is the
// negative direction.
typedef struct FiloBinding {
    FiloKey key; // FILO_KEY_NONE: an axis, or empty
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
    FiloBinding bindings[FILO_ACTION_BINDINGS]; // empty ones are ignored
    float threshold;                            // the action is down from this value on; 0: 0.5
} FiloActionDesc;

typedef struct FiloActions FiloActions;
FiloResult filo_actions_create(FiloActions **actions, const FiloAllocator *allocator);
void filo_actions_destroy(FiloActions *actions);
// Adds an action. Its texts are copied. FILO_ERROR_EXISTS if there is one of that name; FILO_ERROR_LIMIT for more than
// FILO_INPUT_ACTIONS.
FiloResult filo_actions_add(FiloActions *actions, const FiloActionDesc *desc);
size_t filo_actions_count(const FiloActions *actions);
const FiloActionDesc *filo_actions_at(const FiloActions *actions, size_t index); // NULL past the end
// Replaces one binding of an action by another, for example the player's choice. {0} removes it. `slot` is 0 to
// FILO_ACTION_BINDINGS − 1; the other slots stay. FILO_ERROR_NOT_FOUND if there is no such action. An invalid slot or
// binding is a caller's mistake, FILO_ERROR_ARGUMENT.
FiloResult filo_actions_bind(FiloActions *actions, const char *action, size_t slot, FiloBinding binding);
void filo_actions_reset(FiloActions *actions); // to the bindings of filo_actions_add
// Saves or loads bindings as a JSON file, with keys by name. Loading changes only actions that are in both the file and
// `actions`. What cannot be understood is skipped and logged; an action none of whose bindings is understood stays as
// it is. A broken file is an error, and changes nothing.
FiloResult filo_actions_save(const FiloActions *actions, const char *path);
FiloResult filo_actions_load(FiloActions *actions, const char *path);
// Fills input->actions from keys, buttons and axes. The value is the sum of all bindings, clamped to −1 to 1. A key
// that was tapped between two ticks makes its action pressed and released. `previous` is the input of the last tick,
// for edges; NULL: nothing was down.
void filo_actions_evaluate(const FiloActions *actions, FiloInput *input, const FiloInput *previous);

// ---- Collecting -----------------------------------------------------------------------------------------

// A collector receives the changes between two ticks, from a window or from the program (tests, bots, touch screens),
// and returns them to a tick as one FiloInput.
typedef enum FiloInputChangeKind {
    FILO_INPUT_KEY,      // key, down; for mouse buttons also position
    FILO_INPUT_MOUSE,    // position, move
    FILO_INPUT_WHEEL,    // move, position
    FILO_INPUT_TYPED,    // text
    FILO_INPUT_PAD,      // pad, down: connected. Disconnecting releases its buttons and axes
    FILO_INPUT_PAD_KEY,  // pad, key, down
    FILO_INPUT_PAD_AXIS, // pad, axis, value: of the device, without a dead zone
    FILO_INPUT_FOCUS,    // down: the window has it. Losing it releases everything
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

// All zero is an empty collector. One thread at a time.
typedef struct FiloInputCollector {
    FiloInput now;  // as of the last change
    FiloInput last; // result of the last filo_input_take
    // Called for each valid change before it is applied. False: the change is left out. NULL: none is.
    bool (*filter)(const FiloInputChange *change, void *user);
    void *user;
} FiloInputCollector;
// Applies a change. False, and nothing changes, if the filter leaves it out, or if one of its numbers (key, gamepad,
// axis) is out of range, also one that its kind does not use. The latter is a caller's mistake.
bool filo_input_collect(FiloInputCollector *collector, const FiloInputChange *change);
// The input of the next tick: the state, and the edges, movement and text since the last call. `actions` may be NULL.
void filo_input_take(FiloInputCollector *collector, const FiloActions *actions, FiloInput *input);

// The input of several ticks as one FiloInput, for code that reads input once per frame. A frame may have several ticks
// or none, and still sees each press exactly once. All zero is an empty summary. One thread at a time.
//
//     filo_input_summary_add(&summary, &input);                       // after each take
//     …
//     const FiloInput *seen = filo_input_summary_look(&summary);      // once per frame
typedef struct FiloInputSummary {
    FiloInput input; // state of the last tick; edges, movement and text of all ticks since the last look
    bool seen;       // no tick was added since the last look
} FiloInputSummary;
// Adds the input of a tick. Its state (keys that are down, the position of the mouse) replaces the old one. Its edges,
// movement and text are added to those since the last look.
void filo_input_summary_add(FiloInputSummary *summary, const FiloInput *input);
// The current state, with the edges, movement and text since the last look. Without a tick since then there are none of
// these. The pointer is valid as long as the summary.
const FiloInput *filo_input_summary_look(FiloInputSummary *summary);

// The event of a change, emitted at the start of the tick that sees it. Its payload is the FiloInputChange.
#define FILO_EVENT_INPUT "input"

// ---- Recording and replaying ----------------------------------------------------------------------------

// A recording is a file with the input of every tick, and everything else that decides the course of a game: the seed,
// the length of a tick, the name of the game and its flags. A tick without any change takes one byte. A file is checked
// when it is read: a broken one is an error that names the tick, never a crash.
#define FILO_INPUT_FLAGS 1024
typedef struct FiloInputLogHead {
    char game[64];
    uint64_t seed;
    double tick_seconds;
    char flags[FILO_INPUT_FLAGS]; // of the game, one per line: "--enemies=1000\n"; may be empty
} FiloInputLogHead;

typedef struct FiloInputRecorder FiloInputRecorder;
FiloResult filo_input_recorder_create(FiloInputRecorder **recorder, const char *path,
                                      const FiloInputLogHead *head);
// Writes one tick: its length in seconds, its input, and its changes, which a replay emits as events. The file is
// written immediately, so that a game that crashed can be replayed up to there.
FiloResult filo_input_recorder_add(FiloInputRecorder *recorder, float delta, const FiloInput *input,
                                   const FiloInputChange *changes, size_t change_count);
// Writes a message, such as the player's choice in a menu: an event, and its payload as text ("": none). It belongs to
// the next tick that is added; several have the order of the calls. FILO_ERROR_LIMIT for a text of more than
// FILO_INPUT_MESSAGE bytes, or an event with a name of more than 255.
#define FILO_INPUT_MESSAGE 16384
typedef struct FiloInputMessage {
    FiloName event;
    FiloString text;
} FiloInputMessage;
FiloResult filo_input_recorder_message(FiloInputRecorder *recorder, const FiloInputMessage *message);
// Writes the end, with the hash of the world (0: unknown).
FiloResult filo_input_recorder_finish(FiloInputRecorder *recorder, uint64_t hash);
void filo_input_recorder_destroy(FiloInputRecorder *recorder);

typedef struct FiloInputReplay FiloInputReplay;
FiloResult filo_input_replay_open(FiloInputReplay **replay, const char *path);
// Opens a recording in memory. The bytes must stay valid until the replay is closed. `name` is for messages.
FiloResult filo_input_replay_from_memory(FiloInputReplay **replay, const void *bytes, size_t size,
                                         const char *name);
const FiloInputLogHead *filo_input_replay_head(const FiloInputReplay *replay);
// Reads the next tick. FILO_ERROR_NOT_FOUND after the last; FILO_ERROR_DATA if the file is broken there. `changes` and
// `change_count` may be NULL; `changes` is valid until the next call.
FiloResult filo_input_replay_next(FiloInputReplay *replay, float *delta, FiloInput *input,
                                  const FiloInputChange **changes, size_t *change_count);
// The messages of the tick that was read last, in order. Valid until the next call of filo_input_replay_next. The texts
// are those of the file, and have not been checked. A message is left out if the program has no name (filo_name) as its event has.
const FiloInputMessage *filo_input_replay_messages(const FiloInputReplay *replay, size_t *count);
uint64_t filo_input_replay_ticks(const FiloInputReplay *replay); // read so far
// The hash at the end of the recording; 0 before the end was read, or if it has none.
uint64_t filo_input_replay_hash(const FiloInputReplay *replay);
void filo_input_replay_close(FiloInputReplay *replay);

FILO_END_DECLS

#endif
