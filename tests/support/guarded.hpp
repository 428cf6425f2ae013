// Memory that ends with its numbers: what reads behind the last column of rhs in "ij,jk->ik" does
// not get away with it, sanitizer or not.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <vector>

namespace support {

/// A copy of numbers, behind which lies a page that nobody may touch.
template <class T>
class guarded {
public:
    explicit guarded(const std::vector<T>& numbers) {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        const std::size_t bytes = numbers.size() * sizeof(T);
        const std::size_t pages = (bytes + page - 1) / page * page;
        size_ = pages + page;
        memory_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory_ == MAP_FAILED) {
            throw std::bad_alloc();
        }
        auto* const begin = static_cast<std::byte*>(memory_);
        numbers_ = reinterpret_cast<T*>(begin + (pages - bytes));
        std::copy(numbers.begin(), numbers.end(), numbers_);
        if (mprotect(begin + pages, page, PROT_NONE) != 0) {
            munmap(memory_, size_);
            throw std::bad_alloc();
        }
    }
    guarded(const guarded&) = delete;
    guarded& operator=(const guarded&) = delete;
    ~guarded() { munmap(memory_, size_); }

    [[nodiscard]] const T* data() const { return numbers_; }

private:
    void* memory_ = nullptr;
    std::size_t size_ = 0;
    T* numbers_ = nullptr;
};

}  // namespace support
