// filo/base.h: the whole base layer. Each part has a header of its own, which is its manual.

#ifndef FILO_BASE_H
#define FILO_BASE_H

#include <filo/args.h>
#include <filo/check.h>
#include <filo/color.h>
#include <filo/containers.h>
#include <filo/curves.h>
#include <filo/files.h>
#include <filo/hash.h>
#include <filo/json.h>
#include <filo/log.h>
#include <filo/maths.h>
#include <filo/matrix.h>
#include <filo/memory.h>
#include <filo/pixels.h>
#include <filo/profile.h>
#include <filo/random.h>
#include <filo/reflect.h>
#include <filo/scalar.h>
#include <filo/strings.h>
#include <filo/threads.h>
#include <filo/time.h>
#include <filo/timer.h>
#include <filo/types.h>
#include <filo/vector.h>

#endif
