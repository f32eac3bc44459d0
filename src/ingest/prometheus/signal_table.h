// SignalTable: every exporter metric that is read, its signal, and the unit it comes in.
//
// One row a metric, one dialect an exporter; a new exporter is rows here and nothing else.
// Sources: dcgm-exporter etc/*.csv (also the names of 1.x), ROCm device-metrics-exporter
// docs/configuration/metricslist.md, the Gaudi metric exporter, neuron-monitor-prometheus.py,
// the GKE TPU device plugin, Princeton's nvidia_gpu_prometheus_exporter, OpenTelemetry's
// hw.gpu.* conventions as Prometheus names them. See docs/formats/exposition.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/usage_fold.h"

namespace plimsoll {

enum class Exporter : unsigned char {
  kDcgm,
  kDcgmOld,  // dcgm-exporter before 2.0, and --use-old-namespace
  kAmd,
  kGaudi,
  kNeuron,
  kTpu,
  kJobstats,  // Princeton's exporter of Slurm clusters
  kOtel,
};
inline constexpr std::size_t kExporters = 8;

// As exported. AMD's "MB" are MiB: a card of 192 GiB has 196,592 of them.
enum class SignalUnit : unsigned char {
  kRatio,
  kPercent,
  kWatt,
  kMilliwatt,
  kMib,
  kByte,
  kMillijoule,
  kMicrojoule,
  kJoule,
  kCode,   // an XID
  kCount,  // of the XID in label `xid`
};

struct SignalRow {
  const char* name;
  Exporter exporter;
  UsageSignal signal;
  SignalUnit unit;
};
std::span<const SignalRow> SignalRows();
const SignalRow* FindSignal(std::string_view name);  // null if nothing reads it

// Label names in the order in which they are tried; null: no more.
using LabelNames = std::array<const char*, 3>;

struct ExporterDialect {
  Exporter exporter;
  LabelNames device, instance, profile, model, index, job;
  // A series without this label is some other program's (names such as `duty_cycle` are
  // anybody's); null: the names alone tell.
  const char* own_label;
  const char* matcher;  // what a query asks beside the name, or ""
};
const ExporterDialect& DialectOf(Exporter exporter);

// The selectors that ask a server for every metric of the table. DCGM's are asked one by one,
// as each is much data; of every other exporter all at once, as most servers have none.
struct SignalQuery {
  std::vector<std::string> names;
  std::string matcher;  // beside the name, or ""
};
std::vector<SignalQuery> SignalQueries();

enum class ReadingKind : unsigned char {
  kValue,
  kAbsent,    // NaN or infinite: never 0
  kSentinel,  // a constant that stands for "no value": never 0
  kBad,       // negative, or beyond what the device can do
};
struct Reading {
  ReadingKind kind = ReadingKind::kAbsent;
  std::int64_t value = 0;  // in the signal's unit; a ratio above 1 is 1,000,001
};
Reading ReadSignalValue(const SignalRow& row, std::string_view text);

}  // namespace plimsoll
