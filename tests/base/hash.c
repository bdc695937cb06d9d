#include <filo/hash.h>

#include "support/test.h"

#define PRIME64 UINT64_C(11400714785074694797)

// The bytes of xxHash's own sanity check.
static void fill(unsigned char *bytes, size_t size) {
    uint64_t generator = UINT64_C(2654435761);
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (unsigned char)(generator >> 56);
        generator *= PRIME64;
    }
}

// xxHash's published results.
static const struct {
    size_t size;
    uint64_t seed, hash;
} answers[] = {
    { 0, 0, 0x2D06800538D394C2 },    { 0, PRIME64, 0xA8A6B918B2F0364A },
    { 1, 0, 0xC44BDFF4074EECDB },    { 1, PRIME64, 0x032BE332DD766EF8 },
    { 6, 0, 0x27B56A84CD2D7325 },    { 6, PRIME64, 0x84589C116AB59AB9 },
    { 12, 0, 0xA713DAF0DFBB77E7 },   { 12, PRIME64, 0xE7303E1B2336DE0E },
    { 24, 0, 0xA3FE70BF9D3510EB },   { 24, PRIME64, 0x850E80FC35BDD690 },
    { 48, 0, 0x397DA259ECBA1F11 },   { 48, PRIME64, 0xADC2CBAA44ACC616 },
    { 80, 0, 0xBCDEFBBB2C47C90A },   { 80, PRIME64, 0xC6DD0CB699532E73 },
    { 195, 0, 0xCD94217EE362EC3A },  { 195, PRIME64, 0xBA68003D370CB3D9 },
    { 403, 0, 0xCDEB804D65C6DEA4 },  { 403, PRIME64, 0x6259F6ECFD6443FD },
    { 512, 0, 0x617E49599013CB6B },  { 512, PRIME64, 0x3CE457DE14C27708 },
    { 2048, 0, 0xDD59E2C3A5F038E0 }, { 2048, PRIME64, 0x66F81670669ABABC },
    { 2367, 0, 0xCB37AEB9E5D361ED }, { 2367, PRIME64, 0xD2DB3415B942B42A },
};

FILO_TEST(hashes_are_the_published_ones) {
    unsigned char bytes[2367];
    fill(bytes, sizeof bytes);
    for (size_t i = 0; i < FILO_COUNT_OF(answers); i++) {
        assert_int_equal(filo_hash_seeded(bytes, answers[i].size, answers[i].seed), answers[i].hash);
        if (answers[i].seed == 0) assert_int_equal(filo_hash(bytes, answers[i].size), answers[i].hash);
    }
}

FILO_TEST(a_hash_in_pieces_is_the_hash_of_the_whole) {
    unsigned char bytes[2367];
    fill(bytes, sizeof bytes);
    for (size_t i = 0; i < FILO_COUNT_OF(answers); i++) {
        for (size_t piece = 1; piece < 700; piece += 1 + piece / 2) {
            FiloHasher hasher;
            memset(&hasher, 0xCD, sizeof hasher); // whatever was there before must not matter
            filo_hasher_init(&hasher, answers[i].seed);
            for (size_t done = 0; done < answers[i].size; done += piece)
                filo_hasher_add(&hasher, bytes + done, FILO_MIN(piece, answers[i].size - done));
            assert_int_equal(filo_hasher_finish(&hasher), answers[i].hash);
        }
    }
}

FILO_TEST(a_hasher_can_be_used_again_with_any_seed) {
    unsigned char bytes[403];
    fill(bytes, sizeof bytes);
    FiloHasher hasher;
    for (int round = 0; round < 2; round++) {
        filo_hasher_init(&hasher, PRIME64);
        memset(&hasher, 0xCD, 256); // half of an old state, with the same seed
        filo_hasher_init(&hasher, PRIME64);
        filo_hasher_add(&hasher, bytes, sizeof bytes);
        assert_int_equal(filo_hasher_finish(&hasher), 0x6259F6ECFD6443FD);
        filo_hasher_init(&hasher, 0);
        filo_hasher_add(&hasher, bytes, sizeof bytes);
        assert_int_equal(filo_hasher_finish(&hasher), 0xCDEB804D65C6DEA4);
    }
}

FILO_TEST(a_hasher_goes_on_after_finish_and_can_be_copied) {
    FiloHasher hasher;
    filo_hasher_init(&hasher, 7);
    filo_hasher_add(&hasher, "common ", 7);
    assert_int_equal(filo_hasher_finish(&hasher), filo_hash_seeded("common ", 7, 7));
    FiloHasher copy = hasher;
    filo_hasher_add(&hasher, "one", 3);
    filo_hasher_add(&copy, "two", 3);
    assert_int_equal(filo_hasher_finish(&hasher), filo_hash_seeded("common one", 10, 7));
    assert_int_equal(filo_hasher_finish(&copy), filo_hash_seeded("common two", 10, 7));
}

FILO_TEST(numbers_are_added_lowest_byte_first) {
    FiloHasher hasher;
    filo_hasher_init(&hasher, 0);
    filo_hasher_add_u64(&hasher, 0x0807060504030201);
    filo_hasher_add_u32(&hasher, 0x0C0B0A09);
    assert_int_equal(filo_hasher_finish(&hasher), filo_hash("\1\2\3\4\5\6\7\10\11\12\13\14", 12));
}

FILO_TEST(nothing_can_be_hashed) {
    assert_int_equal(filo_hash(NULL, 0), 0x2D06800538D394C2);
    assert_int_equal(filo_hash_text(NULL), 0x2D06800538D394C2);
    assert_int_equal(filo_hash_text(""), 0x2D06800538D394C2);
    FiloHasher hasher;
    filo_hasher_init(&hasher, 0);
    filo_hasher_add(&hasher, NULL, 0);
    assert_int_equal(filo_hasher_finish(&hasher), 0x2D06800538D394C2);
}

FILO_TEST(a_text_is_hashed_without_its_zero) {
    assert_int_equal(filo_hash_text("position"), filo_hash("position", 8));
    assert_int_not_equal(filo_hash("a\0b", 3), filo_hash("a\0c", 3));
}

FILO_TEST(number_hashes_are_those_of_splitmix64) {
    assert_int_equal(filo_hash_u64(0), 0xE220A8397B1DCDAF);
    assert_int_equal(filo_hash_u64(0x9E3779B97F4A7C15), 0x6E789E6AA1B965F4);
    assert_int_equal(filo_hash_u64(2 * 0x9E3779B97F4A7C15), 0x06C45D188009454F);
}

FILO_TEST(every_bit_of_a_number_changes_about_half_of_its_hash) {
    for (unsigned bit = 0; bit < 64; bit++) {
        int changed = 0;
        for (uint64_t x = 0; x < 64; x++)
            changed += __builtin_popcountll(filo_hash_u64(x) ^ filo_hash_u64(x ^ UINT64_C(1) << bit));
        assert_in_range(changed, 64 * 28, 64 * 36);
    }
}

FILO_TEST(combining_depends_on_the_order) {
    assert_int_equal(filo_hash_combine(1, 2), filo_hash_combine(1, 2));
    assert_int_not_equal(filo_hash_combine(1, 2), filo_hash_combine(2, 1));
    assert_int_not_equal(filo_hash_combine(0, 0), filo_hash_combine(0, 1));
    assert_int_not_equal(filo_hash_combine(0, 0), filo_hash_combine(1, 0));
    assert_int_not_equal(filo_hash_combine(7, 7), filo_hash_combine(8, 8));
}

FILO_TEST(a_misaligned_hasher_is_reported) {
    static FiloHasher two[2];
    void *shifted = two[0].state + 8;
    expect_fault("aligned to 64 bytes", filo_hasher_init(shifted, 0));
    expect_fault("aligned to 64 bytes", filo_hasher_add(shifted, "x", 1));
    expect_fault("aligned to 64 bytes", assert_int_equal(filo_hasher_finish(shifted), 0));
}
