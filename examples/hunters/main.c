// Hunters: characters that are state machines made of switches hunt the player. It shows
//   - pure objects with a network of signal functions: what a hunter does is a switch between branches;
//   - branches with parameters: where a hunter leaps to; and time of their own: how long it rests;
//   - events between objects: a swing of the player hits hunters, a leap of a hunter bites the player;
//   - an object from a state and a step function: the player;
//   - the picture of the state machine: --states FILE writes it for Graphviz.
//
// Hunters live in the plane and are shown in space: (x, y) is at (x, 0, −y). The scene is made in scene.c.
//
// A, D, W, S or the arrow keys walk, the space bar swings. Without a screen the player walks by a script.
//
// Try: ./dev run hunters
//      ./dev run hunters --count 5000 --headless --frames 600 --hash --threads 8
//      ./dev run hunters --headless --frames 1 --states states.dot && dot -Tsvg states.dot

#include "player.h"
#include "scene.h"

#define SIGHT 14.0f // how far a hunter sees

// ---- The mind of a hunter -----------------------------------------------------------------------------------------

typedef enum Mood { MOOD_WANDER, MOOD_CHASE, MOOD_CROUCH, MOOD_LEAP, MOOD_REST, MOOD_STUNNED } Mood;

FILO_SF_FUNCTION2(toward, FiloVec2, FiloVec2, from, FiloVec2, to) {
    return filo_vec2_normalise(filo_vec2_sub(to, from));
}
FILO_SF_FUNCTION2(distance, float, FiloVec2, a, FiloVec2, b) { return filo_vec2_distance(a, b); }
FILO_SF_FUNCTION(direction, FiloVec2, float, angle) { return filo_vec2(filo_cos(angle), filo_sin(angle)); }
FILO_SF_FUNCTION2(hurt, int32_t, int32_t, health, Hit, hit) {
    (void)hit;
    return health - 1;
}
FILO_SF_FUNCTION3(hunter, Hunter, FiloVec2, position, int32_t, mood, int32_t, health) {
    return (Hunter){ position, mood, health };
}
// It looks where it goes, and to the player if it stays.
FILO_SF_FUNCTION4(placed, FiloTransform3, FiloVec2, position, int32_t, mood, FiloVec2, velocity, FiloVec2,
                  ahead) {
    float size = mood == MOOD_CROUCH ? 0.75f : 1, height = mood == MOOD_LEAP ? 0.7f : 0;
    FiloVec2 way = velocity.x != 0 || velocity.y != 0 ? velocity : ahead;
    return (FiloTransform3){ .position = { position.x, height, -position.y },
                             .rotation = scene_facing(way),
                             .scale = { 2 - size, size, 2 - size } };
}
static const uint32_t colors[] = {
    0x7FB069FF, 0xE6AA68FF, 0xFFD23FFF, 0xEE4266FF, 0x8D99AEFF, 0x5E6C8AFF
};                           // of moods
static FiloName hunter_mesh; // set once, before the first tick

FILO_SF_FUNCTION(painted, FiloMesh, int32_t, mood) {
    return (FiloMesh){ .mesh = hunter_mesh, .color = filo_color_from_hex(colors[mood]) };
}

// What a branch gives: a velocity and a mood.
static FiloSf act(FiloSf velocity, Mood mood) {
    return filo_sf_pair(velocity, filo_sf_constant(velocity.builder, FILO_SF(int32_t, (int32_t)mood)));
}

static FiloSf seconds(FiloSfBuilder *b, float s, const char *name) {
    return filo_sf_named(filo_sf_after(b, s, FILO_SF_NONE), name);
}

static FiloResult make_mind(FiloNetwork **mind) {
    FiloSfBuilder *b = filo_sf_builder_create(
        &(FiloSfBuilderDesc){ .name = "hunter",
                              .inputs = { FILO_SF_INPUT("state", Hunter), FILO_SF_INPUT("Prey", Prey),
                                          FILO_SF_EVENT("Hit", Hit) } });
    FiloSf here = filo_sf_field(filo_sf_in(b, 0), "position"),
           prey = filo_sf_field(filo_sf_in(b, 1), "position");
    FiloSf hit = filo_sf_named(filo_sf_in(b, 2), "hit");
    FiloSf far = filo_sf_arr2(here, prey, &distance), ahead = filo_sf_arr2(here, prey, &toward);
    FiloSf still = filo_sf_constant(b, FILO_SF(FiloVec2, 0, 0));
    FiloSf sight = filo_sf_constant(b, FILO_SF(float, SIGHT)), jump = filo_sf_constant(b, FILO_SF(float, 4));
    FiloSf sees = filo_sf_named(filo_sf_i_edge(filo_sf_less(far, sight), false), "sees the player");
    FiloSf loses =
        filo_sf_named(filo_sf_edge(filo_sf_greater(far, filo_sf_scale(sight, 1.3f))), "loses the player");
    FiloSf near = filo_sf_named(filo_sf_i_edge(filo_sf_less(far, jump), false), "is near");

    FiloSfBranch wander = filo_sf_branch(b, "wander", NULL), chase = filo_sf_branch(b, "chase", NULL);
    FiloSfBranch crouch = filo_sf_branch(b, "crouch", NULL), rest = filo_sf_branch(b, "rest", NULL);
    FiloSfBranch leap = filo_sf_branch(b, "leap", FILO_TYPE(FiloVec2)); // the direction
    FiloSfBranch stunned = filo_sf_branch(b, "stunned", FILO_TYPE(Hit));
    FiloSfExit struck = FILO_ON(hit, stunned);

    FiloSf whim = filo_sf_hold(filo_sf_sample(filo_sf_noise(b, 0, 6.283f), 1.5f), FILO_SF(float, 0));
    filo_sf_define(wander, filo_sf_switch(act(filo_sf_arr(whim, &direction), MOOD_WANDER), struck,
                                          FILO_ON(sees, chase)));
    filo_sf_define(chase, filo_sf_switch(act(filo_sf_scale(ahead, 3), MOOD_CHASE), struck,
                                         FILO_ON(near, crouch), FILO_ON(loses, wander)));
    filo_sf_define(crouch, filo_sf_switch(act(still, MOOD_CROUCH), struck,
                                          FILO_ON(filo_sf_tag(seconds(b, 0.5f, "0.5 s"), ahead), leap)));
    filo_sf_define(leap, filo_sf_switch(act(filo_sf_scale(filo_sf_parameter(leap), 14), MOOD_LEAP),
                                        FILO_ON(seconds(b, 0.4f, "0.4 s"), rest)));
    filo_sf_define(rest,
                   filo_sf_switch(act(still, MOOD_REST), struck, FILO_ON(seconds(b, 1.2f, "1.2 s"), wander)));
    FiloSf thrown = filo_sf_mul(
        filo_sf_field(filo_sf_parameter(stunned), "push"),
        filo_sf_max(filo_sf_sub(filo_sf_constant(b, FILO_SF(float, 1)), filo_sf_scale(filo_sf_time(b), 2)),
                    filo_sf_constant(b, FILO_SF(float, 0))));
    filo_sf_define(stunned, filo_sf_switch(act(thrown, MOOD_STUNNED), FILO_ON(seconds(b, 1, "1 s"), wander)));

    FiloSf deed = filo_sf_start(wander, FILO_SF_NONE);
    FiloSf start = filo_sf_hold(filo_sf_snap(here), FILO_SF(FiloVec2, 0, 0)), mood = filo_sf_get(deed, 1);
    FiloSf position = filo_sf_add(start, filo_sf_integral(filo_sf_get(deed, 0)));
    FiloSf health = filo_sf_accum_hold(hit, FILO_SF(int32_t, 3), &hurt),
           one = filo_sf_constant(b, FILO_SF(int32_t, 1));
    FiloSf leaps = filo_sf_equal(mood, filo_sf_constant(b, FILO_SF(int32_t, MOOD_LEAP)));
    FiloSf touches = filo_sf_less(far, filo_sf_constant(b, FILO_SF(float, 1)));
    const FiloSf outputs[] = { filo_sf_arr3(position, mood, health, &hunter),
                               filo_sf_arr4(position, mood, filo_sf_get(deed, 0), ahead, &placed),
                               filo_sf_arr(mood, &painted), filo_sf_edge(filo_sf_less(health, one)),
                               filo_sf_edge(filo_sf_and(leaps, touches)) };
    FiloResult r = filo_network_create(mind, filo_sf_tuple(b, outputs, FILO_COUNT_OF(outputs)), NULL);
    filo_sf_builder_destroy(b);
    return r;
}

// The last output: its leap reached the player.
static void bite(FiloIter *it, size_t row, const void *value) {
    (void)value;
    filo_object_send(it, filo_read_global(it, Prey)->player, Bite, filo_read(it, Hunter)[row].position);
}

static void find_prey(FiloIter *it) {
    Prey *prey = filo_write_global(it, Prey);
    const Player *player = filo_read(it, Player);
    for (size_t i = 0; i < it->count; i++) *prey = (Prey){ player[i].position, filo_iter_entity(it, i) };
}

// ---- Setup ------------------------------------------------------------------------------------------------------------

typedef struct Game {
    uint64_t count;
    const char *states; // flag: a file
    FiloNetwork *mind;
    int frames;
    Player player; // copied for drawing
    size_t hunters;
} Game;

static FiloResult write_states(const Game *game) {
    static char text[8192];
    size_t length = filo_network_draw_states(game->mind, text, sizeof text);
    return filo_file_write(game->states, text, length, NULL);
}

static FiloResult define(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    Game *game = filo_app_user(app);
    FiloResult r = make_mind(&game->mind);
    if (r.code == FILO_OK && game->states != NULL) r = write_states(game);
    if (r.code != FILO_OK) return r;
    filo_component(world, Prey, .storage = FILO_STORAGE_GLOBAL);
    const FiloObjectDesc kinds[] = {
        { .name = "hunter",
          .state = FILO_STATE_OF(Hunter),
          .network = game->mind,
          .reads = { FILO_READ(Prey) },
          .events = { FILO_TAKES(Hit, 2) },
          .shows = { FILO_WRITE(FiloTransform3), FILO_WRITE(FiloMesh) },
          .outputs = { FILO_OUT_STATE, FILO_OUT_SHOW(FiloTransform3), FILO_OUT_SHOW(FiloMesh), FILO_OUT_KILL,
                       FILO_OUT_CALL(bite) } },
        player_kind(),
    };
    r = filo_object_kinds_add(NULL, world, kinds, FILO_COUNT_OF(kinds));
    if (r.code != FILO_OK) return r;
    filo_system_add(world, &(FiloSystemDesc){ "find prey", find_prey, .phase = FILO_PHASE_BEFORE,
                                              .query.terms = { FILO_READ(Player), FILO_WRITE(Prey) } });
    return filo_ok();
}

static FiloResult create(FiloApp *app) {
    Game *game = filo_app_user(app);
    FiloWorld *world = filo_app_world(app);
    hunter_mesh = filo_name("hunter");
    FiloResult r = scene_add_figures(filo_app_gfx3d(app));
    if (r.code != FILO_OK) return r;
    for (size_t i = 0; i < game->count; i++) {
        FiloRandom random = filo_random_keyed(filo_world_seed(world), 0, 0, i);
        float x = filo_random_float_range(&random, -FIELD, FIELD),
              y = filo_random_float_range(&random, -FIELD, FIELD);
        filo_create(world, FILO_SET(Hunter, .position = { x, y }, .health = 3),
                    FILO_SET(FiloTransform3, .position = { x, 0, -y }), FILO_ADD(FiloMesh));
    }
    FiloEntity player = filo_create(
        world, FILO_SET(Player, .health = 10, .swing = 1), FILO_ADD(FiloTransform3),
        FILO_SET(FiloMesh, .mesh = filo_name("player"), .color = filo_color_from_hex(0x4CC9F0FF)));
    scene_create(world, player);
    return filo_ok();
}

// Without a screen the player walks in circles and swings.
static void frame(FiloApp *app) {
    static const FiloKey keys[] = { FILO_KEY_D, FILO_KEY_W, FILO_KEY_A, FILO_KEY_S };
    Game *game = filo_app_user(app);
    int n = game->frames++;
    if (!filo_app_args(app)->headless) return;
    for (int i = 0; i < 4; i++) {
        FiloInputChange change = { .kind = FILO_INPUT_KEY, .key = (int32_t)keys[i], .down = n / 50 % 4 == i };
        if (n % 50 == 0) filo_app_collect(app, &change);
    }
    FiloInputChange space = { .kind = FILO_INPUT_KEY, .key = (int32_t)FILO_KEY_SPACE, .down = n % 30 < 5 };
    if (n % 30 == 0 || n % 30 == 5) filo_app_collect(app, &space);
}

static void copy_player(FiloEntity object, void *state, void *user) {
    (void)object;
    ((Game *)user)->player = *(const Player *)state;
}

static void extract(FiloApp *app) {
    Game *game = filo_app_user(app);
    filo_objects_map(filo_app_world(app), Player, copy_player, game);
    game->hunters = filo_objects_count(filo_app_world(app), Hunter);
    if (game->player.swing < 0.15f) scene_draw_ring(filo_app_gfx3d(app), game->player.position, REACH);
}

static void draw(FiloApp *app, FiloDraw *draw) {
    const Game *game = filo_app_user(app);
    filo_draw_format(draw, 14, 12, 2, FILO_COLOR_WHITE, "health %d   hits %d   hunters %zu",
                     game->player.health, game->player.hits, game->hunters);
    FiloVec2 size = filo_draw_size(draw);
    static const char *const moods[] = { "wander", "chase", "crouch", "leap", "rest", "stunned" };
    size_t lines = FILO_COUNT_OF(moods);
    float line = 2 * filo_draw_text_size(draw, moods[0]).y, top = size.y - line * (float)lines - 20;
    filo_draw_box(draw, filo_rect(filo_vec2(6, top - 8), filo_vec2(150, size.y - 6)),
                  filo_color_from_hex(0x10181CB0));
    for (size_t i = 0; i < lines; i++)
        filo_draw_text(draw, 14, top + line * (float)i, 2, filo_color_from_hex(colors[i]), moods[i]);
}

// ---- Main ---------------------------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    Game game = { .count = 60 };
    const FiloFlag flags[] = {
        { "count", "how many hunters", .unsigned_integer = &game.count, .min = 0, .max = 1e6 },
        { "states", "write the state machine of a hunter for Graphviz", .path = &game.states,
          .unrecorded = true },
    };
    int code = filo_run(argc, argv,
                        &(FiloAppDesc){ .name = "hunters",
                                        .summary = "Hunters chase the player.",
                                        .window = { .title = "Hunters", .width = 960, .height = 720 },
                                        .gfx3d = true,
                                        .flags = flags,
                                        .flag_count = FILO_COUNT_OF(flags),
                                        .define = define,
                                        .create = create,
                                        .frame = frame,
                                        .extract = extract,
                                        .draw = draw,
                                        .user = &game });
    filo_network_destroy(game.mind); // after the world, which uses it
    return code;
}
