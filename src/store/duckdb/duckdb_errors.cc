#include "store/duckdb/duckdb_errors.h"

#include <array>

#include "store/utf8.h"

namespace plimsoll::duck {
namespace {

constexpr std::size_t kSqlShownMax = 200;

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool IsDiskFull(std::string_view message) {
  constexpr std::array<std::string_view, 4> kSigns{"No space left on device", "File too large",
                                                   "Disk quota exceeded",
                                                   "max_temp_directory_size"};
  for (const std::string_view sign : kSigns) {
    if (Contains(message, sign)) return true;
  }
  return false;
}

// The first line: DuckDB adds hints and stack traces below it.
std::string FirstLine(std::string_view message) {
  std::string line = ToUtf8(message.substr(0, message.find('\n')));
  while (!line.empty() && (line.back() == '.' || line.back() == ' ')) line.pop_back();
  return line;
}

// "4711" from "... lock is held in /usr/bin/x (PID 4711) by user ..."; "" if there is none.
std::string PidIn(std::string_view message) {
  constexpr std::string_view kMark = "(PID ";
  const std::size_t at = message.find(kMark);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = message.substr(at + kMark.size());
  return std::string(rest.substr(0, rest.find_first_not_of("0123456789")));
}

Error InUse(std::string_view message, const std::string& path) {
  const std::string pid = PidIn(message);
  return {ErrorCode::kUnavailable, "database " + path + " is in use by " +
                                       (pid.empty() ? "another process" : "process " + pid) +
                                       "; wait until it has finished, or stop it"};
}

}  // namespace

Error StatementError(duckdb_error_type type, std::string_view message, std::string_view database,
                     std::string_view sql) {
  const std::string line = FirstLine(message);
  const std::string where = "database " + std::string(database);
  if (IsDiskFull(message)) {
    return {ErrorCode::kUnavailable, where + " is out of disk space (" + line +
                                         "); nothing was changed: free space and run it again"};
  }
  if (type == DUCKDB_ERROR_OUT_OF_MEMORY) {
    return {ErrorCode::kUnavailable,
            where + " is out of memory (" + line +
                "); nothing was changed: raise the store's memory limit and run it again"};
  }
  if (type == DUCKDB_ERROR_IO || type == DUCKDB_ERROR_FATAL) {
    return {ErrorCode::kUnavailable, where + " cannot be read or written (" + line +
                                         "); nothing was changed: check the disk and run it again"};
  }
  if (type == DUCKDB_ERROR_OUT_OF_RANGE || type == DUCKDB_ERROR_DECIMAL) {
    return {ErrorCode::kOutOfRange, where + ": " + line};
  }
  std::string text = where + ": " + line;
  if (!sql.empty()) text += " in: " + std::string(sql.substr(0, kSqlShownMax));
  return {ErrorCode::kInternal, std::move(text)};
}

Error OpenError(std::string_view message, const std::string& path) {
  if (Contains(message, "lock on file")) return InUse(message, path);
  if (IsDiskFull(message)) {
    return {ErrorCode::kUnavailable, "database " + path + " cannot be opened, the disk is full (" +
                                         FirstLine(message) +
                                         "); nothing was changed: free space and run it again"};
  }
  if (Contains(message, "not a valid DuckDB database file")) {
    return {ErrorCode::kBadData,
            path + " is not a DuckDB database; name another file, or move this one away"};
  }
  if (Contains(message, "Is a directory")) {
    return {ErrorCode::kBadData, path + " is a folder, not a DuckDB database; name a file"};
  }
  if (Contains(message, "Could not read enough bytes") || Contains(message, "orrupt")) {
    return {ErrorCode::kBadData, "database " + path + " is damaged or cut off (" +
                                     FirstLine(message) + "); restore it from a copy"};
  }
  if (Contains(message, "newer version of DuckDB") || Contains(message, "version number")) {
    return {ErrorCode::kFailedPrecondition,
            "database " + path + " was written by another DuckDB version: " + FirstLine(message)};
  }
  if (Contains(message, "No such file or directory")) {
    return {ErrorCode::kNotFound,
            "database " + path + " cannot be created: its folder does not exist; create it first"};
  }
  if (Contains(message, "Permission denied") || Contains(message, "Read-only file system")) {
    return {ErrorCode::kUnavailable, "database " + path + " cannot be opened: " +
                                         FirstLine(message) + "; check the permissions"};
  }
  return {ErrorCode::kUnavailable, "database " + path + " cannot be opened: " + FirstLine(message)};
}

}  // namespace plimsoll::duck
