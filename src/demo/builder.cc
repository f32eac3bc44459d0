#include "demo/builder.h"

#include "base/check.h"

namespace plimsoll {

std::size_t FleetBuilder::AddOwner(DemoOwner owner, std::optional<std::size_t> parent) {
  DemoRandom random(fleet_.seed, "owner/" + owner.kind + "/" + owner.ns + "/" + owner.name);
  owner.uid = random.Uuid();
  if (parent) owner.parent_uid = fleet_.owners[*parent].uid;
  fleet_.owners.push_back(std::move(owner));
  return fleet_.owners.size() - 1;
}

bool FleetBuilder::Free(std::size_t node, const std::vector<std::size_t>& units,
                        Window span) const {
  const DemoNode& on = fleet_.nodes[node];
  if (span.begin < on.begin || (on.until && *on.until < span.until)) return false;
  for (const std::size_t unit : units) {
    const DemoUnit& u = on.units[unit];
    if (u.failed && !Intersect(*u.failed, span).empty()) return false;
    for (const std::size_t hold : u.holds) {
      if (!Intersect(fleet_.holds[hold].span(window().until), span).empty()) return false;
    }
  }
  return true;
}

std::size_t FleetBuilder::AddHold(DemoHold hold) {
  PLIMSOLL_CHECK(hold.bind <= hold.ready && hold.bind < window().until);
  if (hold.end && !EndsInTime(*hold.end)) hold.end.reset();
  const Window span = hold.span(window().until);
  PLIMSOLL_CHECK(hold.ready < span.until && window().begin < span.until);
  PLIMSOLL_CHECK(Free(hold.node, hold.units, span));
  for (const std::size_t unit : hold.units) {
    fleet_.nodes[hold.node].units[unit].holds.push_back(fleet_.holds.size());
  }
  fleet_.holds.push_back(std::move(hold));
  return fleet_.holds.size() - 1;
}

std::size_t FleetBuilder::AddPod(const PodTemplate& pod, std::size_t owner, const std::string& name,
                                 std::size_t node, const std::vector<std::size_t>& units,
                                 const PodLife& life) {
  const DemoOwner& by = fleet_.owners[owner];
  const std::size_t hold = AddHold({node, units, pod.cpu, pod.gib, life.bind, life.ready, life.end,
                                    by.uid, pod.who, pod.ns, name, pod.container, pod.activity});
  const bool ended = fleet_.holds[hold].end.has_value();
  DemoRandom random(fleet_.seed, "pod/" + by.uid + "/" + name);
  fleet_.pods.push_back({hold, pod.ns, name, random.Uuid(), pod.container, owner, pod.labels,
                         pod.resource, pod.count, pod.cpu, pod.gib, life.created,
                         ended ? life.end_reason : ""});
  return hold;
}

void FleetBuilder::AddPendingPod(const PodTemplate& pod, std::size_t owner, const std::string& name,
                                 Instant created) {
  DemoRandom random(fleet_.seed, "pod/" + fleet_.owners[owner].uid + "/" + name);
  fleet_.pods.push_back({std::nullopt, pod.ns, name, random.Uuid(), pod.container, owner,
                         pod.labels, pod.resource, pod.count, pod.cpu, pod.gib, created, ""});
}

std::string PodSuffix(DemoRandom& random, std::size_t length) {
  return random.Text(length, "bcdfghjklmnpqrstvwxz2456789");
}

std::int64_t TrafficAt(Instant t) {
  static constexpr std::int64_t kByHour[24] = {22, 16, 12, 10,  10, 14, 24, 42, 62, 78, 88, 94,
                                               96, 95, 97, 100, 96, 90, 84, 76, 66, 54, 40, 30};
  const std::int64_t hour = (t.base() - FloorTo(t, Days(1)).base()) / Hours(1).base();
  const std::int64_t weekday = kByHour[hour];
  return WeekdayOf(t) >= 6 ? weekday * 55 / 100 : weekday;
}

}  // namespace plimsoll
