#include "serve.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct BenchServer {
    pid_t process;
    FILE *request, *answer;
};

static BenchService *services;

void bench_register_service(BenchService *service) {
    service->next = services;
    services = service;
}

// ---- In the server --------------------------------------------------------------------------------------

int bench_offer(const char *name) {
    BenchService *service = services;
    while (service != NULL && strcmp(service->name, name) != 0) service = service->next;
    if (service == NULL) {
        fprintf(stderr, "there is no service \"%s\"\n", name);
        return 2;
    }
    // What libraries print must not be mixed with the answers.
    FILE *answer = fdopen(dup(STDOUT_FILENO), "w");
    if (answer == NULL || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return 2;
    if (!service->begin(name)) return 1;
    fputs("ready\n", answer);
    fflush(answer);
    for (int c; (c = getchar()) != EOF;) {
        if (c != '?') continue;
        fprintf(answer, "%.17g\n", service->sample());
        fflush(answer);
    }
    service->end();
    return 0;
}

// ---- In the client --------------------------------------------------------------------------------------

static void run_service(const char *name, const char *const *environment, int input, int output) {
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    for (; environment != NULL && *environment != NULL; environment++) putenv((char *)*environment);
    execl("/proc/self/exe", "filo_bench", "--serve", name, (char *)NULL);
    _exit(2);
}

BenchServer *bench_serve(const char *name, const char *const *environment) {
    int to[2], from[2];
    // Closed on exec: otherwise a server would hold the pipes of other servers open.
    BenchServer *server = calloc(1, sizeof *server);
    if (server == NULL || pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) return NULL;
    fflush(NULL);
    server->process = fork();
    if (server->process == 0) {
        close(to[1]), close(from[0]);
        run_service(name, environment, to[0], from[1]);
    }
    close(to[0]), close(from[1]);
    server->request = fdopen(to[1], "w");
    server->answer = fdopen(from[0], "r");
    char line[64];
    if (server->process > 0 && fgets(line, sizeof line, server->answer) != NULL &&
        strcmp(line, "ready\n") == 0)
        return server;
    fprintf(stderr, "%s cannot be measured here\n", name);
    bench_stop(server);
    return NULL;
}

double bench_sample(BenchServer *server) {
    char line[64];
    fputc('?', server->request);
    fflush(server->request);
    return fgets(line, sizeof line, server->answer) != NULL ? strtod(line, NULL) : 0;
}

void bench_stop(BenchServer *server) {
    if (server == NULL) return;
    fclose(server->request);
    fclose(server->answer);
    if (server->process > 0) waitpid(server->process, NULL, 0);
    free(server);
}
