#include "cli/version.h"

namespace plimsoll {

const char* Version() { return PLIMSOLL_VERSION; }

}  // namespace plimsoll
