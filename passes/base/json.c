/* json.c -- the JSON writer. See json.h. Its only state is whether a comma is due and how the next
 * item is indented. */
#include "base/json.h"

static void begin_line(Json *json) {
  if (json->on_line) buf_printf(json->out, "\n%*s", (int)json->spaces, "");
  json->on_line = false;
}

static void begin(Json *json, const char *key) {
  if (json->needs_comma) buf_str(json->out, json->on_line ? "," : ", ");
  begin_line(json);
  json->needs_comma = true;
  if (!key) return;
  buf_json(json->out, key);
  buf_str(json->out, ": ");
}

void json_line(Json *json, u32 spaces) {
  json->on_line = true;
  json->spaces = spaces;
}

void json_open(Json *json, const char *key, char bracket) {
  begin(json, key);
  buf_char(json->out, bracket);
  json->needs_comma = false;
}

void json_close(Json *json, char bracket) {
  begin_line(json);
  buf_char(json->out, bracket);
  json->needs_comma = true;
}

void json_put_text(Json *json, const char *key, const char *text) {
  begin(json, key);
  if (text)
    buf_json(json->out, text);
  else
    buf_str(json->out, "null");
}

void json_put_number(Json *json, const char *key, i64 number) {
  begin(json, key);
  buf_printf(json->out, "%lld", (long long)number);
}

void json_put_bool(Json *json, const char *key, bool is_true) {
  begin(json, key);
  buf_str(json->out, is_true ? "true" : "false");
}

void json_put_real(Json *json, const char *key, double number, u32 digits) {
  begin(json, key);
  buf_printf(json->out, "%.*f", (int)digits, number);
}

Buf *json_put_other(Json *json, const char *key) {
  begin(json, key);
  return json->out;
}
