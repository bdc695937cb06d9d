// For messages about a name that is not known: the known name that was probably meant, and a memory of what was said
// already.
//
//     BaseSuggestion suggestion = base_suggest(filo_string(wanted));
//     for (…) base_suggest_offer(&suggestion, known);
//     char meant[BASE_SUGGEST_SIZE];
//     filo_log_warn("input", "there is no action \"%s\"%s", wanted, base_suggest_print(&suggestion, meant));

#ifndef FILO_BASE_SUGGEST_H
#define FILO_BASE_SUGGEST_H

#include <filo/strings.h>

#define BASE_SUGGEST_SIZE 128 // bytes for base_suggest_print

typedef struct BaseSuggestion {
    FiloString wanted;
    FiloString best; // of those offered; empty: none is near
    size_t limit;    // a distance below this is nearer than `best`
} BaseSuggestion;

// Nothing was offered yet. `wanted` must stay as long as the suggestion is used.
BaseSuggestion base_suggest(FiloString wanted);
// Offers a known name. True if it is the nearest so far; of equally near ones the first wins. A name that begins with
// the wanted one is as near as one typing error.
bool base_suggest_offer(BaseSuggestion *suggestion, FiloString known);
// Writes `: did you mean "fire"?`, or nothing if no name is near, and returns `text`.
const char *base_suggest_print(const BaseSuggestion *suggestion, char text[BASE_SUGGEST_SIZE]);

// True when this process asks for the first time about `what` in the context `about`: for messages that are to come once.
// Remembers a few thousand; when there is no room, everything counts as said. Any thread.
bool base_first_time(const char *about, FiloString what);

#endif
