// The file that input is recorded to.
//
//     head    "FILOINPT", u32 version, u16 length and bytes of the game's name, u64 seed, f64 length of a tick,
//             from version 2 on u32 length and bytes of the game's flags, u32 checksum of all that
//     record  one a tick, then the end:
//               00                     the same as the tick before, and no changes
//               5A  size payload u32   a tick that is different; the checksum of its payload
//               A5  u64 u64 u32        the end: number of ticks, hash of the world; checksum
//
//     payload  u8 what is in it, then in this order
//                1  f32 delta
//                2  count, names of actions: u8 length, bytes; they are numbered from 1 on, over the whole file
//                4  count, parts of the image that differ: bytes to pass over, count, bytes
//                8  count, changes: u8 kind, u8 which fields are not zero, those fields
//               16  from version 3 on: count, messages: u8 length and bytes of the event's name, length and bytes
//                   of the text
//
// Version 3 is written; 1 and 2 are read too.
//
// Numbers without a width are variable: seven bits a byte, the lowest first. All others are little-endian.
// A checksum goes by the number of its tick too, so that a record that is lost or doubled is noticed by the next.
//
// The image is a FiloInput as bytes, laid out here and not by a compiler. Whoever changes FiloInput or the
// numbers that it is made of changes the image, and with it the version.

#ifndef FILO_PLATFORM_INPUT_LOG_H
#define FILO_PLATFORM_INPUT_LOG_H

#include <filo/input.h>

#define PLATFORM_LOG_MAGIC       "FILOINPT"
#define PLATFORM_LOG_VERSION     3
#define PLATFORM_LOG_WITH_FLAGS  2     // from this version on files have flags
#define PLATFORM_LOG_WITH_TEXTS  3     // from this version on they have messages
#define PLATFORM_LOG_NAMES       256   // of actions, in a whole file
#define PLATFORM_LOG_NAME_LENGTH 255   // bytes
#define PLATFORM_LOG_CHANGES     65535 // in one tick
#define PLATFORM_LOG_MESSAGES    65535 // in one tick
#define PLATFORM_LOG_IMAGE       802   // bytes

// Far apart, so that a wrong bit does not turn one into another.
enum { PLATFORM_LOG_SAME = 0x00, PLATFORM_LOG_TICK = 0x5A, PLATFORM_LOG_END = 0xA5 };
enum {
    PLATFORM_LOG_HAS_DELTA = 1,
    PLATFORM_LOG_HAS_NAMES = 2,
    PLATFORM_LOG_HAS_IMAGE = 4,
    PLATFORM_LOG_HAS_CHANGES = 8,
    PLATFORM_LOG_HAS_MESSAGES = 16
};

uint32_t platform_log_checksum(const void *bytes, size_t size, uint64_t tick);

// `names` has the number of each action's name in the file.
void platform_log_pack(uint8_t image[PLATFORM_LOG_IMAGE], const FiloInput *input,
                       const uint16_t names[FILO_INPUT_ACTIONS]);
// False if it is the image of no input. names[0] is {0}; there are `name_count` with it.
bool platform_log_unpack(FiloInput *input, const uint8_t image[PLATFORM_LOG_IMAGE], const FiloName *names,
                         size_t name_count);

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

// Past the end all numbers are 0, and `failed` is set.
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
// The next bytes, or NULL.
const uint8_t *platform_log_get_bytes(PlatformLogReader *in, uint64_t size);
bool platform_log_get_change(PlatformLogReader *in, FiloInputChange *change);

#endif
