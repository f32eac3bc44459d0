// GpuSeries: what a series of an accelerator exporter is, whichever release, mode and scraper
// named it.
//
// The key of a device is its UUID and its instance (MIG GPU_I_ID, AMD partition, NeuronCore)
// alone; every other label churns. A label that the scraper had to rename to exported_X is the
// exporter's own X. See docs/formats/exposition.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "ingest/prometheus/samples.h"
#include "ingest/prometheus/signal_table.h"
#include "ingest/usage_fold.h"

namespace plimsoll {

// Who a series says is on the device: a pod, or a Slurm job (ns "").
struct HolderLabels {
  std::string ns, name;  // name "": nobody
};

struct GpuSeries {
  // False: the name is one that is read, but the labels are another program's, or the series
  // speaks of a part that is no busy fraction (a video engine). Nothing else is set then.
  bool is_ours = false;
  std::string uuid;      // "" if the series names no device
  std::string instance;  // "" also for power and energy, the card's whoever exports them
  DeviceLabels labels;
  HolderLabels holder;
  std::string own_instance;  // the instance that the series itself speaks of
  // The exporter's own pod, as the scraper attached it (when exported_pod is there too): a
  // series of the same block whose plain pod label is this one has no holder.
  HolderLabels exporter;
  std::string scrape;  // which scrape it came by (its target and job); "" if nothing says
  // An AMD partition that has no counters of its own: its 0 says nothing.
  bool zero_is_silence = false;
  std::int64_t xid = 0;  // of kXidEvent: the code that is counted
};
GpuSeries ReadGpuSeries(const SeriesLabels& series, const SignalRow& row);

}  // namespace plimsoll
