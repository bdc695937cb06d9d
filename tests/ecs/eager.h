// A switch that only tests need.

#ifndef FILO_TEST_ECS_EAGER_H
#define FILO_TEST_ECS_EAGER_H

#include "ecs/schedule/schedule.h"

// Whether the systems of a stage run on several threads, and rows are divided, however small the work is.
static inline void divide_eagerly(FiloWorld *world, bool on) { world->schedule->eager = on; }

#endif
