#include "demo/write_requests.h"

#include <fmt/format.h>

#include <iterator>

namespace plimsoll {

std::string RequestsCsv(const DemoService& service) {
  std::string text =
      "arrival_ms,request,service,version,tenant,priority,status,ttft_ms,e2e_ms,input_tokens,"
      "cached_tokens,output_tokens,reasoning_tokens\n";
  for (const DemoRequest& request : service.requests) {
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                   request.arrival.base(), request.id, service.name, request.version,
                   request.tenant, request.priority, request.status,
                   request.ttft_ms ? fmt::format("{}", *request.ttft_ms) : "", request.e2e_ms,
                   request.input, request.cached, request.output, request.reasoning);
  }
  return text;
}

}  // namespace plimsoll
