#include "cli/exit_code.h"

namespace plimsoll {

ExitCode ExitCodeOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return ExitCode::kUsage;
    case ErrorCode::kBadData:
    case ErrorCode::kNotFound:
    case ErrorCode::kFailedPrecondition:
    case ErrorCode::kOutOfRange:
      return ExitCode::kBadData;
    case ErrorCode::kUnavailable:
      return ExitCode::kUnavailable;
    case ErrorCode::kInternal:
      break;
  }
  return ExitCode::kInternal;
}

}  // namespace plimsoll
