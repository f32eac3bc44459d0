// SacctTable: the columns of `sacct --parsable2`, in whatever order they were asked for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace plimsoll {

// The columns that are used. A name that sacct prints under two names has both.
enum class SacctField : std::size_t {
  kJobId,
  kCluster,
  kPartition,
  kQos,
  kAccount,
  kUser,
  kSubmit,
  kStart,
  kEnd,
  kElapsed,
  kState,
  kCpus,
  kReqMem,
  kReqTres,
  kAllocTres,
  kNodeList,
  kJobName,
  kWcKey,
  kComment,
  kReservation,
  kReason,
  kAdminComment,
  kUsageAve,  // TRESUsageInAve
  kUsageTot,  // TRESUsageInTot
  kTasks,
  kSuspended,
  kJobIdRaw,
  kEligible,
  kPriority,
  kNodes,         // NNodes
  kTimeLimit,     // "2-00:00:00", UNLIMITED
  kTimeLimitRaw,  // minutes
  kRestarts,
};
inline constexpr std::size_t kSacctFieldCount = 33;

// What a header must have: holdings need to know the nodes, a queue's jobs only how many.
enum class SacctNeed : unsigned char { kHoldings, kJobs };

class SacctTable {
 public:
  // What is read where a file has no header: the columns of the documented command.
  static const char* DocumentedFormat();

  // True if the line begins like a header: its first column is a known name.
  static bool IsHeader(std::string_view line);
  // True if the line is a job in the documented format.
  static bool IsDocumentedRow(std::string_view line);

  // Reads a header line; the delimiter is what stands after its first name.
  // Fails with kBadData and names the missing columns: JobID, State, Start, AllocTRES,
  // NodeList, and one of Elapsed and End. kJobs takes JobIDRaw and ReqTRES too, and no NodeList.
  static Result<SacctTable> FromHeader(std::string_view header,
                                       SacctNeed need = SacctNeed::kHoldings);
  static SacctTable Documented();
  // Every field once, in the order of SacctField: for rows that come from elsewhere.
  static SacctTable EveryField();

  // The fields of a row, as many as there are columns. JobName or Comment in the last column
  // keeps the delimiters in it. Fails with kBadData on another number of fields.
  Result<std::vector<std::string_view>> Split(std::string_view line) const;

  // The field's text, or "" if the file has no such column.
  std::string_view Get(const std::vector<std::string_view>& fields, SacctField field) const;
  bool Has(SacctField field) const;

  std::size_t columns() const { return columns_; }
  // Columns that nothing is read from, in file order.
  const std::vector<std::string>& unused() const { return unused_; }

 private:
  SacctTable() { index_.fill(kAbsent); }
  static constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);

  std::string delimiter_ = "|";
  std::size_t columns_ = 0;
  bool trailing_delimiter_ = false;  // --parsable instead of --parsable2
  bool last_is_free_text_ = false;
  std::array<std::size_t, kSacctFieldCount> index_;
  std::vector<std::string> unused_;
};

}  // namespace plimsoll
