#include "ingest/focus/focus_reader.h"

#include <algorithm>

#include "store/utf8.h"

namespace plimsoll {
namespace {

constexpr int kLineBits = 40;  // of a place; a file has fewer than 2^40 lines

template <class Batch>
void Resize(Batch& batch, std::size_t rows) {
  std::apply([&](auto... column) { ((batch.*(column.values)).resize(rows), ...); },
             Batch::kColumns);
}

// The front of a refused row, mended and cut between characters.
std::string ShownPart(std::string_view raw) {
  std::string text = ToUtf8(raw.substr(0, kRawBytesMax));
  if (text.size() <= kRawBytesMax) return text;
  std::size_t end = kRawBytesMax;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  text.resize(end);
  return text;
}

std::string At(const std::string& file, std::int64_t line) {
  return file + ":" + std::to_string(line);
}

}  // namespace

Exchange::Exchange(std::size_t blocks) {
  for (std::size_t i = 0; i < blocks; ++i) empty_.push_back(std::make_unique<FocusBlock>());
}

std::unique_ptr<FocusBlock> Exchange::TakeEmpty() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stopped_ || !empty_.empty(); });
  if (stopped_) return nullptr;
  auto block = std::move(empty_.front());
  empty_.pop_front();
  return block;
}

void Exchange::PutFull(std::unique_ptr<FocusBlock> block) {
  const std::lock_guard lock(mutex_);
  full_.push_back(std::move(block));
  changed_.notify_all();
}

void Exchange::Finish() {
  const std::lock_guard lock(mutex_);
  finished_ = true;
  changed_.notify_all();
}

std::unique_ptr<FocusBlock> Exchange::TakeFull() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return finished_ || !full_.empty(); });
  if (full_.empty()) return nullptr;
  auto block = std::move(full_.front());
  full_.pop_front();
  return block;
}

void Exchange::PutEmpty(std::unique_ptr<FocusBlock> block) {
  const std::lock_guard lock(mutex_);
  empty_.push_back(std::move(block));
  changed_.notify_all();
}

void Exchange::Stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

FocusReader::FocusReader(const FocusOptions& options, const std::vector<FocusFile>& files,
                         const NanoCuts* cuts)
    : options_(options), files_(files), cuts_(cuts) {}

void FocusReader::Run(Exchange& exchange) {
  status_ = ReadFiles(exchange);
  exchange.Finish();
}

Status FocusReader::ReadFiles(Exchange& exchange) {
  for (std::size_t number = 0; number < files_.size(); ++number) {
    PLIMSOLL_RETURN_IF_ERROR(ReadFile(number, exchange));
  }
  if (bad_tags_ > 0) {
    warnings_.push_back(std::to_string(bad_tags_) +
                        " rows have tags that cannot be read and count as untagged, first " +
                        first_bad_tags_);
  }
  if (block_ != nullptr) HandOver(exchange);
  return Ok();
}

Result<FocusHeader> FocusReader::ReadHeader(CsvReader& csv, const FocusFile& file, bool* is_empty) {
  CsvRow row;
  PLIMSOLL_TRY(const bool found, csv.Next(row));
  *is_empty = !found;
  if (!found) {
    warnings_.push_back(file.name + ": the file is empty");
    return FocusHeader{};
  }
  if (row.defect != CsvDefect::kNone || !IsUtf8(row.raw)) {
    return Error{ErrorCode::kBadData, At(file.name, row.line) + ": the header is not CSV in UTF-8"};
  }
  PLIMSOLL_TRY(FocusHeader header, ReadFocusHeader(row, file.name, options_.defaults));
  ignored_.insert(header.ignored.begin(), header.ignored.end());
  warnings_.insert(warnings_.end(), header.warnings.begin(), header.warnings.end());
  return header;
}

Status FocusReader::ReadFile(std::size_t number, Exchange& exchange) {
  const FocusFile& file = files_[number];
  PLIMSOLL_TRY(ReadBytes read, ReadFrom(file));
  CsvReader csv([&, read = std::move(read)](char* to, std::size_t size) -> Result<std::size_t> {
    PLIMSOLL_TRY(const std::size_t count, read(to, size));
    bytes_ += static_cast<std::int64_t>(count);
    return count;
  });
  bool is_empty = false;
  PLIMSOLL_TRY(const FocusHeader header, ReadHeader(csv, file, &is_empty));
  if (is_empty) return Ok();
  FocusRowReader rows(header, options_.null_tokens);
  CsvRow csv_row;
  FocusRow row;
  RefusedRow refused;
  for (;;) {
    Result<bool> more = csv.Next(csv_row);
    if (!more) return Error{more.error().code, file.name + ": " + more.error().message};
    if (!*more) return Ok();
    if (block_ == nullptr || IsFull()) {
      if (!HandOver(exchange)) return Ok();
    }
    if (rows.Read(csv_row, row, refused)) {
      const auto place = static_cast<std::int64_t>(number) << kLineBits;
      Take(row, place | csv_row.line);
      if (!row.tags_defect.empty()) NoteTags(row, At(file.name, csv_row.line));
    } else {
      Refuse(csv_row, file.name, refused);
    }
  }
}

bool FocusReader::IsFull() const {
  return block_->rows == kFocusBlockRows ||
         block_->rests.slot.size() >= kChargeCosts * kFocusBlockRows ||
         block_->rejections.line.size() >= kFocusBlockRows;
}

// Puts the current block on its way, if there is one, and takes an empty one. False if the
// loader has stopped.
bool FocusReader::HandOver(Exchange& exchange) {
  if (block_ != nullptr) {
    if (!block_->charges_left_out) {
      Resize(block_->charges, block_->rows);
      block_->hashes.resize(block_->rows);
    }
    block_->bytes = bytes_;
    exchange.PutFull(std::move(block_));
  }
  block_ = exchange.TakeEmpty();
  if (block_ == nullptr) return false;
  block_->rows = 0;
  Resize(block_->charges, kFocusBlockRows);
  block_->hashes.resize(kFocusBlockRows);
  Clear(block_->rejections);
  Clear(block_->rests);
  block_->new_scopes.clear();
  block_->charges_left_out = charges_left_out_;
  return true;
}

// Tells the loader of the scopes up to this one.
void FocusReader::NoteScope(std::size_t scope) {
  for (; scopes_told_ <= scope; ++scopes_told_) {
    block_->new_scopes.push_back(book_.scopes()[scopes_told_].key);
  }
}

void FocusReader::Take(const FocusRow& row, std::int64_t place) {
  const std::int64_t line = place & ((std::int64_t{1} << kLineBits) - 1);
  const std::size_t scope = book_.NumberOf(row);
  const CostRests rests = RestsOf(row);
  NoteScope(scope);
  book_.Add(scope, row, rests);
  ++accepted_;
  WriteCharge(row, line, block_->charges, block_->rows);
  block_->charges.snapshot_id[block_->rows] = static_cast<std::int64_t>(scope);
  const Hash128 hash = hasher_.Hash(block_->charges, block_->rows, rests);
  block_->hashes[block_->rows] = hash;
  const bool is_nano_exact = rests == CostRests{};
  if (!is_nano_exact) {
    Round(scope, {.rest = 0, .hash = static_cast<std::int64_t>(hash.high), .place = place}, rests);
  }
  if (!charges_left_out_) ++block_->rows;
}

// With cuts: raises the costs that get one of the left-over nanos. Without: hands the rests
// over, and no charges from here on.
void FocusReader::Round(std::size_t scope, const RestKey& key, const CostRests& rests) {
  ChargeBatch& charges = block_->charges;
  const std::size_t row = block_->rows;
  for (std::size_t cost = 0; cost < kChargeCosts; ++cost) {
    if (rests[cost] == 0) continue;
    const RestKey with_rest{.rest = rests[cost], .hash = key.hash, .place = key.place};
    const std::int64_t slot = SlotOf(scope, cost);
    if (cuts_ == nullptr) {
      charges_left_out_ = true;
      block_->charges_left_out = true;
      AppendRest(block_->rests, slot, with_rest);
      continue;
    }
    const auto cut = cuts_->find(slot);
    if (cut == cuts_->end() || !with_rest.IsUpTo(cut->second)) continue;
    const Money nano = Money::FromNanos(1);
    if (cost == static_cast<std::size_t>(ChargeCost::kBilled)) charges.billed_cost[row] += nano;
    if (cost == static_cast<std::size_t>(ChargeCost::kEffective)) {
      charges.effective_cost[row] += nano;
    }
    if (cost == static_cast<std::size_t>(ChargeCost::kList)) *charges.list_cost[row] += nano;
    if (cost == static_cast<std::size_t>(ChargeCost::kContracted)) {
      *charges.contracted_cost[row] += nano;
    }
  }
}

void FocusReader::Refuse(const CsvRow& row, const std::string& file, const RefusedRow& refused) {
  const std::int64_t scope = book_.AddRefused(refused);
  if (scope >= 0) NoteScope(static_cast<std::size_t>(scope));
  Append(block_->rejections, {.file = file,
                              .line = row.line,
                              .field = refused.field,
                              .reason = ToUtf8(refused.reason),
                              .cost = refused.billed ? refused.billed->ToString() : "",
                              .raw = ShownPart(row.raw)});
  block_->rejections.snapshot_id.back() = scope;
}

void FocusReader::NoteTags(const FocusRow& row, const std::string& where) {
  if (bad_tags_++ == 0) first_bad_tags_ = where + ": " + std::string(row.tags_defect);
}

}  // namespace plimsoll
