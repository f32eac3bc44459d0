// The columns of a batch in SQL: a query names them, so that a table may gain more.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/column.h"

namespace plimsoll {

// "a, b, c" of Batch::kColumns, in order.
template <class Batch>
std::string ColumnsSql() {
  std::string list;
  const Batch batch;
  for (const ColumnRef& column : RefTo(batch)) {
    list += (list.empty() ? "" : ", ") + std::string(column.name);
  }
  return list;
}

}  // namespace plimsoll
