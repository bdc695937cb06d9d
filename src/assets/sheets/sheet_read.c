// Reads the three forms of sheet files into a draft. Each is one object, whose members may be in any order. So
// references between members are not checked here: assets_sheet_complete does that.

#include "assets/assets.h"
#include "assets/sheets/sheet.h"
#include "base/suggest.h"

#include <filo/log.h>

#include <stdio.h>
#include <string.h>

#define NAME_SIZE     256
#define DEFAULT_TIME  0.1f
#define UNKNOWN_LIMIT 8 // members of a file that are mentioned

typedef struct Reader {
    FiloJsonReader json;
    AssetsSheetDraft *draft;
    FiloResult result; // the first error
    int unknown;       // members
    size_t layers, slices;
    char layer[NAME_SIZE]; // the name of the first one
    bool has_polygons;
} Reader;

// ---- Values ---------------------------------------------------------------------------------------------

static bool refuse(Reader *reader, FiloResult result) {
    if (reader->result.code == FILO_OK) reader->result = result;
    return false;
}

// Reads the next token. False on an error.
static bool next(Reader *reader, FiloJsonToken *token) {
    *token = filo_json_next(&reader->json);
    return token->kind != FILO_JSON_ERROR || refuse(reader, reader->json.error);
}

static bool skip(Reader *reader, FiloJsonToken token) {
    return filo_json_skip(&reader->json, token) || refuse(reader, reader->json.error);
}

// Skips a member that is not one of `known`, a list that ends with NULL, and says so. Programs add members of their own to the
// objects that they write: with `tools`, only one that is likely to be misspelt is mentioned.
static bool skip_unknown(Reader *reader, FiloJsonToken key, const char *what, const char *const *known,
                         bool tools) {
    char name[64], meant[BASE_SUGGEST_SIZE];
    filo_json_as_text(key, name, sizeof name);
    BaseSuggestion suggestion = base_suggest(filo_string(name));
    for (; *known != NULL; known++) base_suggest_offer(&suggestion, filo_string(*known));
    base_suggest_print(&suggestion, meant);
    FiloResult warning = filo_json_error_at(&reader->json, key, "%s has no \"%s\"%s", what, name, meant);
    // A sheet may be read twice: for the simulation, and for drawing.
    if ((!tools || meant[0] != '\0') && reader->unknown++ < UNKNOWN_LIMIT &&
        base_first_time("member of a sheet", filo_string(warning.message)))
        filo_log_warn("assets", "%s", warning.message);
    return skip(reader, key);
}

static bool begin(Reader *reader, FiloJsonKind kind, const char *what) {
    FiloJsonToken token;
    if (!next(reader, &token)) return false;
    if (token.kind == kind) return true;
    return refuse(reader, filo_json_error_at(&reader->json, token, "%s: expected %s, found %s", what,
                                             kind == FILO_JSON_OBJECT_BEGIN ? "an object" : "a list",
                                             filo_json_kind_name(token.kind)));
}

// The next member of an object; false at its end, or on an error.
static bool next_member(Reader *reader, FiloJsonToken *key) {
    return next(reader, key) && key->kind == FILO_JSON_KEY;
}

static bool read_int(Reader *reader, const char *what, int64_t low, int64_t high, int64_t *value) {
    FiloJsonToken token;
    if (!next(reader, &token)) return false;
    double number;
    // 16.0 is accepted, 16.5 is not.
    if (!filo_json_as_double(token, &number) || !filo_json_as_int64(token, value))
        return refuse(reader, filo_json_error_at(&reader->json, token, "%s: expected a whole number", what));
    if (*value >= low && *value <= high) return true;
    return refuse(reader, filo_json_error_at(&reader->json, token, "%s: %lld is outside %lld to %lld", what,
                                             (long long)*value, (long long)low, (long long)high));
}

static bool read_float(Reader *reader, const char *what, double high, float *value) {
    FiloJsonToken token;
    double number;
    if (!next(reader, &token)) return false;
    if (!filo_json_as_double(token, &number) || number < 0 || number > high)
        return refuse(reader, filo_json_error_at(&reader->json, token, "%s: expected a number from 0 to %g",
                                                 what, high));
    *value = (float)number;
    return true;
}

static bool read_text(Reader *reader, const char *what, char *text, size_t size) {
    FiloJsonToken token;
    if (!next(reader, &token)) return false;
    if (token.kind != FILO_JSON_STRING)
        return refuse(reader, filo_json_error_at(&reader->json, token, "%s: expected a text, found %s", what,
                                                 filo_json_kind_name(token.kind)));
    if (filo_json_as_text(token, text, size) < size) return true;
    return refuse(reader, filo_json_error_at(&reader->json, token, "%s: the text is too long", what));
}

static bool make_name(Reader *reader, const char *text, FiloName *name) {
    *name = filo_name_batch_add(&reader->draft->names, filo_string(text));
    const FiloResult *result = &reader->draft->names.result;
    if (result->code == FILO_OK) return true;
    return refuse(reader, filo_error(result->code, "%s: %s", reader->json.source, result->message));
}

static bool read_name(Reader *reader, const char *what, FiloName *name) {
    char text[NAME_SIZE];
    if (!read_text(reader, what, text, sizeof text)) return false;
    return make_name(reader, text, name);
}

static bool no_memory(Reader *reader) {
    return refuse(reader, filo_error(FILO_ERROR_MEMORY, "%s: no memory for the sheet", reader->json.source));
}

static bool too_many(Reader *reader, FiloJsonToken token, const char *what) {
    return refuse(reader, filo_json_error_at(&reader->json, token, "more than %d %s", FILO_SHEET_MAX, what));
}

static bool done(const Reader *reader) { return reader->result.code == FILO_OK; }

// ---- Grid, clips, events --------------------------------------------------------------------------------

static bool read_grid(Reader *reader) {
    static const char *const members[] = { "width", "height", "margin", "spacing", NULL };
    if (!begin(reader, FILO_JSON_OBJECT_BEGIN, "grid")) return false;
    int64_t width = 0, height = 0, margin = 0, spacing = 0;
    FiloJsonToken key;
    while (next_member(reader, &key)) {
        if (filo_json_equal(key, "width"))
            read_int(reader, "width", 1, FILO_PIXELS_MAX, &width);
        else if (filo_json_equal(key, "height"))
            read_int(reader, "height", 1, FILO_PIXELS_MAX, &height);
        else if (filo_json_equal(key, "margin"))
            read_int(reader, "margin", 0, FILO_PIXELS_MAX, &margin);
        else if (filo_json_equal(key, "spacing"))
            read_int(reader, "spacing", 0, FILO_PIXELS_MAX, &spacing);
        else
            skip_unknown(reader, key, "a grid", members, false);
        if (!done(reader)) return false;
    }
    if (!done(reader)) return false;
    if (width == 0 || height == 0)
        return refuse(reader, filo_json_error_at(&reader->json, key, "grid: width and height are needed"));
    reader->draft->grid = (AssetsSheetGrid){ (int)width, (int)height, (int)margin, (int)spacing };
    return true;
}

static bool read_mode(Reader *reader, FiloClipMode *mode) {
    FiloJsonReader before = reader->json;
    FiloJsonToken token = filo_json_next(&before);
    char text[NAME_SIZE];
    if (!read_text(reader, "mode", text, sizeof text)) return false;
    if (strcmp(text, "loop") == 0)
        *mode = FILO_CLIP_LOOP;
    else if (strcmp(text, "once") == 0)
        *mode = FILO_CLIP_ONCE;
    else if (strcmp(text, "ping-pong") == 0 || strcmp(text, "pingpong") == 0)
        *mode = FILO_CLIP_PING_PONG;
    else
        return refuse(reader, filo_json_error_at(&reader->json, token,
                                                 "mode: \"%s\" is none of loop, once and ping-pong", text));
    return true;
}

// Aseprite writes "repeat" as text.
static bool read_repeat(Reader *reader, uint16_t *repeat) {
    FiloJsonReader before = reader->json;
    FiloJsonToken token = filo_json_next(&before);
    int64_t number = 0;
    if (token.kind == FILO_JSON_STRING) {
        char text[NAME_SIZE];
        if (!read_text(reader, "repeat", text, sizeof text)) return false;
        if (filo_parse_int64(filo_string(text), &number).code != FILO_OK || number < 0 || number > UINT16_MAX)
            return refuse(reader,
                          filo_json_error_at(&reader->json, token, "repeat: \"%s\" is no number from 0 to %d",
                                             text, UINT16_MAX));
    } else if (!read_int(reader, "repeat", 0, UINT16_MAX, &number)) {
        return false;
    }
    *repeat = (uint16_t)number;
    return true;
}

static bool add_clip(Reader *reader, FiloJsonToken token, const FiloSheetClip *clip) {
    if (reader->draft->clips.count == FILO_SHEET_MAX) return too_many(reader, token, "clips");
    return filo_array_push(&reader->draft->clips, *clip) || no_memory(reader);
}

static bool read_clip(Reader *reader, FiloJsonToken name) {
    static const char *const members[] = { "from", "to", "fps", "mode", "repeat", NULL };
    char text[NAME_SIZE];
    if (filo_json_as_text(name, text, sizeof text) >= sizeof text)
        return refuse(reader, filo_json_error_at(&reader->json, name, "the name of the clip is too long"));
    FiloSheetClip clip = { 0 };
    int64_t from = -1, to = -1;
    if (!make_name(reader, text, &clip.name) || !begin(reader, FILO_JSON_OBJECT_BEGIN, text)) return false;
    FiloJsonToken key;
    while (next_member(reader, &key)) {
        if (filo_json_equal(key, "from"))
            read_int(reader, "from", 0, FILO_SHEET_MAX - 1, &from);
        else if (filo_json_equal(key, "to"))
            read_int(reader, "to", 0, FILO_SHEET_MAX - 1, &to);
        else if (filo_json_equal(key, "fps"))
            read_float(reader, "fps", 1000, &clip.fps);
        else if (filo_json_equal(key, "mode"))
            read_mode(reader, &clip.mode);
        else if (filo_json_equal(key, "repeat"))
            read_repeat(reader, &clip.repeat);
        else
            skip_unknown(reader, key, "a clip", members, false);
        if (!done(reader)) return false;
    }
    if (!done(reader)) return false;
    if (from < 0)
        return refuse(reader, filo_json_error_at(&reader->json, name, "%s: \"from\" is needed", text));
    clip.from = (uint16_t)from;
    clip.to = (uint16_t)(to >= 0 ? to : from);
    return add_clip(reader, name, &clip);
}

static bool read_clips(Reader *reader) {
    if (!begin(reader, FILO_JSON_OBJECT_BEGIN, "clips")) return false;
    FiloJsonToken key;
    while (next_member(reader, &key))
        if (!read_clip(reader, key)) return false;
    return done(reader);
}

static bool read_event(Reader *reader) {
    static const char *const members[] = { "frame", "name", NULL };
    int64_t frame = -1;
    AssetsSheetEvent event = { 0 };
    FiloJsonToken key;
    while (next_member(reader, &key)) {
        if (filo_json_equal(key, "frame"))
            read_int(reader, "frame", 0, FILO_SHEET_MAX - 1, &frame);
        else if (filo_json_equal(key, "name"))
            read_name(reader, "name", &event.name);
        else
            skip_unknown(reader, key, "an event", members, false);
        if (!done(reader)) return false;
    }
    if (!done(reader)) return false;
    if (frame < 0 || event.name.id == 0)
        return refuse(reader,
                      filo_json_error_at(&reader->json, key, "an event needs \"frame\" and \"name\""));
    event.frame = (uint32_t)frame;
    if (reader->draft->events.count == FILO_SHEET_MAX) return too_many(reader, key, "events");
    return filo_array_push(&reader->draft->events, event) || no_memory(reader);
}

// Calls `read` for each object of a list.
static bool read_list(Reader *reader, const char *what, bool (*read)(Reader *)) {
    FiloJsonToken token;
    if (!begin(reader, FILO_JSON_ARRAY_BEGIN, what)) return false;
    while (next(reader, &token) && token.kind != FILO_JSON_ARRAY_END) {
        if (token.kind != FILO_JSON_OBJECT_BEGIN)
            return refuse(reader, filo_json_error_at(&reader->json, token, "%s: expected an object, found %s",
                                                     what, filo_json_kind_name(token.kind)));
        if (!read(reader)) return false;
    }
    return done(reader);
}

// ---- Frames of Aseprite and TexturePacker ---------------------------------------------------------------

typedef struct Box {
    int64_t x, y, w, h;
} Box;

static bool read_box(Reader *reader, const char *what, int64_t low, Box *box) {
    if (!begin(reader, FILO_JSON_OBJECT_BEGIN, what)) return false;
    FiloJsonToken key;
    while (next_member(reader, &key)) {
        if (filo_json_equal(key, "x"))
            read_int(reader, "x", low, INT16_MAX, &box->x);
        else if (filo_json_equal(key, "y"))
            read_int(reader, "y", low, INT16_MAX, &box->y);
        else if (filo_json_equal(key, "w"))
            read_int(reader, "w", 0, FILO_PIXELS_MAX, &box->w);
        else if (filo_json_equal(key, "h"))
            read_int(reader, "h", 0, FILO_PIXELS_MAX, &box->h);
        else
            skip(reader, key);
        if (!done(reader)) return false;
    }
    return done(reader);
}

static bool read_rotated(Reader *reader) {
    FiloJsonToken token;
    if (!next(reader, &token)) return false;
    if (token.kind == FILO_JSON_TRUE)
        return refuse(
            reader,
            filo_json_error_at(&reader->json, token,
                               "rotated frames are not read: export without rotation (\"Allow rotation\")"));
    return skip(reader, token);
}

typedef struct FrameParts {
    Box frame;   // in the image
    Box trimmed; // position of that in the frame before trimming
    Box full;    // size of the frame before trimming
    FiloName name;
    float milliseconds;
} FrameParts;

static bool read_frame_member(Reader *reader, FiloJsonToken key, FrameParts *parts) {
    if (filo_json_equal(key, "frame")) return read_box(reader, "frame", 0, &parts->frame);
    if (filo_json_equal(key, "spriteSourceSize"))
        return read_box(reader, "spriteSourceSize", INT16_MIN, &parts->trimmed);
    if (filo_json_equal(key, "sourceSize")) return read_box(reader, "sourceSize", 0, &parts->full);
    if (filo_json_equal(key, "rotated")) return read_rotated(reader);
    if (filo_json_equal(key, "filename")) return read_name(reader, "filename", &parts->name);
    if (filo_json_equal(key, "triangles")) reader->has_polygons = true;
    if (filo_json_equal(key, "duration")) return read_float(reader, "duration", 1e6, &parts->milliseconds);
    return skip(reader, key);
}

// Reads the members of an object whose beginning has been read.
static bool read_frame(Reader *reader, FiloName name) {
    FrameParts parts = { .name = name, .milliseconds = -1 };
    FiloJsonToken key;
    while (next_member(reader, &key))
        if (!read_frame_member(reader, key, &parts)) return false;
    if (!done(reader)) return false;
    if (parts.frame.w == 0 || parts.frame.h == 0)
        return refuse(reader, filo_json_error_at(&reader->json, key, "a frame needs \"frame\" with a size"));
    if (reader->draft->frames.count == FILO_SHEET_MAX) return too_many(reader, key, "frames");
    bool untrimmed = parts.full.w == 0 || parts.full.h == 0;
    if (untrimmed) parts.trimmed = (Box){ 0 };
    FiloSheetFrame frame = {
        .x = (uint16_t)parts.frame.x,
        .y = (uint16_t)parts.frame.y,
        .width = (uint16_t)parts.frame.w,
        .height = (uint16_t)parts.frame.h,
        .left = (int16_t)parts.trimmed.x,
        .top = (int16_t)parts.trimmed.y,
        .full_width = (uint16_t)(untrimmed ? parts.frame.w : parts.full.w),
        .full_height = (uint16_t)(untrimmed ? parts.frame.h : parts.full.h),
        .seconds = parts.milliseconds >= 0 ? parts.milliseconds / 1000.0f : DEFAULT_TIME,
        .name = parts.name,
    };
    return filo_array_push(&reader->draft->frames, frame) || no_memory(reader);
}

static bool read_listed_frame(Reader *reader) { return read_frame(reader, (FiloName){ 0 }); }

static bool read_frames(Reader *reader) {
    FiloJsonReader ahead = reader->json;
    if (filo_json_next(&ahead).kind == FILO_JSON_ARRAY_BEGIN)
        return read_list(reader, "frames", read_listed_frame);
    if (!begin(reader, FILO_JSON_OBJECT_BEGIN, "frames")) return false;
    FiloJsonToken key;
    while (next_member(reader, &key)) {
        char text[NAME_SIZE];
        if (filo_json_as_text(key, text, sizeof text) >= sizeof text)
            return refuse(reader,
                          filo_json_error_at(&reader->json, key, "the name of the frame is too long"));
        FiloName name;
        if (!make_name(reader, text, &name) || !begin(reader, FILO_JSON_OBJECT_BEGIN, text) ||
            !read_frame(reader, name))
            return false;
    }
    return done(reader);
}

// ---- Meta data of Aseprite and TexturePacker ------------------------------------------------------------

static bool read_direction(Reader *reader, bool *backwards, FiloClipMode *mode) {
    FiloJsonReader before = reader->json;
    FiloJsonToken token = filo_json_next(&before);
    char text[NAME_SIZE];
    if (!read_text(reader, "direction", text, sizeof text)) return false;
    *backwards = strcmp(text, "reverse") == 0 || strcmp(text, "pingpong_reverse") == 0;
    bool ping_pong = strcmp(text, "pingpong") == 0 || strcmp(text, "pingpong_reverse") == 0;
    if (ping_pong) *mode = FILO_CLIP_PING_PONG;
    if (ping_pong || *backwards || strcmp(text, "forward") == 0) return true;
    return refuse(reader, filo_json_error_at(&reader->json, token, "direction: \"%s\" is not known", text));
}

static bool read_tag(Reader *reader) {
    FiloSheetClip clip = { 0 };
    int64_t from = -1, to = -1;
    bool backwards = false;
    FiloJsonToken key;
    while (next_member(reader, &key)) {
        if (filo_json_equal(key, "name"))
            read_name(reader, "name", &clip.name);
        else if (filo_json_equal(key, "from"))
            read_int(reader, "from", 0, FILO_SHEET_MAX - 1, &from);
        else if (filo_json_equal(key, "to"))
            read_int(reader, "to", 0, FILO_SHEET_MAX - 1, &to);
        else if (filo_json_equal(key, "direction"))
            read_direction(reader, &backwards, &clip.mode);
        else if (filo_json_equal(key, "repeat"))
            read_repeat(reader, &clip.repeat);
        else
            skip(reader, key);
        if (!done(reader)) return false;
    }
    if (!done(reader)) return false;
    if (from < 0 || to < 0)
        return refuse(reader, filo_json_error_at(&reader->json, key, "a tag needs \"from\" and \"to\""));
    if (clip.repeat == 1 && clip.mode == FILO_CLIP_LOOP) clip.mode = FILO_CLIP_ONCE;
    clip.from = (uint16_t)(backwards ? to : from);
    clip.to = (uint16_t)(backwards ? from : to);
    return add_clip(reader, key, &clip);
}

static bool read_layer(Reader *reader) {
    FiloJsonToken key;
    while (next_member(reader, &key)) {
        bool is_first = reader->layers == 0 && filo_json_equal(key, "name");
        if (is_first ? !read_text(reader, "name", reader->layer, sizeof reader->layer) : !skip(reader, key))
            return false;
    }
    reader->layers++;
    return done(reader);
}

static bool skip_slice(Reader *reader) {
    FiloJsonToken key;
    while (next_member(reader, &key))
        if (!skip(reader, key)) return false;
    reader->slices++;
    return done(reader);
}

static bool read_image(Reader *reader) {
    char *image = reader->draft->image;
    if (!read_text(reader, "image", image, sizeof reader->draft->image)) return false;
    for (char *c = image; *c != '\0'; c++)
        if (*c == '\\') *c = '/'; // a path written on Windows
    return true;
}

static bool read_meta(Reader *reader) {
    if (!begin(reader, FILO_JSON_OBJECT_BEGIN, "meta")) return false;
    FiloJsonToken key;
    while (next_member(reader, &key)) {
        if (filo_json_equal(key, "image"))
            read_image(reader);
        else if (filo_json_equal(key, "frameTags"))
            read_list(reader, "frameTags", read_tag);
        else if (filo_json_equal(key, "layers"))
            read_list(reader, "layers", read_layer);
        else if (filo_json_equal(key, "slices"))
            read_list(reader, "slices", skip_slice);
        else
            skip(reader, key);
        if (!done(reader)) return false;
    }
    return done(reader);
}

static bool read_textures(Reader *reader);

static bool read_member(Reader *reader, FiloJsonToken key) {
    static const char *const members[] = { "image", "grid", "clips", "events", "frames", "meta", NULL };
    if (filo_json_equal(key, "image")) return read_image(reader);
    if (filo_json_equal(key, "grid")) return read_grid(reader);
    if (filo_json_equal(key, "clips")) return read_clips(reader);
    if (filo_json_equal(key, "events")) return read_list(reader, "events", read_event);
    if (filo_json_equal(key, "frames")) return read_frames(reader);
    if (filo_json_equal(key, "meta")) return read_meta(reader);
    if (filo_json_equal(key, "textures")) return read_textures(reader);
    return skip_unknown(reader, key, "a sheet", members, true);
}

// A multi-pack of TexturePacker is a list of sheets.
static bool read_textures(Reader *reader) {
    FiloJsonToken key, token;
    if (!begin(reader, FILO_JSON_ARRAY_BEGIN, "textures") ||
        !begin(reader, FILO_JSON_OBJECT_BEGIN, "textures"))
        return false;
    while (next_member(reader, &key))
        if (filo_json_equal(key, "textures") ? !skip(reader, key) : !read_member(reader, key)) return false;
    if (!done(reader) || !next(reader, &token)) return false;
    if (token.kind == FILO_JSON_ARRAY_END) return true;
    return refuse(reader,
                  filo_json_error_at(&reader->json, token,
                                     "this multi-pack has several images, and a sheet has one: export "
                                     "without multi-pack, one sheet for each image"));
}

// ---- What is left out ----------------------------------------------------------------------------------

static bool has_layers_apart(const Reader *reader) {
    char part[NAME_SIZE + 2];
    if (reader->layers < 2 || reader->draft->frames.count == 0) return false;
    snprintf(part, sizeof part, "(%s)", reader->layer);
    return strstr(filo_name_text(reader->draft->frames.items[0].name), part) != NULL;
}

static void warn_once(const Reader *reader, bool condition, const char *what) {
    if (condition && base_first_time(what, filo_string(reader->json.source)))
        filo_log_warn("assets", "%s: %s", reader->json.source, what);
}

static void say_what_is_left_out(const Reader *reader) {
    warn_once(reader, reader->slices > 0, "its slices are left out, with their centres and pivots");
    warn_once(reader, reader->has_polygons,
              "its polygons are left out, so frames may show parts of others: export rectangles");
    warn_once(reader, has_layers_apart(reader) && reader->draft->clips.count > 0,
              "its layers were exported apart, so clips show the first layer only: export without \"Split "
              "Layers\"");
}

// ---- The whole file -------------------------------------------------------------------------------------

static bool read_file(Reader *reader) {
    if (!begin(reader, FILO_JSON_OBJECT_BEGIN, "a sheet")) return false;
    FiloJsonToken token;
    while (next_member(reader, &token))
        if (!read_member(reader, token)) return false;
    if (!done(reader) || !next(reader, &token)) return false;
    const AssetsSheetDraft *draft = reader->draft;
    const char *name = reader->json.source;
    if (draft->image[0] == '\0')
        return refuse(reader,
                      filo_error(FILO_ERROR_DATA, "%s: does not say which image it belongs to", name));
    if (draft->grid.width > 0 && draft->frames.count > 0)
        return refuse(reader, filo_error(FILO_ERROR_DATA, "%s: has both a grid and frames", name));
    if (draft->grid.width == 0 && draft->frames.count == 0)
        return refuse(reader, filo_error(FILO_ERROR_DATA, "%s: there are no frames", name));
    return true;
}

FiloResult assets_sheet_read(AssetsSheetDraft *draft, const char *text, size_t length, const char *name,
                             const FiloAllocator *allocator) {
    filo_array_init(&draft->frames, allocator);
    filo_array_init(&draft->clips, allocator);
    filo_array_init(&draft->events, allocator);
    Reader reader = { .draft = draft, .result = filo_ok() };
    filo_json_reader_init(&reader.json, text, length, name);
    if (read_file(&reader)) say_what_is_left_out(&reader);
    return reader.result;
}

// Whether the value that follows is a list whose first element has frames.
static bool is_multi_pack(FiloJsonReader json) {
    if (filo_json_next(&json).kind != FILO_JSON_ARRAY_BEGIN) return false;
    FiloJsonToken token = filo_json_next(&json);
    if (token.kind != FILO_JSON_OBJECT_BEGIN) return false;
    while ((token = filo_json_next(&json)).kind == FILO_JSON_KEY) {
        if (filo_json_equal(token, "frames")) return true;
        if (!filo_json_skip(&json, token)) return false;
    }
    return false;
}

bool assets_is_sheet(const char *text, size_t length) {
    FiloJsonReader json;
    filo_json_reader_init(&json, text, length, "");
    FiloJsonToken token = filo_json_next(&json);
    if (token.kind != FILO_JSON_OBJECT_BEGIN) return false;
    while ((token = filo_json_next(&json)).kind == FILO_JSON_KEY) {
        if (filo_json_equal(token, "frames") || filo_json_equal(token, "grid")) return true;
        if (filo_json_equal(token, "textures") && is_multi_pack(json)) return true;
        if (!filo_json_skip(&json, token)) return false;
    }
    return false;
}
