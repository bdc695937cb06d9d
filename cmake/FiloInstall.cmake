# Installs headers, libraries, a CMake package (find_package(filo)) and a pkg-config file (filo.pc; of a debug build, filo-debug.pc).

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
    ${CMAKE_CURRENT_LIST_DIR}/FindUring.cmake ${CMAKE_CURRENT_LIST_DIR}/FindZstd.cmake
    ${CMAKE_CURRENT_LIST_DIR}/FindEpoxy.cmake ${CMAKE_CURRENT_LIST_DIR}/FindSpng.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/filo)

# pkg-config: the libraries that ours need, written as linker flags.
get_property(links GLOBAL PROPERTY FILO_LINK)
list(REMOVE_DUPLICATES links)
set(FILO_PC_LIBS "")
foreach(link IN LISTS links)
    if(link STREQUAL "Threads::Threads")
        string(APPEND FILO_PC_LIBS " -pthread")
    elseif(link MATCHES "::")
        # Uring::Uring is -luring, SDL2::SDL2 is -lSDL2.
        string(REGEX REPLACE ".*::" "" library ${link})
        if(NOT library MATCHES "^SDL")
            string(TOLOWER ${library} library)
        endif()
        string(APPEND FILO_PC_LIBS " -l${library}")
    else()
        string(APPEND FILO_PC_LIBS " -l${link}")
    endif()
endforeach()
string(STRIP "${FILO_PC_LIBS}" FILO_PC_LIBS)
list(JOIN FILO_PUBLIC_FLAGS " " FILO_PC_CFLAGS)
# The prefix is found from where filo.pc lies, so that an installed tree may be moved.
file(RELATIVE_PATH FILO_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
    set(FILO_PC_NAME filo-debug)
    set(FILO_PC_LIBRARY filo${CMAKE_DEBUG_POSTFIX})
else()
    set(FILO_PC_NAME filo)
    set(FILO_PC_LIBRARY filo)
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/filo.pc.in ${FILO_PC_NAME}.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${FILO_PC_NAME}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
