// The program's operator new and delete: a block of n bytes is n bytes and, before them, a header
// that remembers n.
#include "memory.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

std::atomic<std::size_t> in_use{0};
std::atomic<std::size_t> peak{0};
std::atomic<std::size_t> calls{0};

/// Bytes before a block: room for its size that keeps the alignment.
std::size_t header(std::size_t alignment) {
    return std::max(alignment, alignof(std::max_align_t));
}

/// Null where there is not so much.
void* try_allocate(std::size_t bytes, std::size_t alignment) noexcept {
    const std::size_t before = header(alignment);
    // aligned_alloc wants whole multiples.
    const std::size_t total = (before + bytes + before - 1) / before * before;
    auto* const memory = static_cast<char*>(std::aligned_alloc(before, total));
    if (total < bytes || memory == nullptr) {
        std::free(memory);
        return nullptr;
    }
    std::memcpy(memory, &bytes, sizeof bytes);
    ++calls;
    const std::size_t now = in_use += bytes;
    std::size_t most = peak;
    while (most < now && !peak.compare_exchange_weak(most, now)) {
    }
    return memory + before;
}

void* allocate(std::size_t bytes, std::size_t alignment) {
    void* const block = try_allocate(bytes, alignment);
    if (block == nullptr) {
        throw std::bad_alloc();
    }
    return block;
}

void release(void* block, std::size_t alignment) {
    if (block == nullptr) {
        return;
    }
    char* const memory = static_cast<char*>(block) - header(alignment);
    std::size_t bytes = 0;
    std::memcpy(&bytes, memory, sizeof bytes);
    in_use -= bytes;
    std::free(memory);
}

}  // namespace

namespace example {

std::size_t bytes_in_use() {
    return in_use;
}
std::size_t allocations() {
    return calls;
}
std::size_t peak_bytes() {
    return peak;
}
void restart_peak() {
    peak = in_use.load();
}

}  // namespace example

void* operator new(std::size_t bytes) {
    return allocate(bytes, alignof(std::max_align_t));
}
void* operator new[](std::size_t bytes) {
    return allocate(bytes, alignof(std::max_align_t));
}
void* operator new(std::size_t bytes, std::align_val_t a) {
    return allocate(bytes, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t bytes, std::align_val_t a) {
    return allocate(bytes, static_cast<std::size_t>(a));
}
// What std::stable_sort and the like call. Those of the library call the ones above, those of a
// sanitizer do not.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    return try_allocate(bytes, alignof(std::max_align_t));
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
    return try_allocate(bytes, alignof(std::max_align_t));
}
void* operator new(std::size_t bytes, std::align_val_t a, const std::nothrow_t&) noexcept {
    return try_allocate(bytes, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t bytes, std::align_val_t a, const std::nothrow_t&) noexcept {
    return try_allocate(bytes, static_cast<std::size_t>(a));
}
void operator delete(void* p) noexcept {
    release(p, alignof(std::max_align_t));
}
void operator delete[](void* p) noexcept {
    release(p, alignof(std::max_align_t));
}
void operator delete(void* p, std::size_t) noexcept {
    release(p, alignof(std::max_align_t));
}
void operator delete[](void* p, std::size_t) noexcept {
    release(p, alignof(std::max_align_t));
}
void operator delete(void* p, std::align_val_t a) noexcept {
    release(p, static_cast<std::size_t>(a));
}
void operator delete[](void* p, std::align_val_t a) noexcept {
    release(p, static_cast<std::size_t>(a));
}
void operator delete(void* p, std::size_t, std::align_val_t a) noexcept {
    release(p, static_cast<std::size_t>(a));
}
void operator delete[](void* p, std::size_t, std::align_val_t a) noexcept {
    release(p, static_cast<std::size_t>(a));
}
