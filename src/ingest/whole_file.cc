#include "ingest/whole_file.h"

#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace plimsoll {
namespace {

constexpr unsigned kChunkBytes = 1U << 20;

struct CloseGzip {
  void operator()(gzFile file) const { gzclose(file); }
};

}  // namespace

Result<std::string> ReadWholeOrGzip(const std::string& path) {
  errno = 0;
  const std::unique_ptr<gzFile_s, CloseGzip> file(gzopen(path.c_str(), "rb"));
  if (!file) {
    const bool absent = errno == ENOENT;
    return Error{absent ? ErrorCode::kNotFound : ErrorCode::kUnavailable,
                 path + ": " + (errno == 0 ? "no memory to read it" : std::strerror(errno))};
  }
  std::string text;
  std::string chunk(kChunkBytes, '\0');
  for (;;) {
    const int count = gzread(file.get(), chunk.data(), kChunkBytes);
    if (count < 0) {
      int code = 0;
      const char* const why = gzerror(file.get(), &code);
      const bool system = code == Z_ERRNO;
      return Error{
          system ? ErrorCode::kUnavailable : ErrorCode::kBadData,
          path + ": " + (system ? std::strerror(errno) : std::string("damaged gzip: ") + why)};
    }
    if (count == 0) break;
    text.append(chunk, 0, static_cast<std::size_t>(count));
    if (text.size() > kWholeFileBytesMax) {
      return Error{ErrorCode::kBadData, path + " is larger than 8 GiB unpacked; cut it"};
    }
  }
  // gzread takes a file that was cut short for one that ends.
  int code = 0;
  const char* const why = gzerror(file.get(), &code);
  if (code != Z_OK && code != Z_STREAM_END) {
    return Error{ErrorCode::kBadData, path + ": damaged gzip: " + why};
  }
  return text;
}

}  // namespace plimsoll
