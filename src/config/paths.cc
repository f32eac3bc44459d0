#include "config/paths.h"

namespace plimsoll {

std::string ResolvePath(const std::string& path, const std::string& config_path,
                        const std::string& home) {
  if (!home.empty() && (path == "~" || path.starts_with("~/"))) return home + path.substr(1);
  if (path.empty() || path.front() == '/') return path;
  const std::size_t slash = config_path.rfind('/');
  return slash == std::string::npos ? path : config_path.substr(0, slash + 1) + path;
}

}  // namespace plimsoll
