// Tags and SKU details of a bill: JSON in a CSV cell, as the providers write it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace plimsoll {

// FOCUS Tags: a JSON object of scalars with unique keys.
struct NormalisedTags {
  std::string json = "{}";  // keys sorted by bytes, values texts: {"gpu":"true","team":"a"}
  std::string defect;       // why the tags could not be read; then json is "{}"
};

// Numbers and booleans become texts as written, a null leaves its key unset, missing braces
// are added ("a":"1","b":"2"). A nested value, a key given twice or anything that is not JSON
// is a defect. "" is no tags.
NormalisedTags NormaliseTags(std::string_view text);

// The instance type in SkuPriceDetails ("InstanceType") or Azure's x_SkuDetails
// ("ServiceType"); "" if there is none or the text is no JSON object.
std::string InstanceTypeOf(std::string_view details);

}  // namespace plimsoll
