/* store.c -- stores rows in an SQLite database, DIR/explore.db. See explore.h.
 *
 * SQLite files can be read from every language, and survive a kill, a full disk and a power
 * failure: each row is one transaction. The library is opened with dlopen when it is needed, so
 * that the rest of LOOM neither depends on it nor starts more slowly. The few functions used here
 * have not changed since 2004 (sqlite3_open_v2: 2007), so no header is needed, either.
 *
 * A lock on DIR/explore.lock excludes a second run, but not readers. Nothing that depends on time,
 * order or machine is stored: the same plan gives the same contents, however it was run. */
#include "explore/explore.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static const char schema[] =
    "BEGIN;"
    "CREATE TABLE IF NOT EXISTS plan (text TEXT, stamp TEXT, version TEXT);"
    "CREATE TABLE IF NOT EXISTS points (point INTEGER PRIMARY KEY, settings TEXT, status TEXT, "
    "code TEXT,"
    " message TEXT, area INTEGER, cycles REAL, time REAL, chain INTEGER, pruned_by INTEGER,"
    " front INTEGER DEFAULT 0, command TEXT, row TEXT);"
    "CREATE TABLE IF NOT EXISTS results (point INTEGER, kernel TEXT, status TEXT, code TEXT, "
    "message TEXT,"
    " bound INTEGER, cycles INTEGER, ii INTEGER, chain INTEGER, loops TEXT,"
    " PRIMARY KEY (point, kernel)) WITHOUT ROWID;"
    "COMMIT;";

/* Of sqlite3.h. */
enum { DONE = 101, ROW = 100, READ_WRITE_CREATE = 6, TRANSIENT = -1 };

typedef struct {
  int (*open_v2)(const char *path, void **db, int flags, const char *vfs);
  int (*close)(void *db);
  int (*exec)(void *db, const char *sql, void *callback, void *user, char **error);
  int (*prepare_v2)(void *db, const char *sql, int len, void **statement, const char **tail);
  int (*step)(void *statement);
  int (*finalize)(void *statement);
  int (*bind_int64)(void *statement, int at, i64 value);
  int (*bind_double)(void *statement, int at, double value);
  int (*bind_text)(void *statement, int at, const char *text, int len, void *destructor);
  const unsigned char *(*column_text)(void *statement, int at);
  const char *(*errmsg)(void *db);
} Sqlite;

static const struct {
  const char *name;
  size_t offset;
} functions[] = {
#define FUNCTION(name)                                                                             \
  { "sqlite3_" #name, offsetof(Sqlite, name) }
    FUNCTION(open_v2),   FUNCTION(close),       FUNCTION(exec),       FUNCTION(prepare_v2),
    FUNCTION(step),      FUNCTION(finalize),    FUNCTION(bind_int64), FUNCTION(bind_double),
    FUNCTION(bind_text), FUNCTION(column_text), FUNCTION(errmsg),
#undef FUNCTION
};

struct Store {
  Context *ctx;
  const ExplorePlan *plan;
  const char *path;
  void *library, *db;
  int lock;
  Sqlite api;
};

static bool wrong(const Store *s, const char *what) {
  diag(s->ctx, LOC_NONE, EXPLORE_STORE, "%s: %s", s->path, what);
  return false;
}

static bool check_code(const Store *s, int code) {
  return !code || code == DONE || code == ROW ? true : wrong(s, s->api.errmsg(s->db));
}

/* ---- statements ------------------------------------------------------------------------------ */

static void *prepare(const Store *s, const char *sql) {
  void *statement = NULL;
  return check_code(s, s->api.prepare_v2(s->db, sql, -1, &statement, NULL)) ? statement : NULL;
}

/* Texts are copied. NULL stays NULL. */
static void bind_text(const Store *s, void *statement, int at, const char *text) {
  if (text) s->api.bind_text(statement, at, text, -1, (void *)(intptr_t)TRANSIENT);
}

/* Executes a prepared statement and frees it. */
static bool finish(const Store *s, void *statement) {
  bool is_ok = statement && check_code(s, s->api.step(statement));
  if (statement) s->api.finalize(statement);
  return is_ok;
}

static bool run(const Store *s, const char *sql) {
  return check_code(s, s->api.exec(s->db, sql, NULL, NULL, NULL));
}

/* ---- opening --------------------------------------------------------------------------------- */

static bool load(Store *s) {
  s->library = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
  for (size_t i = 0; s->library && i < COUNT_OF(functions); i++) {
    void *function = dlsym(s->library, functions[i].name);
    if (!function) return wrong(s, "the SQLite library is too old");
    memcpy((char *)&s->api + functions[i].offset, &function, sizeof function);
  }
  if (s->library) return true;
  diag(s->ctx, LOC_NONE, EXPLORE_STORE, "cannot find the SQLite library, which stores the results");
  diag_hint(s->ctx, "install Debian's package libsqlite3-0");
  return false;
}

/* A POSIX record lock (fcntl), which child processes do not inherit. */
static bool take_lock(Store *s, const char *dir) {
  const char *path = str_printf(s->ctx, "%s/explore.lock", dir)->text;
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  s->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (s->lock >= 0 && !fcntl(s->lock, F_SETLK, &whole)) return true;
  bool is_taken = s->lock >= 0 && (errno == EAGAIN || errno == EACCES);
  return wrong(s, is_taken ? "another loom explore is using this folder" : strerror(errno));
}

/* True where the database has this stamp, of plan, kernels and LOOM; stamps a new one. Points
 * without a stamp are of another plan. */
static bool check_stamp(Store *s, const char *stamp) {
  void *query = prepare(s, "SELECT stamp FROM plan UNION ALL SELECT '' FROM points");
  if (!query) return false;
  int code = s->api.step(query);
  const char *stored = code == ROW ? (const char *)s->api.column_text(query, 0) : NULL;
  bool is_new = code == DONE, same = stored && strcmp(stored, stamp) == 0;
  s->api.finalize(query);
  if (!is_new && !same)
    return code == ROW ? wrong(s, "it holds results of another plan, other kernels or another "
                                  "LOOM; use another folder")
                       : check_code(s, code);
  if (same) return true;
  void *insert = prepare(s, "INSERT INTO plan VALUES (?, ?, ?)");
  if (!insert) return false;
  bind_text(s, insert, 1, s->plan->source->text);
  bind_text(s, insert, 2, stamp);
  bind_text(s, insert, 3, LOOM_VERSION);
  return finish(s, insert);
}

Store *store_open(Context *ctx, const char *dir, const ExplorePlan *plan, const char *stamp) {
  Store *s = mem_alloc(sizeof *s);
  *s = (Store){
      .ctx = ctx, .plan = plan, .path = str_printf(ctx, "%s/explore.db", dir)->text, .lock = -1};
  bool is_ok = load(s) && file_make_dir(ctx, dir) && take_lock(s, dir);
  if (is_ok && s->api.open_v2(s->path, &s->db, READ_WRITE_CREATE, NULL) != 0)
    is_ok = wrong(s, s->db ? s->api.errmsg(s->db) : "cannot open it");
  if (is_ok && run(s, schema) && check_stamp(s, stamp)) return s;
  store_close(s);
  return NULL;
}

void store_close(Store *s) {
  if (!s) return;
  if (s->db) s->api.close(s->db);
  if (s->lock >= 0) close(s->lock);
  if (s->library) dlclose(s->library);
  mem_free(s);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool put_point(const Store *s, const ExploreRow *row, const char *line) {
  void *p = prepare(
      s, "INSERT INTO points (point, settings, status, code, message, area, cycles, time, chain,"
         " pruned_by, command, row) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  Buf settings = {0};
  if (!p) return false;
  row_print_settings(s->plan, row->point, &settings);
  s->api.bind_int64(p, 1, (i64)row->point);
  bind_text(s, p, 2, settings.data);
  bind_text(s, p, 3, row_statuses[row->status]);
  bind_text(s, p, 4, row->code);
  bind_text(s, p, 5, row->message);
  if (row->area) s->api.bind_int64(p, 6, (i64)row->area);
  if (row->status != ROW_FAILED) {
    s->api.bind_double(p, 7, (double)row->figures.of[GOAL_CYCLES] / 1000);
    s->api.bind_double(p, 8, (double)row->figures.of[GOAL_TIME] / 1000);
    s->api.bind_int64(p, 9, (i64)row->figures.of[GOAL_CHAIN]);
  }
  if (row->status == ROW_PRUNED) s->api.bind_int64(p, 10, (i64)row->by);
  bind_text(s, p, 11, row->command);
  bind_text(s, p, 12, line);
  buf_free(&settings);
  return finish(s, p);
}

static bool put_result(const Store *s, const ExploreRow *row, u32 k) {
  const ExploreResult *r = &row->results[k];
  void *p = prepare(s, "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  if (!p) return false;
  s->api.bind_int64(p, 1, (i64)row->point);
  bind_text(s, p, 2, row->names[k]);
  bind_text(s, p, 3, row_statuses[r->status]);
  bind_text(s, p, 4, r->code);
  bind_text(s, p, 5, r->message);
  if (r->bound) s->api.bind_int64(p, 6, (i64)r->bound);
  if (r->status == ROW_MAPPED) {
    s->api.bind_int64(p, 7, (i64)r->cycles);
    s->api.bind_int64(p, 8, r->ii);
    s->api.bind_int64(p, 9, r->chain);
    bind_text(s, p, 10, r->loops);
  }
  return finish(s, p);
}

bool store_put(Store *s, const ExploreRow *row) {
  Buf line = {0};
  row_print(s->plan, row, &line);
  bool is_ok = run(s, "BEGIN") && put_point(s, row, line.data);
  for (u32 k = 0; k < row->nresults && is_ok; k++) is_ok = put_result(s, row, k);
  is_ok = is_ok && run(s, "COMMIT");
  if (!is_ok) s->api.exec(s->db, "ROLLBACK", NULL, NULL, NULL); /* SQLite may have done so itself */
  buf_free(&line);
  return is_ok;
}

bool store_read(Store *s, Arena *arena, void (*take)(void *user, const ExploreRow *row),
                void *user) {
  void *p = prepare(s, "SELECT row FROM points ORDER BY point");
  int code = DONE;
  bool is_ok = p;
  while (is_ok && (code = s->api.step(p)) == ROW) {
    const char *text = (const char *)s->api.column_text(p, 0);
    ExploreRow row;
    is_ok = text && row_parse(s->plan, text, strlen(text), arena, &row);
    if (is_ok)
      take(user, &row);
    else
      wrong(s, "it has a row that loom explore did not write");
  }
  if (p) s->api.finalize(p);
  return is_ok && check_code(s, code);
}

bool store_front(Store *s, const Front *front) {
  Buf sql = {0};
  buf_str(&sql, "UPDATE points SET front = point IN (");
  for (size_t i = 0; i < front->len; i++)
    buf_printf(&sql, "%s%llu", i ? ", " : "", (unsigned long long)front->at[i].point);
  buf_str(&sql, ")");
  bool is_ok = run(s, sql.data);
  buf_free(&sql);
  return is_ok;
}
