# Outside libraries, each under the name the rooms link. scripts/setup.sh puts third_party/ in place.
set(TIMBRE_THIRD_PARTY ${CMAKE_SOURCE_DIR}/third_party CACHE PATH "What scripts/setup.sh fetched")

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(GTest REQUIRED)
include(GoogleTest)
pkg_check_modules(FFMPEG REQUIRED IMPORTED_TARGET libavformat libavcodec libavutil libswresample)
pkg_check_modules(SOXR REQUIRED IMPORTED_TARGET soxr)
pkg_check_modules(KISSFFT REQUIRED IMPORTED_TARGET kissfft-float)
pkg_check_modules(OPENCC REQUIRED IMPORTED_TARGET opencc)

# oneDNN: the system's when it is new enough, else the fetched one.
find_package(dnnl 3.2 QUIET)
if(NOT TARGET DNNL::dnnl)
  add_library(DNNL::dnnl SHARED IMPORTED)
  set_target_properties(DNNL::dnnl PROPERTIES
    IMPORTED_LOCATION ${TIMBRE_THIRD_PARTY}/onednn/lib/libdnnl.so.3
    INTERFACE_INCLUDE_DIRECTORIES ${TIMBRE_THIRD_PARTY}/onednn/include)
endif()
find_package(OpenMP REQUIRED)

# The WebRTC voice activity detector, from its C sources.
file(GLOB webrtc_vad_sources CONFIGURE_DEPENDS
  ${TIMBRE_THIRD_PARTY}/webrtc_vad/webrtc/common_audio/vad/*.c
  ${TIMBRE_THIRD_PARTY}/webrtc_vad/webrtc/common_audio/signal_processing/*.c)
add_library(webrtc_vad STATIC EXCLUDE_FROM_ALL ${webrtc_vad_sources})
target_include_directories(webrtc_vad SYSTEM PUBLIC ${TIMBRE_THIRD_PARTY}/webrtc_vad)
target_compile_options(webrtc_vad PRIVATE -w)
target_compile_definitions(webrtc_vad PRIVATE WEBRTC_POSIX)
