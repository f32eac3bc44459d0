#include "model/import.h"

#include "base/limits.h"

namespace plimsoll {

void Append(RejectionBatch& batch, const Rejection& rejection) {
  batch.snapshot_id.push_back(0);
  batch.file.push_back(rejection.file);
  batch.line.push_back(rejection.line);
  batch.field.push_back(rejection.field);
  batch.reason.push_back(rejection.reason);
  batch.cost.push_back(rejection.cost);
  batch.raw.push_back(rejection.raw.substr(0, kRawBytesMax));
}

}  // namespace plimsoll
