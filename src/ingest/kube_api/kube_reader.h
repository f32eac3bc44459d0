// KubeReader: one collection of the API, listed and then watched.
//
// List reads all pages of one moment. Watch goes on from there: it is resumed after every break
// from the last event or bookmark that came whole; where the server no longer has what came
// after it (410 Gone), the collection is listed again, and what is not in that list any more
// went meanwhile. So after any breaks the reader has what a fresh list has. It sends GET only.
// Used from one thread.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "base/result.h"
#include "ingest/http/http_transport.h"
#include "ingest/kube_api/kube_access.h"
#include "ingest/kube_api/kube_resources.h"

namespace plimsoll {

// One sighting of an object. `gone`: it was deleted; the object is the last version of it.
struct KubeSighting {
  Instant at;
  bool gone = false;
};

struct KubeReaderOptions {
  std::int64_t page_size = 500;
  int attempts = 5;                     // of one list request
  Duration watch_piece = Minutes(5);    // asked of the server in one request
  std::function<Instant()> now;         // required
  std::function<void(Duration)> sleep;  // null: the thread sleeps
  std::function<void(const nlohmann::json&, const KubeSighting&)> on_object;  // required
};

enum class KubeOutcome : unsigned char {
  kDone,
  kAbsent,     // the server has no such kind
  kForbidden,  // the credentials may not; `reason` has the rule that is missing
  kFailed,     // `reason`
};

struct KubeEnd {
  KubeOutcome outcome = KubeOutcome::kDone;
  std::string reason;
};

class KubeReader {
 public:
  // Fails if the server's address is none.
  static Result<KubeReader> Open(const KubeAccess& access, const KubeResource& resource,
                                 KubeReaderOptions options);

  KubeEnd List();
  // Until `deadline`. REQUIRES: List() was done. Only a refusal ends it before; breaks do not.
  KubeEnd Watch(Instant deadline);

  // Up to when what was handed over is all there was.
  std::optional<Instant> current_until() const { return current_until_; }
  // What is there now: versions by "namespace/name", as the last list and the events since say.
  std::map<std::string, std::string> Versions() const;

 private:
  // How one piece of a watch ended.
  enum class Piece : unsigned char { kClosed, kExpired, kBroken, kRefused };
  struct Kept {
    std::string uid, version, text;  // text: the object, without managedFields
  };

  KubeReader(const KubeAccess& access, const KubeResource& resource, KubeReaderOptions options,
             HttpTransport transport);
  HttpReply Send(HttpRequest& request);
  HttpReply SendUntilItPasses(HttpRequest& request);
  KubeEnd ListVersion(const char* version);
  struct Listing {
    std::map<std::string, Kept> objects;
    std::string next, version;  // the token of the next page; from where to watch
  };
  KubeEnd TakePage(const std::string& body, Listing& listing);
  void EndMissing(const std::map<std::string, Kept>& listed);
  Piece WatchPiece(Instant deadline, std::string& reason);
  std::optional<Piece> TakeFrame(std::string_view frame, std::string& reason);
  KubeEnd EndOf(const HttpReply& reply) const;
  void Wait(Duration wait) const;
  nlohmann::json Named(nlohmann::json object) const;

  KubeAccess access_;
  const KubeResource* resource_;
  KubeReaderOptions options_;
  HttpTransport transport_;
  const char* version_ = nullptr;  // of the group, that the server has
  std::string resource_version_;   // from where to watch
  std::map<std::string, Kept> objects_;
  std::optional<Instant> current_until_;
};

}  // namespace plimsoll
