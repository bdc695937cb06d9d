# Finds HarfBuzz, which shapes text: the target HarfBuzz::HarfBuzz, and HarfBuzz_FOUND.
# Installed with Filo, for those who link its static libraries.

find_path(HarfBuzz_INCLUDE_DIR harfbuzz/hb.h)
find_library(HarfBuzz_LIBRARY harfbuzz)
mark_as_advanced(HarfBuzz_INCLUDE_DIR HarfBuzz_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(HarfBuzz REQUIRED_VARS HarfBuzz_LIBRARY HarfBuzz_INCLUDE_DIR)

if(HarfBuzz_FOUND AND NOT TARGET HarfBuzz::HarfBuzz)
    add_library(HarfBuzz::HarfBuzz UNKNOWN IMPORTED)
    set_target_properties(HarfBuzz::HarfBuzz PROPERTIES
        IMPORTED_LOCATION ${HarfBuzz_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${HarfBuzz_INCLUDE_DIR})
endif()
