// What a first program might do with Filo. Valid as C and as C++: main.cpp includes it.

#include <filo/filo.h>

#include <stdio.h>

int main(void) {
    FiloArenaDesc desc = { 0 };
    desc.name = "consumer";
    FiloArena arena;
    FiloResult result = filo_arena_init(&arena, &desc);
    if (result.code != FILO_OK) {
        printf("%s\n", result.message);
        return 1;
    }
    int *numbers = filo_arena_new(&arena, int, 100);
    int sum = 0;
    for (int i = 0; i < 100; i++) numbers[i] = i;
    for (int i = 0; i < 100; i++) sum += numbers[i];
    filo_arena_deinit(&arena);

    result = filo_error(FILO_ERROR_NOT_FOUND, "%s: no such level", "cellar");
    printf("sum %d, %s (%s)\n", sum, result.message, filo_code_name(result.code));
    return 0;
}
