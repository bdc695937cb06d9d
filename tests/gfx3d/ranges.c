// Pieces of buffers.

#include "gfx3d/meshes/ranges.h"

#include "support/failing_allocator.h"

static const char *free_of(const Gfx3dRanges *ranges) {
    static char text[1024];
    size_t length = 0;
    text[0] = 0;
    for (size_t i = 0; i < ranges->free.count; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, i > 0 ? " %u+%u" : "%u+%u",
                                   ranges->free.items[i].first, ranges->free.items[i].count);
    return text;
}

FILO_TEST(the_first_range_that_is_large_enough_is_taken) {
    Gfx3dRanges ranges = { 0 };
    assert_true(gfx3d_ranges_grow(&ranges, 100));
    assert_int_equal(gfx3d_ranges_take(&ranges, 10), 0);
    assert_int_equal(gfx3d_ranges_take(&ranges, 20), 10);
    assert_int_equal(gfx3d_ranges_take(&ranges, 30), 30);
    gfx3d_ranges_give(&ranges, 0, 10);
    assert_string_equal(free_of(&ranges), "0+10 60+40");
    assert_int_equal(gfx3d_ranges_take(&ranges, 11), 60);
    assert_int_equal(gfx3d_ranges_take(&ranges, 10), 0);
    assert_int_equal(gfx3d_ranges_take(&ranges, 30), UINT32_MAX);
    assert_string_equal(free_of(&ranges), "71+29");
    assert_int_equal(gfx3d_ranges_take(&ranges, 29), 71);
    assert_int_equal(gfx3d_ranges_take(&ranges, 1), UINT32_MAX);
    filo_array_deinit(&ranges.free);
}

FILO_TEST(neighbours_that_are_free_are_merged) {
    Gfx3dRanges ranges = { 0 };
    assert_true(gfx3d_ranges_grow(&ranges, 50));
    assert_int_equal(gfx3d_ranges_take(&ranges, 50), 0);
    gfx3d_ranges_give(&ranges, 20, 10);
    gfx3d_ranges_give(&ranges, 0, 10);
    gfx3d_ranges_give(&ranges, 40, 10);
    assert_string_equal(free_of(&ranges), "0+10 20+10 40+10");
    gfx3d_ranges_give(&ranges, 30, 10); // between two
    assert_string_equal(free_of(&ranges), "0+10 20+30");
    gfx3d_ranges_give(&ranges, 10, 5); // behind one
    gfx3d_ranges_give(&ranges, 17, 3); // before one
    assert_string_equal(free_of(&ranges), "0+15 17+33");
    gfx3d_ranges_give(&ranges, 15, 2);
    assert_string_equal(free_of(&ranges), "0+50");
    gfx3d_ranges_give(&ranges, 0, 0); // nothing
    assert_true(gfx3d_ranges_grow(&ranges, 60));
    assert_string_equal(free_of(&ranges), "0+60");
    filo_array_deinit(&ranges.free);
}

FILO_TEST(random_pieces_never_overlap_and_all_come_back) {
    enum { END = 4096, PIECES = 200 };
    Gfx3dRanges ranges = { 0 };
    static uint8_t owner[END];
    Gfx3dRange pieces[PIECES] = { 0 };
    uint64_t random = 1;
    assert_true(gfx3d_ranges_grow(&ranges, END));
    for (int round = 0; round < 20000; round++) {
        uint32_t n = test_random(&random) % PIECES;
        Gfx3dRange *piece = &pieces[n];
        if (piece->count > 0) {
            for (uint32_t i = 0; i < piece->count; i++) {
                assert_int_equal(owner[piece->first + i], n + 1);
                owner[piece->first + i] = 0;
            }
            gfx3d_ranges_give(&ranges, piece->first, piece->count);
            *piece = (Gfx3dRange){ 0 };
            continue;
        }
        uint32_t count = 1 + test_random(&random) % 64, first = gfx3d_ranges_take(&ranges, count);
        if (first == UINT32_MAX) continue;
        *piece = (Gfx3dRange){ first, count };
        for (uint32_t i = 0; i < count; i++) {
            assert_true(first + i < END);
            assert_int_equal(owner[first + i], 0);
            owner[first + i] = (uint8_t)(n + 1);
        }
    }
    for (int n = 0; n < PIECES; n++) gfx3d_ranges_give(&ranges, pieces[n].first, pieces[n].count);
    assert_string_equal(free_of(&ranges), "0+4096");
    filo_array_deinit(&ranges.free);
}

FILO_TEST(ranges_without_memory_lose_a_piece_and_nothing_else) {
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    Gfx3dRanges ranges = { .free.allocator = &failing.allocator };
    failing_allow(&failing, 0);
    assert_false(gfx3d_ranges_grow(&ranges, 10));
    assert_int_equal(ranges.end, 0);
    assert_int_equal(gfx3d_ranges_take(&ranges, 1), UINT32_MAX);
    failing_end(&failing);
    assert_true(gfx3d_ranges_grow(&ranges, 10));
    for (uint32_t i = 0; i < 10; i++) assert_int_equal(gfx3d_ranges_take(&ranges, 1), i);
    failing_allow(&failing, 0);
    for (uint32_t i = 0; i < 10; i += 2) gfx3d_ranges_give(&ranges, i, 1);
    assert_true(failing_end(&failing));
    // Pieces that were lost are never taken twice.
    uint32_t seen = 0;
    for (uint32_t at = gfx3d_ranges_take(&ranges, 1); at != UINT32_MAX; at = gfx3d_ranges_take(&ranges, 1)) {
        assert_true(at < 10 && at % 2 == 0 && (seen & 1u << at) == 0);
        seen |= 1u << at;
    }
    filo_array_deinit(&ranges.free);
    assert_int_equal(failing.blocks, 0);
}
