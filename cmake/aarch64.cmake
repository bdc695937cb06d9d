# Toolchain: builds for aarch64 on another machine and runs the tests with QEMU's user emulator.
#
# Compiler and C library are Debian's cross packages (the group aarch64 in tools/packages.txt). Other libraries come
# from a folder into which tools/sysroot.sh unpacks Debian's packages for arm64; nothing of them is installed.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

cmake_path(SET filo_sysroot NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../build/aarch64-sysroot)
set(filo_libraries ${filo_sysroot}/usr/lib/aarch64-linux-gnu ${filo_sysroot}/lib/aarch64-linux-gnu
    ${filo_sysroot}/usr/lib/aarch64-linux-gnu/pulseaudio) # the last for SDL
list(JOIN filo_libraries ":" filo_libraries)

set(CMAKE_FIND_ROOT_PATH ${filo_sysroot} /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# Before /usr/include, which Debian's cross compilers search as well. And where the libraries find those that they
# need themselves.
set(filo_includes "-isystem ${filo_sysroot}/usr/include -isystem ${filo_sysroot}/usr/include/aarch64-linux-gnu")
set(CMAKE_C_FLAGS_INIT ${filo_includes})
set(CMAKE_CXX_FLAGS_INIT ${filo_includes})
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-rpath-link,${filo_libraries}")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-Wl,-rpath-link,${filo_libraries}")

set(CMAKE_CROSSCOMPILING_EMULATOR
    qemu-aarch64 -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH=${filo_libraries})
