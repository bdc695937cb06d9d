// filo/state.h: game states: title, playing, paused, game over.
//
//     typedef enum Screen { SCREEN_TITLE, SCREEN_PLAYING, SCREEN_PAUSED, SCREEN_OVER } Screen;
//     FILO_REFLECT_ENUM(Screen, FILO_VALUE(SCREEN_TITLE, "title"), FILO_VALUE(SCREEN_PLAYING, "playing"),
//                       FILO_VALUE(SCREEN_PAUSED, "paused"), FILO_VALUE(SCREEN_OVER, "over"))
//
//     filo_states(world, Screen);                                  // once, like a component; begins with title
//
//     filo_system_add(world, &(FiloSystemDesc){                    // does not run in other states
//         .name = "move", .run = move, .in_state = { FILO_STATE(Screen, SCREEN_PLAYING) }, … });
//     filo_system_add(world, &(FiloSystemDesc){                    // once, and not again after a pause
//         .name = "build", .run = build,
//         .on_enter = { FILO_STATE(Screen, SCREEN_PLAYING), FILO_STATE(Screen, SCREEN_PAUSED) } });
//
//     static void read_keys(FiloIter *it) {
//         if (start_is_pressed) filo_set_state(it->changes, Screen, SCREEN_PLAYING);   // from the next tick on
//     }
//     static void build(FiloIter *it) {
//         FiloEntity wall = filo_changes_create_entity(it->changes);
//         filo_bind_state(it->changes, wall, Screen, SCREEN_PLAYING, SCREEN_PAUSED);   // is destroyed with the level
//     }
//
// A described enum is a set of states. Exactly one state of a set is current. A world may have several independent
// sets: the screen, the weather, the turn.
//
// The current state changes only at the beginning of a tick, after events from between ticks were delivered, before its
// systems run. A change is requested at any time before that. Of several requests for one set the last one counts, in the order in which change sets are
// applied. Then, for each set with a request, in the order in which the sets were registered:
//
//   1. systems with `on_leave` run, while the old state is still the current one,
//   2. entities that are bound to the old state (FiloStateBound) are destroyed,
//   3. the new state is the current one,
//   4. systems with `on_enter` run.
//
// These systems, the state hooks, run one after the other, in the order of phases, `before`, `after` and
// registration. What each of them recorded is applied before the next one runs. What they request counts for the next
// tick. A set changes its state at most once a tick. Its initial state is entered at the beginning of the first tick.
//
// States are a part of the world: they are hashed, saved, rewound and replayed with it, and so are pending requests.
// Each set is a global component with the name of the enum: tools show it, and filo_world_difference names it.
//
// filo_app_pause is something else. It stops all ticks, for tools and for a window in the background: no system runs,
// and requests stay pending. A state "paused" is a part of the game: ticks go on, and with them menus and music,
// while the systems of other states do not run.
//
// The macros here are for C; C++ code calls the functions below them.

#ifndef FILO_STATE_H
#define FILO_STATE_H

#include <filo/changes.h>
#include <filo/world.h>

FILO_BEGIN_DECLS

// ---- Sets of states -----------------------------------------------------------------------------------

typedef struct FiloStatesDesc {
    const FiloType *type; // a described enum; must outlive the world
    int64_t initial;      // the first state. 0 is the first described value, if the enum has no value 0
    int end_;             // closes the list of the macro below
} FiloStatesDesc;

// Registers an enum as a set of states. Between ticks, before the systems that name it. In the same order in all
// worlds that are to behave the same, because it takes a component id. Registering the same enum again is allowed,
// also at another address, as when a module was loaded again. False without memory or after a mistake.
bool filo_states_register(FiloWorld *world, const FiloStatesDesc *desc);
// The same by type: filo_states(world, Screen), filo_states(world, Screen, .initial = SCREEN_PLAYING).
#define filo_states(world, ...) filo_states_register((world), &FILO_STATES_DESC_(__VA_ARGS__, .end_ = 0))

// ---- Reading ------------------------------------------------------------------------------------------

// All of these: any thread. Systems need not declare anything, because states do not change while systems run. 0
// after a mistake: the enum is not registered in this world.

// The current state: filo_state(world, Screen) == SCREEN_PLAYING.
#define filo_state(world, Type) ((Type)filo_world_state_type((world), FILO_TYPE(Type)))
// The state before the current one. Before the first change, the current one.
#define filo_previous_state(world, Type) ((Type)filo_world_previous_state_type((world), FILO_TYPE(Type)))
// The state that is requested; the current one if none is. In systems with `on_leave`, the state that follows.
#define filo_next_state(world, Type) ((Type)filo_world_next_state_type((world), FILO_TYPE(Type)))
// Ticks since the current state was entered: 0 in the tick that enters it.
#define filo_state_ticks(world, Type) filo_world_state_ticks_type((world), FILO_TYPE(Type))

// ---- Changing -----------------------------------------------------------------------------------------

// `object` is a FiloWorld *, between ticks, or a FiloChanges *, as in systems and handlers. False without memory or
// after a mistake. Replays repeat what systems request. What is requested elsewhere must follow from an input that is
// recorded.

// Requests a state, and replaces earlier requests. If it is already the current state when the request is carried out,
// nothing happens.
#define filo_set_state(object, Type, state)                                                                  \
    _Generic((object), FiloWorld *                                                                           \
             : filo_world_set_state_type, FiloChanges *                                                      \
             : filo_changes_set_state_type)((object), FILO_TYPE(Type), (int64_t)(state))
// The same with a restart: everything of the current state is left, even what belongs to the new state too, and
// everything of the new state is entered, even if it is the current one. To play a level again, paused or not:
// filo_restart_state(it->changes, Screen, SCREEN_PLAYING).
#define filo_restart_state(object, Type, state)                                                              \
    _Generic((object), FiloWorld *                                                                           \
             : filo_world_restart_state_type, FiloChanges *                                                  \
             : filo_changes_restart_state_type)((object), FILO_TYPE(Type), (int64_t)(state))

// ---- Systems ------------------------------------------------------------------------------------------

// A state, for `in_state`, `on_enter` and `on_leave` of a system (filo/system.h). Each of these is a list. It holds
// while the current state is in the list; if the list has states of several sets, while that is so for each of them:
//
//     .in_state = { FILO_STATE(Screen, SCREEN_PLAYING), FILO_STATE(Screen, SCREEN_OVER), FILO_STATE(Weather, WEATHER_RAIN) }
//
// holds in rain, while playing or when the game is over. A system with `in_state` runs while its list holds, one with
// `on_enter` when its list begins to hold, one with `on_leave` when its list ceases to hold.
typedef struct FiloStateTerm {
    FiloTypeFunction type_function; // the enum; NULL where `type` is given
    const FiloType *type;           // for enums made at run time
    int64_t value;
} FiloStateTerm;
#define FILO_STATE(Type, state)                                                                              \
    { .type_function = filo_type_##Type, .value = (int64_t)(state) }

// ---- Entities -----------------------------------------------------------------------------------------

#define FILO_BOUND_STATES 16

// A component of entities that are destroyed, with their children, when a state is left. With several states, when a
// state follows that is none of these. A prefab that has the component is not destroyed; its instances are. An entity
// may be bound to a state that is not current yet. Without memory to destroy them, entities stay, which is reported.
// filo_states registers the component.
typedef struct FiloStateBound {
    FiloName states;                   // the name of the enum
    FiloName state[FILO_BOUND_STATES]; // the described names of its values
} FiloStateBound;
FILO_REFLECT_DECLARE(FiloStateBound);

// For filo_create: filo_create(world, FILO_SET(Position, 1, 2), FILO_BOUND(Screen, SCREEN_PLAYING)).
#define FILO_BOUND(Type, ...)                                                                                \
    {                                                                                                        \
        filo_type_FiloStateBound, { 0 }, (const FiloStateBound[]) { FILO_BOUND_(Type, __VA_ARGS__) }         \
    }
// Binds an entity that exists, or a temporary one: filo_bind_state(it->changes, wall, Screen, SCREEN_PLAYING).
// `object` as above.
#define filo_bind_state(object, entity, Type, ...)                                                           \
    _Generic((object), FiloWorld *                                                                           \
             : filo_entity_bind_state, FiloChanges *                                                         \
             : filo_changes_bind_state)((object), (entity), FILO_BOUND_(Type, __VA_ARGS__))

// ---- Behind the macros --------------------------------------------------------------------------------

#define FILO_STATES_DESC_(Type, ...)                                                                         \
    (FiloStatesDesc) { .type = FILO_TYPE(Type), __VA_ARGS__ }
#define FILO_BOUND_(Type, ...)                                                                               \
    filo_state_bound(FILO_TYPE(Type), (const int64_t[]){ __VA_ARGS__ },                                      \
                     sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t))

int64_t filo_world_state_type(const FiloWorld *world, const FiloType *type);
int64_t filo_world_previous_state_type(const FiloWorld *world, const FiloType *type);
int64_t filo_world_next_state_type(const FiloWorld *world, const FiloType *type);
uint64_t filo_world_state_ticks_type(const FiloWorld *world, const FiloType *type);
bool filo_world_set_state_type(FiloWorld *world, const FiloType *type, int64_t state);
bool filo_changes_set_state_type(FiloChanges *changes, const FiloType *type, int64_t state);
bool filo_world_restart_state_type(FiloWorld *world, const FiloType *type, int64_t state);
bool filo_changes_restart_state_type(FiloChanges *changes, const FiloType *type, int64_t state);
// Up to FILO_BOUND_STATES values of a described enum. All zeroes after a mistake: bound to nothing.
FiloStateBound filo_state_bound(const FiloType *type, const int64_t *states, size_t count);
bool filo_entity_bind_state(FiloWorld *world, FiloEntity entity, FiloStateBound bound);
bool filo_changes_bind_state(FiloChanges *changes, FiloEntity entity, FiloStateBound bound);

FILO_END_DECLS

#endif
