#include "demo/write_requests.h"

#include "demo/demo_fixture.h"

namespace plimsoll {
namespace {

TEST(WriteRequestsTest, ALineIsARequestWithAllColumns) {
  const std::vector<std::string> lines = LinesOf(RequestsCsv(*Week().service));
  ASSERT_EQ(lines.size(), Week().service->requests.size() + 1);
  const std::vector<std::string> header = CsvFields(lines.front());
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> fields = CsvFields(lines[i]);
    ASSERT_EQ(fields.size(), header.size()) << lines[i];
    EXPECT_EQ(fields[1], Week().service->requests[i - 1].id);
    EXPECT_EQ(fields[2], "chat-70b");
  }
}

// Not told is empty, which is never 0.
TEST(WriteRequestsTest, WithoutATokenThereIsNoTimeToTheFirst) {
  DemoService service;
  service.name = "s";
  DemoRequest request;
  request.arrival = AtMillis(1'500);
  request.id = "r";
  request.status = "timeout";
  request.e2e_ms = 60'000;
  service.requests.push_back(request);
  EXPECT_EQ(LinesOf(RequestsCsv(service)).back(), "1500,r,s,,,,timeout,,60000,0,0,0,0");
}

}  // namespace
}  // namespace plimsoll
