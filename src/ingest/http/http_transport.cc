#include "ingest/http/http_transport.h"

#include <curl/curl.h>

namespace plimsoll {
namespace {

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

// Where the bytes of one answer go.
struct Target {
  CURL* easy = nullptr;
  const HttpRequest* request = nullptr;
  HttpReply* reply = nullptr;
  bool stopped = false;  // by on_bytes
};

std::size_t OnBytes(char* bytes, std::size_t size, std::size_t count, void* to) {
  Target& target = *static_cast<Target*>(to);
  const std::string_view text(bytes, size * count);
  long status = 0;
  curl_easy_getinfo(target.easy, CURLINFO_RESPONSE_CODE, &status);
  if (target.request->on_bytes && status == 200) {
    target.stopped = !target.request->on_bytes(text);
    return target.stopped ? 0 : text.size();
  }
  std::string& body = target.reply->body;
  if (body.size() + text.size() > target.request->body_bytes_max) {
    target.reply->too_large = true;
    return 0;  // ends the transfer
  }
  body.append(text);
  return text.size();
}

void SetBlob(CURL* easy, CURLoption option, const std::string& text) {
  if (text.empty()) return;
  curl_blob blob{};
  blob.data = const_cast<char*>(text.data());  // copied by curl
  blob.len = text.size();
  blob.flags = CURL_BLOB_COPY;
  curl_easy_setopt(easy, option, &blob);
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

struct HttpTransport::Handle {
  CURL* easy = nullptr;
  curl_slist* headers = nullptr;
  curl_slist* connect_to = nullptr;

  Handle() = default;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    curl_slist_free_all(headers);
    curl_slist_free_all(connect_to);
    curl_easy_cleanup(easy);
  }
};

HttpTransport::HttpTransport(HttpEndpoint endpoint, std::unique_ptr<Handle> handle)
    : endpoint_(std::move(endpoint)),
      shown_(WithoutCredentials(endpoint_.url)),
      handle_(std::move(handle)) {}
HttpTransport::HttpTransport(HttpTransport&&) noexcept = default;
HttpTransport& HttpTransport::operator=(HttpTransport&&) noexcept = default;
HttpTransport::~HttpTransport() = default;

Result<HttpTransport> HttpTransport::Open(HttpEndpoint endpoint) {
  static const CURLcode global = curl_global_init(CURL_GLOBAL_DEFAULT);
  const UrlPtr parsed = ParseUrl(endpoint.url);
  const std::string scheme = parsed ? UrlPart(parsed.get(), CURLUPART_SCHEME).str() : "";
  if (scheme != "http" && scheme != "https") {
    return Error{ErrorCode::kInvalidArgument,
                 "the server's address is not an http or https URL: "
                 "write it like https://server.example:9090"};
  }
  auto handle = std::make_unique<Handle>();
  handle->easy = global == CURLE_OK ? curl_easy_init() : nullptr;
  if (handle->easy == nullptr) {
    return Error{ErrorCode::kInternal, "the HTTP library cannot be set up"};
  }
  if (!endpoint.tls_server_name.empty()) {
    // The certificate is checked against the URL's host, so the URL names the host that the
    // certificate does, and the connection goes where it went.
    const std::string to = "::" + UrlPart(parsed.get(), CURLUPART_HOST).str() + ":";
    handle->connect_to = curl_slist_append(nullptr, to.c_str());
  }
  HttpTransport transport(std::move(endpoint), std::move(handle));
  transport.SetToken(transport.endpoint_.token);
  return transport;
}

void HttpTransport::SetToken(const std::string& token) {
  curl_slist_free_all(handle_->headers);
  handle_->headers = nullptr;
  if (!token.empty()) {
    const std::string header = "Authorization: Bearer " + token;
    handle_->headers = curl_slist_append(handle_->headers, header.c_str());
  }
  handle_->headers = curl_slist_append(handle_->headers, "Accept: application/json");
}

std::string HttpTransport::UrlOf(const HttpRequest& request) const {
  const UrlPtr url = ParseUrl(endpoint_.url);
  std::string full = UrlPart(url.get(), CURLUPART_PATH).str();
  while (!full.empty() && full.back() == '/') full.pop_back();
  curl_url_set(url.get(), CURLUPART_PATH, (full + request.path).c_str(), 0);
  if (!endpoint_.tls_server_name.empty()) {
    curl_url_set(url.get(), CURLUPART_HOST, endpoint_.tls_server_name.c_str(), 0);
  }
  for (const auto& [key, value] : request.params) {
    const std::string pair = key + "=" + value;
    curl_url_set(url.get(), CURLUPART_QUERY, pair.c_str(), CURLU_APPENDQUERY | CURLU_URLENCODE);
  }
  return UrlPart(url.get(), CURLUPART_URL).str();
}

void HttpTransport::SetUp(const HttpRequest& request) {
  CURL* easy = handle_->easy;
  curl_easy_reset(easy);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, handle_->headers);
  curl_easy_setopt(easy, CURLOPT_USERAGENT, kUserAgent);
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
  curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, 10L);
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(request.timeout.base()));
  if (handle_->connect_to != nullptr) {
    curl_easy_setopt(easy, CURLOPT_CONNECT_TO, handle_->connect_to);
  }
  if (!endpoint_.proxy.empty()) curl_easy_setopt(easy, CURLOPT_PROXY, endpoint_.proxy.c_str());
  SetBlob(easy, CURLOPT_CAINFO_BLOB, endpoint_.ca_pem);
  SetBlob(easy, CURLOPT_SSLCERT_BLOB, endpoint_.cert_pem);
  SetBlob(easy, CURLOPT_SSLKEY_BLOB, endpoint_.key_pem);
}

HttpReply HttpTransport::Get(const HttpRequest& request) {
  HttpReply reply;
  const std::string url = UrlOf(request);
  if (url.empty()) {
    reply.failure = "the URL cannot be built";
    reply.is_lasting = true;
    return reply;
  }
  SetUp(request);
  CURL* easy = handle_->easy;
  Target target{easy, &request, &reply, false};
  curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &OnBytes);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, static_cast<void*>(&target));
  const CURLcode code = curl_easy_perform(easy);
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &reply.status);
  curl_off_t retry_after = 0;
  curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &retry_after);
  reply.retry_after = retry_after;
  if (reply.too_large) {
    reply.failure =
        "the answer is larger than " + std::to_string(request.body_bytes_max) + " bytes";
  } else if (code != CURLE_OK && !target.stopped) {
    reply.failure = curl_easy_strerror(code);
  }
  // A connection that was never made is no large answer.
  curl_off_t connected = 0;
  curl_easy_getinfo(easy, CURLINFO_CONNECT_TIME_T, &connected);
  reply.timed_out = code == CURLE_OPERATION_TIMEDOUT && connected > 0;
  reply.is_lasting = code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE ||
                     code == CURLE_SSL_CERTPROBLEM || code == CURLE_UNSUPPORTED_PROTOCOL ||
                     code == CURLE_URL_MALFORMAT;
  return reply;
}

}  // namespace plimsoll
