#include "output_file.hpp"

#include "scope.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace deinsum {

namespace fs = std::filesystem;

namespace {

/// Why a file of this kind is not to be replaced; null where it is.
const char* objection(fs::file_type type) {
    switch (type) {
        case fs::file_type::regular:
        case fs::file_type::not_found: return nullptr;
        case fs::file_type::directory: return "it is a folder";
        case fs::file_type::symlink: return "it is a symbolic link; name the file it stands for";
        default: return "it is neither a regular file nor a new name";
    }
}

}  // namespace

output_file::output_file(fs::path name) : name_(std::move(name)) {
    std::error_code unknown;
    const fs::file_status old = fs::symlink_status(name_, unknown);
    if (old.type() == fs::file_type::none) {
        fail(unknown.value());
    }
    if (const char* why = name_.has_filename() ? objection(old.type()) : "it is a folder") {
        throw error("cannot write " + name_.string() + ": " + why);
    }
    const bool replaces = old.type() == fs::file_type::regular;
    if (replaces && ::faccessat(AT_FDCWD, name_.c_str(), W_OK, AT_EACCESS) != 0) {
        fail(errno);
    }
    // A name that no other process takes, and that O_EXCL refuses to share or to follow.
    for (int n = 0; descriptor_ < 0; ++n) {
        temporary_ = name_.parent_path() /
                     (".onnx_deinsum-" + std::to_string(::getpid()) + '-' + std::to_string(n));
        descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor_ < 0 && errno != EEXIST) {
            fail(errno);
        }
    }
    if (replaces) {
        ::fchmod(descriptor_, static_cast<mode_t>(old.permissions() & fs::perms::all));
    }
}

output_file::~output_file() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
    if (!temporary_.empty()) {
        ::unlink(temporary_.c_str());
    }
}

void output_file::append(std::string_view bytes) {
    while (!bytes.empty()) {
        const ::ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno != EINTR) {
            fail(errno);
        }
    }
}

void output_file::commit() {
    // Some file systems tell only now that the disk is full. Those that cannot sync say EINVAL.
    if (::fsync(descriptor_) != 0 && errno != EINVAL) {
        fail(errno);
    }
    if (::close(std::exchange(descriptor_, -1)) != 0) {
        fail(errno);
    }
    if (::rename(temporary_.c_str(), name_.c_str()) != 0) {
        fail(errno);
    }
    temporary_.clear();
}

void output_file::fail(int reason) const {
    throw error("cannot write " + name_.string() + ": " + std::strerror(reason));
}

}  // namespace deinsum
