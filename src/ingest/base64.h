// Base64 (RFC 4648, section 4) as configuration and accounting files hold it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll {

// Bytes of base64 in any line lengths, with its padding or without. Fails with kBadData; the
// message does not hold the text.
Result<std::string> DecodeBase64(std::string_view text);

}  // namespace plimsoll
