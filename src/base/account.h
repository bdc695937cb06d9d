// The book-keeping behind filo_memory_list: every heap, arena, pool and scratch has an account, linked
// into one list of the process. Numbers are relaxed atomics: they are counts, they publish nothing.

#ifndef FILO_BASE_ACCOUNT_H
#define FILO_BASE_ACCOUNT_H

#include <filo/memory.h>

// Fills in the account and puts it on the list; `name` NULL means `default_name`.
void base_account_open(FiloMemoryAccount *account, const char *name, const char *default_name, size_t budget);
// The same for an account whose bytes in use are counted elsewhere: `count_used` is asked, from any thread.
void base_account_open_counted(FiloMemoryAccount *account, const char *name, const char *default_name,
                               size_t budget, size_t (*count_used)(const FiloMemoryAccount *account));
// Takes it off the list.
void base_account_close(FiloMemoryAccount *account);

// Takes `size` bytes; false, with nothing taken, if the budget does not allow it. What then really got its
// memory says so with base_account_taken, which counts the operation and the peak; what did not gives back.
bool base_account_take(FiloMemoryAccount *account, size_t size);
void base_account_taken(FiloMemoryAccount *account);
void base_account_give(FiloMemoryAccount *account, size_t size);
// For those whose bytes are counted elsewhere, before they free some.
void base_account_raise_peak(FiloMemoryAccount *account, size_t used);
FiloMemoryStats base_account_stats(const FiloMemoryAccount *account);

// Counts a lack of memory for filo_out_of_memory_count, and keeps the message if it is the first.
void base_note_refusal(const char *message);

// Counts one call to the operating system or to malloc.
void base_account_system_call(void);

#endif
