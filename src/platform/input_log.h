// The file format of a recording of input.
//
//     head    "FILOINPT", u32 version, u16 length and bytes of the game's name, u64 seed, f64 length of a tick,
//             from version 2 on u32 length and bytes of the game's flags, u32 checksum of the head
//     record  one per tick, then the end:
//               00                     a tick like the one before, without changes
//               5A  size payload u32   any other tick; checksum of its payload
//               A5  u64 u64 u32        the end: number of ticks, hash of the world; checksum
//
//     payload  u8 bits that say which parts follow, in this order:
//                1  f32 delta
//                2  count, names of actions: u8 length, bytes; they are numbered from 1, over the whole file
//                4  count, runs of bytes of the state that differ from the tick before: bytes to skip, count, bytes
//                8  count, changes: u8 kind, u8 bits that say which fields are not zero, those fields
//               16  from version 3 on: count, messages: u8 length and bytes of the event's name, length and bytes
//                   of the text
//
// The recorder writes version 3; versions 1 and 2 can be read too.
//
// Numbers without a width have a variable length: seven bits per byte, the lowest first. All others are little-endian.
// A checksum depends on the number of its tick, so that a lost or repeated record is detected at the next one.
//
// The state is a FiloInput as bytes, in a layout that does not depend on the compiler. A change of FiloInput, or of the
// constants that it depends on, changes the state, and needs a new version.

#ifndef FILO_PLATFORM_INPUT_LOG_H
#define FILO_PLATFORM_INPUT_LOG_H

#include <filo/input.h>

#define PLATFORM_LOG_MAGIC            "FILOINPT"
#define PLATFORM_LOG_VERSION          3
#define PLATFORM_LOG_VERSION_FLAGS    2     // files have flags from this version on
#define PLATFORM_LOG_VERSION_MESSAGES 3     // files have messages from this version on
#define PLATFORM_LOG_MAX_NAMES        256   // of actions, in a whole file
#define PLATFORM_LOG_MAX_NAME_LENGTH  255   // bytes
#define PLATFORM_LOG_MAX_CHANGES      65535 // in one tick
#define PLATFORM_LOG_MAX_MESSAGES     65535 // in one tick
#define PLATFORM_LOG_STATE_SIZE       802   // bytes

// They differ in several bits, so that one wrong bit does not turn one into another.
enum { PLATFORM_LOG_SAME = 0x00, PLATFORM_LOG_TICK = 0x5A, PLATFORM_LOG_END = 0xA5 };
enum {
    PLATFORM_LOG_HAS_DELTA = 1,
    PLATFORM_LOG_HAS_NAMES = 2,
    PLATFORM_LOG_HAS_STATE = 4,
    PLATFORM_LOG_HAS_CHANGES = 8,
    PLATFORM_LOG_HAS_MESSAGES = 16
};

uint32_t platform_log_checksum(const void *bytes, size_t size, uint64_t tick);

// Converts an input to the state. `names` has the number of each action's name in the file.
void platform_log_pack(uint8_t state[PLATFORM_LOG_STATE_SIZE], const FiloInput *input,
                       const uint16_t names[FILO_INPUT_ACTIONS]);
// Converts the state back. False if it is not the state of any input. names[0] is {0}, and counts in `name_count`.
bool platform_log_unpack(FiloInput *input, const uint8_t state[PLATFORM_LOG_STATE_SIZE],
                         const FiloName *names, size_t name_count);

// ---- Writing --------------------------------------------------------------------------------------------

void platform_log_put_u8(FiloBuilder *out, uint8_t value);
void platform_log_put_u32(FiloBuilder *out, uint32_t value);
void platform_log_put_u64(FiloBuilder *out, uint64_t value);
void platform_log_put_f32(FiloBuilder *out, float value);
void platform_log_put_f64(FiloBuilder *out, double value);
void platform_log_put_count(FiloBuilder *out, uint64_t value);
void platform_log_put_bytes(FiloBuilder *out, const void *bytes, size_t size);
void platform_log_put_change(FiloBuilder *out, const FiloInputChange *change);

// ---- Reading --------------------------------------------------------------------------------------------

// Reading past the end returns 0, and sets `failed`.
typedef struct PlatformLogReader {
    const uint8_t *at, *end;
    bool failed;
} PlatformLogReader;

uint8_t platform_log_get_u8(PlatformLogReader *in);
uint16_t platform_log_get_u16(PlatformLogReader *in);
uint32_t platform_log_get_u32(PlatformLogReader *in);
uint64_t platform_log_get_u64(PlatformLogReader *in);
float platform_log_get_f32(PlatformLogReader *in);
double platform_log_get_f64(PlatformLogReader *in);
uint64_t platform_log_get_count(PlatformLogReader *in);
// Pointer to the next bytes; NULL if there are not so many.
const uint8_t *platform_log_get_bytes(PlatformLogReader *in, uint64_t size);
bool platform_log_get_change(PlatformLogReader *in, FiloInputChange *change);

#endif
