// filo/check.h: what happens when somebody makes a mistake.
//
//   FILO_CHECK   the caller's mistake: a stale handle, a null pointer, the wrong thread.
//   FILO_MISTAKE the same, in a function that returns a FiloResult.
//   FILO_CHECK_MADE the same of something that the caller should have made before; not if there was no memory for it.
//   FILO_ASSERT  our mistake: something inside Filo that cannot be, is.
//   filo_panic   nobody's mistake, but there is no way on.
//
// FILO_CHECK is an expression, so that the way out is visible where it is taken:
//
//     bool filo_door_open(FiloDoor *door) {
//         if (!FILO_CHECK(door != NULL, "pass the door that filo_door_create returned")) return false;
//         …
//
// A debug build of Filo stops there, with the sentence, the place and the condition. A release build logs the
// sentence once per place and goes on with `false`, so the function can do nothing harmful. Tests, and
// games that want to show a dialog, hook in.
//
// FILO_MISTAKE is the result that a function returns after a mistake. The sentence is written once: it is what is
// reported, and the message of the result.
//
//     FiloResult filo_door_create(FiloDoor **door, const char *path) {
//         if (door == NULL || path == NULL) return FILO_MISTAKE("pass a path, and where to put the door");
//         …

#ifndef FILO_CHECK_H
#define FILO_CHECK_H

#include <filo/types.h>

// True when `condition` holds. Otherwise reports the message (printf style; say what to do) and, if the
// program is to go on, is false. Any thread.
#define FILO_CHECK(condition, ...)                                                                           \
    (FILO_LIKELY(condition) ||                                                                               \
     (filo_check_failed(FILO_FAULT_CHECK, __FILE__, __LINE__, #condition, __VA_ARGS__), false))

// Reports the message (printf style; say what to do) as FILO_CHECK does when its condition does not hold. If the program
// is to go on, it is a FiloResult with FILO_ERROR_ARGUMENT and the same message, which ends in "…" where it is longer
// than FILO_MESSAGE_SIZE. The condition of the fault is "". Any thread.
#define FILO_MISTAKE(...) filo_mistake_at(__FILE__, __LINE__, __VA_ARGS__)

// FILO_CHECK for a condition that also fails if something could not be made for lack of memory: a query is NULL, an
// entity is {0}, a component is not registered. Then the caller has made no mistake. So once memory has run out in this
// process (filo_out_of_memory_count), it is false and reports nothing: the lack of memory has been reported. Any thread.
#define FILO_CHECK_MADE(condition, ...)                                                                      \
    (FILO_LIKELY(condition) || (filo_out_of_memory_count() == 0 && FILO_CHECK(condition, __VA_ARGS__)))

// Only in debug builds of Filo itself; compiled to nothing in release.
#ifdef NDEBUG
#    define FILO_ASSERT(condition, ...) ((void)sizeof(condition))
#else
#    define FILO_ASSERT(condition, ...)                                                                      \
        ((void)(FILO_LIKELY(condition) ||                                                                    \
                filo_check_failed(FILO_FAULT_ASSERT, __FILE__, __LINE__, #condition, __VA_ARGS__)))
#endif

// Stops the program with a message, in every build.
#define filo_panic(...) filo_panic_at(__FILE__, __LINE__, __VA_ARGS__)

typedef enum FiloFaultKind {
    FILO_FAULT_CHECK,         // a caller's mistake
    FILO_FAULT_ASSERT,        // a mistake inside Filo
    FILO_FAULT_PANIC,         // no way on
    FILO_FAULT_OUT_OF_MEMORY, // an allocation failed or a budget is used up
} FiloFaultKind;

typedef struct FiloFault {
    FiloFaultKind kind;
    const char *file;
    int line;
    const char *condition; // the text of the condition, "" where there is none
    const char *message;   // valid only during the call
} FiloFault;

// What to do about a fault, as the hook decides.
typedef enum FiloFaultAnswer {
    FILO_FAULT_DEFAULT,  // what would have happened without a hook
    FILO_FAULT_CONTINUE, // go on: the check is false, the allocation NULL; a panic cannot go on
    FILO_FAULT_TRAP,     // stop here
} FiloFaultAnswer;

// Called on the thread that found the fault, possibly on several at once. It may leave by longjmp.
typedef FiloFaultAnswer (*FiloFaultHook)(const FiloFault *fault, void *user);

typedef struct FiloFaultHandler {
    FiloFaultHook hook; // NULL: none
    void *user;
} FiloFaultHandler;

FILO_BEGIN_DECLS

// Sets the process's hook and returns the one before, so that whoever sets one can put it back, or call
// it from its own. Any thread.
FiloFaultHandler filo_fault_set_handler(FiloFaultHandler handler);

// Behind the macros. Returns false if the program is to go on.
bool filo_check_failed(FiloFaultKind kind, const char *file, int line, const char *condition,
                       const char *format, ...) FILO_PRINTF(5, 6) FILO_COLD;
FiloResult filo_mistake_at(const char *file, int line, const char *format, ...) FILO_PRINTF(3, 4) FILO_COLD;
void filo_panic_at(const char *file, int line, const char *format, ...)
    FILO_PRINTF(3, 4) FILO_COLD FILO_NORETURN;

// Allocators call this when they cannot serve `size` bytes for `name`. By default it logs a sentence
// and returns; the allocator then returns NULL. A game that cannot live with that sets a hook that
// answers FILO_FAULT_TRAP.
void filo_out_of_memory(const char *name, size_t size, const char *reason) FILO_COLD;

// How often memory has run out in this process, whatever it was for: how often filo_out_of_memory was called, or an
// allocator of the program's own gave nothing. Any thread.
uint64_t filo_out_of_memory_count(void);

// FILO_OK while that is 0, and then FILO_ERROR_MEMORY with the message of the first time. So a set-up of many steps need
// not look at the result of each. What a step returns without memory (NULL, {0}) may be passed to the next, which then
// does nothing; afterwards one line asks whether all of it is there. Any thread.
//
//     filo_component(world, Position);
//     FiloEntity ship = filo_create(world, FILO_SET(Position, 1, 2));
//     filo_entity_set_name(world, ship, "ship");
//     FiloResult r = filo_out_of_memory_result();
//     if (r.code != FILO_OK) return r;
FiloResult filo_out_of_memory_result(void);

FILO_END_DECLS

#endif
