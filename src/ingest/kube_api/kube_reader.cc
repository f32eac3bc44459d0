#include "ingest/kube_api/kube_reader.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "ingest/kube_api/watch_frames.h"

namespace plimsoll {
namespace {

using nlohmann::json;

constexpr std::int64_t kWaitMaxSeconds = 30;
constexpr int kPagesMax = 100'000;
constexpr int kRestartsMax = 3;  // of a list whose pages expired

std::string TextAt(const json& object, const char* section, const char* key) {
  if (!object.is_object()) return "";
  const auto at = object.find(section);
  if (at == object.end() || !at->is_object()) return "";
  const auto value = at->find(key);
  return value != at->end() && value->is_string() ? value->get<std::string>() : "";
}

std::string KeyOf(const json& object) {
  return TextAt(object, "metadata", "namespace") + "/" + TextAt(object, "metadata", "name");
}

std::int64_t CodeOf(const json& status) {
  const auto code = status.is_object() ? status.find("code") : status.end();
  return status.is_object() && code != status.end() && code->is_number_integer()
             ? code->get<std::int64_t>()
             : 0;
}

// The message of an API error, or the start of whatever else the server says.
std::string MessageOf(const std::string& body) {
  std::string text = body;
  const auto status = ParseShallowJson(body);
  if (status && status->is_object() && status->contains("message") &&
      (*status)["message"].is_string()) {
    text = (*status)["message"].get<std::string>();
  }
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return text.substr(0, 300);
}

// managedFields is half of an object and says nothing of it.
json WithoutManagedFields(json object) {
  const auto metadata = object.find("metadata");
  if (metadata != object.end() && metadata->is_object()) metadata->erase("managedFields");
  return object;
}

std::string Dump(const json& object) {
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::int64_t Backoff(int n) { return std::int64_t{1} << std::min(n, 5); }

}  // namespace

KubeReader::KubeReader(const KubeAccess& access, const KubeResource& resource,
                       KubeReaderOptions options, HttpTransport transport)
    : access_(access),
      resource_(&resource),
      options_(std::move(options)),
      transport_(std::move(transport)) {}

Result<KubeReader> KubeReader::Open(const KubeAccess& access, const KubeResource& resource,
                                    KubeReaderOptions options) {
  PLIMSOLL_TRY(HttpTransport transport, HttpTransport::Open(access.endpoint));
  return KubeReader(access, resource, std::move(options), std::move(transport));
}

void KubeReader::Wait(Duration wait) const {
  const Duration capped = std::clamp(wait, Millis(0), Seconds(kWaitMaxSeconds));
  if (options_.sleep) {
    options_.sleep(capped);
  } else {
    std::this_thread::sleep_for(std::chrono::milliseconds(capped.base()));
  }
}

HttpReply KubeReader::Send(HttpRequest& request) {
  if (!access_.token_file.empty()) {
    const auto token = ReadSmallFile(access_.token_file);
    if (token) transport_.SetToken(*token);
  }
  return transport_.Get(request);
}

// A request of a list: again after what may pass.
HttpReply KubeReader::SendUntilItPasses(HttpRequest& request) {
  HttpReply reply;
  for (int n = 0; n < std::max(options_.attempts, 1); ++n) {
    if (n > 0) Wait(Seconds(reply.retry_after > 0 ? reply.retry_after : Backoff(n - 1)));
    reply = Send(request);
    if (reply.too_large) return reply;
    const bool may_pass = !reply.failure.empty() || reply.status == 429 || reply.status >= 500;
    if (!may_pass || reply.is_lasting) return reply;
  }
  return reply;
}

KubeEnd KubeReader::EndOf(const HttpReply& reply) const {
  const std::string where = transport_.shown() + ": " + resource_->plural + ": ";
  if (!reply.failure.empty()) return {KubeOutcome::kFailed, where + reply.failure};
  const std::string said = "HTTP " + std::to_string(reply.status) + ": " + MessageOf(reply.body);
  if (reply.status == 404) return {KubeOutcome::kAbsent, where + said};
  if (reply.status == 403) {
    return {KubeOutcome::kForbidden,
            where + said + "; a ClusterRole must allow " + resource_->RuleFor()};
  }
  if (reply.status == 401) {
    return {KubeOutcome::kFailed, where + said + "; the credentials of context '" +
                                      access_.context +
                                      "' are not known to the server or have expired"};
  }
  return {KubeOutcome::kFailed, where + said};
}

// Items of a list do not always say what they are.
json KubeReader::Named(json object) const {
  if (!object.is_object()) return object;
  if (!object.contains("kind")) object["kind"] = resource_->kind;
  if (!object.contains("apiVersion")) object["apiVersion"] = resource_->ApiVersionOf(version_);
  return object;
}

KubeEnd KubeReader::List() {
  KubeEnd end{KubeOutcome::kAbsent, ""};
  if (version_ != nullptr) return ListVersion(version_);
  for (const char* version : resource_->versions) {
    version_ = version;
    end = ListVersion(version);
    if (end.outcome != KubeOutcome::kAbsent) return end;
  }
  version_ = nullptr;
  return end;
}

KubeEnd KubeReader::ListVersion(const char* version) {
  Listing listing;
  std::int64_t page_size = options_.page_size;
  int restarts = 0;
  for (int page = 0; page < kPagesMax; ++page) {
    HttpRequest request;
    request.path = resource_->PathOf(version);
    request.params.emplace_back("limit", std::to_string(page_size));
    if (!listing.next.empty()) request.params.emplace_back("continue", listing.next);
    const HttpReply reply = SendUntilItPasses(request);
    if (reply.too_large && page_size > 1) {
      page_size = std::max<std::int64_t>(1, page_size / 4);
      continue;
    }
    if (reply.failure.empty() && reply.status == 410 && restarts < kRestartsMax) {
      // The moment of the first page is no more to be had: begin anew.
      ++restarts;
      listing = {};
      continue;
    }
    if (!reply.ok()) return EndOf(reply);
    const KubeEnd taken = TakePage(reply.body, listing);
    if (taken.outcome != KubeOutcome::kDone) return taken;
    if (!listing.next.empty()) continue;
    EndMissing(listing.objects);
    objects_ = std::move(listing.objects);
    resource_version_ = listing.version;
    current_until_ = options_.now();
    return {};
  }
  return {KubeOutcome::kFailed, std::string(resource_->plural) + ": the list has no end"};
}

KubeEnd KubeReader::TakePage(const std::string& body, Listing& listing) {
  const std::string where = transport_.shown() + ": " + resource_->plural + ": ";
  const auto list = ParseShallowJson(body);
  if (!list) return {KubeOutcome::kFailed, where + list.error().message};
  const auto items = list->is_object() ? list->find("items") : list->end();
  const bool has_items = list->is_object() && items != list->end();
  if (!list->is_object() || (has_items && !items->is_array() && !items->is_null())) {
    return {KubeOutcome::kFailed, where + "the answer is no list of objects"};
  }
  listing.next = TextAt(*list, "metadata", "continue");
  listing.version = TextAt(*list, "metadata", "resourceVersion");
  if (!has_items || items->is_null()) return {};
  const KubeSighting sighting{options_.now(), false};
  for (const json& item : *items) {
    const json object = Named(WithoutManagedFields(item));
    options_.on_object(object, sighting);
    listing.objects[KeyOf(object)] = {TextAt(object, "metadata", "uid"),
                                      TextAt(object, "metadata", "resourceVersion"), Dump(object)};
  }
  return {};
}

// What was there and is not in a new list went in between: when it was last known to be there.
void KubeReader::EndMissing(const std::map<std::string, Kept>& listed) {
  if (!current_until_) return;
  for (const auto& [key, kept] : objects_) {
    const auto now = listed.find(key);
    if (now != listed.end() && now->second.uid == kept.uid) continue;
    const auto object = ParseShallowJson(kept.text);
    if (object) options_.on_object(*object, {*current_until_, true});
  }
}

// Takes one event; how the piece ends if it does.
std::optional<KubeReader::Piece> KubeReader::TakeFrame(std::string_view frame,
                                                       std::string& reason) {
  const auto event = ParseShallowJson(frame);
  const auto object = event && event->is_object() ? event->find("object") : json::const_iterator();
  if (!event || !event->is_object() || object == event->end() || !object->is_object()) {
    reason = "the watch sent something that is no event";
    return Piece::kBroken;
  }
  const auto type_at = event->find("type");
  const std::string type =
      type_at != event->end() && type_at->is_string() ? type_at->get<std::string>() : std::string();
  if (type == "ERROR") {
    reason = MessageOf(Dump(*object));
    return CodeOf(*object) == 410 ? Piece::kExpired : Piece::kBroken;
  }
  const std::string version = TextAt(*object, "metadata", "resourceVersion");
  current_until_ = options_.now();
  if (type == "ADDED" || type == "MODIFIED" || type == "DELETED") {
    const json named = Named(WithoutManagedFields(*object));
    const bool gone = type == "DELETED";
    options_.on_object(named, {*current_until_, gone});
    if (gone) {
      objects_.erase(KeyOf(named));
    } else {
      objects_[KeyOf(named)] = {TextAt(named, "metadata", "uid"), version, Dump(named)};
    }
  } else if (type != "BOOKMARK") {
    reason = "the watch sent an event of unknown type '" + type.substr(0, 40) + "'";
    return Piece::kBroken;
  }
  if (!version.empty()) resource_version_ = version;
  return std::nullopt;
}

KubeReader::Piece KubeReader::WatchPiece(Instant deadline, std::string& reason) {
  const Duration left = Between(options_.now(), deadline);
  const std::int64_t seconds =
      std::max<std::int64_t>(1, std::min(left, options_.watch_piece).base() / 1'000);
  HttpRequest request;
  request.path = resource_->PathOf(version_);
  request.params = {{"watch", "1"},
                    {"allowWatchBookmarks", "true"},
                    {"resourceVersion", resource_version_},
                    {"timeoutSeconds", std::to_string(seconds)}};
  // The server ends the piece; one that has died does not.
  request.timeout = Seconds(seconds) + std::min(Seconds(10), std::max(left, Seconds(1)));
  FrameSplitter splitter;
  std::optional<Piece> ended;
  request.on_bytes = [&](std::string_view bytes) {
    const bool goes_on = splitter.Feed(bytes, [&](std::string_view frame) {
      ended = TakeFrame(frame, reason);
      return !ended.has_value();
    });
    return goes_on;
  };
  const HttpReply reply = Send(request);
  if (ended) return *ended;
  if (!splitter.error().empty()) {
    reason = splitter.error();
    return Piece::kBroken;
  }
  if (reply.failure.empty() && reply.status == 410) return Piece::kExpired;
  if (reply.failure.empty() && (reply.status == 403 || reply.status == 404)) {
    reason = EndOf(reply).reason;
    return Piece::kRefused;
  }
  if (!reply.ok() || splitter.is_within()) {
    reason = reply.ok() ? "the connection broke off in an event" : EndOf(reply).reason;
    return Piece::kBroken;
  }
  current_until_ = options_.now();
  return Piece::kClosed;
}

KubeEnd KubeReader::Watch(Instant deadline) {
  int breaks = 0;  // in a row, without an event between them
  while (options_.now() < deadline) {
    const std::string before = resource_version_;
    const Instant began = options_.now();
    std::string reason;
    const Piece piece = WatchPiece(deadline, reason);
    if (piece == Piece::kRefused) return {KubeOutcome::kForbidden, reason};
    if (piece == Piece::kExpired) {
      const KubeEnd listed = List();
      if (listed.outcome == KubeOutcome::kForbidden) return listed;
      breaks = listed.outcome == KubeOutcome::kDone ? 0 : breaks + 1;
    } else if (piece == Piece::kBroken || Between(began, options_.now()) < Seconds(1)) {
      // A server that closes at once is not asked at once again.
      breaks = resource_version_ == before ? breaks + 1 : 0;
    } else {
      breaks = 0;
    }
    if (breaks == 0) continue;
    const Duration left = Between(options_.now(), deadline);
    Wait(std::min(Seconds(Backoff(breaks - 1)), std::max(left, Millis(0))));
  }
  return {};
}

std::map<std::string, std::string> KubeReader::Versions() const {
  std::map<std::string, std::string> versions;
  for (const auto& [key, kept] : objects_) versions[key] = kept.version;
  return versions;
}

}  // namespace plimsoll
