/* view.c -- the view backend: a design as one page of HTML.
 *
 *     loom emit view kernel.mlir -o out                          the graph
 *     loom emit view kernel.mlir --case case.json -o out         and a run of it
 *     loom emit view fabric.mlir -o out                          a fabric
 *     loom emit view map --case case.json -o out                 a mapping, cycle by cycle
 *
 * The page is self-contained: style, script and data are in it, and it needs no network. `--json`
 * writes the data alone. This file reads the options and writes the page around the data.
 */
#include "view.h"

#include "loom_name.h"
#include "page.inc"

#include <stdlib.h>
#include <string.h>

static int complain(const loom_host *host, const char *code, const char *message) {
  host->diag(host, LOOM_FAILURE, code, LOOM_NONE, message);
  return LOOM_ERROR;
}

static int create(const loom_host *host, void **state) {
  View *v = host->alloc(host, sizeof *v);
  long long from = strtoll(host->option(host, "from"), NULL, 10);
  long long count = strtoll(host->option(host, "cycles"), NULL, 10);
  if (from < 0 || count < 0)
    return complain(host, "VIEW_RANGE", "--from and --cycles cannot be negative");
  v->host = host;
  v->from = (uint64_t)from, v->count = (uint64_t)count;
#define EXTENSION(name) v->name = host->get_extension(host, "loom." #name "/1")
  EXTENSION(dfg), EXTENSION(domains), EXTENSION(source), EXTENSION(fabric), EXTENSION(image);
  EXTENSION(drawing), EXTENSION(machine), EXTENSION(binding), EXTENSION(routes);
  EXTENSION(mapping), EXTENSION(outcome), EXTENSION(contents);
  EXTENSION(cycles), EXTENSION(histories);
#undef EXTENSION
  *state = v;
  return LOOM_OK;
}

/* Chooses the graph that is shown: of hardware the one that it implements. */
static void choose_graph(View *v, const loom_design *design) {
  v->design = design;
  v->shown = v->dfg ? design : NULL;
  if (!v->binding) return;
  v->shown = v->binding->graph(design);
  v->domains = LOOM_HAS(v->binding, domains) ? v->binding->domains(design) : NULL;
}

/* A file of page/, as the build embedded it. */
static void put_lines(Json *j, const char *const *lines) {
  for (; *lines; lines++) {
    json_raw(j, *lines);
    json_raw(j, "\n");
  }
}

static const char *name_of(const View *v) {
  return v->shown ? v->dfg->name(v->shown) : v->fabric->name(v->design);
}

static void put_title(const View *v, Json *j) {
  const char *at;
  json_raw(j, "<title>");
  for (at = name_of(v); *at; at++) switch (*at) {
    case '<': json_raw(j, "&lt;"); break;
    case '&': json_raw(j, "&amp;"); break;
    default: json_bytes(j, at, 1);
    }
  json_raw(j, " - LOOM</title>\n");
}

static int put_page(const View *v, Json *j) {
  put_lines(j, page_head_html);
  put_title(v, j);
  json_raw(j, "<style>\n");
  put_lines(j, page_style_css);
  json_raw(j, "</style>\n");
  put_lines(j, page_body_html);
  json_raw(j, "<script id=\"data\" type=\"application/json\">");
  if (view_data(v, j)) return LOOM_ERROR;
  json_raw(j, "</script>\n<script>\n\"use strict\";\n(() => {\n");
  for (size_t i = 0; i < LOOM_COUNT(page_scripts); i++) put_lines(j, page_scripts[i]);
  json_raw(j, "})();\n</script>\n</html>\n");
  return LOOM_OK;
}

/* The name of the file, in memory of the host. */
static const char *stream_name(const View *v, const char *ending) {
  char file_name[LOOM_FILE_NAME];
  char *stream;
  loom_file_name(name_of(v), file_name);
  stream = backend_alloc(v->host, strlen(file_name) + strlen(ending) + 1, 1);
  strcpy(stream, file_name);
  strcat(stream, ending);
  return stream;
}

static int emit(void *state, const loom_design *design) {
  View *v = state;
  int json = *v->host->option(v->host, "json") == '1', status;
  Json *j = v->host->alloc(v->host, sizeof *j);
  choose_graph(v, design);
  if (!v->shown && !v->fabric) return LOOM_UNSUPPORTED;
  j->host = v->host;
  j->stream = stream_name(v, json ? ".view.json" : ".html");
  status = json ? view_data(v, j) : put_page(v, j);
  if (json && !status) json_raw(j, "\n");
  return status || j->failed ? LOOM_ERROR : LOOM_OK;
}

static const loom_option json_option =
    LOOM_OPTION(LOOM_FLAG, "json", "0", NULL, "write only the data, as JSON, for other viewers");
static const loom_option from_option =
    LOOM_OPTION(LOOM_INT, "from", "0", NULL, "of a run: the first cycle, or firing, of the page");
static const loom_option cycles_option = LOOM_OPTION(
    LOOM_INT, "cycles", "100000", NULL, "of a run: at most this many cycles, or firings; 0: all");
static const loom_option *const options[] = {&json_option, &from_option, &cycles_option};

static const loom_backend backend = {
    .size = sizeof(loom_backend),
    .id = "view",
    .version = "1.0.0",
    .summary = "an HTML page that shows a design and replays its run",
    .options = options,
    .option_count = LOOM_COUNT(options),
    .create = create,
    .emit = emit,
    .destroy = backend_destroy,
};
static const loom_backend *const backends[] = {&backend};
LOOM_PLUGIN_ENTRY = LOOM_PLUGIN(backends);
