// Writing a file that appears whole or not at all: the bytes of "ij,jk->ik" as a model go to a new
// file beside it, which takes its name when it is complete.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace deinsum {

/// A file under construction. What bears its name already stays as it is until commit(), and is
/// replaced only if it is a regular file that may be written to. Throws error, which names the
/// file.
class output_file {
public:
    explicit output_file(std::filesystem::path name);
    output_file(const output_file&) = delete;
    output_file& operator=(const output_file&) = delete;
    /// Removes what was not committed.
    ~output_file();

    void append(std::string_view bytes);
    /// Gives the file its name. Nothing can be appended any more.
    void commit();

    [[nodiscard]] const std::filesystem::path& name() const { return name_; }
    /// Where the bytes go until commit(), for whoever writes them without append().
    [[nodiscard]] int descriptor() const { return descriptor_; }
    /// Throws error with the reason that errno has, or another.
    [[noreturn]] void fail(int reason) const;

private:
    std::filesystem::path name_;
    std::filesystem::path temporary_{};
    int descriptor_ = -1;
};

}  // namespace deinsum
