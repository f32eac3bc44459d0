// KubeAccess: where a cluster's API is and with what right it is read.
//
// From a kubeconfig file or from inside a pod. Keys and tokens are kept in memory only; no
// message names them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ingest/http/http_transport.h"

namespace plimsoll {

struct KubeAccess {
  HttpEndpoint endpoint;
  std::string token_file;  // read again before requests: tokens of pods last an hour; or ""
  std::string context;     // of the kubeconfig; "in-cluster"
};

// What a context of kubeconfig files names, before the files that it names are read.
struct KubeContext {
  std::string context, cluster, user;
  std::string server, tls_server_name, proxy;
  std::string ca_data, ca_file;  // data in base64
  std::string cert_data, cert_file, key_data, key_file;
  std::string token, token_file;
};

// One kubeconfig file: its name, for messages and relative paths, and its text (YAML or JSON).
struct KubeconfigText {
  std::string file, text;
};

// Reads the named context, else the current one. Of several files the first that says a thing
// counts, as with kubectl. Fails with kBadData, naming the file and what to write, also for
// credentials that need another program (exec, auth-provider), passwords, and turned-off
// verification.
Result<KubeContext> ParseKubeconfig(const std::vector<KubeconfigText>& files,
                                    const std::string& context);

// The access of a context: `file`, else those of $KUBECONFIG, else ~/.kube/config. Fails as
// above, and with kNotFound if a file is not there.
Result<KubeAccess> ReadKubeconfig(const std::string& file, const std::string& context);

// Access from inside a pod: host and port of the environment, token and authority of its
// service account in `folder`. Fails with kFailedPrecondition outside of one.
inline constexpr const char* kServiceAccountFolder =
    "/var/run/secrets/kubernetes.io/serviceaccount";
Result<KubeAccess> InClusterAccess(const std::string& host, const std::string& port,
                                   const std::string& folder = kServiceAccountFolder);

// A file with a secret or a certificate, without the line breaks around it. Fails with kNotFound
// if it cannot be read, is no plain file or larger than 1 MiB.
Result<std::string> ReadSmallFile(const std::string& file);

}  // namespace plimsoll
