// HttpClient: GET against one Prometheus-compatible server, with retries.
//
// Retries what may pass (no connection, 429, 5xx) after 1, 2, 4... seconds, or what
// Retry-After asks; no jitter, so that a run repeats. Never follows a redirect, never turns
// TLS verification off, and never prints credentials: URLs in messages lose user, password
// and query. Used from one thread.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
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

// The URL without user, password, query and fragment. Text that is no URL gives "(not a URL)".
std::string WithoutCredentials(const std::string& url);

class HttpClient {
 public:
  // Fails with kInvalidArgument if the URL is not http or https.
  static Result<HttpClient> Open(HttpOptions options);
  HttpClient(HttpClient&&) noexcept;
  HttpClient& operator=(HttpClient&&) noexcept;
  ~HttpClient();

  using Params = std::vector<std::pair<std::string, std::string>>;
  // Fails with kUnavailable after the last attempt, with kInvalidArgument if the server
  // refuses the request (400, 401, 403, 404...). Both name the URL and a remedy.
  Result<HttpAnswer> Get(const std::string& path, const Params& params);

 private:
  struct Handle;
  struct Attempt;
  HttpClient(HttpOptions options, std::unique_ptr<Handle> handle);
  Result<std::string> UrlOf(const std::string& path, const Params& params) const;
  Attempt Try(const std::string& url);
  void Wait(std::int64_t seconds) const;

  HttpOptions options_;
  std::unique_ptr<Handle> handle_;
};

}  // namespace plimsoll
