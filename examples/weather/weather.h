// The module "weather": rain or snow before the world, and lightning. It knows no game, and Filo does not know
// it: a game puts its description into FiloAppDesc.modules, and a file <name>.weather for each weather beside
// its assets.

#ifndef WEATHER_H
#define WEATHER_H

#include <filo/modules.h>

#define WEATHER_WIDTH  1440.0f // of what it rains on, around the middle of the world
#define WEATHER_HEIGHT 800.0f
#define WEATHER_LAYER  100 // sprites in higher layers stay dry

extern const FiloModuleDesc weather_module;

#endif
