// ALSA prints half a dozen lines to the terminal where there is no device, which the log says in one. OpenAL loads ALSA at
// run time, and so does this file: it is not linked.

#include "audio/device/device.h"
#include "audio/device/openal.h"

#include <dlfcn.h>
#include <stddef.h>

typedef void (*ErrorHandler)(const char *file, int line, const char *function, int error, const char *format,
                             ...);

static void say_nothing(const char *file, int line, const char *function, int error, const char *format,
                        ...) {
    (void)file, (void)line, (void)function, (void)error, (void)format;
}

// What dlsym finds. A union, because ISO C has no conversion from an object's pointer to a function's.
typedef union Symbol {
    void *found;
    int (*set_handler)(ErrorHandler handler);
    const ErrorHandler *handler;
} Symbol;

void *audio_device_open_default(void) {
    void *alsa = dlopen("libasound.so.2", RTLD_NOW | RTLD_LOCAL); // NULL: OpenAL does not use it either
    Symbol set = { NULL }, handler = { NULL };
    if (alsa != NULL) {
        set.found = dlsym(alsa, "snd_lib_error_set_handler");
        handler.found = dlsym(alsa, "snd_lib_error");
    }
    ErrorHandler before = handler.found != NULL ? *handler.handler : NULL; // the program may have its own
    if (set.found != NULL) set.set_handler(say_nothing);
    ALCdevice *device = alcOpenDevice(NULL);
    if (set.found != NULL) set.set_handler(before);
    if (alsa != NULL) dlclose(alsa);
    return device;
}
