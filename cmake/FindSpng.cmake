# Finds libspng, which reads and writes PNG files: the target Spng::Spng, and Spng_FOUND.
# Installed with Filo, for those who link its static libraries.

find_path(Spng_INCLUDE_DIR spng.h)
find_library(Spng_LIBRARY spng)
mark_as_advanced(Spng_INCLUDE_DIR Spng_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Spng REQUIRED_VARS Spng_LIBRARY Spng_INCLUDE_DIR)

if(Spng_FOUND AND NOT TARGET Spng::Spng)
    add_library(Spng::Spng UNKNOWN IMPORTED)
    set_target_properties(Spng::Spng PROPERTIES
        IMPORTED_LOCATION ${Spng_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Spng_INCLUDE_DIR})
endif()
