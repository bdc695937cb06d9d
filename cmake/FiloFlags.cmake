# Compiler flags that everything in the project shares.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_DEBUG_POSTFIX d) # so that both kinds of library can be installed side by side
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_C_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g")

# Fused multiply-add rounds once where two operations round twice: whether a compiler uses it would show in
# the world hash. errno after a square root would keep loops from becoming vector code. A loop over columns that is a few
# instructions long takes twice as long where it happens to lie across two lines of the cache, which changes when unrelated
# code does: gcc aligns loops to 16 bytes only, and clang unrolls these. Users inherit all three flags with the library,
# because our headers hold inline maths, and their systems such loops.
set(FILO_PUBLIC_FLAGS -ffp-contract=off -fno-math-errno -falign-loops=32)

add_library(filo_build_flags INTERFACE)
target_compile_options(filo_build_flags INTERFACE
    ${FILO_PUBLIC_FLAGS} -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes>
    $<$<BOOL:${FILO_WERROR}>:-Werror>)
target_compile_definitions(filo_build_flags INTERFACE _GNU_SOURCE)
# __FILE__ in messages is a path inside the repository, the same on every machine.
target_compile_options(filo_build_flags INTERFACE -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
if(FILO_SANITIZE)
    target_compile_options(filo_build_flags INTERFACE
        -fsanitize=${FILO_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${FILO_SANITIZE})
endif()
# So that the fuzzers see which parts of the library an input reaches, and not of themselves alone.
if(FILO_FUZZ)
    target_compile_options(filo_build_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
