// Measurements in separate processes, one at a time. Filo and other libraries cannot share a process (each has its own
// window system, GL context and environment), but their measurements take turns.
//
//     BENCH_SERVICE(sdl, "sdl.atlas", begin, sample, end)      // in any source, outside of functions
//
//     BenchServer *sdl = bench_serve("sdl.atlas", (const char *[]){ "GALLIUM_NOOP=1", NULL });
//     double ns = bench_sample(sdl);
//     bench_stop(sdl);

#ifndef FILO_BENCH_SERVE_H
#define FILO_BENCH_SERVE_H

#include <stdbool.h>

typedef struct BenchService {
    const char *name;
    bool (*begin)(const char *name); // false: not possible on this machine
    double (*sample)(void);
    void (*end)(void);
    struct BenchService *next;
} BenchService;

void bench_register_service(BenchService *service);

#define BENCH_SERVICE(identifier, name_, begin_, sample_, end_)                                              \
    __attribute__((constructor)) static void bench_register_service_##identifier(void) {                     \
        static BenchService service = { name_, begin_, sample_, end_, NULL };                                \
        bench_register_service(&service);                                                                    \
    }

typedef struct BenchServer BenchServer;

// Starts this program again as a server of one service, with further variables in its environment (ends with NULL; may
// be NULL). NULL if the service is not possible here; the reason is printed.
BenchServer *bench_serve(const char *name, const char *const *environment);
double bench_sample(BenchServer *server);
void bench_stop(BenchServer *server); // NULL is allowed

// In the server: answers requests until the client stops. Returns the exit code.
int bench_offer(const char *name);

#endif
