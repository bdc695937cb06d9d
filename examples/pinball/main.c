// Pinball: three balls, two flippers, bumpers, drop targets, a saucer, and three balls at once.
//
// Left and right flipper: A and D, the arrow keys, or the shoulder buttons of a gamepad. Plunger: hold Space or the
// button A, and let go. W, the arrow up or Y pushes the table; too often, and it tilts. Escape or Start opens the menu, minus
// and plus change the volume.
//
//   - The letters F I L O at the top: all four raise the multiplier of the bonus. Flippers move the lit ones.
//   - The four targets at the right: when all are down, the saucer at the left starts a multiball.
//   - In a multiball all points count twice, and the saucer is a jackpot.
//
//     ./dev run pinball                                              the game
//     ./dev run pinball --headless --frames 900 --shot out/pinball.png --sound out/pinball.wav
//     ./dev run pinball --headless --frames 60 --menu title --shot out/title.png
//
// The table is in table.c and the rules in pinball.c; both need no screen. app.c, draw.c and menu.c are the game around
// them, bot.c plays where there is no player, and art.c draws the pictures. Without a window there is no menu.

#include "menu.h"

int main(int argc, char **argv) {
    Pinball pinball = PINBALL_DEFAULT;
    const FiloFlag flags[] = {
        { "demo", "a bot plays where there is no player", .on = &pinball.demo },
        { "menu", "begin with this page", .choice = &pinball.shown, .choices = page_names,
          .unrecorded = true },
    };
    FiloAppDesc desc = pinball_app(&pinball);
    desc.flags = flags;
    desc.flag_count = FILO_COUNT_OF(flags);
    return filo_run(argc, argv, &desc);
}
