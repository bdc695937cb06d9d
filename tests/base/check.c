#include "support/test.h"

FILO_TEST(a_check_that_holds_is_true) { assert_true(FILO_CHECK(1 + 1 == 2, "never shown")); }

FILO_TEST(a_check_that_fails_is_false_and_reports_the_sentence) {
    bool held = true;
    expect_fault("use door 7, not 8", held = FILO_CHECK(false, "use door %d, not %d", 7, 8));
    assert_false(held);
}
