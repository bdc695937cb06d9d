#include "shared/footprints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Writes the text with the sizes of all footprints multiplied: they are part of the file, so others are another file.
static bool scale_footprints(FiloString text, float factor, char *out, size_t size) {
    size_t length = 0;
    const char *const key = "\"metres\":", *end = text.data + text.length;
    for (const char *at = text.data; at < end && length + 32 < size;) {
        if ((size_t)(end - at) > strlen(key) && memcmp(at, key, strlen(key)) == 0) {
            char *rest;
            double metres = strtod(at + strlen(key), &rest);
            length += (size_t)snprintf(out + length, size - length, "%s %.4f", key, metres * (double)factor);
            at = rest;
        } else
            out[length++] = *at++;
    }
    out[length] = 0;
    return length + 32 < size;
}

FiloResult footprints_parse(FiloEcotope **ecotope, FiloString text, float factor, const char *path) {
    size_t size = 2 * text.length + 256;
    char *scaled = filo_alloc(NULL, size, 1);
    FiloResult r = filo_error(FILO_ERROR_MEMORY, "%s: no memory for it", path);
    *ecotope = NULL;
    if (scaled != NULL && scale_footprints(text, factor, scaled, size))
        r = filo_ecotope_parse(ecotope, scaled, strlen(scaled), path, NULL);
    filo_free(NULL, scaled, size, 1);
    return r;
}
