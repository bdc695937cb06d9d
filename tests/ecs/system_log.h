// Systems that log their names, to show what ran in which order.

#ifndef FILO_TEST_ECS_SYSTEM_LOG_H
#define FILO_TEST_ECS_SYSTEM_LOG_H

#include "ecs/schedule_access.h"
#include "ecs/system_fixture.h"

// The function of a system: appends the name of the system to the log in it->user.
static inline void log_name(FiloIter *it) { log_add(it->user, "%s ", system_name(it)); }

// Adds a system that logs its name. After the name, further fields of the description: .after = { "a" }.
#define add_logging(fixture, log, ...)                                                                       \
    filo_system_add((fixture)->world,                                                                        \
                    &(FiloSystemDesc){ .run = log_name, .user = (log), .name = __VA_ARGS__ })

#endif
