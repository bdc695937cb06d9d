// Bot: a mouse searches the cheese in a maze, and a bot steers it. It shows
//   - filo_app_collect: a bot presses keys, which are input like that of a player;
//   - a program with its own loop, by filo_app_main, which prints a result after the game;
//   - that the bot is not part of the world: a recording repeats the game without it.
//
// The bot follows the right wall. It releases the key while the mouse walks to the next cell, so that it takes the same
// turns in a window, where a frame may have several ticks, or none.
//
// Try: ./dev run bot --seed 7; --no-bot: you play, with WASD or the arrow keys
//      --record game.input, and then --replay game.input --no-bot
//      let the bot follow the left wall

#include <filo/filo.h>

#include <stdio.h>

#define COLUMNS    13
#define ROWS       7
#define CELLS      (COLUMNS * ROWS)
#define GOAL       (CELLS - 1) // at the upper right; the mouse begins in cell 0, at the lower left
#define STEP_TICKS 8           // from a cell to the next: more than a frame can have
#define REST_TICKS 60          // at the cheese, before the game ends

// The four directions, clockwise; y goes up. A byte for each cell has a bit for each direction.
static const struct Direction {
    int x, y;
    FiloKey key;
} directions[4] = {
    { 0, 1, FILO_KEY_UP }, { 1, 0, FILO_KEY_RIGHT }, { 0, -1, FILO_KEY_DOWN }, { -1, 0, FILO_KEY_LEFT }
};

static int reverse(int direction) { return (direction + 2) % 4; }
static bool has_direction(const uint8_t *cells, int cell, int direction) {
    return (cells[cell] >> direction & 1) != 0;
}
static void flip_direction(uint8_t *cells, int cell, int direction) {
    cells[cell] ^= (uint8_t)(1 << direction);
}

// The next cell in a direction, or -1 outside.
static int cell_beyond(int cell, int direction) {
    int x = cell % COLUMNS + directions[direction].x, y = cell / COLUMNS + directions[direction].y;
    return x < 0 || y < 0 || x >= COLUMNS || y >= ROWS ? -1 : y * COLUMNS + x;
}

// ---- Components: one of each for the world ----------------------------------------------------------------

typedef struct Maze {
    uint8_t open[CELLS];
} Maze;
FILO_REFLECT(Maze, FILO_FIELD(uint8_t, open))

typedef struct Mouse {
    int32_t cell, direction;
    int32_t ticks;         // since it left the cell, or at the cheese; 0: it stands
    int32_t steps, length; // steps in all; cells in the trail
    uint8_t trail[CELLS];  // the way from cell 0, without detours: a step back removes the last step
    bool visited[CELLS];
} Mouse;
FILO_REFLECT(Mouse, FILO_FIELD(int32_t, cell), FILO_FIELD(int32_t, direction), FILO_FIELD(int32_t, ticks),
             FILO_FIELD(int32_t, steps), FILO_FIELD(int32_t, length), FILO_FIELD(uint8_t, trail),
             FILO_FIELD(bool, visited))

// ---- Systems ----------------------------------------------------------------------------------------------

static void arrive(Mouse *mouse) {
    int next = cell_beyond(mouse->cell, mouse->direction), back = reverse(mouse->direction);
    bool goes_back = has_direction(mouse->trail, next, back);
    flip_direction(mouse->trail, goes_back ? next : mouse->cell, goes_back ? back : mouse->direction);
    mouse->length += goes_back ? -1 : 1;
    mouse->visited[mouse->cell] = true;
    mouse->cell = next;
    mouse->ticks = 0;
    mouse->steps++;
}

// What is heard of it is in assets/bot.cues.
static void tell(FiloIter *it, const char *event) {
    filo_event_record(it->events, filo_name(event), NULL, NULL);
}

static void walk(FiloIter *it) {
    Mouse *mouse = filo_write_global(it, Mouse);
    const Maze *maze = filo_read_global(it, Maze);
    FiloVec2 wish = filo_input_move(filo_read_global(it, FiloInput)); // a player's, or a bot's
    if (mouse->cell == GOAL) {
        if (++mouse->ticks == REST_TICKS) tell(it, FILO_EVENT_QUIT);
        return;
    }
    bool walks = mouse->ticks > 0;
    for (int direction = 0; direction < 4 && !walks; direction++) {
        walks = has_direction(maze->open, mouse->cell, direction) &&
                wish.x * (float)directions[direction].x + wish.y * (float)directions[direction].y > 0.5f;
        if (walks) mouse->direction = direction;
    }
    if (!walks || ++mouse->ticks < STEP_TICKS) return;
    arrive(mouse);
    tell(it, mouse->cell == GOAL ? "cheese" : "step");
}

// ---- Setup ------------------------------------------------------------------------------------------------

// A random walk until all cells are visited; the wall to a cell is opened when it is visited first (Aldous-Broder). So
// there is exactly one path from any cell to any other.
static void dig(Maze *maze, FiloRandom random) {
    for (int cell = 0, left = CELLS - 1; left > 0;) {
        int direction = (int)filo_random_below(&random, 4), next = cell_beyond(cell, direction);
        if (next < 0) continue;
        if (maze->open[next] == 0) {
            flip_direction(maze->open, cell, direction);
            flip_direction(maze->open, next, reverse(direction));
            left--;
        }
        cell = next;
    }
}

static FiloResult load(FiloApp *app) {
    filo_audio_use_table(filo_app_audio(app), "bot.cues");
    filo_audio_music(filo_app_audio(app), "music.synth", 1);
    return filo_ok();
}

static FiloResult create(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    filo_component(world, Mouse, .storage = FILO_STORAGE_GLOBAL);
    FiloComponent maze = filo_component(world, Maze, .storage = FILO_STORAGE_GLOBAL);
    filo_system_add(world, &(FiloSystemDesc){
                               .name = "walk",
                               .run = walk,
                               .query.terms = { FILO_WRITE(Mouse), FILO_READ(Maze), FILO_READ(FiloInput) } });
    Maze *dug = filo_global_edit(world, maze);
    if (dug == NULL) return filo_out_of_memory_result();
    dig(dug, filo_random_keyed(filo_world_seed(world), 0, 0, 0));
    filo_create(world, FILO_SET(FiloTransform2, .position = { COLUMNS / 2.0f, ROWS / 2.0f }),
                FILO_SET(FiloCamera, .height = ROWS + 1));
    return filo_ok();
}

// ---- The bot ----------------------------------------------------------------------------------------------

typedef struct Show {
    bool by_bot;
    Maze maze; // what is drawn
    Mouse mouse;
} Show;

// Minus and plus (=) change the volume.
static void change_volume(FiloApp *app) {
    FiloAudio *audio = filo_app_audio(app);
    const FiloInput *input = filo_app_input(app);
    float change = filo_input_pressed(input, FILO_KEY_EQUALS)  ? 0.1f
                   : filo_input_pressed(input, FILO_KEY_MINUS) ? -0.1f
                                                               : 0;
    if (change != 0) filo_audio_set_volume(audio, "master", filo_audio_volume(audio, "master") + change);
}

// Once a frame, between ticks: the bot reads the world, and presses or releases a key.
static void play(FiloApp *app) {
    change_volume(app);
    const Show *show = filo_app_user(app);
    const Maze *maze = filo_get_global(filo_app_world(app), Maze);
    const Mouse *mouse = filo_get_global(filo_app_world(app), Mouse);
    bool stands = mouse->ticks == 0 && mouse->cell != GOAL;
    int direction = mouse->direction;
    if (stands) // right if that is open, or else straight ahead, left, back
        for (direction += 5; !has_direction(maze->open, mouse->cell, direction % 4);) direction--;
    FiloKey key = directions[direction % 4].key;
    if (!show->by_bot || filo_input_down(filo_app_input(app), key) == stands) return;
    filo_app_collect(app, &(FiloInputChange){ .kind = FILO_INPUT_KEY, .key = (int32_t)key, .down = stands });
}

// ---- Drawing ----------------------------------------------------------------------------------------------

#define TRAIL_WIDTH 0.06f

static FiloVec2 middle_of(int cell) { // a cell is a unit wide
    int column = cell % COLUMNS, row = cell / COLUMNS;
    return filo_vec2((float)column + 0.5f, (float)row + 0.5f);
}

static FiloVec2 ahead_of(int direction) {
    return filo_vec2((float)directions[direction].x, (float)directions[direction].y);
}

static void disc(FiloDraw *draw, FiloVec2 at, float x, float y, float radius, uint32_t color) {
    filo_draw_circle(draw, filo_vec2(at.x + x, at.y + y), radius, filo_color_from_hex(color));
}

static void draw_cell(FiloDraw *draw, const Show *show, int cell) {
    FiloVec2 middle = middle_of(cell);
    filo_draw_in_world(draw, 0); // the layer
    if (show->mouse.visited[cell]) disc(draw, middle, 0, 0, 0.09f, 0x46557AFF);
    for (int direction = 0; direction < 4; direction++) {
        FiloVec2 edge = filo_vec2_add(middle, filo_vec2_scale(ahead_of(direction), 0.5f));
        FiloVec2 size = directions[direction].x != 0 ? filo_vec2(0.12f, 1.12f) : filo_vec2(1.12f, 0.12f);
        if (!has_direction(show->maze.open, cell, direction))
            filo_draw_box(draw, filo_rect_from_centre(edge, size), filo_color_from_hex(0x6C8FB8FF));
    }
    filo_draw_in_world(draw, 1);
    for (int direction = 0; direction < 4; direction++)
        if (has_direction(show->mouse.trail, cell, direction))
            filo_draw_line(draw, middle, filo_vec2_add(middle, ahead_of(direction)), TRAIL_WIDTH,
                           FILO_COLOR_ORANGE);
}

static void draw_mouse(FiloDraw *draw, FiloVec2 at) {
    const uint32_t grey = 0xC9CCD6FF, pink = 0xE89AA8FF, black = 0x1A1D29FF;
    disc(draw, at, -0.19f, 0.17f, 0.13f, grey);
    disc(draw, at, 0.19f, 0.17f, 0.13f, grey);
    disc(draw, at, -0.19f, 0.17f, 0.07f, pink);
    disc(draw, at, 0.19f, 0.17f, 0.07f, pink);
    disc(draw, at, 0, -0.02f, 0.24f, grey);
    disc(draw, at, -0.09f, 0.04f, 0.04f, black);
    disc(draw, at, 0.09f, 0.04f, 0.04f, black);
    disc(draw, at, 0, -0.08f, 0.05f, pink);
}

static void extract(FiloApp *app) {
    Show *show = filo_app_user(app);
    show->maze = *filo_get_global(filo_app_world(app), Maze);
    show->mouse = *filo_get_global(filo_app_world(app), Mouse);
}

static void draw(FiloApp *app, FiloDraw *draw) {
    const Show *show = filo_app_user(app);
    for (int cell = 0; cell < CELLS; cell++) draw_cell(draw, show, cell);
    const Mouse *mouse = &show->mouse;
    float part = mouse->cell != GOAL ? (float)mouse->ticks / STEP_TICKS : 0;
    FiloVec2 from = middle_of(mouse->cell),
             at = filo_vec2_add(from, filo_vec2_scale(ahead_of(mouse->direction), part));
    filo_draw_line(draw, from, at, TRAIL_WIDTH, FILO_COLOR_ORANGE);
    draw_mouse(draw, at);
    FiloVec2 cheese = middle_of(GOAL), rind = filo_vec2(cheese.x + 0.36f, cheese.y - 0.32f);
    filo_draw_triangle(draw, rind, filo_vec2(rind.x, rind.y + 0.42f), filo_vec2(rind.x - 0.56f, rind.y),
                       FILO_COLOR_YELLOW);
    disc(draw, rind, -0.14f, 0.14f, 0.06f, 0xD99A1CFF);
}

// ---- Main -------------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    Show show = { .by_bot = true };
    const FiloFlag flags[] = { { "bot", "a bot plays; with --no-bot you do", .on = &show.by_bot } };
    const FiloAppDesc desc = {
        .name = "bot",
        .summary = "A bot looks for the cheese in a maze.",
        .window = { .title = "Bot", .width = 84 * (COLUMNS + 1), .height = 84 * (ROWS + 1) },
        .background = filo_color_from_hex(0x161A26FF),
        FILO_ARGS_FLAGS(flags),
        .defaults.seed = 1,
        .asset_folder = FILO_EXAMPLE_ASSETS,
        .load = load,
        .create = create,
        .frame = play,
        .extract = extract,
        .draw = draw,
        .user = &show
    };
    int exit_code;
    FiloApp *app = filo_app_main(argc, argv, &desc, &exit_code);
    if (app == NULL) return exit_code;
    while (filo_app_frame(app)) {} // until the game or the player quits, or after --frames
    const Mouse *mouse = filo_get_global(filo_app_world(app), Mouse);
    printf("%s after %d steps; back home it is %d\n", mouse->cell == GOAL ? "at the cheese" : "on the way",
           mouse->steps, mouse->length);
    return filo_app_main_end(app); // handles --hash, --stats, --shot and so on, and ends a recording
}

// Prints, on any number of threads:
//
//  at the cheese after 64 steps; back home it is 28
