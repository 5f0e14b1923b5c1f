/* filter.c -- an image through two kernels in turn, on whatever place.h opens. `filter N` does so N times.
 *
 * smooth() and edge() are declared as in smooth.c and edge.c, which are also compiled for this CPU, as c_smooth
 * and c_edge: what the fabric makes is compared with that.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edge.h"
#include "place.h"
#include "smooth.h"

enum { PIXELS = 24 * 16, LIMIT = 6 };

void c_smooth(const int16_t *in, int16_t *out, int n);
int c_edge(const int16_t *in, int16_t *out, int n, int limit);

static int failed(const char *what) {
  loom_device *device = loom_used();
  if (!loom_last(device)) return 0;
  fprintf(stderr, "filter: %s: %s\n", what, loom_why(device));
  return 1;
}

static void draw(int16_t *image, unsigned turn) {
  for (unsigned i = 0; i < PIXELS; i++) image[i] = (int16_t)((i * i + 13 * turn) % 97);
}

static int differs(const int16_t *image, const int16_t *smoothed, const int16_t *edges, int sum) {
  static int16_t expected[2][PIXELS];
  c_smooth(image, expected[0], PIXELS - 1);
  if (c_edge(expected[0], expected[1], PIXELS - 2, LIMIT) == sum &&
      !memcmp(expected[0], smoothed, (PIXELS - 1) * sizeof *smoothed) &&
      !memcmp(expected[1], edges, (PIXELS - 2) * sizeof *edges))
    return 0;
  fprintf(stderr, "filter: the image is not what this CPU makes\n");
  return 1;
}

static int filter(int16_t *memory, unsigned turn) {
  int16_t *image = memory, *smoothed = image + PIXELS, *edges = smoothed + PIXELS;
  uint64_t first = 0, second = 0;
  int sum;
  draw(image, turn);
  smooth(image, smoothed, PIXELS - 1);
  if (failed("smooth")) return 1;
  loom_cycles(loom_used(), &first);
  sum = edge(smoothed, edges, PIXELS - 2, LIMIT);
  if (failed("edge")) return 1;
  loom_cycles(loom_used(), &second);
  printf("image %u: sum %d\n", turn, sum);
  fprintf(stderr, "smooth %llu cycles, edge %llu cycles\n", (unsigned long long)first,
          (unsigned long long)second);
  return differs(image, smoothed, edges, sum);
}

int main(int argc, char **argv) {
  unsigned turns = argc > 1 ? (unsigned)atoi(argv[1]) : 2;
  loom_device device;
  const loom_bus *bus = place_open(3 * PIXELS * sizeof(int16_t));
  loom_use(&device);
  if (!bus) {
    fprintf(stderr, "filter: there is no system\n");
    return 1;
  }
  loom_open(&device, bus);
  if (failed("open")) return 1;
  loom_watchdog(&device, 100000);
  for (unsigned turn = 0; turn < turns; turn++)
    if (filter(bus->memory, turn)) return 1;
  place_close();
  return 0;
}
