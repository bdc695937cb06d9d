// The fonts of a typesetter: sources (an asset or bytes of the program, under a name), the TextFonts made of them,
// families, and chains.
//
// A chain is the list of fonts that are asked for a character, for one name and style. It has only fonts whose files
// are there, and ends with the built-in one. All chains are made again when a file was loaded or changed, which
// `generation` counts; layouts of an earlier generation are not used any more.

#ifndef TEXT_FONTS_H
#define TEXT_FONTS_H

#include "text/font/font.h"

#include <filo/containers.h>

#define TEXT_FALLBACK_MAX 32
#define TEXT_CHAIN_MAX    (2 * TEXT_FALLBACK_MAX + 4)
#define TEXT_NO_SOURCE    UINT16_MAX
#define TEXT_STYLES       4 // bit 0: bold, bit 1: italic

typedef struct TextSource {
    FiloName name; // retained
    FiloAsset asset;
    uint32_t asset_version;
    TextFontFile *file; // retained; NULL: not loaded, or failed
    bool failed;
} TextSource;

typedef struct TextFamily {
    FiloName name; // retained
    uint16_t sources[TEXT_STYLES];
    FiloName fallback[TEXT_FALLBACK_MAX]; // retained
    size_t fallback_count;
    TextAxes axes;
} TextFamily;

typedef struct TextChain {
    uint16_t fonts[TEXT_CHAIN_MAX];
    size_t count;   // at least 1
    bool has_color; // a font of it has colour
} TextChain;

typedef struct TextFonts {
    FiloArray(TextSource) sources;
    FiloMap source_of;           // uint16_t by name
    FiloArray(TextFont *) fonts; // [0] is the built-in one
    FiloArray(TextFamily) families;
    FiloMap family_of; // uint16_t by name
    FiloName fallback[TEXT_FALLBACK_MAX];
    size_t fallback_count;
    FiloName default_font;
    FiloMap chains;           // TextChain * by name, style and axes
    FiloArray(TextAxes) axes; // that spans have; [0] is empty
    bool axes_reported;
    uint32_t generation; // grows when chains may be different
    FiloMap missing;     // characters that were reported
    bool full_reported;
} TextFonts;

bool text_fonts_init(FiloTypesetter *setter); // false without memory
void text_fonts_deinit(FiloTypesetter *setter);
// Takes over files that were loaded since. True if any changed.
bool text_fonts_update(FiloTypesetter *setter);
// The number of a set of axes; 0 if it is empty, there are too many, or without memory.
uint16_t text_fonts_axes(FiloTypesetter *setter, const TextAxes *axes);
// The chain of a name, a style and the number of a set of axes; never NULL. Starts to load a font that was not used
// before. Valid until the next update or change of fonts.
const TextChain *text_fonts_chain(FiloTypesetter *setter, FiloName font, bool bold, bool italic,
                                  uint16_t axes);
// Logs, once for each character, that no font has it.
void text_fonts_report_missing(FiloTypesetter *setter, FiloName font, uint32_t code_point);

#endif
