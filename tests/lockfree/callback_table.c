#include <filo/lockfree.h>

#include "support/together.h"

static FiloCallbackTable *made(void) {
    FiloCallbackTable *table;
    assert_ok(filo_callback_table_create(&table, NULL));
    return table;
}

// The calls, in order: functions append their letter, the last function a full stop.
static char call_log[64];

static void append(const char *word) { strcat(call_log, word); }

static void say(void *argument, FiloFiring *firing, void *user) {
    FILO_UNUSED(argument), FILO_UNUSED(firing);
    append(user);
}

static void finished(FiloFiring *firing, void *user) {
    FILO_UNUSED(firing);
    append(user != NULL ? user : ".");
}

static FiloCallbackId add(FiloCallbackTable *table, uint64_t key, const char *word) {
    FiloCallbackId id =
        filo_callback_table_add(table, &(FiloCallbackDesc){ key, say, (void *)(uintptr_t)word, false });
    assert_non_null(id.slot);
    return id;
}

// Fires, and expects these calls.
static void assert_calls(FiloCallbackTable *table, uint64_t key, const char *expected) {
    FiloFiring firing = { .finished = finished };
    call_log[0] = '\0';
    size_t calls = filo_callback_table_fire(table, key, NULL, &firing);
    assert_string_equal(call_log, expected);
    assert_int_equal(calls + 1, strlen(expected));
}

// ---- One thread ---------------------------------------------------------------------------------------

FILO_TEST(functions_are_called_in_the_order_of_adding_then_the_last_one) {
    FiloCallbackTable *table = made();
    add(table, 1, "a");
    add(table, 2, "x");
    add(table, 1, "b");
    add(table, 1, "c");
    assert_calls(table, 1, "abc.");
    assert_calls(table, 1, "abc."); // and again
    assert_calls(table, 2, "x.");
    filo_callback_table_destroy(table);
    filo_callback_table_destroy(NULL);
}

FILO_TEST(the_last_function_is_called_when_there_are_no_others) {
    FiloCallbackTable *table = made();
    assert_calls(table, 0, ".");
    assert_calls(table, 12345, ".");
    FiloFiring firing = { 0 }; // `finished` may be NULL
    assert_int_equal(filo_callback_table_fire(table, 1, NULL, &firing), 0);
    filo_callback_table_destroy(table);
}

FILO_TEST(keys_in_one_bucket_are_distinguished) {
    FiloCallbackTable *table;
    assert_ok(filo_callback_table_create(&table, &(FiloCallbackTableDesc){ .expected = 1 }));
    add(table, 0, "a");
    add(table, UINT64_MAX, "b");
    add(table, 0, "c");
    assert_calls(table, 0, "ac.");
    assert_calls(table, UINT64_MAX, "b.");
    assert_calls(table, 1, ".");
    filo_callback_table_destroy(table);
}

FILO_TEST(what_is_removed_is_not_called_and_its_slot_is_used_again_in_order) {
    FiloHeap heap;
    filo_heap_init(&heap, "callback test", 0);
    FiloCallbackTable *table;
    FiloCallbackTableDesc desc = { .expected = 1, .allocator = &heap.allocator };
    assert_ok(filo_callback_table_create(&table, &desc));
    FiloCallbackId a = add(table, 1, "a");
    add(table, 1, "b");
    assert_int_equal(filo_callback_table_remove(table, a), FILO_CALLBACK_REMOVED);
    assert_int_equal(filo_callback_table_remove(table, a), FILO_CALLBACK_UNKNOWN);
    assert_calls(table, 1, "b.");
    uint64_t operations = filo_heap_stats(&heap).operations;
    FiloCallbackId c = add(table, 1, "c"); // in the slot of a, but called after b
    assert_int_equal(filo_heap_stats(&heap).operations, operations);
    assert_ptr_equal(c.slot, a.slot);
    assert_int_equal(filo_callback_table_remove(table, a), FILO_CALLBACK_UNKNOWN); // c is not a
    assert_calls(table, 1, "bc.");
    for (int i = 0; i < 1000; i++)
        assert_int_equal(filo_callback_table_remove(table, add(table, 7, "z")), FILO_CALLBACK_REMOVED);
    assert_int_equal(filo_heap_stats(&heap).operations, operations + 1);
    filo_callback_table_destroy(table);
    assert_int_equal(filo_heap_stats(&heap).used, 0);
    filo_heap_deinit(&heap);
}

FILO_TEST(many_functions_are_called_in_order) {
    FiloCallbackTable *table = made();
    char expected[64] = "";
    static char words[26][2];
    for (int i = 0; i < 26; i++) {
        words[i][0] = (char)('a' + i);
        add(table, 9, words[i]);
        strcat(expected, words[i]);
    }
    strcat(expected, ".");
    assert_calls(table, 9, expected);
    filo_callback_table_destroy(table);
}

static void check_argument(void *argument, FiloFiring *firing, void *user) {
    assert_ptr_equal(argument, call_log);
    assert_ptr_equal(firing->user, user);
    append("k");
}

FILO_TEST(functions_get_argument_firing_and_user) {
    FiloCallbackTable *table = made();
    int mark;
    FiloFiring firing = { .user = &mark };
    filo_callback_table_add(table, &(FiloCallbackDesc){ 5, check_argument, &mark, false });
    call_log[0] = '\0';
    assert_int_equal(filo_callback_table_fire(table, 5, call_log, &firing), 1);
    assert_string_equal(call_log, "k");
    filo_callback_table_destroy(table);
}

// ---- Later --------------------------------------------------------------------------------------------

static FiloFiring *kept[4];
static int kept_count;

static void store_firing(void *argument, FiloFiring *firing, void *user) {
    FILO_UNUSED(argument), FILO_UNUSED(user);
    kept[kept_count++] = firing;
    append("k");
}

static void finish_at_once(void *argument, FiloFiring *firing, void *user) {
    FILO_UNUSED(argument), FILO_UNUSED(user);
    append("o");
    filo_firing_done(firing);
}

FILO_TEST(the_last_function_waits_for_those_that_finish_later) {
    FiloCallbackTable *table = made();
    filo_callback_table_add(table, &(FiloCallbackDesc){ 1, store_firing, NULL, true });
    add(table, 1, "a");
    filo_callback_table_add(table, &(FiloCallbackDesc){ 1, finish_at_once, NULL, true });
    filo_callback_table_add(table, &(FiloCallbackDesc){ 1, store_firing, NULL, true });
    FiloFiring firing = { .finished = finished };
    call_log[0] = '\0';
    kept_count = 0;
    assert_int_equal(filo_callback_table_fire(table, 1, NULL, &firing), 4);
    assert_string_equal(call_log, "kaok");
    filo_firing_done(kept[1]);
    assert_string_equal(call_log, "kaok");
    filo_firing_done(kept[0]);
    assert_string_equal(call_log, "kaok.");
    expect_fault("once for each call", filo_firing_done(&firing));
    assert_string_equal(call_log, "kaok.");
    filo_callback_table_destroy(table);
}

FILO_TEST(a_table_may_go_before_its_firings_have_finished) {
    FiloCallbackTable *table = made();
    filo_callback_table_add(table, &(FiloCallbackDesc){ 1, store_firing, NULL, true });
    FiloFiring firing = { .finished = finished };
    call_log[0] = '\0';
    kept_count = 0;
    filo_callback_table_fire(table, 1, NULL, &firing);
    filo_callback_table_destroy(table);
    filo_firing_done(kept[0]);
    assert_string_equal(call_log, "k.");
}

static void fires_again(FiloFiring *firing, void *user) {
    append(",");
    firing->finished = finished;
    firing->user = NULL;
    filo_callback_table_fire(user, 1, NULL, firing);
}

FILO_TEST(a_firing_may_be_used_again_by_its_last_function) {
    FiloCallbackTable *table = made();
    add(table, 1, "a");
    FiloFiring firing = { .finished = fires_again, .user = table };
    call_log[0] = '\0';
    filo_callback_table_fire(table, 1, NULL, &firing);
    assert_string_equal(call_log, "a,a.");
    filo_callback_table_destroy(table);
}

// ---- While firing -------------------------------------------------------------------------------------

typedef struct Change {
    FiloCallbackTable *table;
    FiloCallbackId id; // to remove
    FiloCallbackRemoval expected;
} Change;

static void adds_another(void *argument, FiloFiring *firing, void *user) {
    FILO_UNUSED(argument), FILO_UNUSED(firing);
    append("+");
    add(user, 1, "n");
}

static void removes_another(void *argument, FiloFiring *firing, void *user) {
    FILO_UNUSED(argument), FILO_UNUSED(firing);
    Change *change = user;
    append("-");
    assert_int_equal(filo_callback_table_remove(change->table, change->id), change->expected);
}

FILO_TEST(what_is_added_while_firing_is_called_from_the_next_time_on) {
    FiloCallbackTable *table = made();
    FiloCallbackId id = filo_callback_table_add(table, &(FiloCallbackDesc){ 1, adds_another, table, false });
    add(table, 1, "b");
    assert_calls(table, 1, "+b.");
    filo_callback_table_remove(table, id);
    assert_calls(table, 1, "bn.");
    filo_callback_table_destroy(table);
}

FILO_TEST(what_is_removed_while_firing_before_its_turn_is_not_called) {
    FiloCallbackTable *table = made();
    Change change = { .table = table, .expected = FILO_CALLBACK_REMOVED };
    FiloCallbackId id =
        filo_callback_table_add(table, &(FiloCallbackDesc){ 1, removes_another, &change, false });
    change.id = add(table, 1, "b");
    add(table, 1, "c");
    assert_calls(table, 1, "-c.");
    filo_callback_table_remove(table, id);
    assert_calls(table, 1, "c.");
    filo_callback_table_destroy(table);
}

FILO_TEST(a_slot_that_changes_hands_while_firing_is_not_called_for_its_new_function) {
    FiloCallbackTable *table = made();
    Change change = { .table = table, .expected = FILO_CALLBACK_REMOVED };
    filo_callback_table_add(table, &(FiloCallbackDesc){ 1, removes_another, &change, false });
    filo_callback_table_add(table, &(FiloCallbackDesc){ 1, adds_another, table, false });
    change.id = add(table, 1, "b");
    assert_calls(table, 1, "-+.");
    filo_callback_table_destroy(table);
}

FILO_TEST(a_function_may_remove_itself_and_is_reported_as_running) {
    FiloCallbackTable *table = made();
    Change change = { .table = table, .expected = FILO_CALLBACK_RUNNING };
    change.id = filo_callback_table_add(table, &(FiloCallbackDesc){ 1, removes_another, &change, false });
    add(table, 1, "b");
    assert_calls(table, 1, "-b.");
    assert_calls(table, 1, "b.");
    FiloCallbackId again = add(table, 1, "c"); // the slot is free again
    assert_ptr_equal(again.slot, change.id.slot);
    assert_calls(table, 1, "bc.");
    filo_callback_table_destroy(table);
}

static void fires_another_key(void *argument, FiloFiring *firing, void *user) {
    FILO_UNUSED(argument), FILO_UNUSED(firing);
    FiloFiring inner = { .finished = finished, .user = (void *)(uintptr_t) ")" };
    append("(");
    filo_callback_table_fire(user, 2, NULL, &inner);
}

FILO_TEST(a_function_may_fire) {
    FiloCallbackTable *table = made();
    filo_callback_table_add(table, &(FiloCallbackDesc){ 1, fires_another_key, table, false });
    add(table, 2, "x");
    FiloFiring firing = { .finished = finished };
    call_log[0] = '\0';
    filo_callback_table_fire(table, 1, NULL, &firing);
    assert_string_equal(call_log, "(x).");
    filo_callback_table_destroy(table);
}

// ---- Misuse and memory --------------------------------------------------------------------------------

FILO_TEST(misuse_is_reported) {
    FiloCallbackTable *table;
    assert_ok(filo_callback_table_create(&table, &(FiloCallbackTableDesc){ .name = "doors" }));
    expect_fault("doors: give a function",
                 assert_null(filo_callback_table_add(table, &(FiloCallbackDesc){ 0 }).slot));
    expect_fault(
        "doors: remove what",
        assert_int_equal(filo_callback_table_remove(table, (FiloCallbackId){ 0 }), FILO_CALLBACK_UNKNOWN));
    expect_fault("doors: pass a firing", assert_int_equal(filo_callback_table_fire(table, 1, NULL, NULL), 0));
    filo_callback_table_destroy(table);
}

FILO_TEST(want_of_memory_is_an_error_and_the_table_stays_as_it_was) {
    FiloCallbackTable *table;
    FiloCallbackTableDesc desc = { .name = "doors", .allocator = &no_memory };
    assert_error(filo_callback_table_create(&table, &desc), FILO_ERROR_MEMORY, "doors: no memory");
    assert_null(table);
    FiloHeap heap;
    filo_heap_init(&heap, "doors", 1200); // the table, and a few slots
    desc = (FiloCallbackTableDesc){ .expected = 1, .allocator = &heap.allocator };
    assert_ok(filo_callback_table_create(&table, &desc));
    int added = 0;
    FiloCallbackId id = { 0 }, last;
    filo_test_faults_begin();
    while (added < 100 && (last = filo_callback_table_add(
                               table, &(FiloCallbackDesc){ 1, say, (void *)(uintptr_t) "a", false }))
                                  .slot != NULL) {
        id = last;
        added++;
    }
    filo_test_faults_end("doors", __FILE__, __LINE__);
    assert_true(added > 2 && added < 100);
    assert_int_equal(filo_callback_table_remove(table, id), FILO_CALLBACK_REMOVED);
    add(table, 1, "z"); // in the slot of the removed function
    FiloFiring firing = { 0 };
    call_log[0] = '\0';
    assert_int_equal(filo_callback_table_fire(table, 1, NULL, &firing), added);
    filo_callback_table_destroy(table);
    assert_int_equal(filo_heap_stats(&heap).used, 0);
    filo_heap_deinit(&heap);
}

// ---- Many threads -------------------------------------------------------------------------------------

#define THREADS 4
#define ROUNDS  2000

typedef struct Stress {
    FiloCallbackTable *table;
    FiloWordQueue *later; // firings whose functions finish on other threads
    BASE_ATOMIC(int) finished, started, firings, wrong;
    int *left[THREADS][ROUNDS]; // memory that a function was still using when it was removed
} Stress;

static Stress stress;

static void count_finished(FiloFiring *firing, void *user) {
    FILO_UNUSED(firing);
    base_add_relaxed(&stress.finished, 1);
    // Release: the firing's owner may use it again.
    base_store_release((BASE_ATOMIC(int) *)user, 1);
}

static void queue_it(void *argument, FiloFiring *firing, void *user) {
    FILO_UNUSED(argument), FILO_UNUSED(user);
    base_add_relaxed(&stress.started, 1);
    while (!filo_word_queue_push(stress.later, (uintptr_t)firing)) filo_thread_yield();
}

// Its user is valid while it may be called: the thread that added it frees it only when no call is running.
static void check_alive(void *argument, FiloFiring *firing, void *user) {
    FILO_UNUSED(argument), FILO_UNUSED(firing);
    if (*(int *)user != 42) base_add_relaxed(&stress.wrong, 1);
}

static void finish_some(void) {
    uint64_t word;
    while (filo_word_queue_pop(stress.later, &word)) filo_firing_done((FiloFiring *)(uintptr_t)word);
}

static void add_fire_and_remove(int thread, void *user) {
    FILO_UNUSED(user);
    uint32_t random = (uint32_t)thread + 1;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t key = together_random(&random) % 3;
        int *alive = filo_alloc(NULL, sizeof *alive, 0);
        *alive = 42;
        FiloCallbackDesc desc = { key, check_alive, alive, false };
        FiloCallbackId id = filo_callback_table_add(stress.table, &desc);
        BASE_ATOMIC(int) done = 0;
        FiloFiring firing = { .finished = count_finished, .user = (void *)&done };
        filo_callback_table_fire(stress.table, together_random(&random) % 3, NULL, &firing);
        base_add_relaxed(&stress.firings, 1);
        // Acquire: pairs with the release in count_finished.
        while (base_load_acquire(&done) == 0) finish_some();
        FiloCallbackRemoval removal = filo_callback_table_remove(stress.table, id);
        if (removal == FILO_CALLBACK_UNKNOWN) base_add_relaxed(&stress.wrong, 1);
        if (removal == FILO_CALLBACK_REMOVED) {
            *alive = 0;
            filo_free(NULL, alive, sizeof *alive, 0);
        } else {
            stress.left[thread][round] = alive; // another thread is inside
        }
    }
}

FILO_TEST(every_firing_finishes_once_whatever_others_add_and_remove) {
    memset(&stress, 0, sizeof stress);
    stress.table = made();
    assert_ok(filo_word_queue_create(&stress.later, &(FiloWordQueueDesc){ .capacity = 64 }));
    for (uint64_t key = 0; key < 3; key++)
        for (int i = 0; i < 2; i++)
            filo_callback_table_add(stress.table, &(FiloCallbackDesc){ key, queue_it, NULL, true });
    together(THREADS, add_fire_and_remove, NULL);
    assert_int_equal(base_load_relaxed(&stress.wrong), 0);
    assert_int_equal(base_load_relaxed(&stress.firings), THREADS * ROUNDS);
    assert_int_equal(base_load_relaxed(&stress.finished), THREADS * ROUNDS);
    assert_int_equal(base_load_relaxed(&stress.started), 2 * THREADS * ROUNDS);
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < ROUNDS; i++) filo_free(NULL, stress.left[t][i], sizeof(int), 0);
    filo_word_queue_destroy(stress.later);
    filo_callback_table_destroy(stress.table);
}
