// Cloned: owns what is behind an interface and copies it by Clone().
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace plimsoll {

template <class Interface>
class Cloned {
 public:
  explicit Cloned(const Interface* original) : own_(original ? original->Clone() : nullptr) {}
  Cloned(const Cloned& other) : Cloned(other.own_.get()) {}
  Cloned& operator=(const Cloned& other) {
    if (this != &other) own_ = other.own_ ? other.own_->Clone() : nullptr;
    return *this;
  }
  Cloned(Cloned&&) noexcept = default;
  Cloned& operator=(Cloned&&) noexcept = default;
  ~Cloned() = default;

  explicit operator bool() const { return own_ != nullptr; }
  Interface& operator*() const { return *own_; }
  Interface* operator->() const { return own_.get(); }

 private:
  std::unique_ptr<Interface> own_;
};

}  // namespace plimsoll
