// Reads files of one kind, and prints a line for each of them: for tools/check_files.py.
//
//     build/<preset>/tests/read_files image|sound|json|font <paths      a path on each line
//
// A line is "image <width> <height> <bytes of RGBA>", "sound <rate> <channels> <samples>", "json", "font <glyphs>", or
// "refused <why>".

#include "audio/sounds/file.h"

#include <filo/files.h>
#include <filo/image.h>
#include <filo/json.h>
#include <filo/log.h>
#include <filo/text.h>

#include <stdio.h>
#include <string.h>

static void print_bytes(const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) printf("%02x", ((const unsigned char *)bytes)[i]);
    putchar('\n');
}

static FiloResult read_image(const FiloFileData *file, const char *path) {
    FiloPixels pixels;
    FiloResult r =
        filo_image_decode(&pixels, file->bytes, file->size, path, &(FiloImageOptions){ .straight = true });
    if (r.code != FILO_OK) return r;
    printf("image %d %d ", pixels.width, pixels.height);
    print_bytes(pixels.data, (size_t)pixels.width * (size_t)pixels.height * 4);
    filo_pixels_free(&pixels, NULL);
    return r;
}

static FiloResult read_sound(const FiloFileData *file, const char *path) {
    AudioFile sound;
    FiloResult r = audio_file_open(&sound, file->bytes, file->size, path);
    if (r.code != FILO_OK) return r;
    static int16_t samples[1 << 20];
    size_t channels = sound.head.channels;
    size_t frames = audio_file_read(&sound, samples, FILO_COUNT_OF(samples) / channels);
    printf("sound %u %zu ", (unsigned)sound.head.rate, channels);
    print_bytes(samples, frames * channels * sizeof *samples);
    audio_file_close(&sound);
    return r;
}

static FiloResult read_json(const FiloFileData *file, const char *path) {
    FiloJsonReader reader;
    filo_json_reader_init(&reader, file->text, file->size, path);
    FiloJsonToken token;
    while ((token = filo_json_next(&reader)).kind < FILO_JSON_END) {}
    if (token.kind == FILO_JSON_ERROR) return reader.error;
    puts("json");
    return filo_ok();
}

// The glyphs of a line of text of which the font draws what it has.
static FiloResult read_font(const FiloFileData *file, const char *path) {
    FiloTypesetter *setter;
    FiloResult r = filo_typesetter_create(&setter, &(FiloTypesetterDesc){ 0 });
    if (r.code != FILO_OK) return r;
    r = filo_text_add_font(setter, path, file->bytes, file->size);
    if (r.code == FILO_OK) {
        const char *text = "Filo 123, \xCE\xA9\xD0\xAF \xD7\xA9 \xD9\x85 \xE0\xA4\x95 \xE6\x97\x85";
        const FiloTextLayout *layout = filo_text_layout(
            setter, &(FiloTextStyle){ .font = filo_name(path), .size = 16 }, filo_string(text));
        size_t count = 0;
        if (layout != NULL) (void)filo_text_glyphs(layout, &count);
        printf("font %zu\n", count);
    }
    filo_typesetter_destroy(setter);
    return r;
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        FiloResult (*read)(const FiloFileData *file, const char *path);
    } kinds[] = {
        { "image", read_image }, { "sound", read_sound }, { "json", read_json }, { "font", read_font }
    };
    (void)filo_log_set_filter(FILO_LOG_TERMINAL, "off");
    char path[FILO_PATH_SIZE];
    while (argc == 2 && fgets(path, sizeof path, stdin) != NULL) {
        path[strcspn(path, "\n")] = '\0';
        FiloFileData file = { 0 };
        FiloResult r = filo_file_read(&file, path, NULL);
        for (size_t i = 0; i < FILO_COUNT_OF(kinds) && r.code == FILO_OK; i++)
            if (strcmp(argv[1], kinds[i].name) == 0) r = kinds[i].read(&file, path);
        if (r.code != FILO_OK) printf("refused %s\n", r.message);
        filo_file_free(&file);
    }
    return 0;
}
