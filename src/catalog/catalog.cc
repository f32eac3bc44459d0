#include "catalog/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "catalog/csv.h"
#include "catalog/hardware_file.h"
#include "catalog/language_model_file.h"
#include "catalog/price_yaml.h"
#include "catalog/provider.h"
#include "model/row_hash.h"

namespace plimsoll {
namespace {

// The form in which GPU names are compared.
std::string GpuKey(std::string_view name) {
  std::string key = LowerCase(name);
  std::replace_if(
      key.begin(), key.end(), [](char c) { return c == ' ' || c == '_'; }, '-');
  constexpr std::string_view kShared = "-shared";
  if (key.size() > kShared.size() && key.ends_with(kShared)) {
    key.resize(key.size() - kShared.size());
  }
  const std::size_t mig = key.find("-mig-");
  if (mig != std::string::npos && mig != 0) key.resize(mig);
  return key;
}

std::string ShapeKey(std::string_view provider, std::string_view type) {
  return fmt::format("{}/{}", provider, LowerCase(type));
}

bool EndsWith(std::string_view name, std::string_view suffix) {
  return name.size() >= suffix.size() && name.substr(name.size() - suffix.size()) == suffix;
}

// The form in which names of language models are compared.
std::string ModelKey(std::string_view name) {
  std::string key = LowerCase(name);
  std::replace_if(
      key.begin(), key.end(), [](char c) { return c == ' ' || c == '_'; }, '-');
  return key;
}

// "Llama-3.1-8B" of "meta-llama/Llama-3.1-8B".
std::string_view WithoutOwner(std::string_view name) { return name.substr(name.rfind('/') + 1); }

// What may have been measured only once in a file.
std::string ThroughputKey(const Throughput& row) {
  return fmt::format("{}/{}/{}/{}/{}/{}/{}/{}", row.model, row.precision, LowerCase(row.gpu),
                     row.gpus, row.tensor_parallel, row.input_tokens, row.output_tokens,
                     row.engine);
}

// What may have only one price at a time.
std::string PriceKey(const PriceBatch& prices, std::size_t row) {
  return fmt::format("{}/{}/{}/{}/{}/{}", prices.provider[row], CanonicalRegion(prices.region[row]),
                     LowerCase(prices.instance_type[row]), prices.purchase[row], prices.rung[row],
                     prices.currency[row]);
}

}  // namespace

// Loads the files one by one into maps by key, so that a later file's row replaces an earlier
// one's, and gathers the problems of all of them.
class CatalogLoader {
 public:
  void Add(const CatalogFile& file) {
    ++files_;
    if (EndsWith(file.name, ".csv")) {
      AddCsv(file);
    } else {
      AddYaml(file);
    }
  }

  Result<Catalog> Finish() {
    CheckGpuNames();
    CheckShapes();
    CheckPrices();
    CheckModels();
    if (!problems_.empty()) return Failure();
    Catalog catalog;
    for (auto& [key, gpu] : gpus_) catalog.gpus_.push_back(std::move(gpu.value));
    for (auto& [key, shape] : shapes_) catalog.shapes_.push_back(std::move(shape.value));
    for (auto& [key, model] : models_) catalog.models_.push_back(std::move(model.value));
    for (auto& [key, row] : throughputs_) catalog.throughputs_.push_back(std::move(row.value));
    for (const auto& [key, rows] : prices_) {
      for (const PriceRow& row : rows) AppendRow(catalog.prices_, row.batch, 0);
    }
    Index(catalog);
    return catalog;
  }

 private:
  template <class T>
  struct Placed {  // a value and where it was read
    T value;
    std::string file;
    std::int64_t line = 0;
  };
  struct PriceRow {
    PriceBatch batch;  // of one row
    std::string file;
    std::int64_t line = 0;

    Instant from() const { return batch.valid_from[0]; }
    const std::optional<Instant>& until() const { return batch.valid_until[0]; }
  };

  void Problem(const std::string& file, std::int64_t line, std::string field, std::string reason) {
    problems_.push_back({file, line, std::move(field), std::move(reason), "", ""});
  }

  void AddCsv(const CatalogFile& file) {
    const CsvTable table = ReadCsv(file.text);
    if (table.Column("gpu_model")) {
      HardwareFile hardware;
      ReadShapes(table, file.name, hardware, problems_);
      AddHardware(file.name, std::move(hardware));
    } else if (table.Column("output_tokens_per_second")) {
      LanguageModelFile models;
      ReadThroughput(table, file.name, models, problems_);
      AddModels(file.name, std::move(models));
    } else {
      PriceDefaults defaults;
      defaults.rung = kRungList;
      AddPrices(file.name, ReadPriceCsv(file.name, file.text, defaults));
    }
  }

  void AddYaml(const CatalogFile& file) {
    PriceFile prices;
    const std::optional<YAML::Node> document = ParseYaml(file.name, file.text, prices.rejections);
    if (document) {
      YamlFields fields(*document, file.name, "", prices.rejections);
      HardwareFile hardware;
      ReadGpuList(fields, file.name, hardware, prices.rejections);
      AddHardware(file.name, std::move(hardware));
      LanguageModelFile models;
      ReadModelList(fields, file.name, models, prices.rejections);
      AddModels(file.name, std::move(models));
      fields.Text("name");
      fields.Maps("serving_engines");  // of ingest/serving, which checks them
      const PriceDefaults defaults = ReadPriceDefaults(fields, PriceDefaults{});
      ReadPriceLists(fields, file.name, defaults, prices);
      fields.Finish();
    }
    AddPrices(file.name, std::move(prices));
  }

  void AddHardware(const std::string& file, HardwareFile hardware) {
    for (std::size_t i = 0; i < hardware.gpus.size(); ++i) {
      GpuModel& gpu = hardware.gpus[i];
      const std::string key = GpuKey(gpu.name);
      Put(gpus_, key, {std::move(gpu), file, hardware.gpu_lines[i]}, "name");
    }
    for (std::size_t i = 0; i < hardware.shapes.size(); ++i) {
      InstanceShape& shape = hardware.shapes[i];
      const std::string key = ShapeKey(shape.provider, shape.instance_type);
      Put(shapes_, key, {std::move(shape), file, hardware.shape_lines[i]}, "instance_type");
    }
  }

  void AddModels(const std::string& file, LanguageModelFile read) {
    for (std::size_t i = 0; i < read.models.size(); ++i) {
      const std::string key = ModelKey(read.models[i].name);
      Put(models_, key, {std::move(read.models[i]), file, read.model_lines[i]}, "name");
    }
    for (std::size_t i = 0; i < read.throughputs.size(); ++i) {
      read.throughputs[i].file_order = files_;
      const std::string key = ThroughputKey(read.throughputs[i]);
      Put(throughputs_, key, {std::move(read.throughputs[i]), file, read.throughput_lines[i]},
          "model");
    }
  }

  template <class T>
  void Put(std::map<std::string, Placed<T>>& places, const std::string& key, Placed<T> place,
           const char* field) {
    const auto [old, fresh] = places.try_emplace(key, place);
    if (fresh) return;
    if (old->second.file == place.file) {
      Problem(place.file, place.line, field,
              fmt::format("'{}' is already on line {}", key, old->second.line));
    } else {
      old->second = std::move(place);
    }
  }

  void AddPrices(const std::string& file, PriceFile prices) {
    for (Rejection& rejection : prices.rejections) problems_.push_back(std::move(rejection));
    for (std::size_t row = 0; row < RowsOf(prices.prices); ++row) {
      std::vector<PriceRow>& rows = prices_[PriceKey(prices.prices, row)];
      if (!rows.empty() && rows.front().file != file) rows.clear();
      PriceRow price{{}, file, prices.lines[row]};
      AppendRow(price.batch, prices.prices, row);
      rows.push_back(std::move(price));
    }
  }

  void CheckGpuNames() {
    for (const auto& [key, gpu] : gpus_) {
      std::vector<std::string> names = gpu.value.aliases;
      names.push_back(gpu.value.name);
      for (const std::string& name : names) {
        const auto [owner, fresh] = gpu_names_.try_emplace(GpuKey(name), key);
        if (fresh || owner->second == key) continue;
        Problem(gpu.file, gpu.line, "aliases",
                fmt::format("'{}' also names {}", name, gpus_.at(owner->second).value.name));
      }
    }
  }

  void CheckShapes() {
    for (auto& [key, shape] : shapes_) {
      const auto gpu = gpu_names_.find(GpuKey(shape.value.gpu_model));
      if (gpu == gpu_names_.end()) {
        Problem(shape.file, shape.line, "gpu_model",
                fmt::format("'{}' is no GPU of the catalog", shape.value.gpu_model));
      } else {
        shape.value.gpu_model = gpus_.at(gpu->second).value.name;
      }
    }
  }

  void CheckPrices() {
    for (auto& [key, rows] : prices_) {
      std::sort(rows.begin(), rows.end(), [](const PriceRow& a, const PriceRow& b) {
        return std::tuple(a.from(), a.line) < std::tuple(b.from(), b.line);
      });
      for (std::size_t i = 1; i < rows.size(); ++i) {
        const PriceRow& before = rows[i - 1];
        if (before.until() && *before.until() <= rows[i].from()) continue;
        Problem(rows[i].file, rows[i].line, "valid_from",
                fmt::format("overlaps the price of {} on line {}", key, before.line));
      }
    }
  }

  // Names of models are their own; a measurement is of a GPU that exists, while its model may
  // be one that only the command line describes.
  void CheckModels() {
    for (const auto& [key, model] : models_) {
      std::vector<std::string> names = model.value.aliases;
      names.push_back(model.value.name);
      for (const std::string& name : names) {
        const auto [owner, fresh] = model_names_.try_emplace(ModelKey(name), key);
        if (fresh || owner->second == key) continue;
        Problem(model.file, model.line, "aliases",
                fmt::format("'{}' also names {}", name, models_.at(owner->second).value.name));
      }
    }
    for (auto& [key, row] : throughputs_) {
      const auto gpu = gpu_names_.find(GpuKey(row.value.gpu));
      if (gpu == gpu_names_.end()) {
        Problem(row.file, row.line, "gpu",
                fmt::format("'{}' is no GPU of the catalog", row.value.gpu));
      } else {
        row.value.gpu = gpus_.at(gpu->second).value.name;
      }
      const auto model = model_names_.find(ModelKey(row.value.model));
      if (model != model_names_.end()) row.value.model = models_.at(model->second).value.name;
    }
  }

  Error Failure() {
    std::stable_sort(problems_.begin(), problems_.end(), [](const auto& a, const auto& b) {
      return std::tie(a.file, a.line) < std::tie(b.file, b.line);
    });
    std::string message;
    for (const Rejection& problem : problems_) {
      message += (message.empty() ? "" : "\n") + ToText(problem);
    }
    return {ErrorCode::kBadData, std::move(message)};
  }

  void Index(Catalog& catalog) const {
    for (std::size_t i = 0; i < catalog.gpus_.size(); ++i) {
      catalog.gpu_index_.emplace(GpuKey(catalog.gpus_[i].name), i);
      for (const std::string& alias : catalog.gpus_[i].aliases) {
        catalog.gpu_index_.emplace(GpuKey(alias), i);
      }
    }
    for (std::size_t i = 0; i < catalog.shapes_.size(); ++i) {
      const InstanceShape& shape = catalog.shapes_[i];
      catalog.shape_index_.emplace(ShapeKey(shape.provider, shape.instance_type), i);
      catalog.shape_index_.emplace(ShapeKey("", shape.instance_type), i);
    }
    for (std::size_t i = 0; i < catalog.models_.size(); ++i) {
      catalog.model_index_.emplace(ModelKey(catalog.models_[i].name), i);
    }
    for (std::size_t i = 0; i < catalog.models_.size(); ++i) {
      for (const std::string& alias : catalog.models_[i].aliases) {
        catalog.model_index_.emplace(ModelKey(alias), i);
        catalog.model_index_.emplace(ModelKey(WithoutOwner(alias)), i);
      }
    }
  }

  std::map<std::string, Placed<GpuModel>> gpus_;
  std::map<std::string, Placed<InstanceShape>> shapes_;
  std::map<std::string, std::vector<PriceRow>> prices_;
  std::map<std::string, Placed<LanguageModel>> models_;
  std::map<std::string, Placed<Throughput>> throughputs_;
  std::map<std::string, std::string> gpu_names_;    // name or alias -> key in gpus_
  std::map<std::string, std::string> model_names_;  // name or alias -> key in models_
  std::int64_t files_ = 0;
  std::vector<Rejection> problems_;
};

Result<Catalog> Catalog::Load(const std::vector<CatalogFile>& files) {
  CatalogLoader loader;
  RowHasher hasher;
  for (const CatalogFile& file : files) {
    loader.Add(file);
    hasher.Add(std::string_view(file.text));
  }
  PLIMSOLL_TRY(Catalog catalog, loader.Finish());
  catalog.content_hash_ = hasher.Finish();
  return catalog;
}

const GpuModel* Catalog::FindGpu(std::string_view name_or_alias) const {
  const auto found = gpu_index_.find(GpuKey(name_or_alias));
  return found == gpu_index_.end() ? nullptr : &gpus_[found->second];
}

const InstanceShape* Catalog::FindShape(std::string_view provider, std::string_view type) const {
  const std::string canonical = provider.empty() ? "" : CanonicalProvider(provider);
  const auto found = shape_index_.find(ShapeKey(canonical, type));
  return found == shape_index_.end() ? nullptr : &shapes_[found->second];
}

const LanguageModel* Catalog::FindModel(std::string_view name_or_alias) const {
  const auto found = model_index_.find(ModelKey(name_or_alias));
  return found == model_index_.end() ? nullptr : &models_[found->second];
}

}  // namespace plimsoll
