// BusyTime: how long at least one request was in flight, in whole nanoseconds.
//
// The union of [arrival, end) over all requests, the same whatever their order. Requests of a
// busy service overlap, so that few disjoint spans stay; the worst case keeps one a request.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace plimsoll {

class BusyTime {
 public:
  // REQUIRES: begin <= until
  void Add(std::int64_t begin, std::int64_t until) {
    if (begin == until) return;
    // In order of arrival nearly every request goes on from the span before it.
    if (!spans_.empty() && spans_.back().begin <= begin && begin <= spans_.back().until) {
      if (until > spans_.back().until) spans_.back().until = until;
      return;
    }
    spans_.push_back({begin, until});
    if (spans_.size() >= compact_at_) Compact();
  }

  // The length of the union within [begin, until).
  std::int64_t Within(std::int64_t begin, std::int64_t until);

 private:
  struct Span {
    std::int64_t begin, until;
  };
  void Compact();  // sorts, and joins spans that touch

  std::vector<Span> spans_;
  std::size_t compact_at_ = 4'096;
};

}  // namespace plimsoll
