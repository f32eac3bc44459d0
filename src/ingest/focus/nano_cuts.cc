#include "ingest/focus/nano_cuts.h"

#include <set>

namespace plimsoll {
namespace {

// A rest is below 10^31 < 2^103: 16 leading bits make at most 65,536 buckets a slot.
constexpr int kBucketShift = 87;

constexpr const char* kCreateRests =
    "CREATE OR REPLACE TEMP TABLE focus_rest (slot BIGINT, bucket BIGINT, rest HUGEINT, "
    "hash BIGINT, place BIGINT)";
constexpr const char* kCreateCuts =
    "CREATE OR REPLACE TEMP TABLE focus_cut (slot BIGINT, bucket BIGINT, nth BIGINT)";
constexpr const char* kCountBuckets =
    "SELECT slot, bucket, count(*) AS nth FROM focus_rest GROUP BY slot, bucket "
    "ORDER BY slot, bucket DESC";
constexpr const char* kFindCuts =
    "SELECT slot, bucket, rest, hash, place FROM ("
    "SELECT r.*, c.nth, row_number() OVER (PARTITION BY r.slot "
    "ORDER BY r.rest DESC, r.hash, r.place) AS n "
    "FROM focus_rest r JOIN focus_cut c ON r.slot = c.slot AND r.bucket = c.bucket) "
    "WHERE n = nth ORDER BY slot";

struct CutBatch {
  std::vector<std::int64_t> slot, bucket, nth;

  static constexpr std::tuple kColumns{
      MakeColumn("slot", &CutBatch::slot),
      MakeColumn("bucket", &CutBatch::bucket),
      MakeColumn("nth", &CutBatch::nth),
  };
};

// Nanos still to give, by slot.
std::map<std::int64_t, std::int64_t> LeftOvers(const ScopeBook& book) {
  std::map<std::int64_t, std::int64_t> left;
  for (std::size_t scope = 0; scope < book.scopes().size(); ++scope) {
    for (std::size_t cost = 0; cost < kChargeCosts; ++cost) {
      const std::int64_t nanos = book.scopes()[scope].costs[cost].LeftOver();
      if (nanos > 0) left[SlotOf(scope, cost)] = nanos;
    }
  }
  return left;
}

}  // namespace

bool RestKey::IsUpTo(const RestKey& other) const {
  if (rest != other.rest) return rest > other.rest;
  if (hash != other.hash) return hash < other.hash;
  return place <= other.place;
}

std::int64_t SlotOf(std::size_t scope, std::size_t cost) {
  return static_cast<std::int64_t>(scope * kChargeCosts + cost);
}

void AppendRest(RestBatch& batch, std::int64_t slot, const RestKey& key) {
  batch.slot.push_back(slot);
  batch.bucket.push_back(static_cast<std::int64_t>(key.rest >> kBucketShift));
  batch.rest.push_back(key.rest);
  batch.hash.push_back(key.hash);
  batch.place.push_back(key.place);
}

RestTables::~RestTables() {
  if (in_transaction_) static_cast<void>(store_.Rollback());
  if (!exists_ || in_transaction_) return;
  static_cast<void>(store_.Execute("DROP TABLE IF EXISTS focus_rest", {}));
  static_cast<void>(store_.Execute("DROP TABLE IF EXISTS focus_cut", {}));
}

Status RestTables::Begin() {
  PLIMSOLL_RETURN_IF_ERROR(store_.Begin());
  in_transaction_ = true;
  PLIMSOLL_RETURN_IF_ERROR(store_.Execute(kCreateRests, {}));
  PLIMSOLL_RETURN_IF_ERROR(store_.Execute(kCreateCuts, {}));
  exists_ = true;
  return Ok();
}

Status RestTables::Append(const RestBatch& rests) {
  return rests.slot.empty() ? Ok() : plimsoll::Append(store_, "focus_rest", rests);
}

// Walks each slot's buckets from the largest rests down to the one in which its nanos end.
Status RestTables::FindBuckets(const ScopeBook& book) {
  std::map<std::int64_t, std::int64_t> left = LeftOvers(book);
  CutBatch chunk;
  CutBatch cuts;
  PLIMSOLL_RETURN_IF_ERROR(store_.Stream(kCountBuckets, {}, RefTo(chunk), [&] {
    for (std::size_t i = 0; i < chunk.slot.size(); ++i) {
      const auto found = left.find(chunk.slot[i]);
      if (found == left.end() || found->second <= 0) continue;
      if (found->second <= chunk.nth[i]) {
        cuts.slot.push_back(chunk.slot[i]);
        cuts.bucket.push_back(chunk.bucket[i]);
        cuts.nth.push_back(found->second);
      }
      found->second -= chunk.nth[i];
    }
    return Ok();
  }));
  return cuts.slot.empty() ? Ok() : plimsoll::Append(store_, "focus_cut", cuts);
}

Result<NanoCuts> RestTables::FindCuts(const ScopeBook& book) {
  PLIMSOLL_RETURN_IF_ERROR(FindBuckets(book));
  NanoCuts cuts;
  RestBatch chunk;
  PLIMSOLL_RETURN_IF_ERROR(store_.Stream(kFindCuts, {}, RefTo(chunk), [&] {
    for (std::size_t i = 0; i < chunk.slot.size(); ++i) {
      cuts[chunk.slot[i]] = {chunk.rest[i], chunk.hash[i], chunk.place[i]};
    }
    return Ok();
  }));
  in_transaction_ = false;
  PLIMSOLL_RETURN_IF_ERROR(store_.Commit());
  if (cuts.size() != LeftOvers(book).size()) {
    return Error{ErrorCode::kInternal, "the rests of the bill were not kept whole"};
  }
  return cuts;
}

}  // namespace plimsoll
