// The program's operator new and delete; linked into the tests that count, or let one fail.
#include "allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> count{0};
std::atomic<std::size_t> live{0};
std::atomic<std::size_t> fails_at{0};  // a value of count

void* allocate(std::size_t bytes, std::size_t alignment) {
    if (++count == fails_at) {
        throw std::bad_alloc();
    }
    // aligned_alloc wants whole multiples.
    const std::size_t size = (bytes + alignment - 1) / alignment * alignment;
    void* memory = std::aligned_alloc(alignment, size == 0 ? alignment : size);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    ++live;
    return memory;
}

void release(void* memory) {
    live -= memory == nullptr ? 0 : 1;
    std::free(memory);
}

}  // namespace

namespace support {

std::size_t allocations() {
    return count;
}
std::size_t live_allocations() {
    return live;
}

failing_allocation::failing_allocation(std::size_t n) : at_(count + n) {
    fails_at = at_;
}
failing_allocation::~failing_allocation() {
    fails_at = 0;
}
bool failing_allocation::happened() const {
    return count >= at_;
}

}  // namespace support

void* operator new(std::size_t bytes) {
    return allocate(bytes, alignof(std::max_align_t));
}
void* operator new[](std::size_t bytes) {
    return allocate(bytes, alignof(std::max_align_t));
}
// What std::stable_sort asks; a sanitizer would bring its own.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    try {
        return operator new(bytes);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
void* operator new[](std::size_t bytes, const std::nothrow_t& quiet) noexcept {
    return operator new(bytes, quiet);
}
void* operator new(std::size_t bytes, std::align_val_t a) {
    return allocate(bytes, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t bytes, std::align_val_t a) {
    return allocate(bytes, static_cast<std::size_t>(a));
}
void operator delete(void* p) noexcept {
    release(p);
}
void operator delete[](void* p) noexcept {
    release(p);
}
void operator delete(void* p, std::size_t) noexcept {
    release(p);
}
void operator delete[](void* p, std::size_t) noexcept {
    release(p);
}
void operator delete(void* p, std::align_val_t) noexcept {
    release(p);
}
void operator delete[](void* p, std::align_val_t) noexcept {
    release(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
    release(p);
}
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept {
    release(p);
}
