// What the explorer's search (explorer.c) shares with its expectations (explorer_expect.c).

#ifndef FILO_TEST_EXPLORER_SEARCH_H
#define FILO_TEST_EXPLORER_SEARCH_H

#include "support/explorer.h"

#define EXPLORER_MAX_SITES 64

extern const char *const explorer_order_names[], *const explorer_operation_names[];

// The operations that the last search executed and whose order is not relaxed; returns how many.
int explorer_sites(const ExplorerSite **sites);
// Adds the operation, unless its order is relaxed or it is in the list already.
void explorer_add_site(ExplorerSite *sites, int *count, const ExplorerSite *site);

#endif
