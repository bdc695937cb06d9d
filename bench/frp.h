// The parts of the group frp.

#ifndef FILO_BENCH_FRP_H
#define FILO_BENCH_FRP_H

void bench_frp_objects(void);
void bench_frp_spheres(void);

#endif
