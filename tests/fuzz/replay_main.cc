// Replays a fuzz target without libFuzzer: every seed file, then mutations of the seeds from
// a fixed random stream. Usage: NAME SEED_DIR [ROUNDS]. Finds crashes, not new paths.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void RunOne(const std::string& input) {
  // A copy of the exact size, so that a sanitizer sees a read past the end.
  const std::vector<std::uint8_t> bytes(input.begin(), input.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

std::vector<std::string> ReadSeeds(const char* folder) {
  std::vector<std::filesystem::path> paths;
  if (std::filesystem::is_directory(folder)) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry);
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> seeds;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return seeds;
}

std::string Mutate(std::string text, std::mt19937_64& random, const std::string& other) {
  const auto at = [&] { return text.empty() ? 0 : random() % text.size(); };
  for (std::uint64_t edits = 1 + random() % 8; edits > 0; --edits) {
    switch (random() % 6) {
      case 0:
        if (!text.empty()) text[at()] = static_cast<char>(random());
        break;
      case 1:
        text.insert(at(), 1, "\",|{}[]:\n\\0eE-+."[random() % 17]);
        break;
      case 2:
        text.erase(at(), random() % 16);
        break;
      case 3:
        text.insert(at(), other.substr(0, random() % 64));
        break;
      case 4:
        text.resize(at());
        break;
      default:
        text.insert(at(), std::string(random() % 40, static_cast<char>('0' + random() % 10)));
    }
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  std::vector<std::string> seeds = ReadSeeds(argv[1]);
  if (seeds.empty()) {
    std::fprintf(stderr, "no seeds in %s\n", argv[1]);
    return 1;
  }
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 3'000;
  for (const std::string& seed : seeds) RunOne(seed);
  std::mt19937_64 random(20261129);
  for (int round = 0; round < rounds; ++round) {
    const std::string& seed = seeds[random() % seeds.size()];
    RunOne(Mutate(seed, random, seeds[random() % seeds.size()]));
  }
  std::printf("%zu seeds, %d mutations\n", seeds.size(), rounds);
  return 0;
}
