// How many cases of a file passed.
#pragma once

namespace plimsoll {

struct CaseTally {
  int passed = 0;
  int failed = 0;
};

}  // namespace plimsoll
