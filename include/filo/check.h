// filo/check.h: reporting of mistakes and of fatal errors.
//
//   FILO_CHECK       a caller's mistake: a stale handle, a null pointer, the wrong thread.
//   FILO_MISTAKE     a caller's mistake, in a function that returns a FiloResult.
//   FILO_CHECK_MADE  as FILO_CHECK, of an object that could not be created if memory had run out.
//   FILO_ASSERT      a mistake inside Filo: an invariant does not hold.
//   filo_panic       an error after which the program cannot continue.
//
// FILO_CHECK is an expression, so that the early return is visible in the code:
//
//     bool filo_door_open(FiloDoor *door) {
//         if (!FILO_CHECK(door != NULL, "pass the door that filo_door_create returned")) return false;
//         …
//
// A debug build of Filo stops there, with the message, the file and line, and the condition; on Linux, if libdw is
// installed, also with the line of the program that called Filo, and the stack. A release build logs the message once per
// source line and goes on; the expression is false, so the function can return without doing harm.
// Tests, and games that show a dialog, install a hook.
//
// FILO_MISTAKE is the result that a function returns after a mistake. The message is written once: it is reported, and
// it is the message of the result.
//
//     FiloResult filo_door_create(FiloDoor **door, const char *path) {
//         if (door == NULL || path == NULL) return FILO_MISTAKE("pass a path, and a pointer for the door");
//         …

#ifndef FILO_CHECK_H
#define FILO_CHECK_H

#include <filo/types.h>

// True when `condition` holds. Otherwise it reports the message (printf style; say what to do), and is false if the
// program goes on. Any thread.
#define FILO_CHECK(condition, ...)                                                                           \
    (FILO_LIKELY(condition) ||                                                                               \
     (filo_check_failed(FILO_FAULT_CHECK, __FILE__, __LINE__, #condition, __VA_ARGS__), false))

// Reports the message (printf style; say what to do) as FILO_CHECK does when its condition does not hold. If the
// program goes on, the value is a FiloResult with FILO_ERROR_ARGUMENT and the same message, which ends in "…" if it is
// longer than FILO_MESSAGE_SIZE. The condition of the fault is "". Any thread.
#define FILO_MISTAKE(...) filo_mistake_at(__FILE__, __LINE__, __VA_ARGS__)

// FILO_CHECK for a condition that also fails if an object could not be created for lack of memory: a query is NULL, an
// entity is {0}, a component is not registered. Then the caller has made no mistake. So once memory has run out in this
// process (filo_out_of_memory_count), it is false and reports nothing: the lack of memory has been reported. Any
// thread.
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
    FILO_FAULT_PANIC,         // the program cannot continue
    FILO_FAULT_OUT_OF_MEMORY, // an allocation failed or a budget is used up
} FiloFaultKind;

typedef struct FiloFault {
    FiloFaultKind kind;
    const char *file;
    int line;
    const char *condition; // the text of the condition; "" if there is none
    const char *message;   // valid only during the call
} FiloFault;

// What the hook decides to do about a fault.
typedef enum FiloFaultAnswer {
    FILO_FAULT_DEFAULT,  // what would have happened without a hook
    FILO_FAULT_CONTINUE, // go on: the check is false, the allocation NULL; a panic cannot go on
    FILO_FAULT_TRAP,     // stop here
} FiloFaultAnswer;

// Called on the thread that found the fault, possibly on several threads at once. It may leave by longjmp.
typedef FiloFaultAnswer (*FiloFaultHook)(const FiloFault *fault, void *user);

typedef struct FiloFaultHandler {
    FiloFaultHook hook; // NULL: none
    void *user;
} FiloFaultHandler;

FILO_BEGIN_DECLS

// Sets the process's hook and returns the previous one, so that the caller can restore it later, or call it from the
// new hook. Any thread.
FiloFaultHandler filo_fault_set_handler(FiloFaultHandler handler);

// How many checks have failed in this process (FILO_CHECK, FILO_MISTAKE, FILO_ASSERT), with those that were not logged
// because their line was before. A program that went on after one is not as tested as it seems: the flag --strict
// (filo/app.h) makes a game fail then. Any thread.
uint64_t filo_fault_count(void);

// Behind the macros. Returns false if the program is to go on.
bool filo_check_failed(FiloFaultKind kind, const char *file, int line, const char *condition,
                       const char *format, ...) FILO_PRINTF(5, 6) FILO_COLD;
FiloResult filo_mistake_at(const char *file, int line, const char *format, ...) FILO_PRINTF(3, 4) FILO_COLD;
void filo_panic_at(const char *file, int line, const char *format, ...)
    FILO_PRINTF(3, 4) FILO_COLD FILO_NORETURN;

// Allocators call this when they cannot provide `size` bytes for `name`. By default it logs a message and returns; the
// allocator then returns NULL. A game that cannot go on without memory sets a hook that returns FILO_FAULT_TRAP.
void filo_out_of_memory(const char *name, size_t size, const char *reason) FILO_COLD;

// How often memory has run out in this process: how often filo_out_of_memory was called, or an allocator written by the
// program returned NULL. Any thread.
uint64_t filo_out_of_memory_count(void);

// FILO_OK while filo_out_of_memory_count is 0, then FILO_ERROR_MEMORY with the first message. So a set-up of many steps
// need not check the result of each. What a step returns without memory (NULL, {0}) may be passed to the next step,
// which then does nothing. One check afterwards is enough. Any thread.
//
//     filo_component(world, Position);
//     FiloEntity ship = filo_create(world, FILO_SET(Position, 1, 2));
//     filo_entity_set_name(world, ship, "ship");
//     FiloResult r = filo_out_of_memory_result();
//     if (r.code != FILO_OK) return r;
FiloResult filo_out_of_memory_result(void);

FILO_END_DECLS

#endif
