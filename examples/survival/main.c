// Survival: a cookie in the dark, and a hundred thousand enemies that want it.
//
// Walk with WASD, the arrow keys or a gamepad; attacks fire automatically, in three shapes by turns. An enemy that is
// hit starts again far away. Escape or Start opens the menu: pause, settings, keys. R begins again. Minus and plus (=)
// change the volume. F3 shows the times of systems.
//
// Without a display: 2500 frames, when the crowd has come.
//
//     ./dev run survival                        the game
//     ./dev run survival --enemies 1000000      more enemies
//     ./dev run survival --headless --frames 600 --stats --shot out/survival.png
//     ./dev run survival --headless --frames 300 --menu pause --shot out/pause.png
//
// The rules are in survival.c, the picture of the game in app.c, its menus in menu.c, its sounds in sounds.c and assets, and
// what is drawn by code in art.c and title.c. Without a window there is no player and no menu: the game begins at once.

#include "menu.h"

int main(int argc, char **argv) {
    Survival survival = SURVIVAL_DEFAULT;
    const FiloFlag flags[] = {
        { "enemies", "how many there are", .unsigned_integer = &survival.enemies, .max = 10e6 },
        { "menu", "begin with this page", .choice = &survival.shown, .choices = page_names,
          .unrecorded = true },
    };
    FiloAppDesc desc = survival_app(&survival);
    desc.flags = flags;
    desc.flag_count = FILO_COUNT_OF(flags);
    return filo_run(argc, argv, &desc);
}
