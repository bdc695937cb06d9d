// filo/time.h: clocks, sleeping, and a stopwatch with percentiles.

#ifndef FILO_TIME_H
#define FILO_TIME_H

#include <filo/memory.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

// ---- Clocks -------------------------------------------------------------------------------------------

// Nanoseconds since some moment in the past; never goes back. For measuring. Any thread.
int64_t filo_time_ns(void);
// Nanoseconds since 1970 in UTC; goes back when somebody sets the clock. For showing and for file dates.
int64_t filo_calendar_ns(void);

FILO_END_DECLS

#endif
