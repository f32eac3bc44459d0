#include "ingest/csv.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

namespace plimsoll {
namespace {

constexpr std::size_t kPadding = 32;  // sentinels, and room to load 16 bytes past them
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// The first `a` or `b` at or after `at`. REQUIRES: there is one (the sentinels after the block).
const char* FindEither(const char* at, char a, char b) {
#if defined(__SSE2__)
  const __m128i all_a = _mm_set1_epi8(a);
  const __m128i all_b = _mm_set1_epi8(b);
  for (;; at += sizeof(__m128i)) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i found = _mm_or_si128(_mm_cmpeq_epi8(bytes, all_a), _mm_cmpeq_epi8(bytes, all_b));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(found));
    if (mask != 0) return at + std::countr_zero(mask);
  }
#else
  while (*at != a && *at != b) ++at;
  return at;
#endif
}

std::string_view Between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

bool IsBlank(const CsvRow& row) {
  if (row.fields.size() != 1 || row.fields[0].quoted) return false;
  return row.fields[0].text.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

CsvReader::CsvReader(ReadBytes read, const CsvOptions& options)
    : read_(std::move(read)),
      options_(options),
      capacity_(std::max<std::size_t>(options.block_bytes, 16)),
      block_(std::make_unique<char[]>(capacity_ + kPadding)),
      scratch_(std::make_unique<char[]>(capacity_)),
      begin_(block_.get()),
      end_(block_.get()) {}

// Moves what is left to the front of the block and reads until the block is full.
Status CsvReader::Fill() {
  const auto left = static_cast<std::size_t>(end_ - begin_);
  if (left > options_.row_bytes_max) {
    return Error{ErrorCode::kBadData, "line " + std::to_string(line_) + ": a row of more than " +
                                          std::to_string(options_.row_bytes_max) +
                                          " bytes; probably a quote that is never closed"};
  }
  if (left == capacity_) {
    capacity_ *= 2;
    auto bigger = std::make_unique<char[]>(capacity_ + kPadding);
    std::memcpy(bigger.get(), begin_, left);
    block_ = std::move(bigger);
    scratch_ = std::make_unique<char[]>(capacity_);
  } else {
    std::memmove(block_.get(), begin_, left);
  }
  begin_ = block_.get();
  end_ = begin_ + left;
  while (static_cast<std::size_t>(end_ - begin_) < capacity_) {
    const std::size_t room = capacity_ - static_cast<std::size_t>(end_ - begin_);
    PLIMSOLL_TRY(const std::size_t count, read_(end_, room));
    if (count == 0) {
      at_end_ = true;
      break;
    }
    end_ += count;
  }
  // One sentinel stops the search in an unquoted field, the other one in a quoted field.
  end_[0] = '\n';
  end_[1] = '"';
  return Ok();
}

// Returns the end of the field (a delimiter, a line break or end_), or null if the block ends
// before it is known.
const char* CsvReader::ScanField(const char* at, CsvRow& row) {
  if (at < end_ && *at == '"') return ScanQuoted(at + 1, row);
  const char* const stop = FindEither(at, options_.delimiter, '\n');
  if (stop >= end_) {
    if (!at_end_) return nullptr;
    row.fields.push_back({Between(at, end_), false});
    return end_;
  }
  row.fields.push_back({Between(at, stop), false});
  return stop;
}

const char* CsvReader::ScanQuoted(const char* at, CsvRow& row) {
  char* const copy = scratch_at_;  // of the field, once it holds a doubled quote
  const char* piece = at;          // what is not copied yet
  for (;; ++at) {
    at = FindEither(at, '"', '\n');
    if (at >= end_) {
      if (!at_end_) return nullptr;
      row.defect = CsvDefect::kQuoteNotClosed;
      row.fields.push_back({Between(piece, end_), true});
      return end_;
    }
    if (*at == '\n') {
      ++row_breaks_;
      continue;
    }
    if (at + 1 == end_ && !at_end_) return nullptr;
    if (at + 1 == end_ || at[1] != '"') break;
    ++at;
    scratch_at_ = std::copy(piece, at, scratch_at_);
    piece = at + 1;
  }
  std::string_view text = Between(piece, at);
  if (scratch_at_ != copy) {
    scratch_at_ = std::copy(piece, at, scratch_at_);
    text = Between(copy, scratch_at_);
  }
  row.fields.push_back({text, true});
  // What may follow is blanks and the carriage return of a CRLF.
  const char* const stop = FindEither(at + 1, options_.delimiter, '\n');
  if (stop >= end_ && !at_end_) return nullptr;
  const char* const end = std::min<const char*>(stop, end_);
  if (Between(at + 1, end).find_first_not_of(" \t\r") != std::string_view::npos) {
    row.defect = CsvDefect::kTextAfterQuote;
  }
  return end;
}

CsvReader::Scan CsvReader::ScanRow(CsvRow& row) {
  if (begin_ == end_) return at_end_ ? Scan::kEnd : Scan::kNeedMore;
  row.fields.clear();
  row.line = line_;
  row.defect = CsvDefect::kNone;
  row_breaks_ = 0;
  scratch_at_ = scratch_.get();
  const char* at = begin_;
  if (!at_end_ && static_cast<std::size_t>(end_ - at) < kByteOrderMark.size()) {
    return Scan::kNeedMore;
  }
  if (Between(at, end_).starts_with(kByteOrderMark)) at += kByteOrderMark.size();
  for (;; ++at) {
    at = ScanField(at, row);
    if (at == nullptr) return Scan::kNeedMore;
    if (at == end_ || *at == '\n') break;
  }
  const char* raw_end = at;
  if (raw_end > begin_ && raw_end[-1] == '\r') --raw_end;
  row.raw = Between(begin_, raw_end);
  CsvField& last = row.fields.back();
  if (!last.quoted && last.text.ends_with('\r')) last.text.remove_suffix(1);
  line_ += row_breaks_ + (at == end_ ? 0 : 1);
  begin_ += (at - begin_) + (at == end_ ? 0 : 1);
  return Scan::kRow;
}

Result<bool> CsvReader::Next(CsvRow& row) {
  for (;;) {
    switch (ScanRow(row)) {
      case Scan::kEnd:
        return false;
      case Scan::kNeedMore:
        PLIMSOLL_RETURN_IF_ERROR(Fill());
        break;
      case Scan::kRow:
        if (!IsBlank(row)) return true;
        break;
    }
  }
}

}  // namespace plimsoll
