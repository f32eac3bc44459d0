#include "ingest/runs/ieee_text.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>

namespace plimsoll {
namespace {

template <class Number>
std::string TextOf(Number value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  const Number size = std::fabs(value);
  const bool is_plain = value == 0 || (size >= Number(1e-5) && size < Number(1e16));
  std::array<char, 64> text;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value,
                    is_plain ? std::chars_format::fixed : std::chars_format::scientific);
  return std::string(text.data(), end.ptr);
}

}  // namespace

std::string Ieee32Text(std::uint32_t bits) { return TextOf(std::bit_cast<float>(bits)); }
std::string Ieee64Text(std::uint64_t bits) { return TextOf(std::bit_cast<double>(bits)); }

}  // namespace plimsoll
