// How much processor time the control groups of this process allow.

#ifndef FILO_BASE_CPU_QUOTA_H
#define FILO_BASE_CPU_QUOTA_H

// The number of processors, possibly a fraction; 0 if there is no limit. `root` is prepended to the paths /proc and
// /sys, so that tests can use their own files; "" in programs.
double base_cpu_quota(const char *root);

#endif
