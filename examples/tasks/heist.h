// What the network of the scene computes in each tick, and what is drawn of it.

#ifndef HEIST_H
#define HEIST_H

#include <filo/filo.h>

// Positions on the stage, which is 640 × 360 units; x goes to the right.
#define STAGE_WIDTH  640.0f
#define STAGE_HEIGHT 360.0f
#define PEDESTAL     470.0f

#define PATIENCE 3.0f // seconds that Ben waits for the sign

typedef enum Who { WHO_NONE, WHO_ADA, WHO_BEN } Who;
FILO_REFLECT_DECLARE(Who);

// What the scene wants at this moment: the output of its tasks.
typedef struct Cue {
    float ada, ben; // where they walk to
    float speed;    // units a second
    Who who;        // is speaking
    char line[44];
    float time;   // seconds since the line began
    bool waiting; // for the sign
    bool cut;     // the sign was given in time: the alarm is dead
    bool taken;   // Ben carries the goose
    bool ringing; // the alarm
    bool dark;    // the curtain is closed
} Cue;
FILO_REFLECT_DECLARE(Cue);

// Where things are: they follow the cue.
typedef struct Stage {
    float ada, ben, goose;
    float curtain; // 0: open, 1: closed
} Stage;
FILO_REFLECT_DECLARE(Stage);

void heist_draw(FiloDraw *draw, const Cue *cue, const Stage *stage, float time);

#endif
