// filo/audio.h: what is heard: voices, buses, music, effects, and the device.
//
//     FiloAudio *audio = filo_app_audio(app);
//     filo_audio_use_table(audio, "game.cues");                              // which sounds answer which events
//     filo_audio_music(audio, "calm.ogg", 2);                                // fades in, and loops
//     filo_audio_play(audio, &(FiloCue){ .sound = filo_name("click.synth"), .bus = filo_name("ui") });
//     filo_audio_set_volume(audio, "music", 0.5f);                           // a setting of the player
//
// There are four ways to play a sound. A component (FiloSound, filo/sound.h) belongs to an entity, and to the world. A
// cue (filo_cue) is played by a system. A table says which events make which sounds, as data that can be edited while
// the game runs. And filo_audio_play is a call on the main thread, for menus and music. A sound that plays is a voice.
// There may be more voices than the device has sources: those that matter most are heard, by priority and level, and the
// others go on in silence until there is room.
//
// Sounds are assets (filo/assets.h), which are decoded on other threads:
//
//   "sound"   wav ogg oga opus flac mp3   mixed to 1 or 2 channels. Up to FILO_SOUND_WHOLE bytes of samples are decoded when
//                                         they are loaded, and longer ones while they play
//   "synth"   synth                       JSON for the synthesiser: waves, noise, envelopes, filters, notes
//   "cues"    cues                        JSON: a table from events to sounds
//
// docs/audio.md describes the last two. A sound that is not loaded is loaded when it is first played.
//
// Nothing in the world depends on what is heard, and without a device the game goes on. If the device is unplugged,
// voices go on without it, and are heard from where they are when there is a device again.
//
// Offline, the sound is rendered instead of played: --sound FILE.wav of every game writes what would be heard. Every
// tick is as long as it is, to the sample: at 48000 Hz and 60 ticks a second, what tick n starts begins at sample 800 n.
// The same run gives the same bytes on any number of threads.
//
// All functions are for the main thread. They may be called while a tick is running, except where they say otherwise, but
// not by what runs in it: a system or handler that calls them is a mistake, and uses filo_cue (filo/sound.h). A release
// build reports it only on other threads.
//
// A number that is not finite does no harm, and is logged once for each sound and bus: a gain is silent, a pitch, a time, a
// distance or a filter counts as 0, a sound at such a position is not heard, and the listener stays where it was. A gain of
// −∞ is as FILO_SILENT, and more than 24 decibels count as 24.

#ifndef FILO_AUDIO_H
#define FILO_AUDIO_H

#include <filo/assets.h>
#include <filo/events.h>
#include <filo/memory.h>
#include <filo/modules.h>
#include <filo/sound.h>
#include <filo/types.h>
#include <filo/world.h>

FILO_BEGIN_DECLS

typedef struct FiloAudio FiloAudio;

#define FILO_SOUND_WHOLE   FILO_MIB(1) // larger sounds are decoded while they play
#define FILO_AUDIO_VOICES  1024        // voices at a time, heard or not
#define FILO_AUDIO_BUSES   32
#define FILO_AUDIO_SOURCES 240 // the most that FiloAudioDesc.sources may be

typedef enum FiloAudioOutput {
    FILO_AUDIO_DEVICE,  // the system's device, opened on another thread
    FILO_AUDIO_OFFLINE, // rendered by filo_audio_step
    FILO_AUDIO_NONE, // nothing is heard: calls make voices, which are counted; cues, tables and components make none
} FiloAudioOutput;

// Receives what was rendered offline: pairs of left and right, −1 to 1 and beyond if it is too loud. On the main thread.
typedef void (*FiloAudioRendered)(const float *samples, size_t frames, void *user);

typedef struct FiloAudioDesc {
    FiloAssets *assets; // has the sounds
    FiloWorld *world;   // what happens in its ticks is heard; NULL: only what is played by calls
    FiloEvents *events; // of tables, and of FILO_SOUND_NOTIFY; NULL: those of the world
    FiloAudioOutput output;
    int sources;      // voices that are heard at once; 0: 64
    int rate;         // offline, in Hz: 8000 to 192000; 0: 48000
    bool headphones;  // filters sounds for ears in headphones (HRTF), so that above and behind are heard
    const char *file; // offline: a WAV file of 16 bits to write, up to 4 GiB (logged once); NULL: none
    FiloAudioRendered rendered;
    void *rendered_user;
    const FiloAllocator *allocator; // used on any thread; NULL: filo_heap()
} FiloAudioDesc;

// Registers the types of assets above. A device that cannot be opened is no failure: it is tried again later. Offline,
// FILO_ERROR_UNSUPPORTED if the library of OpenAL cannot render, and an error of the file if it cannot be created.
FiloResult filo_audio_create(FiloAudio **audio, const FiloAudioDesc *desc);
// Stops all voices and unregisters the types, with all their assets. Before the assets and the world. NULL is allowed.
// A file that is not finished is finished; its errors are logged.
void filo_audio_destroy(FiloAudio *audio);

// Lets time pass: starts what the ticks since the last call have recorded, moves and fades voices, chooses which of them
// are heard, and tells the device. Offline, each recorded tick is rendered for as long as it lasts, and `seconds` only
// if the game is paused (filo_audio_set_time); otherwise it is the time since the last call. Between ticks. The module
// of an app calls it once a frame.
void filo_audio_step(FiloAudio *audio, double seconds);
// Whether ticks are stopped, and how fast they are: buses may pause and slow down with the game. The module of an app
// calls it once a frame.
void filo_audio_set_time(FiloAudio *audio, bool paused, float scale);
// Finishes the file. Nothing is rendered afterwards.
FiloResult filo_audio_finish(FiloAudio *audio);

// ---- Voices -------------------------------------------------------------------------------------------------

// {0} is none. Stale when the sound has ended: the functions below do nothing then.
typedef struct FiloVoice {
    uint32_t index, generation;
} FiloVoice;

// Plays a sound. It starts with the next step; the sound of an entity is where the entity is then, and stays there. {0} if
// the cue has no sound, if there are FILO_AUDIO_VOICES already with priorities that are not lower (logged once), or after a
// mistake. A sound that cannot be loaded ends at once (the asset system reports it). With FILO_SOUND_NOTIFY, the event is
// emitted for a later tick.
FiloVoice filo_audio_play(FiloAudio *audio, const FiloCue *cue);
// Plays several sounds that start at the same sample and stay together: layers of music, of which some are faded in when
// it becomes exciting (filo_audio_set_gain). They have equal pitch, always have a source, and sounds of different
// lengths should not loop. Their files should have the rate of the output (docs/audio.md, "Music"). Fills `voices` (may be
// NULL), and returns how many were started: all or none. Up to 16. They wait until all are loaded; one that cannot be
// loaded ends at once, as with filo_audio_play, and the others play.
size_t filo_audio_play_together(FiloAudio *audio, const FiloCue *cues, size_t count, FiloVoice *voices);
// Stops a voice after so many seconds of fading; 0 takes about 10 ms, so that it does not click. One that is paused ends
// at once, and one that stops already does not stop later.
void filo_audio_stop(FiloAudio *audio, FiloVoice voice, float fade);
// Stops all voices of a bus, and of the buses below it; NULL: all. Sounds of components start again only when their
// component does.
void filo_audio_stop_bus(FiloAudio *audio, const char *bus, float fade);
bool filo_audio_playing(const FiloAudio *audio, FiloVoice voice);
// Whether it has a source of the device.
bool filo_audio_heard(const FiloAudio *audio, FiloVoice voice);
// Seconds of the sound that were played; 0 for a stale voice.
double filo_audio_time(const FiloAudio *audio, FiloVoice voice);
void filo_audio_seek(FiloAudio *audio, FiloVoice voice, double time);
void filo_audio_pause(FiloAudio *audio, FiloVoice voice, bool on);
// Changes the level to `gain` decibels within `fade` seconds.
void filo_audio_set_gain(FiloAudio *audio, FiloVoice voice, float gain, float fade);
void filo_audio_set_pitch(FiloAudio *audio, FiloVoice voice, float pitch); // semitones, −96 to 96
void filo_audio_set_occlusion(FiloAudio *audio, FiloVoice voice, float occlusion);
// Moves a voice. `velocity` in units a second, for FILO_SOUND_DOPPLER.
void filo_audio_place(FiloAudio *audio, FiloVoice voice, FiloVec3 position, FiloVec3 velocity);

// ---- Music ------------------------------------------------------------------------------------------------

// Plays music on the bus "music": the present one fades out, while this one fades in, within `fade` seconds. It loops.
// The music that is playing already goes on. NULL: silence. Returns the voice.
FiloVoice filo_audio_music(FiloAudio *audio, const char *sound, float fade);

// ---- Buses ------------------------------------------------------------------------------------------------

// Every voice is on a bus, and every bus but "master" on another one. These exist from the start:
//
//   master            all
//   ├ sounds          pauses with the game; of cues and components without a bus
//   ├ music
//   └ ui

typedef enum FiloBusFlags {
    FILO_BUS_PAUSES = 1, // voices stand still while the game is paused
    FILO_BUS_SLOWS = 2,  // the pitch follows the time scale of the game
} FiloBusFlags;

// A room. All zero: none.
typedef struct FiloReverb {
    float decay; // seconds until an echo is 60 dB lower: 0.3 a room, 1.5 a hall, 4 a cathedral; 0: no reverb
    float gain;  // decibels of the reverb, against the sounds themselves
    float damping; // 0 to 1: high frequencies decay sooner
    float delay;   // seconds until the first echo, up to 0.3
} FiloReverb;

typedef struct FiloBusDesc {
    const char *parent; // NULL: "master"
    uint32_t flags;     // FiloBusFlags
    float gain;         // decibels
    float low_pass;     // Hz: what is higher is damped; 0: nothing
    uint16_t voices;    // that are heard at once, of this bus; 0: no limit
    FiloReverb reverb;
    // While a voice on that bus is heard, this bus is lowered by `duck` decibels: speech lowers music. Not itself, and
    // none above it.
    const char *ducked_by; // NULL: none
    float duck;            // decibels; 0 counts as 9
    float duck_attack;     // seconds until it is lowered; 0 counts as 0.1
    float duck_release;    // seconds until it is back; 0 counts as 0.5
} FiloBusDesc;

// Creates a bus, or changes one; a volume that was set stays. A parent or `ducked_by` that does not exist, a bus that is
// below itself or ducked by itself, and more than FILO_AUDIO_BUSES are mistakes: false.
bool filo_audio_set_bus(FiloAudio *audio, const char *bus, const FiloBusDesc *desc);
bool filo_audio_has_bus(const FiloAudio *audio, const char *bus);
// A setting of the player, 0 to 1 (initially 1), besides the gain of the bus. The amplitude is its square, so that a
// slider sounds even. Less or more counts as 0 or 1; below −1 and above 2 it is also a mistake, because it was probably
// meant in percent: 50 leaves the full volume. What is not a number is a mistake, too, and counts as 0. A bus that does not
// exist is a mistake, and has the volume 0.
void filo_audio_set_volume(FiloAudio *audio, const char *bus, float volume);
float filo_audio_volume(const FiloAudio *audio, const char *bus);
// Changes the gain of a bus within so many seconds.
void filo_audio_fade_bus(FiloAudio *audio, const char *bus, float gain, float fade);

// ---- Tables -------------------------------------------------------------------------------------------------

// Plays the sounds of a table (an asset of type "cues") when its events are delivered. A table that changes on the disk
// is used from then on; if it is invalid, the last valid one stays. A field that an event does not have, or that has the
// wrong type, is logged once, when that event is delivered. Using a table twice changes nothing. Between ticks. False
// without memory, for a name that is no asset, or after a mistake: audio without a world and its events.
bool filo_audio_use_table(FiloAudio *audio, const char *table);
void filo_audio_drop_table(FiloAudio *audio, const char *table);

// ---- The listener without a component -----------------------------------------------------------------------

// For games without FiloListener. The first is in the plane, the second in space. For FILO_SOUND_DOPPLER, such a listener
// stands still.
void filo_audio_set_listener2(FiloAudio *audio, FiloVec2 position, const FiloListener *listener);
void filo_audio_set_listener3(FiloAudio *audio, FiloVec3 position, FiloQuat rotation,
                              const FiloListener *listener);

// ---- Queries ------------------------------------------------------------------------------------------------

typedef struct FiloAudioStats {
    size_t voices;    // that play
    size_t heard;     // of which have a source
    size_t streams;   // that are decoded while they play
    uint64_t played;  // voices since the start
    uint64_t stolen;  // voices that lost their source to another
    uint64_t starved; // times that a stream was decoded too late
    uint64_t lost;    // voices that were not started, because there were too many
    uint64_t frames;  // rendered offline
    double step_ms;   // the last step
} FiloAudioStats;
FiloAudioStats filo_audio_stats(const FiloAudio *audio);
// The name of the device; "offline", "none", or "no device". Valid until the next step.
const char *filo_audio_device(const FiloAudio *audio);
// Closes the device, and opens the system's present one: for a setting "sound device", and after the player has chosen
// another default device in the system. A device that is unplugged, and one that appears where there was none, need no call.
void filo_audio_reopen(FiloAudio *audio);

typedef struct FiloSoundInfo {
    double seconds;
    uint32_t rate, channels;
    double loop_begin, loop_end; // seconds; the whole sound if the file has no loop points inside it
    bool streamed;
} FiloSoundInfo;
// Of an asset of type "sound" or "synth". False until it is ready.
bool filo_sound_info(const FiloAssets *assets, FiloAsset asset, FiloSoundInfo *info);
// Sets loop points that the file does not have, in seconds. For all voices that start afterwards, and for the time of
// components; between ticks. False if the asset is not ready, or the points are not in order inside the sound.
bool filo_sound_set_loop(FiloAssets *assets, FiloAsset asset, double begin, double end);

// ---- As a module ----------------------------------------------------------------------------------------------

// The module "audio" (filo/modules.h), which every app has. It provides the object FiloAudio (NULL in an app without
// assets), registers the components of filo/sound.h after the game's own, and has the flags --sound FILE.wav and --volume.
// Headless it opens no device (FILO_AUDIO_NONE), and with --sound it renders. Built without FILO_AUDIO, Filo needs neither
// OpenAL nor decoders: games are silent, sound files are one sample long, and the rest is the same.
typedef struct FiloAudioModule {
    FiloAudioDesc desc; // `sources`, `rate` and `headphones`; the rest is set by the module
    const char *file;   // --sound
    int volume;         // --volume, in percent
    FiloFlag flags[2];  // private, as the rest
    FiloHeap heap;
    FiloAudio *audio;
} FiloAudioModule;
// For filo_modules_register. `module` must not move while it is registered.
FiloModuleDesc filo_audio_module(FiloAudioModule *module);

FILO_END_DECLS

#endif
