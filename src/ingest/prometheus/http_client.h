// HttpClient: GET against one Prometheus-compatible server, with retries.
//
// Retries what may pass (no connection, 429, 5xx) after 1, 2, 4... seconds, or what
// Retry-After asks; no jitter, so that a run repeats. Never prints credentials: URLs in
// messages lose user, password and query. Used from one thread.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "ingest/http/http_transport.h"
#include "units/time.h"

namespace plimsoll {

struct HttpOptions {
  std::string url;                // "https://user:password@host:9090/prefix": the API is below it
  std::string token;              // bearer token, or ""
  int attempts = 6;               // of one request
  Duration timeout = Minutes(2);  // of one attempt
  std::size_t body_bytes_max = kHttpBodyBytesMax;
  std::function<void(Duration)> sleep;  // null: the thread sleeps
};

enum class HttpOutcome : unsigned char {
  kOk,
  kTooMuch,  // the answer is too large or takes too long: ask for less
};

struct HttpAnswer {
  HttpOutcome outcome = HttpOutcome::kOk;
  std::string body;    // kOk
  std::string reason;  // kTooMuch: one sentence
};

class HttpClient {
 public:
  // Fails with kInvalidArgument if the URL is not http or https.
  static Result<HttpClient> Open(HttpOptions options);

  using Params = std::vector<std::pair<std::string, std::string>>;
  // Fails with kUnavailable after the last attempt, with kInvalidArgument if the server
  // refuses the request (400, 401, 403, 404...). Both name the URL and a remedy.
  Result<HttpAnswer> Get(const std::string& path, const Params& params);

 private:
  HttpClient(HttpOptions options, HttpTransport transport);
  void Wait(std::int64_t seconds) const;

  HttpOptions options_;
  HttpTransport transport_;
};

}  // namespace plimsoll
