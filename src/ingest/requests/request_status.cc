#include "ingest/requests/request_status.h"

namespace plimsoll {

Symbol RequestStatuses::Of(Symbol told, Symbol error) {
  if (has_last_ && told == last_told_ && error == last_error_) return last_status_;
  has_last_ = true;
  last_told_ = told;
  last_error_ = error;
  return last_status_ = New(told, error);
}

Symbol RequestStatuses::New(Symbol told, Symbol error) {
  const auto [known, is_new] = known_.try_emplace({&told.text(), &error.text()});
  if (!is_new) return known->second;
  RequestRows rows;
  draft_.Begin();
  draft_.SetNs(RequestField::kArrival, 0);
  draft_.Set({"status", RequestField::kStatus}, told.text());
  draft_.Set({"error", RequestField::kError}, error.text());
  if (draft_.Finish(rows)) known->second = rows.batch.status.front();
  return known->second;
}

}  // namespace plimsoll
