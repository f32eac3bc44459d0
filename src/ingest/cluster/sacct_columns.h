// SacctColumns: rows of sacct whose texts hold the delimiter, cut at the right places again.
//
// `sacct -P` escapes nothing: a job name or a constraint "a100|h100" makes two fields of one. The
// fields that are too many belong to columns of free text; those are tried until state, times and
// resources are such.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/slurm/sacct_table.h"

namespace plimsoll {

class SacctColumns {
 public:
  // The header of the table. REQUIRES: `table` outlives the columns
  SacctColumns(std::string_view header, const SacctTable& table);

  using Fields = std::vector<std::string_view>;

  // The row's fields, one a column, views of `line`; null if no cut makes a row of it, or the
  // search for one is out of its budget: some tries a row, and a stock for all rows of the file.
  // `split` is what SacctTable::Split makes of the line, empty for nothing.
  std::optional<Fields> Cut(std::string_view line, Fields split);

 private:
  bool IsSound(const Fields& fields) const;
  // Gives `extra` further pieces to the free texts from the `next`-th on.
  bool Try(const Fields& pieces, std::size_t next, std::size_t extra,
           std::vector<std::size_t>& given, std::int64_t& tries, Fields& fields) const;

  const SacctTable& table_;
  char delimiter_ = '|';
  std::size_t columns_ = 0;
  std::vector<std::size_t> free_texts_;  // columns, in order
  std::int64_t tries_left_;
};

}  // namespace plimsoll
