// Labels by their spelling, for equations with many: in "b l d_in, d_in n -> b l n" they are found
// one by one, among thousands by a hash table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace xeinsum {

/// A hash table of labels, numbered from 0, and whether the output has them.
class label_index {
public:
    /// So many labels are searched as fast one by one.
    static constexpr std::size_t few = 32;

    [[nodiscard]] static std::size_t hash(std::string_view spelling) noexcept {
        return std::hash<std::string_view>()(spelling);
    }
    [[nodiscard]] static std::size_t hash(std::int64_t number) noexcept {
        std::uint64_t h = static_cast<std::uint64_t>(number) * 0x9e3779b97f4a7c15U;
        h ^= h >> 29U;
        return static_cast<std::size_t>(h);
    }

    [[nodiscard]] bool in_use() const noexcept { return !hashes_.empty(); }

    /// The first label with that hash for which is_wanted holds, or none.
    template <class IsWanted>
    [[nodiscard]] std::int32_t find(std::size_t hash, std::int32_t none, IsWanted is_wanted) const {
        for (std::size_t s = hash & mask();; s = (s + 1) & mask()) {
            if (slots_[s] == 0) {
                return none;
            }
            const std::size_t id = slots_[s] - 1;
            if (hashes_[id] == hash && is_wanted(static_cast<std::int32_t>(id))) {
                return static_cast<std::int32_t>(id);
            }
        }
    }

    /// Adds the label with the next number.
    void add(std::size_t hash) {
        hashes_.push_back(hash);
        in_output_.push_back(0);
        if (2 * hashes_.size() > slots_.size()) {
            slots_.assign(slots_.empty() ? 4 * few : 4 * slots_.size(), 0);
            for (std::size_t id = 0; id < hashes_.size(); ++id) {
                place(id);
            }
        } else {
            place(hashes_.size() - 1);
        }
    }

    [[nodiscard]] bool is_in_output(std::int32_t id) const {
        return in_output_[static_cast<std::size_t>(id)] != 0;
    }
    void put_in_output(std::int32_t id) { in_output_[static_cast<std::size_t>(id)] = 1; }

private:
    /// The number of slots is a power of two.
    [[nodiscard]] std::size_t mask() const noexcept { return slots_.size() - 1; }
    void place(std::size_t id) {
        std::size_t s = hashes_[id] & mask();
        while (slots_[s] != 0) {
            s = (s + 1) & mask();
        }
        slots_[s] = id + 1;
    }

    std::vector<std::size_t> hashes_{};     ///< by label
    std::vector<std::size_t> slots_{};      ///< one more than a label, or 0
    std::vector<std::size_t> in_output_{};  ///< by label, 0 or 1
};

}  // namespace xeinsum
