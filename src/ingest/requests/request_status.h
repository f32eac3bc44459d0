// RequestStatuses: the status of a request from the words that a source has for it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <utility>

#include "base/symbol.h"
#include "ingest/requests/request_row.h"

namespace plimsoll {

// Words are read where every other format reads them, each pair once.
class RequestStatuses {
 public:
  // ok, error, timeout or cancelled; "" if `told` is a word for none of them.
  Symbol Of(Symbol told, Symbol error);

 private:
  Symbol New(Symbol told, Symbol error);

  std::map<std::pair<const std::string*, const std::string*>, Symbol> known_;
  RequestDraft draft_;
  Symbol last_told_, last_error_, last_status_;
  bool has_last_ = false;
};

}  // namespace plimsoll
