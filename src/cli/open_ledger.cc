#include "cli/open_ledger.h"

#include "config/window.h"

namespace plimsoll {

Result<Ledger> OpenLedger(Context& context) {
  PLIMSOLL_TRY(const Config* config, context.config());
  PLIMSOLL_TRY(const Catalog* catalog, context.catalog());
  PLIMSOLL_TRY(Store * store, context.existing_store());
  PLIMSOLL_TRY(LedgerOptions options, LedgerOptionsOf(*config));
  options.progress = context.progress();
  return Ledger::Open(*store, *catalog, std::move(options));
}

Result<Window> LedgerWindow(Context& context, Ledger& ledger, const std::string& text) {
  if (text.empty()) {
    PLIMSOLL_TRY(const Window extent, ledger.Extent());
    if (extent.empty()) {
      return Error{ErrorCode::kFailedPrecondition,
                   "nothing is loaded: run plimsoll sync or plimsoll ingest, or give --from"};
    }
    return extent;
  }
  PLIMSOLL_TRY(const Zone zone, context.zone());
  PLIMSOLL_TRY(const Window window, ParseWindow(text, zone, context.now()));
  // Lines are hourly. Both ends go to the hour before: windows that meet still meet, also the
  // days of a zone of half hours.
  const Window hours{FloorTo(window.begin, Hours(1)), FloorTo(window.until, Hours(1))};
  if (!hours.empty()) return hours;
  return Error{ErrorCode::kInvalidArgument,
               "window " + ToString(window) + " holds no whole hour of UTC; lines are hourly"};
}

std::vector<std::string> SplitKeys(const std::string& text) {
  std::vector<std::string> keys;
  std::string key;
  for (const char c : text + ",") {
    if (c == ',') {
      if (!key.empty()) keys.push_back(std::move(key));
      key.clear();
    } else if (c != ' ') {
      key += c;
    }
  }
  return keys;
}

}  // namespace plimsoll
