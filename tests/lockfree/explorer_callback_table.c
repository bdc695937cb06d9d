// The callback table in every execution of small cases: the last function is called once, after all others; a removed
// function is not called any more; and slots are reused only when no call is running.

#include "support/explorer_atomic.h"

#include "../../src/lockfree/callback_table.c" // by its path: the tests have the same file names

#include "support/test.h"

#define KEY 3

static struct {
    FiloCallbackTable *table;
    FiloCallbackId ids[2];
    FiloFiring firing, second_firing;
    FiloFiring *later; // handed to the thread that calls done
    BASE_ATOMIC(uint32_t) handed;
    int alive[2]; // plain memory that a function uses, and its remover frees
    int work[EXPLORER_THREADS +
             1]; // plain memory, written by a thread that finishes, read by the last function
    int finished, calls[2], calls_of_new; // each by one thread, or ordered by the firing
    FiloCallbackRemoval removal;
} s;

static void finished(FiloFiring *firing, void *user) {
    FILO_UNUSED(firing), FILO_UNUSED(user);
    for (int t = 0; t <= EXPLORER_THREADS; t++) (void)base_plain_load(&s.work[t]);
    explorer_check(++s.finished == 1, "the last function was called twice");
}

static void uses_own(void *argument, FiloFiring *firing, void *user) {
    FILO_UNUSED(argument), FILO_UNUSED(firing);
    int index = (int)((int *)user - s.alive);
    explorer_check(base_plain_load(&s.alive[index]) == 1, "function %d was called after its end", index);
    s.calls[index]++;
}

static void hands_on(void *argument, FiloFiring *firing, void *user) {
    FILO_UNUSED(argument), FILO_UNUSED(user);
    s.later = firing;
    base_store_release(&s.handed, 1);
}

static void is_new(void *argument, FiloFiring *firing, void *user) {
    FILO_UNUSED(argument), FILO_UNUSED(firing);
    explorer_check(user == &s.calls_of_new, "a function was called with another's user");
}

static void make(void) {
    FiloCallbackTableDesc desc = { .expected = 1, .allocator = explorer_allocator() };
    FiloResult r = filo_callback_table_create(&s.table, &desc);
    explorer_check(r.code == FILO_OK, "%s", r.message);
    s.firing.finished = finished;
}

static void with_one(void) {
    make();
    base_plain_store(&s.alive[0], 1);
    s.ids[0] = filo_callback_table_add(s.table, &(FiloCallbackDesc){ KEY, uses_own, &s.alive[0], false });
}

static void with_one_that_finishes_later(void) {
    make();
    filo_callback_table_add(s.table, &(FiloCallbackDesc){ KEY, hands_on, NULL, true });
}

static void fires(void) {
    base_plain_store(&s.work[explorer_thread()], 1);
    filo_callback_table_fire(s.table, KEY, NULL, &s.firing);
}

static void fires_too(void) { filo_callback_table_fire(s.table, KEY, NULL, &s.second_firing); }

// Only what a firing does with a slot: a whole firing and two more threads have too many executions.
static void is_inside(void) {
    Slot *slot = s.ids[0].slot;
    if (!enter(slot, s.ids[0].serial)) return;
    (void)base_plain_load(&slot->function);
    leave(slot);
}

static void finishes(void) {
    while (base_load_acquire(&s.handed) == 0) base_cpu_relax();
    base_plain_store(&s.work[explorer_thread()], 1);
    filo_firing_done(s.later);
}

static void removes(void) {
    s.removal = filo_callback_table_remove(s.table, s.ids[0]);
    if (s.removal == FILO_CALLBACK_REMOVED) base_plain_store(&s.alive[0], 0);
}

static void removes_and_adds(void) {
    removes();
    filo_callback_table_add(s.table, &(FiloCallbackDesc){ KEY, is_new, &s.calls_of_new, false });
}

static void removes_and_adds_another_key(void) {
    removes();
    filo_callback_table_add(s.table, &(FiloCallbackDesc){ KEY + 1, uses_own, &s.alive[1], false });
}

static void adds(void) {
    filo_callback_table_add(s.table, &(FiloCallbackDesc){ KEY, is_new, &s.calls_of_new, false });
}

static void check_finished(void) { explorer_check(s.finished == 1, "the last function was not called"); }

// After a removal the slot is free again, also if the last call freed it.
static void check_free(void) {
    check_finished();
    const Slot *slot = s.ids[0].slot;
    if (s.removal == FILO_CALLBACK_UNKNOWN) explorer_fail("it was not there to be removed");
    explorer_check(base_load_relaxed(&slot->state) == 0, "the slot is not free");
}

// Two functions that were added at once are both called.
static void check_two(void) {
    s.finished = 0;
    explorer_check(filo_callback_table_fire(s.table, KEY, NULL, &s.firing) == 2, "a function was lost");
}

#define CASE(setup_function, finish_function, ...)                                                           \
    {                                                                                                        \
        .state = &s, .state_size = sizeof s, .setup = setup_function, .finish = finish_function,             \
        .threads = {                                                                                         \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }

static const ExplorerCase cases[] = {
    CASE(with_one, check_free, { "fires", fires }, { "removes", removes }),
    CASE(with_one, check_finished, { "fires", fires }, { "replaces", removes_and_adds }),
    CASE(with_one, check_finished, { "fires", fires }, { "replaces", removes_and_adds_another_key }),
    CASE(with_one_that_finishes_later, check_finished, { "fires", fires }, { "finishes", finishes }),
    CASE(with_one, check_free, { "fires", fires }, { "fires too", fires_too }, { "removes", removes }),
    CASE(make, check_two, { "adds", adds }, { "adds too", adds }),
    CASE(with_one, NULL, { "inside", is_inside }, { "inside too", is_inside },
         { "replaces", removes_and_adds }),
};

FILO_TEST(a_function_is_not_called_after_its_removal) { explorer_expect_pass(&cases[0]); }
FILO_TEST(a_slot_is_reused_when_no_call_is_running) { explorer_expect_pass(&cases[1]); }
FILO_TEST(a_slot_may_change_its_key) { explorer_expect_pass(&cases[2]); }
FILO_TEST(the_last_function_comes_once_and_sees_all) { explorer_expect_pass(&cases[3]); }
FILO_TEST(two_firings_against_a_removal) { explorer_expect_pass(&cases[4]); }
FILO_TEST(two_calls_against_a_replacement) { explorer_expect_pass(&cases[6]); }
FILO_TEST(functions_added_at_once_are_both_there) { explorer_expect_pass(&cases[5]); }

FILO_TEST(adding_while_firing_is_harmless) {
    ExplorerCase c = CASE(make, check_finished, { "adds", adds }, { "fires", fires });
    explorer_expect_pass(&c);
}

FILO_TEST(every_order_is_needed) {
    assert_string_equal(explorer_unneeded_orders(cases, FILO_COUNT_OF(cases)), "");
}
