#include "cli/context.h"

#include <filesystem>
#include <ostream>
#include <utility>

#include "cli/files.h"
#include "cli/render.h"
#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

constexpr const char* kConfigPath = "plimsoll.yaml";
constexpr const char* kInMemory = ":memory:";

Loudness LoudnessOf(const CommonOptions& options) {
  if (options.quiet) return Loudness::kQuiet;
  return options.verbose ? Loudness::kVerbose : Loudness::kNormal;
}

}  // namespace

Context::Context(Io io, CommonOptions options, const Command& root)
    : io_(std::move(io)),
      options_(std::move(options)),
      root_(&root),
      now_(io_.now()),
      log_(*io_.err, LoudnessOf(options_)),
      progress_(io_, !options_.quiet) {}

Result<const Config*> Context::config() {
  if (config_) return &*config_;
  const bool named = !options_.config.empty();
  if (!named && !FileExists(kConfigPath)) return &config_.emplace();
  const std::string path = named ? options_.config : kConfigPath;
  Result<std::string> text = ReadWholeFile(path);
  if (!text) {
    return Error{text.error().code,
                 text.error().message + "; plimsoll init writes a configuration"};
  }
  PLIMSOLL_TRY(config_, LoadConfig(path, *text));
  Detail("configuration " + path);
  return &*config_;
}

void Context::UseConfig(const std::string& path) {
  options_.config = path;
  config_.reset();
  catalog_.reset();
}

Result<Zone> Context::zone() {
  PLIMSOLL_TRY(const Config* config, this->config());
  return Zone::Find(config->time_zone);
}

Result<const Catalog*> Context::catalog() {
  if (catalog_) return &*catalog_;
  PLIMSOLL_TRY(const Config* config, this->config());
  std::vector<CatalogFile> files = BuiltinCatalogFiles();
  PLIMSOLL_TRY(const std::vector<std::string> own, ExpandFiles(config->catalog_files));
  for (const std::string& path : own) {
    PLIMSOLL_TRY(std::string text, ReadWholeFile(path));
    files.push_back({path, std::move(text)});
  }
  PLIMSOLL_TRY(catalog_, Catalog::Load(files));
  return &*catalog_;
}

Result<std::string> Context::db_path() {
  if (!options_.from.empty() || options_.db == kInMemory) return std::string();
  if (!options_.db.empty()) return options_.db;
  PLIMSOLL_TRY(const Config* config, this->config());
  return config->db;
}

Result<Store*> Context::store() {
  if (store_) return store_.get();
  if (!options_.from.empty() && !options_.db.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "--from and --db cannot stand together: --from reads files in place of the "
                 "database"};
  }
  DuckDbOptions duckdb;
  PLIMSOLL_TRY(duckdb.path, db_path());
  Detail(duckdb.path.empty() ? "database in memory" : "database " + duckdb.path);
  PLIMSOLL_TRY(std::unique_ptr<Store> store, OpenDuckDb(duckdb));
  PLIMSOLL_RETURN_IF_ERROR(LoadFrom(*store));
  store_ = std::move(store);
  return store_.get();
}

Result<Store*> Context::existing_store() {
  PLIMSOLL_TRY(const std::string path, db_path());
  std::error_code error;
  if (!store_ && !path.empty() && !std::filesystem::exists(path, error)) {
    return Error{ErrorCode::kNotFound, "there is no database " + path +
                                           ": load facts first (plimsoll sync, plimsoll ingest), "
                                           "or correct --db"};
  }
  return store();
}

Result<LoadOptions> Context::load_options() {
  PLIMSOLL_TRY(const Config* config, this->config());
  LoadOptions load;
  load.now = now_;
  PLIMSOLL_TRY(load.catalog, catalog());
  load.time_zone = config->time_zone;
  load.currency = config->currency;
  PLIMSOLL_TRY(const std::vector<std::string> own, ExpandFiles(config->catalog_files));
  for (const std::string& path : own) {
    PLIMSOLL_TRY(std::string text, ReadWholeFile(path));
    load.own_catalog.push_back({path, std::move(text)});
  }
  load.progress = progress();
  return load;
}

Status Context::LoadFrom(Store& store) {
  if (options_.from.empty()) return Ok();
  PLIMSOLL_TRY(const LoadOptions load, load_options());
  for (const std::string& text : options_.from) {
    PLIMSOLL_TRY(const SourceConfig source, ParseFrom(text));
    PLIMSOLL_TRY(const ImportReport report, LoadSource(store, source, load));
    Detail("--from " + text + ": " + std::to_string(report.accepted) + " accepted, " +
           std::to_string(report.rejected) + " rejected");
    for (const std::string& warning : report.warnings) Warn(text + ": " + warning);
    if (report.rejected > 0) {
      Warn(text + ": " + std::to_string(report.rejected) +
           " refused; plimsoll ingest shows each with its reason");
    }
  }
  return Ok();
}

void Context::Print(const Table& table) {
  if (options_.format == "json") return Write(RenderJson(table));
  if (options_.format == "csv") return Write(RenderCsv(table));
  Write(RenderText(table, {io_.columns, io_.Colour()}));
}

void Context::Print(const Answer& answer) {
  if (options_.format == "json") return Write(RenderJson(answer));
  if (options_.format == "csv") return Write(RenderCsv(answer));
  Write(RenderText(answer, {io_.columns, io_.Colour()}));
}

void Context::Write(const std::string& text) {
  progress_.Wipe();
  *io_.out << text;
}

void Context::Warn(const std::string& sentence) {
  progress_.Wipe();
  log_.Warn(sentence);
}

void Context::Say(const std::string& sentence) {
  progress_.Wipe();
  log_.Say(sentence);
}

void Context::Detail(const std::string& sentence) {
  progress_.Wipe();
  log_.Detail(sentence);
}

void Context::Fail(const Error& error) {
  progress_.Wipe();
  log_.Error(error.message);
}

}  // namespace plimsoll
