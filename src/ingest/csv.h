// CsvReader: splits CSV (RFC 4180) into rows of fields, a big block of bytes at a time.
//
// Ours and not a library's, because bills of many gigabytes pass through it: fields are views
// into the block, a quoted field is told from an unquoted one (only the latter can be null),
// each row knows its physical line and raw text, and a broken row is handed over with its
// defect instead of ending the file. Memory is one block, whatever the file's size.
// Not for more than one thread.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "base/result.h"

namespace plimsoll {

struct CsvField {
  std::string_view text;  // without quotes, "" inside quotes read as "
  bool quoted = false;
};

enum class CsvDefect : unsigned char { kNone, kQuoteNotClosed, kTextAfterQuote };

// Views are valid until the reader's next call.
struct CsvRow {
  std::vector<CsvField> fields;
  std::int64_t line = 0;  // where the row starts, 1-based, counting every line break
  std::string_view raw;   // as written, without the line break
  CsvDefect defect = CsvDefect::kNone;
};

// Writes up to `size` bytes to `to` and returns how many; 0 only at the end.
using ReadBytes = std::function<Result<std::size_t>(char* to, std::size_t size)>;

struct CsvOptions {
  char delimiter = ',';
  std::size_t block_bytes = 4 * 1024 * 1024;
  std::size_t row_bytes_max = kLineBytesMax;
};

class CsvReader {
 public:
  explicit CsvReader(ReadBytes read, const CsvOptions& options = {});

  // Reads the next row; false at the end. Skips blank lines, and a byte order mark at the
  // start of any row. Lines end with LF or CRLF; the last one may lack it.
  // Fails with kBadData on a row longer than row_bytes_max, or as `read` does.
  Result<bool> Next(CsvRow& row);

 private:
  enum class Scan : unsigned char { kRow, kNeedMore, kEnd };
  Scan ScanRow(CsvRow& row);
  const char* ScanField(const char* at, CsvRow& row);
  const char* ScanQuoted(const char* at, CsvRow& row);
  Status Fill();

  ReadBytes read_;
  CsvOptions options_;
  std::size_t capacity_ = 0;
  std::unique_ptr<char[]> block_;    // capacity_ + kPadding bytes
  std::unique_ptr<char[]> scratch_;  // quoted fields with doubled quotes, undoubled
  char* begin_ = nullptr;            // [begin_, end_) is not read yet
  char* end_ = nullptr;
  char* scratch_at_ = nullptr;
  bool at_end_ = false;  // no more bytes after end_
  std::int64_t line_ = 1;
  std::int64_t row_breaks_ = 0;  // line breaks inside the row's quoted fields
};

}  // namespace plimsoll
