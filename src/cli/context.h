// Context: what a running command works with, opened when it is first asked for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/progress.h"
#include "catalog/catalog.h"
#include "cli/command.h"
#include "cli/io.h"
#include "cli/load_sources.h"
#include "cli/log.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "config/config.h"
#include "config/zone.h"
#include "store/store.h"

namespace plimsoll {

class Context {
 public:
  // `root` is the tree of all commands, for those that describe it.
  Context(Io io, CommonOptions options, const Command& root);

  const CommonOptions& options() const { return options_; }
  const Io& io() const { return io_; }
  const Command& root() const { return *root_; }
  Instant now() const { return now_; }  // of the start: one run has one now

  // plimsoll.yaml (--config), or the defaults if there is none and none was named. Fails with
  // kNotFound or kBadData and every error of the file.
  Result<const Config*> config();
  Result<Zone> zone();  // of the configuration

  // Takes `path` in place of --config from here on.
  void UseConfig(const std::string& path);

  // The built-in catalog with the configuration's files over it.
  Result<const Catalog*> catalog();

  // The database (--db, else the configuration's), or with --from one in memory with those
  // files loaded. Fails with kUnavailable if another process holds it.
  Result<Store*> store();
  // The same for reading: a database that does not exist is an error, not a new file.
  Result<Store*> existing_store();
  Result<std::string> db_path();  // "" is in memory

  // What every load of a source is given: now, catalog, time zone, currency, progress.
  Result<LoadOptions> load_options();

  // Prints an answer in the format that was asked for.
  void Print(const Table& table);
  void Print(const Answer& answer);
  void Write(const std::string& text);  // as it is, to stdout

  // Sentences on stderr.
  void Warn(const std::string& sentence);
  void Say(const std::string& sentence);
  void Detail(const std::string& sentence);
  void Fail(const Error& error);
  Progress progress() { return progress_.AsCallback(); }

 private:
  Status LoadFrom(Store& store);

  Io io_;
  CommonOptions options_;
  const Command* root_;
  Instant now_;
  Log log_;
  ProgressLine progress_;
  std::optional<Config> config_;
  std::optional<Catalog> catalog_;
  std::unique_ptr<Store> store_;
};

}  // namespace plimsoll
