/* json.c -- writes JSON, with commas where they are needed, and packs columns of numbers (view.h
 * describes their coding). */
#include "view.h"

#include <stdio.h>
#include <string.h>

void json_bytes(Json *j, const char *text, size_t length) {
  if (!j->failed && j->host->write(j->host, j->stream, text, length)) j->failed = 1;
}

void json_raw(Json *j, const char *text) {
  json_bytes(j, text, strlen(text));
}

void json_text(Json *j, const char *text, size_t length) {
  char piece[BACKEND_JSON_ROOM];
  json_raw(j, "\"");
  while (length) {
    size_t n = backend_json(text, length, piece);
    json_raw(j, piece);
    text += n, length -= n;
  }
  json_raw(j, "\"");
}

void json_key(Json *j, const char *key) {
  if (!j->fresh) json_raw(j, j->depth == 1 ? ",\n" : ",");
  j->fresh = 0;
  if (!key) return;
  json_raw(j, "\"");
  json_raw(j, key);
  json_raw(j, "\":");
}

void json_open(Json *j, const char *key, char bracket) {
  json_key(j, key);
  json_bytes(j, &bracket, 1);
  j->fresh = 1;
  j->depth++;
}

void json_close(Json *j, char bracket) {
  json_bytes(j, &bracket, 1);
  j->fresh = 0;
  j->depth--;
}

void json_string(Json *j, const char *key, const char *text) {
  json_key(j, key);
  json_text(j, text, strlen(text));
}

void json_number(Json *j, const char *key, long long number) {
  char text[24];
  json_key(j, key);
  snprintf(text, sizeof text, "%lld", number);
  json_raw(j, text);
}

void json_id(Json *j, const char *key, uint32_t id) {
  if (id != LOOM_NONE) {
    json_number(j, key, id);
    return;
  }
  json_key(j, key);
  json_raw(j, "null");
}

void json_numbers(Json *j, const char *key, const int *numbers, size_t n) {
  json_open(j, key, '[');
  for (; n--; numbers++) json_number(j, NULL, *numbers);
  json_close(j, ']');
}

void json_ids(Json *j, const char *key, const uint32_t *ids, size_t n) {
  json_open(j, key, '[');
  for (; n--; ids++) json_id(j, NULL, *ids);
  json_close(j, ']');
}

/* ---- columns --------------------------------------------------------------------------------- */

static void put_digit(Column *c, unsigned digit) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  backend_append(c->host, &c->text, &digits[digit], 1);
}

static void put_rest(Column *c, uint64_t number) {
  for (; number; number >>= 5) put_digit(c, (unsigned)(number & 31) | (number >> 5 ? 32u : 0));
}

static void write_repeats(Column *c) {
  unsigned again = c->repeats > 1;
  if (!c->repeats) return;
  put_digit(c, (unsigned)(c->delta & 15) << 1 | again | (c->delta >> 4 ? 32u : 0));
  put_rest(c, c->delta >> 4);
  if (again) {
    uint64_t more = c->repeats - 1;
    put_digit(c, (unsigned)(more & 31) | (more >> 5 ? 32u : 0));
    put_rest(c, more >> 5);
  }
  c->repeats = 0;
}

static void put_delta(Column *c, uint64_t delta) {
  if (c->repeats && c->delta != delta) write_repeats(c);
  c->delta = delta;
  c->repeats++;
  c->count++;
}

void column_time(Column *c, const loom_host *host, uint64_t time) {
  c->host = host;
  put_delta(c, time - c->last);
  c->last = time;
}

void column_value(Column *c, const loom_host *host, uint64_t value) {
  uint64_t delta = value - c->last;
  c->host = host;
  put_delta(c, delta << 1 ^ (delta >> 63 ? UINT64_MAX : 0));
  c->last = value;
}

const char *column_end(Column *c) {
  if (c->host) write_repeats(c);
  return c->text.data ? c->text.data : "";
}
