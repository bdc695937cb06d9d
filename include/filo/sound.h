// filo/sound.h: sounds as a part of the world: components, cues from systems, and an event when a sound ends.
//
//     filo_create(world, FILO_SET(FiloTransform2, .position = { 40, 0 }),     // a component: it has a life of its own
//                 FILO_SET(FiloSound, .sound = filo_name("engine.ogg"), .flags = FILO_SOUND_LOOP));
//     filo_create(world, FILO_ADD(FiloTransform2), FILO_SET(FiloListener, .near = 50));
//
//     static void shoot(FiloIter *it) {                                       // a cue: plays, and is forgotten
//         filo_cue(it, &(FiloCue){ .sound = filo_name("shot.synth"), .variation = 1 });
//
// A sound is named after its asset: a file (wav, ogg, flac, mp3), or a description for the synthesiser (synth). Its
// levels are in decibels and its pitch in semitones, so that zero means "as it was recorded": −6 dB is half the
// amplitude, 12 semitones are an octave, and twice as fast. A pitch counts from −96 to 96 semitones. What is heard, with
// the Doppler effect and slow motion, is 0.01 to 16 times as fast.
//
// What the world has of a sound does not depend on whether it is heard. The time of a sound is counted in ticks, from
// its length and its pitch, and is hashed, saved and rewound with the world. The world is the same with a device,
// without one, and in a build whose module "audio" was left out of the app. What is heard is made of it by
// filo/audio.h, which reads the world after each tick and never writes to it.
//
// The length of a sound is in its file. A sound that is not loaded when the world needs its length is read in that tick,
// so that the result does not depend on the disk. Load it before (filo_assets_load), and no tick waits.

#ifndef FILO_SOUND_H
#define FILO_SOUND_H

#include <filo/assets.h>
#include <filo/matrix.h>
#include <filo/reflect.h>
#include <filo/strings.h>
#include <filo/system.h>
#include <filo/vector.h>
#include <filo/world.h>

FILO_BEGIN_DECLS

#define FILO_SILENT (-120.0f) // decibels: not heard, and takes no source of the device

// ---- What cues and components share -------------------------------------------------------------------

typedef enum FiloSoundFlags {
    FILO_SOUND_LOOP = 1,    // repeats: between its loop points, if the file has them
    FILO_SOUND_FLAT = 2,    // is heard in the middle at any distance, although its entity has a transform
    FILO_SOUND_DOPPLER = 4, // its pitch depends on how fast it comes nearer; needs speeds: see FiloSound
    FILO_SOUND_DESTROY = 8, // of a component: the entity is destroyed when the sound ends
    FILO_SOUND_NOTIFY =
        16, // of a cue: FILO_EVENT_SOUND_ENDED is emitted when it ends. Components always emit it
    FILO_SOUND_PLACED = 32, // of a cue: it is at `position`, which is ignored without (logged once)
} FiloSoundFlags;
FILO_REFLECT_DECLARE(FiloSoundFlags);

// How the level falls with the distance d from the listener. It is full up to `near`, and 0 from `far` on. In space, the
// direction of a sound that is nearer than `near` is heard less and less, so that it does not jump from ear to ear.
typedef enum FiloFalloff {
    FILO_FALLOFF_INVERSE, // near ÷ d, as in nature: −6 dB for twice the distance; lowered so that it ends at `far`
    FILO_FALLOFF_LINEAR, // a straight line from `near` to `far`
    FILO_FALLOFF_NONE,   // full up to `far`: only the direction is heard
} FiloFalloff;
FILO_REFLECT_DECLARE(FiloFalloff);

// ---- Components -----------------------------------------------------------------------------------------

// A sound of an entity. It is at the transform of the entity (FiloTransform3, or else FiloTransform2), and in the middle
// if that has none. The system "time sounds" (phase FILO_PHASE_AFTER) advances it every tick. Inactive entities are
// silent, and their time stands still.
//
// FILO_SOUND_DOPPLER needs the speeds of the sound and of the listener. Each that moves has a FiloPreviousTransform2 or 3
// (filo/transform.h; what is drawn has one), or a parent or children, and is moved by systems, in ticks. Without, it
// counts as standing still: that it moves is then logged once.
typedef struct FiloSound {
    FiloName sound;   // the asset; {0}: none
    FiloName bus;     // filo/audio.h; {0}: "sounds"
    float gain;       // decibels
    float pitch;      // semitones
    float variation;  // the pitch of each play is up to this many semitones higher or lower, at random
    float near, far;  // distances; 0: those of the listener
    float occlusion;  // 0 to 1: behind a wall. Dull, and a little quieter
    float fade_in;    // seconds
    int16_t priority; // with more sounds than voices, higher ones are heard
    uint8_t falloff;  // FiloFalloff
    uint8_t flags;    // FiloSoundFlags
    bool paused;      // keeps its time
    // Set by the system:
    bool started, ended;
    uint16_t plays; // how often it was started, modulo 65536
    float varied;   // semitones, drawn from `variation`
    double time;    // seconds of the sound that were played; a sound that loops stays inside the loop
} FiloSound;
FILO_REFLECT_DECLARE(FiloSound);

// Starts a sound from its beginning, also if it is playing. Does not change the other fields.
void filo_sound_play(FiloSound *sound, FiloName name);

// The ears. The transform of the entity is where they are. With a FiloTransform2, sounds are panned by how far they are
// to the left or right; with a FiloTransform3, by their direction, as the rotation of the entity sees it. Of several
// listeners the one with the highest priority is used, and of these the first. Without one, the listener is in the
// origin, in the plane.
typedef struct FiloListener {
    float near; // up to here a sound has its full level; 0 counts as 1
    float far;  // from here on it is not heard; 0 counts as 40 × near
    float pan; // in the plane: so far to the right, a sound is in the right channel only; 0 counts as far ÷ 2
    float speed_of_sound; // units a second, for FILO_SOUND_DOPPLER; 0 counts as 343
    int32_t priority;
} FiloListener;
FILO_REFLECT_DECLARE(FiloListener);

// Registers both components in a world, with the system that counts and the handler of cues, and registers transforms.
// Between ticks, before the first use; calling it again does nothing. An app does it after the game's `define`, so a game
// calls it only if a query that it makes in `define` has one of the components. `assets` has the sounds, and must outlive the ticks of the world; NULL: all lengths are 0.
// False without memory, or after a mistake.
bool filo_audio_register(FiloWorld *world, FiloAssets *assets);

// ---- Cues -----------------------------------------------------------------------------------------------

// A sound that plays once, as a call. Fields that a FiloSound has too mean the same.
typedef struct FiloCue {
    FiloName sound, bus;
    float gain, pitch, variation;
    float near, far, occlusion;
    float fade_in; // seconds
    float start;   // seconds into the sound
    int16_t priority;
    uint16_t limit; // at most so many voices of this sound at a time: the oldest one is stopped. 0: no limit
    uint8_t falloff;
    uint8_t flags;
    FiloVec3 position; // with FILO_SOUND_PLACED only; in the plane, z is 0
    FiloEntity
        entity; // otherwise: at the position that this entity has at the end of the tick; {0}: in the middle
} FiloCue;
FILO_REFLECT_DECLARE(FiloCue);

// Plays a sound, in a system or a handler. It is an event (FILO_EVENT_CUE, with a FiloCue), so it may be called on any
// worker, and the order of all cues does not depend on threads. False without memory, in a world without events, or
// after a mistake: filo_audio_register was not called, in a world without an app. On the main thread there is also filo_audio_play.
bool filo_cue(FiloIter *it, const FiloCue *cue);
#define FILO_EVENT_CUE "cue"

// ---- The end of a sound -----------------------------------------------------------------------------------

// Emitted in the tick in which the time of a sound reaches its length. The number of ticks is the length, divided by the
// factor of the pitch and by the length of a tick, rounded up; at least one. A sound that loops does not end, and
// neither does one that cannot be read (a missing file): that one ends in its first tick.
//
// A cue that answers the event is heard in the next tick, so a chain of sounds has a tick of silence between two. For music
// without gaps, use one file, or loop points.
typedef struct FiloSoundEnded {
    FiloEntity entity; // with the component, or of the cue
    FiloName sound;
} FiloSoundEnded;
FILO_REFLECT_DECLARE(FiloSoundEnded);
#define FILO_EVENT_SOUND_ENDED "sound ended"

// Seconds that a sound lasts, at its own pitch; 0 if it cannot be read, or if the asset system would not load it: a path
// outside of the folder of the assets, or an extension that is not of sounds (logged once). If it is not loaded, its file is
// read, which blocks. On main, and on workers while main neither updates nor adds assets, as in a tick.
double filo_sound_seconds(FiloAssets *assets, FiloName sound);

// The factor of so many decibels (−6: 0.5012), and of so many semitones (12: 2). FILO_SILENT and less is 0. A number
// that is NaN is silent, and has the factor 1 as a pitch. More than 60 decibels count as 60.
float filo_decibels(float decibels);
float filo_semitones(float semitones);

FILO_END_DECLS

#endif
