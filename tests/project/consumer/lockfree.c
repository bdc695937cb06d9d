// One module alone: the lock-free structures, without the job system.

#include <filo/lockfree.h>

#include <inttypes.h>
#include <stdio.h>

int main(void) {
    FiloSharedWordMap *counts;
    FiloSharedWordMapDesc desc = { .name = "counts", .capacity = 10 };
    FiloResult result = filo_shared_word_map_create(&counts, &desc);
    if (result.code != FILO_OK) {
        printf("%s\n", result.message);
        return 1;
    }
    for (uint64_t i = 0; i < 100; i++) filo_shared_word_map_add(counts, i % 10 + 1, 1, NULL);
    uint64_t sum = 0, key, count;
    size_t cursor = 0, keys = 0;
    for (; filo_shared_word_map_next(counts, &cursor, &key, &count); keys++) sum += count;
    printf("%" PRIu64 " words, of %zu keys\n", sum, keys);
    filo_shared_word_map_destroy(counts);
    return 0;
}
