// Accounts of memory: see account.h.

#include "base/account.h"

#include "base/atomic.h"

#include <filo/threads.h>

#include <stdio.h>

static FiloMutex list_lock = FILO_MUTEX_INIT;
static FiloMemoryAccount *oldest, *newest;
static _Atomic uint64_t system_calls;
static FILO_THREAD_LOCAL uint64_t system_calls_of_thread;

// Public structs cannot have _Atomic fields, so the fields of an account are plain, and are cast to atomics here.
static _Atomic size_t *atomic_size(const size_t *word) { return (_Atomic size_t *)(uintptr_t)word; }
static _Atomic uint64_t *atomic_count(const uint64_t *word) { return (_Atomic uint64_t *)(uintptr_t)word; }

void base_account_open(FiloMemoryAccount *account, const char *name, size_t budget,
                       size_t (*count_used)(const FiloMemoryAccount *account)) {
    *account = (FiloMemoryAccount){ .name = name, .budget = budget, .count_used = count_used };
    filo_mutex_lock(&list_lock);
    account->previous = newest;
    if (newest != NULL)
        newest->next = account;
    else
        oldest = account;
    newest = account;
    filo_mutex_unlock(&list_lock);
}

void base_account_close(FiloMemoryAccount *account) {
    filo_mutex_lock(&list_lock);
    if (account->previous != NULL)
        account->previous->next = account->next;
    else
        oldest = account->next;
    if (account->next != NULL)
        account->next->previous = account->previous;
    else
        newest = account->previous;
    filo_mutex_unlock(&list_lock);
    account->next = account->previous = NULL;
}

void base_account_raise_peak(FiloMemoryAccount *account, size_t used) {
    size_t peak = base_load_relaxed(atomic_size(&account->peak));
    while (used > peak && !base_cas_relaxed(atomic_size(&account->peak), &peak, used)) {}
}

bool base_account_take(FiloMemoryAccount *account, size_t size) {
    size_t used = base_load_relaxed(atomic_size(&account->used));
    do { // never above the budget, not even for a moment: an allocation of another thread could fail because of it
        if (account->budget != 0 && (used > account->budget || size > account->budget - used)) return false;
    } while (!base_cas_relaxed(atomic_size(&account->used), &used, used + size));
    return true;
}

void base_account_taken(FiloMemoryAccount *account) {
    base_add_relaxed(atomic_count(&account->operations), 1);
    base_account_raise_peak(account, base_load_relaxed(atomic_size(&account->used)));
}

void base_account_return(FiloMemoryAccount *account, size_t size) {
    base_sub_relaxed(atomic_size(&account->used), size);
}

FiloMemoryStats base_account_stats(const FiloMemoryAccount *account) {
    size_t used = account->count_used != NULL ? account->count_used(account)
                                              : base_load_relaxed(atomic_size(&account->used));
    size_t peak = base_load_relaxed(atomic_size(&account->peak));
    return (FiloMemoryStats){
        .name = account->name,
        .used = used,
        .peak = FILO_MAX(used, peak), // arenas and scratches raise their peak only when they free
        .budget = account->budget,
        .operations = base_load_relaxed(atomic_count(&account->operations)),
    };
}

void base_account_system_call(void) {
    base_add_relaxed(&system_calls, 1);
    system_calls_of_thread++;
}

uint64_t filo_memory_system_calls(void) { return base_load_relaxed(&system_calls); }
uint64_t filo_memory_system_calls_of_thread(void) { return system_calls_of_thread; }

size_t filo_memory_list(FiloMemoryStats *stats, size_t capacity) {
    size_t count = 0;
    filo_mutex_lock(&list_lock);
    for (FiloMemoryAccount *account = oldest; account != NULL; account = account->next, count++)
        if (count < capacity) stats[count] = base_account_stats(account);
    filo_mutex_unlock(&list_lock);
    return count;
}

static void print_size(char *text, size_t size, size_t bytes) {
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
    double amount = (double)bytes;
    unsigned unit = 0;
    while (amount >= 1024 && unit + 1 < FILO_COUNT_OF(units)) {
        amount /= 1024;
        unit++;
    }
    snprintf(text, size, unit == 0 ? "%.0f %s" : "%.1f %s", amount, units[unit]);
}

// Appends a line at `*length` of a text of `size` bytes; what does not fit is left out.
static void print_line(char *text, size_t size, size_t *length, const char *name, const char *used,
                       const char *peak, const char *budget) {
    int written =
        snprintf(text + *length, size - *length, "%-20s %12s %12s %12s\n", name, used, peak, budget);
    if (written > 0) *length = FILO_MIN(*length + (size_t)written, size - 1);
}

size_t filo_memory_print(char *text, size_t size) {
    size_t length = 0;
    if (text == NULL || size == 0) return 0;
    print_line(text, size, &length, "memory", "used", "peak", "budget");
    filo_mutex_lock(&list_lock); // while printing, because a name lives only as long as its account
    for (FiloMemoryAccount *account = oldest; account != NULL; account = account->next) {
        FiloMemoryStats stats = base_account_stats(account);
        char used[24], peak[24], budget[24] = "-";
        print_size(used, sizeof used, stats.used);
        print_size(peak, sizeof peak, stats.peak);
        if (stats.budget != 0) print_size(budget, sizeof budget, stats.budget);
        print_line(text, size, &length, stats.name, used, peak, budget);
    }
    filo_mutex_unlock(&list_lock);
    return length;
}
