// How much processor time the control groups of this process allow.

#ifndef FILO_BASE_CPU_QUOTA_H
#define FILO_BASE_CPU_QUOTA_H

// Processors, as a fraction; 0 where there is no limit. `root` is put before the paths /proc and /sys, so
// that tests can bring their own; "" for the real ones.
double base_cpu_quota(const char *root);

#endif
