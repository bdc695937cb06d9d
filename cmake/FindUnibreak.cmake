# Finds libunibreak, which knows where lines and words end: the target Unibreak::Unibreak, and Unibreak_FOUND.
# Installed with Filo, for those who link its static libraries.

find_path(Unibreak_INCLUDE_DIR linebreak.h)
find_library(Unibreak_LIBRARY unibreak)
mark_as_advanced(Unibreak_INCLUDE_DIR Unibreak_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Unibreak REQUIRED_VARS Unibreak_LIBRARY Unibreak_INCLUDE_DIR)

if(Unibreak_FOUND AND NOT TARGET Unibreak::Unibreak)
    add_library(Unibreak::Unibreak UNKNOWN IMPORTED)
    set_target_properties(Unibreak::Unibreak PROPERTIES
        IMPORTED_LOCATION ${Unibreak_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Unibreak_INCLUDE_DIR})
endif()
