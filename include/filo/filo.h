// filo/filo.h: all of Filo.

#ifndef FILO_FILO_H
#define FILO_FILO_H

#include <filo/async.h>
#include <filo/base.h>
#include <filo/ecs.h>
#include <filo/events.h>
#include <filo/jobs.h>
#include <filo/lockfree.h>
#include <filo/modules.h>
#include <filo/scene.h>

#endif
