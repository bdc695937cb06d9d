// Pictures as PNG files, without a library: the pixels are stored, not compressed, which every reader of PNG accepts.
// filo/image.h, in a module above, writes compressed files.
//
// The parts of such a file (PNG, third edition; RFC 1950 for the stream, RFC 1951 for its blocks):
//
//   signature
//   IHDR   size; 8 bits a channel; red, green, blue, alpha
//   IDAT   a zlib stream of the rows, each after a byte 0 ("not filtered"): stored blocks of up to 65,535 bytes
//   IEND
//
// A chunk is its length, its name, its bytes, and a CRC over name and bytes.

#include <filo/check.h>
#include <filo/files.h>
#include <filo/pixels.h>

#include <string.h>

#define BLOCK_MAX  65535u
#define BLOCK_HEAD 5u
#define CHUNK      12u // bytes of a chunk besides its data

typedef struct Writer {
    uint8_t *bytes, *chunk; // the next byte; the start of the chunk
    uint32_t table[256];    // of the CRC
    uint32_t low, high;     // sums of Adler-32 over the rows
    size_t left;            // bytes of rows that are not written yet
    size_t in_block;        // bytes that are missing in the current block
} Writer;

static void make_table(uint32_t *table) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; bit++)
            value = (value & 1) != 0 ? UINT32_C(0xEDB88320) ^ value >> 1 : value >> 1;
        table[i] = value;
    }
}

static void put(Writer *writer, const void *bytes, size_t size) {
    memcpy(writer->bytes, bytes, size);
    writer->bytes += size;
}

static void put_number(Writer *writer, uint32_t number) {
    uint8_t bytes[4] = { (uint8_t)(number >> 24), (uint8_t)(number >> 16), (uint8_t)(number >> 8),
                         (uint8_t)number };
    put(writer, bytes, sizeof bytes);
}

static void begin_chunk(Writer *writer, const char *name, size_t size) {
    put_number(writer, (uint32_t)size);
    writer->chunk = writer->bytes;
    put(writer, name, 4);
}

static void end_chunk(Writer *writer) {
    uint32_t crc = UINT32_MAX;
    for (const uint8_t *at = writer->chunk; at < writer->bytes; at++)
        crc = writer->table[(crc ^ *at) & 255] ^ crc >> 8;
    put_number(writer, ~crc);
}

// ---- Rows -------------------------------------------------------------------------------------------------

// Adler-32. The sums of 5,552 bytes do not overflow 32 bits, so the remainder is taken once for so many.
static void sum_up(Writer *writer, const uint8_t *bytes, size_t size) {
    while (size > 0) {
        size_t some = FILO_MIN(size, (size_t)5552);
        for (size_t i = 0; i < some; i++) writer->low += bytes[i], writer->high += writer->low;
        writer->low %= 65521, writer->high %= 65521;
        bytes += some, size -= some;
    }
}

static void put_stored(Writer *writer, const uint8_t *bytes, size_t size) {
    sum_up(writer, bytes, size);
    while (size > 0) {
        if (writer->in_block == 0) {
            writer->in_block = FILO_MIN(writer->left, (size_t)BLOCK_MAX);
            uint16_t length = (uint16_t)writer->in_block, inverse = (uint16_t)~length;
            uint8_t head[BLOCK_HEAD] = { writer->in_block == writer->left, (uint8_t)length,
                                         (uint8_t)(length >> 8), (uint8_t)inverse, (uint8_t)(inverse >> 8) };
            put(writer, head, sizeof head);
        }
        size_t some = FILO_MIN(size, writer->in_block);
        put(writer, bytes, some);
        bytes += some, size -= some;
        writer->in_block -= some, writer->left -= some;
    }
}

// Multiplying by alpha again gives exactly the premultiplied byte.
static uint8_t straighten(uint8_t value, uint8_t alpha) {
    unsigned straight = (value * 255u + alpha / 2u) / alpha;
    return (uint8_t)FILO_MIN(straight, 255u);
}

static void put_row(Writer *writer, const FiloColor *row, int width) {
    put_stored(writer, (const uint8_t[]){ 0 }, 1);
    FiloColor straight[256];
    for (int begin = 0; begin < width; begin += 256) {
        int count = FILO_MIN(width - begin, 256);
        for (int i = 0; i < count; i++) {
            FiloColor c = row[begin + i];
            straight[i] =
                c.a == 0 ? filo_color(0, 0, 0, 0)
                         : filo_color(straighten(c.r, c.a), straighten(c.g, c.a), straighten(c.b, c.a), c.a);
        }
        put_stored(writer, (const uint8_t *)straight, (size_t)count * sizeof *straight);
    }
}

// ---- Files ------------------------------------------------------------------------------------------------

static void put_file(Writer *writer, const FiloPixels *pixels, size_t stream_size) {
    static const uint8_t signature[8] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n' };
    static const uint8_t format[5] = {
        8, 6, 0, 0, 0
    }; // 8 bits; colours and alpha; the only compression, filter, no interlace
    put(writer, signature, sizeof signature);
    begin_chunk(writer, "IHDR", 13);
    put_number(writer, (uint32_t)pixels->width);
    put_number(writer, (uint32_t)pixels->height);
    put(writer, format, sizeof format);
    end_chunk(writer);
    begin_chunk(writer, "IDAT", stream_size);
    put(writer, (const uint8_t[]){ 0x78, 0x01 }, 2);
    for (int y = 0; y < pixels->height; y++) put_row(writer, filo_pixels_at(pixels, 0, y), pixels->width);
    put_number(writer, writer->high << 16 | writer->low);
    end_chunk(writer);
    begin_chunk(writer, "IEND", 0);
    end_chunk(writer);
}

FiloResult filo_pixels_save(const FiloPixels *pixels, const char *path) {
    if (path == NULL) return FILO_MISTAKE("pass the path of the file to write");
    if (pixels == NULL || pixels->data == NULL || pixels->width < 1 || pixels->height < 1 ||
        pixels->width > FILO_PIXELS_MAX || pixels->height > FILO_PIXELS_MAX)
        return FILO_MISTAKE("pass pixels that filo_pixels_create made");
    size_t rows = (size_t)pixels->height * (1 + (size_t)pixels->width * sizeof(FiloColor));
    size_t stream = 2 + rows + (rows + BLOCK_MAX - 1) / BLOCK_MAX * BLOCK_HEAD + 4;
    size_t size = 8 + CHUNK + 13 + CHUNK + stream + CHUNK;
    uint8_t *bytes = filo_alloc(NULL, size, 0);
    if (bytes == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the PNG", path);
    Writer writer = { .bytes = bytes, .low = 1, .left = rows };
    make_table(writer.table);
    put_file(&writer, pixels, stream);
    FiloResult result = filo_file_write(path, bytes, (size_t)(writer.bytes - bytes), NULL);
    filo_free(NULL, bytes, size, 0);
    return result;
}
