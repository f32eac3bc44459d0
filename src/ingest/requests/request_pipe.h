// RequestPipe: hands requests to a thread of its own, so that reading and adding up overlap.
//
// Blocks change hands by swapping, so that their columns keep their memory. One thread puts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/result.h"
#include "ingest/requests/request_sink.h"

namespace plimsoll {

class RequestPipe {
 public:
  // Calls `take` on the pipe's thread, with every block in order until it fails.
  explicit RequestPipe(TakeRequests take);
  ~RequestPipe();
  RequestPipe(const RequestPipe&) = delete;
  RequestPipe& operator=(const RequestPipe&) = delete;

  // Waits for a free place; `rows` is an earlier block when it returns. Fails as `take` did
  // with a block before.
  Status Put(RequestRows& rows);

  // Waits for the last block. Fails as `take` did.
  Status Finish();

 private:
  void Run(const TakeRequests& take);

  std::mutex mutex_;
  std::condition_variable changed_;
  RequestRows waiting_;
  bool full_ = false;
  bool busy_ = false;
  bool ended_ = false;
  Status status_ = Ok();
  std::thread thread_;
};

}  // namespace plimsoll
