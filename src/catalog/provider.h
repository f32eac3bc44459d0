// Names of providers and regions, as bills, node ids and price files spell them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace plimsoll {

// The catalog's name of a provider: "AWS", "Amazon Web Services" -> "aws"; "gce", "Google
// Cloud" -> "gcp"; "Microsoft", "Azure" -> "azure". Others are lower-cased with spaces turned
// into '-': "Lambda Labs" -> "lambda-labs". Total and idempotent.
std::string CanonicalProvider(std::string_view name);

// A region without case and spaces: "East US" -> "eastus", "us-east-1" stays.
std::string CanonicalRegion(std::string_view name);

// ASCII lower case; other bytes stay.
std::string LowerCase(std::string_view text);

}  // namespace plimsoll
