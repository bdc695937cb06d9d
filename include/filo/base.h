// filo/base.h: the whole base layer. Each part has a header of its own, which is its manual.

#ifndef FILO_BASE_H
#define FILO_BASE_H

#include <filo/check.h>
#include <filo/log.h>
#include <filo/memory.h>
#include <filo/threads.h>
#include <filo/time.h>
#include <filo/types.h>

#endif
