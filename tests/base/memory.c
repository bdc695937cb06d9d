#include "support/test.h"

#include <filo/memory.h>
#include <filo/threads.h>

#include <stdlib.h>

FILO_TEST(the_list_has_all_accounts_oldest_first) {
    FiloMemoryStats stats[16];
    size_t before = filo_memory_list(stats, 16);
    FiloHeap heap;
    FiloArena arena;
    FiloPool pool;
    FiloScratch scratch;
    filo_heap_init(&heap, "a heap", 1000);
    assert_ok(filo_arena_init(&arena, &(FiloArenaDesc){ .name = "an arena", .reserve = 5000 }));
    assert_ok(filo_pool_init(
        &pool, &(FiloPoolDesc){ .name = "a pool", .block_size = 10, .allocator = &heap.allocator }));
    assert_int_equal(filo_memory_list(stats, 16), before + 3);
    assert_string_equal(stats[before].name, "a heap");
    assert_int_equal(stats[before].budget, 1000);
    assert_string_equal(stats[before + 1].name, "an arena");
    assert_int_equal(stats[before + 1].budget, 5000);
    assert_string_equal(stats[before + 2].name, "a pool");

    filo_arena_alloc(&arena, 123, 1);
    filo_memory_list(stats, 16);
    assert_int_equal(stats[before + 1].used, 123);
    filo_arena_deinit(&arena); // from the middle
    assert_ok(filo_scratch_init(&scratch, "a scratch", 0));
    size_t count = filo_memory_list(stats, 16);
    assert_string_equal(stats[before + 1].name, "a pool");
    assert_string_equal(stats[count - 1].name, "a scratch");
    filo_pool_deinit(&pool);
    filo_heap_deinit(&heap);
    filo_scratch_deinit(&scratch);
}

FILO_TEST(a_list_that_is_too_short_is_filled_and_the_rest_counted) {
    FiloHeap heaps[3];
    filo_heap();
    size_t before = filo_memory_list(NULL, 0);
    for (int i = 0; i < 3; i++) filo_heap_init(&heaps[i], "many", 0);
    FiloMemoryStats stats[3] = { { "", 0, 0, 0, 0 }, { "untouched", 0, 0, 0, 0 }, { "", 0, 0, 0, 0 } };
    assert_int_equal(filo_memory_list(stats, 1), before + 3);
    assert_string_equal(stats[1].name, "untouched");
    for (int i = 0; i < 3; i++) filo_heap_deinit(&heaps[i]);
}

FILO_TEST(the_table_has_a_line_for_every_account) {
    FiloHeap heap, free_heap;
    filo_heap_init(&heap, "sounds", 2048);
    filo_heap_init(&free_heap, "images", 0);
    void *block = filo_alloc(&heap.allocator, 1536, 0), *small = filo_alloc(&free_heap.allocator, 1023, 0);
    char text[4096];
    size_t length = filo_memory_print(text, sizeof text);
    assert_int_equal(length, strlen(text));
    assert_int_equal(filo_test_count(text, "\n"), filo_memory_list(NULL, 0) + 1);
    assert_contains(text, "memory                       used         peak       budget\n");
    assert_contains(text, "sounds                    1.5 KiB      1.5 KiB      2.0 KiB\n");
    assert_contains(text, "images                     1023 B       1023 B            -\n");
    filo_free(&heap.allocator, block, 1536, 0);
    filo_free(&free_heap.allocator, small, 1023, 0);
    filo_heap_deinit(&heap);
    filo_heap_deinit(&free_heap);
}

FILO_TEST(a_table_that_does_not_fit_is_cut) {
    FiloHeap heap;
    filo_heap_init(&heap, "sounds", 0);
    char full[4096], text[4096];
    size_t all = filo_memory_print(full, sizeof full);
    memset(text, 'Z', sizeof text);
    assert_int_equal(filo_memory_print(text, 0), 0);
    assert_int_equal(text[0], 'Z');
    assert_int_equal(filo_memory_print(NULL, 0), 0);
    for (size_t size = 1; size <= all + 1; size++) {
        memset(text, 'Z', sizeof text);
        assert_int_equal(filo_memory_print(text, size), size - 1);
        assert_int_equal(text[size - 1], '\0');
        assert_int_equal(text[size], 'Z');
        assert_memory_equal(text, full, size - 1);
    }
    filo_heap_deinit(&heap);
}

FILO_TEST(the_table_shows_hundreds_of_accounts) {
    enum { COUNT = 300 };
    static FiloHeap heaps[COUNT];
    static char names[COUNT][32], text[COUNT * 100];
    for (int i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof names[i], "heap %d.", i);
        filo_heap_init(&heaps[i], names[i], 0);
    }
    filo_memory_print(text, sizeof text);
    for (int i = 0; i < COUNT; i++) assert_contains(text, names[i]);
    for (int i = 0; i < COUNT; i++) filo_heap_deinit(&heaps[i]);
}

static uint32_t stop;
static void come_and_go(void *user) {
    FILO_UNUSED(user);
    while (__atomic_load_n(&stop, __ATOMIC_RELAXED) == 0) {
        char *name = malloc(16); // gone with the account: the sanitizers see a name read too late
        strcpy(name, "come and go");
        FiloHeap heap;
        FiloScratch scratch;
        FiloArena arena;
        filo_heap_init(&heap, name, 0);
        (void)filo_scratch_init(&scratch, name, FILO_KIB(64));
        (void)filo_arena_init(&arena, &(FiloArenaDesc){ .name = name, .reserve = FILO_KIB(64) });
        for (int i = 0; i < 20; i++) filo_scratch_alloc(&scratch, 16, 0), filo_arena_alloc(&arena, 16, 16);
        filo_arena_clear(&arena);
        filo_scratch_flip(&scratch);
        filo_free(&heap.allocator, filo_alloc(&heap.allocator, 100, 0), 100, 0);
        filo_arena_deinit(&arena);
        filo_scratch_deinit(&scratch);
        filo_heap_deinit(&heap);
        free(name);
    }
}

FILO_TEST(accounts_may_come_and_go_on_other_threads_while_they_are_listed) {
    FiloThread threads[3];
    for (int i = 0; i < 3; i++)
        assert_ok(filo_thread_start(&threads[i], &(FiloThreadDesc){ .function = come_and_go }));
    for (int i = 0; i < 300; i++) {
        static char text[8192];
        FiloMemoryStats stats[32];
        filo_memory_print(text, sizeof text);
        size_t count = FILO_MIN(filo_memory_list(stats, 32), 32);
        for (size_t j = 0; j < count; j++) assert_true(stats[j].peak >= stats[j].used);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 3; i++) filo_thread_join(&threads[i]);
}

static uint64_t calls_of_thread;
static void allocate_elsewhere(void *user) {
    FILO_UNUSED(user);
    uint64_t before = filo_memory_system_calls_of_thread();
    void *block = filo_alloc(NULL, 100, 0);
    calls_of_thread = filo_memory_system_calls_of_thread() - before;
    filo_free(NULL, block, 100, 0);
}

FILO_TEST(calls_to_the_system_are_counted_in_all_and_by_thread) {
    uint64_t all = filo_memory_system_calls(), own = filo_memory_system_calls_of_thread();
    FiloThread thread;
    assert_ok(filo_thread_start(&thread, &(FiloThreadDesc){ .function = allocate_elsewhere }));
    filo_thread_join(&thread);
    assert_int_equal(calls_of_thread, 1);
    assert_true(filo_memory_system_calls() > all);
    assert_int_equal(filo_memory_system_calls_of_thread(), own); // that was another thread
    void *block = filo_alloc(NULL, 100, 0);
    assert_int_equal(filo_memory_system_calls_of_thread(), own + 1);
    filo_free(NULL, block, 100, 0);
    FiloArena arena;
    assert_ok(filo_arena_init(&arena, NULL));
    assert_true(filo_memory_system_calls_of_thread() > own + 1);
    filo_arena_deinit(&arena);
}
