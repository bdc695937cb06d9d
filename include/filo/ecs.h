// filo/ecs.h: the entity-component system, all of it. Each header can also be included alone; read them in
// this order:
//
//   filo/world.h    entities and their components, families, names, prefabs
//   filo/query.h    finding entities and going over them
//   filo/changes.h  changing the structure from inside systems
//   filo/system.h   systems and the schedule
//   filo/state.h    game states
//   filo/observer.h hearing of components that come and go
//   filo/lookup.h   one component of the entities of a list
//   filo/accessor.h one component of one entity, again and again
//   filo/holder.h   storage of your own
//   filo/snapshot.h keeping, restoring, saving and rewinding the whole state

#ifndef FILO_ECS_H
#define FILO_ECS_H

#include <filo/accessor.h>
#include <filo/changes.h>
#include <filo/holder.h>
#include <filo/lookup.h>
#include <filo/observer.h>
#include <filo/query.h>
#include <filo/snapshot.h>
#include <filo/state.h>
#include <filo/system.h>
#include <filo/world.h>

#endif
