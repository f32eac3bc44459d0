// FocusFiles: the files of one import, each as CSV bytes that can be read more than once.
//
// What a file is, its first bytes say, never its name: CSV, gzip of CSV, or Parquet.
// Standard input, pipes and Parquet go through a private temporary folder, removed at the end.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "ingest/csv.h"
#include "ingest/focus/focus_import.h"

namespace plimsoll {

struct FocusFile {
  std::string name;            // as the user gave it, for messages
  std::filesystem::path path;  // to read
  std::int64_t bytes = 0;      // on disk
};

// A folder of ours under the system's temporary folder, removed with its content.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> Make();
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;  // empty once moved from
};

class FocusFiles {
 public:
  // Finds the files of `options.files`: a folder stands for the .csv, .csv.gz and .parquet
  // files under it by name order, an export's .json manifest is skipped, a file with the
  // same content as an earlier one is skipped. Both are warnings.
  // Fails with kNotFound or kUnavailable if a file cannot be read, kBadData if it is neither
  // CSV, gzip nor Parquet.
  static Result<FocusFiles> Open(const FocusOptions& options);

  const std::vector<FocusFile>& files() const { return files_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  std::int64_t duplicates() const { return duplicates_; }
  std::int64_t bytes() const;

 private:
  explicit FocusFiles(TemporaryFolder folder) : folder_(std::move(folder)) {}
  Status Add(const std::string& name, const FocusOptions& options);
  Status AddFile(const std::string& name, const FocusOptions& options);
  Status Spool(int pipe, FocusFile& file) const;
  Status ConvertParquet(const FocusOptions& options, FocusFile& file) const;
  Status DropDuplicates();

  TemporaryFolder folder_;
  std::vector<FocusFile> files_;
  std::vector<std::string> warnings_;
  std::int64_t duplicates_ = 0;
};

// The file's bytes from its start, unpacked if it is gzip. Fails with kUnavailable.
Result<ReadBytes> ReadFrom(const FocusFile& file);

}  // namespace plimsoll
