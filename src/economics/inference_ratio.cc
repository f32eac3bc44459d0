#include "economics/inference_ratio.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "base/check.h"

namespace plimsoll {
namespace {

int128 GreatestCommonDivisor(int128 a, int128 b) {
  while (b != 0) {
    const int128 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// A whole number of any size: 32 bits a limb, the lowest first, no leading zeros.
class Natural {
 public:
  explicit Natural(std::uint32_t value) {
    if (value != 0) limbs_.push_back(value);
  }

  void Multiply(int128 factor) {
    Natural product(0);
    for (int shift = 0; factor != 0; ++shift, factor >>= 32) {
      product.AddProduct(limbs_, static_cast<std::uint32_t>(factor & 0xFFFFFFFF), shift);
    }
    *this = std::move(product);
  }

  // Divides by `divisor`; what is left stays here. The quotient fits 128 bits or is cut.
  std::vector<std::uint32_t> Divide(const Natural& divisor) {
    std::vector<std::uint32_t> quotient(limbs_.size(), 0);
    Natural rest(0);
    for (std::size_t bit = limbs_.size() * 32; bit-- > 0;) {
      rest.Double(((limbs_[bit / 32] >> (bit % 32)) & 1U) != 0);
      if (rest.Less(divisor)) continue;
      rest.Subtract(divisor);
      quotient[bit / 32] |= 1U << (bit % 32);
    }
    *this = std::move(rest);
    return quotient;
  }

  void Double(bool low_bit) {
    std::uint32_t carry = low_bit ? 1 : 0;
    for (std::uint32_t& limb : limbs_) {
      const std::uint32_t top = limb >> 31;
      limb = (limb << 1) | carry;
      carry = top;
    }
    if (carry != 0) limbs_.push_back(carry);
  }

  bool Less(const Natural& other) const { return Compare(other) < 0; }
  int Compare(const Natural& other) const {
    if (limbs_.size() != other.limbs_.size()) return limbs_.size() < other.limbs_.size() ? -1 : 1;
    for (std::size_t i = limbs_.size(); i-- > 0;) {
      if (limbs_[i] != other.limbs_[i]) return limbs_[i] < other.limbs_[i] ? -1 : 1;
    }
    return 0;
  }

 private:
  void AddProduct(const std::vector<std::uint32_t>& limbs, std::uint32_t factor, int shift) {
    std::uint64_t carry = 0;
    auto at = static_cast<std::size_t>(shift);
    for (std::size_t i = 0; i < limbs.size() || carry != 0; ++i, ++at) {
      if (at >= limbs_.size()) limbs_.resize(at + 1, 0);
      const std::uint64_t limb = i < limbs.size() ? limbs[i] : 0;
      carry += limb * factor + limbs_[at];
      limbs_[at] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    Trim();
  }

  void Subtract(const Natural& other) {
    std::int64_t borrow = 0;
    for (std::size_t i = 0; i < limbs_.size(); ++i) {
      std::int64_t limb = std::int64_t{limbs_[i]} - borrow -
                          (i < other.limbs_.size() ? std::int64_t{other.limbs_[i]} : 0);
      borrow = limb < 0 ? 1 : 0;
      if (limb < 0) limb += std::int64_t{1} << 32;
      limbs_[i] = static_cast<std::uint32_t>(limb);
    }
    Trim();
  }

  void Trim() {
    while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
  }

  std::vector<std::uint32_t> limbs_;
};

// Decimal digits of a number given in limbs.
std::string DigitsOf(std::vector<std::uint32_t> limbs) {
  std::string digits;
  for (;;) {
    std::uint64_t rest = 0;
    bool any = false;
    for (std::size_t i = limbs.size(); i-- > 0;) {
      rest = (rest << 32) | limbs[i];
      limbs[i] = static_cast<std::uint32_t>(rest / 10);
      rest %= 10;
      any = any || limbs[i] != 0;
    }
    digits += static_cast<char>('0' + rest);
    if (!any) break;
  }
  std::reverse(digits.begin(), digits.end());
  return digits;
}

void AddOne(std::vector<std::uint32_t>& limbs) {
  for (std::uint32_t& limb : limbs) {
    if (++limb != 0) return;
  }
  limbs.push_back(1);
}

}  // namespace

Ratio::Ratio(std::initializer_list<int128> over, std::initializer_list<int128> under)
    : over_(over), under_(under) {
  Cancel();
}

void Ratio::Cancel() {
  for (int128& above : over_) {
    PLIMSOLL_CHECK(above > 0);
    for (int128& below : under_) {
      PLIMSOLL_CHECK(below > 0);
      const int128 common = GreatestCommonDivisor(above, below);
      above /= common;
      below /= common;
    }
  }
  std::erase(over_, 1);
  std::erase(under_, 1);
}

Ratio operator*(const Ratio& a, const Ratio& b) {
  Ratio product = a;
  product.over_.insert(product.over_.end(), b.over_.begin(), b.over_.end());
  product.under_.insert(product.under_.end(), b.under_.begin(), b.under_.end());
  product.Cancel();
  return product;
}

Ratio Ratio::Inverse() const {
  Ratio inverse;
  inverse.over_ = under_;
  inverse.under_ = over_;
  return inverse;
}

// A fraction without common factors is 1 only if nothing is left of it.
bool operator==(const Ratio& a, const Ratio& b) {
  const Ratio quotient = a * b.Inverse();
  return quotient.over_.empty() && quotient.under_.empty();
}

std::string Ratio::ToDecimal(int places) const {
  PLIMSOLL_CHECK(places >= 0 && places <= 18);
  Natural rest(1);
  for (const int128 above : over_) rest.Multiply(above);
  for (int i = 0; i < places; ++i) rest.Multiply(10);
  Natural divisor(1);
  for (const int128 below : under_) divisor.Multiply(below);
  std::vector<std::uint32_t> quotient = rest.Divide(divisor);
  rest.Double(false);
  const int half = rest.Compare(divisor);
  const bool is_odd = !quotient.empty() && (quotient.front() & 1U) != 0;
  if (half > 0 || (half == 0 && is_odd)) AddOne(quotient);
  std::string digits = DigitsOf(std::move(quotient));
  const auto decimals = static_cast<std::size_t>(places);
  if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
  if (decimals > 0) digits.insert(digits.size() - decimals, 1, '.');
  return digits;
}

}  // namespace plimsoll
