// The rules of Pinball: components, systems, and the table. They need no screen: the game and its tests use them.
//
//   table.c    what the table consists of: walls, flippers, plunger, gate, bumpers, targets
//   pinball.c  what a game is: balls, score, bonus, multiball, tilt
//
// Units: the table is 10.9 wide and 20 high. Gravity pulls along it, towards the player.

#ifndef PINBALL_H
#define PINBALL_H

#include <filo/filo.h>

// ---- The table --------------------------------------------------------------------------------------------

#define PINBALL_LEFT   (-5.0f)
#define PINBALL_RIGHT  5.0f // the wall between the field and the lane of the plunger
#define PINBALL_EDGE   5.9f // the right wall of that lane
#define PINBALL_BOTTOM (-0.6f)
#define PINBALL_TOP    19.95f
#define PINBALL_VIEW   21.6f   // height of what the camera sees
#define PINBALL_DRAIN  (-1.2f) // a ball below this is lost

#define PINBALL_BALL    0.23f // radius of a ball
#define PINBALL_BALL_X  5.45f // where balls are served
#define PINBALL_BALL_Y  1.9f
#define PINBALL_WALL    0.07f // half the width of a wall
#define PINBALL_BUMPER  0.72f // radius
#define PINBALL_FLIPPER 1.62f // length, from the pivot to the centre of the tip
#define PINBALL_PIVOT_X 2.05f
#define PINBALL_PIVOT_Y 3.1f
#define PINBALL_PLUNGER 1.3f // height of its head at rest

#define PINBALL_LETTERS 4 // lanes at the top
#define PINBALL_TARGETS 4
#define PINBALL_BUMPERS 3

// Walls are lines from point to point.
#define PINBALL_WALL_POINTS 64
typedef struct PinballWall {
    size_t count;
    FiloVec2 points[PINBALL_WALL_POINTS];
} PinballWall;
#define PINBALL_WALLS 16
// The n-th wall, below PINBALL_WALLS; without points past the last one. For the table, and for its picture.
PinballWall pinball_wall(size_t n);

typedef enum PartKind {
    PART_NONE,
    PART_BUMPER,
    PART_SLINGSHOT,
    PART_TARGET,  // drops when it is hit
    PART_LETTER,  // a lane at the top, with a sensor
    PART_SPINNER, // a sensor
    PART_SAUCER,  // a sensor that holds the ball
    PART_GATE,
} PartKind;

// What is more than a wall.
typedef struct Part {
    int32_t kind;  // PartKind
    int32_t index; // among those of its kind
    float lit;     // seconds that it still flashes
    float turn;    // spinner: turns that are left
} Part;
FILO_REFLECT_DECLARE(Part);

typedef struct Ball {
    float held; // seconds that the saucer still holds it
} Ball;
FILO_REFLECT_DECLARE(Ball);

// On the joint of a flipper.
typedef struct Flipper {
    float side; // -1: left, 1: right
    bool up;
} Flipper;
FILO_REFLECT_DECLARE(Flipper);

FILO_TAG_DECLARE(Plunger);     // on its joint
FILO_TAG_DECLARE(PlungerHead); // on its body

// ---- The game -----------------------------------------------------------------------------------------------

#define PINBALL_BALLS 3 // a game

// What the display says for a moment.
typedef enum PinballNote {
    NOTE_NONE,
    NOTE_BALL,
    NOTE_SAVED,
    NOTE_LETTERS,
    NOTE_TARGETS,
    NOTE_MULTIBALL,
    NOTE_JACKPOT,
    NOTE_SAUCER,
    NOTE_BONUS,
    NOTE_DANGER,
    NOTE_TILT,
    NOTE_OVER,
} PinballNote;

// The state of the game, one for the world.
typedef struct Game {
    uint64_t score;
    uint64_t bonus;      // is added at the end of a ball, times the multiplier
    int32_t ball;        // 1 to PINBALL_BALLS
    int32_t multiplier;  // 1 to 5
    int32_t in_play;     // balls on the table
    int32_t serve;       // balls that are still to be served
    float serve_in;      // seconds until the next one
    uint32_t letters;    // bits of those that are lit
    uint32_t down;       // bits of targets that are down
    float raise_in;      // seconds until the targets are raised
    int32_t banks;       // times that all targets were down, in this ball
    float saver;         // seconds in which a lost ball is returned
    float tilt;          // grows by 1 with each push, and shrinks with time; above 2.5 the game is tilted
    float shake;         // of the picture, and how it was pushed
    float time;          // seconds since the start
    float note_age;      // seconds since the note
    int32_t note;        // PinballNote
    uint64_t note_value; // of the note: points, or the number of a ball
    bool lit;            // the saucer starts a multiball
    bool multiball;
    bool launched; // the ball has left the lane of the plunger
    bool tilted;
    bool over;
} Game;
FILO_REFLECT_DECLARE(Game);

// What a program presses that plays while a menu has the keys: a message, so that a recording has it.
typedef struct Pilot {
    bool left, right, plunger;
} Pilot;
FILO_REFLECT_DECLARE(Pilot);

// Messages.
#define PINBALL_BEGIN "begin" // a new game
#define PINBALL_PILOT "pilot" // Pilot

// Actions.
#define PINBALL_ACTION_LEFT    "left flipper"
#define PINBALL_ACTION_RIGHT   "right flipper"
#define PINBALL_ACTION_PLUNGER "plunger"
#define PINBALL_ACTION_NUDGE   "nudge"
#define PINBALL_ACTION_AGAIN   "again"

// Events, which assets/pinball.cues turns into sounds. All have a Spot.
typedef struct Spot {
    FiloVec2 position;
} Spot;
FILO_REFLECT_DECLARE(Spot);

// Registers components, and adds systems and handlers. The world needs events, FiloInput, and filo_gfx2d_register.
bool pinball_define(FiloWorld *world);
// table.c: registers physics, and creates the table with a camera. False without memory.
bool pinball_create_table(FiloWorld *world);
// Creates a ball. With a change set, in a system.
void pinball_create_ball(FiloChanges *changes, FiloVec2 at, FiloVec2 velocity);
// The flippers' angles at rest (-1) and up (1), of a side.
float pinball_flipper_angle(float side, bool up);
FiloVec2 pinball_bumper(size_t n);
FiloVec2 pinball_letter(size_t n);
FiloVec2 pinball_target(size_t n);
#define PINBALL_TARGET_SIZE ((FiloVec2){ 0.26f, 0.62f })
FiloVec2 pinball_saucer(void);
FiloVec2 pinball_spinner(void);
// The corners of a slingshot: the upper one, the one at the wall, and the one at the flipper.
void pinball_slingshot(float side, FiloVec2 corners[3]);

// art.c: draws the pictures and adds them to the assets. False without memory.
bool pinball_art(FiloAssets *assets);

#endif
