# ONNX as Debian's libonnx-dev has it: target xeinsum_onnx where it is found, with shape inference.

find_package(Protobuf QUIET)
find_path(XEINSUM_ONNX_INCLUDE onnx/onnx_pb.h)
find_library(XEINSUM_ONNX_PROTO onnx_proto)
find_library(XEINSUM_ONNX onnx)
if(CMAKE_CROSSCOMPILING
        OR NOT (Protobuf_FOUND AND XEINSUM_ONNX_INCLUDE AND XEINSUM_ONNX_PROTO AND XEINSUM_ONNX))
    message(STATUS "ONNX not found: install libonnx-dev, libprotobuf-dev and protobuf-compiler, or "
        "set XEINSUM_ONNX_INCLUDE, XEINSUM_ONNX_PROTO and XEINSUM_ONNX")
    return()
endif()
add_library(xeinsum_onnx INTERFACE)
target_include_directories(xeinsum_onnx SYSTEM INTERFACE ${XEINSUM_ONNX_INCLUDE})
# As the library was built.
target_compile_definitions(xeinsum_onnx INTERFACE ONNX_ML=1 ONNX_NAMESPACE=onnx)
target_link_libraries(xeinsum_onnx INTERFACE ${XEINSUM_ONNX} ${XEINSUM_ONNX_PROTO} protobuf::libprotobuf)
