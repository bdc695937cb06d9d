# Finds FriBidi, which orders text of mixed directions: the target FriBidi::FriBidi, and FriBidi_FOUND.
# Installed with Filo, for those who link its static libraries.

find_path(FriBidi_INCLUDE_DIR fribidi/fribidi.h)
find_library(FriBidi_LIBRARY fribidi)
mark_as_advanced(FriBidi_INCLUDE_DIR FriBidi_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FriBidi REQUIRED_VARS FriBidi_LIBRARY FriBidi_INCLUDE_DIR)

if(FriBidi_FOUND AND NOT TARGET FriBidi::FriBidi)
    add_library(FriBidi::FriBidi UNKNOWN IMPORTED)
    set_target_properties(FriBidi::FriBidi PROPERTIES
        IMPORTED_LOCATION ${FriBidi_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${FriBidi_INCLUDE_DIR})
endif()
