// store_driver: loads a database as another process would, to be killed, starved or locked out.
//
//   store_driver load DB VERSION...   loads each version in turn
//   store_driver hold DB              opens it, says "ready", closes at the end of the input
//   store_driver starve DB BYTES      loads much under a limit of BYTES a file
//   store_driver tmpfs DIR            fills a small file system of its own, mounted on DIR
//
// Exit code: 0, or 1 with the error on the output, 2 for a wrong call, 77 if it may not mount.
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "store/duckdb/duckdb_store.h"
#include "store_plan.h"

namespace plimsoll::e2e {
namespace {

constexpr int kSkipped = 77;
constexpr std::int64_t kManyCharges = 30'000;

int Report(const Status& status) {
  if (status) return 0;
  std::cout << static_cast<int>(status.error().code) << " " << status.error().message << std::endl;
  return 1;
}

Status Load(const std::string& path, const std::vector<std::int64_t>& versions) {
  PLIMSOLL_TRY(const auto store, OpenDuckDb({.path = path}));
  for (const std::int64_t version : versions) {
    PLIMSOLL_RETURN_IF_ERROR(LoadVersion(*store, version));
  }
  return Ok();
}

Status Hold(const std::string& path) {
  PLIMSOLL_TRY(const auto store, OpenDuckDb({.path = path}));
  std::cout << "ready" << std::endl;
  std::string line;
  while (std::getline(std::cin, line)) continue;
  return Ok();
}

// A bill of nine megabytes that do not compress well.
Status LoadMuch(const std::string& path) {
  PLIMSOLL_TRY(const auto store, OpenDuckDb({.path = path}));
  const Window month = Month(0);
  PLIMSOLL_TRY(SnapshotLoad load, SnapshotLoad::Begin(*store));
  PLIMSOLL_TRY(const std::int64_t id, load.Open({"charge", "Issuer|1|USD", month}));
  load.CoverTime(id, month);
  ChargeBatch charges = Charges(id, month, 9, kManyCharges);
  std::mt19937_64 random(301);
  for (std::string& text : charges.description) {
    while (text.size() < 300) text += std::to_string(random());
  }
  PLIMSOLL_RETURN_IF_ERROR(load.Append("charge", charges));
  ImportReport report;
  return load.Commit(report);
}

int Starve(const std::string& path, std::int64_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);  // write() fails with EFBIG instead
  const rlimit limit{static_cast<rlim_t>(bytes), static_cast<rlim_t>(bytes)};
  if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return kSkipped;
  return Report(LoadMuch(path));
}

Result<std::string> DumpOf(const std::string& path) {
  PLIMSOLL_TRY(const auto store, OpenDuckDb({.path = path}));
  return Dump(*store);
}

// The full disk, and then: the error, whether the old data is as it was, and whether another
// load goes through once something else has made room.
Status FillTmpfs(const std::string& path, std::string& full) {
  const std::string other = path + ".other";
  std::ofstream(other) << std::string(1'500'000, 'x');
  PLIMSOLL_RETURN_IF_ERROR(Load(path, {1}));
  PLIMSOLL_TRY(const std::string before, DumpOf(path));
  const Status filled = LoadMuch(path);
  if (filled) return Error{ErrorCode::kInternal, "the load fit"};
  full = filled.error().message;
  PLIMSOLL_TRY(const std::string after, DumpOf(path));
  if (before != after) return Error{ErrorCode::kInternal, "the old data changed"};
  std::filesystem::remove(other);
  return Load(path, {2});
}

int Tmpfs(const std::string& folder) {
  // A mount of this process alone: nothing of it is left behind, however it ends.
  const bool may_mount = ::unshare(CLONE_NEWNS) == 0 &&
                         ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                         ::mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=6m") == 0;
  if (!may_mount) return kSkipped;
  std::string full;
  const int code = Report(FillTmpfs(folder + "/a.db", full));
  if (code == 0) std::cout << full << std::endl;
  return code;
}

int Main(const std::vector<std::string>& args) {
  if (args.size() >= 3 && args[0] == "load") {
    std::vector<std::int64_t> versions;
    for (std::size_t i = 2; i < args.size(); ++i) versions.push_back(std::atoll(args[i].c_str()));
    return Report(Load(args[1], versions));
  }
  if (args.size() == 2 && args[0] == "hold") return Report(Hold(args[1]));
  if (args.size() == 3 && args[0] == "starve") return Starve(args[1], std::atoll(args[2].c_str()));
  if (args.size() == 2 && args[0] == "tmpfs") return Tmpfs(args[1]);
  return 2;
}

}  // namespace
}  // namespace plimsoll::e2e

int main(int argc, char** argv) { return plimsoll::e2e::Main({argv + 1, argv + argc}); }
