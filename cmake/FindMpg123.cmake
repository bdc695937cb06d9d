# Finds libmpg123, which reads MP3 files: the target Mpg123::Mpg123, and Mpg123_FOUND.
# Installed with Filo, for those who link its static libraries.

find_path(Mpg123_INCLUDE_DIR mpg123.h)
find_library(Mpg123_LIBRARY mpg123)
mark_as_advanced(Mpg123_INCLUDE_DIR Mpg123_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Mpg123 REQUIRED_VARS Mpg123_LIBRARY Mpg123_INCLUDE_DIR)

if(Mpg123_FOUND AND NOT TARGET Mpg123::Mpg123)
    add_library(Mpg123::Mpg123 UNKNOWN IMPORTED)
    set_target_properties(Mpg123::Mpg123 PROPERTIES
        IMPORTED_LOCATION ${Mpg123_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Mpg123_INCLUDE_DIR})
endif()
