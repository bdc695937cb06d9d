// filo/command.h: a change of a world as data: for editors, consoles and recordings.
//
//     FiloResult r = filo_world_command(world, &(FiloCommand){
//         .kind = FILO_COMMAND_SET, .entity = ship, .component = filo_name("Position"), .path = filo_name("x"),
//         .value = "12.5" }, NULL);
//     if (r.code != FILO_OK) show(r.message);           // "Position.x: "12,5" is not a number"
//
// A command names everything by its text, as a user or a file does, and finds it by its description (filo/reflect.h).
// So it may be wrong in every respect: a failure has a message, and changes nothing. It is a described struct itself,
// and can be written to a file and read again. In a game, filo_app_command (filo/app.h) also records it.

#ifndef FILO_COMMAND_H
#define FILO_COMMAND_H

#include <filo/world.h>

FILO_BEGIN_DECLS

typedef enum FiloCommandKind {
    // Sets the value at `path` in the component. `value` is a text for filo_reflect_parse: a number, a name of an enum,
    // a text, JSON for a struct. The entity has the component; without an entity, it is global. The path "current" of a
    // set of states (filo/state.h) requests a state.
    FILO_COMMAND_SET,
    FILO_COMMAND_ADD,    // adds the component with its default value, and what it requires
    FILO_COMMAND_REMOVE, // the component
    // Makes a new entity: with the component, if one is named; `other` is its parent, or {0}; `value` its name, or "".
    FILO_COMMAND_CREATE,
    FILO_COMMAND_COPY,    // of the entity and its descendants, at most FILO_COMMAND_COPIES together
    FILO_COMMAND_DESTROY, // the entity and its descendants
    FILO_COMMAND_NAME,    // `value`; "": none
    FILO_COMMAND_PARENT,  // `other`; {0}: none
    FILO_COMMAND_ACTIVE,  // `value` is "true" or "false"
    FILO_COMMAND_SYSTEM,  // the system with the name `path` is on: "true", or off: "false"
    FILO_COMMAND_GROUP,   // the same for a group of systems
} FiloCommandKind;
FILO_REFLECT_DECLARE(FiloCommandKind);

#define FILO_COMMAND_TEXT   1024 // bytes of a value, with its end
#define FILO_COMMAND_COPIES 4096

typedef struct FiloCommand {
    FiloCommandKind kind;
    FiloName component;
    FiloName path; // "position.x", "loot[2]"; {0}: the whole component. Or the name of a system or group
    FiloEntity entity, other;
    char value[FILO_COMMAND_TEXT];
} FiloCommand;
FILO_REFLECT_DECLARE(FiloCommand);

// Changes the world, between ticks, through a change set (filo/changes.h). `made` receives the entity of
// FILO_COMMAND_CREATE and FILO_COMMAND_COPY, and {0} otherwise; it may be NULL. FILO_ERROR_NOT_FOUND if something does
// not exist, FILO_ERROR_DATA for a value that does not fit, FILO_ERROR_EXISTS for a name that another entity has,
// FILO_ERROR_LIMIT for a copy of too many entities. Names in a command that is refused are not kept.
//
// Whether a system is on is not a part of the state: snapshots and saved worlds do not have it.
FiloResult filo_world_command(FiloWorld *world, const FiloCommand *command, FiloEntity *made);

FILO_END_DECLS

#endif
