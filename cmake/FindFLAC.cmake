# Finds libFLAC, which reads FLAC files: the target FLAC::FLAC, and FLAC_FOUND.
# Installed with Filo, for those who link its static libraries.

find_path(FLAC_INCLUDE_DIR FLAC/stream_decoder.h)
find_library(FLAC_LIBRARY FLAC)
mark_as_advanced(FLAC_INCLUDE_DIR FLAC_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FLAC REQUIRED_VARS FLAC_LIBRARY FLAC_INCLUDE_DIR)

if(FLAC_FOUND AND NOT TARGET FLAC::FLAC)
    add_library(FLAC::FLAC UNKNOWN IMPORTED)
    set_target_properties(FLAC::FLAC PROPERTIES
        IMPORTED_LOCATION ${FLAC_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${FLAC_INCLUDE_DIR})
endif()
