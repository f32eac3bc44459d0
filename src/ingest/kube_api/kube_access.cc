#include "ingest/kube_api/kube_access.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "ingest/base64.h"

namespace plimsoll {
namespace {

constexpr std::size_t kSmallFileMax = 1024 * 1024;

std::string Env(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::vector<std::string> KubeconfigFiles(const std::string& file) {
  if (!file.empty()) return {file};
  std::vector<std::string> files;
  std::istringstream list(Env("KUBECONFIG"));
  for (std::string name; std::getline(list, name, ':');) {
    if (!name.empty()) files.push_back(name);
  }
  if (files.empty()) files.push_back(Env("HOME") + "/.kube/config");
  return files;
}

// The bytes behind a pair of fields, of which the data comes first.
Result<std::string> DataOrFile(const std::string& data, const std::string& file,
                               const std::string& what) {
  if (data.empty()) return file.empty() ? Result<std::string>(std::string()) : ReadSmallFile(file);
  Result<std::string> bytes = DecodeBase64(data);
  if (!bytes) {
    return Error{ErrorCode::kBadData, "kubeconfig: " + what + " " + bytes.error().message};
  }
  return bytes;
}

bool IsLoopback(const std::string& url) {
  for (const char* host : {"http://127.0.0.1", "http://localhost", "http://[::1]"}) {
    if (!url.starts_with(host)) continue;
    const std::string rest = url.substr(std::string(host).size());
    return rest.empty() || rest[0] == ':' || rest[0] == '/';
  }
  return false;
}

Result<KubeAccess> AccessOf(const KubeContext& context) {
  KubeAccess access;
  access.context = context.context;
  access.token_file = context.token_file;
  access.endpoint.url = context.server;
  access.endpoint.tls_server_name = context.tls_server_name;
  access.endpoint.proxy = context.proxy;
  access.endpoint.token = context.token;
  PLIMSOLL_TRY(access.endpoint.ca_pem,
               DataOrFile(context.ca_data, context.ca_file, "certificate-authority-data"));
  PLIMSOLL_TRY(access.endpoint.cert_pem,
               DataOrFile(context.cert_data, context.cert_file, "client-certificate-data"));
  PLIMSOLL_TRY(access.endpoint.key_pem,
               DataOrFile(context.key_data, context.key_file, "client-key-data"));
  const bool has_secret = !access.endpoint.token.empty() || !access.token_file.empty();
  if (has_secret && !access.endpoint.url.starts_with("https://") &&
      !IsLoopback(access.endpoint.url)) {
    return Error{ErrorCode::kBadData,
                 "the server of context '" + context.context +
                     "' is not https, and a token must not travel in the clear"};
  }
  return access;
}

}  // namespace

Result<std::string> ReadSmallFile(const std::string& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (error || !std::filesystem::is_regular_file(status)) {
    return Error{ErrorCode::kNotFound, file + ": is not there, or no plain file"};
  }
  std::ifstream in(file, std::ios::binary);
  std::string text(kSmallFileMax + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.empty() || text.size() > kSmallFileMax) {
    return Error{ErrorCode::kNotFound,
                 file + ": cannot be read, is empty, or is larger than 1 MiB"};
  }
  const std::size_t begin = text.find_first_not_of(" \r\n\t");
  const std::size_t last = text.find_last_not_of(" \r\n\t");
  return begin == std::string::npos ? std::string() : text.substr(begin, last - begin + 1);
}

Result<KubeAccess> ReadKubeconfig(const std::string& file, const std::string& context) {
  std::vector<KubeconfigText> files;
  const std::vector<std::string> names = KubeconfigFiles(file);
  for (const std::string& name : names) {
    Result<std::string> text = ReadSmallFile(name);
    // As kubectl does: of several files some may not be there.
    if (!text && names.size() > 1) continue;
    if (!text) {
      return Error{ErrorCode::kNotFound, "kubeconfig " + text.error().message +
                                             "; name the file with --kubeconfig, or use "
                                             "--in-cluster inside a pod"};
    }
    files.push_back({name, *std::move(text)});
  }
  PLIMSOLL_TRY(const KubeContext named, ParseKubeconfig(files, context));
  return AccessOf(named);
}

Result<KubeAccess> InClusterAccess(const std::string& host, const std::string& port,
                                   const std::string& folder) {
  if (host.empty() || port.empty()) {
    return Error{ErrorCode::kFailedPrecondition,
                 "this is not inside a pod: KUBERNETES_SERVICE_HOST and _PORT are not set; "
                 "give --kubeconfig FILE"};
  }
  KubeAccess access;
  access.context = "in-cluster";
  const bool is_v6 = host.find(':') != std::string::npos;
  access.endpoint.url = "https://" + (is_v6 ? "[" + host + "]" : host) + ":" + port;
  access.token_file = folder + "/token";
  Result<std::string> authority = ReadSmallFile(folder + "/ca.crt");
  Result<std::string> token = ReadSmallFile(access.token_file);
  for (const auto* file : {&authority, &token}) {
    if (*file) continue;
    return Error{ErrorCode::kFailedPrecondition,
                 file->error().message +
                     "; the pod needs a service account with automountServiceAccountToken"};
  }
  access.endpoint.ca_pem = *authority;
  access.endpoint.token = *token;
  return access;
}

}  // namespace plimsoll
