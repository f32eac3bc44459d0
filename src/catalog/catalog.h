// Catalog: what hardware is, which instances carry it and what they cost, from data files
// under catalog/ (embedded in the program; a user's own files are laid over them).
//
// Immutable after loading; safe to share between threads.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/result.h"
#include "catalog/language_model.h"
#include "model/price.h"

namespace plimsoll {

struct MigProfile {
  std::string name;  // "1g.10gb"
  std::int64_t compute_slices = 0;
  std::int64_t memory_slices = 0;
  std::int64_t memory_mib = 0;       // 0: not published
  std::int64_t sm_count = 0;         // 0: not published
  std::vector<std::int64_t> starts;  // memory slices at which an instance may begin
  std::int64_t max = 0;              // instances of this profile a card holds at most
};

struct GpuModel {
  std::string name;                 // "H100-SXM-80GB": the catalog's own name, used in every report
  std::string vendor;               // nvidia, amd, aws, google
  std::int64_t memory_mib = 0;      // nominal
  std::int64_t usable_mib = 0;      // what the driver shows as total; 0: not published
  std::int64_t sm_count = 0;        // 0: not a notion of this device, or not published
  std::int64_t compute_slices = 0;  // MIG: 7 (A30: 4); 0 if it cannot be partitioned
  std::int64_t memory_slices = 0;   // MIG: 8 (A30: 4)
  std::vector<MigProfile> profiles;
  std::vector<std::string> aliases;  // exporter modelName, GFD product, cloud names
};

struct InstanceShape {
  std::string provider;       // aws, gcp, azure
  std::string instance_type;  // "p5.48xlarge"
  std::string gpu_model;      // GpuModel::name
  std::int64_t gpu_num = 0;   // GPUs as a fraction: g6f.large is 1/8
  std::int64_t gpu_den = 1;
  std::int64_t cpu_milli = 0;
  std::int64_t memory_bytes = 0;
};

// One data file: its name is used in error messages.
struct CatalogFile {
  std::string name;
  std::string text;
};

class Catalog {
 public:
  // Parses and validates the files (docs/formats/catalog.md); later files override earlier
  // rows of the same key. Fails with kBadData: "gpus.yaml:12: memory_mib: ...", all errors,
  // one a line.
  static Result<Catalog> Load(const std::vector<CatalogFile>& files);

  // By name or alias, compared without case, with ' ' and '_' as '-', and without the
  // suffixes of a shared or partitioned card ("-SHARED", "-MIG-1g.10gb"); null if unknown.
  const GpuModel* FindGpu(std::string_view name_or_alias) const;
  // By provider (any spelling CanonicalProvider knows) and type, without case; provider ""
  // looks in all. Null if unknown.
  const InstanceShape* FindShape(std::string_view provider, std::string_view type) const;

  // By name, alias, or an alias without its owner ("Llama-3.1-8B-Instruct"), without case and
  // with ' ' and '_' as '-'; null if unknown.
  const LanguageModel* FindModel(std::string_view name_or_alias) const;

  const std::vector<GpuModel>& gpus() const { return gpus_; }
  const std::vector<InstanceShape>& shapes() const { return shapes_; }
  const PriceBatch& prices() const { return prices_; }
  const std::vector<LanguageModel>& models() const { return models_; }
  // Models and GPUs by the catalog's own names.
  const std::vector<Throughput>& throughputs() const { return throughputs_; }
  // Of the files' content: another catalog may give other answers. Of no files: zero.
  const Hash128& content_hash() const { return content_hash_; }

 private:
  friend class CatalogLoader;
  std::vector<GpuModel> gpus_;
  std::vector<InstanceShape> shapes_;
  PriceBatch prices_;
  std::vector<LanguageModel> models_;
  std::vector<Throughput> throughputs_;
  Hash128 content_hash_;
  std::map<std::string, std::size_t, std::less<>> gpu_index_;    // lower-cased
  std::map<std::string, std::size_t, std::less<>> shape_index_;  // "provider/type", "/type"
  std::map<std::string, std::size_t, std::less<>> model_index_;
};

// The files that were embedded when the program was built, by name: the whole of catalog/.
const std::vector<CatalogFile>& BuiltinCatalogFiles();

}  // namespace plimsoll
