// Any bytes as a kubeconfig: never a crash; what is taken names a server.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "ingest/base64.h"
#include "ingest/kube_api/kube_access.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const auto context = plimsoll::ParseKubeconfig({{"config", text}}, "");
  PLIMSOLL_CHECK(!context || !context->server.empty());
  const auto bytes = plimsoll::DecodeBase64(text);
  PLIMSOLL_CHECK(!bytes || bytes->size() <= size);
  return 0;
}
