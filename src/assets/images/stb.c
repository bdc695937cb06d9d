// BMP, TGA and HDR, by stb_image, of which only these three readers are compiled.
//
// stb goes on with zeroes where a file ends too early, and may then never come to an end. So it reads through a
// function of ours, which leaves by longjmp when more is asked for than there is. What stb has allocated at
// that moment is known, because it allocates through functions of ours too: blocks are chained, and freed
// together.

#include "assets/images/image.h"

#include <setjmp.h>
#include <string.h>

typedef struct Block {
    struct Block *next, **link; // link: what points to this one
    size_t size;                // with this header
} Block;

_Static_assert(sizeof(Block) % 8 == 0, "what follows a block's header is aligned like it");
#define BLOCK_HEADER FILO_ALIGN_UP(sizeof(Block), (size_t)16)

typedef struct Reader {
    const AssetsImageSource *source;
    size_t position;
    void *stb_buffer; // stb fills it as far as it can; other reads must be whole
    Block *blocks;
    bool out_of_memory;
    jmp_buf leave;
} Reader;

// The reader of the calling thread, for stb's allocations, which carry no argument.
static _Thread_local Reader *current;

static void *stb_resize(void *memory, size_t size) {
    Block *block = memory != NULL ? (Block *)(void *)((uint8_t *)memory - BLOCK_HEADER) : NULL;
    size_t old_size = block != NULL ? block->size : 0;
    Block *fresh = size < SIZE_MAX - BLOCK_HEADER
                       ? filo_resize(current->source->allocator, block, old_size, BLOCK_HEADER + size, 0)
                       : NULL;
    if (fresh == NULL) {
        current->out_of_memory = true;
        return NULL;
    }
    if (block == NULL) {
        fresh->next = current->blocks;
        fresh->link = &current->blocks;
    }
    fresh->size = BLOCK_HEADER + size;
    *fresh->link = fresh;
    if (fresh->next != NULL) fresh->next->link = &fresh->next;
    return (uint8_t *)fresh + BLOCK_HEADER;
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
// Not taken back: the compiler looks for unused functions at the end of the file.
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wsign-compare"
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

// ---- Reading ------------------------------------------------------------------------------------------

static int read_some(void *user, char *data, int size) {
    Reader *reader = user;
    size_t rest = reader->source->size - reader->position, wanted = (size_t)size;
    if (rest == 0 || (rest < wanted && data != reader->stb_buffer)) longjmp(reader->leave, 1);
    size_t given = FILO_MIN(rest, wanted);
    memcpy(data, reader->source->bytes + reader->position, given);
    reader->position += given;
    return (int)given;
}

static void skip_some(void *user, int count) {
    Reader *reader = user;
    size_t rest = reader->source->size - reader->position;
    if (count < 0 || (size_t)count > rest) longjmp(reader->leave, 1);
    reader->position += (size_t)count;
}

static int at_end(void *user) {
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
    static stbi_io_callbacks callbacks = { read_some, skip_some, at_end };
    reader->position = 0;
    reader->stb_buffer = context->buffer_start;
    stbi__start_callbacks(context, &callbacks, reader);
}

// What the header says, before anything of that size is allocated.
static FiloResult check_header(stbi__context *context, Reader *reader) {
    int width, height, channels;
    start(context, reader);
    if (stbi__info_main(context, &width, &height, &channels) == 0) return stb_error(reader);
    if (width < 0 || height < 0) // of -2^31 there is no positive one
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
    // Some TGA files have 16 bits a channel: that kind is not supported by stb.
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

// Runs one of the two above; `pixels` or `values` is NULL. Its own function, because after a longjmp nothing is
// known of the variables of the one that called setjmp.
static FiloResult read_guarded(Reader *reader, FiloPixels *pixels, float **values, int *width, int *height) {
    if (setjmp(reader->leave) != 0)
        return filo_error(FILO_ERROR_DATA, "%s: the file ends too early", reader->source->name);
    return pixels != NULL ? read_bytes(reader, pixels) : read_floats(reader, values, width, height);
}

static FiloResult run(const AssetsImageSource *source, FiloPixels *pixels, float **values, int *width,
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
    FiloResult result = run(source, pixels, NULL, NULL, NULL);
    if (result.code != FILO_OK) filo_pixels_free(pixels, source->allocator);
    return result;
}

FiloResult assets_hdr_decode(const AssetsImageSource *source, float **values, int *width, int *height) {
    *values = NULL;
    FiloResult result = run(source, NULL, values, width, height);
    if (result.code != FILO_OK) *width = *height = 0;
    return result;
}
