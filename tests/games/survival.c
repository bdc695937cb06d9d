// The rules of Survival: attacks by turns, score, enemies that start again, health, end and restart.

#include "survival/survival.h"
#include "support/test.h"

typedef struct Play {
    FiloJobs *jobs;
    FiloWorld *world;
} Play;

static Play begin(size_t enemies, int threads) {
    Play play;
    assert_ok(filo_jobs_create(&play.jobs, &(FiloJobsDesc){ .threads = threads }));
    assert_ok(filo_world_create(&play.world, &(FiloWorldDesc){ .jobs = play.jobs, .seed = 3 }));
    assert_true(filo_gfx2d_register(play.world, NULL));
    assert_true(survival_define(play.world));
    assert_true(survival_create(play.world, enemies));
    return play;
}

static void end(Play *play) {
    filo_world_destroy(play->world);
    filo_jobs_destroy(play->jobs, FILO_JOBS_FINISH);
}

static void ticks(Play *play, int count) {
    for (int i = 0; i < count; i++) assert_ok(filo_world_tick(play->world, 1.0f / 60));
}

static const Game *game(const Play *play) { return filo_get_global(play->world, Game); }

static void move_enemies(Play *play, FiloVec2 offset) {
    FiloQuery *query = filo_query(play->world, FILO_WRITE(FiloTransform2), FILO_WRITE(Enemy));
    FiloIter it = filo_query_iter(query);
    while (filo_iter_next(&it)) {
        FiloTransform2 *transform = filo_write(&it, FiloTransform2);
        Enemy *enemy = filo_write(&it, Enemy);
        for (size_t i = 0; i < it.count; i++) {
            transform[i].position = filo_vec2_add(game(play)->player, offset);
            enemy[i] = (Enemy){ .offset = offset };
        }
    }
    filo_query_release(query);
}

static float nearest(Play *play) {
    FiloQuery *query = filo_query(play->world, FILO_READ(FiloTransform2), FILO_WITH(Enemy));
    FiloIter it = filo_query_iter(query);
    float distance = 1e9f;
    while (filo_iter_next(&it)) {
        const FiloTransform2 *transform = filo_read(&it, FiloTransform2);
        for (size_t i = 0; i < it.count; i++)
            distance = filo_min(distance, filo_vec2_distance(transform[i].position, game(play)->player));
    }
    filo_query_release(query);
    return distance;
}

// The shape of the next attack that strikes.
static int next_attack(Play *play) {
    int attacks = game(play)->attacks;
    while (game(play)->attacks == attacks) ticks(play, 1);
    return game(play)->attack;
}

FILO_TEST(attacks_take_turns) {
    Play play = begin(10, 1);
    const int expected[] = { ATTACK_WIDE, ATTACK_TALL, ATTACK_RING, ATTACK_WIDE, ATTACK_TALL, ATTACK_RING };
    for (size_t i = 0; i < FILO_COUNT_OF(expected); i++) assert_int_equal(next_attack(&play), expected[i]);
    end(&play);
}

FILO_TEST(each_attack_reaches_its_shape_and_nothing_else) {
    // Positions of enemies, and the attacks that reach them.
    const struct {
        FiloVec2 offset;
        bool reached[ATTACK_COUNT];
    } cases[] = {
        { { ATTACK_LONG - 5, 0 }, { true, false, false } },
        { { ATTACK_LONG + 5, 0 }, { false, false, false } },
        { { 0, ATTACK_LONG - 5 }, { false, true, false } },
        { { 0, ATTACK_LONG + 5 }, { false, false, false } },
        { { 140, 140 }, { false, false, true } },
        { { 60, 60 }, { false, false, false } },
        { { 300, ATTACK_SHORT + 5 }, { false, false, false } },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        Play play = begin(50, 1);
        for (int attack = 0; attack < ATTACK_COUNT; attack++) {
            move_enemies(&play, cases[i].offset);
            uint64_t score = game(&play)->score;
            int shape = next_attack(&play);
            assert_int_equal(game(&play)->score - score, cases[i].reached[shape] ? 50 : 0);
        }
        end(&play);
    }
}

FILO_TEST(an_enemy_that_is_hit_starts_again_far_away) {
    Play play = begin(200, 1);
    size_t before = filo_world_stats(play.world).entities;
    move_enemies(&play, filo_vec2(200, 0));
    assert_int_equal(next_attack(&play), ATTACK_WIDE);
    assert_int_equal(game(&play)->score, 200);
    assert_true(nearest(&play) > 800);
    ticks(&play, 60); // the clouds are destroyed
    assert_int_equal(filo_world_stats(play.world).entities, before);
    end(&play);
}

FILO_TEST(enemies_walk_towards_the_player) {
    Play play = begin(500, 1);
    float distance = nearest(&play);
    ticks(&play, 30);
    assert_true(nearest(&play) < distance);
    end(&play);
}

FILO_TEST(bites_end_the_game_and_a_restart_begins_it_again) {
    Play play = begin(300, 1);
    for (int i = 0; i < 3000 && !game(&play)->over; i++) {
        move_enemies(&play, filo_vec2(0, 0));
        ticks(&play, 1);
    }
    assert_true(game(&play)->over);
    assert_true(game(&play)->health == 0);
    uint64_t score = game(&play)->score;
    float time = game(&play)->time;
    ticks(&play, 10); // nothing moves
    assert_true(game(&play)->time == time && game(&play)->score == score);
    FiloInput *input = filo_edit_global(play.world, FiloInput);
    input->action_count = 1;
    input->actions[0] = (FiloActionState){ .name = filo_name(SURVIVAL_RESTART), .pressed = true };
    ticks(&play, 1);
    filo_edit_global(play.world, FiloInput)->action_count = 0;
    assert_false(game(&play)->over);
    assert_true(game(&play)->health == 100 && game(&play)->score == 0 && game(&play)->best == score);
    assert_true(nearest(&play) > 800);
    end(&play);
}

FILO_TEST(the_game_is_the_same_on_any_number_of_threads) {
    const int threads[] = { 1, 2, 4, 8, 16 };
    uint64_t first = 0;
    for (size_t i = 0; i < FILO_COUNT_OF(threads); i++) {
        Play play = begin(3000, threads[i]);
        ticks(&play, 700); // until attacks reach many enemies
        uint64_t hash = filo_world_hash(play.world);
        assert_true(game(&play)->score > 0);
        if (i == 0) first = hash;
        assert_true(hash == first);
        end(&play);
    }
}
