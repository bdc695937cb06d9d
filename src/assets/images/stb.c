// BMP, TGA and HDR, by stb_image, of which only these three decoders are compiled.
//
// After the end of a truncated file stb reads zeroes, and may not terminate. So it reads through a callback, which
// calls longjmp at the end of the file. stb also allocates through functions of this file, which put all blocks into a
// linked list, so that they can be freed after a longjmp.

#include "assets/images/image.h"

#include <setjmp.h>
#include <string.h>

typedef struct Block {
    struct Block *next, **link; // link: the pointer to this block
    size_t size;                // with this header
} Block;

_Static_assert(sizeof(Block) % 8 == 0, "the memory after the header is aligned like the header");
#define BLOCK_HEADER FILO_ALIGN_UP(sizeof(Block), (size_t)16)

typedef struct Reader {
    const AssetsImageSource *source;
    size_t position;
    void *stb_buffer; // reads into it may be short; other reads must be complete
    Block *blocks;
    bool out_of_memory;
    jmp_buf leave;
} Reader;

// The reader of this thread, for stb's allocation functions, which have no user pointer.
static _Thread_local Reader *current;

static void *stb_resize(void *memory, size_t size) {
    Block *block = memory != NULL ? (Block *)(void *)((uint8_t *)memory - BLOCK_HEADER) : NULL;
    size_t old_size = block != NULL ? block->size : 0;
    Block *resized = size < SIZE_MAX - BLOCK_HEADER
                         ? filo_resize(current->source->allocator, block, old_size, BLOCK_HEADER + size, 0)
                         : NULL;
    if (resized == NULL) {
        current->out_of_memory = true;
        return NULL;
    }
    if (block == NULL) {
        resized->next = current->blocks;
        resized->link = &current->blocks;
    }
    resized->size = BLOCK_HEADER + size;
    *resized->link = resized;
    if (resized->next != NULL) resized->next->link = &resized->next;
    return (uint8_t *)resized + BLOCK_HEADER;
}

static void stb_free(void *memory) {
    if (memory == NULL) return;
    Block *block = (Block *)(void *)((uint8_t *)memory - BLOCK_HEADER);
    *block->link = block->next;
    if (block->next != NULL) block->next->link = block->link;
    filo_free(current->source->allocator, block, block->size, 0);
}

#define STBI_MALLOC(size)          stb_resize(NULL, (size))
#define STBI_REALLOC(memory, size) stb_resize((memory), (size))
#define STBI_FREE(memory)          stb_free(memory)
#define STBI_ONLY_BMP
#define STBI_ONLY_TGA
#define STBI_ONLY_HDR
#define STBI_NO_STDIO
#define STBI_NO_SIMD
#define STBI_MAX_DIMENSIONS    FILO_PIXELS_MAX
#define STBI_ASSERT(condition) ((void)0)
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
// Outside of push and pop, because the compiler reports unused functions at the end of the file.
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wsign-compare"
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

// ---- Reading ------------------------------------------------------------------------------------------

static int on_read(void *user, char *data, int size) {
    Reader *reader = user;
    size_t remaining = reader->source->size - reader->position, requested = (size_t)size;
    if (remaining == 0 || (remaining < requested && data != reader->stb_buffer)) longjmp(reader->leave, 1);
    size_t count = FILO_MIN(remaining, requested);
    memcpy(data, reader->source->bytes + reader->position, count);
    reader->position += count;
    return (int)count;
}

static void on_skip(void *user, int count) {
    Reader *reader = user;
    size_t remaining = reader->source->size - reader->position;
    if (count < 0 || (size_t)count > remaining) longjmp(reader->leave, 1);
    reader->position += (size_t)count;
}

static int on_end(void *user) {
    const Reader *reader = user;
    return reader->position == reader->source->size;
}

static const char *format_name(const AssetsImageSource *source) {
    FiloImageFormat format = filo_image_format(source->bytes, source->size, source->name);
    return format == FILO_IMAGE_HDR ? "HDR" : format == FILO_IMAGE_BMP ? "BMP" : "TGA";
}

static FiloResult stb_error(const Reader *reader) {
    const AssetsImageSource *source = reader->source;
    if (reader->out_of_memory) return assets_image_no_memory(source);
    const char *reason = stbi_failure_reason();
    return filo_error(FILO_ERROR_DATA, "%s: broken %s, or of a kind that is not supported (%s)", source->name,
                      format_name(source), reason != NULL ? reason : "not to be read");
}

static void start(stbi__context *context, Reader *reader) {
    static stbi_io_callbacks callbacks = { on_read, on_skip, on_end };
    reader->position = 0;
    reader->stb_buffer = context->buffer_start;
    stbi__start_callbacks(context, &callbacks, reader);
}

// Checks the size in the header, before memory of that size is allocated.
static FiloResult check_header(stbi__context *context, Reader *reader) {
    int width, height, channels;
    start(context, reader);
    if (stbi__info_main(context, &width, &height, &channels) == 0) return stb_error(reader);
    if (width < 0 || height < 0) // stb negates a negative height, which overflows for -2^31
        return filo_error(FILO_ERROR_DATA, "%s: the header of this %s has a size that no picture has",
                          reader->source->name, format_name(reader->source));
    return assets_image_check_size(reader->source, (uint64_t)width, (uint64_t)height, 1);
}

static FiloResult read_bytes(Reader *reader, FiloPixels *pixels) {
    stbi__context context;
    stbi__result_info info;
    FiloResult result = check_header(&context, reader);
    if (result.code != FILO_OK) return result;
    int width = 0, height = 0, channels;
    start(&context, reader);
    void *made = stbi__load_main(&context, &width, &height, &channels, 4, &info, 8);
    if (made == NULL) return stb_error(reader);
    result = assets_image_make_pixels(reader->source, pixels, (uint64_t)width, (uint64_t)height, 1);
    // stb does not convert TGA files with 16 bits per channel.
    if (result.code == FILO_OK && info.bits_per_channel != 8)
        result = filo_error(FILO_ERROR_DATA, "%s: has %d bits a channel", reader->source->name,
                            info.bits_per_channel);
    if (result.code == FILO_OK)
        memcpy(pixels->data, made, (size_t)width * (size_t)height * sizeof(FiloColor));
    return result;
}

static FiloResult read_floats(Reader *reader, float **values, int *width, int *height) {
    stbi__context context;
    stbi__result_info info;
    FiloResult result = check_header(&context, reader);
    if (result.code != FILO_OK) return result;
    int channels;
    start(&context, reader);
    const float *made = stbi__hdr_load(&context, width, height, &channels, 4, &info);
    if (made == NULL) return stb_error(reader);
    size_t size = (size_t)*width * (size_t)*height * 4 * sizeof(float);
    *values = filo_alloc(reader->source->allocator, size, 0);
    if (*values == NULL) return assets_image_no_memory(reader->source);
    memcpy(*values, made, size);
    return filo_ok();
}

// Calls read_bytes or read_floats; `pixels` or `values` is NULL. A separate function, because after a longjmp the local
// variables of the function that called setjmp are indeterminate.
static FiloResult read_guarded(Reader *reader, FiloPixels *pixels, float **values, int *width, int *height) {
    if (setjmp(reader->leave) != 0)
        return filo_error(FILO_ERROR_DATA, "%s: the file ends too early", reader->source->name);
    return pixels != NULL ? read_bytes(reader, pixels) : read_floats(reader, values, width, height);
}

static FiloResult decode(const AssetsImageSource *source, FiloPixels *pixels, float **values, int *width,
                         int *height) {
    Reader reader = { .source = source };
    current = &reader;
    FiloResult result = read_guarded(&reader, pixels, values, width, height);
    while (reader.blocks != NULL) stb_free((uint8_t *)reader.blocks + BLOCK_HEADER);
    current = NULL;
    return result;
}

FiloResult assets_stb_decode(const AssetsImageSource *source, FiloPixels *pixels) {
    *pixels = (FiloPixels){ 0 };
    FiloResult result = decode(source, pixels, NULL, NULL, NULL);
    if (result.code != FILO_OK) filo_pixels_free(pixels, source->allocator);
    return result;
}

FiloResult assets_hdr_decode(const AssetsImageSource *source, float **values, int *width, int *height) {
    *values = NULL;
    FiloResult result = decode(source, NULL, values, width, height);
    if (result.code != FILO_OK) *width = *height = 0;
    return result;
}
