// Memory between two pages that nobody may touch: what reads behind the last element of an operand
// of "ij,jk->ik", masked or not, ends the program in every build, and so does what writes there.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <new>

namespace random_calls {

class guarded_memory {
public:
    /// Pages are taken when they are first written.
    explicit guarded_memory(std::size_t bytes) {
        page_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        size_ = (bytes + page_ - 1) / page_ * page_;
        void* const all = mmap(nullptr, size_ + 2 * page_, PROT_NONE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (all == MAP_FAILED) {
            throw std::bad_alloc();
        }
        begin_ = static_cast<std::byte*>(all) + page_;
        if (mprotect(begin_, size_, PROT_READ | PROT_WRITE) != 0) {
            munmap(all, size_ + 2 * page_);
            throw std::bad_alloc();
        }
    }
    guarded_memory(const guarded_memory&) = delete;
    guarded_memory& operator=(const guarded_memory&) = delete;
    ~guarded_memory() { munmap(begin_ - page_, size_ + 2 * page_); }

    [[nodiscard]] std::byte* begin() const { return begin_; }
    [[nodiscard]] std::byte* end() const { return begin_ + size_; }
    [[nodiscard]] std::size_t size() const { return size_; }

private:
    std::size_t page_ = 0;
    std::size_t size_ = 0;
    std::byte* begin_ = nullptr;
};

}  // namespace random_calls
