#include "base/symbol.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace plimsoll {
namespace {

TEST(SymbolTest, EqualTextsAreOneCopy) {
  const Symbol a = std::string("gpu-node-0001.example.internal");
  const Symbol b = "gpu-node-0001.example.internal";
  EXPECT_EQ(a, b);
  EXPECT_EQ(&a.text(), &b.text());
  EXPECT_NE(a, Symbol("gpu-node-0002.example.internal"));
  EXPECT_TRUE(a == "gpu-node-0001.example.internal");
  EXPECT_FALSE(a == "");
}

TEST(SymbolTest, TheEmptySymbolIsTheDefault) {
  EXPECT_EQ(Symbol(), Symbol(""));
  EXPECT_TRUE(Symbol().empty());
}

TEST(SymbolTest, OrderIsOfTheTexts) {
  const Symbol late = "symbol-order-b";  // made first
  const Symbol early = "symbol-order-a";
  EXPECT_LT(early, late);
  EXPECT_LT(Symbol(), early);
}

TEST(SymbolTest, ThreadsAgree) {
  std::vector<std::vector<Symbol>> made(4);
  std::vector<std::thread> threads;
  for (auto& mine : made) {
    threads.emplace_back([&mine] {
      for (int i = 0; i < 1'000; ++i) mine.emplace_back("thread-" + std::to_string(i));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& mine : made) EXPECT_EQ(mine, made.front());
}

}  // namespace
}  // namespace plimsoll
