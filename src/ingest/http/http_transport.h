// HttpTransport: one GET at a time against one server, over libcurl; no retries of its own.
//
// Never follows a redirect, never turns TLS verification off, keeps keys in memory only and
// never prints credentials. Used from one thread.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "units/time.h"

namespace plimsoll {

struct HttpEndpoint {
  std::string url;                // "https://host:6443/prefix": every path is below it
  std::string token;              // bearer token, or ""
  std::string ca_pem;             // trusted instead of the system's authorities; "": those
  std::string cert_pem, key_pem;  // of the client, or ""
  std::string tls_server_name;    // in place of the host of the URL, or ""
  std::string proxy;              // "http://proxy:3128", or "": as the environment says
};

struct HttpRequest {
  std::string path;
  std::vector<std::pair<std::string, std::string>> params = {};
  Duration timeout = Minutes(2);  // of the whole transfer
  std::size_t body_bytes_max = kHttpBodyBytesMax;
  // Takes the body of a 200 as it comes, in place of HttpReply::body; false ends the transfer.
  std::function<bool(std::string_view)> on_bytes = nullptr;
};

struct HttpReply {
  long status = 0;               // 0: no answer
  std::string body;              // if gathered
  std::string failure;           // why the transfer did not end well, or ""
  std::int64_t retry_after = 0;  // seconds; 0: not asked
  bool too_large = false;        // the body is larger than allowed
  bool timed_out = false;        // after a connection was made
  bool is_lasting = false;       // trying again cannot help: a certificate, a broken URL

  bool ok() const { return failure.empty() && status == 200; }
};

// The URL without user, password, query and fragment. Text that is no URL gives "(not a URL)".
std::string WithoutCredentials(const std::string& url);

class HttpTransport {
 public:
  // Fails with kInvalidArgument if the URL is not http or https.
  static Result<HttpTransport> Open(HttpEndpoint endpoint);
  HttpTransport(HttpTransport&&) noexcept;
  HttpTransport& operator=(HttpTransport&&) noexcept;
  ~HttpTransport();

  // Of the requests to come.
  void SetToken(const std::string& token);
  HttpReply Get(const HttpRequest& request);
  const std::string& shown() const { return shown_; }  // the URL, for messages

 private:
  struct Handle;
  HttpTransport(HttpEndpoint endpoint, std::unique_ptr<Handle> handle);
  std::string UrlOf(const HttpRequest& request) const;  // "" if it cannot be built
  void SetUp(const HttpRequest& request);

  HttpEndpoint endpoint_;
  std::string shown_;
  std::unique_ptr<Handle> handle_;
};

}  // namespace plimsoll
