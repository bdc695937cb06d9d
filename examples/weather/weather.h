// The module "weather": rain or snow in front of the world, and lightning. It depends on no game, and Filo does not
// depend on it: a game puts its description into FiloAppDesc.modules, and a file <name>.weather for each weather into
// its assets.

#ifndef WEATHER_H
#define WEATHER_H

#include <filo/modules.h>

#define WEATHER_WIDTH  1440.0f // of the area with rain, around the origin of the world
#define WEATHER_HEIGHT 800.0f
#define WEATHER_LAYER  100 // sprites in higher layers stay dry

extern const FiloModuleDesc weather_module;

#endif
