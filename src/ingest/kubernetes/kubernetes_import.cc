#include "ingest/kubernetes/kubernetes_import.h"

#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>

#include "ingest/kubernetes/json_items.h"
#include "ingest/kubernetes/kubernetes_load.h"

namespace plimsoll {
namespace {

class FileReader {
 public:
  FileReader(std::string file, KubernetesLoad& load) : file_(std::move(file)), load_(load) {}

  Status Read(std::istream& in) {
    const JsonEnd end = ReadJsonItems(
        in, {[&](const JsonItem& item, const nlohmann::json& object) { Take(item, object); },
             [&](const std::string& path, const std::string& reason) {
               load_.Reject({file_, 0, path, reason, "", ""});
             }});
    if (!refusal_.empty()) return Error{ErrorCode::kBadData, file_ + refusal_};
    if (end.error.empty() && end.documents == 0) {
      return Error{ErrorCode::kBadData,
                   file_ + ": is empty; give the output of 'kubectl get ... -o json'"};
    }
    if (end.error.empty()) return Ok();
    if (end.items == 0) {
      return Error{ErrorCode::kBadData, file_ + ":" + std::to_string(end.line) +
                                            ": is not JSON; give the output of 'kubectl get "
                                            "... -o json' (" +
                                            end.error + ")"};
    }
    load_.Reject({file_, end.line, end.path, "the JSON breaks off here: " + end.error, "", ""});
    return Ok();
  }

 private:
  void Take(const JsonItem& item, const nlohmann::json& object) {
    if (object.is_object() && object.value("kind", nlohmann::json()) == "Status") {
      refusal_ = ": holds no objects but an error of the API server: " +
                 object.value("message", nlohmann::json("no message")).dump();
      return;
    }
    load_.Take(object, {item.list_kind, std::nullopt, false}, file_, item.path);
  }

  std::string file_;
  KubernetesLoad& load_;
  std::string refusal_;  // of the API server
};

Status ReadFile(const std::string& path, KubernetesLoad& load) {
  if (path == "-") return FileReader("standard input", load).Read(std::cin);
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{ErrorCode::kNotFound, path + ": cannot be opened"};
  return FileReader(path, load).Read(file);
}

}  // namespace

Result<ImportReport> ImportKubernetes(Store& store, const KubernetesOptions& options) {
  if (options.cluster.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "Kubernetes objects do not name their cluster; name it with --cluster"};
  }
  KubernetesLoad load(options.cluster, options.catalog, options.progress);
  for (const std::string& path : options.files) {
    PLIMSOLL_RETURN_IF_ERROR(ReadFile(path, load));
  }
  return load.StoreIn(store, options.as_of);
}

}  // namespace plimsoll
