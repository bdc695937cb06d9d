// An editor: the world of a running game, browsed and changed while it runs.
//
// The game is boids, and the editor is what every game has behind F3 (docs/inspector.md). A click on a boid selects it.
// Twelve boids escort a leader: drag another entity from the list onto "leader" of an escort, or pick it from the drop-down.
// Change the rules in the tab Globals, pause, go back by some seconds, and go on from there. The right button is a hawk.
//
//     ./dev run editor
//     ./dev run editor --record edits.input        then --replay edits.input: the edits are repeated
//
// Nothing here is about panels: they are made from the descriptions of the components.

#include "boids/boids.h"

#include <stdio.h>

#define ESCORTS 12
#define FASTEST 250.0f // of an escort, in units a second

// ---- Components -------------------------------------------------------------------------------------------

typedef enum Formation { FORMATION_NONE, FORMATION_TRAIL, FORMATION_RING } Formation;
FILO_REFLECT_ENUM(Formation, FILO_VALUE(FORMATION_NONE, "none"), FILO_VALUE(FORMATION_TRAIL, "trail"),
                  FILO_VALUE(FORMATION_RING, "ring"))

typedef struct Escort {
    FiloEntity leader;
    Formation formation;
    float distance, angle, eagerness;
} Escort;
FILO_REFLECT(Escort, FILO_FIELD(FiloEntity, leader, .help = "flies with this boid"),
             FILO_FIELD(Formation, formation),
             FILO_FIELD(float, distance, .min = 0, .max = 100, .help = "from its leader, in units"),
             FILO_FIELD(float, angle, .min = -3.15, .max = 3.15, .help = "its place in the ring, in radians"),
             FILO_FIELD(float, eagerness, .min = 0, .max = 10))

// ---- Systems ----------------------------------------------------------------------------------------------

// After the rules of the flock, so that an escort may be faster than these allow.
static void escort(FiloIter *it) {
    const Escort *escort = filo_read(it, Escort);
    const FiloTransform2 *transform = filo_read(it, FiloTransform2);
    Boid *boid = filo_write(it, Boid);
    for (size_t i = 0; i < it->count; i++) {
        const FiloTransform2 *leader = filo_get(it->world, escort[i].leader, FiloTransform2);
        const Boid *flight = filo_get(it->world, escort[i].leader, Boid);
        if (leader == NULL || flight == NULL || escort[i].formation == FORMATION_NONE) continue;
        float angle = leader->rotation + (escort[i].formation == FORMATION_RING ? escort[i].angle : FILO_PI);
        FiloVec2 place =
            filo_vec2_add_scaled(leader->position, filo_vec2_from_angle(angle), escort[i].distance);
        FiloVec2 way = filo_vec2_sub(place, transform[i].position);
        FiloVec2 wanted = filo_vec2_add_scaled(flight->velocity, way, escort[i].eagerness);
        boid[i].velocity = filo_vec2_lerp(boid[i].velocity, filo_vec2_clamp_length(wanted, FASTEST), 0.2f);
    }
}

// ---- Setup ------------------------------------------------------------------------------------------------

typedef struct Show {
    uint64_t count; // flag
    Boids boids;
    FiloEntity camera;
    FiloVec2 marked; // position of the selected entity, for `draw`
    bool is_marked;
    float zoom, height; // of the camera
} Show;

// False without memory.
static bool create_escorts(FiloWorld *world) {
    FiloEntity flock[ESCORTS + 1];
    size_t count = 0;
    FiloQuery *query = filo_query(world, FILO_WITH(Boid));
    FiloEach each = filo_query_each(query);
    while (count <= ESCORTS && filo_each_next(&each)) flock[count++] = each.entity;
    filo_each_end(&each);
    filo_query_release(query);
    if (count <= ESCORTS) return false;
    filo_entity_set_name(world, flock[0], "leader");
    filo_edit(world, flock[0], FiloSprite)->color = FILO_COLOR_YELLOW;
    filo_edit(world, flock[0], FiloTransform2)->scale = filo_vec2(2, 2);
    for (size_t i = 1; i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "escort %zu", i);
        filo_entity_set_name(world, flock[i], name);
        filo_edit(world, flock[i], FiloSprite)->color = FILO_COLOR_ORANGE;
        filo_set(world, flock[i], Escort, .leader = flock[0], .formation = FORMATION_RING, .distance = 30,
                 .angle = (float)i * FILO_TAU / ESCORTS - FILO_PI, .eagerness = 4);
    }
    return true;
}

static FiloResult create(FiloApp *app) {
    static const FiloKey button = FILO_MOUSE_RIGHT;
    Show *show = filo_app_user(app);
    FiloWorld *world = filo_app_world(app);
    if (!boids_art(filo_app_assets(app))) return filo_error(FILO_ERROR_MEMORY, "editor: no memory");
    FiloResult r = boids_begin(&show->boids, world, show->count, false);
    if (r.code != FILO_OK) return r;
    filo_component(world, Escort);
    filo_system_add(world, &(FiloSystemDesc){ .name = "escort",
                                              .run = escort,
                                              .after = { "steer" },
                                              .before = { "fly" },
                                              .query.terms = { FILO_READ(Escort), FILO_READ(FiloTransform2),
                                                               FILO_WRITE(Boid) } });
    show->camera = boids_view(world, &button);
    filo_entity_set_name(world, show->camera, "camera");
    if (!create_escorts(world)) {
        boids_end(&show->boids); // `end` is not called after a failure
        return filo_error(FILO_ERROR_MEMORY, "editor: no memory");
    }
    filo_app_show_overlay(app, true);
    FiloInspector *inspector = FILO_APP_OBJECT(app, FiloInspector);
    if (inspector == NULL) return r; // the command line may have left the screen out
    filo_inspector_show_tab(inspector, "World");
    filo_inspector_select(inspector, filo_world_find(world, "escort 1"));
    return r;
}

static void end(FiloApp *app) {
    Show *show = filo_app_user(app);
    boids_end(&show->boids);
}

// ---- Selecting by a click ---------------------------------------------------------------------------------

static FiloEntity nearest(FiloWorld *world, FiloVec2 point) {
    FiloEntity best = FILO_ENTITY_NONE;
    float least = 15;
    FiloQuery *query = filo_query(world, FILO_READ(FiloTransform2), FILO_WITH(Boid));
    FiloEach each = filo_query_each(query);
    while (filo_each_next(&each)) {
        float distance = filo_vec2_distance(filo_each_read(&each, FiloTransform2)->position, point);
        if (distance < least) least = distance, best = each.entity;
    }
    filo_query_release(query);
    return best;
}

// A click on a panel is not in this input: the UI has taken it.
static void frame(FiloApp *app) {
    const Show *show = filo_app_user(app);
    const FiloInput *input = filo_app_input(app);
    FiloInspector *inspector = FILO_APP_OBJECT(app, FiloInspector);
    const FiloCamera *camera = filo_get(filo_app_world(app), show->camera, FiloCamera);
    if (inspector == NULL || camera == NULL || !filo_input_pressed(input, FILO_MOUSE_LEFT)) return;
    FiloEntity clicked = nearest(filo_app_world(app), boids_point(camera, input));
    if (clicked.id != 0) filo_inspector_select(inspector, clicked);
}

// ---- A ring around what is selected -----------------------------------------------------------------------

static void extract(FiloApp *app) {
    Show *show = filo_app_user(app);
    const FiloInspector *inspector = FILO_APP_OBJECT(app, FiloInspector);
    if (inspector == NULL) return;
    const FiloTransform2 *transform =
        filo_get(filo_app_world(app), filo_inspector_selected(inspector), FiloTransform2);
    show->is_marked = transform != NULL;
    if (transform != NULL) show->marked = transform->position;
}

static void draw(FiloApp *app, FiloDraw *draw) {
    const Show *show = filo_app_user(app);
    if (!show->is_marked) return;
    filo_draw_in_world(draw, 10);
    filo_draw_ring(draw, show->marked, 14, 2, FILO_COLOR_WHITE);
}

// ---- Main -------------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    Show show = { .count = 2500 };
    const FiloFlag flags[] = {
        { "boids", "how many", .unsigned_integer = &show.count, .min = 100, .max = 5e6 },
    };
    return filo_run(argc, argv,
                    &(FiloAppDesc){ .name = "editor",
                                    .summary = "Boids, and an editor of their world.",
                                    .window = { .title = "Editor", .width = 1600, .height = 900 },
                                    .background = filo_color_from_hex(0x0B1522FF),
                                    .flags = flags,
                                    .flag_count = FILO_COUNT_OF(flags),
                                    .create = create,
                                    .frame = frame,
                                    .extract = extract,
                                    .draw = draw,
                                    .end = end,
                                    .user = &show });
}
