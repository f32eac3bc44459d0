#include "ingest/requests/request_pipe.h"

#include <utility>

namespace plimsoll {
namespace {

// The vectors themselves stay where they are: a store may fill them by their addresses.
void SwapRows(RequestRows& a, RequestRows& b) {
  std::apply(
      [&](auto... column) { ((a.batch.*(column.values)).swap(b.batch.*(column.values)), ...); },
      RequestBatch::kColumns);
  a.rest_ns.swap(b.rest_ns);
}

}  // namespace

RequestPipe::RequestPipe(TakeRequests take)
    : thread_([this, take = std::move(take)] { Run(take); }) {}

RequestPipe::~RequestPipe() { static_cast<void>(Finish()); }

void RequestPipe::Run(const TakeRequests& take) {
  RequestRows rows;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      busy_ = false;
      changed_.notify_all();
      changed_.wait(lock, [&] { return full_ || ended_; });
      if (!full_) return;
      SwapRows(rows, waiting_);
      full_ = false;
      busy_ = true;
      changed_.notify_all();
      if (!status_) continue;
    }
    Status taken = take(rows);
    if (taken) continue;
    const std::lock_guard lock(mutex_);
    status_ = std::move(taken);
  }
}

Status RequestPipe::Put(RequestRows& rows) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !full_; });
  if (!status_) return status_;
  SwapRows(rows, waiting_);
  full_ = true;
  changed_.notify_all();
  return Ok();
}

Status RequestPipe::Finish() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !full_ && !busy_; });
    ended_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
  return status_;
}

}  // namespace plimsoll
