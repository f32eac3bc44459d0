#include "store/duckdb/duckdb_errors.h"

#include <gtest/gtest.h>

namespace plimsoll::duck {
namespace {

TEST(DuckDbErrorsTest, ALockNamesTheOtherProcess) {
  const Error error = OpenError(
      "IO Error: Could not set lock on file \"/d/x.db\": Conflicting lock is held in /usr/bin/p "
      "(PID 4711) by user u. See also https://duckdb.org/docs/stable/connect/concurrency",
      "x.db");
  EXPECT_EQ(error.code, ErrorCode::kUnavailable);
  EXPECT_EQ(error.message,
            "database x.db is in use by process 4711; wait until it has finished, or stop it");
  EXPECT_EQ(OpenError("IO Error: Could not set lock on file \"x\": whatever", "x.db").message,
            "database x.db is in use by another process; wait until it has finished, or stop it");
}

TEST(DuckDbErrorsTest, EveryReasonNotToOpenHasItsCodeAndTheFilesName) {
  const struct {
    const char* message;
    ErrorCode code;
  } kCases[] = {
      {"IO Error: The file \"x.db\" exists, but it is not a valid DuckDB database file!",
       ErrorCode::kBadData},
      {"IO Error: Could not read enough bytes from file \"x.db\": attempted to read 3996 bytes",
       ErrorCode::kBadData},
      {"IO Error: Corrupt database file: computed checksum 1 does not match stored checksum 2",
       ErrorCode::kBadData},
      {"IO Error: Could not read from file \"x.db\": Is a directory", ErrorCode::kBadData},
      {"IO Error: Cannot open file \"/no/x.db\": No such file or directory", ErrorCode::kNotFound},
      {"IO Error: Cannot open file \"x.db\": Permission denied", ErrorCode::kUnavailable},
      {"IO Error: Could not write file \"x.db\": No space left on device", ErrorCode::kUnavailable},
      {"IO Error: Trying to read a database file with version number 99, but we can only read 64",
       ErrorCode::kFailedPrecondition},
      {"something new", ErrorCode::kUnavailable},
  };
  for (const auto& c : kCases) {
    const Error error = OpenError(c.message, "x.db");
    EXPECT_EQ(error.code, c.code) << c.message;
    EXPECT_NE(error.message.find("x.db"), std::string::npos) << error.message;
  }
}

TEST(DuckDbErrorsTest, AFullDiskSaysThatNothingWasChanged) {
  for (const char* reason : {"No space left on device", "File too large", "Disk quota exceeded"}) {
    const Error error = StatementError(
        DUCKDB_ERROR_IO, std::string("IO Error: Could not write file \"x.wal\": ") + reason, "x.db",
        "COMMIT");
    EXPECT_EQ(error.code, ErrorCode::kUnavailable);
    EXPECT_EQ(error.message,
              std::string("database x.db is out of disk space (IO Error: Could not write file "
                          "\"x.wal\": ") +
                  reason + "); nothing was changed: free space and run it again");
  }
}

TEST(DuckDbErrorsTest, StatementsFailByWhatWentWrong) {
  EXPECT_EQ(StatementError(DUCKDB_ERROR_OUT_OF_MEMORY, "Out of Memory Error", "x.db", "").code,
            ErrorCode::kUnavailable);
  EXPECT_EQ(StatementError(DUCKDB_ERROR_IO, "IO Error: bad sector", "x.db", "").code,
            ErrorCode::kUnavailable);
  EXPECT_EQ(StatementError(DUCKDB_ERROR_OUT_OF_RANGE, "Overflow", "x.db", "").code,
            ErrorCode::kOutOfRange);
  const Error bug = StatementError(DUCKDB_ERROR_PARSER, "Parser Error: near x\nLINE 1: x", "x.db",
                                   std::string(1000, 'x'));
  EXPECT_EQ(bug.code, ErrorCode::kInternal);
  EXPECT_EQ(bug.message, "database x.db: Parser Error: near x in: " + std::string(200, 'x'));
}

}  // namespace
}  // namespace plimsoll::duck
