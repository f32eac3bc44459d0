#include "demo/write_dcgm.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>
#include <utility>

#include "demo/random.h"

namespace plimsoll {
namespace {

// Consecutive samples of one unit that carry the same labels. A series may have several.
struct LabelledSeries {
  std::optional<std::size_t> hold;
  std::vector<std::size_t> twelfths;
};

std::vector<LabelledSeries> SeriesOf(const DemoFleet& fleet, const DemoUnit& unit) {
  std::vector<LabelledSeries> series;
  std::map<std::optional<std::size_t>, std::size_t> index;
  std::size_t next = 0;
  for (std::size_t i = 0; i < unit.percent.size(); ++i) {
    if (unit.percent[i] == kNoSample) continue;
    const Instant t = fleet.grid(i);
    const auto span = [&] { return fleet.holds[unit.holds[next]].span(fleet.window.until); };
    while (next < unit.holds.size() && span().until <= t) ++next;
    std::optional<std::size_t> hold;
    if (next < unit.holds.size() && span().begin <= t) hold = unit.holds[next];
    const auto [found, is_new] = index.try_emplace(hold, series.size());
    if (is_new) series.push_back({hold, {}});
    series[found->second].twelfths.push_back(i);
  }
  return series;
}

// "0", "0.07", "0.5", "1": a percent as the ratio that Prometheus prints.
std::string Ratio(std::int64_t percent) {
  if (percent == 100) return "1";
  if (percent % 10 == 0) return percent == 0 ? "0" : fmt::format("0.{}", percent / 10);
  return fmt::format("0.{:02}", percent);
}

// One kernel that is resident counts as busy: utilisation is never below SM activity.
std::int64_t UtilOf(std::int64_t percent) {
  return percent == 0 ? 0 : percent + (100 - percent) / 3;
}

class DcgmWriter {
 public:
  DcgmWriter(const DemoFleet& fleet, std::string_view cluster, OpenMetricsWriter& out)
      : fleet_(fleet), out_(out) {
    for (const DemoNode& node : fleet.nodes) {
      if (node.cluster != cluster) continue;
      nodes_.push_back(&node);
      std::vector<std::vector<LabelledSeries>> units;
      for (const DemoUnit& unit : node.units) units.push_back(SeriesOf(fleet, unit));
      series_.push_back(std::move(units));
    }
    for (std::size_t p = 0; p < ratio_.size(); ++p) {
      ratio_[p] = Ratio(static_cast<std::int64_t>(p));
    }
  }

  void WriteAll() {
    out_.Family("DCGM_FI_PROF_SM_ACTIVE",
                "The ratio of cycles an SM has at least 1 warp assigned.");
    EachUnit(false, [&](const DemoNode&, const DemoUnit& unit, const LabelledSeries& series) {
      Percents(unit, series, [&](std::size_t p) -> const std::string& { return ratio_[p]; });
    });
    WriteGrEngine();
    out_.Family("DCGM_FI_DEV_GPU_UTIL", "GPU utilization (in %).");
    EachUnit(false, [&](const DemoNode&, const DemoUnit& unit, const LabelledSeries& series) {
      Percents(unit, series, [&](std::size_t p) {
        return fmt::format_int(UtilOf(static_cast<std::int64_t>(p))).str();
      });
    });
    out_.Family("DCGM_FI_DEV_FB_USED", "Framebuffer memory used (in MiB).");
    for (const bool mig : {false, true}) {
      EachUnit(mig, [&](const DemoNode& node, const DemoUnit& unit, const LabelledSeries& series) {
        if (series.hold) WriteMemory(node, unit, series);
      });
    }
    WritePower();
    WriteXid();
  }

 private:
  static std::string CardLabels(const DemoNode& node, std::size_t card) {
    std::string labels;
    AppendLabel(labels, "gpu", fmt::format("{}", card));
    AppendLabel(labels, "UUID", node.cards[card].uuid);
    AppendLabel(labels, "device", fmt::format("nvidia{}", card));
    AppendLabel(labels, "modelName", node.shape.model_name);
    return labels;
  }
  std::string LabelsOf(const DemoNode& node, const DemoUnit& unit,
                       std::optional<std::size_t> hold) const {
    std::string labels = CardLabels(node, unit.card);
    if (!unit.instance.empty()) {
      AppendLabel(labels, "GPU_I_PROFILE", unit.profile);
      AppendLabel(labels, "GPU_I_ID", unit.instance);
    }
    AppendLabel(labels, "Hostname", node.name);
    if (!hold) return labels;
    const DemoHold& holder = fleet_.holds[*hold];
    if (node.slurm()) {
      AppendLabel(labels, "hpc_job", holder.name);
    } else {
      AppendLabel(labels, "container", holder.container);
      AppendLabel(labels, "namespace", holder.ns);
      AppendLabel(labels, "pod", holder.name);
    }
    return labels;
  }

  // Calls `write` for each series of the whole cards, or of the MIG instances.
  template <class Write>
  void EachUnit(bool mig, const Write& write) {
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const DemoNode& node = *nodes_[n];
      for (std::size_t u = 0; u < node.units.size(); ++u) {
        if (node.cards[node.units[u].card].mig() != mig) continue;
        for (const LabelledSeries& series : series_[n][u]) {
          out_.Series(LabelsOf(node, node.units[u], series.hold));
          write(node, node.units[u], series);
        }
      }
    }
  }

  template <class TextOf>
  void Percents(const DemoUnit& unit, const LabelledSeries& series, const TextOf& text_of) {
    for (const std::size_t i : series.twelfths)
      out_.Sample(fleet_.grid(i), text_of(unit.percent[i]));
  }

  // Of a partitioned card in twelfth `i`: the sum of its instances in 1/700; none unsampled.
  static std::optional<std::int64_t> CardParts(const DemoNode& node, std::size_t card,
                                               std::size_t i) {
    std::int64_t parts = 0;
    bool sampled = false;
    for (const std::size_t unit : node.cards[card].units) {
      if (node.units[unit].percent[i] == kNoSample) continue;
      sampled = true;
      parts += node.units[unit].sevenths * node.units[unit].percent[i];
    }
    return sampled ? std::optional(parts) : std::nullopt;
  }

  void WriteGrEngine() {
    out_.Family("DCGM_FI_PROF_GR_ENGINE_ACTIVE", "Ratio of time the graphics engine is active.");
    // The card's own series stands beside those of its instances.
    for (const DemoNode* node : nodes_) {
      for (std::size_t card = 0; card < node->cards.size(); ++card) {
        if (!node->cards[card].mig()) continue;
        std::string labels = CardLabels(*node, card);
        AppendLabel(labels, "Hostname", node->name);
        out_.Series(labels);
        for (std::size_t i = 0; i < fleet_.twelfths(); ++i) {
          const auto parts = CardParts(*node, card, i);
          if (parts) out_.Sample(fleet_.grid(i), ratio_[static_cast<std::size_t>(*parts / 7)]);
        }
      }
    }
    EachUnit(true, [&](const DemoNode&, const DemoUnit& unit, const LabelledSeries& series) {
      Percents(unit, series, [&](std::size_t p) -> const std::string& { return ratio_[p]; });
    });
  }

  void WriteMemory(const DemoNode& node, const DemoUnit& unit, const LabelledSeries& series) {
    const DemoHold& hold = fleet_.holds[*series.hold];
    const std::int64_t most = node.shape.fb_mib * unit.sevenths / 7;
    const std::int64_t share = hold.activity == DemoActivity::kNotebook ? 34 : 78;
    const auto spread = static_cast<std::int64_t>(MixBits(*series.hold) % 900U);
    for (const std::size_t i : series.twelfths) {
      const bool loading = fleet_.grid(i) < hold.ready;
      out_.Sample(fleet_.grid(i),
                  fmt::format_int(loading ? most * 9 / 100 : most * share / 100 + spread).str());
    }
  }

  void WritePower() {
    out_.Family("DCGM_FI_DEV_POWER_USAGE", "Power draw (in W).");
    const auto watts = [&](const DemoNode& node, std::int64_t percent) {
      const std::int64_t tenths =
          node.shape.idle_watts * 10 + percent * node.shape.deciwatts_per_percent;
      return tenths % 10 == 0 ? fmt::format("{}", tenths / 10)
                              : fmt::format("{}.{}", tenths / 10, tenths % 10);
    };
    EachUnit(false, [&](const DemoNode& node, const DemoUnit& unit, const LabelledSeries& series) {
      std::array<std::string, 101> text;
      for (std::size_t p = 0; p < text.size(); ++p) {
        text[p] = watts(node, static_cast<std::int64_t>(p));
      }
      Percents(unit, series, [&](std::size_t p) -> const std::string& { return text[p]; });
    });
    for (const DemoNode* node : nodes_) {  // a partitioned card has one series
      for (std::size_t card = 0; card < node->cards.size(); ++card) {
        if (!node->cards[card].mig()) continue;
        std::string labels = CardLabels(*node, card);
        AppendLabel(labels, "Hostname", node->name);
        out_.Series(labels);
        for (std::size_t i = 0; i < fleet_.twelfths(); ++i) {
          const auto parts = CardParts(*node, card, i);
          if (parts) out_.Sample(fleet_.grid(i), watts(*node, *parts / 7));
        }
      }
    }
  }

  // The last error code is sticky: 79 just before the card vanishes, 0 after its repair.
  void WriteXid() {
    out_.Family("DCGM_FI_DEV_XID_ERRORS", "Value of the last XID error encountered.");
    for (const DemoNode* node : nodes_) {
      for (std::size_t card = 0; card < node->cards.size(); ++card) {
        const DemoUnit& unit = node->units[node->cards[card].units.front()];
        std::string labels = CardLabels(*node, card);
        AppendLabel(labels, "Hostname", node->name);
        out_.Series(labels);
        for (std::size_t i = 0; i < fleet_.twelfths(); ++i) {
          if (unit.percent[i] == kNoSample) continue;
          const Instant t = fleet_.grid(i);
          const bool last =
              unit.failed && t < unit.failed->begin && unit.failed->begin <= t + kDemoStep;
          if (last) {
            out_.Sample(t, "79");
          } else if (i % 12 == 0) {
            out_.Sample(t, "0");
          }
        }
      }
    }
  }

  const DemoFleet& fleet_;
  OpenMetricsWriter& out_;
  std::vector<const DemoNode*> nodes_;
  std::vector<std::vector<std::vector<LabelledSeries>>> series_;  // by node, unit
  std::array<std::string, 101> ratio_;
};

}  // namespace

void WriteDcgm(const DemoFleet& fleet, std::string_view cluster, OpenMetricsWriter& out) {
  DcgmWriter(fleet, cluster, out).WriteAll();
}

}  // namespace plimsoll
