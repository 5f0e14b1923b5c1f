/* list.c -- lists backends, front ends and their options, as tables and as JSON.
 *
 * The texts come from plugins; a table shows control bytes in them as numbers (buf_shown).
 */
#include "host/host.h"

#include "base/table.h"
#include "host/guard.h"

#include <jansson.h>
#include <stdlib.h>

/* ---- tables ---------------------------------------------------------------------------------- */

void registry_print(const Registry *registry, Buf *out) {
  guard_writes(); /* by the caller */
  Table t = table_of("<<<<<<");
  static const char *const titles[] = {"name", "kind", "version", "ABI", "description", "from"};
  for (size_t i = 0; i < COUNT_OF(titles); i++) table_cell(&t, "%s", titles[i]);
  for (u32 i = 0; i < registry_count(registry); i++) {
    const PluginPart *part = registry_at(registry, i);
    table_cell(&t, "%s", part->id);
    table_cell(&t, "%s", part->kind);
    table_cell(&t, "%s", part->version);
    table_cell(&t, "%u.%u", part->abi_major, part->abi_minor);
    table_cell(&t, "%s", part->summary);
    table_cell(&t, "%s", part->path ? part->path : "LOOM itself");
  }
  table_print(&t, out);
}

void emit_options_print(const PluginPart *part, Buf *out) {
  Table t = {.columns = "<<", .is_untitled = true};
  for (u32 i = 0; i < part->option_count; i++) {
    const loom_option *option = part->options[i];
    const char *takes = option->type == LOOM_INT      ? "=N"
                        : option->type == LOOM_TEXT   ? "=TEXT"
                        : option->type == LOOM_CHOICE ? "="
                                                      : "";
    const char *space = *option->help ? " " : "";
    table_cell(&t, "  --%s%s%s", option->name, takes,
               option->type == LOOM_CHOICE ? option->choices : "");
    if (option->type != LOOM_FLAG && *option->fallback)
      table_cell(&t, "%s%s(%s)", option->help, space, option->fallback);
    else if (option->type == LOOM_FLAG && *option->fallback == '1')
      table_cell(&t, "%s (on; --%s=0 turns it off)", option->help, option->name);
    else
      table_cell(&t, "%s", option->help);
  }
  table_print(&t, out);
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

static json_t *texts_json(const char *const *texts, u32 n) {
  json_t *json = json_array();
  for (u32 i = 0; i < n; i++) json_array_append_new(json, text_or_null(texts[i]));
  return json;
}

static json_t *part_json(const PluginPart *part) {
  json_t *json = json_object(), *options = json_array();
  char abi[16];
  snprintf(abi, sizeof abi, "%u.%u", part->abi_major, part->abi_minor);
  for (u32 i = 0; i < part->option_count; i++)
    json_array_append_new(options, option_json(part->options[i]));
  json_object_set_new(json, "kind", json_string(part->kind));
  json_object_set_new(json, "id", text_or_null(part->id));
  json_object_set_new(json, "version", text_or_null(part->version));
  json_object_set_new(json, "abi", json_string(abi));
  json_object_set_new(json, "summary", text_or_null(part->summary));
  json_object_set_new(json, "from", text_or_null(part->path));
  if (part->backend)
    json_object_set_new(json, "requires",
                        texts_json(part->backend->requires, part->backend->require_count));
  else
    json_object_set_new(json, "endings",
                        texts_json(part->frontend->endings, part->frontend->ending_count));
  json_object_set_new(json, "options", options);
  return json;
}

void registry_json(const Registry *registry, const char *name, Buf *out) {
  guard_writes(); /* by the caller */
  json_t *list = json_array();
  for (u32 i = 0; i < registry_count(registry); i++)
    if (!name || strcmp(registry_at(registry, i)->id, name) == 0)
      json_array_append_new(list, part_json(registry_at(registry, i)));
  char *text = json_dumps(list, JSON_INDENT(2));
  if (text) buf_printf(out, "%s\n", text);
  free(text);
  json_decref(list);
}
