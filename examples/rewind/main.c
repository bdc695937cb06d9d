// Rewind: a ball hits a tower. Then time goes backwards, and branches.
//
// Hold the left arrow key, and the tower builds itself up again; the right one goes forward. Space goes on from the moment that
// is shown with a ball of a tenth of its weight, while the outlines go on as it was: two futures of one moment. All of
// this is exact, because contacts with their impulses are a part of the world: the outlines do what the tower did.
//
//     ./dev run rewind
//     ./dev run rewind --headless --demo --frames 290 --shot out/rewind.png     goes back and branches by itself
//
// examples/snapshots does the same with ants, as text, and saves them to a file.

#include "rewind.h"

int main(int argc, char **argv) {
    Rewind rewind = { 0 };
    const FiloFlag flags[] = { { "demo", "go back and branch by itself", .on = &rewind.demo } };
    FiloAppDesc desc = rewind_app(&rewind);
    desc.flags = flags;
    desc.flag_count = FILO_COUNT_OF(flags);
    return filo_run(argc, argv, &desc);
}
