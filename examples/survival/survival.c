// The rules of Survival.
//
// Enemies are never created or destroyed: an enemy that is hit starts again far away. So a tick changes only positions,
// and 100,000 enemies cost no more than a loop over an array. Only the small clouds where enemies were hit are created
// and destroyed.

#include "survival.h"

#define NEAR         900.0f // enemies start between these distances from the player
#define FAR          4200.0f
#define CROWD        190.0f // radius of the crowd around the player
#define SLOWEST      26.0f  // units a second, at the start
#define FASTEST      90.0f
#define WALK_SPEED   150.0f // of the player
#define BITE_REACH   22.0f
#define BITE_DAMAGE  1.6f  // health a second, for each enemy
#define BITE_MAX     30.0f // health a second
#define HEALING      1.0f  // health a second
#define ATTACK_EVERY 0.6f  // seconds
#define PUFF_EVERY   6     // so many hits make one cloud
#define PUFF_LIFE    0.45f

FILO_REFLECT(Game, FILO_FIELD(FiloVec2, player), FILO_FIELD(float, health, .min = 0, .max = 100),
             FILO_FIELD(float, time, .unit = "s"), FILO_FIELD(float, cooldown, .unit = "s"),
             FILO_FIELD(float, attack_age, .unit = "s"), FILO_FIELD(FiloVec2, attack_at),
             FILO_FIELD(int32_t, attack), FILO_FIELD(int32_t, attacks), FILO_FIELD(uint64_t, score),
             FILO_FIELD(uint64_t, best), FILO_FIELD(bool, strikes), FILO_FIELD(bool, over))
FILO_REFLECT(Enemy, FILO_FIELD(FiloVec2, offset), FILO_FIELD(float, speed))
FILO_REFLECT(Puff, FILO_FIELD(float, age, .unit = "s"))
FILO_REFLECT(EnemyHit, FILO_FIELD(FiloVec2, position))
FILO_TAG(Player)

// ---- Helpers --------------------------------------------------------------------------------------------

// A random position in a ring around the player, uniform in area.
static FiloVec2 random_spawn(FiloRandom *random, FiloVec2 player) {
    float angle = filo_random_float(random) * FILO_TAU;
    float square = filo_lerp(NEAR * NEAR, FAR * FAR, filo_random_float(random));
    return filo_vec2_add_scaled(player, filo_vec2_from_angle(angle), filo_sqrt(square));
}

static void tell(FiloIter *it, const char *event, const FiloType *type, const void *payload) {
    if (it->events != NULL) filo_event_record(it->events, filo_name(event), type, payload);
}

static bool is_reached(AttackShape shape, FiloVec2 from_player) {
    float x = filo_abs(from_player.x), y = filo_abs(from_player.y);
    if (shape == ATTACK_WIDE) return x < ATTACK_LONG && y < ATTACK_SHORT;
    if (shape == ATTACK_TALL) return x < ATTACK_SHORT && y < ATTACK_LONG;
    float square = x * x + y * y;
    return square < ATTACK_RING_OUTER * ATTACK_RING_OUTER && square > ATTACK_RING_INNER * ATTACK_RING_INNER;
}

// ---- Systems --------------------------------------------------------------------------------------------

static bool is_running(const FiloWorld *world, void *user) {
    FILO_UNUSED(user);
    return !filo_get_global(world, Game)->over;
}

static bool strikes(const FiloWorld *world, void *user) {
    return is_running(world, user) && filo_get_global(world, Game)->strikes;
}

static bool has_action(const FiloInput *input, FiloName name) {
    for (uint32_t i = 0; i < input->action_count; i++)
        if (input->actions[i].name.id == name.id) return true;
    return false;
}

// From −1 to 1. A stick is bound to both actions, and then one of them is negative.
static float axis_of(const FiloInput *input, FiloName negative, FiloName positive) {
    return filo_max(filo_action_value(input, positive), 0) - filo_max(filo_action_value(input, negative), 0);
}

static FiloVec2 direction_of(const FiloInput *input) {
    FILO_NAME(left, SURVIVAL_LEFT);
    FILO_NAME(right, SURVIVAL_RIGHT);
    FILO_NAME(up, SURVIVAL_UP);
    FILO_NAME(down, SURVIVAL_DOWN);
    if (!has_action(input, left)) return filo_input_move(input);
    FiloVec2 direction = filo_vec2(axis_of(input, left, right), axis_of(input, down, up));
    float length = filo_vec2_length(direction);
    return length > 1 ? filo_vec2_scale(direction, 1 / length) : direction;
}

// Moves the player, and advances the clock.
static void walk(FiloIter *it) {
    FiloTransform2 *transform = filo_write(it, FiloTransform2);
    const FiloInput *input = filo_read_global(it, FiloInput);
    Game *game = filo_write_global(it, Game);
    FiloVec2 step = filo_vec2_scale(direction_of(input), WALK_SPEED * it->delta);
    for (size_t i = 0; i < it->count; i++) {
        FiloTransform2 *t = &transform[i];
        t->position = filo_vec2_add(t->position, step);
        game->player = t->position;
    }
    game->time += it->delta;
    game->health = filo_min(game->health + HEALING * it->delta, 100);
    game->attack_age += it->delta;
    game->cooldown -= it->delta;
    game->strikes = game->cooldown <= 0;
    if (!game->strikes) return;
    game->cooldown += ATTACK_EVERY;
    game->attack = game->attacks++ % ATTACK_COUNT;
    game->attack_age = 0;
    game->attack_at = game->player;
    tell(it, SURVIVAL_EVENT_ATTACK, NULL, NULL);
}

// Every enemy walks towards its position in the crowd.
static void chase(FiloIter *it) {
    FiloTransform2 *transform = filo_write(it, FiloTransform2);
    const Enemy *enemy = filo_read(it, Enemy);
    const Game *game = filo_read_global(it, Game);
    const FiloVec2 player = game->player;
    const float faster = (1 + game->time * 0.004f) * it->delta;
    for (size_t i = 0; i < it->count; i++) {
        FiloTransform2 *t = &transform[i];
        const Enemy *e = &enemy[i];
        float x = player.x + e->offset.x - t->position.x, y = player.y + e->offset.y - t->position.y;
        float square = x * x + y * y, step = e->speed * faster;
        // Not beyond that position.
        float part = square > step * step ? step / filo_sqrt(square) : 1;
        t->position.x += x * part;
        t->position.y += y * part;
    }
}

// The attack hits all enemies that it reaches: they add to the score, and start again far away.
static void strike(FiloIter *it) {
    Game *game = filo_edit_global(it->world, Game);
    FiloTransform2 *transform = filo_write(it, FiloTransform2);
    FiloPreviousTransform2 *previous = filo_write(it, FiloPreviousTransform2);
    for (size_t i = 0; i < it->count; i++) {
        FiloTransform2 *t = &transform[i];
        if (!is_reached((AttackShape)game->attack, filo_vec2_sub(t->position, game->attack_at))) continue;
        if (game->score++ % PUFF_EVERY == 0) {
            filo_create(it->changes, FILO_SET(FiloTransform2, .position = t->position),
                        FILO_SET(FiloSprite, .image = filo_name("puff"), .layer = LAYER_PUFFS,
                                 .flags = FILO_SPRITE_ADD),
                        FILO_ADD(Puff));
            tell(it, SURVIVAL_EVENT_HIT, FILO_TYPE(EnemyHit), &(EnemyHit){ t->position });
        }
        FiloRandom random = filo_iter_random(it, i);
        filo_transform2_teleport(t, &previous[i], random_spawn(&random, game->player));
    }
}

// Enemies near the player bite.
static void bite(FiloIter *it) {
    Game *game = filo_edit_global(it->world, Game);
    FiloIter rows = filo_iter_over(it, it->query);
    size_t biting = 0;
    while (filo_iter_next(&rows)) {
        const FiloTransform2 *transform = filo_read(&rows, FiloTransform2);
        for (size_t i = 0; i < rows.count; i++) {
            const FiloTransform2 *t = &transform[i];
            float x = t->position.x - game->player.x, y = t->position.y - game->player.y;
            biting += x * x + y * y < BITE_REACH * BITE_REACH;
        }
    }
    game->health -= filo_min((float)biting * BITE_DAMAGE, BITE_MAX) * it->delta;
    if (game->health > 0) return;
    game->health = 0;
    game->over = true;
    game->best = FILO_MAX(game->best, game->score);
    tell(it, SURVIVAL_EVENT_EATEN, NULL, NULL);
}

static void fade_puffs(FiloIter *it) {
    Puff *puff = filo_write(it, Puff);
    FiloTransform2 *transform = filo_write(it, FiloTransform2);
    FiloSprite *sprite = filo_write(it, FiloSprite);
    for (size_t i = 0; i < it->count; i++) {
        Puff *p = &puff[i];
        p->age += it->delta;
        if (p->age >= PUFF_LIFE) {
            filo_destroy(it->changes, filo_iter_entity(it, i));
            continue;
        }
        float part = p->age / PUFF_LIFE, size = 0.6f + part;
        transform[i].scale = filo_vec2(size, size);
        sprite[i].color = filo_color_fade(FILO_COLOR_WHITE, 1 - part);
    }
}

static void begin_again(FiloIter *it, FiloQuery *enemies) {
    Game *game = filo_edit_global(it->world, Game);
    *game = (Game){ .player = game->player,
                    .best = FILO_MAX(game->best, game->score),
                    .health = 100,
                    .cooldown = ATTACK_EVERY,
                    .attack_age = ATTACK_SHOWN };
    FiloIter rows = filo_iter_over(it, enemies);
    while (filo_iter_next(&rows)) {
        FiloTransform2 *transform = filo_write(&rows, FiloTransform2);
        FiloPreviousTransform2 *previous = filo_write(&rows, FiloPreviousTransform2);
        for (size_t i = 0; i < rows.count; i++) {
            FiloRandom random = filo_iter_random(&rows, i);
            filo_transform2_teleport(&transform[i], &previous[i], random_spawn(&random, game->player));
        }
    }
}

// Starts the game again after its end, when the player presses the button.
static void restart(FiloIter *it) {
    const FiloInput *input = filo_get_global(it->world, FiloInput);
    bool over = filo_get_global(it->world, Game)->over;
    if (over && filo_action_pressed(input, filo_name(SURVIVAL_RESTART))) begin_again(it, it->query);
}

// Starts it again at any time, when the menu sends the message.
static void restart_by_message(FiloIter *it, const FiloEvent *event) {
    FILO_UNUSED(event);
    begin_again(it, it->user);
}

bool survival_define(FiloWorld *world) {
    static const Game first = { .health = 100, .cooldown = ATTACK_EVERY, .attack_age = ATTACK_SHOWN };
    filo_component(world, FiloInput, .storage = FILO_STORAGE_GLOBAL);
    filo_component(world, Game, .storage = FILO_STORAGE_GLOBAL, .default_value = &first);
    filo_component(world, Enemy);
    filo_component(world, Puff);
    filo_component(world, Player);
    const FiloSystemDesc systems[] = {
        { .name = "walk",
          .run = walk,
          .condition = is_running,
          .query.terms = { FILO_WRITE(FiloTransform2), FILO_WITH(Player), FILO_READ(FiloInput),
                           FILO_WRITE(Game) } },
        { .name = "chase",
          .run = chase,
          .condition = is_running,
          .parallel = true,
          .query.terms = { FILO_WRITE(FiloTransform2), FILO_READ(Enemy), FILO_READ(Game) } },
        { .name = "strike",
          .run = strike,
          .condition = strikes,
          .query.terms = { FILO_WRITE(FiloTransform2), FILO_WRITE(FiloPreviousTransform2), FILO_WITH(Enemy) },
          .extra_access = { FILO_WRITE(Game) } },
        { .name = "bite",
          .run = bite,
          .condition = is_running,
          .once = true,
          .query.terms = { FILO_READ(FiloTransform2), FILO_WITH(Enemy) },
          .extra_access = { FILO_WRITE(Game) } },
        { .name = "fade puffs",
          .run = fade_puffs,
          .parallel = true,
          .query.terms = { FILO_WRITE(Puff), FILO_WRITE(FiloTransform2), FILO_WRITE(FiloSprite) } },
        { .name = "restart",
          .run = restart,
          .once = true,
          .query.terms = { FILO_WRITE(FiloTransform2), FILO_WRITE(FiloPreviousTransform2), FILO_WITH(Enemy) },
          .extra_access = { FILO_WRITE(Game), FILO_READ(FiloInput) } },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(systems); i++)
        if (filo_system_add(world, &systems[i]).id == 0) return false;
    return true;
}

bool survival_handle_messages(FiloWorld *world) {
    FiloQuery *enemies =
        filo_query(world, FILO_WRITE(FiloTransform2), FILO_WRITE(FiloPreviousTransform2), FILO_WITH(Enemy));
    const FiloWorldHandlerDesc handler = { .event = filo_name(SURVIVAL_RESTART),
                                           .run = restart_by_message,
                                           .user = enemies,
                                           .extra_access = { FILO_WRITE(Game), FILO_WRITE(FiloTransform2),
                                                             FILO_WRITE(FiloPreviousTransform2) } };
    return enemies != NULL && filo_world_handle(world, &handler).generation != 0;
}

FiloResult survival_add_walking(FiloActions *actions) {
    const FiloActionDesc walking[] = {
        { SURVIVAL_LEFT,
          "Walk left",
          { FILO_BIND(FILO_KEY_A),
            FILO_BIND(FILO_KEY_LEFT),
            FILO_BIND(FILO_PAD_LEFT),
            { .axis = FILO_AXIS_LEFT_X, .is_axis = true, .scale = -1 } },
          0 },
        { SURVIVAL_RIGHT,
          "Walk right",
          { FILO_BIND(FILO_KEY_D), FILO_BIND(FILO_KEY_RIGHT), FILO_BIND(FILO_PAD_RIGHT),
            FILO_BIND_AXIS(FILO_AXIS_LEFT_X) },
          0 },
        { SURVIVAL_UP,
          "Walk up",
          { FILO_BIND(FILO_KEY_W), FILO_BIND(FILO_KEY_UP), FILO_BIND(FILO_PAD_UP),
            FILO_BIND_AXIS(FILO_AXIS_LEFT_Y) },
          0 },
        { SURVIVAL_DOWN,
          "Walk down",
          { FILO_BIND(FILO_KEY_S),
            FILO_BIND(FILO_KEY_DOWN),
            FILO_BIND(FILO_PAD_DOWN),
            { .axis = FILO_AXIS_LEFT_Y, .is_axis = true, .scale = -1 } },
          0 },
    };
    FiloResult r = filo_ok();
    for (size_t i = 0; i < FILO_COUNT_OF(walking) && r.code == FILO_OK; i++)
        r = filo_actions_add(actions, &walking[i]);
    return r;
}

// ---- Setup ----------------------------------------------------------------------------------------------

static void fill_enemies(FiloIter *it, void *user) {
    const FiloName *images = user;
    FiloTransform2 *transform = filo_write(it, FiloTransform2);
    FiloSprite *sprite = filo_write(it, FiloSprite);
    Enemy *enemy = filo_write(it, Enemy);
    for (size_t i = 0; i < it->count; i++) {
        FiloRandom random = filo_random_keyed(filo_world_seed(it->world), 0, 1, it->first + i);
        transform[i].position = random_spawn(&random, filo_vec2(0, 0));
        sprite[i].image = images[filo_random_below(&random, SURVIVAL_KINDS)];
        float angle = filo_random_float(&random) * FILO_TAU;
        float distance = CROWD * filo_sqrt(filo_random_float(&random));
        Enemy *e = &enemy[i];
        e->offset = filo_vec2_scale(filo_vec2_from_angle(angle), distance);
        e->speed = filo_lerp(SLOWEST, FASTEST, filo_random_float(&random));
    }
}

bool survival_create(FiloWorld *world, size_t enemies) {
    FiloName images[SURVIVAL_KINDS] = { filo_name("enemy 0"), filo_name("enemy 1"), filo_name("enemy 2"),
                                        filo_name("enemy 3") };
    FiloEntity player = filo_create(
        world, FILO_ADD(Player), FILO_SET(FiloSprite, .image = filo_name("cookie"), .layer = LAYER_PLAYER));
    FiloEntity camera =
        filo_create(world, FILO_SET(FiloCamera, .height = 720, .follow = player, .follow_speed = 8));
    const FiloComponentValue with[] = { FILO_ADD(FiloTransform2),
                                        FILO_SET(FiloSprite, .layer = LAYER_ENEMIES), FILO_ADD(Enemy) };
    return player.id != 0 && camera.id != 0 &&
           filo_entity_create_block(world, &(FiloBlockDesc){ .count = enemies,
                                                             .values = with,
                                                             .value_count = FILO_COUNT_OF(with),
                                                             .fill = fill_enemies,
                                                             .user = images });
}
