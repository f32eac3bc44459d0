#include "cli/files.h"

#include <glob.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace plimsoll {
namespace {

Error FileError(const std::string& path, const std::string& verb) {
  const int reason = errno;
  const ErrorCode code =
      reason == ENOENT || reason == ENOTDIR ? ErrorCode::kNotFound : ErrorCode::kUnavailable;
  return {code, "cannot " + verb + " '" + path + "': " + std::strerror(reason)};
}

}  // namespace

Result<std::string> ReadWholeFile(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return FileError(path, "read");
  std::ostringstream text;
  text << file.rdbuf();
  // A folder opens, and fails only now.
  if (file.bad() || (text.fail() && file.peek() != std::ifstream::traits_type::eof())) {
    return FileError(path, "read");
  }
  if (std::filesystem::is_directory(path)) {
    return Error{ErrorCode::kNotFound, "cannot read '" + path + "': it is a folder"};
  }
  return text.str();
}

Status WriteWholeFile(const std::string& path, const std::string& text) {
  std::error_code failed;
  // A device or a pipe stays what it is, and so does a link.
  const auto type = std::filesystem::status(path, failed).type();
  const bool replaces = type == std::filesystem::file_type::regular ||
                        type == std::filesystem::file_type::not_found;
  const auto there = std::filesystem::canonical(path, failed);
  const std::string target = failed ? path : there.string();
  const std::string written =
      replaces ? target + "." + std::to_string(getpid()) + ".new" : target;
  errno = 0;
  std::ofstream file(written, std::ios::binary | std::ios::trunc);
  if (!file) return Error{ErrorCode::kUnavailable, FileError(path, "write").message};
  file << text;
  file.close();
  if (file) {
    if (!replaces) return Ok();
    std::filesystem::rename(written, target, failed);
    if (!failed) return Ok();
    errno = failed.value();
  }
  const Error error{ErrorCode::kUnavailable, FileError(path, "write").message};
  if (replaces) std::filesystem::remove(written, failed);
  return error;
}

bool FileExists(const std::string& path) {
  std::error_code failed;
  return std::filesystem::exists(path, failed);
}

Result<std::vector<std::string>> ExpandFiles(const std::vector<std::string>& patterns) {
  std::vector<std::string> files;
  for (const std::string& pattern : patterns) {
    // A file whose own name holds such a character is itself.
    if (pattern.find_first_of("*?[") == std::string::npos || FileExists(pattern)) {
      files.push_back(pattern);
      continue;
    }
    glob_t found{};
    const int result = glob(pattern.c_str(), 0, nullptr, &found);
    for (std::size_t i = 0; result == 0 && i < found.gl_pathc; ++i) {
      files.emplace_back(found.gl_pathv[i]);
    }
    globfree(&found);
    if (result == GLOB_NOMATCH) {
      return Error{ErrorCode::kNotFound, "no file matches '" + pattern + "'"};
    }
    if (result != 0) {
      return Error{ErrorCode::kUnavailable, "cannot list the files of '" + pattern + "'"};
    }
  }
  return files;
}

}  // namespace plimsoll
