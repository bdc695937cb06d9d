# Finds libwebp, which reads WebP pictures: the targets WebP::webp and WebP::webpdemux, and WebP_FOUND.
# Installed with Filo, for those who link its static libraries.

find_path(WebP_INCLUDE_DIR webp/demux.h)
find_library(WebP_webp_LIBRARY webp)
find_library(WebP_webpdemux_LIBRARY webpdemux)
mark_as_advanced(WebP_INCLUDE_DIR WebP_webp_LIBRARY WebP_webpdemux_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(WebP REQUIRED_VARS WebP_webpdemux_LIBRARY WebP_webp_LIBRARY WebP_INCLUDE_DIR)

foreach(library webp webpdemux)
    if(WebP_FOUND AND NOT TARGET WebP::${library})
        add_library(WebP::${library} UNKNOWN IMPORTED)
        set_target_properties(WebP::${library} PROPERTIES
            IMPORTED_LOCATION ${WebP_${library}_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${WebP_INCLUDE_DIR})
    endif()
endforeach()
