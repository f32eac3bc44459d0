// RenderAssets: the page's own files, embedded when the program was built (embed.cmake).
// The chart library is in render.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace plimsoll {

std::string_view StyleSheet();   // style.css
std::string_view ChartScript();  // charts.js: draws the charts, copies figure ids

}  // namespace plimsoll
