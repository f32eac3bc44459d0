#include "ingest/focus/focus_import.h"

#include <algorithm>
#include <optional>
#include <thread>

#include "ingest/focus/focus_file.h"
#include "ingest/focus/focus_load.h"
#include "ingest/focus/focus_reader.h"
#include "ingest/focus/nano_cuts.h"

namespace plimsoll {
namespace {

constexpr std::size_t kBlocks = 4;  // one being filled, one being stored, two on their way

// Runs a reader on its own thread for as long as this lives.
class ReaderThread {
 public:
  explicit ReaderThread(FocusReader& reader)
      : exchange_(kBlocks), thread_([this, &reader] { reader.Run(exchange_); }) {}
  ReaderThread(const ReaderThread&) = delete;
  ReaderThread& operator=(const ReaderThread&) = delete;
  ~ReaderThread() { Join(); }

  void Join() {
    if (!thread_.joinable()) return;
    exchange_.Stop();
    thread_.join();
  }

  // Calls `take` for every block. Fails with the first error of it.
  template <class Take>
  Status ForEach(const Take& take) {
    while (std::unique_ptr<FocusBlock> block = exchange_.TakeFull()) {
      PLIMSOLL_RETURN_IF_ERROR(take(*block));
      exchange_.PutEmpty(std::move(block));
    }
    thread_.join();
    return Ok();
  }

 private:
  Exchange exchange_;
  std::thread thread_;
};

// Bills whose costs have at most nine decimals are read and stored in one go. At the first
// cost with more, that attempt is rolled back and the rest of the files is read for the rests
// alone; with the cut through them known, everything is read again and stored, rounded.
class FocusImport {
 public:
  FocusImport(Store& store, const FocusOptions& options, const FocusFiles& files)
      : store_(store), options_(options), files_(files) {}

  Result<ImportReport> Run() {
    FocusReader first(options_, files_.files(), nullptr);
    PLIMSOLL_TRY(const bool is_stored, RunFirst(first));
    if (is_stored) return std::move(report_);
    ScopeBook book = first.book();
    if (options_.partial) PLIMSOLL_RETURN_IF_ERROR(AddKeptCosts(store_, book));
    PLIMSOLL_TRY(const NanoCuts cuts, rests_->FindCuts(book));
    rests_.reset();
    FocusReader second(options_, files_.files(), &cuts);
    PLIMSOLL_RETURN_IF_ERROR(RunSecond(second));
    return std::move(report_);
  }

 private:
  // True if everything is stored, false if only the rests were gathered.
  Result<bool> RunFirst(FocusReader& reader) {
    PLIMSOLL_TRY(FocusLoad begun, FocusLoad::Begin(store_, options_));
    std::optional<FocusLoad> load(std::move(begun));
    ReaderThread thread(reader);
    const Status read = thread.ForEach([&](FocusBlock& block) -> Status {
      Report("reading the bill", block);
      if (!block.charges_left_out) return load->Take(block);
      if (load) {
        load.reset();
        rests_.emplace(store_);
        PLIMSOLL_RETURN_IF_ERROR(rests_->Begin());
      }
      return rests_->Append(block.rests);
    });
    PLIMSOLL_RETURN_IF_ERROR(read);
    PLIMSOLL_RETURN_IF_ERROR(reader.status());
    if (!load) return false;
    PLIMSOLL_RETURN_IF_ERROR(Finish(*load, reader));
    return true;
  }

  Status RunSecond(FocusReader& reader) {
    PLIMSOLL_TRY(FocusLoad load, FocusLoad::Begin(store_, options_));
    ReaderThread thread(reader);
    PLIMSOLL_RETURN_IF_ERROR(thread.ForEach([&](FocusBlock& block) {
      Report("storing the bill", block);
      return load.Take(block);
    }));
    PLIMSOLL_RETURN_IF_ERROR(reader.status());
    return Finish(load, reader);
  }

  Status Finish(FocusLoad& load, const FocusReader& reader) {
    report_.kind = "focus";
    report_.duplicates = files_.duplicates();
    report_.warnings = files_.warnings();
    report_.warnings.insert(report_.warnings.end(), reader.warnings().begin(),
                            reader.warnings().end());
    report_.ignored.assign(reader.ignored().begin(), reader.ignored().end());
    return load.Finish(reader.book(), report_);
  }

  void Report(std::string_view what, const FocusBlock& block) const {
    // Of packed files more bytes are read than there are on disk: their total is unknown.
    if (!options_.progress) return;
    const std::int64_t total = files_.bytes();
    options_.progress(what, block.bytes, block.bytes <= total ? total : 0);
  }

  Store& store_;
  const FocusOptions& options_;
  const FocusFiles& files_;
  std::optional<RestTables> rests_;
  ImportReport report_;
};

}  // namespace

Result<ImportReport> ImportFocus(Store& store, const FocusOptions& options) {
  PLIMSOLL_TRY(const FocusFiles files, FocusFiles::Open(options));
  return FocusImport(store, options, files).Run();
}

}  // namespace plimsoll
