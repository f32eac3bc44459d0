// Result<T>: a value, or the Error that says why there is none.
//
// Expected failures (bad input, missing rows, a busy database) travel as Result.
// Broken invariants are bugs: they go through PLIMSOLL_CHECK and end the process.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace plimsoll {

// Each code maps to one CLI exit code (see ExitCodeOf in cli/exit_code.h).
enum class ErrorCode : unsigned char {
  kInvalidArgument,     // the caller's request is wrong: a flag, a filter, a window
  kBadData,             // an input file or a configuration is wrong
  kNotFound,            // the named thing does not exist
  kFailedPrecondition,  // right request, wrong state
  kOutOfRange,          // exact arithmetic would overflow
  kUnavailable,         // a dependency did not answer, or a resource is busy or full
  kInternal,            // our bug, reported instead of crashed on
};

struct Error {
  ErrorCode code;
  std::string message;  // one sentence, no trailing full stop, names the input and the remedy
};

template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  // REQUIRES: has_value()
  const T& operator*() const& { return *std::get_if<0>(&state_); }
  T& operator*() & { return *std::get_if<0>(&state_); }
  T&& operator*() && { return std::move(*std::get_if<0>(&state_)); }
  const T* operator->() const { return std::get_if<0>(&state_); }
  T* operator->() { return std::get_if<0>(&state_); }

  // REQUIRES: !has_value()
  const Error& error() const& { return *std::get_if<1>(&state_); }
  Error&& error() && { return std::move(*std::get_if<1>(&state_)); }

 private:
  std::variant<T, Error> state_;
};

using Status = Result<std::monostate>;
inline Status Ok() { return std::monostate{}; }

}  // namespace plimsoll

#define PLIMSOLL_CONCAT_(a, b) a##b
#define PLIMSOLL_CONCAT(a, b) PLIMSOLL_CONCAT_(a, b)

// Leaves the current function with the error of `expr`, or defines `lhs`.
#define PLIMSOLL_TRY(lhs, expr) \
  PLIMSOLL_TRY_(PLIMSOLL_CONCAT(plimsoll_result_, __LINE__), lhs, expr)
#define PLIMSOLL_TRY_(tmp, lhs, expr)                  \
  auto tmp = (expr);                                   \
  if (!tmp.has_value()) return std::move(tmp).error(); \
  lhs = *std::move(tmp)

// Leaves the current function with the error of `expr`, a Status.
#define PLIMSOLL_RETURN_IF_ERROR(expr)                               \
  do {                                                               \
    if (auto plimsoll_status = (expr); !plimsoll_status.has_value()) \
      return std::move(plimsoll_status).error();                     \
  } while (false)
