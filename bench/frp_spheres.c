// Spheres that bounce off each other, as pure objects: all pairs from 5 to 600, on one thread and on two, and 10,000 with the
// spatial index. The reference is the plainest C that does the same: two arrays and two loops, on one thread.

#include "bench.h"
#include "frp.h"

#include <spheres/spheres.h>

#include <stdio.h>
#include <stdlib.h>

#define DELTA (1.0f / 60)

typedef struct Game {
    FiloJobs *jobs;
    FiloWorld *world;
    Spheres spheres;
    size_t count;
    Sphere *past, *next; // of the reference
} Game;

static void begin(Game *game, size_t count, bool all_pairs, int threads) {
    *game = (Game){ .count = count };
    FiloResult r = filo_jobs_create(&game->jobs, &(FiloJobsDesc){ .threads = threads });
    if (r.code == FILO_OK)
        r = filo_world_create(&game->world, &(FiloWorldDesc){ .jobs = game->jobs, .seed = 1 });
    if (r.code == FILO_OK)
        r = spheres_begin(&game->spheres, game->world,
                          &(SpheresDesc){ .count = count, .all_pairs = all_pairs });
    bench_expect(r.code == FILO_OK, r.message);
    game->past = malloc(count * sizeof(Sphere));
    game->next = malloc(count * sizeof(Sphere));
    FiloQuery *query = filo_query(game->world, FILO_READ(Sphere));
    FiloIter it = filo_query_iter(query);
    size_t n = 0;
    while (filo_iter_next(&it)) {
        memcpy(game->past + n, filo_read(&it, Sphere), it.count * sizeof(Sphere));
        n += it.count;
    }
    filo_query_release(query);
}

static void end(Game *game) {
    spheres_end(&game->spheres);
    filo_world_destroy(game->world);
    filo_jobs_destroy(game->jobs, FILO_JOBS_FINISH);
    free(game->past);
    free(game->next);
}

static double ours(void *state) {
    Game *game = state;
    size_t ticks = game->count > 1000 ? 4 : 20;
    double ns;
    bench_time(ns, ticks, filo_world_tick(game->world, DELTA));
    return ns / 1e6;
}

static void bounce(float *position, float *velocity, float limit) {
    if (filo_abs(*position) <= limit) return;
    *velocity = *position > 0 ? -filo_abs(*velocity) : filo_abs(*velocity);
    *position = filo_clamp(*position, -limit, limit);
}

static void plain_tick(Game *game) {
    float half = game->spheres.half;
    for (size_t i = 0; i < game->count; i++) {
        Sphere s = game->past[i], *next = &game->next[i];
        *next = s;
        for (size_t j = 0; j < game->count; j++) {
            const Sphere *o = &game->past[j];
            FiloVec3 apart = filo_vec3_sub(s.position, o->position);
            float reach = s.radius + o->radius, d2 = filo_vec3_dot(apart, apart);
            if (d2 >= reach * reach || d2 == 0) continue;
            float distance = filo_sqrt(d2), m = o->radius * o->radius * o->radius;
            FiloVec3 normal = filo_vec3_scale(apart, 1 / distance);
            float share = m / (m + s.radius * s.radius * s.radius);
            float speed = filo_vec3_dot(filo_vec3_sub(s.velocity, o->velocity), normal);
            next->position =
                filo_vec3_add(next->position, filo_vec3_scale(normal, (reach - distance) * share));
            if (speed < 0)
                next->velocity = filo_vec3_sub(next->velocity, filo_vec3_scale(normal, 2 * speed * share));
        }
        next->position = filo_vec3_add(next->position, filo_vec3_scale(next->velocity, DELTA));
        bounce(&next->position.x, &next->velocity.x, half - s.radius);
        bounce(&next->position.y, &next->velocity.y, half - s.radius);
        bounce(&next->position.z, &next->velocity.z, half - s.radius);
    }
    Sphere *swap = game->past;
    game->past = game->next;
    game->next = swap;
}

static double plain(void *state) {
    Game *game = state;
    size_t ticks = game->count > 1000 ? 1 : 20;
    double ns;
    bench_time(ns, ticks, plain_tick(game));
    return ns / 1e6;
}

static void compare(size_t count, bool all_pairs, int threads) {
    char name[64], size[16];
    (void)snprintf(size, sizeof size, count >= 10000 ? "%zuk" : "%zu", count >= 10000 ? count / 1000 : count);
    (void)snprintf(name, sizeof name, "frp.spheres.%s%s", size, threads == 2 ? ".threads_2" : "");
    if (!bench_shows(name)) return;
    Game game;
    begin(&game, count, all_pairs, threads);
    for (int i = 0; i < 10; i++) (void)filo_world_tick(game.world, DELTA);
    bench_compare(&(BenchFigure){ .name = name,
                                  .unit = "ms/tick",
                                  .ours = ours,
                                  .reference = plain,
                                  .reference_name = "all pairs over plain arrays, one thread",
                                  .state = &game,
                                  .rounds = count > 1000 ? 7 : 11 });
    end(&game);
}

void bench_frp_spheres(void) {
    const size_t counts[] = { 5, 100, 200, 300, 400, 500, 600 };
    for (size_t i = 0; i < FILO_COUNT_OF(counts); i++)
        for (int threads = 1; threads <= 2; threads++) compare(counts[i], true, threads);
    for (int threads = 1; threads <= 2; threads++) compare(10000, false, threads);
    for (int threads = 1; threads <= 2; threads++) compare(100000, false, threads);
}
