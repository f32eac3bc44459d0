// Prints the table of docs/published-figures.md.
#include <iostream>

#include "published_figures.h"

int main() {
  std::cout << plimsoll::PublishedFiguresTable();
  return 0;
}
