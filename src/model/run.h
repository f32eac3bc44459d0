// Runs: what training loops, their trackers and schedulers wrote of training, an event a row.
//
// A run is one attempt after another at one result: attempts share `run`, and a resumed one
// goes on from the last durable checkpoint. Rows keep what the source says; economics/ makes
// spans and losses of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "model/column.h"

namespace plimsoll {

// One row a run. The key is (run, source).
struct RunBatch {
  std::vector<std::int64_t> snapshot_id;
  std::vector<std::string> run;         // unique id as its source gives it
  std::vector<Symbol> source;           // log, mlflow, tensorboard, trainer-state, lightning
  std::vector<std::string> experiment;  // runs that are compared; "" if unknown
  std::vector<std::string> name;        // for people; "" if unknown
  std::vector<std::string> model;       // what is trained; "" if unknown
  // What joins the run to cost lines; each "" if unknown. `workload` is a Kubernetes workload,
  // `pod` a pod, `job` a scheduler's job id ("1234", "1234_5").
  std::vector<Symbol> cluster;
  std::vector<std::string> ns, workload, pod, job;
  std::vector<std::string> labels;  // JSON object, keys sorted

  static constexpr std::tuple kColumns{
      MakeColumn("snapshot_id", &RunBatch::snapshot_id),
      MakeColumn("run", &RunBatch::run),
      MakeColumn("source", &RunBatch::source),
      MakeColumn("experiment", &RunBatch::experiment),
      MakeColumn("name", &RunBatch::name),
      MakeColumn("model", &RunBatch::model),
      MakeColumn("cluster", &RunBatch::cluster),
      MakeColumn("namespace", &RunBatch::ns),
      MakeColumn("workload", &RunBatch::workload),
      MakeColumn("pod", &RunBatch::pod),
      MakeColumn("job", &RunBatch::job),
      MakeColumn("labels", &RunBatch::labels),
  };
};

// One row an event. Order is (run, attempt, at, seq); an event told twice is one row.
//   start             the attempt holds its GPUs from here; `gpus`
//   step              `step` is done; `tokens` and `samples` since the attempt's step before
//   metric            `name` has `value` as of `step`
//   checkpoint_begin  `step` is being saved; checkpoint_end: it is durable
//   stall_begin       waiting for data (`name` says for what); stall_end
//   failure           the attempt died or hung (`name`: the reason as the source words it)
//   resume            work goes on from `step`, restored from a checkpoint
//   stop              the attempt gave its GPUs back; `name`: completed, cancelled, preempted
struct RunEventBatch {
  std::vector<std::int64_t> snapshot_id;
  std::vector<std::string> run;
  std::vector<Symbol> source;
  std::vector<std::int64_t> attempt;  // from 0
  std::vector<Symbol> kind;
  std::vector<Instant> at;
  std::vector<std::int64_t> seq;  // order of the writer among events of one time; else 0
  std::vector<std::optional<std::int64_t>> gpus, step, tokens, samples;
  std::vector<std::string> name, value;  // value: a decimal as written, also "nan" and "inf"

  static constexpr std::tuple kColumns{
      MakeColumn("snapshot_id", &RunEventBatch::snapshot_id),
      MakeColumn("run", &RunEventBatch::run),
      MakeColumn("source", &RunEventBatch::source),
      MakeColumn("attempt", &RunEventBatch::attempt),
      MakeColumn("kind", &RunEventBatch::kind),
      MakeColumn("event_at", &RunEventBatch::at),
      MakeColumn("seq", &RunEventBatch::seq),
      MakeColumn("gpus", &RunEventBatch::gpus),
      MakeColumn("step", &RunEventBatch::step),
      MakeColumn("tokens", &RunEventBatch::tokens),
      MakeColumn("samples", &RunEventBatch::samples),
      MakeColumn("name", &RunEventBatch::name),
      MakeColumn("value", &RunEventBatch::value),
  };
};

}  // namespace plimsoll
