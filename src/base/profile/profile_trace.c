// The profile as Chrome trace JSON ("Trace Event Format"): one object with an array of events, each an object on its
// own line. Zones and frames are complete events ("X"), counters are "C", and the names of tracks are metadata ("M").
// Frames have a separate track, number 0.
//
// Text is collected in a buffer and passed on in pieces. After the first failure, which is stored in `result`, nothing
// more is written. Numbers do not depend on the locale, in which the decimal point may be a comma.

#include <filo/check.h>
#include <filo/profile.h>

#include "base/file_replace.h"
#include "base/file_system.h"
#include "base/profile/profile_log.h"
#include "base/profile/profile_report.h"
#include "base/text/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_SIZE FILO_KIB(16)

typedef struct Writer {
    FiloProfileWrite write;
    void *user;
    FiloResult result;
    bool first_event_written;
    int process;
    size_t length;
    char buffer[BUFFER_SIZE];
} Writer;

static void flush(Writer *writer) {
    if (writer->length > 0 && writer->result.code == FILO_OK)
        writer->result = writer->write(writer->buffer, writer->length, writer->user);
    writer->length = 0;
}

static void put(Writer *writer, const char *text, size_t size) {
    while (size > 0) {
        if (writer->length == sizeof writer->buffer) flush(writer);
        size_t part = FILO_MIN(size, sizeof writer->buffer - writer->length);
        memcpy(writer->buffer + writer->length, text, part);
        writer->length += part;
        text += part;
        size -= part;
    }
}

static void put_text(Writer *writer, const char *text) { put(writer, text, strlen(text)); }

static void put_format(Writer *writer, const char *format, ...) FILO_PRINTF(2, 3);
static void put_format(Writer *writer, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length > 0) put(writer, text, FILO_MIN((size_t)length, sizeof text - 1));
}

// ---- Strings and numbers ------------------------------------------------------------------------------

// A string in quotes. Bytes that are not UTF-8, which JSON does not allow, become U+FFFD.
static void put_string(Writer *writer, const char *text) {
    put_text(writer, "\"");
    for (size_t left = strlen(text), length; left > 0; text += length, left -= length) {
        length = base_utf8_valid_size(text, left);
        if (*text == '"' || *text == '\\')
            put_format(writer, "\\%c", *text);
        else if (length == 1 && ((unsigned char)*text < 0x20 || *text == 0x7F))
            put_format(writer, "\\u%04x", (unsigned)(unsigned char)*text);
        else if (length == 0)
            put_text(writer, "\\ufffd");
        else
            put(writer, text, length);
        length = FILO_MAX(length, (size_t)1);
    }
    put_text(writer, "\"");
}

static void put_double(Writer *writer, double value) {
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); // built in: nothing is allocated
    locale_t before = uselocale(plain);
    put_format(writer, "%.15g", value);
    uselocale(before);
}

// Nanoseconds as microseconds with three digits.
static void put_time(Writer *writer, int64_t ns) {
    if (ns < 0) ns = 0; // clocks of two processors may differ by a tick
    put_format(writer, "%lld.%03d", (long long)(ns / 1000), (int)(ns % 1000));
}

// ---- Events -------------------------------------------------------------------------------------------

// The members that all events have. The caller adds further members and closes the object.
static void put_event(Writer *writer, char phase, uint32_t thread) {
    put_format(writer, "%s\n{\"ph\":\"%c\",\"pid\":%d,\"tid\":%u", writer->first_event_written ? "," : "",
               phase, writer->process, thread);
    writer->first_event_written = true;
}

static void put_track_name(Writer *writer, uint32_t thread, const char *name) {
    put_event(writer, 'M', thread);
    put_text(writer, ",\"name\":\"thread_name\",\"args\":{\"name\":");
    put_string(writer, name);
    put_text(writer, "}}");
    put_event(writer, 'M', thread);
    put_format(writer, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%u}}", thread);
}

static int64_t ns_since_origin(const BaseProfileSnapshot *snapshot, uint64_t ticks) {
    return base_profile_ns(snapshot, snapshot->origin.ticks, ticks);
}

static void put_span(Writer *writer, uint32_t thread, int64_t start_ns, int64_t end_ns) {
    put_event(writer, 'X', thread);
    put_text(writer, ",\"ts\":");
    put_time(writer, start_ns);
    put_text(writer, ",\"dur\":");
    put_time(writer, end_ns - start_ns);
    put_text(writer, ",\"name\":");
}

static void put_zone(Writer *writer, const BaseProfileSnapshot *snapshot, uint32_t thread,
                     const BaseProfileEvent *event) {
    put_span(writer, thread, ns_since_origin(snapshot, event->time),
             ns_since_origin(snapshot, event->detail));
    put_string(writer, base_profile_event_name(event));
    const FiloZoneSite *site = base_profile_event_site(event);
    if (site != NULL) {
        put_text(writer, ",\"args\":{\"file\":");
        put_string(writer, site->file);
        put_format(writer, ",\"line\":%d}", site->line);
    }
    put_text(writer, "}");
}

static void put_counter(Writer *writer, const BaseProfileSnapshot *snapshot, uint32_t thread,
                        const BaseProfileEvent *event) {
    put_event(writer, 'C', thread);
    put_text(writer, ",\"ts\":");
    put_time(writer, ns_since_origin(snapshot, event->time));
    put_text(writer, ",\"name\":");
    put_string(writer, base_profile_event_name(event));
    put_text(writer, ",\"args\":{\"value\":");
    put_double(writer, base_profile_event_value(event));
    put_text(writer, "}}");
}

static void put_track(Writer *writer, const BaseProfileSnapshot *snapshot, const BaseProfileTrack *track) {
    put_track_name(writer, track->thread, track->name);
    for (size_t i = 0; i < track->event_count && writer->result.code == FILO_OK; i++) {
        const BaseProfileEvent *event = &track->events[i];
        BaseProfileKind kind = base_profile_event_kind(event);
        if (kind == BASE_PROFILE_ZONE) put_zone(writer, snapshot, track->thread, event);
        if (kind == BASE_PROFILE_COUNTER) put_counter(writer, snapshot, track->thread, event);
    }
}

static void put_frames(Writer *writer, const BaseProfileSnapshot *snapshot, const uint64_t *marks,
                       size_t mark_count) {
    if (mark_count < 2) return;
    put_track_name(writer, 0, "frames");
    for (size_t i = 0; i + 1 < mark_count && writer->result.code == FILO_OK; i++) {
        put_span(writer, 0, ns_since_origin(snapshot, marks[i]), ns_since_origin(snapshot, marks[i + 1]));
        put_format(writer, "\"frame %zu\"}", i + 1);
    }
}

FiloResult filo_profile_write_trace(FiloProfileWrite write, void *user, const FiloAllocator *allocator) {
    if (write == NULL) return FILO_MISTAKE("pass a function that receives the trace");
    BaseProfileSnapshot snapshot;
    FiloResult result = base_profile_snapshot_init(&snapshot, allocator);
    if (result.code != FILO_OK) return result;
    BaseProfileMarks marks;
    result = base_profile_marks_init(&marks, &snapshot);
    if (result.code != FILO_OK) {
        base_profile_snapshot_deinit(&snapshot);
        return result;
    }

    Writer writer = { .write = write, .user = user, .result = filo_ok(), .process = (int)getpid() };
    put_text(&writer, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[");
    put_frames(&writer, &snapshot, marks.ticks, marks.count);
    for (size_t i = 0; i < snapshot.track_count; i++) put_track(&writer, &snapshot, &snapshot.tracks[i]);
    put_format(&writer, "\n],\"otherData\":{\"lost_events\":%llu}}\n",
               (unsigned long long)snapshot.lost_count);
    flush(&writer);
    base_profile_marks_deinit(&marks);
    base_profile_snapshot_deinit(&snapshot);
    return writer.result;
}

// ---- Files --------------------------------------------------------------------------------------------

typedef struct File {
    const char *path; // for messages
    int descriptor;
} File;

static FiloResult write_file(const char *text, size_t size, void *user) {
    const File *file = user;
    if (base_fs_write(file->descriptor, text, size) == size) return filo_ok();
    return filo_error_from_errno(errno, file->path);
}

// Writes to a device, a pipe or a link directly, because it must not be replaced by a file.
static FiloResult save_into(const char *path, const FiloAllocator *allocator) {
    File file = { path, base_fs_open(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0666) };
    if (file.descriptor < 0) return filo_error_from_errno(errno, path);
    FiloResult result = filo_profile_write_trace(write_file, &file, allocator);
    if (close(file.descriptor) != 0 && errno != EINTR && result.code == FILO_OK)
        result = filo_error_from_errno(errno, path);
    return result;
}

FiloResult filo_profile_save_trace(const char *path, const FiloAllocator *allocator) {
    if (path == NULL) return FILO_MISTAKE("pass the path of the trace");
    struct stat info;
    if (lstat(path, &info) == 0 && !S_ISREG(info.st_mode)) return save_into(path, allocator);
    static const FiloFileWriteDesc desc = { .skip_sync = true };
    BaseReplacement replacement;
    FiloResult result = base_replacement_begin(&replacement, path, 0666, &desc);
    if (result.code != FILO_OK) return result;
    result = filo_profile_write_trace(write_file, &(File){ path, replacement.file }, allocator);
    if (result.code == FILO_OK) return base_replacement_commit(&replacement, path, &desc);
    base_replacement_abort(&replacement);
    return result;
}
