// Scenarios: what happens on the demo's nodes. Each adds holders for the whole window.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "demo/builder.h"

namespace plimsoll {

// PyTorchJobs of 8 and 16 GPUs, some of which fail and are tried again; idle at weekends.
void AddTraining(FleetBuilder& builder);

// Deployments that follow the traffic, a rolling update, a card that fails for two days, and
// small services on MIG instances. Also DaemonSet pods without a GPU on permanent nodes.
void AddServing(FleetBuilder& builder);
void AddSliceServices(FleetBuilder& builder);
void AddAgents(FleetBuilder& builder);

// Notebooks that are left over the weekend.
void AddNotebooks(FleetBuilder& builder);

// Spot nodes that come and go in `slots` places, and the batch jobs that they evict.
void AddSpotBatch(FleetBuilder& builder, std::int64_t slots);

// Slurm jobs: wide, array, requeued, cancelled, running, pending.
void AddSlurmJobs(FleetBuilder& builder);

}  // namespace plimsoll
