// What the files of benchmarks of signal functions and objects share.

#ifndef FILO_BENCH_FRP_H
#define FILO_BENCH_FRP_H

// Figures of objects: events, steps, threads.
void bench_frp_objects(void);

#endif
