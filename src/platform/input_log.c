// Numbers, states and changes as bytes of a recording: see input_log.h.

#include "platform/input_log.h"
#include "platform/input_state.h"

#include <filo/hash.h>

#include <string.h>

uint32_t platform_log_checksum(const void *bytes, size_t size, uint64_t tick) {
    return (uint32_t)filo_hash_seeded(bytes, size, tick + 1);
}

// ---- Numbers --------------------------------------------------------------------------------------------

static void put_little_endian(FiloBuilder *out, uint64_t value, size_t size) {
    for (size_t i = 0; i < size; i++) filo_builder_add_byte(out, (char)(uint8_t)(value >> 8 * i));
}

void platform_log_put_u8(FiloBuilder *out, uint8_t value) { put_little_endian(out, value, 1); }
void platform_log_put_u32(FiloBuilder *out, uint32_t value) { put_little_endian(out, value, 4); }
void platform_log_put_u64(FiloBuilder *out, uint64_t value) { put_little_endian(out, value, 8); }

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void platform_log_put_f32(FiloBuilder *out, float value) { put_little_endian(out, bits_of(value), 4); }

void platform_log_put_f64(FiloBuilder *out, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_little_endian(out, bits, 8);
}

void platform_log_put_count(FiloBuilder *out, uint64_t value) {
    for (; value >= 128; value >>= 7) platform_log_put_u8(out, (uint8_t)(value | 128));
    platform_log_put_u8(out, (uint8_t)value);
}

void platform_log_put_bytes(FiloBuilder *out, const void *bytes, size_t size) {
    filo_builder_add(out, filo_string_from(bytes, size));
}

const uint8_t *platform_log_get_bytes(PlatformLogReader *in, uint64_t size) {
    if (in->failed || size > (uint64_t)(in->end - in->at)) {
        in->failed = true;
        return NULL;
    }
    const uint8_t *bytes = in->at;
    in->at += size;
    return bytes;
}

static uint64_t get_little_endian(PlatformLogReader *in, size_t size) {
    const uint8_t *bytes = platform_log_get_bytes(in, size);
    uint64_t value = 0;
    for (size_t i = 0; bytes != NULL && i < size; i++) value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

uint8_t platform_log_get_u8(PlatformLogReader *in) { return (uint8_t)get_little_endian(in, 1); }
uint16_t platform_log_get_u16(PlatformLogReader *in) { return (uint16_t)get_little_endian(in, 2); }
uint32_t platform_log_get_u32(PlatformLogReader *in) { return (uint32_t)get_little_endian(in, 4); }
uint64_t platform_log_get_u64(PlatformLogReader *in) { return get_little_endian(in, 8); }
float platform_log_get_f32(PlatformLogReader *in) { return float_of(platform_log_get_u32(in)); }

double platform_log_get_f64(PlatformLogReader *in) {
    uint64_t bits = get_little_endian(in, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

uint64_t platform_log_get_count(PlatformLogReader *in) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) { // no number of the format is longer
        uint8_t byte = platform_log_get_u8(in);
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return value;
    }
    in->failed = true;
    return 0;
}

// ---- State ----------------------------------------------------------------------------------------------

#define KEY_BYTES (FILO_KEY_COUNT / 8)

#define SAME_INPUT "FiloInput has changed: change the state of a recording too, and PLATFORM_LOG_VERSION"
_Static_assert(FILO_KEY_COUNT == 288 && FILO_INPUT_PADS == 4 && (int)FILO_AXIS_COUNT == 6, SAME_INPUT);
_Static_assert(FILO_INPUT_TEXT == 64, SAME_INPUT);
_Static_assert(FILO_INPUT_ACTIONS == 64, SAME_INPUT);
_Static_assert(PLATFORM_LOG_STATE_SIZE == 3 * KEY_BYTES + 4 * 8 + 1 +
                                              FILO_INPUT_PADS * (1 + 3 * 4 + (int)FILO_AXIS_COUNT * 4) +
                                              FILO_INPUT_TEXT + 1 + FILO_INPUT_ACTIONS * (2 + 4 + 1),
               "PLATFORM_LOG_STATE_SIZE is not the sum of the parts");

static uint8_t *pack_u32(uint8_t *to, uint32_t value) {
    for (int i = 0; i < 4; i++) *to++ = (uint8_t)(value >> 8 * i);
    return to;
}

static uint8_t *pack_keys(uint8_t *to, const FiloKeySet *set) {
    for (int i = 0; i < KEY_BYTES; i++) *to++ = (uint8_t)(set->bits[i / 8] >> 8 * (i % 8));
    return to;
}

static uint8_t *pack_vector(uint8_t *to, FiloVec2 vector) {
    return pack_u32(pack_u32(to, bits_of(vector.x)), bits_of(vector.y));
}

static uint8_t *pack_pad(uint8_t *to, const FiloGamepad *pad) {
    *to++ = pad->connected;
    to = pack_u32(pack_u32(pack_u32(to, pad->down), pad->pressed), pad->released);
    for (int i = 0; i < FILO_AXIS_COUNT; i++) to = pack_u32(to, bits_of(pad->axes[i]));
    return to;
}

static uint8_t *pack_action(uint8_t *to, const FiloActionState *action, uint16_t name) {
    *to++ = (uint8_t)name;
    *to++ = (uint8_t)(name >> 8);
    to = pack_u32(to, bits_of(action->value));
    *to++ = (uint8_t)(action->down * 1 + action->pressed * 2 + action->released * 4);
    return to;
}

void platform_log_pack(uint8_t state[PLATFORM_LOG_STATE_SIZE], const FiloInput *input,
                       const uint16_t names[FILO_INPUT_ACTIONS]) {
    memset(state, 0, PLATFORM_LOG_STATE_SIZE);
    uint8_t *to = pack_keys(pack_keys(pack_keys(state, &input->down), &input->pressed), &input->released);
    to = pack_vector(pack_vector(to, input->mouse), input->mouse_move);
    to = pack_vector(pack_vector(to, input->wheel), input->view);
    *to++ = (uint8_t)(input->mouse_captured * 1 + input->focused * 2 + input->quit * 4);
    for (int i = 0; i < FILO_INPUT_PADS; i++) to = pack_pad(to, &input->pads[i]);
    memcpy(to, input->text, strnlen(input->text, FILO_INPUT_TEXT - 1));
    to += FILO_INPUT_TEXT;
    *to++ = (uint8_t)input->action_count;
    for (uint32_t i = 0; i < input->action_count; i++) to = pack_action(to, &input->actions[i], names[i]);
}

static void unpack_keys(PlatformLogReader *in, FiloKeySet *set) {
    for (int i = 0; i < KEY_BYTES; i++) set->bits[i / 8] |= (uint64_t)platform_log_get_u8(in) << 8 * (i % 8);
}

static FiloVec2 get_vector(PlatformLogReader *in) {
    float x = platform_log_get_f32(in);
    return filo_vec2(x, platform_log_get_f32(in));
}

static bool unpack_pad(PlatformLogReader *in, FiloGamepad *pad) {
    uint8_t connected = platform_log_get_u8(in);
    pad->connected = connected != 0;
    pad->down = platform_log_get_u32(in);
    pad->pressed = platform_log_get_u32(in);
    pad->released = platform_log_get_u32(in);
    for (int i = 0; i < FILO_AXIS_COUNT; i++) pad->axes[i] = platform_log_get_f32(in);
    return connected <= 1;
}

static bool unpack_action(PlatformLogReader *in, FiloActionState *action, const FiloName *names,
                          size_t name_count) {
    uint16_t name = platform_log_get_u16(in);
    action->value = platform_log_get_f32(in);
    uint8_t flags = platform_log_get_u8(in);
    action->down = (flags & 1) != 0;
    action->pressed = (flags & 2) != 0;
    action->released = (flags & 4) != 0;
    if (name >= name_count || flags > 7) return false;
    action->name = names[name];
    return true;
}

bool platform_log_unpack(FiloInput *input, const uint8_t state[PLATFORM_LOG_STATE_SIZE],
                         const FiloName *names, size_t name_count) {
    PlatformLogReader in = { state, state + PLATFORM_LOG_STATE_SIZE, false };
    memset(input, 0, sizeof *input);
    unpack_keys(&in, &input->down), unpack_keys(&in, &input->pressed), unpack_keys(&in, &input->released);
    input->mouse = get_vector(&in), input->mouse_move = get_vector(&in);
    input->wheel = get_vector(&in), input->view = get_vector(&in);
    uint8_t flags = platform_log_get_u8(&in);
    input->mouse_captured = (flags & 1) != 0;
    input->focused = (flags & 2) != 0;
    input->quit = (flags & 4) != 0;
    bool valid = flags <= 7;
    for (int i = 0; i < FILO_INPUT_PADS; i++) valid = unpack_pad(&in, &input->pads[i]) && valid;
    memcpy(input->text, platform_log_get_bytes(&in, FILO_INPUT_TEXT), FILO_INPUT_TEXT);
    valid = valid && input->text[FILO_INPUT_TEXT - 1] == '\0';
    input->action_count = platform_log_get_u8(&in);
    if (!valid || input->action_count > FILO_INPUT_ACTIONS) return false;
    for (uint32_t i = 0; i < input->action_count; i++)
        if (!unpack_action(&in, &input->actions[i], names, name_count)) return false;
    return true;
}

// ---- Changes --------------------------------------------------------------------------------------------

enum { KEY = 1, DOWN = 2, PAD = 4, AXIS = 8, VALUE = 16, POSITION = 32, MOVE = 64, TEXT = 128 };

static bool not_zero(FiloVec2 vector) { return (bits_of(vector.x) | bits_of(vector.y)) != 0; }

static void put_vector(FiloBuilder *out, FiloVec2 vector) {
    platform_log_put_f32(out, vector.x);
    platform_log_put_f32(out, vector.y);
}

void platform_log_put_change(FiloBuilder *out, const FiloInputChange *change) {
    size_t length = strnlen(change->text, FILO_INPUT_TEXT - 1);
    int fields = (change->key != 0) * KEY | change->down * DOWN | (change->pad != 0) * PAD |
                 (change->axis != 0) * AXIS | (bits_of(change->value) != 0) * VALUE |
                 not_zero(change->position) * POSITION | not_zero(change->move) * MOVE | (length > 0) * TEXT;
    platform_log_put_u8(out, (uint8_t)change->kind);
    platform_log_put_u8(out, (uint8_t)fields);
    if ((fields & KEY) != 0) platform_log_put_count(out, (uint64_t)change->key);
    if ((fields & PAD) != 0) platform_log_put_u8(out, (uint8_t)change->pad);
    if ((fields & AXIS) != 0) platform_log_put_u8(out, (uint8_t)change->axis);
    if ((fields & VALUE) != 0) platform_log_put_f32(out, change->value);
    if ((fields & POSITION) != 0) put_vector(out, change->position);
    if ((fields & MOVE) != 0) put_vector(out, change->move);
    if ((fields & TEXT) == 0) return;
    platform_log_put_u8(out, (uint8_t)length);
    platform_log_put_bytes(out, change->text, length);
}

static bool get_text(PlatformLogReader *in, char text[FILO_INPUT_TEXT]) {
    uint8_t length = platform_log_get_u8(in);
    const uint8_t *bytes = platform_log_get_bytes(in, length);
    if (bytes == NULL || length >= FILO_INPUT_TEXT) return false;
    memcpy(text, bytes, length);
    return true;
}

bool platform_log_get_change(PlatformLogReader *in, FiloInputChange *change) {
    memset(change, 0, sizeof *change);
    uint8_t kind = platform_log_get_u8(in), fields = platform_log_get_u8(in);
    if (in->failed || kind > FILO_INPUT_QUIT) return false;
    change->kind = (FiloInputChangeKind)kind;
    change->down = (fields & DOWN) != 0;
    uint64_t key = (fields & KEY) != 0 ? platform_log_get_count(in) : 0;
    change->key = key < FILO_KEY_COUNT ? (int32_t)key : -1;
    if ((fields & PAD) != 0) change->pad = platform_log_get_u8(in);
    if ((fields & AXIS) != 0) change->axis = platform_log_get_u8(in);
    if ((fields & VALUE) != 0) change->value = platform_log_get_f32(in);
    if ((fields & POSITION) != 0) change->position = get_vector(in);
    if ((fields & MOVE) != 0) change->move = get_vector(in);
    if ((fields & TEXT) != 0 && !get_text(in, change->text)) return false;
    return !in->failed && platform_input_change_check(change).code == FILO_OK;
}
