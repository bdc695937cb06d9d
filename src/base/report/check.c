// Faults: one process-wide hook, and a table of the source lines that a release build has reported.
//
// The hook and its user pointer are read and written together, under a lock; faults are so rare that its cost does not
// matter.

#include <filo/check.h>
#include <filo/log.h>
#include <filo/threads.h>

#include "base/account.h"
#include "base/atomic.h"
#include "base/report/stack.h"
#include "base/text/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define MESSAGE_SIZE 1024
#define MAX_SITES    512 // source lines in the table of reported ones; further lines are reported every time

static FiloMutex handler_lock = FILO_MUTEX_INIT;
static FiloFaultHandler current_handler;
static _Atomic uint64_t reported_sites[MAX_SITES];
static _Atomic uint64_t failure_count, fault_count;
static FiloResult first_failure; // guarded by the lock

FiloFaultHandler filo_fault_set_handler(FiloFaultHandler handler) {
    filo_mutex_lock(&handler_lock);
    FiloFaultHandler before = current_handler;
    current_handler = handler;
    filo_mutex_unlock(&handler_lock);
    return before;
}

static FiloFaultAnswer call_hook(const FiloFault *fault) {
    filo_mutex_lock(&handler_lock);
    FiloFaultHandler handler = current_handler;
    filo_mutex_unlock(&handler_lock);
    return handler.hook != NULL ? handler.hook(fault, handler.user) : FILO_FAULT_DEFAULT;
}

static bool first_report_of(const char *file, int line) {
    uint64_t site = ((uint64_t)(uintptr_t)file << 16) ^ (uint64_t)line;
    if (site == 0) site = 1;
    size_t slot = (size_t)((site * 0x9E3779B97F4A7C15u) >> 55);
    for (size_t probe = 0; probe < MAX_SITES; probe++, slot = (slot + 1) % MAX_SITES) {
        uint64_t found = 0;
        if (base_cas_relaxed(&reported_sites[slot], &found, site)) return true;
        if (found == site) return false;
    }
    return true;
}

static const char *kind_name(FiloFaultKind kind) {
    switch (kind) {
    case FILO_FAULT_CHECK: return "check failed";
    case FILO_FAULT_ASSERT: return "assertion inside Filo failed";
    case FILO_FAULT_PANIC: return "panic";
    case FILO_FAULT_OUT_OF_MEMORY: return "out of memory";
    }
    return "fault";
}

// Prints to standard error directly: the log may be filtered, or be the cause of the fault.
static void trap(const FiloFault *fault) FILO_NORETURN;
static void trap(const FiloFault *fault) {
    fprintf(stderr, "%s:%d: %s: %s", fault->file, fault->line, kind_name(fault->kind), fault->message);
    if (fault->condition[0] != '\0') fprintf(stderr, " [%s]", fault->condition);
    fputc('\n', stderr);
    fflush(stderr);
    base_stack_print();
    abort();
}

// Returns if the program goes on.
static void report(const FiloFault *fault) {
    base_add_relaxed(&fault_count, 1);
    FiloFaultAnswer decision = call_hook(fault);
    if (decision == FILO_FAULT_CONTINUE) return;
#ifdef NDEBUG
    bool stops = decision == FILO_FAULT_TRAP;
#else
    bool stops = true;
#endif
    if (stops) trap(fault);
    if (first_report_of(fault->file, fault->line))
        filo_log_write(FILO_LOG_ERROR, "check", fault->file, fault->line, fault->message);
}

bool filo_check_failed(FiloFaultKind kind, const char *file, int line, const char *condition,
                       const char *format, ...) {
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    base_text_format(message, sizeof message, format, arguments);
    va_end(arguments);
    report(&(FiloFault){ kind, file, line, condition, message });
    return false;
}

FiloResult filo_mistake_at(const char *file, int line, const char *format, ...) {
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    base_text_format(message, sizeof message, format, arguments);
    va_end(arguments);
    report(&(FiloFault){ FILO_FAULT_CHECK, file, line, "", message });
    return filo_error(FILO_ERROR_ARGUMENT, "%s", message);
}

void filo_panic_at(const char *file, int line, const char *format, ...) {
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    base_text_format(message, sizeof message, format, arguments);
    va_end(arguments);

    FiloFault fault = { FILO_FAULT_PANIC, file, line, "", message };
    call_hook(&fault); // it may leave by longjmp; its decision does not matter
    trap(&fault);
}

uint64_t filo_fault_count(void) { return base_load_relaxed(&fault_count); }

void base_count_out_of_memory(const char *message) {
    filo_mutex_lock(&handler_lock);
    if (first_failure.code == FILO_OK) first_failure = filo_error(FILO_ERROR_MEMORY, "%s", message);
    filo_mutex_unlock(&handler_lock);
    base_add_relaxed(&failure_count, 1);
}

uint64_t filo_out_of_memory_count(void) { return base_load_relaxed(&failure_count); }

FiloResult filo_out_of_memory_result(void) {
    filo_mutex_lock(&handler_lock);
    FiloResult first = first_failure;
    filo_mutex_unlock(&handler_lock);
    return first;
}

void filo_out_of_memory(const char *name, size_t size, const char *reason) {
    char message[MESSAGE_SIZE];
    snprintf(message, sizeof message, "%s: cannot allocate %zu bytes: %s", name, size, reason);
    base_count_out_of_memory(message);
    FiloFault fault = { FILO_FAULT_OUT_OF_MEMORY, __FILE__, __LINE__, "", message };
    FiloFaultAnswer decision = call_hook(&fault);
    if (decision == FILO_FAULT_TRAP) trap(&fault);
    // By the macro, whose FiloLogSite has a burst limit.
    if (decision == FILO_FAULT_DEFAULT) filo_log_error("memory", "%s", message);
}
