#include "demo/bill.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "units/decimal.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kHourMs = Hours(1).base();
const Money kUnusedPerHour = Money::Units(12);

std::int64_t Hours64(Window w) { return w.length().base() / kHourMs; }

// Nanos of `weights` split weights at `price` for `part` of an hour.
Money CostOf(std::int64_t weights, std::int64_t price, Window part) {
  const int128 nanos = int128{weights} * price * part.length().base();
  PLIMSOLL_CHECK(nanos % kHourMs == 0);
  return Money::FromNanos(nanos / kHourMs);
}

std::string QuantityText(Window part) {
  const int128 nanos = int128{part.length().base()} * Money::kNanosPerUnit;
  PLIMSOLL_CHECK(nanos % kHourMs == 0);
  return DecimalText(Money::FromNanos(nanos / kHourMs));
}

std::string TeamTags(const std::string& team) {
  return team.empty() ? "" : R"({"environment":"production","team":")" + team + "\"}";
}

// The parts of the window that fall into one calendar month each.
std::vector<Window> Months(Window window) {
  std::vector<Window> months;
  for (Instant t = window.begin; t < window.until; t = MonthOf(t).until) {
    months.push_back(Intersect(MonthOf(t), window));
  }
  return months;
}

std::vector<Window> Steps(Window window, Duration step) {
  std::vector<Window> steps;
  for (Instant t = window.begin; t < window.until; t = t + step) {
    steps.push_back({t, std::min(t + step, window.until)});
  }
  return steps;
}

// A charge that no node explains.
struct Extra {
  const char *category, *frequency, *pricing_category, *service_category, *service_subcategory,
      *service_name, *description, *resource_id, *resource_type, *team;
  std::int64_t nanos_per_hour;
};

void AddExtra(DemoBill& bill, Window period, const Extra& extra) {
  const Money cost = Money::FromNanos(int128{extra.nanos_per_hour} * Hours64(period));
  DemoCharge charge;
  charge.period = period;
  charge.category = extra.category;
  charge.frequency = extra.frequency;
  charge.pricing_category = extra.pricing_category;
  charge.service_category = extra.service_category;
  charge.service_subcategory = extra.service_subcategory;
  charge.service_name = extra.service_name;
  charge.description = extra.description;
  charge.resource_id = extra.resource_id;
  charge.resource_name = extra.resource_id;
  charge.resource_type = extra.resource_type;
  charge.tags = TeamTags(extra.team);
  charge.who = *extra.team != '\0' ? extra.team : "no-label";
  charge.list = charge.contracted = charge.billed = charge.effective = cost;
  if (charge.category == "Usage") {
    const bool monthly = period.length() > Days(1);
    charge.pricing_unit = monthly ? "Months" : period.length() > Hours(1) ? "Days" : "Hours";
    charge.sku_id = "FEE-" + charge.pricing_unit;
    charge.pricing_quantity = charge.consumed_quantity = "1";
    charge.list_unit_price = charge.contracted_unit_price = DecimalText(cost);
  }
  bill.charges.push_back(std::move(charge));
}

// AWS: one row a node and hour.
void AddAwsNode(const DemoFleet& fleet, std::size_t index, DemoBill& bill) {
  const DemoNode& node = fleet.nodes[index];
  const Window life =
      Intersect({node.begin, node.until.value_or(fleet.window.until)}, fleet.window);
  for (const Window& hour : Steps(fleet.window, Hours(1))) {
    const Window part = Intersect(hour, life);
    if (part.empty()) continue;
    const std::int64_t weights = node.shape.weights();
    DemoCharge charge;
    charge.period = part;
    charge.service_category = "Compute";
    charge.service_subcategory = "Virtual Machines";
    charge.service_name = "Amazon Elastic Compute Cloud";
    charge.resource_id = node.instance_id;
    charge.resource_name = node.instance_id;
    charge.resource_type = "Virtual Machine";
    charge.zone = node.zone;
    charge.instance_type = node.shape.instance_type;
    charge.pricing_unit = "Hours";
    charge.pricing_quantity = charge.consumed_quantity = QuantityText(part);
    charge.tags = R"({"eks:cluster-name":"demo","karpenter.sh/nodepool":")" + node.pool + "\"}";
    charge.list = CostOf(weights, node.list_price, part);
    charge.list_unit_price = DecimalText(CostOf(weights, node.list_price, hour));
    charge.effective = CostOf(weights, PriceAt(fleet, node, hour.begin), part);
    charge.node = index;
    if (node.purchase == DemoPurchase::kCommitted) {
      charge.pricing_category = "Committed";
      charge.commitment = true;
      charge.commitment_status = "Used";
      charge.commitment_quantity = DecimalText(charge.effective);
      charge.contracted = charge.list;
      charge.contracted_unit_price = charge.list_unit_price;
      charge.sku_id = "SP-" + node.shape.instance_type;
    } else {
      const bool spot = node.purchase == DemoPurchase::kSpot;
      charge.pricing_category = spot ? "Dynamic" : "Standard";
      charge.billed = charge.contracted = charge.effective;
      charge.contracted_unit_price =
          DecimalText(CostOf(weights, PriceAt(fleet, node, hour.begin), hour));
      charge.sku_id = (spot ? "SPOT-" : "OD-") + node.shape.instance_type;
    }
    charge.description =
        fmt::format("${} per {} Linux {} Instance Hour", charge.contracted_unit_price,
                    charge.pricing_category, node.shape.instance_type);
    bill.charges.push_back(std::move(charge));
  }
}

// What the plan did not cover, by hour, and its purchase, by month.
void AddCommitment(const DemoFleet& fleet, DemoBill& bill) {
  DemoCharge charge;
  charge.commitment = true;
  charge.service_category = "Compute";
  charge.service_subcategory = "Virtual Machines";
  charge.service_name = "Savings Plans for AWS Compute usage";
  charge.resource_id = charge.resource_name = bill.commitment_id;
  charge.resource_type = "Savings Plan";
  charge.tags = TeamTags("platform");
  charge.who = "platform";
  charge.sku_id = "SP-COMPUTE-1Y";
  for (const Window& month : Months(fleet.window)) {
    Money purchase;
    for (const DemoCharge& used : bill.charges) {
      if (used.commitment_status == "Used" && month.contains(used.period.begin)) {
        purchase += used.effective;
      }
    }
    for (const Window& hour : Steps(month, Hours(1))) {
      DemoCharge unused = charge;
      unused.period = hour;
      unused.pricing_category = "Committed";
      unused.commitment_status = "Unused";
      unused.commitment_quantity = DecimalText(kUnusedPerHour);
      unused.description = "Unused commitment of the compute savings plan";
      unused.effective = kUnusedPerHour;
      purchase += unused.effective;
      bill.charges.push_back(std::move(unused));
    }
    DemoCharge fee = charge;
    fee.period = month;
    fee.category = "Purchase";
    fee.frequency = "Recurring";
    fee.description = "Recurring fee of the compute savings plan, no upfront, one year";
    fee.commitment_quantity = DecimalText(purchase);
    fee.billed = fee.list = fee.contracted = purchase;
    fee.pricing_unit = "Months";
    fee.pricing_quantity = "1";
    fee.list_unit_price = fee.contracted_unit_price = DecimalText(purchase);
    bill.charges.push_back(std::move(fee));
  }
}

DemoBill AwsBill(const DemoFleet& fleet) {
  DemoBill bill{"AWS",
                "Amazon Web Services, Inc.",
                "111122223333",
                "Example Corp",
                "444455556666",
                "ml-platform",
                "us-east-1",
                "US East (N. Virginia)",
                "USD",
                "EUINUS26",
                "arn:aws:savingsplans::111122223333:savingsplan/5b0c1f0e-demo",
                "compute-1y",
                {}};
  for (std::size_t i = 0; i < fleet.nodes.size(); ++i) {
    if (!fleet.nodes[i].slurm()) AddAwsNode(fleet, i, bill);
  }
  AddCommitment(fleet, bill);
  for (const Window& hour : Steps(fleet.window, Hours(1))) {
    AddExtra(
        bill, hour,
        {"Usage", "Usage-Based", "Standard", "Compute", "Containers",
         "Amazon Elastic Kubernetes Service", "$0.10 per hour of an EKS cluster",
         "arn:aws:eks:us-east-1:444455556666:cluster/demo", "Cluster", "platform", 100'000'000});
  }
  const std::int64_t scale = fleet.gpus;
  for (const Window& day : Steps(fleet.window, Days(1))) {
    AddExtra(bill, day,
             {"Usage", "Usage-Based", "Standard", "Storage", "Object Storage",
              "Amazon Simple Storage Service", "Standard storage, checkpoints",
              "training-checkpoints", "Bucket", "pretraining", scale * 9'100'000});
    AddExtra(bill, day,
             {"Usage", "Usage-Based", "Standard", "Storage", "Object Storage",
              "Amazon Simple Storage Service", "Standard storage, raw data", "datasets-raw",
              "Bucket", "", scale * 4'300'000});
    AddExtra(bill, day,
             {"Usage", "Usage-Based", "Standard", "Storage", "Block Storage",
              "Amazon Elastic Compute Cloud", "gp3 volumes of notebooks", "vol-0a51c7d2e9b3f4680",
              "Volume", "research", scale * 700'000});
    AddExtra(bill, day,
             {"Usage", "Usage-Based", "Standard", "Networking", "Data Transfer",
              "AWS Data Transfer", "Data transfer out to the internet",
              "arn:aws:ec2:us-east-1:444455556666:natgateway/nat-0f3e", "NAT Gateway", "assistants",
              scale * 2'450'000});
  }
  for (const Window& month : Months(fleet.window)) {
    AddExtra(bill, month,
             {"Usage", "Recurring", "Other", "Management and Governance", "Support",
              "AWS Support (Business)", "Business support", "", "", "", scale * 31'000'000});
    AddExtra(bill, month,
             {"Tax", "Recurring", "", "Other", "Other (Other)", "Tax", "Sales tax", "", "", "",
              scale * 17'500'000});
    AddExtra(bill, month,
             {"Credit", "One-Time", "", "Other", "Other (Other)", "Credits",
              "Migration programme credit", "", "", "", scale * -6'200'000});
    AddExtra(bill, month,
             {"Adjustment", "One-Time", "", "Other", "Other (Other)", "Adjustments",
              "Service level agreement refund", "", "", "", scale * -450'000});
  }
  return bill;
}

// Google Cloud: three rows a node and hour, as machine families of GPUs are sold in parts.
void AddGoogleNode(const DemoFleet& fleet, std::size_t index, DemoBill& bill) {
  const DemoNode& node = fleet.nodes[index];
  constexpr std::int64_t kCore = 75 * kExactNanos, kGib = 10 * kExactNanos;
  for (const Window& hour : Steps(fleet.window, Hours(1))) {
    const Money total = CostOf(node.shape.weights(), PriceAt(fleet, node, hour.begin), hour);
    const Money core = Money::FromNanos(int128{kCore} * node.shape.cpu);
    const Money memory = Money::FromNanos(int128{kGib} * node.shape.gib);
    const auto add = [&](const char* sku, const char* text, const char* unit, std::int64_t quantity,
                         Money cost) {
      DemoCharge charge;
      charge.period = hour;
      charge.service_category = "Compute";
      charge.service_subcategory = "Virtual Machines";
      charge.service_name = "Compute Engine";
      charge.description = text;
      charge.resource_id =
          fmt::format("//compute.googleapis.com/projects/example-hpc/zones/{}/instances/{}",
                      node.zone, node.instance_id);
      charge.resource_name = node.name;
      charge.resource_type = "instances";
      charge.zone = node.zone;
      charge.instance_type = node.shape.instance_type;
      charge.sku_id = sku;
      charge.pricing_unit = unit;
      charge.pricing_quantity = charge.consumed_quantity = fmt::format("{}", quantity);
      PLIMSOLL_CHECK(cost.nanos() % quantity == 0);
      charge.list_unit_price = charge.contracted_unit_price =
          DecimalText(Money::FromNanos(cost.nanos() / quantity));
      charge.list = charge.contracted = charge.billed = charge.effective = cost;
      charge.node = index;
      bill.charges.push_back(std::move(charge));
    };
    add("2390-DCAF-DA38", "A2 Instance Core running in Americas", "hour", node.shape.cpu, core);
    add("2922-40C6-3D9A", "A2 Instance Ram running in Americas", "gibibyte hour", node.shape.gib,
        memory);
    add("039F-D0DA-4055", "Nvidia Tesla A100 GPU running in Americas", "hour", node.shape.gpus,
        total - core - memory);
  }
}

DemoBill GoogleBill(const DemoFleet& fleet) {
  DemoBill bill{"Google Cloud",
                "Google Cloud",
                "01A2B3-C4D5E6-F7A8B9",
                "Example Research",
                "example-hpc",
                "example-hpc",
                "us-central1",
                "Iowa",
                "USD",
                "5289",
                "",
                "",
                {}};
  for (std::size_t i = 0; i < fleet.nodes.size(); ++i) {
    if (fleet.nodes[i].slurm()) AddGoogleNode(fleet, i, bill);
  }
  for (const Window& day : Steps(fleet.window, Days(1))) {
    AddExtra(bill, day,
             {"Usage", "Usage-Based", "Standard", "Storage", "Object Storage", "Cloud Storage",
              "Standard Storage Iowa", "//storage.googleapis.com/climate-archive", "buckets",
              "hpc-climate", 180'000'000});
  }
  for (const Window& month : Months(fleet.window)) {
    AddExtra(bill, month,
             {"Tax", "Recurring", "", "Other", "Other (Other)", "Invoice", "Tax", "", "", "",
              960'000'000});
    AddExtra(bill, month,
             {"Credit", "One-Time", "", "Compute", "Virtual Machines", "Compute Engine",
              "Research credit", "", "", "", -1'500'000'000});
  }
  return bill;
}

}  // namespace

std::int64_t PriceAt(const DemoFleet& fleet, const DemoNode& node, Instant t) {
  if (node.purchase != DemoPurchase::kSpot) return node.price;
  const std::int64_t day = Between(fleet.window.begin, t).base() / Days(1).base();
  return node.spot_price[static_cast<std::size_t>(day)];
}

std::string DecimalText(Money money) { return ExactDecimal::FromMoney(money).ToString(); }

void MakeBills(DemoFleet& fleet) {
  fleet.bills = {AwsBill(fleet)};
  const bool slurm = std::any_of(fleet.nodes.begin(), fleet.nodes.end(),
                                 [](const DemoNode& node) { return node.slurm(); });
  if (slurm) fleet.bills.push_back(GoogleBill(fleet));
}

}  // namespace plimsoll
