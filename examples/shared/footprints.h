// An ecotope whose footprints are larger or smaller than those of its file.

#ifndef SHARED_FOOTPRINTS_H
#define SHARED_FOOTPRINTS_H

#include <filo/filo.h>

// Reads an ecotope from its text (filo_ecotope_parse), with the sizes of all footprints multiplied by `factor`. `path` is for
// messages. Free it with filo_ecotope_free.
FiloResult footprints_parse(FiloEcotope **ecotope, FiloString text, float factor, const char *path);

#endif
