# Finds libthai, which finds words in Thai text: the target Thai::Thai, and Thai_FOUND.
# Installed with Filo, for those who link its static libraries.

find_path(Thai_INCLUDE_DIR thai/thwbrk.h)
find_library(Thai_LIBRARY thai)
mark_as_advanced(Thai_INCLUDE_DIR Thai_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Thai REQUIRED_VARS Thai_LIBRARY Thai_INCLUDE_DIR)

if(Thai_FOUND AND NOT TARGET Thai::Thai)
    add_library(Thai::Thai UNKNOWN IMPORTED)
    set_target_properties(Thai::Thai PROPERTIES
        IMPORTED_LOCATION ${Thai_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Thai_INCLUDE_DIR})
endif()
