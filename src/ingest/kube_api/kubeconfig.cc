#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <optional>

#include "base/limits.h"
#include "ingest/kube_api/kube_access.h"

namespace plimsoll {
namespace {

// A kubeconfig is flat; the parser's stack must not be a matter of the file.
bool NestsTooDeep(const std::string& text) {
  int depth = 0;
  for (const char c : text) {
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > kNestingMax) return true;
  }
  int dashes = 0;  // "- - - -" nests without brackets
  for (const char c : text) {
    if (c == '-' || c == '?' || c == ':') ++dashes;
    if (c != '-' && c != '?' && c != ':' && c != ' ') dashes = 0;
    if (dashes > kNestingMax) return true;
  }
  return false;
}

std::string TextOf(const YAML::Node& map, const char* key) {
  if (!map.IsMap()) return "";
  const YAML::Node value = map[key];
  return value.IsDefined() && value.IsScalar() ? value.Scalar() : "";
}

// The entry `name` of list `list`, which holds it under `key`, and the file it is in.
struct Entry {
  YAML::Node node;
  std::string file;
};

class Kubeconfigs {
 public:
  Status Load(const std::vector<KubeconfigText>& files) {
    for (const KubeconfigText& file : files) {
      if (NestsTooDeep(file.text)) {
        return Error{ErrorCode::kBadData, file.file + ": nests too deep for a kubeconfig"};
      }
      YAML::Node root;
      try {
        root = YAML::Load(file.text);
      } catch (const YAML::Exception& failure) {
        return Error{ErrorCode::kBadData, file.file + ":" + std::to_string(failure.mark.line + 1) +
                                              ": is not YAML: " + failure.msg};
      }
      if (!root.IsMap()) {
        return Error{ErrorCode::kBadData, file.file + ": is no kubeconfig: it holds no mapping"};
      }
      roots_.push_back({root, file.file});
    }
    return Ok();
  }

  std::string CurrentContext() const {
    for (const Entry& root : roots_) {
      if (std::string name = TextOf(root.node, "current-context"); !name.empty()) return name;
    }
    return "";
  }

  // Fails with kBadData, naming those that there are.
  Result<Entry> Find(const char* list, const char* key, const std::string& name) const {
    std::string known;
    for (const Entry& root : roots_) {
      const YAML::Node entries = root.node[list];
      if (!entries.IsDefined() || !entries.IsSequence()) continue;
      for (const YAML::Node& entry : entries) {
        const std::string named = TextOf(entry, "name");
        known += (known.empty() ? "" : ", ") + named;
        if (named != name) continue;
        const YAML::Node value = entry[key];
        if (value.IsDefined() && value.IsMap()) return Entry{value, root.file};
        return Error{ErrorCode::kBadData,
                     root.file + ": " + key + " '" + name + "' holds no mapping"};
      }
    }
    return Error{ErrorCode::kBadData,
                 "kubeconfig: " + std::string(key) + " '" + name + "' is not among its " + list +
                     (known.empty() ? " (there are none)" : " (" + known + ")")};
  }

 private:
  std::vector<Entry> roots_;
};

// A path of the file, from the folder that the file is in.
std::string PathIn(const Entry& entry, const char* key) {
  const std::string path = TextOf(entry.node, key);
  if (path.empty() || path[0] == '/') return path;
  return (std::filesystem::path(entry.file).parent_path() / path).string();
}

Status ReadCluster(const Entry& cluster, KubeContext& context) {
  context.server = TextOf(cluster.node, "server");
  context.tls_server_name = TextOf(cluster.node, "tls-server-name");
  context.proxy = TextOf(cluster.node, "proxy-url");
  context.ca_data = TextOf(cluster.node, "certificate-authority-data");
  context.ca_file = PathIn(cluster, "certificate-authority");
  if (context.server.empty()) {
    return Error{ErrorCode::kBadData,
                 cluster.file + ": cluster '" + context.cluster + "' names no server"};
  }
  if (TextOf(cluster.node, "insecure-skip-tls-verify") == "true") {
    return Error{ErrorCode::kBadData,
                 cluster.file + ": cluster '" + context.cluster +
                     "' turns TLS verification off (insecure-skip-tls-verify), which plimsoll "
                     "does not do; give its certificate-authority"};
  }
  return Ok();
}

Status ReadUser(const Entry& user, KubeContext& context) {
  const std::string who = user.file + ": user '" + context.user + "' ";
  for (const char* program : {"exec", "auth-provider"}) {
    if (!user.node[program].IsDefined()) continue;
    return Error{ErrorCode::kBadData,
                 who + "gets its credentials from another program (" + program +
                     "), and plimsoll starts none; use a service account's token (tokenFile), "
                     "or run 'kubectl proxy' and give a kubeconfig whose server is its address"};
  }
  if (user.node["username"].IsDefined() || user.node["password"].IsDefined()) {
    return Error{ErrorCode::kBadData, who +
                                          "signs in with a password, which API servers no longer "
                                          "take; use a token or a client certificate"};
  }
  if (user.node["as"].IsDefined()) {
    return Error{ErrorCode::kBadData,
                 who +
                     "acts as another user (as), which plimsoll does not do; give that "
                     "user's own credentials"};
  }
  context.token = TextOf(user.node, "token");
  context.token_file = PathIn(user, "tokenFile");
  context.cert_data = TextOf(user.node, "client-certificate-data");
  context.cert_file = PathIn(user, "client-certificate");
  context.key_data = TextOf(user.node, "client-key-data");
  context.key_file = PathIn(user, "client-key");
  return Ok();
}

Result<KubeContext> ReadContext(const std::vector<KubeconfigText>& files, const std::string& name) {
  Kubeconfigs configs;
  PLIMSOLL_RETURN_IF_ERROR(configs.Load(files));
  KubeContext context;
  context.context = name.empty() ? configs.CurrentContext() : name;
  if (context.context.empty()) {
    return Error{ErrorCode::kBadData,
                 "the kubeconfig has no current-context; name one with --context"};
  }
  PLIMSOLL_TRY(const Entry entry, configs.Find("contexts", "context", context.context));
  context.cluster = TextOf(entry.node, "cluster");
  context.user = TextOf(entry.node, "user");
  PLIMSOLL_TRY(const Entry cluster, configs.Find("clusters", "cluster", context.cluster));
  PLIMSOLL_RETURN_IF_ERROR(ReadCluster(cluster, context));
  if (context.user.empty()) return context;  // as 'kubectl proxy' needs none
  PLIMSOLL_TRY(const Entry user, configs.Find("users", "user", context.user));
  PLIMSOLL_RETURN_IF_ERROR(ReadUser(user, context));
  return context;
}

}  // namespace

Result<KubeContext> ParseKubeconfig(const std::vector<KubeconfigText>& files,
                                    const std::string& context) {
  if (files.empty()) return Error{ErrorCode::kNotFound, "there is no kubeconfig"};
  try {
    return ReadContext(files, context);
  } catch (const YAML::Exception& failure) {
    return Error{ErrorCode::kBadData, files[0].file + ": is no kubeconfig: " + failure.msg};
  }
}

}  // namespace plimsoll
