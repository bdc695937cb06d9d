// Playground: rooms full of bodies and joints, to play with.
//
// The left mouse button drags, the right one or E creates what the panel says, and X blows things up. The keys 1 to 6 go to
// the rooms:
//
//   1  a pyramid, a wall, and a heavy ball on a chain
//   2  dolls: limbs on hinges with limits
//   3  a car, driven by the left and right arrow keys; hills, and a bridge of planks
//   4  a character, moved by A, D, W and S: stairs, slopes, platforms from below, a lift, conveyor belts
//   5  areas with forces of their own: water, wind, low gravity
//   6  a bridge that breaks, gears and rotors
//
// Q draws what the solver knows. The panel has every parameter. What it changes is sent as a message, so that --record has it.
//
//     ./dev run playground --room 3
//     ./dev run playground --headless --frames 300 --room 2 --panel --shot out/dolls.png

#include "playground.h"

#include "shared/parameters.h"
#include "shared/theme.h"

typedef struct Show {
    int room; // flag: 1 to ROOM_COUNT
    bool panel;
    bool solver; // what the solver knows is drawn
    Parameters parameters;
    Rules rules;
    Player player;
    FiloPhysics2Stats stats;
    FiloVec2 held;
} Show;

// ---- The panel ----------------------------------------------------------------------------------------------------

static void show_rules(Rules *rules, FiloUi *ui) {
    static const char *const spawns[SPAWN_COUNT] = { "Box", "Ball", "Pill", "Wedge", "Doll", "Car" };
    int spawn_kind = rules->spawn, sub_steps = rules->sub_steps;
    if (filo_ui_choice(ui, "Create (E)", &spawn_kind, spawns, SPAWN_COUNT)) rules->spawn = spawn_kind;
    if (filo_ui_begin_section(ui, "World")) {
        filo_ui_slider(ui, "Gravity x", &rules->gravity.x, -20, 20);
        filo_ui_slider(ui, "Gravity y", &rules->gravity.y, -30, 10);
        if (filo_ui_slider_int(ui, "Sub-steps", &sub_steps, 1, 16)) rules->sub_steps = sub_steps;
        filo_ui_slider(ui, "Contact hertz", &rules->contact_hertz, 1, 120);
        filo_ui_slider(ui, "Contact damping", &rules->contact_damping, 0.5f, 20);
        filo_ui_slider(ui, "Bounce from", &rules->restitution_speed, 0.1f, 5);
        filo_ui_switch(ui, "Sleep", &rules->sleep);
    }
    filo_ui_end(ui);
    if (filo_ui_begin_section(ui, "Things")) {
        filo_ui_slider(ui, "Mouse", &rules->drag, 10, 400);
        filo_ui_slider(ui, "Explosion", &rules->explosion, 0, 60);
        filo_ui_slider(ui, "Car", &rules->drive, 0, 40);
        filo_ui_slider(ui, "Belts", &rules->belt, -8, 8);
        filo_ui_slider(ui, "Rotors", &rules->machine, 0, 10);
        filo_ui_slider(ui, "Wind", &rules->wind, -40, 40);
        filo_ui_slider(ui, "Buoyancy", &rules->buoyancy, 0, 6);
    }
    filo_ui_end(ui);
    if (filo_ui_button(ui, "Defaults")) *rules = playground_rules();
}

static void show_solver(FiloApp *app) {
    const Show *show = filo_app_user(app);
    const uint32_t all = FILO_PHYSICS2_DEBUG_SHAPES | FILO_PHYSICS2_DEBUG_JOINTS |
                         FILO_PHYSICS2_DEBUG_CONTACTS | FILO_PHYSICS2_DEBUG_MOVERS;
    filo_app_physics_debug(app, show->solver ? all : 0);
}

static void frame(FiloApp *app) {
    Show *show = filo_app_user(app);
    if (!filo_input_pressed(filo_app_input(app), FILO_KEY_Q)) return;
    show->solver = !show->solver;
    show_solver(app);
}

static void ui(FiloApp *app, FiloUi *ui) {
    Show *show = filo_app_user(app);
    if (!parameters_shown(app, show->panel)) return;
    const FiloUiWindow window = { .position = { 16, 16 }, .size = { 290, 0 } };
    const FiloWorld *world = filo_app_world(app);
    parameters_sync(&show->parameters, FILO_TYPE(Rules), &show->rules, filo_get_global(world, Rules));
    if (filo_ui_begin_window(ui, "Playground", &window)) {
        FiloPhysics2Stats stats = filo_physics2_stats(world);
        filo_ui_value(ui, "Bodies, awake", "%zu, %zu", stats.bodies, stats.awake);
        filo_ui_value(ui, "Contacts, joints", "%zu, %zu", stats.touching, stats.joints);
        if (filo_ui_switch(ui, "Solver (Q)", &show->solver)) show_solver(app);
        show_rules(&show->rules, ui);
    }
    filo_ui_end(ui);
    parameters_send(&show->parameters, app, FILO_TYPE(Rules), &show->rules, filo_name(PLAYGROUND_RULES));
}

// ---- Drawing --------------------------------------------------------------------------------------------------------

static void extract(FiloApp *app) {
    Show *show = filo_app_user(app);
    const FiloWorld *world = filo_app_world(app);
    show->player = *filo_get_global(world, Player);
    const FiloJoint2 *joint = filo_get(world, show->player.joint, FiloJoint2);
    if (joint != NULL)
        show->held = filo_transform2_to_world(world, show->player.dragged, joint->anchor_b);
    else
        show->held = show->player.mouse;
}

static void draw_back(FiloDraw *draw) {
    static const char *const names[ROOM_COUNT] = { "stacks", "dolls", "cars", "walk", "areas", "machines" };
    filo_draw_in_world(draw, LAYER_BACK);
    for (int i = 0; i < ROOM_COUNT; i++) {
        float x = room_middle(i);
        FiloColor color = filo_color_from_hex(i % 2 == 0 ? 0x1A2131FF : 0x1D2536FF);
        filo_draw_box(draw, filo_rect_from_centre(filo_vec2(x, 8), filo_vec2(ROOM_WIDTH, 40)), color);
        filo_draw_format(draw, x + 8.5f, 14.4f, 3 * ROOM_HEIGHT * DETAIL / 720 / 2,
                         filo_color_from_hex(0x7485ADFF), "%d %s", i + 1, names[i]);
    }
}

static void draw_hills(FiloDraw *draw) {
    FiloVec2 points[HILL_POINTS + 2];
    size_t count = room_hills(points);
    points[count] = filo_vec2(points[count - 1].x, -0.05f);
    points[count + 1] = filo_vec2(points[0].x, -0.05f);
    filo_draw_in_world(draw, LAYER_GROUND);
    filo_draw_polygon(draw, points, count + 2, filo_color_from_hex(0x3B4660FF));
}

static void draw(FiloApp *app, FiloDraw *draw) {
    const Show *show = filo_app_user(app);
    const Player *player = &show->player;
    draw_back(draw);
    draw_hills(draw);
    filo_draw_in_world(draw, LAYER_FRONT + 1);
    if (player->joint.id != 0)
        filo_draw_line(draw, player->mouse, show->held, 0.06f, filo_color_from_hex(0xFFFFFFA0));
    if (player->blast_age < 0.4f) {
        float part = player->blast_age / 0.4f;
        filo_draw_ring(draw, player->blast, 0.5f + 4.5f * part, 0.8f * (1 - part),
                       filo_color_fade(filo_color_from_hex(0xFFD890FF), 1 - part));
    }
}

// ---- Setup ----------------------------------------------------------------------------------------------------------

static FiloResult no_memory(void) { return filo_error(FILO_ERROR_MEMORY, "playground: no memory"); }

static FiloResult load(FiloApp *app) { return things_art(filo_app_assets(app)) ? filo_ok() : no_memory(); }

static FiloResult define(FiloApp *app) {
    return playground_define(filo_app_world(app)) ? filo_ok() : no_memory();
}

static FiloResult create(FiloApp *app) {
    const Show *show = filo_app_user(app);
    if (parameters_shown(app, show->panel)) theme_set(app, filo_ui_theme_dark());
    return playground_create(filo_app_world(app), show->room - 1) ? filo_ok() : no_memory();
}

int main(int argc, char **argv) {
    Show show = { .room = 1 };
    const FiloFlag flags[] = {
        { "room", "begin in this room", .integer = &show.room, .min = 1, .max = ROOM_COUNT },
        { "panel", "show the panel without a window, too", .on = &show.panel, .unrecorded = true },
    };
    return filo_run(argc, argv,
                    &(FiloAppDesc){ .name = "playground",
                                    .summary = "Rooms full of bodies and joints.",
                                    .window = { .title = "Playground" },
                                    .pixels_per_unit = DETAIL,
                                    .background = filo_color_from_hex(0x161B26FF),
                                    .flags = flags,
                                    .flag_count = FILO_COUNT_OF(flags),
                                    .load = load,
                                    .define = define,
                                    .create = create,
                                    .frame = frame,
                                    .extract = extract,
                                    .draw = draw,
                                    .ui = ui,
                                    .user = &show });
}
