// Time goes backwards, and branches: the app of the example, which its test uses too.

#ifndef REWIND_H
#define REWIND_H

#include <filo/filo.h>

#define REWIND_SECONDS 5 // that can be rewound
#define REWIND_BODIES  128

// What is drawn of the other future.
typedef struct Ghost {
    FiloTransform2 transform;
    FiloVec2 half; // of a box; {0, 0}: a ball
    float radius;
} Ghost;

typedef struct Rewind {
    bool demo;        // flag: shows by itself what the keys do
    size_t states;    // that are kept
    size_t back;      // ticks before the present that are shown
    FiloWorld *other; // the future without the change; NULL: there is only one
    FiloQuery *others;
    FiloSnapshot *snapshot;
    Ghost ghosts[REWIND_BODIES];
    size_t ghost_count;
    int frames;                 // of the demonstration
    float height, other_height; // of the highest box, in both futures
    char problem[256];
} Rewind;

FiloAppDesc rewind_app(Rewind *rewind);

// Between ticks. Shows the state so many ticks before; what was not kept is not shown.
void rewind_by(Rewind *rewind, FiloApp *app, size_t back);
// Goes on from the state that is shown, twice: the app's world with a lighter ball, and `other` as it was before.
FiloResult rewind_branch(Rewind *rewind, FiloApp *app);
// The height of the highest box of a world.
float rewind_height(FiloWorld *world);

#endif
