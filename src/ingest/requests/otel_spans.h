// OtelSpans: GenAI spans of one file in OTLP JSON as requests.
//
// A gateway, a client and an engine may all write a span of one request; the outermost counts,
// as it saw what the user saw, and takes the engine's phase times from within. So the spans of
// a file are held until its end. Spans of agents and tools are no requests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ingest/requests/json_value.h"
#include "ingest/requests/request_sink.h"

namespace plimsoll {

class OtelSpans {
 public:
  // One export: {"resourceSpans": [...]}.
  void Add(const JsonValue& exported, std::int64_t line);

  // Puts out the requests. Inner spans are ignored by name.
  Status Finish(RequestOutput& output, RequestDraft& draft);

 private:
  struct Value {
    RequestFieldSpec spec;
    std::string text;
  };
  struct Span {
    std::string id, parent;  // trace and span
    std::string service;
    std::vector<Value> values;  // of a request
    bool is_request = false;
    std::int64_t line = 0;
  };
  void AddSpan(const JsonValue& span, const std::string& service, std::int64_t line);
  // The outermost request around span `i`, itself if there is none; `of` has spans by id.
  std::size_t OutermostOf(std::size_t i, const std::map<std::string, std::size_t>& of) const;

  std::vector<Span> spans_;
};

}  // namespace plimsoll
