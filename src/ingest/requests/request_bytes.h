// RequestBytes: a log's bytes, unpacked if they are gzip, by line or as a stream.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "ingest/csv.h"

namespace plimsoll {

class RequestBytes {
 public:
  enum class Line : unsigned char { kNone, kWhole, kTorn };  // kTorn: no line break at its end

  // Fails with kNotFound or kUnavailable, naming the file. "-" is standard input.
  static Result<RequestBytes> Open(const std::string& path);
  RequestBytes(RequestBytes&&) noexcept;
  RequestBytes& operator=(RequestBytes&&) = delete;
  ~RequestBytes();

  // The front of what is not read yet, without a byte order mark.
  Result<std::string> Peek();
  // Fails with kInvalidArgument if it is one and comes from standard input.
  Result<bool> IsParquet();
  // The first line with text on it, which stays to be read.
  Result<std::string> PeekLine();
  bool IsOneLine() const { return one_line_; }  // after PeekLine: no line break follows it

  // Fails with kBadData on a line above kDocumentBytesMax.
  Result<Line> NextLine(std::string& line);
  // All that is left. Fails with kBadData above kDocumentBytesMax.
  Result<std::string> Whole();
  // For a CsvReader; the object must outlive it.
  ReadBytes AsRead();

  // Says how far the file is read, now and then.
  void Report(const Progress& progress);

 private:
  struct Source;
  explicit RequestBytes(std::unique_ptr<Source> source);
  Result<bool> Fill();  // false at the end
  void SkipMark();
  Error TooLong() const;

  std::unique_ptr<Source> source_;
  std::string buffer_;
  std::size_t at_ = 0;  // of buffer_
  bool at_end_ = false;
  bool one_line_ = false;
  std::int64_t rows_ = 0;
};

// A JSON document, or one line of a log: a load test of a million requests is below it.
inline constexpr std::size_t kDocumentBytesMax = std::size_t{512} * 1024 * 1024;

}  // namespace plimsoll
