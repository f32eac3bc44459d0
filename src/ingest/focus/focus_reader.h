// FocusReader: reads the files of one import on a thread of its own and hands over blocks.
//
// The reader fills blocks that the loader has emptied, so that texts keep their memory and
// reading overlaps with writing to the store. Two threads, one Exchange between them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "ingest/focus/focus_file.h"
#include "ingest/focus/nano_cuts.h"
#include "ingest/focus/scope_book.h"

namespace plimsoll {

// Rows a block: small enough to stay in the cache between the two threads.
inline constexpr std::size_t kFocusBlockRows = 8'192;

struct FocusBlock {
  ChargeBatch charges;          // `rows` of them; snapshot_id is the scope's number
  std::vector<Hash128> hashes;  // one a charge
  std::size_t rows = 0;
  RejectionBatch rejections;      // snapshot_id is the scope's number, or -1
  RestBatch rests;                // of charges with more than nine decimals
  bool charges_left_out = false;  // a rest was met: from here on only rests are handed over
  std::vector<BillingScope> new_scopes;
  std::int64_t bytes = 0;  // read so far
};

// Blocks on their way: empty ones to the reader, full ones to the loader.
class Exchange {
 public:
  explicit Exchange(std::size_t blocks);

  std::unique_ptr<FocusBlock> TakeEmpty();  // null after Stop
  void PutFull(std::unique_ptr<FocusBlock> block);
  void Finish();  // no more full ones

  std::unique_ptr<FocusBlock> TakeFull();  // null after the last
  void PutEmpty(std::unique_ptr<FocusBlock> block);
  void Stop();  // the loader wants no more

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<FocusBlock>> empty_, full_;
  bool finished_ = false;
  bool stopped_ = false;
};

class FocusReader {
 public:
  // Without `cuts` this is the first reading: charges are handed over until one has more
  // than nine decimals, then only rests. With cuts all charges are, each rounded.
  FocusReader(const FocusOptions& options, const std::vector<FocusFile>& files,
              const NanoCuts* cuts);

  // Reads everything; the thread's body. The other members are for after it.
  void Run(Exchange& exchange);

  const Status& status() const { return status_; }
  const ScopeBook& book() const { return book_; }
  const std::set<std::string>& ignored() const { return ignored_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  std::int64_t accepted() const { return accepted_; }

 private:
  Status ReadFiles(Exchange& exchange);
  Status ReadFile(std::size_t number, Exchange& exchange);
  Result<FocusHeader> ReadHeader(CsvReader& csv, const FocusFile& file, bool* is_empty);
  void Take(const FocusRow& row, std::int64_t place);
  void Refuse(const CsvRow& row, const std::string& file, const RefusedRow& refused);
  void Round(std::size_t scope, const RestKey& key, const CostRests& rests);
  void NoteTags(const FocusRow& row, const std::string& where);
  void NoteScope(std::size_t scope);
  bool IsFull() const;
  bool HandOver(Exchange& exchange);

  const FocusOptions& options_;
  const std::vector<FocusFile>& files_;
  const NanoCuts* cuts_;
  Status status_ = Ok();
  ScopeBook book_;
  ChargeHasher hasher_;
  std::unique_ptr<FocusBlock> block_;
  bool charges_left_out_ = false;
  std::size_t scopes_told_ = 0;
  std::int64_t bytes_ = 0;
  std::int64_t accepted_ = 0;
  std::int64_t bad_tags_ = 0;
  std::string first_bad_tags_;
  std::set<std::string> ignored_;
  std::vector<std::string> warnings_;
};

}  // namespace plimsoll
