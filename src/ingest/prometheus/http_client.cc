#include "ingest/prometheus/http_client.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

namespace plimsoll {
namespace {

constexpr std::int64_t kWaitMaxSeconds = 60;

// The message of an API error, or the start of whatever else the server says.
std::string MessageOf(const std::string& body) {
  const auto json = nlohmann::json::parse(body, nullptr, false);
  std::string text = body;
  if (json.is_object() && json.contains("error") && json["error"].is_string()) {
    text = json["error"].get<std::string>();
  }
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return text.substr(0, 300);
}

bool SaysTimeout(const std::string& body) {
  const auto json = nlohmann::json::parse(body, nullptr, false);
  return json.is_object() && json.contains("errorType") && json["errorType"] == "timeout";
}

std::string RemedyFor(long status) {
  if (status == 401 || status == 403) return "give a bearer token or credentials that may query";
  if (status == 404) return "check the path: the URL ends before /api/v1";
  if (status >= 300 && status < 400) return "use the address that it redirects to";
  return "check the URL and the label matcher";
}

bool TooMuch(const HttpReply& reply) {
  if (reply.too_large || reply.timed_out) return true;
  if (!reply.failure.empty()) return false;
  return reply.status == 413 || reply.status == 422 || reply.status == 504 || reply.status == 408 ||
         (reply.status == 503 && SaysTimeout(reply.body));
}

std::string Say(const HttpReply& reply) {
  if (!reply.failure.empty()) return reply.failure;
  return "HTTP " + std::to_string(reply.status) + ": " + MessageOf(reply.body);
}

}  // namespace

HttpClient::HttpClient(HttpOptions options, HttpTransport transport)
    : options_(std::move(options)), transport_(std::move(transport)) {}

Result<HttpClient> HttpClient::Open(HttpOptions options) {
  HttpEndpoint endpoint;
  endpoint.url = options.url;
  endpoint.token = options.token;
  PLIMSOLL_TRY(HttpTransport transport, HttpTransport::Open(std::move(endpoint)));
  return HttpClient(std::move(options), std::move(transport));
}

void HttpClient::Wait(std::int64_t seconds) const {
  const Duration wait = Seconds(std::clamp<std::int64_t>(seconds, 0, kWaitMaxSeconds));
  if (options_.sleep) {
    options_.sleep(wait);
  } else {
    std::this_thread::sleep_for(std::chrono::milliseconds(wait.base()));
  }
}

Result<HttpAnswer> HttpClient::Get(const std::string& path, const Params& params) {
  HttpRequest request;
  request.path = path;
  request.params = params;
  request.timeout = options_.timeout;
  request.body_bytes_max = options_.body_bytes_max;
  const std::string shown = transport_.shown() + " (" + path + ")";
  std::string why;
  for (int n = 1; n <= std::max(options_.attempts, 1); ++n) {
    HttpReply reply = transport_.Get(request);
    if (TooMuch(reply)) return HttpAnswer{HttpOutcome::kTooMuch, "", Say(reply)};
    if (reply.ok()) return HttpAnswer{HttpOutcome::kOk, std::move(reply.body), ""};
    why = Say(reply);
    if (reply.failure.empty() && reply.status != 429 && reply.status < 500) {
      return Error{ErrorCode::kInvalidArgument,
                   shown + " refused the request: " + why + "; " + RemedyFor(reply.status)};
    }
    if (reply.is_lasting) break;
    if (n < options_.attempts) {
      Wait(reply.retry_after > 0 ? reply.retry_after : std::int64_t{1} << std::min(n - 1, 6));
    }
  }
  return Error{ErrorCode::kUnavailable,
               shown + " did not answer: " + why +
                   "; check that it runs and can be reached, then run the import again: days "
                   "already loaded are kept"};
}

}  // namespace plimsoll
