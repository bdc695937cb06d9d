# Installs headers, libraries, a CMake package (find_package(filo)) and pkg-config files.

include(CMakePackageConfigHelpers)

get_property(modules GLOBAL PROPERTY FILO_MODULES)
set(targets filo)
foreach(module IN LISTS modules)
    list(APPEND targets filo_${module})
endforeach()

install(TARGETS ${targets} EXPORT filoTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/filo DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT filoTargets NAMESPACE filo:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/filo)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/filoConfig.cmake.in filoConfig.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/filo)
write_basic_package_version_file(filoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/filoConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/filoConfigVersion.cmake
    ${CMAKE_CURRENT_LIST_DIR}/FindUring.cmake ${CMAKE_CURRENT_LIST_DIR}/FindZstd.cmake ${CMAKE_CURRENT_LIST_DIR}/FindMeshoptimizer.cmake
    ${CMAKE_CURRENT_LIST_DIR}/FindEpoxy.cmake ${CMAKE_CURRENT_LIST_DIR}/FindSpng.cmake ${CMAKE_CURRENT_LIST_DIR}/FindWebP.cmake
    ${CMAKE_CURRENT_LIST_DIR}/FindHarfBuzz.cmake ${CMAKE_CURRENT_LIST_DIR}/FindFriBidi.cmake
    ${CMAKE_CURRENT_LIST_DIR}/FindUnibreak.cmake ${CMAKE_CURRENT_LIST_DIR}/FindThai.cmake
    ${CMAKE_CURRENT_LIST_DIR}/FindOpenAL.cmake ${CMAKE_CURRENT_LIST_DIR}/FindSndfile.cmake
    ${CMAKE_CURRENT_LIST_DIR}/FindMpg123.cmake ${CMAKE_CURRENT_LIST_DIR}/FindFLAC.cmake ${CMAKE_CURRENT_LIST_DIR}/FindVorbisfile.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/filo)

# pkg-config: filo.pc for the whole engine, and filo-<module>.pc for each module (of a debug build, filo-debug.pc and
# filo-<module>-debug.pc). Other libraries are written as linker flags.
function(filo_linker_flags result)
    set(flags "")
    foreach(link IN LISTS ARGN)
        if(link STREQUAL "Threads::Threads")
            string(APPEND flags " -pthread")
        elseif(link MATCHES "::")
            # Uring::Uring is -luring, SDL2::SDL2 is -lSDL2.
            string(REGEX REPLACE ".*::" "" library ${link})
            if(NOT library MATCHES "^(SDL|FLAC)")
                string(TOLOWER ${library} library)
            endif()
            string(APPEND flags " -l${library}")
        else()
            string(APPEND flags " -l${link}")
        endif()
    endforeach()
    string(STRIP "${flags}" flags)
    set(${result} ${flags} PARENT_SCOPE)
endfunction()

list(JOIN FILO_PUBLIC_FLAGS " " FILO_PC_CFLAGS)
# The prefix is found from where filo.pc lies, so that an installed tree may be moved.
file(RELATIVE_PATH FILO_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(FILO_PC_SUFFIX "")
set(FILO_PC_POSTFIX "")
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
    set(FILO_PC_SUFFIX -debug)
    set(FILO_PC_POSTFIX ${CMAKE_DEBUG_POSTFIX})
endif()

# filo_pkg_config(name library REQUIRES package… LINK library…)
function(filo_pkg_config name library)
    cmake_parse_arguments(ARG "" "" "REQUIRES;LINK" ${ARGN})
    set(FILO_PC_NAME ${name}${FILO_PC_SUFFIX})
    set(FILO_PC_LIBRARY ${library}${FILO_PC_POSTFIX})
    list(TRANSFORM ARG_REQUIRES APPEND "${FILO_PC_SUFFIX}")
    list(JOIN ARG_REQUIRES " " FILO_PC_REQUIRES)
    filo_linker_flags(FILO_PC_LIBS ${ARG_LINK})
    configure_file(${PROJECT_SOURCE_DIR}/cmake/filo.pc.in ${FILO_PC_NAME}.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${FILO_PC_NAME}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

get_property(links GLOBAL PROPERTY FILO_LINK)
list(REMOVE_DUPLICATES links)
filo_pkg_config(filo filo LINK ${links})
foreach(module IN LISTS modules)
    get_property(required GLOBAL PROPERTY FILO_REQUIRES_${module})
    get_property(links GLOBAL PROPERTY FILO_LINK_${module})
    list(TRANSFORM required PREPEND filo-)
    list(TRANSFORM required REPLACE _ -)
    string(REPLACE _ - package filo-${module})
    filo_pkg_config(${package} filo_${module} REQUIRES ${required} LINK ${links})
endforeach()
