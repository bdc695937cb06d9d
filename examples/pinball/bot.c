// A program that plays Pinball: presses a flipper when a ball is on it, and pulls the plunger. It sees the positions of
// balls, and presses keys as a player does.

#include "menu.h"

#define HOLD 9 // frames that a flipper is up
#define REST 5 // frames until it is used again

// A number from 0 to 1, another one each time.
static float next(Bot *bot) { return filo_random_float_at(17, bot->count++, 0, 0, 0); }

static void flip(Bot *bot, int side, FiloVec2 at, FiloVec2 velocity) {
    float along = side == 0 ? at.x + PINBALL_PIVOT_X : PINBALL_PIVOT_X - at.x; // from the pivot to the tip
    float soon = at.y + 0.04f * velocity.y, surface = PINBALL_PIVOT_Y + 0.42f - 0.5f * along;
    if (bot->hold[side] > 0 || bot->rest[side] > 0 || velocity.y > 4) return;
    if (along < 0.4f + 0.9f * next(bot) || along > PINBALL_FLIPPER + 0.35f) return;
    if (soon < surface - 1.2f || soon > surface + 0.3f) return;
    bot->hold[side] = HOLD;
}

static void release(Bot *bot) {
    for (int side = 0; side < 2; side++) {
        if (bot->hold[side] > 0 && --bot->hold[side] == 0)
            bot->rest[side] = REST;
        else if (bot->rest[side] > 0)
            bot->rest[side]--;
    }
}

void bot_think(Bot *bot, FiloWorld *world) {
    if (bot->balls == NULL)
        bot->balls = filo_query(world, FILO_READ(FiloTransform2), FILO_READ(FiloBody2), FILO_WITH(Ball));
    FiloEach each = filo_query_each(bot->balls);
    bool waits = false, moves = false;
    release(bot);
    while (filo_each_next(&each)) {
        FiloVec2 at = filo_each_read(&each, FiloTransform2)->position;
        FiloVec2 velocity = filo_each_read(&each, FiloBody2)->velocity;
        moves = moves || filo_vec2_length(velocity) > 0.3f;
        waits = waits || (at.x > PINBALL_RIGHT && at.y < 3);
        for (int side = 0; side < 2; side++) flip(bot, side, at, velocity);
    }
    // Pulls for a while, and lets go.
    if (waits && bot->pull == 0) bot->pull = 42 + (int)(16 * next(bot));
    if (!waits && bot->pull > 1) bot->pull = 1;
    if (bot->pull > 0) bot->pull--;
    bot->still = moves || waits ? 0 : bot->still + 1;
    bot->nudges = bot->still > 150;
    if (bot->nudges) bot->still = 0;
    bot->wish = (Pilot){ .left = bot->hold[0] > 0, .right = bot->hold[1] > 0, .plunger = bot->pull > 12 };
}
