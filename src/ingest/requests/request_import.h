// RequestImport: loads request logs into snapshots, one a service and UTC day.
//
// A day is merged with what is there: a request of the same id is one request, and the newest
// load says what it was. A row without an id gets one made of its content and of how many alike
// came before it, so that the same log again, whole or in parts, changes nothing.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "ingest/requests/request_reader.h"
#include "model/import.h"
#include "store/store.h"

namespace plimsoll {

// Snapshots ("requests", service, day). Fails, and changes nothing, as ReadRequests does; with
// kBadData on requests whose clock tells no date: they cannot be placed in a day.
Result<ImportReport> ImportRequests(Store& store, const RequestReaderOptions& options);

}  // namespace plimsoll
