// Atlas pages: slots do not overlap, freed slots are reused, pages grow, borders repeat the edge.

#include "gfx2d/fixture.h"

#include "gfx2d/images/pages.h"

static FiloPixels picture(int width, int height, FiloColor color) {
    FiloPixels pixels;
    assert_true(filo_pixels_create(&pixels, width, height, NULL));
    filo_pixels_fill(&pixels, color);
    return pixels;
}

static Gfx2dPageSlot put(Gfx2dPages *pages, int width, int height) {
    FiloPixels pixels = picture(width, height, FILO_COLOR_WHITE);
    Gfx2dPageSlot spot;
    assert_ok(gfx2d_pages_add(pages, &pixels, "picture", &spot));
    filo_pixels_free(&pixels, NULL);
    assert_true(spot.taken && spot.width == width && spot.height == height);
    return spot;
}

// With their borders.
static bool overlap(const Gfx2dPageSlot *a, const Gfx2dPageSlot *b) {
    return a->page == b->page && a->x - 1 < b->x + b->width + 1 && b->x - 1 < a->x + a->width + 1 &&
           a->y - 1 < b->y + b->height + 1 && b->y - 1 < a->y + a->height + 1;
}

static void check(const Gfx2dPages *pages, const Gfx2dPageSlot *spots, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!spots[i].taken) continue;
        const FiloPixels *page = &pages->pages.items[spots[i].page].pixels;
        assert_true(spots[i].x >= 1 && spots[i].y >= 1);
        assert_true(spots[i].x + spots[i].width + 1 <= page->width);
        assert_true(spots[i].y + spots[i].height + 1 <= page->height);
        for (size_t k = 0; k < i; k++)
            if (spots[k].taken) assert_false(overlap(&spots[i], &spots[k]));
    }
}

FILO_TEST(images_never_overlap_whatever_comes_and_goes) {
    Gfx2dPages pages;
    gfx2d_pages_init(&pages, 256, NULL, NULL);
    enum { COUNT = 300 };
    static Gfx2dPageSlot spots[COUNT];
    FiloRandom random = filo_random_sequence(7);
    for (int round = 0; round < 3000; round++) {
        Gfx2dPageSlot *spot = &spots[filo_random_below(&random, COUNT)];
        int width = 1 + (int)filo_random_below(&random, 40), height = 1 + (int)filo_random_below(&random, 40);
        if (spot->taken)
            gfx2d_pages_free_slot(&pages, spot);
        else
            *spot = put(&pages, width, height);
        if (round % 100 == 99) check(&pages, spots, COUNT);
    }
    check(&pages, spots, COUNT);
    gfx2d_pages_deinit(&pages);
}

FILO_TEST(freed_slots_are_reused) {
    Gfx2dPages pages;
    gfx2d_pages_init(&pages, 256, NULL, NULL);
    for (int round = 0; round < 50; round++) {
        Gfx2dPageSlot spots[36];
        int size = round % 2 == 0 ? 30 : 38; // other heights than before: empty shelves fit any height
        for (int i = 0; i < 36; i++) spots[i] = put(&pages, size, size);
        for (int i = 0; i < 36; i++) gfx2d_pages_free_slot(&pages, &spots[(i * 7) % 36]);
    }
    assert_int_equal(gfx2d_pages_count(&pages), 1);
    assert_int_equal(pages.pages.items[0].used_rows, 0);
    gfx2d_pages_deinit(&pages);
}

FILO_TEST(the_first_page_grows_and_slots_do_not_move) {
    Gfx2dPages pages;
    gfx2d_pages_init(&pages, 1024, NULL, NULL);
    FiloPixels red = picture(50, 20, FILO_COLOR_RED);
    Gfx2dPageSlot first;
    assert_ok(gfx2d_pages_add(&pages, &red, "red", &first));
    filo_pixels_free(&red, NULL);
    assert_int_equal(pages.pages.items[0].pixels.width, GFX2D_PAGE_SIZE_FIRST);
    static Gfx2dPageSlot spots[201];
    spots[200] = first;
    for (int i = 0; i < 200; i++) spots[i] = put(&pages, 60, 60);
    check(&pages, spots, 201);
    assert_int_equal(gfx2d_pages_count(&pages), 1);
    assert_int_equal(pages.pages.items[0].pixels.width, 1024);
    assert_color(*filo_pixels_at(&pages.pages.items[0].pixels, first.x + 49, first.y + 19), FILO_COLOR_RED);
    // Further pages have the full size.
    for (int i = 0; i < 200; i++) (void)put(&pages, 60, 60);
    assert_int_equal(gfx2d_pages_count(&pages), 2);
    assert_int_equal(pages.pages.items[1].pixels.width, 1024);
    gfx2d_pages_deinit(&pages);
}

FILO_TEST(an_image_larger_than_a_page_gets_one_of_its_own_on_the_cpu) {
    Gfx2dPages pages;
    gfx2d_pages_init(&pages, 256, NULL, NULL);
    Gfx2dPageSlot small = put(&pages, 8, 8), large = put(&pages, 700, 20);
    assert_int_not_equal(small.page, large.page);
    assert_int_equal(pages.images.items[large.page].width, 702);
    gfx2d_pages_free_slot(&pages, &large);
    assert_false(large.taken);
    assert_int_equal(gfx2d_pages_count(&pages), 1);
    assert_null(pages.images.items[1].data);
    assert_int_equal(put(&pages, 400, 400).page, 1); // the index is reused
    gfx2d_pages_deinit(&pages);
}

FILO_TEST(an_image_beyond_the_limit_is_refused_by_name_and_size) {
    Gfx2dPages pages;
    Gfx2dPageSlot spot;
    gfx2d_pages_init(&pages, 256, NULL, NULL);
    FiloColor color = FILO_COLOR_WHITE;
    FiloPixels huge = { &color, FILO_PIXELS_MAX, 1, FILO_PIXELS_MAX }; // it is not read
    assert_error(gfx2d_pages_add(&pages, &huge, "map.png", &spot), FILO_ERROR_LIMIT, "map.png: 16384 × 1");
    assert_false(spot.taken);
    assert_error(gfx2d_pages_add(&pages, &(FiloPixels){ 0 }, "none.png", &spot), FILO_ERROR_ARGUMENT,
                 "none.png");
    gfx2d_pages_deinit(&pages);
}

FILO_TEST(a_long_image_does_not_fill_the_gpu) {
    FiloGpu *gpu = fixture_device(ON_NULL);
    Gfx2dPages pages;
    Gfx2dPageSlot spot;
    gfx2d_pages_init(&pages, 256, gpu, NULL);
    FiloColor color = FILO_COLOR_WHITE;
    FiloPixels strip = { &color, 8191, 1, 8191 }; // it is not read
    assert_error(gfx2d_pages_add(&pages, &strip, "strip.png", &spot), FILO_ERROR_LIMIT,
                 "the limit on this graphics card is");
    assert_int_equal(gfx2d_pages_count(&pages), 0);
    gfx2d_pages_deinit(&pages);
    filo_gpu_destroy(gpu);
}

FILO_TEST(the_border_repeats_the_edge) {
    Gfx2dPages pages;
    gfx2d_pages_init(&pages, 64, NULL, NULL);
    (void)put(&pages, 20, 5);
    FiloPixels pixels = picture(2, 2, FILO_COLOR_RED);
    *filo_pixels_at(&pixels, 1, 0) = FILO_COLOR_GREEN;
    *filo_pixels_at(&pixels, 0, 1) = FILO_COLOR_BLUE;
    *filo_pixels_at(&pixels, 1, 1) = FILO_COLOR_YELLOW;
    Gfx2dPageSlot spot;
    assert_ok(gfx2d_pages_add(&pages, &pixels, "four", &spot));
    for (int y = -1; y <= 2; y++)
        for (int x = -1; x <= 2; x++)
            assert_color(*filo_pixels_at(&pages.images.items[spot.page], spot.x + x, spot.y + y),
                         *filo_pixels_at(&pixels, FILO_CLAMP(x, 0, 1), FILO_CLAMP(y, 0, 1)));
    filo_pixels_free(&pixels, NULL);
    gfx2d_pages_deinit(&pages);
}

FILO_TEST(the_texture_of_the_gpu_is_a_copy_of_the_pages) {
    FiloGpu *gpu = fixture_device(ON_NULL);
    Gfx2dPages pages;
    gfx2d_pages_init(&pages, 512, gpu, NULL);
    for (int i = 0; i < 150; i++) (void)put(&pages, 60, 50);
    Gfx2dPageSlot large = put(&pages, 1000, 30); // the texture grows; in memory only this page has this size
    assert_true(pages.texture_size >= 1002 && gfx2d_pages_count(&pages) >= 2);
    assert_int_equal(pages.images.items[large.page].height, 32);
    for (int i = 0; i < 150; i++) (void)put(&pages, 60, 50);
    filo_array_each (&pages.images, image) assert_true(image->width <= 512 || image->height == 32);
    for (size_t p = 0; p < pages.pages.count; p++) {
        const FiloPixels *page = &pages.images.items[p];
        const FiloColor *texture = filo_gpu_null_texture_data(gpu, pages.texture, (int)p);
        for (int y = 0; y < page->height; y++)
            assert_memory_equal(texture + (size_t)y * (size_t)pages.texture_size, filo_pixels_at(page, 0, y),
                                (size_t)page->width * 4);
    }
    gfx2d_pages_free_slot(&pages, &large);
    gfx2d_pages_deinit(&pages);
    filo_gpu_destroy(gpu);
}

FILO_TEST(without_memory_nothing_is_added_and_nothing_is_lost) {
    FiloPixels pixels = picture(100, 90, FILO_COLOR_WHITE);
    for (int allowed = 0; allowed < 60; allowed++) {
        LimitedAllocator limited;
        limited_init(&limited, allowed);
        Gfx2dPages pages;
        gfx2d_pages_init(&pages, 512, NULL, &limited.allocator);
        static Gfx2dPageSlot spots[40];
        for (int i = 0; i < 40; i++) {
            FiloResult result = gfx2d_pages_add(&pages, &pixels, "picture", &spots[i]);
            assert_true(result.code == FILO_OK ? spots[i].taken : !spots[i].taken);
            if (result.code != FILO_OK) assert_int_equal(result.code, FILO_ERROR_MEMORY);
            if (i == 20) limited.left += 10; // some memory again
        }
        check(&pages, spots, 40);
        gfx2d_pages_deinit(&pages);
        assert_int_equal(limited.used, 0);
    }
    filo_pixels_free(&pixels, NULL);
}
