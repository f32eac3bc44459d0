#include "store/schema_versions.h"

#include <array>

namespace plimsoll {
namespace {

constexpr const char* kVersion1 = R"sql(
CREATE TABLE schema_version (version BIGINT NOT NULL);
CREATE TABLE snapshot (
  snapshot_id BIGINT NOT NULL,
  kind VARCHAR NOT NULL,
  scope VARCHAR NOT NULL,
  period_begin BIGINT NOT NULL,
  period_until BIGINT NOT NULL,
  content_hash VARCHAR NOT NULL,
  rows BIGINT NOT NULL,
  rejected BIGINT NOT NULL,
  data_begin BIGINT,
  data_until BIGINT,
  previous_id BIGINT NOT NULL,
  active BIGINT NOT NULL
);
CREATE TABLE charge (
  snapshot_id BIGINT NOT NULL,
  line BIGINT NOT NULL,
  provider VARCHAR NOT NULL,
  issuer VARCHAR NOT NULL,
  account VARCHAR NOT NULL,
  account_name VARCHAR NOT NULL,
  currency VARCHAR NOT NULL,
  billing_begin BIGINT NOT NULL,
  billing_until BIGINT NOT NULL,
  charge_begin BIGINT NOT NULL,
  charge_until BIGINT NOT NULL,
  category VARCHAR NOT NULL,
  charge_class VARCHAR NOT NULL,
  frequency VARCHAR NOT NULL,
  description VARCHAR NOT NULL,
  service_category VARCHAR NOT NULL,
  service_name VARCHAR NOT NULL,
  sub_account VARCHAR NOT NULL,
  sub_account_name VARCHAR NOT NULL,
  resource_id VARCHAR NOT NULL,
  resource_name VARCHAR NOT NULL,
  resource_type VARCHAR NOT NULL,
  region VARCHAR NOT NULL,
  zone VARCHAR NOT NULL,
  sku_id VARCHAR NOT NULL,
  sku_price_id VARCHAR NOT NULL,
  instance_type VARCHAR NOT NULL,
  pricing_category VARCHAR NOT NULL,
  pricing_quantity VARCHAR NOT NULL,
  pricing_unit VARCHAR NOT NULL,
  consumed_quantity VARCHAR NOT NULL,
  consumed_unit VARCHAR NOT NULL,
  commitment_id VARCHAR NOT NULL,
  commitment_status VARCHAR NOT NULL,
  invoice_id VARCHAR NOT NULL,
  tags VARCHAR NOT NULL,
  billed_cost DECIMAL(18,9) NOT NULL,
  effective_cost DECIMAL(18,9) NOT NULL,
  list_cost DECIMAL(18,9),
  contracted_cost DECIMAL(18,9)
);
CREATE TABLE charge_total (
  snapshot_id BIGINT NOT NULL,
  provider VARCHAR NOT NULL,
  issuer VARCHAR NOT NULL,
  account VARCHAR NOT NULL,
  currency VARCHAR NOT NULL,
  rows BIGINT NOT NULL,
  billed_exact VARCHAR NOT NULL,
  effective_exact VARCHAR NOT NULL,
  rejected_billed_exact VARCHAR NOT NULL,
  rejected_effective_exact VARCHAR NOT NULL
);
CREATE TABLE price (
  snapshot_id BIGINT NOT NULL,
  provider VARCHAR NOT NULL,
  region VARCHAR NOT NULL,
  instance_type VARCHAR NOT NULL,
  purchase VARCHAR NOT NULL,
  rung VARCHAR NOT NULL,
  currency VARCHAR NOT NULL,
  amount DECIMAL(18,9) NOT NULL,
  per_seconds BIGINT NOT NULL,
  valid_from BIGINT NOT NULL,
  valid_until BIGINT,
  source VARCHAR NOT NULL,
  as_of VARCHAR NOT NULL
);
CREATE TABLE node (
  snapshot_id BIGINT NOT NULL,
  cluster VARCHAR NOT NULL,
  node VARCHAR NOT NULL,
  provider_id VARCHAR NOT NULL,
  instance_type VARCHAR NOT NULL,
  region VARCHAR NOT NULL,
  zone VARCHAR NOT NULL,
  capacity_type VARCHAR NOT NULL,
  gpu_model VARCHAR NOT NULL,
  gpu_count BIGINT NOT NULL,
  cpu_milli BIGINT NOT NULL,
  memory_bytes BIGINT NOT NULL,
  begin_at BIGINT,
  until_at BIGINT,
  labels VARCHAR NOT NULL
);
CREATE TABLE binding (
  snapshot_id BIGINT NOT NULL,
  cluster VARCHAR NOT NULL,
  node VARCHAR NOT NULL,
  device VARCHAR NOT NULL,
  instance VARCHAR NOT NULL,
  namespace VARCHAR NOT NULL,
  name VARCHAR NOT NULL,
  begin_at BIGINT NOT NULL,
  until_at BIGINT NOT NULL
);
CREATE TABLE holding (
  snapshot_id BIGINT NOT NULL,
  cluster VARCHAR NOT NULL,
  node VARCHAR NOT NULL,
  source VARCHAR NOT NULL,
  namespace VARCHAR NOT NULL,
  name VARCHAR NOT NULL,
  uid VARCHAR NOT NULL,
  workload_kind VARCHAR NOT NULL,
  workload VARCHAR NOT NULL,
  account VARCHAR NOT NULL,
  user_name VARCHAR NOT NULL,
  queue VARCHAR NOT NULL,
  labels VARCHAR NOT NULL,
  devices BIGINT NOT NULL,
  device_kind VARCHAR NOT NULL,
  share_num BIGINT NOT NULL,
  share_den BIGINT NOT NULL,
  cpu_milli BIGINT NOT NULL,
  memory_bytes BIGINT NOT NULL,
  queued_at BIGINT,
  begin_at BIGINT NOT NULL,
  ready_at BIGINT,
  until_at BIGINT,
  end_reason VARCHAR NOT NULL
);
CREATE TABLE pending (
  snapshot_id BIGINT NOT NULL,
  cluster VARCHAR NOT NULL,
  source VARCHAR NOT NULL,
  namespace VARCHAR NOT NULL,
  name VARCHAR NOT NULL,
  workload_kind VARCHAR NOT NULL,
  workload VARCHAR NOT NULL,
  queue VARCHAR NOT NULL,
  labels VARCHAR NOT NULL,
  devices BIGINT NOT NULL,
  queued_at BIGINT NOT NULL,
  reason VARCHAR NOT NULL
);
CREATE TABLE usage (
  snapshot_id BIGINT NOT NULL,
  cluster VARCHAR NOT NULL,
  node VARCHAR NOT NULL,
  device VARCHAR NOT NULL,
  instance VARCHAR NOT NULL,
  profile VARCHAR NOT NULL,
  gpu_index BIGINT NOT NULL,
  gpu_model VARCHAR NOT NULL,
  hour BIGINT NOT NULL,
  signal VARCHAR NOT NULL,
  covered BIGINT[12] NOT NULL,
  active BIGINT[12] NOT NULL,
  energy_mj BIGINT,
  power_ms BIGINT,
  memory_mib_ms BIGINT,
  memory_ms BIGINT,
  quality VARCHAR NOT NULL
);
CREATE TABLE rejection (
  snapshot_id BIGINT NOT NULL,
  file VARCHAR NOT NULL,
  line BIGINT NOT NULL,
  field VARCHAR NOT NULL,
  reason VARCHAR NOT NULL,
  cost VARCHAR NOT NULL,
  raw VARCHAR NOT NULL
);
CREATE VIEW active_charge AS SELECT * FROM charge
  WHERE snapshot_id IN (SELECT snapshot_id FROM snapshot WHERE active = 1);
CREATE VIEW active_charge_total AS SELECT * FROM charge_total
  WHERE snapshot_id IN (SELECT snapshot_id FROM snapshot WHERE active = 1);
CREATE VIEW active_price AS SELECT * FROM price
  WHERE snapshot_id IN (SELECT snapshot_id FROM snapshot WHERE active = 1);
CREATE VIEW active_node AS SELECT * FROM node
  WHERE snapshot_id IN (SELECT snapshot_id FROM snapshot WHERE active = 1);
CREATE VIEW active_binding AS SELECT * FROM binding
  WHERE snapshot_id IN (SELECT snapshot_id FROM snapshot WHERE active = 1);
CREATE VIEW active_holding AS SELECT * FROM holding
  WHERE snapshot_id IN (SELECT snapshot_id FROM snapshot WHERE active = 1);
CREATE VIEW active_pending AS SELECT * FROM pending
  WHERE snapshot_id IN (SELECT snapshot_id FROM snapshot WHERE active = 1);
CREATE VIEW active_usage AS SELECT * FROM usage
  WHERE snapshot_id IN (SELECT snapshot_id FROM snapshot WHERE active = 1);
CREATE VIEW active_rejection AS SELECT * FROM rejection
  WHERE snapshot_id = 0 OR snapshot_id IN (SELECT snapshot_id FROM snapshot WHERE active = 1);
)sql";

// Conditions of the fleet, the shapes that wait, and use as a job's accounting tells it.
constexpr const char* kVersion2 = R"sql(
ALTER TABLE holding ADD COLUMN role VARCHAR DEFAULT '';
ALTER TABLE holding ADD COLUMN used_ppm BIGINT;
ALTER TABLE holding ADD COLUMN used_signal VARCHAR DEFAULT '';
ALTER TABLE holding ALTER COLUMN role SET NOT NULL;
ALTER TABLE holding ALTER COLUMN used_signal SET NOT NULL;
ALTER TABLE holding ALTER COLUMN role DROP DEFAULT;
ALTER TABLE holding ALTER COLUMN used_signal DROP DEFAULT;
ALTER TABLE pending ADD COLUMN unit_devices BIGINT DEFAULT 0;
ALTER TABLE pending ADD COLUMN device_kind VARCHAR DEFAULT '';
ALTER TABLE pending ALTER COLUMN unit_devices SET NOT NULL;
ALTER TABLE pending ALTER COLUMN device_kind SET NOT NULL;
ALTER TABLE pending ALTER COLUMN unit_devices DROP DEFAULT;
ALTER TABLE pending ALTER COLUMN device_kind DROP DEFAULT;
ALTER TABLE usage ADD COLUMN stalled BIGINT DEFAULT 0;
ALTER TABLE usage ALTER COLUMN stalled SET NOT NULL;
ALTER TABLE usage ALTER COLUMN stalled DROP DEFAULT;
CREATE TABLE node_state (
  snapshot_id BIGINT NOT NULL,
  cluster VARCHAR NOT NULL,
  node VARCHAR NOT NULL,
  aspect VARCHAR NOT NULL,
  value VARCHAR NOT NULL,
  gpus BIGINT NOT NULL,
  reason VARCHAR NOT NULL,
  since_at BIGINT NOT NULL,
  seen_at BIGINT NOT NULL
);
CREATE TABLE set_aside (
  snapshot_id BIGINT NOT NULL,
  cluster VARCHAR NOT NULL,
  source VARCHAR NOT NULL,
  kind VARCHAR NOT NULL,
  namespace VARCHAR NOT NULL,
  name VARCHAR NOT NULL,
  owner VARCHAR NOT NULL,
  node VARCHAR NOT NULL,
  gpus BIGINT NOT NULL,
  reason VARCHAR NOT NULL,
  since_at BIGINT NOT NULL,
  seen_at BIGINT NOT NULL,
  until_at BIGINT
);
CREATE TABLE volume (
  snapshot_id BIGINT NOT NULL,
  cluster VARCHAR NOT NULL,
  namespace VARCHAR NOT NULL,
  claim VARCHAR NOT NULL,
  volume_id VARCHAR NOT NULL,
  storage_class VARCHAR NOT NULL,
  bytes BIGINT NOT NULL,
  uid VARCHAR NOT NULL,
  workload_kind VARCHAR NOT NULL,
  workload VARCHAR NOT NULL,
  labels VARCHAR NOT NULL,
  begin_at BIGINT NOT NULL,
  until_at BIGINT
);
CREATE OR REPLACE VIEW active_holding AS SELECT * FROM holding
  WHERE snapshot_id IN (SELECT snapshot_id FROM snapshot WHERE active = 1);
CREATE OR REPLACE VIEW active_pending AS SELECT * FROM pending
  WHERE snapshot_id IN (SELECT snapshot_id FROM snapshot WHERE active = 1);
CREATE OR REPLACE VIEW active_usage AS SELECT * FROM usage
  WHERE snapshot_id IN (SELECT snapshot_id FROM snapshot WHERE active = 1);
CREATE VIEW active_node_state AS SELECT * FROM node_state
  WHERE snapshot_id IN (SELECT snapshot_id FROM snapshot WHERE active = 1);
CREATE VIEW active_set_aside AS SELECT * FROM set_aside
  WHERE snapshot_id IN (SELECT snapshot_id FROM snapshot WHERE active = 1);
CREATE VIEW active_volume AS SELECT * FROM volume
  WHERE snapshot_id IN (SELECT snapshot_id FROM snapshot WHERE active = 1);
)sql";

// Output: training runs, inference requests, what serving engines counted.
constexpr const char* kVersion3 = R"sql(
CREATE TABLE run (
  snapshot_id BIGINT NOT NULL,
  run VARCHAR NOT NULL,
  source VARCHAR NOT NULL,
  experiment VARCHAR NOT NULL,
  name VARCHAR NOT NULL,
  model VARCHAR NOT NULL,
  cluster VARCHAR NOT NULL,
  namespace VARCHAR NOT NULL,
  workload VARCHAR NOT NULL,
  pod VARCHAR NOT NULL,
  job VARCHAR NOT NULL,
  labels VARCHAR NOT NULL
);
CREATE TABLE run_event (
  snapshot_id BIGINT NOT NULL,
  run VARCHAR NOT NULL,
  source VARCHAR NOT NULL,
  attempt BIGINT NOT NULL,
  kind VARCHAR NOT NULL,
  event_at BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  gpus BIGINT,
  step BIGINT,
  tokens BIGINT,
  samples BIGINT,
  name VARCHAR NOT NULL,
  value VARCHAR NOT NULL
);
CREATE TABLE request (
  snapshot_id BIGINT NOT NULL,
  service VARCHAR NOT NULL,
  model VARCHAR NOT NULL,
  version VARCHAR NOT NULL,
  quantization VARCHAR NOT NULL,
  tenant VARCHAR NOT NULL,
  priority VARCHAR NOT NULL,
  request VARCHAR NOT NULL,
  arrival BIGINT NOT NULL,
  status VARCHAR NOT NULL,
  ttft_ns BIGINT,
  e2e_ns BIGINT,
  tpot_ns BIGINT,
  prefill_ns BIGINT,
  decode_ns BIGINT,
  input_tokens BIGINT,
  cached_tokens BIGINT,
  output_tokens BIGINT,
  reasoning_tokens BIGINT
);
CREATE TABLE serving (
  snapshot_id BIGINT NOT NULL,
  cluster VARCHAR NOT NULL,
  namespace VARCHAR NOT NULL,
  target VARCHAR NOT NULL,
  engine VARCHAR NOT NULL,
  model VARCHAR NOT NULL,
  quantity VARCHAR NOT NULL,
  part VARCHAR NOT NULL,
  le_ns BIGINT,
  hour BIGINT NOT NULL,
  covered BIGINT[12] NOT NULL,
  amount BIGINT[12] NOT NULL,
  quality VARCHAR NOT NULL
);
CREATE VIEW active_run AS SELECT * FROM run
  WHERE snapshot_id IN (SELECT snapshot_id FROM snapshot WHERE active = 1);
CREATE VIEW active_run_event AS SELECT * FROM run_event
  WHERE snapshot_id IN (SELECT snapshot_id FROM snapshot WHERE active = 1);
CREATE VIEW active_request AS SELECT * FROM request
  WHERE snapshot_id IN (SELECT snapshot_id FROM snapshot WHERE active = 1);
CREATE VIEW active_serving AS SELECT * FROM serving
  WHERE snapshot_id IN (SELECT snapshot_id FROM snapshot WHERE active = 1);
)sql";

constexpr std::array<SchemaStep, 3> kSteps{{{1, kVersion1}, {2, kVersion2}, {3, kVersion3}}};

}  // namespace

std::span<const SchemaStep> SchemaSteps() { return kSteps; }

}  // namespace plimsoll
