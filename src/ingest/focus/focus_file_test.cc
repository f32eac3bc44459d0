#include "ingest/focus/focus_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <fstream>

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

class FocusFileTest : public testing::Test {
 protected:
  FocusFileTest() : folder_(*TemporaryFolder::Make()) {}

  std::string Write(const std::string& name, const std::string& content) {
    const fs::path path = folder_.path() / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
    return path.string();
  }
  std::string WriteGzip(const std::string& name, const std::string& content) {
    const std::string path = Write(name, "");
    gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
    gzclose(file);
    return path;
  }
  static std::string Content(const FocusFile& file) {
    const Result<ReadBytes> read = ReadFrom(file);
    std::string out;
    char block[7];
    for (;;) {
      const Result<std::size_t> count = (*read)(block, sizeof(block));
      if (!count) return "error: " + count.error().message;
      if (*count == 0) return out;
      out.append(block, *count);
    }
  }

  TemporaryFolder folder_;
};

TEST_F(FocusFileTest, ReadsPlainAndGzipByContent) {
  const auto files =
      FocusFiles::Open({.files = {Write("a.csv", "plain"), WriteGzip("b.csv", "packed")}});
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_EQ(Content(files->files()[0]), "plain");
  EXPECT_EQ(Content(files->files()[1]), "packed");
}

TEST_F(FocusFileTest, CutGzipIsAnError) {
  const std::string path = WriteGzip("a.csv.gz", std::string(10'000, 'x') + "end");
  fs::resize_file(path, fs::file_size(path) - 5);
  const FocusFile file{.name = "a.csv.gz", .path = path, .bytes = 0};
  EXPECT_EQ(Content(file), "error: cannot read a.csv.gz to its end: the gzip file is cut short");
}

TEST_F(FocusFileTest, SameContentCountsOncePackedOrNot) {
  const std::string text = "h\n" + std::string(200'000, 'x');
  const auto files = FocusFiles::Open(
      {.files = {Write("a.csv", text), Write("b.csv", text + "y"), WriteGzip("c.csv.gz", text)}});
  ASSERT_TRUE(files);
  EXPECT_EQ(files->files().size(), 2U);
  EXPECT_EQ(files->duplicates(), 1);
  ASSERT_EQ(files->warnings().size(), 1U);
  EXPECT_NE(files->warnings()[0].find("same content as"), std::string::npos);
}

TEST_F(FocusFileTest, FolderStandsForItsPartsAndManifestsAreSkipped) {
  Write("export/2024-09/part-1.csv", "1");
  Write("export/2024-09/part-0.csv", "0");
  const std::string manifest = Write("export/manifest.json", "{}");
  const auto files = FocusFiles::Open({.files = {(folder_.path() / "export").string(), manifest}});
  ASSERT_TRUE(files);
  ASSERT_EQ(files->files().size(), 2U);
  EXPECT_EQ(Content(files->files()[0]), "0");
  EXPECT_EQ(files->warnings().size(), 1U);
}

TEST_F(FocusFileTest, OtherFormatsAreNamed) {
  const auto message = [&](const std::string& content) {
    const auto files = FocusFiles::Open({.files = {Write("x", content)}});
    return files ? "" : files.error().message;
  };
  EXPECT_NE(message("PK\x03\x04zip").find("is a zip archive"), std::string::npos);
  EXPECT_NE(message("\xFF\xFEh").find("UTF-16"), std::string::npos);
  EXPECT_NE(message("PAR1....").find("Parquet"), std::string::npos);
}

TEST_F(FocusFileTest, MissingFilesAreNotFound) {
  EXPECT_EQ(FocusFiles::Open({.files = {"/nowhere/a.csv"}}).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(FocusFiles::Open({}).error().code, ErrorCode::kInvalidArgument);
  Write("empty/readme.txt", "");
  EXPECT_EQ(FocusFiles::Open({.files = {(folder_.path() / "empty").string()}}).error().code,
            ErrorCode::kNotFound);
}

TEST_F(FocusFileTest, StandardInputCanBeReadTwice) {
  const std::string path = Write("in.csv", "from stdin");
  const int saved = dup(STDIN_FILENO);
  const int in = open(path.c_str(), O_RDONLY);
  dup2(in, STDIN_FILENO);
  const auto files = FocusFiles::Open({.files = {"-"}});
  dup2(saved, STDIN_FILENO);
  close(in);
  close(saved);
  ASSERT_TRUE(files);
  EXPECT_EQ(Content(files->files()[0]), "from stdin");
  EXPECT_EQ(Content(files->files()[0]), "from stdin");
}

TEST_F(FocusFileTest, NamedPipeCanBeReadTwice) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "piped", 5), 5);
  close(ends[1]);
  const auto files = FocusFiles::Open({.files = {"/dev/fd/" + std::to_string(ends[0])}});
  close(ends[0]);
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_EQ(Content(files->files()[0]), "piped");
  EXPECT_EQ(Content(files->files()[0]), "piped");
}

TEST_F(FocusFileTest, TemporaryFolderIsRemoved) {
  fs::path path;
  {
    const TemporaryFolder folder = *TemporaryFolder::Make();
    path = folder.path();
    std::ofstream(path / "x") << "x";
    EXPECT_TRUE(fs::exists(path / "x"));
  }
  EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace plimsoll
