# Finds libsndfile, which reads sound files: the target Sndfile::Sndfile, and Sndfile_FOUND.
# Installed with Filo, for those who link its static libraries.

find_path(Sndfile_INCLUDE_DIR sndfile.h)
find_library(Sndfile_LIBRARY sndfile)
mark_as_advanced(Sndfile_INCLUDE_DIR Sndfile_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Sndfile REQUIRED_VARS Sndfile_LIBRARY Sndfile_INCLUDE_DIR)

if(Sndfile_FOUND AND NOT TARGET Sndfile::Sndfile)
    add_library(Sndfile::Sndfile UNKNOWN IMPORTED)
    set_target_properties(Sndfile::Sndfile PROPERTIES
        IMPORTED_LOCATION ${Sndfile_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Sndfile_INCLUDE_DIR})
endif()
