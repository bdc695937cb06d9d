// For messages about a name that does not exist: the existing name that was probably meant, and a way to report a
// problem only once.
//
//     BaseSuggestion suggestion = base_suggest(filo_string(wanted));
//     for (…) base_suggest_offer(&suggestion, name);
//     char meant[BASE_SUGGEST_SIZE];
//     filo_log_warn("input", "there is no action \"%s\"%s", wanted, base_suggest_print(&suggestion, meant));

#ifndef FILO_BASE_SUGGEST_H
#define FILO_BASE_SUGGEST_H

#include <filo/strings.h>

#define BASE_SUGGEST_SIZE 128 // bytes for base_suggest_print

typedef struct BaseSuggestion {
    FiloString wanted;
    FiloString best; // the nearest name so far; empty: none is near
    size_t limit;    // a name with a distance below this is nearer than `best`
} BaseSuggestion;

// A suggestion without candidates. The text of `wanted` must outlive it.
BaseSuggestion base_suggest(FiloString wanted);
// Offers an existing name. True if it is the nearest so far; of equally near names the first wins. A name that begins
// with the wanted one counts as one typing error.
bool base_suggest_offer(BaseSuggestion *suggestion, FiloString candidate);
// Writes `: did you mean "fire"?`, or nothing if no name is near, and returns `text`.
const char *base_suggest_print(const BaseSuggestion *suggestion, char text[BASE_SUGGEST_SIZE]);

// The same for a file that does not exist: the nearest one in the folder and below, by its path there or its name. With an
// extension (".material"; "": any), only such files are compared, also without it. Reads the folder.
const char *base_suggest_file(const char *folder, const char *name, const char *extension,
                              char text[BASE_SUGGEST_SIZE]);

// True for the first call in this process with `what` in the context `about`: for messages that are to be logged once.
// The table holds a few thousand pairs; when it is full, the result is false. Any thread.
bool base_first_time(const char *about, FiloString what);
static inline bool base_first_time_id(const char *about, uint64_t id) {
    return base_first_time(about, filo_string_from((const char *)&id, sizeof id));
}

#endif
