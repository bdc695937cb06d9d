// The rules of Pinball. Systems press flippers and plunger, serve balls and take lost ones; handlers of the events of
// physics answer what balls touch.

#include "pinball.h"

#define FLIP_SPEED   24.0f // radians a second
#define RETURN_SPEED 12.0f
#define KICK_BUMPER  11.0f // units a second
#define KICK_SLING   10.0f
#define SAVER        9.0f // seconds after a launch
#define FLASH        0.35f

FILO_REFLECT(Part, FILO_FIELD(int32_t, kind), FILO_FIELD(int32_t, index), FILO_FIELD(float, lit, .unit = "s"),
             FILO_FIELD(float, turn))
FILO_REFLECT(Ball, FILO_FIELD(float, held, .unit = "s"))
FILO_REFLECT(Flipper, FILO_FIELD(float, side), FILO_FIELD(bool, up))
FILO_REFLECT(Game, FILO_FIELD(uint64_t, score), FILO_FIELD(uint64_t, bonus), FILO_FIELD(int32_t, ball),
             FILO_FIELD(int32_t, multiplier), FILO_FIELD(int32_t, in_play), FILO_FIELD(int32_t, serve),
             FILO_FIELD(float, serve_in), FILO_FIELD(uint32_t, letters), FILO_FIELD(uint32_t, down),
             FILO_FIELD(float, raise_in), FILO_FIELD(int32_t, banks), FILO_FIELD(float, saver),
             FILO_FIELD(float, tilt), FILO_FIELD(float, shake), FILO_FIELD(float, time),
             FILO_FIELD(float, note_age), FILO_FIELD(int32_t, note), FILO_FIELD(uint64_t, note_value),
             FILO_FIELD(bool, lit), FILO_FIELD(bool, multiball), FILO_FIELD(bool, launched),
             FILO_FIELD(bool, tilted), FILO_FIELD(bool, over))
FILO_REFLECT(Pilot, FILO_FIELD(bool, left), FILO_FIELD(bool, right), FILO_FIELD(bool, plunger))
FILO_REFLECT(Spot, FILO_FIELD(FiloVec2, position))
FILO_TAG(Plunger)
FILO_TAG(PlungerHead)

static void tell(FiloIter *it, const char *event, FiloVec2 at) {
    filo_event_record(it->events, filo_name(event), FILO_TYPE(Spot), &(Spot){ at });
}

static void note(Game *game, PinballNote what, uint64_t value) {
    game->note = (int32_t)what;
    game->note_value = value;
    game->note_age = 0;
}

// Points count twice while there are several balls. The bonus grows with them.
static void score(Game *game, uint64_t points) {
    if (game->tilted || game->over) return;
    points *= game->multiball ? 2 : 1;
    game->score += points;
    game->bonus += points / 10;
}

// ---- Pressing ---------------------------------------------------------------------------------------------------

static void flip(FiloIter *it) {
    const FiloInput *input = filo_read_global(it, FiloInput);
    const Pilot *pilot = filo_read_global(it, Pilot);
    Game *game = filo_write_global(it, Game);
    FiloJoint2 *joint = filo_write(it, FiloJoint2);
    Flipper *flipper = filo_write(it, Flipper);
    for (size_t i = 0; i < it->count; i++) {
        Flipper *f = &flipper[i];
        bool left = f->side < 0;
        bool up = left ? filo_action_down(input, filo_name(PINBALL_ACTION_LEFT)) || pilot->left
                       : filo_action_down(input, filo_name(PINBALL_ACTION_RIGHT)) || pilot->right;
        up = up && !game->tilted && !game->over;
        if (up == f->up) continue;
        f->up = up;
        joint[i].motor_speed = -f->side * (up ? FLIP_SPEED : -RETURN_SPEED);
        tell(it, up ? "flip" : "flop", joint[i].anchor_a);
        if (!up) continue;
        // The lit letters move on, so that a ball finds one that is dark.
        uint32_t all = (1u << PINBALL_LETTERS) - 1, lit = game->letters;
        game->letters = left ? (lit >> 1 | lit << (PINBALL_LETTERS - 1)) & all
                             : (lit << 1 | lit >> (PINBALL_LETTERS - 1)) & all;
    }
}

// A motor pulls the head back; without it the spring shoots.
static void pull(FiloIter *it) {
    const FiloInput *input = filo_read_global(it, FiloInput);
    bool pulls =
        filo_action_down(input, filo_name(PINBALL_ACTION_PLUNGER)) || filo_read_global(it, Pilot)->plunger;
    FiloJoint2 *joint = filo_write(it, FiloJoint2);
    for (size_t i = 0; i < it->count; i++) {
        FiloJoint2 *j = &joint[i];
        bool pulled = (j->flags & FILO_JOINT_MOTOR) != 0;
        if (pulls == pulled) continue;
        j->flags = FILO_JOINT_LIMIT | (pulls ? FILO_JOINT_MOTOR : FILO_JOINT_SPRING);
        j->motor_speed = -1.5f;
        j->motor_force = 400;
        tell(it, pulls ? "pull" : "launch", j->anchor_a);
    }
}

// A push of the table moves the balls. Too many of them, and the game is tilted until the ball is lost.
static void nudge(FiloIter *it) {
    const FiloInput *input = filo_read_global(it, FiloInput);
    Game *game = filo_write_global(it, Game);
    FiloBody2 *body = filo_write(it, FiloBody2);
    bool pushed = filo_action_pressed(input, filo_name(PINBALL_ACTION_NUDGE)) && !game->tilted && !game->over;
    if (!pushed) return;
    FiloRandom random = filo_iter_random(it, 0);
    float side = filo_random_below(&random, 2) == 0 ? 1.0f : -1.0f;
    for (size_t i = 0; i < it->count; i++) {
        body[i].velocity.x += 2.2f * side;
        body[i].velocity.y += 3.2f;
    }
    game->tilt += 1;
    game->shake = 0.6f;
    tell(it, "nudge", filo_vec2(0, 5));
    if (game->tilt > 2.5f) {
        game->tilted = true;
        game->bonus = 0;
        note(game, NOTE_TILT, 0);
        tell(it, "tilt", filo_vec2(0, 5));
    } else if (game->tilt > 1.5f) {
        note(game, NOTE_DANGER, 0);
    }
}

// ---- Balls --------------------------------------------------------------------------------------------------------

static void begin_ball(Game *game) {
    game->serve = 1;
    game->serve_in = 0.6f;
    game->launched = game->tilted = game->multiball = false;
    game->tilt = 0;
    game->bonus = 0;
    game->banks = 0;
    note(game, NOTE_BALL, (uint64_t)game->ball);
}

static void begin_game(Game *game) {
    *game = (Game){ .ball = 1, .multiplier = 1, .raise_in = game->down != 0 ? 0.1f : 0, .down = game->down };
    begin_ball(game);
}

// Serves to the plunger; while other balls are in play, it shoots by itself.
static void serve(FiloIter *it) {
    Game *game = filo_write_global(it, Game);
    if (game->serve == 0) return;
    game->serve_in -= it->delta;
    if (game->serve_in > 0) return;
    bool shoots = game->in_play > 0 || game->launched;
    FiloVec2 at = filo_vec2(PINBALL_BALL_X, shoots ? PINBALL_BALL_Y + 1.5f : PINBALL_BALL_Y);
    pinball_create_ball(it->changes, at, filo_vec2(0, shoots ? 27.5f : 0));
    game->serve--;
    game->serve_in = 0.9f;
    game->in_play++;
    tell(it, shoots ? "launch" : "serve", at);
}

static void end_ball(FiloIter *it, Game *game) {
    uint64_t bonus = game->bonus * (uint64_t)game->multiplier;
    game->score += bonus;
    if (game->ball >= PINBALL_BALLS) {
        game->over = true;
        note(game, NOTE_OVER, bonus);
        tell(it, "over", filo_vec2(0, 0));
        return;
    }
    game->ball++;
    begin_ball(game);
    if (bonus > 0) note(game, NOTE_BONUS, bonus);
}

static void lose_ball(FiloIter *it, Game *game, FiloVec2 at) {
    game->in_play--;
    if (game->saver > 0 && !game->tilted) {
        game->serve++;
        game->serve_in = filo_max(game->serve_in, 0.5f);
        note(game, NOTE_SAVED, 0);
        tell(it, "saved", at);
        return;
    }
    tell(it, "lost", at);
    if (game->in_play + game->serve <= 1) game->multiball = false;
    if (game->in_play + game->serve == 0) end_ball(it, game);
}

// Balls that are lost, that leave the plunger's lane, and that are held.
static void watch(FiloIter *it) {
    Game *game = filo_write_global(it, Game);
    const FiloTransform2 *transform = filo_read(it, FiloTransform2);
    FiloBody2 *body = filo_write(it, FiloBody2);
    Ball *ball = filo_write(it, Ball);
    for (size_t i = 0; i < it->count; i++) {
        FiloVec2 at = transform[i].position;
        bool outside = at.y < PINBALL_DRAIN || at.y > PINBALL_TOP + 1 || filo_abs(at.x) > PINBALL_EDGE + 1;
        if (outside) {
            filo_destroy(it->changes, filo_iter_entity(it, i));
            lose_ball(it, game, at);
            continue;
        }
        if (!game->launched && at.y > 14 && at.x < PINBALL_RIGHT) {
            game->launched = true;
            game->saver = SAVER;
        }
        if (ball[i].held <= 0) continue;
        ball[i].held -= it->delta;
        body[i].velocity = filo_vec2(0, 0);
        body[i].flags |= FILO_BODY_NO_GRAVITY;
        if (ball[i].held > 0) continue;
        body[i].flags &= ~(uint32_t)FILO_BODY_NO_GRAVITY;
        body[i].velocity = filo_vec2(9.5f, -1.5f);
        game->shake = filo_max(game->shake, 0.25f);
        tell(it, "kick", at);
    }
}

// ---- Time ---------------------------------------------------------------------------------------------------------

static void run_clock(FiloIter *it) {
    Game *game = filo_write_global(it, Game);
    game->time += it->delta;
    game->note_age += it->delta;
    game->tilt = game->tilted ? game->tilt : filo_max(game->tilt - 0.5f * it->delta, 0);
    game->shake = filo_max(game->shake - 2 * it->delta, 0);
    game->saver = filo_max(game->saver - it->delta, 0);
    const FiloInput *input = filo_read_global(it, FiloInput);
    if (game->ball == 0 || (game->over && filo_action_pressed(input, filo_name(PINBALL_ACTION_AGAIN))))
        begin_game(game);
}

// Lights go out, the spinner turns, and targets are raised.
static void run_parts(FiloIter *it) {
    Game *game = filo_edit_global(it->world, Game);
    FiloEach each = filo_iter_each_over(it, it->query);
    bool raises = game->raise_in > 0 && game->raise_in <= it->delta;
    game->raise_in = filo_max(game->raise_in - it->delta, 0);
    while (filo_each_next(&each)) {
        Part *part = filo_each_write(&each, Part);
        part->lit = filo_max(part->lit - it->delta, 0);
        if (part->kind == PART_SPINNER && part->turn > 0) {
            float before = part->turn;
            part->turn = filo_max(part->turn - (1.5f + part->turn) * it->delta, 0);
            if (filo_floor(before) == filo_floor(part->turn)) continue;
            score(game, 50);
            tell(it, "spin", pinball_spinner());
        } else if (part->kind == PART_TARGET && raises) {
            filo_changes_set_active(it->changes, each.entity, true);
        }
    }
    if (!raises) return;
    game->down = 0;
    tell(it, "raise", pinball_target(1));
}

static void shake_camera(FiloIter *it) {
    const Game *game = filo_read_global(it, Game);
    FiloCamera *camera = filo_write(it, FiloCamera);
    for (size_t i = 0; i < it->count; i++) camera[i].shake = filo_max(camera[i].shake, game->shake);
}

// ---- Answers to what balls touch -------------------------------------------------------------------------------------

// Away from what was hit, at least with this speed.
static void kick(FiloIter *it, FiloEntity ball, FiloVec2 out, float speed) {
    FiloBody2 *body = filo_edit(it->world, ball, FiloBody2);
    float now = filo_vec2_dot(body->velocity, out);
    if (now < speed) body->velocity = filo_vec2_add_scaled(body->velocity, out, speed - now);
}

static void hit_target(FiloIter *it, Game *game, FiloEntity target, const Part *part) {
    game->down |= 1u << part->index;
    filo_changes_set_active(it->changes, target, false);
    score(game, 500);
    tell(it, "target", pinball_target((size_t)part->index));
    if (game->down != (1u << PINBALL_TARGETS) - 1) return;
    game->raise_in = 1.2f;
    game->banks++;
    game->lit = true;
    score(game, 5000);
    note(game, NOTE_TARGETS, 5000);
    tell(it, "bank", pinball_target(1));
}

static void touch(FiloIter *it, const FiloEvent *event) {
    const FiloContactEvent2 *contact = event->payload;
    Game *game = filo_edit_global(it->world, Game);
    bool first = filo_has(it->world, contact->a, Ball);
    FiloEntity ball = first ? contact->a : contact->b, other = first ? contact->b : contact->a;
    Part *part = filo_try_edit(it->world, other, Part);
    if (part == NULL || !filo_has(it->world, ball, Ball)) return;
    FiloVec2 out = first ? filo_vec2_negate(contact->normal) : contact->normal;
    part->lit = FLASH;
    if (part->kind == PART_BUMPER) {
        kick(it, ball, out, KICK_BUMPER);
        score(game, 100);
        game->shake = filo_max(game->shake, 0.22f);
        tell(it, "bumper", contact->point);
    } else if (part->kind == PART_SLINGSHOT && contact->speed > 1.5f) {
        kick(it, ball, out, KICK_SLING);
        score(game, 20);
        tell(it, "sling", contact->point);
    } else if (part->kind == PART_TARGET && (game->down >> part->index & 1) == 0) {
        hit_target(it, game, other, part);
    }
}

static void light_letter(FiloIter *it, Game *game, const Part *part, FiloVec2 at) {
    bool was_lit = (game->letters >> part->index & 1) != 0;
    game->letters |= 1u << part->index;
    score(game, was_lit ? 100 : 500);
    tell(it, "letter", at);
    if (game->letters != (1u << PINBALL_LETTERS) - 1) return;
    game->letters = 0;
    game->multiplier = FILO_MIN(game->multiplier + 1, 5);
    score(game, 2000);
    note(game, NOTE_LETTERS, (uint64_t)game->multiplier);
    tell(it, "letters", at);
}

static void enter_saucer(FiloIter *it, Game *game, FiloEntity ball, FiloVec2 at) {
    Ball *held = filo_edit(it->world, ball, Ball);
    if (held->held > 0) return;
    held->held = 1.1f;
    tell(it, "saucer", at);
    if (game->lit && !game->multiball) {
        game->lit = false;
        game->multiball = true;
        game->serve += 2;
        game->serve_in = 1.2f;
        game->saver = SAVER;
        game->shake = 0.5f;
        note(game, NOTE_MULTIBALL, 0);
        tell(it, "multiball", at);
    } else if (game->multiball) {
        score(game, 5000); // twice
        note(game, NOTE_JACKPOT, 10000);
        tell(it, "jackpot", at);
    } else {
        score(game, 1000);
        note(game, NOTE_SAUCER, 1000);
    }
}

static void enter(FiloIter *it, const FiloEvent *event) {
    const FiloContactEvent2 *contact = event->payload;
    Game *game = filo_edit_global(it->world, Game);
    Part *part = filo_try_edit(it->world, contact->a, Part);
    if (part == NULL || !filo_has(it->world, contact->b, Ball)) return;
    FiloVec2 at = filo_get(it->world, contact->a, FiloTransform2)->position;
    FiloVec2 velocity = filo_get(it->world, contact->b, FiloBody2)->velocity;
    part->lit = FLASH;
    if (part->kind == PART_LETTER) {
        light_letter(it, game, part, at);
    } else if (part->kind == PART_SPINNER) {
        part->turn = filo_min(part->turn + 0.5f * filo_abs(velocity.y), 12);
    } else if (part->kind == PART_SAUCER) {
        enter_saucer(it, game, contact->b, at);
    }
}

static void take_pilot(FiloIter *it, const FiloEvent *event) {
    *filo_edit_global(it->world, Pilot) = *(const Pilot *)event->payload;
}

// A message of the menu: the table is empty, and the first ball is served.
static void begin_again(FiloIter *it, const FiloEvent *event) {
    (void)event;
    FiloEach each = filo_iter_each_over(it, it->user);
    while (filo_each_next(&each)) filo_destroy(it->changes, each.entity);
    begin_game(filo_edit_global(it->world, Game));
    *filo_edit_global(it->world, Pilot) = (Pilot){ 0 };
}

// ---- Setup ------------------------------------------------------------------------------------------------------------

static bool add_handlers(FiloWorld *world) {
    const FiloWorldHandlerDesc handlers[] = {
        { .event = filo_name(FILO_CONTACT_BEGIN),
          .type = FILO_TYPE(FiloContactEvent2),
          .run = touch,
          .extra_access = { FILO_WRITE(Game), FILO_WRITE(Part), FILO_WRITE(FiloBody2), FILO_READ(Ball) } },
        { .event = filo_name(FILO_SENSOR_BEGIN),
          .type = FILO_TYPE(FiloContactEvent2),
          .run = enter,
          .extra_access = { FILO_WRITE(Game), FILO_WRITE(Part), FILO_WRITE(Ball), FILO_READ(FiloBody2),
                            FILO_READ(FiloTransform2) } },
        { .event = filo_name(PINBALL_PILOT),
          .type = FILO_TYPE(Pilot),
          .run = take_pilot,
          .extra_access = { FILO_WRITE(Pilot) } },
        { .event = filo_name(PINBALL_BEGIN),
          .run = begin_again,
          .user = filo_query(world, FILO_WITH(Ball)),
          .extra_access = { FILO_WRITE(Game), FILO_WRITE(Pilot) } },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(handlers); i++)
        if (filo_world_handle(world, &handlers[i]).generation == 0) return false;
    return true;
}

bool pinball_define(FiloWorld *world) {
    if (!filo_physics2_register(world)) return false;
    filo_component(world, Part);
    filo_component(world, Ball);
    filo_component(world, Flipper);
    filo_component(world, Plunger);
    filo_component(world, PlungerHead);
    filo_component(world, Game, .storage = FILO_STORAGE_GLOBAL);
    filo_component(world, Pilot, .storage = FILO_STORAGE_GLOBAL);
    const FiloSystemDesc systems[] = {
        { .name = "run clock", .run = run_clock, .query.terms = { FILO_WRITE(Game), FILO_READ(FiloInput) } },
        { .name = "flip",
          .run = flip,
          .query.terms = { FILO_WRITE(FiloJoint2), FILO_WRITE(Flipper), FILO_WRITE(Game), FILO_READ(Pilot),
                           FILO_READ(FiloInput) } },
        { .name = "pull",
          .run = pull,
          .query.terms = { FILO_WRITE(FiloJoint2), FILO_WITH(Plunger), FILO_READ(Pilot),
                           FILO_READ(FiloInput) } },
        { .name = "nudge",
          .run = nudge,
          .query.terms = { FILO_WRITE(FiloBody2), FILO_WITH(Ball), FILO_WRITE(Game), FILO_READ(FiloInput) } },
        { .name = "serve", .run = serve, .query.terms = { FILO_WRITE(Game) } },
        { .name = "watch balls",
          .run = watch,
          .phase = FILO_PHASE_AFTER,
          .query.terms = { FILO_READ(FiloTransform2), FILO_WRITE(FiloBody2), FILO_WRITE(Ball),
                           FILO_WRITE(Game) } },
        { .name = "run parts",
          .run = run_parts,
          .phase = FILO_PHASE_AFTER,
          .once = true,
          .query = { .terms = { FILO_WRITE(Part) }, .activity = FILO_ANY_ACTIVITY },
          .extra_access = { FILO_WRITE(Game) } },
        { .name = "shake camera",
          .run = shake_camera,
          .phase = FILO_PHASE_AFTER,
          .query.terms = { FILO_WRITE(FiloCamera), FILO_READ(Game) } },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(systems); i++)
        if (filo_system_add(world, &systems[i]).id == 0) return false;
    return add_handlers(world);
}
