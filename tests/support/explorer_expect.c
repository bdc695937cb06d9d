// What tests expect of a case: that it passes, that it fails, and that every order in its code is needed.

#include "support/explorer.h"

#include "support/explorer_search.h"
#include "support/test.h"

#include <stdlib.h>

void explorer_or_skip(void) {
    if (EXPLORER_AVAILABLE) return;
    print_message("the explorer's coroutines cannot run under the thread sanitizer\n");
    skip();
}

void explorer_expect_pass(const ExplorerCase *c) {
    explorer_or_skip();
    const ExplorerReport *report = explorer_run(c);
    if (report->failed) {
        fputs(report->trace, stderr); // too long for cmocka
        fail_msg("%s", report->failure);
    }
    if (!report->complete)
        fail_msg("the case is too large: %d executions are not all", EXPLORER_MAX_EXECUTIONS);
    if (getenv("FILO_EXPLORER_VERBOSE") != NULL)
        print_message("%llu executions, %llu dead ends\n", (unsigned long long)report->executions,
                      (unsigned long long)report->dead_ends);
}

const ExplorerReport *explorer_expect_failure(const ExplorerCase *c, const char *text) {
    explorer_or_skip();
    const ExplorerReport *report = explorer_run(c);
    if (!report->failed) fail_msg("no execution of %llu failed", (unsigned long long)report->executions);
    assert_contains(report->failure, text);
    if (getenv("FILO_EXPLORER_VERBOSE") != NULL) fprintf(stderr, "%s%s\n", report->trace, report->failure);
    return report;
}

// ---- Orders that are not needed -----------------------------------------------------------------------

// The orders that are one step weaker than this one, for this operation; returns how many.
static int weaker(ExplorerOperation operation, ExplorerOrder order, ExplorerOrder orders[2]) {
    if (order == EXPLORER_SEQ_CST) {
        orders[0] = operation == EXPLORER_LOAD      ? EXPLORER_ACQUIRE
                    : operation == EXPLORER_STORE   ? EXPLORER_RELEASE
                    : operation == EXPLORER_BARRIER ? EXPLORER_RELAXED
                                                    : EXPLORER_ACQ_REL;
        return 1;
    }
    if (order == EXPLORER_ACQ_REL) {
        orders[0] = EXPLORER_ACQUIRE;
        orders[1] = EXPLORER_RELEASE;
        return 2;
    }
    orders[0] = EXPLORER_RELAXED;
    return 1;
}

static bool any_case_fails(const ExplorerCase *cases, size_t count, const ExplorerWeakening *weaken) {
    for (size_t i = 0; i < count; i++) {
        ExplorerCase c = cases[i];
        c.weaken = *weaken;
        if (explorer_run(&c)->failed) return true;
    }
    return false;
}

const char *explorer_unneeded_orders(const ExplorerCase *cases, size_t count) {
    static char text[4096];
    static ExplorerSite sites[EXPLORER_MAX_SITES];
    size_t used = 0;
    int site_count = 0;
    text[0] = '\0';
    explorer_or_skip();
    for (size_t i = 0; i < count; i++) {
        const ExplorerReport *report = explorer_run(&cases[i]);
        if (report->failed) fail_msg("%s", report->failure);
        const ExplorerSite *more;
        int more_count = explorer_sites(&more);
        for (int k = 0; k < more_count; k++) explorer_add_site(sites, &site_count, &more[k]);
    }
    for (int i = 0; i < site_count; i++) {
        const ExplorerSite *site = &sites[i];
        ExplorerOrder orders[2];
        int order_count = weaker(site->operation, site->order, orders);
        for (int k = 0; k < order_count; k++) {
            ExplorerWeakening weaken = { site->function, site->operation, site->text, site->order,
                                         orders[k] };
            if (any_case_fails(cases, count, &weaken)) continue;
            int length = snprintf(text + used, sizeof text - used, "%s: %s %s %s, %s is enough\n",
                                  site->function, explorer_operation_names[site->operation], site->text,
                                  explorer_order_names[site->order], explorer_order_names[orders[k]]);
            used = FILO_MIN(used + (size_t)length, sizeof text - 1);
        }
    }
    return text;
}
