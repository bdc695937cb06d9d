// Tasks: a cut scene. Ada and Ben come for the golden goose. It shows
//   - tasks (filo/task.h): things to do one after the other, with time limits, a choice, and an alarm that aborts them;
//   - how tasks drive what goes on for ever: they say where to walk to, and the figures follow, so nothing jumps;
//   - a loop: the tasks wait until the figures have arrived, and the figures go where the tasks send them;
//   - the state of a network in the world: a component whose type is made while the program runs. So snapshots, --hash,
//     --record and --replay need nothing more.
//
// Space is the sign that Ben waits for; without it he takes the goose too early. A rings the alarm at any time. Without
// a screen the scene plays by itself.
//
// Try: ./dev run tasks
//      ./dev run tasks --headless --frames 1140 --shot out/tasks.png
//      another line for Ada; PATIENCE 10; take filo_task_abort_when away and ring the alarm

#include "heist.h"

#include <stdio.h>

FILO_REFLECT_ENUM(Who, FILO_VALUE(WHO_NONE, "none"), FILO_VALUE(WHO_ADA, "Ada"), FILO_VALUE(WHO_BEN, "Ben"))
FILO_REFLECT(Cue, FILO_FIELD(float, ada), FILO_FIELD(float, ben), FILO_FIELD(float, speed),
             FILO_FIELD(Who, who), FILO_FIELD(char, line), FILO_FIELD(float, time), FILO_FIELD(bool, waiting),
             FILO_FIELD(bool, cut), FILO_FIELD(bool, taken), FILO_FIELD(bool, ringing),
             FILO_FIELD(bool, dark))
FILO_REFLECT(Stage, FILO_FIELD(float, ada), FILO_FIELD(float, ben), FILO_FIELD(float, goose),
             FILO_FIELD(float, curtain))

// ---- Functions of values ----------------------------------------------------------------------------------

FILO_SF_FUNCTION2(at_time, Cue, Cue, cue, float, time) {
    cue.time = time;
    return cue;
}
FILO_SF_FUNCTION2(with_sign, Cue, Cue, cue, bool, sign) {
    cue.cut = sign;
    return cue;
}
// What Ben says when the sign was given, or was not.
FILO_SF_FUNCTION3(answer, Cue, Cue, cue, bool, sign, float, time) {
    cue.time = time;
    snprintf(cue.line, sizeof cue.line, "%s", sign ? "There it is. I go!" : "I cannot wait any longer.");
    return cue;
}
// How it ends: with the goose, or without it and in a hurry.
FILO_SF_FUNCTION3(ending, Cue, Cue, cue, bool, calm, float, time) {
    cue.time = time;
    cue.taken = calm;
    cue.ringing = !calm;
    if (!calm) cue.speed = 320;
    if (cue.who == WHO_ADA) snprintf(cue.line, sizeof cue.line, "%s", calm ? "Good night, museum." : "RUN!");
    return cue;
}
// The speed of something that goes to `goal`.
FILO_SF_FUNCTION3(approach, float, float, goal, float, now, float, speed) {
    return filo_clamp((goal - now) * 8, -speed, speed);
}
FILO_SF_FUNCTION4(stage_of, Stage, float, ada, float, ben, float, goose, float, curtain) {
    return (Stage){ ada, ben, goose, curtain };
}

// ---- The scene --------------------------------------------------------------------------------------------

typedef struct Script {
    FiloSfBuilder *b;
    FiloTasks t;
    FiloSf press, alarm, ada, ben; // inside of tasks: two events, and where both are
} Script;

#define CUE(...) ((Cue){ __VA_ARGS__ })
// Where they are.
#define TOGETHER .ada = 270, .ben = 200, .speed = 90
#define APART    .ada = 130, .ben = 330, .speed = 90

static FiloSf constant(const Script *s, Cue cue) {
    return filo_sf_constant(s->b, (FiloSfValue){ filo_type_Cue, &cue });
}

// A line, letter by letter: time is that of the task, which begins with it.
static FiloTask say(const Script *s, float seconds, Cue cue) {
    return filo_task_during(s->t, seconds, filo_sf_arr2(constant(s, cue), filo_sf_time(s->b), &at_time));
}

static FiloSf is_near(const Script *s, FiloSf x, FiloSf y) {
    return filo_sf_less(filo_sf_abs(filo_sf_sub(x, y)), filo_sf_constant(s->b, FILO_SF(float, 2)));
}

// Until both have arrived. i_edge: also at time 0, if they are there already.
static FiloTask walk(const Script *s, FiloSf cue) {
    FiloSf there = filo_sf_and(is_near(s, s->ada, filo_sf_field(cue, "ada")),
                               is_near(s, s->ben, filo_sf_field(cue, "ben")));
    return filo_task(s->t, cue, filo_sf_i_edge(there, false), NULL);
}

static FiloTask make_scene(const Script *s) {
    FiloTask enter = walk(s, constant(s, CUE(TOGETHER)));

    // They talk, and Ben waits for the sign, but not for ever. The value of that is a bool: whether it was given.
#define SAY(seconds, who_, text) say(s, seconds, CUE(TOGETHER, .who = who_, .line = text))
    FiloTask talk = filo_task_list(SAY(2.2f, WHO_ADA, "There. The golden goose."),
                                   SAY(2.0f, WHO_BEN, "And no guard at all?"),
                                   SAY(2.2f, WHO_ADA, "Only an alarm. I cut the wire,"),
                                   SAY(2.0f, WHO_ADA, "and you wait for the sign."));
    Cue waits = CUE(APART, .who = WHO_BEN, .line = "...", .waiting = true);
    FiloSf waiting = filo_sf_arr2(constant(s, waits), filo_sf_time(s->b), &at_time);
    FiloTask sign = filo_task_time_out(filo_task(s->t, waiting, s->press, NULL), PATIENCE);

    // What follows depends on the sign, which is the parameter of a branch.
    FiloSfBranch told = filo_sf_branch(s->b, "told", FILO_TYPE(bool));
    FiloSf given = filo_sf_parameter(told);
    Cue goes = CUE(.ada = 130, .ben = PEDESTAL - 42, .speed = 70), has = goes;
    has.taken = true;
    Cue speaks = CUE(APART, .who = WHO_BEN);
    FiloTask take = filo_task_list(
        filo_task_during(s->t, 1.6f, filo_sf_arr3(constant(s, speaks), given, filo_sf_time(s->b), &answer)),
        walk(s, filo_sf_arr2(constant(s, goes), given, &with_sign)),
        filo_task_during(s->t, 1.5f, filo_sf_arr2(constant(s, has), given, &with_sign)));

    // All of that until the alarm rings. The value is a bool again: whether it came to its end.
    FiloTask heist =
        filo_task_abort_when(filo_task_list(enter, talk, filo_task_bind(sign, told, take)), s->alarm);
    FiloSfBranch after = filo_sf_branch(s->b, "after", FILO_TYPE(bool));
    FiloSf calm = filo_sf_parameter(after);
    Cue last = CUE(.ada = 170, .ben = 250, .speed = 90, .who = WHO_ADA);
    Cue gone = CUE(.ada = -60, .ben = -130, .speed = 90);
    FiloTask leave = filo_task_list(
        filo_task_during(s->t, 1.5f, filo_sf_arr3(constant(s, last), calm, filo_sf_time(s->b), &ending)),
        walk(s, filo_sf_arr3(constant(s, gone), calm, filo_sf_time(s->b), &ending)));
    gone.dark = true;
    FiloTask curtain = say(s, 2, gone);
    return filo_task_for_ever(filo_task_list(filo_task_bind(heist, after, leave), curtain));
}

// ---- The network ------------------------------------------------------------------------------------------

// A number that begins at `start`, and goes to a goal with some speed.
static FiloSf follow(FiloSfBuilder *b, float start, FiloSf goal, FiloSf speed) {
    FiloSf now = filo_sf_rec(b, FILO_TYPE(float));
    FiloSf moved = filo_sf_integral(filo_sf_arr3(goal, now, speed, &approach));
    filo_sf_close(now, filo_sf_add(filo_sf_constant(b, FILO_SF(float, start)), moved));
    return now;
}

static FiloResult make_network(FiloNetwork **network) {
    FiloSfBuilder *b = filo_sf_builder_create(&(FiloSfBuilderDesc){
        .name = "heist", .inputs = { { "press", .event = true }, { "alarm", .event = true } } });
    if (b == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for a scene");

    // The cue depends on where the figures are, and they follow the cue.
    FiloSf cue = filo_sf_rec(b, FILO_TYPE(Cue));
    FiloSf speed = filo_sf_field(cue, "speed"), taken = filo_sf_field(cue, "taken"),
           dark = filo_sf_field(cue, "dark");
    FiloSf ada = follow(b, -60, filo_sf_field(cue, "ada"), speed);
    FiloSf ben = follow(b, -130, filo_sf_field(cue, "ben"), speed);

    // The alarm: by the key, or by the wire, half a second after the goose was taken.
    FiloSf wire = filo_sf_edge(filo_sf_and(taken, filo_sf_not(filo_sf_field(cue, "cut"))));
    FiloSf alarm = filo_sf_l_merge(filo_sf_in_named(b, "alarm"), filo_sf_delay_event(wire, 0.5f, 4));

    // Inside of the tasks, the input is this tuple.
    const FiloSf seen[] = { filo_sf_in_named(b, "press"), alarm, ada, ben };
    Script script = { .b = b, .t = filo_tasks(constant(&(Script){ .b = b }, CUE(.dark = true))) };
    script.press = filo_sf_in(b, 0), script.alarm = filo_sf_in(b, 1);
    script.ada = filo_sf_in(b, 2), script.ben = filo_sf_in(b, 3);
    filo_sf_close(cue, filo_sf_compose(filo_sf_tuple(b, seen, 4), filo_task_play(make_scene(&script))));

    // The goose is where Ben is while he has it, then where it was left, and on its pedestal again when the curtain opens.
    FiloSf pedestal = filo_sf_constant(b, FILO_SF(float, PEDESTAL)),
           one = filo_sf_constant(b, FILO_SF(float, 1));
    FiloSf moved = filo_sf_l_merge(filo_sf_event_when(taken, ben),
                                   filo_sf_tag(filo_sf_edge(filo_sf_not(dark)), pedestal));
    FiloSf goose = filo_sf_track_and_hold(moved, FILO_SF(float, PEDESTAL));
    FiloSf closed = filo_sf_select(dark, one, filo_sf_constant(b, FILO_SF(float, 0)));
    FiloSf curtain = follow(b, 1, closed, filo_sf_constant(b, FILO_SF(float, 1.2f)));
    FiloResult r = filo_network_create(
        network, filo_sf_pair(cue, filo_sf_arr4(ada, ben, goose, curtain, &stage_of)), NULL);
    filo_sf_builder_destroy(b);
    return r;
}

// ---- The system -------------------------------------------------------------------------------------------

// Steps the network of all scenes. Its state is the component of term 0; its outputs go directly to components.
static void play(FiloIter *it) {
    const FiloNetwork *network = it->user;
    const FiloInput *input = filo_read_global(it, FiloInput);
    uint8_t press = filo_input_pressed(input, FILO_KEY_SPACE), alarm = filo_input_pressed(input, FILO_KEY_A);
    FiloResult r = filo_network_step(
        network, &(FiloSfRows){ .count = it->count,
                                .states = filo_iter_column(it, 0).data,
                                .delta = it->delta,
                                .inputs = { &press, &alarm },
                                .same = { true, true }, // for all rows
                                .outputs = { filo_write(it, Cue), filo_write(it, Stage) } });
    if (r.code != FILO_OK) filo_log_error("tasks", "%s", r.message);
}

// ---- Setup ------------------------------------------------------------------------------------------------

#define SIGN 2240 // the frame in which a script presses Space

typedef struct Game {
    FiloNetwork *network;
    FiloComponent state; // of the network
    FiloEntity scene;
    Cue cue; // as drawn
    Stage stage;
    int frames;
} Game;

static FiloResult define(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    Game *game = filo_app_user(app);
    FiloResult r = make_network(&game->network);
    if (r.code != FILO_OK) return r;
    filo_component(world, Cue);
    filo_component(world, Stage);
    game->state = filo_component_register(
        world, &(FiloComponentDesc){ .type = filo_network_state_type(game->network) });
    const FiloTerm state = { .component = game->state, .access = FILO_ACCESS_WRITE };
    filo_system_add(world, &(FiloSystemDesc){ "play", play,
                                              .query.terms = { state, FILO_WRITE(Cue), FILO_WRITE(Stage),
                                                               FILO_READ(FiloInput) },
                                              .user = game->network });
    return filo_ok();
}

static FiloResult create(FiloApp *app) {
    Game *game = filo_app_user(app);
    // All zeroes: the scene has not begun.
    game->scene =
        filo_create(filo_app_world(app), { .component = game->state }, FILO_ADD(Cue), FILO_ADD(Stage));
    return filo_ok();
}

// Without a screen: the first time without the sign, the second time with it.
static void frame(FiloApp *app) {
    Game *game = filo_app_user(app);
    int frame = game->frames++;
    if (!filo_app_args(app)->headless || (frame != SIGN && frame != SIGN + 1)) return;
    filo_app_collect(
        app, &(FiloInputChange){ .kind = FILO_INPUT_KEY, .key = FILO_KEY_SPACE, .down = frame == SIGN });
}

// ---- Main -------------------------------------------------------------------------------------------------

static void extract(FiloApp *app) {
    Game *game = filo_app_user(app);
    const Cue *cue = filo_get(filo_app_world(app), game->scene, Cue);
    const Stage *stage = filo_get(filo_app_world(app), game->scene, Stage);
    if (cue == NULL || stage == NULL) return;
    game->cue = *cue;
    game->stage = *stage;
}

static void draw(FiloApp *app, FiloDraw *draw) {
    const Game *game = filo_app_user(app);
    heist_draw(draw, &game->cue, &game->stage, (float)filo_app_time(app));
}

int main(int argc, char **argv) {
    Game game = { 0 };
    int code = filo_run(argc, argv,
                        &(FiloAppDesc){ .name = "tasks",
                                        .summary = "A cut scene: two figures, and a golden goose.",
                                        .window = { .title = "Tasks", .width = 1280, .height = 720 },
                                        .background = FILO_COLOR_BLACK,
                                        .define = define,
                                        .create = create,
                                        .frame = frame,
                                        .extract = extract,
                                        .draw = draw,
                                        .user = &game });
    filo_network_destroy(game.network); // after the world, which has its type
    return code;
}
