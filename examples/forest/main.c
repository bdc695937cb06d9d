// Forest: 30 km² of mountains around a lake. Trees, rocks and grass are placed around you by density maps, in the background,
// while you fly or walk through them.
//
//     ./dev run forest                                    fly
//     ./dev run forest --shot out.png --headless          a picture
//     ./dev run forest --hour 6.6 --x 300 --z -200 --yaw 1
//
// The right mouse button looks around, W A S D move, E and Q up and down, Shift is faster. V walks. F fells the tree that you
// look at: it stays felled. T is an hour later, comma and period turn the day. N is another seed, O another ecotope, M another
// map of woods, + and − change the footprints, G places on the GPU. H shows the panel, which has all of this and numbers. F5 saves, F9 loads.

#include "forest.h"

int main(int argc, char **argv) {
    static Forest forest = FOREST_DEFAULT;
    const FiloFlag flags[] = {
        { "x", "where the camera is, in metres from the middle", .real = &forest.at.x },
        { "y", "how far above the ground", .real = &forest.at.y },
        { "z", "where the camera is, in metres from the middle", .real = &forest.at.z },
        { "yaw", "where it looks, radians", .real = &forest.yaw },
        { "pitch", "how far up it looks, radians", .real = &forest.pitch },
        { "hour", "the time of day", .real = &forest.hour, .max = 24 },
        { "side", "texels of 4 m along a side of the land", .integer = &forest.side, .min = 64, .max = 4096 },
        { "cache", "keep the land in the cache of the user without a window, too", .on = &forest.cache,
          .unrecorded = true },
        { "stream", "do not wait for objects without a window, either", .on = &forest.stream,
          .unrecorded = true },
        { "numbers", "show times and counts without a window, too", .on = &forest.numbers,
          .unrecorded = true },
        { "bare", "place nothing", .on = &forest.bare, .unrecorded = true },
    };
    FiloAppDesc desc = forest_app(&forest); // .gfx3d = true
    desc.flags = flags;
    desc.flag_count = FILO_COUNT_OF(flags);
    return filo_run(argc, argv, &desc);
}
