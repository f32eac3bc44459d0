#include "catalog/provider.h"

#include <array>
#include <utility>

namespace plimsoll {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 15> kProviderAliases{{
    {"amazon", "aws"},
    {"amazon-web-services", "aws"},
    {"amazon-web-services,-inc.", "aws"},
    {"amazonaws", "aws"},
    {"ec2", "aws"},
    {"gce", "gcp"},
    {"gke", "gcp"},
    {"google", "gcp"},
    {"google-cloud", "gcp"},
    {"google-cloud-platform", "gcp"},
    {"microsoft", "azure"},
    {"microsoft-azure", "azure"},
    {"azurerm", "azure"},
    {"onprem", "on-prem"},
    {"on-premises", "on-prem"},
}};

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::string LowerCase(std::string_view text) {
  std::string lower;
  lower.reserve(text.size());
  for (const char c : text) lower.push_back(Lower(c));
  return lower;
}

std::string CanonicalProvider(std::string_view name) {
  std::string key = LowerCase(name);
  for (char& c : key) {
    if (c == ' ' || c == '_') c = '-';
  }
  for (const auto& [alias, canonical] : kProviderAliases) {
    if (key == alias) return std::string(canonical);
  }
  return key;
}

std::string CanonicalRegion(std::string_view name) {
  std::string region;
  region.reserve(name.size());
  for (const char c : name) {
    if (c != ' ') region.push_back(Lower(c));
  }
  return region;
}

}  // namespace plimsoll
