#include "support/malloc_count.h"
#include "support/test.h"

#include <filo/threads.h>

#include <fenv.h>
#include <float.h>
#include <sched.h>
#include <unistd.h>

static FiloTestResult outcome;

static FiloThread start(FiloThreadFunction function, void *user) {
    FiloThread thread;
    assert_ok(filo_thread_start(&thread, &(FiloThreadDesc){ .function = function, .user = user }));
    return thread;
}

// ---- threads ----------------------------------------------------------------------------------------------

static void set_to_seven(void *user) { *(int *)user = 7; }

FILO_TEST(a_thread_runs_its_function_and_is_joined) {
    int value = 0;
    FiloThread thread = start(set_to_seven, &value);
    assert_true(thread.running);
    filo_thread_join(&thread);
    assert_int_equal(value, 7); // plain memory: joining makes it visible
    assert_false(thread.running);
}

FILO_TEST(a_thread_is_joined_once_after_it_was_started) {
    int value = 0;
    FiloThread thread = start(set_to_seven, &value), never = { 0 };
    filo_thread_join(&thread);
    expect_fault("join a thread once, after it was started", filo_thread_join(&thread));
    expect_fault("join a thread once, after it was started", filo_thread_join(&never));
    expect_fault("join a thread once, after it was started", filo_thread_join(NULL));
}

FILO_TEST(a_thread_needs_a_function) {
    FiloThread thread = { 0 };
    expect_mistake("a thread needs a function to run",
                   filo_thread_start(&thread, &(FiloThreadDesc){ .name = "idle" }));
    assert_false(thread.running);
    expect_mistake("a thread needs a function to run", filo_thread_start(&thread, NULL));
    expect_mistake("a thread needs a function to run",
                   filo_thread_start(NULL, &(FiloThreadDesc){ .function = set_to_seven }));
}

static FiloThread self;
static uint32_t self_known;
static void join_itself(void *user) {
    FILO_UNUSED(user);
    while (__atomic_load_n(&self_known, __ATOMIC_ACQUIRE) == 0) filo_thread_yield();
    filo_thread_join(&self);
}

FILO_TEST(a_thread_that_joins_itself_is_reported_and_can_still_be_joined) {
    filo_test_faults_begin();
    self = start(join_itself, NULL);
    __atomic_store_n(&self_known, 1, __ATOMIC_RELEASE);
    filo_thread_join(&self);
    filo_test_faults_end("join a thread from another one, not from itself", __FILE__, __LINE__);
    assert_false(self.running);
}

static void use_stack(void *user) {
    volatile char space[200000];
    for (size_t i = 0; i < sizeof space; i += 1000) space[i] = 1;
    *(int *)user = space[1000];
}

FILO_TEST(a_stack_has_the_requested_size) {
    int value = 0;
    FiloThread thread;
    assert_ok(filo_thread_start(
        &thread, &(FiloThreadDesc){ .function = use_stack, .user = &value, .stack_size = 1000001 }));
    filo_thread_join(&thread);
    assert_int_equal(value, 1);
    assert_ok(filo_thread_start(
        &thread, &(FiloThreadDesc){ .function = set_to_seven, .user = &value, .stack_size = 1 }));
    filo_thread_join(&thread); // raised to the system's smallest
    assert_int_equal(value, 7);
}

FILO_TEST(a_thread_that_cannot_start_is_an_error_with_its_name_and_cause) {
    static const size_t sizes[] = { SIZE_MAX, SIZE_MAX / 2, (size_t)1 << 50 };
    for (size_t i = 0; i < FILO_COUNT_OF(sizes); i++) {
        FiloThread thread;
        FiloResult result = filo_thread_start(
            &thread, &(FiloThreadDesc){
                         .name = "a-name-that-is-much-longer-than-what-the-system-keeps-of-it-in-the-end",
                         .function = set_to_seven,
                         .stack_size = sizes[i] });
        assert_int_not_equal(result.code, FILO_OK);
        assert_contains(result.message, "thread a-name-that-is-: cannot start it: ");
        assert_false(thread.running);
    }
}

FILO_TEST(a_thread_without_memory_to_start_is_an_error) {
    if (!FILO_TEST_COUNTS_MALLOC) skip();
    FiloThread thread;
    filo_test_malloc_fail(1);
    FiloResult result =
        filo_thread_start(&thread, &(FiloThreadDesc){ .name = "poor", .function = set_to_seven });
    filo_test_malloc_fail(0);
    assert_error(result, FILO_ERROR_MEMORY, "thread poor: no memory to start it");
    assert_false(thread.running);
}

// ---- names ------------------------------------------------------------------------------------------------

static struct Names { char ours[64], system[64], renamed[64]; } names;
static void tell_names(void *user) {
    FILO_UNUSED(user);
    snprintf(names.ours, sizeof names.ours, "%s", filo_thread_name());
    pthread_getname_np(pthread_self(), names.system, sizeof names.system);
    char own[32] = "renamed";
    filo_thread_set_name(own);
    own[0] = '?'; // it was copied
    snprintf(names.renamed, sizeof names.renamed, "%s", filo_thread_name());
}

static void start_named(const char *name) {
    FiloThread thread;
    assert_ok(filo_thread_start(&thread, &(FiloThreadDesc){ .name = name, .function = tell_names }));
    filo_thread_join(&thread);
}

FILO_TEST(threads_have_names_that_the_system_shows) {
    start_named("worker 3");
    assert_string_equal(names.ours, "worker 3");
    assert_string_equal(names.system, "worker 3");
    assert_string_equal(names.renamed, "renamed");
    start_named(NULL);
    assert_string_equal(names.ours, "filo");
}

FILO_TEST(long_names_are_cut_to_15_bytes_between_characters) {
    start_named("123456789012345");
    assert_string_equal(names.ours, "123456789012345");
    start_named("1234567890123456");
    assert_string_equal(names.ours, "123456789012345");
    assert_string_equal(names.system, "123456789012345");
    start_named("worker-ééééééé"); // the fifth is cut in half by the 15th byte
    assert_string_equal(names.ours, "worker-éééé");
    start_named("1234567890123🚀");
    assert_string_equal(names.ours, "1234567890123");
    assert_string_equal(names.system, "1234567890123");
}

FILO_TEST_PROGRAM(prints_its_first_name) {
    printf("[%s]", filo_thread_name());
    filo_thread_set_name("main");
    printf("[%s]", filo_thread_name());
    filo_thread_set_name(NULL);
    printf("[%s]", filo_thread_name());
}

FILO_TEST(a_thread_that_filo_did_not_start_has_no_name_until_one_is_set) {
    filo_test_run(&outcome, &(FiloTestRun){ .program = "prints_its_first_name" });
    assert_string_equal(outcome.output, "[][main][]");
}

// ---- ids --------------------------------------------------------------------------------------------------

enum { MANY = 64 };
static uint32_t gate; // threads wait while it is 0
static uint32_t arrived;

static void wait_at_gate(void) {
    __atomic_fetch_add(&arrived, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(&gate, __ATOMIC_ACQUIRE) == 0) filo_park(&gate, 0);
}

static void open_gate(void) {
    __atomic_store_n(&gate, 1, __ATOMIC_SEQ_CST);
    filo_unpark(&gate, INT32_MAX);
}

static void wait_for_arrivals(uint32_t count) {
    while (__atomic_load_n(&arrived, __ATOMIC_ACQUIRE) < count) filo_thread_yield();
}

static void take_id_and_wait(void *user) {
    uint32_t id = filo_thread_id();
    *(uint32_t *)user = id == filo_thread_id() ? id : 0; // it does not change
    wait_at_gate();
}

static int by_value(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

FILO_TEST(ids_are_small_unique_among_the_living_and_reused) {
    uint32_t own = filo_thread_id();
    assert_true(own >= 1);
    for (int round = 0; round < 5; round++) {
        FiloThread threads[MANY];
        uint32_t ids[MANY + 1] = { 0 };
        gate = arrived = 0;
        for (int i = 0; i < MANY; i++) threads[i] = start(take_id_and_wait, &ids[i]);
        wait_for_arrivals(MANY);
        open_gate();
        for (int i = 0; i < MANY; i++) filo_thread_join(&threads[i]);
        ids[MANY] = own;
        qsort(ids, MANY + 1, sizeof ids[0], by_value);
        for (uint32_t i = 0; i <= MANY; i++) assert_int_equal(ids[i], i + 1); // none twice, none left out
    }
    assert_int_equal(filo_thread_id(), own);
}

static pthread_key_t late_key;
static uint32_t id_in_life, id_at_end;
static void request_at_the_end(void *value) {
    FILO_UNUSED(value);
    id_at_end = filo_thread_id();
    wait_at_gate(); // still alive
}
static void live_and_end(void *user) {
    FILO_UNUSED(user);
    id_in_life = filo_thread_id();
    pthread_setspecific(late_key, &late_key);
}

FILO_TEST(an_id_requested_while_a_thread_ends_is_unique) {
    filo_thread_id();
    assert_int_equal(pthread_key_create(&late_key, request_at_the_end),
                     0); // after Filo's key, so it runs later
    gate = arrived = 0;
    FiloThread ending = start(live_and_end, NULL);
    wait_for_arrivals(1);
    uint32_t other = 0;
    FiloThread living = start(take_id_and_wait, &other);
    wait_for_arrivals(2);
    open_gate();
    filo_thread_join(&ending);
    filo_thread_join(&living);
    assert_true(id_in_life != 0 && id_at_end != 0);
    assert_int_not_equal(other, id_at_end);
    uint32_t next = 0;
    gate = arrived = 0;
    FiloThread thread = start(take_id_and_wait, &next);
    wait_for_arrivals(1);
    open_gate();
    filo_thread_join(&thread);
    assert_int_equal(next, 2); // all were released
    pthread_key_delete(late_key);
}

FILO_TEST(there_are_ids_for_more_than_4096_threads) {
    enum { COUNT = 4200 };
    if (FILO_TEST_SANITIZED) skip(); // they do not like so many
    static FiloThread threads[COUNT];
    static uint32_t ids[COUNT];
    filo_thread_id();
    gate = arrived = 0;
    uint32_t started = 0;
    for (; started < COUNT; started++) {
        FiloThreadDesc desc = { .function = take_id_and_wait, .user = &ids[started], .stack_size = 65536 };
        if (filo_thread_start(&threads[started], &desc).code != FILO_OK) break; // a limit of this machine
    }
    wait_for_arrivals(started);
    open_gate();
    for (uint32_t i = 0; i < started; i++) filo_thread_join(&threads[i]);
    qsort(ids, started, sizeof ids[0], by_value);
    for (uint32_t i = 0; i < started; i++) assert_int_equal(ids[i], i + 2);
    if (started < COUNT) skip();
}

// ---- processors -------------------------------------------------------------------------------------------

static int allowed_cpus(int *first) {
    cpu_set_t set;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    *first = 0;
    while (!CPU_ISSET((size_t)*first, &set)) (*first)++;
    return CPU_COUNT(&set);
}

FILO_TEST(a_thread_can_be_pinned_to_one_processor_and_unpinned) {
    int first, only, count = allowed_cpus(&first);
    assert_ok(filo_thread_set_cpu(first + 1)); // counted from 1
    assert_int_equal(allowed_cpus(&only), 1);
    assert_int_equal(only, first);
    assert_int_equal(sched_getcpu(), first);
    assert_ok(filo_thread_set_cpu(0));
    assert_int_equal(allowed_cpus(&only), count);
}

FILO_TEST(a_processor_that_does_not_exist_is_an_error_and_changes_nothing) {
    int first, count = allowed_cpus(&first);
    static const int wrong[] = { -1, INT32_MIN, 4096, 4097, INT32_MAX };
    for (size_t i = 0; i < FILO_COUNT_OF(wrong); i++) {
        char text[64];
        snprintf(text, sizeof text, "processor %d: not there, or not for this process", wrong[i]);
        assert_error(filo_thread_set_cpu(wrong[i]), FILO_ERROR_NOT_FOUND, text);
    }
    assert_int_equal(allowed_cpus(&first), count);
}

static int cpu_of_thread;
static void tell_cpu(void *user) {
    FILO_UNUSED(user);
    int first;
    cpu_of_thread = allowed_cpus(&first) == 1 ? first : -1;
}

FILO_TEST(a_thread_can_start_on_a_processor_and_starts_without_one_that_does_not_exist) {
    int first;
    allowed_cpus(&first);
    FiloThread thread;
    assert_ok(filo_thread_start(&thread, &(FiloThreadDesc){ .function = tell_cpu, .cpu = first + 1 }));
    filo_thread_join(&thread);
    assert_int_equal(cpu_of_thread, first);
    int value = 0;
    assert_ok(filo_thread_start(&thread,
                                &(FiloThreadDesc){ .function = set_to_seven, .user = &value, .cpu = 4000 }));
    filo_thread_join(&thread);
    assert_int_equal(value, 7);
}

FILO_TEST(there_is_at_least_one_hardware_thread_and_not_more_than_the_process_may_use) {
    int first;
    assert_in_range(filo_hardware_threads(), 1, allowed_cpus(&first));
}

FILO_TEST(a_pinned_thread_counts_the_processors_of_the_whole_process) {
    int first, before = filo_hardware_threads();
    allowed_cpus(&first);
    assert_ok(filo_thread_set_cpu(first + 1));
    assert_int_equal(filo_hardware_threads(), before);
    assert_ok(filo_thread_set_cpu(0));
}

static void restrict_to(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
}

FILO_TEST_PROGRAM(is_restricted_to_its_last_processor) {
    cpu_set_t set;
    int last = -1, first;
    sched_getaffinity(0, sizeof set, &set);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET((size_t)i, &set)) last = i;
    restrict_to(last);
    printf("%d hardware threads, ", filo_hardware_threads());
    bool pinned = filo_thread_set_cpu(last + 1).code == FILO_OK;
    bool freed = filo_thread_set_cpu(0).code == FILO_OK;
    printf("%d %d, %d allowed, ", pinned, freed, allowed_cpus(&first)); // not more than at the start
    printf("%s", last == 0 ? "not found" : filo_code_name(filo_thread_set_cpu(1).code));
}

FILO_TEST(a_process_stays_within_the_processors_it_was_started_with) {
    filo_test_run(&outcome, &(FiloTestRun){ .program = "is_restricted_to_its_last_processor" });
    assert_string_equal(outcome.output, "1 hardware threads, 1 1, 1 allowed, not found");
}

// ---- floating point ---------------------------------------------------------------------------------------

// Whether this thread rounds to nearest and has denormals.
static bool expected_float_mode(void) {
    volatile double one = 1, tiny = 0x1p-60, smallest = 0x1p-1022;
    volatile long double long_one = 1;
    bool nearest = one + tiny == 1 && -one - tiny == -1 && long_one + LDBL_EPSILON / 4 == 1;
    volatile double denormal = smallest / 4, back = denormal * 4;
    return nearest && denormal > 0 && back == smallest && fegetround() == FE_TONEAREST;
}

static void store_float_mode(void *user) { *(bool *)user = expected_float_mode(); }

FILO_TEST(the_float_mode_is_the_same_whatever_it_was_before) {
    assert_true(expected_float_mode());
    static const int modes[] = { FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
    for (size_t i = 0; i < FILO_COUNT_OF(modes); i++) {
        fesetround(modes[i]);
        assert_false(expected_float_mode());
        bool in_thread = false;
        FiloThread thread = start(store_float_mode, &in_thread); // threads inherit the mode, Filo's do not
        filo_thread_join(&thread);
        filo_thread_set_float_mode();
        assert_true(expected_float_mode());
        assert_true(in_thread);
    }
#if defined(__x86_64__) || defined(__aarch64__)
#    if defined(__x86_64__)
    __builtin_ia32_ldmxcsr(0x1F80 | 0x8040); // flush denormals, and take them for zero
#    else
    __asm__ volatile("msr fpcr, %0" : : "r"(UINT64_C(1) << 24)); // the same
#    endif
    assert_false(expected_float_mode());
    filo_thread_set_float_mode();
    assert_true(expected_float_mode());
#endif
}

// ---- locks ------------------------------------------------------------------------------------------------

static FiloMutex mutex = FILO_MUTEX_INIT;
static FiloCondition condition;
static int counter;
static bool flag, tried;

static void count_up(void *user) {
    FILO_UNUSED(user);
    for (int i = 0; i < 20000; i++) {
        filo_mutex_lock(&mutex);
        counter++;
        filo_mutex_unlock(&mutex);
    }
}

FILO_TEST(a_mutex_lets_one_thread_in_at_a_time) {
    FiloThread threads[4];
    for (int i = 0; i < 4; i++) threads[i] = start(count_up, NULL);
    for (int i = 0; i < 4; i++) filo_thread_join(&threads[i]);
    assert_int_equal(counter, 80000);
}

static void try_lock(void *user) {
    tried = filo_mutex_try_lock(user);
    if (tried) filo_mutex_unlock(user);
}

FILO_TEST(trying_a_mutex_does_not_wait) {
    FiloMutex own;
    filo_mutex_init(&own);
    assert_true(filo_mutex_try_lock(&own));
    FiloThread thread = start(try_lock, &own);
    filo_thread_join(&thread);
    assert_false(tried);
    filo_mutex_unlock(&own);
    thread = start(try_lock, &own);
    filo_thread_join(&thread);
    assert_true(tried);
    filo_mutex_deinit(&own);
}

static void set_flag(void *user) {
    filo_mutex_lock(&mutex);
    flag = true;
    if (user != NULL)
        filo_condition_broadcast(&condition);
    else
        filo_condition_signal(&condition);
    filo_mutex_unlock(&mutex);
}

FILO_TEST(a_condition_wakes_a_waiting_thread) {
    filo_condition_init(&condition);
    for (int round = 0; round < 200; round++) {
        flag = false;
        filo_mutex_lock(&mutex);
        FiloThread thread = start(set_flag, round % 2 == 0 ? NULL : &flag);
        while (!flag) filo_condition_wait(&condition, &mutex);
        filo_mutex_unlock(&mutex);
        filo_thread_join(&thread);
    }
    filo_condition_deinit(&condition);
}

FILO_TEST(waiting_with_a_limit_is_true_when_woken_and_false_when_time_passed) {
    filo_condition_init(&condition);
    filo_mutex_lock(&mutex);
    static const int64_t short_times[] = { 0, -1, INT64_MIN, 1000, 1000000 };
    for (size_t i = 0; i < FILO_COUNT_OF(short_times); i++) {
        while (filo_condition_wait_for(&condition, &mutex, short_times[i])) {} // it may wake for no reason
        assert_int_not_equal(pthread_mutex_trylock(&mutex.handle), 0);         // it is locked again
    }
    static const int64_t long_times[] = { INT64_C(3600) * 1000000000, INT64_MAX };
    for (size_t i = 0; i < FILO_COUNT_OF(long_times); i++) {
        flag = false;
        FiloThread thread = start(set_flag, NULL);
        bool woken = true;
        while (!flag) woken = filo_condition_wait_for(&condition, &mutex, long_times[i]) && woken;
        assert_true(woken);
        filo_mutex_unlock(&mutex);
        filo_thread_join(&thread);
        filo_mutex_lock(&mutex);
    }
    filo_mutex_unlock(&mutex);
    filo_condition_deinit(&condition);
}

static FiloOnce once = FILO_ONCE_INIT;
static int once_calls;
static void call_once(void) { once_calls++; }
static void come_for_once(void *user) {
    filo_once(&once, call_once);
    *(int *)user = once_calls; // done, on whichever thread
}

FILO_TEST(once_runs_once_and_other_threads_wait_for_it) {
    FiloThread threads[8];
    int seen[8] = { 0 };
    for (int i = 0; i < 8; i++) threads[i] = start(come_for_once, &seen[i]);
    for (int i = 0; i < 8; i++) filo_thread_join(&threads[i]);
    for (int i = 0; i < 8; i++) assert_int_equal(seen[i], 1);
}

// ---- parking ----------------------------------------------------------------------------------------------

FILO_TEST(parking_on_a_word_that_differs_returns_at_once) {
    uint32_t word = 5;
    filo_park(&word, 4);
    assert_true(filo_park_for(&word, 4, INT64_MAX));
}

FILO_TEST(parking_with_a_limit_is_false_when_time_passed) {
    uint32_t word = 5;
    static const int64_t times[] = { 0, -1, INT64_MIN, 1000, 1000000 };
    for (size_t i = 0; i < FILO_COUNT_OF(times); i++)
        while (filo_park_for(&word, 5, times[i])) {}
}

FILO_TEST(waking_without_parked_threads_wakes_none) {
    uint32_t word = 0;
    assert_int_equal(filo_unpark(&word, 1), 0);
    assert_int_equal(filo_unpark(&word, INT32_MAX), 0);
}

// Sleeping threads cannot be seen from outside, so wake one by one until all have been.
FILO_TEST(as_many_threads_are_woken_as_requested) {
    enum { SLEEPERS = 4 };
    gate = arrived = 0;
    FiloThread threads[SLEEPERS];
    uint32_t ids[SLEEPERS];
    for (int i = 0; i < SLEEPERS; i++) threads[i] = start(take_id_and_wait, &ids[i]);
    wait_for_arrivals(SLEEPERS);
    for (int i = 0; i < 100; i++) { // all threads that are parked by now
        assert_int_equal(filo_unpark(&gate, 0), 0);
        assert_int_equal(filo_unpark(&gate, -1), 0);
        assert_in_range(filo_unpark(&gate, 1), 0, 1);
        filo_thread_yield();
    }
    open_gate();
    for (int i = 0; i < SLEEPERS; i++) filo_thread_join(&threads[i]);
}

// Two threads hand a turn to each other; one lost wake-up and both sleep for ever.
enum { TURNS = 20000 };
static uint32_t turn;
static void take_turns(void *user) {
    uint32_t mine = (uint32_t)(uintptr_t)user;
    for (uint32_t i = 0; i < TURNS; i++) {
        uint32_t now;
        while ((now = __atomic_load_n(&turn, __ATOMIC_ACQUIRE)) % 2 != mine) {
            if (i % 3 == 0)
                filo_park_for(&turn, now, INT64_MAX);
            else
                filo_park(&turn, now);
        }
        __atomic_store_n(&turn, now + 1, __ATOMIC_RELEASE);
        filo_unpark(&turn, 1);
    }
}

FILO_TEST(no_wake_up_is_lost_between_two_threads) {
    turn = 0;
    FiloThread first = start(take_turns, (void *)0), second = start(take_turns, (void *)1);
    filo_thread_join(&first);
    filo_thread_join(&second);
    assert_int_equal(turn, 2 * TURNS);
}

// Many consumers sleep on one word; every token must find one of them.
#define CLOSED 0x80000000u
static uint32_t tokens, consumed;
static void consume(void *user) {
    FILO_UNUSED(user);
    for (;;) {
        uint32_t available = __atomic_load_n(&tokens, __ATOMIC_ACQUIRE);
        if ((available & ~CLOSED) > 0) {
            if (__atomic_compare_exchange_n(&tokens, &available, available - 1, false, __ATOMIC_ACQ_REL,
                                            __ATOMIC_RELAXED))
                __atomic_fetch_add(&consumed, 1, __ATOMIC_RELAXED);
        } else if (available == CLOSED) {
            return;
        } else {
            filo_park(&tokens, 0);
        }
    }
}

FILO_TEST(no_wake_up_is_lost_among_many_threads) {
    FiloThread threads[8];
    for (int i = 0; i < 8; i++) threads[i] = start(consume, NULL);
    for (int i = 0; i < TURNS; i++) {
        __atomic_fetch_add(&tokens, 1, __ATOMIC_RELEASE);
        filo_unpark(&tokens, 1);
    }
    while (__atomic_load_n(&consumed, __ATOMIC_RELAXED) < TURNS) filo_thread_yield();
    __atomic_fetch_or(&tokens, CLOSED, __ATOMIC_RELEASE);
    filo_unpark(&tokens, INT32_MAX);
    for (int i = 0; i < 8; i++) filo_thread_join(&threads[i]);
    assert_int_equal(consumed, TURNS);
}
