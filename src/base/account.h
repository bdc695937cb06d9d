// Accounts: every heap, arena, pool and scratch has one, and filo_memory_list lists them. All accounts of the process
// are in one linked list. The numbers are relaxed atomics, because they are only counts and publish nothing.

#ifndef FILO_BASE_ACCOUNT_H
#define FILO_BASE_ACCOUNT_H

#include <filo/memory.h>

// Initialises the account and adds it to the list. `count_used` NULL: base_account_take and base_account_return count the
// bytes in use. Otherwise the owner counts them, and `count_used` returns them; it is called on any thread.
void base_account_open(FiloMemoryAccount *account, const char *name, size_t budget,
                       size_t (*count_used)(const FiloMemoryAccount *account));
// Removes it from the list.
void base_account_close(FiloMemoryAccount *account);

// Adds `size` bytes to what is in use; false, with nothing added, if the budget does not allow it. After a successful
// allocation call base_account_taken, which counts the operation and updates the peak; after a failed one call
// base_account_return with the same size.
bool base_account_take(FiloMemoryAccount *account, size_t size);
void base_account_taken(FiloMemoryAccount *account);
void base_account_return(FiloMemoryAccount *account, size_t size);
// For an account with `count_used`: to be called before bytes are freed.
void base_account_raise_peak(FiloMemoryAccount *account, size_t used);
FiloMemoryStats base_account_stats(const FiloMemoryAccount *account);

// Counts a failed allocation for filo_out_of_memory_count, and stores the message if it is the first.
void base_count_out_of_memory(const char *message);

// Counts one call to the operating system or to malloc.
void base_account_system_call(void);

#endif
