// Measurements in processes of their own, asked for one at a time: so that ours and others', which cannot share
// a process (each has a window system, a GL context and environment of its own), still take turns.
//
//     BENCH_SERVICE(sdl, "sdl.atlas", begin, sample, end)      // somewhere, outside of functions
//
//     BenchServer *sdl = bench_serve("sdl.atlas", (const char *[]){ "GALLIUM_NOOP=1", NULL });
//     double ns = bench_ask(sdl);
//     bench_dismiss(sdl);

#ifndef FILO_BENCH_SERVE_H
#define FILO_BENCH_SERVE_H

#include <stdbool.h>

typedef struct BenchService {
    const char *name;
    bool (*begin)(const char *name); // false: it cannot be done here
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

// Starts this program again to offer one service, with further variables in its environment (ends with NULL;
// may be NULL). NULL if the service cannot be had here; why was printed.
BenchServer *bench_serve(const char *name, const char *const *environment);
double bench_ask(BenchServer *server);
void bench_dismiss(BenchServer *server); // NULL is allowed

// In the started program: offers the service until nobody asks any more. Returns the exit code.
int bench_offer(const char *name);

#endif
