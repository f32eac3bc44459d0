#include "ingest/slurm/jobstats.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "ingest/base64.h"

namespace plimsoll {
namespace {

using nlohmann::json;

constexpr std::string_view kMark = "JS1:";

// The whole of a gzip or zlib stream; null if it is broken, cut off or too long.
std::optional<std::string> Unzip(const std::string& packed) {
  z_stream stream{};
  constexpr int kGzipOrZlib = 15 + 32;
  if (inflateInit2(&stream, kGzipOrZlib) != Z_OK) return std::nullopt;
  // zlib takes a pointer to non-const and does not write through it.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string text;
  int status = Z_OK;
  while (status == Z_OK && text.size() < kJobstatsBytesMax) {
    char chunk[16 * 1024];
    stream.next_out = reinterpret_cast<Bytef*>(chunk);
    stream.avail_out = sizeof chunk;
    status = inflate(&stream, Z_NO_FLUSH);
    text.append(chunk, sizeof chunk - stream.avail_out);
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END) return std::nullopt;
  return text;
}

// A percent of 0 to 100 as parts per million.
std::optional<std::int64_t> PpmOf(const json& percent) {
  if (!percent.is_number()) return std::nullopt;
  const auto ppm = percent.get<json::number_float_t>() * 10'000;
  if (!(ppm >= 0 && ppm <= 1'000'000)) return std::nullopt;
  return std::llround(ppm);
}

Error Bad(const std::string& why) {
  return {ErrorCode::kBadData, "the jobstats summary " + why + ": its GPU use is not known"};
}

}  // namespace

Result<std::optional<JobstatsUse>> ReadJobstats(std::string_view admin_comment) {
  const std::optional<JobstatsUse> none;
  if (!admin_comment.starts_with(kMark)) return none;
  const std::string_view packed = admin_comment.substr(kMark.size());
  if (packed == "Short" || packed == "None") return none;
  const auto bytes = DecodeBase64(packed);
  if (!bytes) return Bad("is not base64");
  const auto text = Unzip(*bytes);
  if (!text) return Bad("is not a whole gzip stream");
  const json summary = json::parse(*text, nullptr, false);
  if (!summary.is_object()) return Bad("is not JSON");
  const auto nodes = summary.find("nodes");
  if (nodes == summary.end() || !nodes->is_object()) return Bad("names no nodes");
  JobstatsUse use;
  for (const auto& [node, figures] : nodes->items()) {
    const auto by_gpu = figures.is_object() ? figures.find("gpu_utilization") : figures.end();
    if (by_gpu == figures.end() || !by_gpu->is_object() || by_gpu->empty()) continue;
    std::int64_t sum = 0;
    for (const auto& [gpu, percent] : by_gpu->items()) {
      const auto ppm = PpmOf(percent);
      if (!ppm) return Bad("has a use of GPU " + gpu.substr(0, 20) + " that is no percent");
      sum += *ppm;
    }
    use[node] = sum / static_cast<std::int64_t>(by_gpu->size());
  }
  return std::optional(std::move(use));
}

}  // namespace plimsoll
