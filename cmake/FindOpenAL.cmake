# Finds OpenAL, which plays sound: the target OpenAL::OpenAL, and OpenAL_FOUND.
# Installed with Filo, for those who link its static libraries.

find_path(OpenAL_INCLUDE_DIR AL/al.h)
find_library(OpenAL_LIBRARY openal)
mark_as_advanced(OpenAL_INCLUDE_DIR OpenAL_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenAL REQUIRED_VARS OpenAL_LIBRARY OpenAL_INCLUDE_DIR)

if(OpenAL_FOUND AND NOT TARGET OpenAL::OpenAL)
    add_library(OpenAL::OpenAL UNKNOWN IMPORTED)
    set_target_properties(OpenAL::OpenAL PROPERTIES
        IMPORTED_LOCATION ${OpenAL_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${OpenAL_INCLUDE_DIR})
endif()
