// FakeHttpServer: for tests; answers one request after another on loopback.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace plimsoll {

class FakeHttpServer {
 public:
  struct Reply {
    int status = 200;
    std::string body;
    std::string headers;   // each with "\r\n"
    std::string raw = "";  // sent as it is in place of all that, then hung up
  };
  // Called from the server's thread with the request's head, numbered from 0.
  using Handler = std::function<Reply(const std::string& head, int number)>;

  explicit FakeHttpServer(Handler handler) : handler_(std::move(handler)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    void* raw = &address;
    ::bind(listener_, static_cast<sockaddr*>(raw), size);
    ::listen(listener_, 8);
    ::getsockname(listener_, static_cast<sockaddr*>(raw), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { Serve(); });
  }
  ~FakeHttpServer() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }
  FakeHttpServer(const FakeHttpServer&) = delete;
  FakeHttpServer& operator=(const FakeHttpServer&) = delete;

  std::string url(const std::string& user = "") const {
    return "http://" + user + "127.0.0.1:" + std::to_string(port_);
  }
  std::vector<std::string> heads() {
    const std::lock_guard lock(mutex_);
    return heads_;
  }

 private:
  void Serve() {
    for (int number = 0;; ++number) {
      const int peer = ::accept(listener_, nullptr, nullptr);
      if (peer < 0) return;
      std::string head;
      char bytes[4096];
      while (head.find("\r\n\r\n") == std::string::npos) {
        const ssize_t got = ::recv(peer, bytes, sizeof bytes, 0);
        if (got <= 0) break;
        head.append(bytes, static_cast<std::size_t>(got));
      }
      {
        const std::lock_guard lock(mutex_);
        heads_.push_back(head);
      }
      const Reply reply = handler_(head, number);
      const std::string text = !reply.raw.empty()
                                   ? reply.raw
                                   : "HTTP/1.1 " + std::to_string(reply.status) +
                                         " X\r\nConnection: close\r\nContent-Length: " +
                                         std::to_string(reply.body.size()) + "\r\n" +
                                         reply.headers + "\r\n" + reply.body;
      if (reply.status != 0) Send(peer, text);  // status 0: hang up
      ::close(peer);
    }
  }
  static void Send(int peer, const std::string& text) {
    for (std::size_t sent = 0; sent < text.size();) {
      const ssize_t now = ::send(peer, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
      if (now <= 0) return;
      sent += static_cast<std::size_t>(now);
    }
  }

  Handler handler_;
  int listener_ = -1;
  int port_ = 0;
  std::mutex mutex_;
  std::vector<std::string> heads_;
  std::thread thread_;
};

}  // namespace plimsoll
