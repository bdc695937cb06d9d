// The headers of OpenAL, with the functions of its extensions (AL_ALEXT_PROTOTYPES, in CMakeLists.txt).

#ifndef FILO_AUDIO_DEVICE_OPENAL_H
#define FILO_AUDIO_DEVICE_OPENAL_H

#include <AL/al.h>
#include <AL/alc.h>
#include <AL/alext.h>
#include <AL/efx.h>

#endif
