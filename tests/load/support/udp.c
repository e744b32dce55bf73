/*
 * The least that can be done with UDP, to hold the media worker against. On loopback only.
 *
 *   udp sink <sockets>                         takes packets and counts them
 *   udp send <bytes> <rate> <ssrc>:<port>,...  sends so many packets a second of each stream to each of its ports
 *
 * A sink first prints its ports, and what it has counted for every line that it reads. A sender sends for as many seconds as
 * the line it reads says, and then prints how many packets that were. Both end with their input.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MOST_STREAMS 256
#define MOST_PORTS 256
#define LARGEST 1400
#define BATCH 64
/* As many packets as a camera sends between two key frames here. */
#define KEY_FRAME_EVERY 50

struct stream {
  uint32_t ssrc;
  uint32_t packets;
  int ports;
  struct sockaddr_in to[MOST_PORTS];
};

static struct stream streams[MOST_STREAMS];

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static struct sockaddr_in loopback(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

static int open_socket(void) {
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  struct sockaddr_in address = loopback(0);
  int space = 1 << 20;
  if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) < 0) fail("socket");
  setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &space, sizeof space);
  return fd;
}

static int sink(int count) {
  static char buffers[BATCH][LARGEST + 200];
  static struct mmsghdr messages[BATCH];
  static struct iovec parts[BATCH];
  struct pollfd polled[MOST_PORTS + 1] = {{.fd = STDIN_FILENO, .events = POLLIN}};
  uint64_t received = 0;
  for (int i = 0; i < BATCH; i++) {
    parts[i] = (struct iovec){buffers[i], sizeof buffers[i]};
    messages[i].msg_hdr = (struct msghdr){.msg_iov = &parts[i], .msg_iovlen = 1};
  }
  if (count < 1 || count > MOST_PORTS) return 2;
  for (int i = 1; i <= count; i++) {
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    polled[i] = (struct pollfd){.fd = open_socket(), .events = POLLIN};
    if (getsockname(polled[i].fd, (struct sockaddr *)&address, &length) < 0) fail("getsockname");
    printf("%d%c", ntohs(address.sin_port), i == count ? '\n' : ' ');
  }
  fflush(stdout);
  for (;;) {
    if (poll(polled, (nfds_t)count + 1, -1) < 0 && errno != EINTR) fail("poll");
    for (int i = 1; i <= count; i++) {
      if (!(polled[i].revents & POLLIN)) continue;
      int got;
      while ((got = recvmmsg(polled[i].fd, messages, BATCH, 0, NULL)) > 0) received += (uint64_t)got;
    }
    if (polled[0].revents & (POLLIN | POLLHUP)) {
      char line[64];
      if (read(STDIN_FILENO, line, sizeof line) <= 0) return 0;
      printf("%llu\n", (unsigned long long)received);
      fflush(stdout);
    }
  }
}

/* RTP with VP8, one packet for each picture: RFC 3550 and RFC 7741. */
static void write_packet(uint8_t *packet, struct stream *stream, int rate) {
  uint32_t number = stream->packets++;
  uint32_t timestamp = number * (90000u / (uint32_t)rate);
  int key = number % KEY_FRAME_EVERY == 0;
  packet[0] = 0x80;
  packet[1] = 0x80 | 96;
  packet[2] = (uint8_t)(number >> 8);
  packet[3] = (uint8_t)number;
  for (int i = 0; i < 4; i++) packet[4 + i] = (uint8_t)(timestamp >> (24 - 8 * i));
  for (int i = 0; i < 4; i++) packet[8 + i] = (uint8_t)(stream->ssrc >> (24 - 8 * i));
  /* The descriptor: the number of the picture, of the base layer, and of the temporal layer, which is the base. */
  packet[12] = 0x90;
  packet[13] = 0xe0;
  packet[14] = 0x80 | (uint8_t)((number >> 8) & 0x7f);
  packet[15] = (uint8_t)number;
  packet[16] = (uint8_t)number;
  packet[17] = 0;
  packet[18] = key ? 0x10 : 0x11;
  memcpy(packet + 19, key ? "\0\0\x9d\x01\x2a\x40\x01\xb4\0" : "\0\0\0\0\0\0\0\0\0", 9);
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int sender(int bytes, int rate, int count, char **descriptions) {
  static uint8_t packet[LARGEST];
  char line[64];
  int fd = open_socket();
  if (bytes < 64 || bytes > LARGEST || rate < 1 || count < 1 || count > MOST_STREAMS) return 2;
  for (int i = 0; i < count; i++) {
    char *rest = descriptions[i];
    streams[i].ssrc = (uint32_t)strtoul(strsep(&rest, ":"), NULL, 10);
    for (char *port; streams[i].ports < MOST_PORTS && (port = strsep(&rest, ",")) != NULL;)
      streams[i].to[streams[i].ports++] = loopback(atoi(port));
  }
  while (fgets(line, sizeof line, stdin) != NULL) {
    uint64_t sent = 0, begin = now(), end = begin + (uint64_t)(atof(line) * 1e9);
    /* Streams take turns, evenly over time. */
    for (uint64_t turn = 0;; turn++) {
      uint64_t due = begin + turn * 1000000000u / ((uint64_t)rate * (uint64_t)count);
      struct timespec until = {(time_t)(due / 1000000000u), (long)(due % 1000000000u)};
      struct stream *stream = &streams[turn % (uint64_t)count];
      if (due >= end) break;
      if (now() < due) clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
      write_packet(packet, stream, rate);
      for (int i = 0; i < stream->ports; i++) {
        ssize_t done = sendto(fd, packet, (size_t)bytes, 0, (struct sockaddr *)&stream->to[i], sizeof stream->to[i]);
        sent += done == bytes;
      }
    }
    printf("%llu\n", (unsigned long long)sent);
    fflush(stdout);
  }
  return 0;
}

int main(int count, char **words) {
  memset(streams, 0, sizeof streams);
  if (count == 3 && strcmp(words[1], "sink") == 0) return sink(atoi(words[2]));
  if (count > 4 && strcmp(words[1], "send") == 0)
    return sender(atoi(words[2]), atoi(words[3]), count - 4, words + 4);
  fprintf(stderr, "udp sink <sockets> | udp send <bytes> <rate> <ssrc>:<port>,...\n");
  return 2;
}
