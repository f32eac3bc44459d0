// A child process running store_driver, and a folder for its database.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace plimsoll::e2e {

// Ends with its scope: what still runs is killed and waited for.
class Driver {
 public:
  explicit Driver(std::vector<std::string> args) {
    int in[2];
    int out[2];
    EXPECT_EQ(::pipe(in), 0);
    EXPECT_EQ(::pipe(out), 0);
    pid_ = ::fork();
    if (pid_ == 0) Exec(std::move(args), in, out);
    ::close(in[0]);
    ::close(out[1]);
    input_ = in[1];
    output_ = out[0];
  }
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  ~Driver() {
    if (pid_ > 0) Kill();
    CloseInput();
    ::close(output_);
  }

  pid_t pid() const { return pid_; }
  void CloseInput() {
    if (input_ >= 0) ::close(input_);
    input_ = -1;
  }
  std::string ReadLine() {
    std::string line;
    char c = 0;
    while (::read(output_, &c, 1) == 1 && c != '\n') line.push_back(c);
    return line;
  }
  void Kill() {
    ::kill(pid_, SIGKILL);
    Wait();
  }
  // Its exit code, or -1 if a signal ended it.
  int Wait() {
    CloseInput();
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  [[noreturn]] static void Exec(std::vector<std::string> args, const int* in, const int* out) {
    ::dup2(in[0], STDIN_FILENO);
    ::dup2(out[1], STDOUT_FILENO);
    for (const int descriptor : {in[0], in[1], out[0], out[1]}) ::close(descriptor);
    args.insert(args.begin(), STORE_DRIVER);
    std::vector<char*> argv;
    for (std::string& arg : args) argv.push_back(arg.data());
    argv.push_back(nullptr);
    ::execv(STORE_DRIVER, argv.data());
    ::_exit(126);
  }

  pid_t pid_ = 0;
  int input_ = -1;
  int output_ = -1;
};

// An empty folder, gone with its scope.
class Folder {
 public:
  Folder() {
    std::string pattern = testing::TempDir() + "plimsoll_store_XXXXXX";
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
    path_ = pattern;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  std::string operator/(const char* name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }
  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

 private:
  std::string path_;
};

}  // namespace plimsoll::e2e
