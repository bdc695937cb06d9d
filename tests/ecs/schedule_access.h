// What tests need from the schedule that is not public.

#ifndef FILO_TEST_ECS_SCHEDULE_ACCESS_H
#define FILO_TEST_ECS_SCHEDULE_ACCESS_H

#include "ecs/query/iter.h"
#include "ecs/schedule/schedule.h"

// Whether the systems of a stage run on several threads, and rows are divided, however small the work is.
static inline void divide_eagerly(FiloWorld *world, bool on) { world->schedule->eager = on; }

// The name of the system, handler or observer that is called with `it`.
static inline const char *system_name(const FiloIter *it) { return ecs_iter(it)->system->name; }

#endif
