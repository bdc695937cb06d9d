// filo/ecs.h: the whole entity-component system. Each header can also be included alone. Read them in this order:
//
//   filo/world.h    entities and their components, families, names, prefabs
//   filo/query.h    finding entities and iterating over them
//   filo/changes.h  changing the structure from inside systems
//   filo/system.h   systems and the schedule
//   filo/state.h    game states
//   filo/observer.h functions that are called when components are added, set or removed
//   filo/lookup.h   one component of the entities of a list
//   filo/accessor.h one component of one entity, read again and again
//   filo/holder.h   custom storage of components
//   filo/snapshot.h snapshots, history and saved files of the whole state
//   filo/command.h  changes as data, for editors and consoles

#ifndef FILO_ECS_H
#define FILO_ECS_H

#include <filo/accessor.h>
#include <filo/changes.h>
#include <filo/command.h>
#include <filo/holder.h>
#include <filo/lookup.h>
#include <filo/observer.h>
#include <filo/query.h>
#include <filo/snapshot.h>
#include <filo/state.h>
#include <filo/system.h>
#include <filo/world.h>

#endif
