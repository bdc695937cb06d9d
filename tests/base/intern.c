#include <filo/strings.h>
#include <filo/threads.h>

#include "support/failing_allocator.h"
#include "support/test.h"

#define S(literal) FILO_STRING(literal)

FILO_TEST(the_same_text_has_the_same_id) {
    char copy[] = "position";
    FiloName a = filo_name("position"), b = filo_name(copy), c = filo_name("velocity");
    assert_int_not_equal(a.id, 0);
    assert_int_equal(a.id, b.id);
    assert_int_not_equal(a.id, c.id);
    assert_int_equal(a.id, filo_name_from(filo_string_from("positions", 8)).id);
    assert_string_equal(filo_name_text(a), "position");
    assert_string_equal(filo_name_text(c), "velocity");
}

FILO_TEST(the_empty_string_is_zero) {
    assert_int_equal(filo_name("").id, 0);
    assert_int_equal(filo_name(NULL).id, 0);
    assert_int_equal(filo_name_from((FiloString){ 0 }).id, 0);
    assert_int_equal(filo_name_find(S("")).id, 0);
    assert_string_equal(filo_name_text((FiloName){ 0 }), "");
    assert_int_equal(filo_name_string((FiloName){ 0 }).length, 0);
    assert_int_equal(filo_name_hash((FiloName){ 0 }), filo_hash_text(""));
}

FILO_TEST(looking_up_does_not_create_a_name) {
    uint32_t before = filo_name_count();
    assert_int_equal(filo_name_find(S("never named")).id, 0);
    assert_int_equal(filo_name_find(S("never named, and longer than sixteen bytes")).id, 0);
    assert_int_equal(filo_name_count(), before);
    FiloName name = filo_name("named now");
    assert_int_equal(filo_name_find(S("named now")).id, name.id);
    assert_int_equal(name.id, before);
    assert_int_equal(filo_name_count(), before + 1);
}

FILO_TEST(a_name_keeps_the_stable_hash_of_its_text) {
    static const char *const texts[] = { "a", "abc", "position", "a name of more than sixteen bytes" };
    for (size_t i = 0; i < FILO_COUNT_OF(texts); i++)
        assert_int_equal(filo_name_hash(filo_name(texts[i])), filo_hash_text(texts[i]));
    assert_int_equal(filo_name_hash(filo_name("position")), 0x4703A798BDEB8BD8);
}

FILO_TEST(names_may_contain_zeros) {
    FiloName a = filo_name_from(S("a\0b")), b = filo_name_from(S("a\0c")), c = filo_name_from(S("a\0"));
    FiloName d = filo_name("a");
    assert_true(a.id != b.id && a.id != c.id && a.id != d.id && b.id != c.id && b.id != d.id && c.id != d.id);
    assert_true(filo_string_equal(filo_name_string(a), S("a\0b")));
    assert_true(filo_string_equal(filo_name_string(c), S("a\0")));
    assert_int_equal(filo_name_find(S("a\0c")).id, b.id);
}

// Texts of every length up to 100 that differ in one byte at every offset; in memory of exactly their size, so
// that a sanitizer sees a read past the end.
FILO_TEST(every_byte_of_a_name_counts) {
    for (size_t length = 1; length <= 100; length++) {
        char *text = malloc(length);
        memset(text, 'x', length);
        FiloName plain = filo_name_from(filo_string_from(text, length));
        assert_int_equal(filo_name_string(plain).length, length);
        for (size_t i = 0; i < length; i++) {
            text[i] = 'y';
            FiloName other = filo_name_from(filo_string_from(text, length));
            assert_int_not_equal(other.id, plain.id);
            assert_memory_equal(filo_name_text(other), text, length);
            assert_int_equal(filo_name_text(other)[length], 0);
            assert_int_equal(filo_name_find(filo_string_from(text, length)).id, other.id);
            text[i] = 'x';
        }
        free(text);
    }
}

// Eight bytes after which the hash inside intern.c does not depend on the eight before, on little-endian machines.
FILO_TEST(long_names_with_the_same_key_are_distinguished) {
    FiloString a = S("aaaaaaaa\x03\xED\x92\xD1\x32\x4A\xB5\xD1 and the same end");
    FiloString b = S("bbbbbbbb\x03\xED\x92\xD1\x32\x4A\xB5\xD1 and the same end");
    FiloName name = filo_name_from(a);
    assert_int_equal(filo_name_find(b).id, 0);
    assert_int_not_equal(filo_name_from(b).id, name.id);
    assert_int_equal(filo_name_find(a).id, name.id);
}

FILO_TEST(texts_and_ids_stay_while_the_table_grows) {
    enum { COUNT = 20000 };
    static const char *texts[COUNT];
    static FiloName names[COUNT];
    char text[64];
    for (int i = 0; i < COUNT; i++) {
        snprintf(text, sizeof text, i % 2 == 0 ? "grow%d" : "a longer name that grows %d", i);
        names[i] = filo_name(text);
        texts[i] = filo_name_text(names[i]);
    }
    for (int i = 0; i < COUNT; i++) {
        snprintf(text, sizeof text, i % 2 == 0 ? "grow%d" : "a longer name that grows %d", i);
        assert_string_equal(texts[i], text);
        assert_ptr_equal(filo_name_text(names[i]), texts[i]);
        assert_int_equal(filo_name(text).id, names[i].id);
    }
}

FILO_TEST(very_long_names_are_stored) {
    size_t size = FILO_MIB(1);
    char *text = malloc(size);
    for (size_t i = 0; i < size; i++) text[i] = (char)('a' + i % 26);
    FiloName name = filo_name_from(filo_string_from(text, size));
    assert_int_equal(filo_name_find(filo_string_from(text, size)).id, name.id);
    assert_true(filo_string_equal(filo_name_string(name), filo_string_from(text, size)));
    text[size / 2] = '!';
    assert_int_equal(filo_name_find(filo_string_from(text, size)).id, 0);
    free(text);
}

static FiloName cached(void) {
    FILO_NAME(health, "health");
    return health;
}

FILO_TEST(a_cached_name_is_the_same_as_one_looked_up) {
    FiloName first = cached(), second = cached();
    FILO_NAME(other, "other health");
    FILO_NAME(empty, "");
    assert_int_equal(first.id, filo_name("health").id);
    assert_int_equal(second.id, first.id);
    assert_int_equal(other.id, filo_name("other health").id);
    assert_int_equal(empty.id, 0);
}

FILO_TEST(an_id_that_was_never_assigned_is_reported_and_reads_as_empty) {
    FiloName wrong = { filo_name_count() };
    expect_fault("use an id that filo_name returned", assert_string_equal(filo_name_text(wrong), ""));
    expect_fault("use an id that filo_name returned", assert_int_equal(filo_name_string(wrong).length, 0));
    wrong.id = UINT32_MAX;
    expect_fault("name 4294967295 does not exist",
                 assert_int_equal(filo_name_hash(wrong), filo_hash_text("")));
}

FILO_TEST(the_memory_of_names_is_listed) {
    filo_name("listed");
    FiloMemoryStats stats[64];
    size_t count = filo_memory_list(stats, FILO_COUNT_OF(stats)), found = 0;
    for (size_t i = 0; i < FILO_MIN(count, FILO_COUNT_OF(stats)); i++)
        if (strcmp(stats[i].name, "names") == 0) found += stats[i].used > 0;
    assert_int_equal(found, 1);
}

// ---- Threads ------------------------------------------------------------------------------------------

enum { THREADS = 8, POOL = 6000, ROUNDS = 12000 };

static uint32_t ids[POOL]; // what the first thread got; atomic by builtins
static uint32_t wrong_answers;

static FiloString pool_text(char *text, size_t size, uint32_t number) {
    int length = snprintf(text, size,
                          number % 3 == 0   ? "t%u"
                          : number % 3 == 1 ? "thread name %u"
                                            : "a rather long thread name %u",
                          number);
    return filo_string_from(text, (size_t)length);
}

static void name_randomly(void *user) {
    uint64_t random = (uintptr_t)user;
    uint32_t wrong = 0;
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t number = test_random(&random) % POOL;
        char text[64];
        FiloString string = pool_text(text, sizeof text, number);
        uint32_t existing = __atomic_load_n(&ids[number], __ATOMIC_ACQUIRE);
        // A name that another thread has created must be found.
        if (existing != 0) wrong += filo_name_find(string).id != existing;
        uint32_t id = filo_name_from(string).id, expected = 0;
        wrong += id == 0 || !filo_string_equal(filo_name_string((FiloName){ id }), string);
        if (!__atomic_compare_exchange_n(&ids[number], &expected, id, false, __ATOMIC_ACQ_REL,
                                         __ATOMIC_ACQUIRE))
            wrong += expected != id;
    }
    __atomic_fetch_add(&wrong_answers, wrong, __ATOMIC_RELAXED);
}

FILO_TEST(eight_threads_agree_on_every_name) {
    FiloThread threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_ok(filo_thread_start(&threads[i],
                                    &(FiloThreadDesc){ .function = name_randomly, .user = (void *)(i + 1) }));
    for (int i = 0; i < THREADS; i++) filo_thread_join(&threads[i]);
    assert_int_equal(wrong_answers, 0);
    // All different.
    FILO_NAME(last, "made after all others");
    uint8_t *seen = calloc(last.id + 1, 1);
    uint32_t named = 0;
    for (uint32_t number = 0; number < POOL; number++) {
        if (ids[number] == 0) continue;
        assert_true(ids[number] < last.id);
        assert_int_equal(seen[ids[number]]++, 0);
        named++;
    }
    assert_true(named > POOL * 9 / 10);
    free(seen);
}

enum { READERS = 3, GROWTH = 20000 };

// Nothing but the table itself makes these threads agree: there is no other atomic operation in the loop.
static void find_until_the_last(void *user) {
    char text[64];
    for (uint32_t number = 0; number < GROWTH;) {
        snprintf(text, sizeof text, "found by readers %u", number);
        FiloName name = filo_name_find(filo_string(text));
        if (name.id == 0) continue;
        if (strcmp(filo_name_text(name), text) != 0) ++*(uint32_t *)user;
        number++;
    }
}

FILO_TEST(readers_find_every_name_while_the_table_grows) {
    FiloThread threads[READERS];
    uint32_t wrong[READERS] = { 0 };
    for (int i = 0; i < READERS; i++)
        assert_ok(filo_thread_start(&threads[i],
                                    &(FiloThreadDesc){ .function = find_until_the_last, .user = &wrong[i] }));
    for (uint32_t number = 0; number < GROWTH; number++) {
        char text[64];
        snprintf(text, sizeof text, "found by readers %u", number);
        assert_int_not_equal(filo_name(text).id, 0);
    }
    for (int i = 0; i < READERS; i++) {
        filo_thread_join(&threads[i]);
        assert_int_equal(wrong[i], 0);
    }
}

// ---- Running out; these must be the last --------------------------------------------------------------

FILO_TEST(too_much_text_is_reported_and_gives_the_empty_name) {
    FiloString huge = filo_string_from("x", FILO_NAME_TEXT_LIMIT); // it is not read
    FiloName name = { 1 };
    expect_fault("FILO_NAME_TEXT_LIMIT", name = filo_name_from(huge));
    assert_int_equal(name.id, 0);
    assert_int_equal(filo_name_find(huge).id, 0);
}

FILO_TEST(too_many_names_are_reported_and_give_the_empty_name) {
    char text[32];
    FiloName name = { 1 };
    for (uint32_t i = filo_name_count(); i < FILO_NAME_LIMIT; i++) {
        snprintf(text, sizeof text, "full%u", i);
        name = filo_name(text);
        assert_int_equal(name.id, i);
    }
    assert_int_equal(filo_name_count(), FILO_NAME_LIMIT);
    expect_fault("there are too many names", name = filo_name("one too many"));
    assert_int_equal(name.id, 0);
    expect_fault("there are too many names", name = filo_name("one too many, and longer"));
    assert_int_equal(name.id, 0);
    // What exists is still found.
    assert_int_equal(filo_name(text).id, FILO_NAME_LIMIT - 1);
    assert_string_equal(filo_name_text((FiloName){ FILO_NAME_LIMIT - 1 }), text);
}
