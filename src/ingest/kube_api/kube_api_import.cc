#include "ingest/kube_api/kube_api_import.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>
#include <vector>

#include "ingest/kube_api/kube_reader.h"

namespace plimsoll {
namespace {

std::string Env(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The collections of one session. Watches run in threads of their own and take turns at `load`.
class Session {
 public:
  Session(const KubeApiOptions& options, const KubeAccess& access)
      : options_(options),
        access_(access),
        load_(options.cluster, options.catalog, options.progress) {}

  Status List() {
    std::string absent;
    for (const KubeResource& resource : KubeResources()) {
      if (options_.progress) options_.progress(resource.plural, 0, 0);
      PLIMSOLL_TRY(KubeReader reader, KubeReader::Open(access_, resource, ReaderOptions(resource)));
      const KubeEnd end = reader.List();
      if (end.outcome == KubeOutcome::kAbsent && !resource.required) {
        absent += (absent.empty() ? "" : ", ") + std::string(resource.plural);
        complete_.insert(resource.kind);
      } else if (end.outcome != KubeOutcome::kDone) {
        PLIMSOLL_RETURN_IF_ERROR(Refused(resource, end));
      } else {
        complete_.insert(resource.kind);
        readers_.push_back({&resource, std::move(reader), {}});
      }
    }
    if (!absent.empty()) load_.Note("kinds that this server does not have: " + absent);
    return Ok();
  }

  void Watch(Instant deadline) {
    std::vector<std::thread> threads;
    threads.reserve(readers_.size());
    for (Watched& watched : readers_) {
      threads.emplace_back([&watched, deadline] { watched.end = watched.reader.Watch(deadline); });
    }
    for (std::thread& thread : threads) thread.join();
    for (const Watched& watched : readers_) {
      if (watched.end.outcome == KubeOutcome::kDone) continue;
      load_.Warn("changes of " + std::string(watched.resource->plural) +
                 " were not seen: " + watched.end.reason);
    }
  }

  KubeGathering Gather() {
    // Nodes and pods were all seen up to the earlier of the two times.
    std::optional<Instant> as_of = options_.at;
    for (const Watched& watched : readers_) {
      if (options_.at || !watched.resource->required) continue;
      const auto current = watched.reader.current_until();
      as_of = as_of && current ? std::min(*as_of, *current) : current;
    }
    return {std::move(load_), as_of, std::move(complete_)};
  }

 private:
  struct Watched {
    const KubeResource* resource;
    KubeReader reader;
    KubeEnd end;
  };

  KubeReaderOptions ReaderOptions(const KubeResource& resource) {
    KubeReaderOptions reader;
    reader.now = options_.now;
    reader.on_object = [this, &resource](const nlohmann::json& object,
                                         const KubeSighting& sighting) {
      const std::lock_guard lock(mutex_);
      load_.Take(
          object,
          {std::string(resource.kind) + "List", options_.at.value_or(sighting.at), sighting.gone},
          std::string("API ") + resource.plural, PathOf(object));
    };
    return reader;
  }

  static std::string PathOf(const nlohmann::json& object) {
    if (!object.is_object()) return "";
    const auto metadata = object.find("metadata");
    if (metadata == object.end() || !metadata->is_object()) return "";
    const auto text = [&](const char* key) {
      const auto value = metadata->find(key);
      return value != metadata->end() && value->is_string() ? value->get<std::string>() : "";
    };
    return text("namespace") + "/" + text("name");
  }

  // A collection that could not be read: the end of it all if it is needed.
  Status Refused(const KubeResource& resource, const KubeEnd& end) {
    if (!resource.required) {
      load_.Warn("without " + std::string(resource.plural) + ": " + end.reason);
      return Ok();
    }
    if (end.outcome == KubeOutcome::kFailed) return Error{ErrorCode::kUnavailable, end.reason};
    return Error{ErrorCode::kInvalidArgument, end.reason};
  }

  const KubeApiOptions& options_;
  const KubeAccess& access_;
  std::mutex mutex_;
  KubernetesLoad load_;
  std::vector<Watched> readers_;
  std::set<std::string> complete_;
};

}  // namespace

Result<KubeAccess> AccessOf(const KubeApiOptions& options) {
  const std::string host = Env("KUBERNETES_SERVICE_HOST");
  const bool chosen = !options.kubeconfig.empty() || !options.context.empty();
  // Inside a pod and with no kubeconfig named, the pod's own account is meant.
  if (options.in_cluster || (!chosen && !host.empty() && Env("KUBECONFIG").empty())) {
    return InClusterAccess(host, Env("KUBERNETES_SERVICE_PORT"));
  }
  return ReadKubeconfig(options.kubeconfig, options.context);
}

Result<KubeGathering> GatherKubeApi(const KubeApiOptions& options) {
  PLIMSOLL_TRY(const KubeAccess access, AccessOf(options));
  return GatherKubeApi(options, access);
}

Result<KubeGathering> GatherKubeApi(const KubeApiOptions& options, const KubeAccess& access) {
  if (options.cluster.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "the API does not name its cluster; name it with --cluster"};
  }
  const Instant began = options.now();
  Session session(options, access);
  PLIMSOLL_RETURN_IF_ERROR(session.List());
  if (options.watch > Millis(0)) session.Watch(began + options.watch);
  return session.Gather();
}

}  // namespace plimsoll
