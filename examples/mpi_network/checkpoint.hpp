// What a run has summed so far, in a file: after parts 0 to 3 and 6 of eight, the sum of parts 0 to
// 3 and part 6.
#pragma once

#include "ordered_sum.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpi_network {

/// Sums of one task in one file. A file that was cut short, or is of another task, is refused.
class checkpoint {
public:
    /// task: whatever tells this run from others, such as its plan and the size of a part.
    checkpoint(std::filesystem::path file, std::string_view task, std::size_t values)
        : file_(std::move(file)), task_(std::hash<std::string_view>{}(task)), values_(values) {}

    /// Replaces the file in one step, so that a run that is killed meanwhile leaves the old one.
    void write(const ordered_sum& sums) const {
        const std::filesystem::path next = file_.string() + ".next";
        std::ofstream out(next, std::ios::binary);
        put(out, magic);
        put(out, task_);
        put(out, std::uint64_t{values_});
        put(out, std::uint64_t{sums.waiting().size()});
        for (const auto& [at, values] : sums.waiting()) {
            put(out, at.first);
            put(out, at.second);
            out.write(reinterpret_cast<const char*>(values.data()),
                      static_cast<std::streamsize>(values.size() * sizeof(double)));
        }
        put(out, magic);
        out.close();
        if (!out) {
            throw std::runtime_error("cannot write " + next.string());
        }
        std::filesystem::rename(next, file_);
    }

    /// Adds what the file has; false where there is none.
    bool read(ordered_sum& sums) const {
        std::ifstream in(file_, std::ios::binary);
        if (!in) {
            return false;
        }
        expect(in, magic, "no checkpoint");
        expect(in, task_, "a checkpoint of another task");
        expect(in, std::uint64_t{values_}, "a checkpoint of another task");
        const auto count = get<std::uint64_t>(in);
        std::vector<std::pair<ordered_sum::place, ordered_sum::values>> found;
        for (std::uint64_t i = 0; i < count; ++i) {
            ordered_sum::place at;
            at.first = get<std::uint32_t>(in);
            at.second = get<std::int64_t>(in);
            ordered_sum::values values(values_);
            in.read(reinterpret_cast<char*>(values.data()),
                    static_cast<std::streamsize>(values.size() * sizeof(double)));
            found.emplace_back(at, std::move(values));
        }
        expect(in, magic, "a checkpoint that was cut short");
        for (auto& [at, values] : found) {
            sums.add(at, std::move(values));
        }
        return true;
    }

private:
    static constexpr std::uint64_t magic = 0x31656369'6c732e78;  // "x.slice1"

    template <class Number>
    static void put(std::ostream& out, Number n) {
        out.write(reinterpret_cast<const char*>(&n), sizeof n);
    }
    template <class Number>
    Number get(std::istream& in) const {
        Number n{};
        if (!in.read(reinterpret_cast<char*>(&n), sizeof n)) {
            throw std::runtime_error(file_.string() + " is a checkpoint that was cut short");
        }
        return n;
    }
    template <class Number>
    void expect(std::istream& in, Number wanted, const char* otherwise) const {
        if (get<Number>(in) != wanted) {
            throw std::runtime_error(file_.string() + " is " + otherwise);
        }
    }

    std::filesystem::path file_;
    std::uint64_t task_;
    std::size_t values_;
};

}  // namespace mpi_network
