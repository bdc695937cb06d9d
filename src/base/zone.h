// The zone of the profiler that a thread is in, after which what it starts is named.

#ifndef FILO_BASE_ZONE_H
#define FILO_BASE_ZONE_H

// The name of the innermost zone that is open on the calling thread; NULL: none, or nothing is profiled.
const char *base_zone_name(void);

#endif
