/* list.c -- backends and their options, for people and for programs.
 *
 * The texts come from plugins, so control bytes in them are shown as '?'.
 */
#include "host/host.h"

#include "host/guard.h"

#include <jansson.h>
#include <stdlib.h>

static void put_text(Buf *out, const char *text) {
  for (; *text; text++) buf_char(out, (unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text);
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Puts a cell and fills up to the width, with two spaces behind. */
static void put_cell(Buf *out, const char *text, size_t width) {
  put_text(out, text);
  size_t len = strlen(text);
  do buf_char(out, ' ');
  while (++len < width + 2);
}

enum { WIDEST_COLUMN = 72 };

static size_t wider(size_t width, const char *text) {
  size_t len = strlen(text);
  return len > width && len <= WIDEST_COLUMN ? len : width;
}

void registry_print(const Registry *registry, Buf *out) {
  guard_writes(); /* by who asked for it */
  size_t id = 7, version = 7, summary = 7;
  u32 n = registry_count(registry);
  for (u32 i = 0; i < n; i++) {
    const loom_backend *backend = registry_at(registry, i)->backend;
    id = wider(id, backend->id);
    version = wider(version, backend->version);
    summary = wider(summary, backend->summary);
  }
  put_cell(out, "backend", id);
  put_cell(out, "version", version);
  put_cell(out, "ABI", 3);
  put_cell(out, "writes", summary);
  buf_str(out, "from\n");
  for (u32 i = 0; i < n; i++) {
    const RegisteredBackend *one = registry_at(registry, i);
    char abi[16];
    snprintf(abi, sizeof abi, "%u.%u", one->abi_major, one->abi_minor);
    put_cell(out, one->backend->id, id);
    put_cell(out, one->backend->version, version);
    put_cell(out, abi, 3);
    put_cell(out, one->backend->summary, summary);
    put_text(out, one->path ? one->path : "LOOM itself");
    buf_char(out, '\n');
  }
}

static void option_usage(const loom_option *option, Buf *out) {
  buf_printf(out, "--%s", option->name);
  if (option->type == LOOM_INT) buf_str(out, "=N");
  if (option->type == LOOM_TEXT) buf_str(out, "=TEXT");
  if (option->type == LOOM_CHOICE) buf_printf(out, "=%s", option->choices);
}

void emit_options_print(const loom_backend *backend, Buf *out) {
  size_t width = 20;
  for (u32 i = 0; i < backend->option_count; i++) {
    Buf usage = {0};
    option_usage(backend->options[i], &usage);
    width = wider(width, usage.data);
    buf_free(&usage);
  }
  for (u32 i = 0; i < backend->option_count; i++) {
    const loom_option *option = backend->options[i];
    Buf usage = {0};
    option_usage(option, &usage);
    buf_str(out, "  ");
    put_cell(out, usage.data, width);
    put_text(out, option->help);
    if (option->type != LOOM_FLAG && *option->fallback) {
      buf_str(out, *option->help ? " (" : "(");
      put_text(out, option->fallback);
      buf_char(out, ')');
    } else if (option->type == LOOM_FLAG && *option->fallback == '1') {
      buf_printf(out, " (on; --%s=0 turns it off)", option->name);
    }
    buf_char(out, '\n');
    buf_free(&usage);
  }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* A text that is no UTF-8 becomes null. */
static json_t *text_or_null(const char *text) {
  json_t *json = text ? json_string(text) : NULL;
  return json ? json : json_null();
}

static json_t *option_json(const loom_option *option) {
  static const char *const types[] = {"flag", "int", "text", "choice"};
  json_t *json = json_object();
  json_object_set_new(json, "name", text_or_null(option->name));
  json_object_set_new(json, "type", json_string(types[option->type]));
  json_object_set_new(json, "default", text_or_null(option->fallback));
  if (option->type == LOOM_CHOICE)
    json_object_set_new(json, "choices", text_or_null(option->choices));
  json_object_set_new(json, "help", text_or_null(option->help));
  return json;
}

static json_t *backend_json(const RegisteredBackend *one) {
  const loom_backend *backend = one->backend;
  json_t *json = json_object(), *requires = json_array(), *options = json_array();
  char abi[16];
  snprintf(abi, sizeof abi, "%u.%u", one->abi_major, one->abi_minor);
  for (u32 i = 0; i < backend->require_count; i++)
    json_array_append_new(requires, text_or_null(backend->requires[i]));
  for (u32 i = 0; i < backend->option_count; i++)
    json_array_append_new(options, option_json(backend->options[i]));
  json_object_set_new(json, "id", text_or_null(backend->id));
  json_object_set_new(json, "version", text_or_null(backend->version));
  json_object_set_new(json, "abi", json_string(abi));
  json_object_set_new(json, "summary", text_or_null(backend->summary));
  json_object_set_new(json, "from", text_or_null(one->path));
  json_object_set_new(json, "requires", requires);
  json_object_set_new(json, "options", options);
  return json;
}

void registry_json(const Registry *registry, Buf *out) {
  guard_writes(); /* by who asked for it */
  json_t *list = json_array();
  for (u32 i = 0; i < registry_count(registry); i++)
    json_array_append_new(list, backend_json(registry_at(registry, i)));
  char *text = json_dumps(list, JSON_INDENT(2));
  if (text) buf_printf(out, "%s\n", text);
  free(text);
  json_decref(list);
}
