#include "ingest/prometheus/http_client.h"

#include <curl/curl.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

namespace plimsoll {
namespace {

constexpr std::int64_t kWaitMaxSeconds = 60;
constexpr const char* kUserAgent = "plimsoll/0.1";

struct UrlPart {
  explicit UrlPart(CURLU* from, CURLUPart part) { curl_url_get(from, part, &text, 0); }
  UrlPart(const UrlPart&) = delete;
  UrlPart& operator=(const UrlPart&) = delete;
  ~UrlPart() { curl_free(text); }
  std::string str() const { return text == nullptr ? "" : text; }
  char* text = nullptr;
};

using UrlPtr = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;
UrlPtr ParseUrl(const std::string& url) {
  UrlPtr parsed(curl_url(), &curl_url_cleanup);
  if (curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) parsed.reset();
  return parsed;
}

struct Body {
  std::string text;
  std::size_t max = 0;
  bool too_large = false;
};

std::size_t OnBytes(char* bytes, std::size_t size, std::size_t count, void* target) {
  Body& body = *static_cast<Body*>(target);
  if (body.text.size() + size * count > body.max) {
    body.too_large = true;
    return 0;  // ends the transfer
  }
  body.text.append(bytes, size * count);
  return size * count;
}

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

}  // namespace

std::string WithoutCredentials(const std::string& url) {
  const UrlPtr parsed = ParseUrl(url);
  if (!parsed) return "(not a URL)";
  for (const CURLUPart part :
       {CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_QUERY, CURLUPART_FRAGMENT}) {
    curl_url_set(parsed.get(), part, nullptr, 0);
  }
  return UrlPart(parsed.get(), CURLUPART_URL).str();
}

struct HttpClient::Handle {
  CURL* easy = nullptr;
  curl_slist* headers = nullptr;
  std::string shown;  // the base URL, for messages

  Handle() = default;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    curl_slist_free_all(headers);
    curl_easy_cleanup(easy);
  }
};

struct HttpClient::Attempt {
  CURLcode code = CURLE_OK;
  long status = 0;
  std::int64_t retry_after = 0;  // seconds; 0: not asked
  Body body;

  bool too_much() const {
    if (body.too_large || code == CURLE_OPERATION_TIMEDOUT) return true;
    if (code != CURLE_OK) return false;
    return status == 413 || status == 422 || status == 504 || status == 408 ||
           (status == 503 && SaysTimeout(body.text));
  }
  bool may_pass() const { return code != CURLE_OK || status == 429 || status >= 500; }
  bool is_lasting() const {  // trying again cannot help
    return code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE ||
           code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_URL_MALFORMAT;
  }
  std::string Say() const {
    if (body.too_large) return "the answer is larger than " + std::to_string(body.max) + " bytes";
    if (code != CURLE_OK) return curl_easy_strerror(code);
    return "HTTP " + std::to_string(status) + ": " + MessageOf(body.text);
  }
};

HttpClient::HttpClient(HttpOptions options, std::unique_ptr<Handle> handle)
    : options_(std::move(options)), handle_(std::move(handle)) {}
HttpClient::HttpClient(HttpClient&&) noexcept = default;
HttpClient& HttpClient::operator=(HttpClient&&) noexcept = default;
HttpClient::~HttpClient() = default;

Result<HttpClient> HttpClient::Open(HttpOptions options) {
  static const CURLcode global = curl_global_init(CURL_GLOBAL_DEFAULT);
  const UrlPtr parsed = ParseUrl(options.url);
  const std::string scheme = parsed ? UrlPart(parsed.get(), CURLUPART_SCHEME).str() : "";
  if (scheme != "http" && scheme != "https") {
    return Error{ErrorCode::kInvalidArgument,
                 "the server's address is not an http or https URL: "
                 "write it like https://prometheus.example:9090"};
  }
  auto handle = std::make_unique<Handle>();
  handle->shown = WithoutCredentials(options.url);
  handle->easy = global == CURLE_OK ? curl_easy_init() : nullptr;
  if (handle->easy == nullptr) {
    return Error{ErrorCode::kInternal, "the HTTP library cannot be set up"};
  }
  if (!options.token.empty()) {
    const std::string header = "Authorization: Bearer " + options.token;
    handle->headers = curl_slist_append(handle->headers, header.c_str());
  }
  handle->headers = curl_slist_append(handle->headers, "Accept: application/json");
  return HttpClient(std::move(options), std::move(handle));
}

Result<std::string> HttpClient::UrlOf(const std::string& path, const Params& params) const {
  const UrlPtr url = ParseUrl(options_.url);
  std::string full = UrlPart(url.get(), CURLUPART_PATH).str();
  while (!full.empty() && full.back() == '/') full.pop_back();
  curl_url_set(url.get(), CURLUPART_PATH, (full + path).c_str(), 0);
  for (const auto& [key, value] : params) {
    const std::string pair = key + "=" + value;
    curl_url_set(url.get(), CURLUPART_QUERY, pair.c_str(), CURLU_APPENDQUERY | CURLU_URLENCODE);
  }
  std::string text = UrlPart(url.get(), CURLUPART_URL).str();
  if (text.empty()) return Error{ErrorCode::kInternal, "the URL cannot be built"};
  return text;
}

HttpClient::Attempt HttpClient::Try(const std::string& url) {
  Attempt attempt;
  attempt.body.max = options_.body_bytes_max;
  CURL* easy = handle_->easy;
  curl_easy_reset(easy);
  curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, handle_->headers);
  curl_easy_setopt(easy, CURLOPT_USERAGENT, kUserAgent);
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
  curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, 10L);
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(options_.timeout.base()));
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &OnBytes);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, static_cast<void*>(&attempt.body));
  attempt.code = curl_easy_perform(easy);
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &attempt.status);
  curl_off_t retry_after = 0;
  curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &retry_after);
  attempt.retry_after = retry_after;
  // A connection that was never made is no large answer.
  curl_off_t connected = 0;
  curl_easy_getinfo(easy, CURLINFO_CONNECT_TIME_T, &connected);
  if (attempt.code == CURLE_OPERATION_TIMEDOUT && connected == 0) {
    attempt.code = CURLE_COULDNT_CONNECT;
  }
  return attempt;
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
  PLIMSOLL_TRY(const std::string url, UrlOf(path, params));
  const std::string shown = handle_->shown + " (" + path + ")";
  std::string why;
  for (int n = 1; n <= std::max(options_.attempts, 1); ++n) {
    Attempt attempt = Try(url);
    if (attempt.too_much()) return HttpAnswer{HttpOutcome::kTooMuch, "", attempt.Say()};
    if (attempt.code == CURLE_OK && attempt.status == 200) {
      return HttpAnswer{HttpOutcome::kOk, std::move(attempt.body.text), ""};
    }
    why = attempt.Say();
    if (!attempt.may_pass()) {
      return Error{ErrorCode::kInvalidArgument,
                   shown + " refused the request: " + why + "; " + RemedyFor(attempt.status)};
    }
    if (attempt.is_lasting()) break;
    if (n < options_.attempts) {
      Wait(attempt.retry_after > 0 ? attempt.retry_after : std::int64_t{1} << std::min(n - 1, 6));
    }
  }
  return Error{ErrorCode::kUnavailable,
               shown + " did not answer: " + why +
                   "; check that it runs and can be reached, then run the import again: days "
                   "already loaded are kept"};
}

}  // namespace plimsoll
