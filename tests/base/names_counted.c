// Names with a reference count.

#include <filo/strings.h>
#include <filo/threads.h>

#include "support/failing_allocator.h"
#include "support/test.h"

#include <stdlib.h>

#define S(literal) FILO_STRING(literal)

static FiloName retained(FiloString string) {
    FiloName name;
    assert_ok(filo_name_retain(&name, string));
    return name;
}

FILO_TEST(a_counted_name_is_an_ordinary_one_until_the_last_release) {
    uint32_t before = filo_name_in_use();
    FiloName name = retained(S("guest")), again = retained(S("guest"));
    assert_int_not_equal(name.id, 0);
    assert_int_equal(name.id, again.id);
    assert_string_equal(filo_name_text(name), "guest");
    assert_int_equal(filo_name_hash(name), filo_hash_text("guest"));
    assert_int_equal(filo_name_in_use(), before + 1);
    filo_name_release(name);
    assert_string_equal(filo_name_text(name), "guest");
    filo_name_release(name);
    assert_int_equal(filo_name_in_use(), before);
    expect_fault("does not exist", assert_string_equal(filo_name_text(name), ""));
    expect_fault("release a name once for each time", filo_name_release(name));
    expect_fault("make a name permanent before it is released", filo_name_make_permanent(name));
    assert_int_equal(filo_name_find(S("guest")).id, 0);
}

FILO_TEST(the_empty_name_needs_no_count) {
    FiloName name = { 7 };
    assert_ok(filo_name_retain(&name, (FiloString){ 0 }));
    assert_int_equal(name.id, 0);
    filo_name_release(name);
    filo_name_make_permanent(name);
    expect_mistake("pass where to put the name", filo_name_retain(NULL, S("x")));
}

// Code compares ids, so looking up a counted text must give the same id, which must stay valid.
FILO_TEST(a_counted_name_that_code_looks_up_becomes_permanent_with_its_id) {
    FiloName (*const lookups[])(FiloString) = { filo_name_from, filo_name_find };
    const char *const texts[] = { "asked for", "looked for" };
    for (int i = 0; i < 2; i++) {
        FiloName name = retained(filo_string(texts[i]));
        const char *text = filo_name_text(name);
        assert_int_equal(lookups[i](filo_string(texts[i])).id, name.id);
        assert_string_equal(text, texts[i]); // what was read before is still there
        filo_name_release(name);
        filo_name_release(name); // nothing is counted any more
        assert_string_equal(filo_name_text(name), texts[i]);
        assert_int_equal(filo_name_find(filo_string(texts[i])).id, name.id);
        assert_int_equal(retained(filo_string(texts[i])).id, name.id);
    }
    FiloName permanent = retained(S("kept by hand"));
    filo_name_make_permanent(permanent);
    filo_name_release(permanent);
    assert_int_equal(filo_name("kept by hand").id, permanent.id);
}

FILO_TEST(ids_are_reused_but_not_soon) {
    FiloName first = retained(S("first")), name;
    filo_name_release(first);
    uint32_t count = filo_name_count();
    for (int i = 0; i < 100000; i++) {
        char text[32];
        snprintf(text, sizeof text, "one of many %d", i);
        name = retained(filo_string(text));
        if (i < 1000) assert_int_not_equal(name.id, first.id);
        assert_string_equal(filo_name_text(name), text);
        filo_name_release(name);
    }
    assert_in_range(filo_name_count(), count, count + 10000);
}

FILO_TEST(a_batch_is_made_permanent_or_released_as_a_whole) {
    FiloName existing = filo_name("known before");
    uint32_t before = filo_name_in_use();
    for (int keep = 0; keep < 2; keep++) {
        FiloNameBatch batch = { 0 };
        char text[32];
        for (int i = 0; i < 200; i++) {
            snprintf(text, sizeof text, "of a batch %d", i % 150);
            FiloName name = filo_name_batch_add(&batch, filo_string(text));
            assert_string_equal(filo_name_text(name), text);
        }
        assert_int_equal(filo_name_batch_add(&batch, S("known before")).id, existing.id);
        assert_int_equal(filo_name_batch_add(&batch, S("")).id, 0);
        assert_ok(batch.result);
        assert_int_equal(filo_name_in_use(), before + 150);
        filo_name_batch_end(&batch, keep != 0);
        assert_int_equal(batch.count + batch.capacity, 0);
        assert_int_equal(filo_name_in_use(), keep ? before + 150 : before);
    }
    expect_fault("pass a batch of names", filo_name_batch_add(NULL, S("x")));
    expect_fault("pass a batch of names", filo_name_batch_end(NULL, false));
}

// ---- Threads ------------------------------------------------------------------------------------------

enum { THREADS = 8, ROUNDS = 20000, POOL = 64 };
static uint32_t wrong_answers;

// A few of the texts become permanent meanwhile, at any time.
static void come_and_go(void *user) {
    uint64_t random = (uintptr_t)user;
    uint32_t wrong = 0;
    for (int round = 0; round < ROUNDS; round++) {
        char text[32];
        uint32_t number = test_random(&random) % POOL;
        snprintf(text, sizeof text, number % 2 == 0 ? "c%u" : "comes and goes, number %u", number);
        FiloName name;
        if (filo_name_retain(&name, filo_string(text)).code != FILO_OK) wrong++;
        wrong += strcmp(filo_name_text(name), text) != 0;
        if (number == 7 && round == ROUNDS / 2) wrong += filo_name(text).id != name.id;
        if (number == 8) wrong += filo_name_find(filo_string(text)).id != name.id;
        wrong += filo_name_hash(name) != filo_hash_text(text);
        filo_name_release(name);
    }
    __atomic_fetch_add(&wrong_answers, wrong, __ATOMIC_RELAXED);
}

FILO_TEST(eight_threads_retain_and_release_the_same_names) {
    FiloThread threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_ok(filo_thread_start(&threads[i],
                                    &(FiloThreadDesc){ .function = come_and_go, .user = (void *)(i + 1) }));
    for (int i = 0; i < THREADS; i++) filo_thread_join(&threads[i]);
    assert_int_equal(wrong_answers, 0);
}

// ---- Running out --------------------------------------------------------------------------------------

FILO_TEST(counted_names_leave_ids_for_those_of_the_program) {
    static FiloName names[FILO_NAME_LIMIT];
    uint32_t before = filo_name_in_use(), count = 0;
    FiloResult result;
    for (;;) {
        char text[32];
        snprintf(text, sizeof text, "crowd %u", count);
        result = filo_name_retain(&names[count], filo_string(text));
        if (result.code != FILO_OK) break;
        count++;
    }
    assert_error(result, FILO_ERROR_LIMIT, "there are too many names");
    assert_int_equal(names[count].id, 0);
    assert_int_equal(before + count, FILO_NAME_LIMIT - FILO_NAME_RESERVE);
    assert_int_not_equal(filo_name("a new one of the program").id, 0);
    FiloNameBatch batch = { 0 };
    assert_int_equal(filo_name_batch_add(&batch, S("one more of a file")).id, 0);
    assert_error(batch.result, FILO_ERROR_LIMIT, "there are too many names");
    filo_name_batch_end(&batch, false);
    for (uint32_t i = 0; i < count; i++) filo_name_release(names[i]);
    assert_int_equal(filo_name_in_use(), before + 1);
    assert_ok(filo_name_retain(&names[0], S("crowd 1")));
    filo_name_release(names[0]);
}

FILO_TEST(too_much_text_of_counted_names_is_refused) {
    size_t size = FILO_MIB(16);
    char *text = malloc(size);
    memset(text, 'x', size);
    FiloName names[16];
    size_t count = 0;
    FiloResult result = filo_ok();
    while (count < 16) {
        text[0] = (char)('a' + count);
        result = filo_name_retain(&names[count], filo_string_from(text, size));
        if (result.code != FILO_OK) break;
        count++;
    }
    assert_error(result, FILO_ERROR_LIMIT, "too much text in names");
    assert_in_range(count, 6, 7);
    assert_int_not_equal(filo_name("a short one of the program").id, 0);
    while (count > 0) filo_name_release(names[--count]);
    assert_ok(filo_name_retain(&names[0], filo_string_from(text, size)));
    filo_name_release(names[0]);
    FiloName none;
    assert_error(filo_name_retain(&none, filo_string_from("x", FILO_NAME_TEXT_LIMIT)), FILO_ERROR_LIMIT,
                 "too much");
    free(text);
}
