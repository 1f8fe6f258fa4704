// The most that batched calls give on this kernel: recvmmsg, one bit set in each datagram, sendmmsg, and nothing else.
// `echo PORT`, on 127.0.0.1.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

enum { SLOTS = 64, BYTES = 2048 };

int main(int argc, char **argv) {
  static struct mmsghdr headers[SLOTS];
  static struct iovec parts[SLOTS];
  static struct sockaddr_in peers[SLOTS];
  static char bytes[SLOTS][BYTES];
  struct sockaddr_in local = {.sin_family = AF_INET, .sin_port = htons(argc > 1 ? atoi(argv[1]) : 0)};
  local.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0), room = 4 << 20;
  setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
  if (bind(fd, (struct sockaddr *)&local, sizeof local) != 0) return 1;
  for (int i = 0; i < SLOTS; i++) {
    parts[i].iov_base = bytes[i];
    headers[i].msg_hdr.msg_name = &peers[i];
    headers[i].msg_hdr.msg_iov = &parts[i];
    headers[i].msg_hdr.msg_iovlen = 1;
  }
  puts("ready");
  fflush(stdout);
  for (;;) {
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    poll(&wait, 1, -1);
    for (int i = 0; i < SLOTS; i++) {
      parts[i].iov_len = BYTES;
      headers[i].msg_hdr.msg_namelen = sizeof peers[i];
    }
    int count = recvmmsg(fd, headers, SLOTS, MSG_DONTWAIT, NULL);
    for (int i = 0; i < count; i++) {
      parts[i].iov_len = headers[i].msg_len;
      bytes[i][2] |= 0x80;
    }
    if (count > 0) sendmmsg(fd, headers, count, MSG_DONTWAIT);
  }
}
