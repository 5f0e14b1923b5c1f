/* loom_plugin.h -- how a backend plugs into LOOM. This file is all you need.
 *
 * A plugin is a shared object that offers backends. A backend reads a design and writes files:
 *
 *     loom backends --header -o loom_plugin.h                     (this file)
 *     cc -shared -fPIC -fvisibility=hidden my.c -o my.so
 *     loom emit --plugin my.so mine kernel.mlir -o out            (or drop my.so into plugins/)
 *
 * It exports one symbol, LOOM_PLUGIN_ENTRY, and includes nothing of LOOM but this header. Copy
 * plugins/dot.c. Front ends: loom_frontend.h. C99, or C++11 (which wants initialisers in order).
 *
 * How one emit goes:  1. LOOM reads the entry: sizes, ABI, backends, and what each requires.
 *   2. `create` gets the host and makes the backend's state.  3. `emit` reads the design through
 *   the extension tables below and writes streams.  4. `destroy`, always, once `create` was good.
 *   Files appear under their names only when `emit` returned LOOM_OK; else nothing of it is kept.
 *
 * Rules.
 *   Versions  The same major is required; a newer minor on either side works. Structs only grow at
 *     their end and start with their size: ask LOOM_HAS(host, field) before using a field newer
 *     than 1.0. Structs that the host fills take their size in the call: dfg->node(design, id, &n,
 *     sizeof n). What changes its meaning gets a new extension id. Unknown ones are answered NULL.
 *   Memory    Who makes a thing frees it. host->alloc lives until `emit` returns. Strings and
 *     arrays from the host are UTF-8, NUL-terminated, const, and good as long as the design.
 *   Ids       Entities are 32-bit ids that count from 0; LOOM_NONE is "none". The numbers of ops
 *     are not stable between versions: ask dfg->op_id("handshake.mux") once.
 *   Threads   Everything is called on one thread; call the host only during create and emit.
 *   Manners   Return codes only: no exit, no longjmp, nothing written to standard output. Say
 *     what went wrong through host->diag, then return LOOM_ERROR. Output must depend on nothing
 *     but the design and the options: no time, no addresses, no locale.
 */
#ifndef LOOM_PLUGIN_H
#define LOOM_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LOOM_ABI_MAJOR 1
#define LOOM_ABI_MINOR 1
#define LOOM_NONE      UINT32_MAX

/* True where the struct behind `ptr`, made by the other side, reaches as far as `field`. */
#define LOOM_HAS(ptr, field)                                                                       \
  ((ptr)->size >= (size_t)((const char *)(&(ptr)->field + 1) - (const char *)(ptr)))

/* ERROR: the design or an option is wrong. UNSUPPORTED: not this design. Say more through diag. */
enum loom_status { LOOM_OK, LOOM_ERROR, LOOM_UNSUPPORTED };

typedef struct loom_design loom_design; /* opaque: read it through extensions */

/* ---- the host ---------------------------------------------------------------------------------
 * Pass `host` itself as first argument to each of its functions. */
enum loom_severity { LOOM_NOTE, LOOM_WARNING, LOOM_FAILURE }; /* a FAILURE makes the emit fail */

typedef struct loom_host {
  uint32_t size;
  uint16_t abi_major, abi_minor;
  const char *version; /* LOOM's, for headers of generated files */
  /* Zeroed memory, aligned for anything. Never NULL: without memory LOOM says so and ends. */
  void *(*alloc)(const struct loom_host *, size_t bytes);
  /* One diagnostic: `code` in capitals (MINE_BAD_NAME), `node` a node of the graph it is about,
   * which gives it a place in the source, or LOOM_NONE. Plain words, no newline at the end. */
  void (*diag)(const struct loom_host *, enum loom_severity, const char *code, uint32_t node,
               const char *message);
  /* Appends bytes to the output file `stream`, a relative path without "..", such as "top.dot".
   * The host buffers, so small writes are cheap. LOOM_ERROR when it cannot: it has said why, and
   * nothing will be kept, whatever emit returns. */
  int (*write)(const struct loom_host *, const char *stream, const void *data, size_t bytes);
  /* The value of an option of this backend, as given or as its default; NULL: no such option.
   * Values were checked against the option's type: a FLAG is "0" or "1", an INT is decimal. */
  const char *(*option)(const struct loom_host *, const char *name);
  /* A table of functions, by the id that stands at its struct below; NULL: there is none. Of
   * "loom.folder/1" it is nothing to look into: it is there where output may be several files. */
  const void *(*get_extension)(const struct loom_host *, const char *id);
} loom_host;

/* ---- a backend ----------------------------------------------------------------------------- */

enum loom_option_type { LOOM_FLAG, LOOM_INT, LOOM_TEXT, LOOM_CHOICE };

typedef struct loom_option {
  uint32_t size;
  const char *name; /* "from": given as `-- --from=3` or `-- --from 3` */
  enum loom_option_type type;
  const char *fallback; /* the default, as text; never NULL */
  const char *choices;  /* CHOICE: "one|two|three"; else NULL */
  const char *help;     /* one line */
} loom_option;

typedef struct loom_backend {
  uint32_t size;
  const char *id;      /* "dot": letters, digits, - and _ */
  const char *version; /* the backend's own */
  const char *summary; /* one line for `loom backends` */
  const loom_option *const *options;
  uint32_t option_count;
  const char *const *requires; /* extensions without which `create` is not even called */
  uint32_t require_count;
  int (*create)(const loom_host *, void **state);
  int (*emit)(void *state, const loom_design *);
  void (*destroy)(void *state);
  const void *(*get_extension)(const char *id); /* for later; may be NULL */
} loom_backend;

typedef struct loom_plugin {
  uint32_t size;
  uint16_t abi_major, abi_minor;
  uint32_t machine; /* checked: a plugin for another machine is refused */
  uint32_t backend_count;
  const loom_backend *const *backends;
  uint32_t frontend_count; /* since 1.1: loom_frontend.h */
  const struct loom_frontend *const *frontends;
} loom_plugin;

#ifndef LOOM_PLUGIN_NAME /* linked into a program instead: give it another name with -D */
#define LOOM_PLUGIN_NAME loom_plugin_entry
#endif
#ifdef __GNUC__
__attribute__((visibility("default")))
#endif
extern const loom_plugin LOOM_PLUGIN_NAME;

/* An option in one line, and at the end of the file: LOOM_PLUGIN_ENTRY = LOOM_PLUGIN(backends); */
#define LOOM_OPTION(type, name, fallback, choices, help)                                           \
  { sizeof(loom_option), name, type, fallback, choices, help }
#define LOOM_PLUGIN_ENTRY const loom_plugin LOOM_PLUGIN_NAME
#define LOOM_MACHINE      ((uint32_t)(sizeof(void *) * 16 + sizeof(size_t)))
#define LOOM_PLUGIN_HEAD  sizeof(loom_plugin), LOOM_ABI_MAJOR, LOOM_ABI_MINOR, LOOM_MACHINE
#define LOOM_COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))
#define LOOM_PLUGIN(array)                                                                         \
  { LOOM_PLUGIN_HEAD, LOOM_COUNT(array), (array), 0, 0 }

/* ---- loom.dfg/1: the graph ---------------------------------------------------------------------
 * Nodes emit tokens on results; each use of a result is an edge, a FIFO to one operand of one
 * node. Function arguments are nodes without operands, the return is a node without results. Ids
 * count in the order of the source text. Names are unique within nodes, results and edges. */

enum loom_kind { LOOM_NO_DATA, LOOM_INDEX, LOOM_INTEGER, LOOM_IEEE, LOOM_BF16, LOOM_TUPLE };

typedef struct loom_type {
  enum loom_kind kind;      /* NO_DATA: none, and memrefs */
  uint32_t bits;            /* of one token, its tag included; 0 for none */
  uint32_t tag_bits;        /* 0: no tag */
  const char *text;         /* as printed: "i32" */
  const uint32_t *elements; /* tuple: type ids */
  uint32_t element_count;
} loom_type;

typedef struct loom_node {
  uint32_t op;              /* compare with op_id(...) */
  const char *op_name;      /* "arith.addi"; "handshake.func" of an argument */
  const char *name;         /* of its first result: "sum"; of the op where it has none: "return" */
  const char *where;        /* place in the source: "kernel.mlir:12:5", or "unknown" */
  const uint32_t *operands; /* edge ids; of a memory: stores' data and addresses, then loads' */
  uint32_t operand_count;
  uint32_t first_result, result_count;
  uint64_t literal;   /* handshake.constant: the bits */
  uint32_t memory;    /* memory, load, store: memory id */
  uint32_t port;      /* load, store: which load or store port of that memory */
  uint32_t argument;  /* argument: which */
  uint32_t access;    /* load, store: number of the source access; stable under lowering */
  uint32_t predicate; /* comparisons: MLIR's number */
  const char *step_op, *cont_cond; /* dataflow.stream: "+=", "<"; else "" */
  uint32_t slots;                  /* buffer: capacity */
  const uint64_t *initial;         /* buffer: tokens it starts with */
  uint32_t initial_count;
} loom_node;

typedef struct loom_result {
  const char *name;
  uint32_t node, type;
  uint32_t first_edge, edge_count;
} loom_result;

typedef struct loom_edge {
  const char *name;
  uint32_t result;            /* what it carries */
  uint32_t from, to, operand; /* nodes; which operand of `to` */
  uint32_t is_back;           /* its consumer stands before its producer in `order` */
} loom_edge;

enum loom_role { LOOM_VALUE, LOOM_MEMREF, LOOM_EXTENT, LOOM_CONTROL };

typedef struct loom_argument {
  const char *name;
  enum loom_role role; /* EXTENT: size of dimension `dimension` of argument `of` */
  uint32_t node, type, of, dimension;
} loom_argument;

typedef struct loom_memory {
  const char *name;
  uint32_t node, element; /* element: type id */
  uint32_t argument;      /* the memref argument it stands for, or LOOM_NONE: the graph's own */
  uint64_t elements; /* 0 where is_dynamic: the case says (own memory: grows as it is touched) */
  uint32_t is_dynamic, rank;
  const int64_t *extents; /* rank of them; negative: dynamic */
  uint32_t store_count, load_count;
  const uint32_t *ports;   /* load or store node of each port, stores first; LOOM_NONE: by hand */
  uint32_t address_count;  /* addresses a port takes: 1 (an element number) or the rank */
  const uint64_t *initial; /* none: zeros; one: every element; else one an element */
  uint64_t initial_count;
  const int64_t *strides; /* element (i, ...) has number offset + i * strides[0] + ...; NULL, or */
  int64_t offset;         /* INT64_MIN in it: row-major, no gaps. `elements` counts gaps too */
  uint32_t alias_group;   /* memories of one group may overlap; LOOM_NONE: this one does not */
} loom_memory;

typedef uint32_t loom_count(const loom_design *);
typedef struct loom_dfg { /* "loom.dfg/1" */
  uint32_t size;
  const char *(*name)(const loom_design *);                    /* of the function */
  uint32_t (*op_id)(const loom_design *, const char *op_name); /* LOOM_NONE: not in this graph */
  loom_count *node_count, *result_count, *edge_count, *type_count, *argument_count;
  loom_count *output_count, *memory_count; /* output i is operand i of the return node */
  /* Each fills *out, of which you know `sizeof *out` bytes; LOOM_ERROR: there is no such id. */
  int (*node)(const loom_design *, uint32_t id, loom_node *out, size_t);
  int (*result)(const loom_design *, uint32_t id, loom_result *out, size_t);
  int (*edge)(const loom_design *, uint32_t id, loom_edge *out, size_t);
  int (*type)(const loom_design *, uint32_t id, loom_type *out, size_t);
  int (*argument)(const loom_design *, uint32_t i, loom_argument *out, size_t);
  int (*memory)(const loom_design *, uint32_t id, loom_memory *out, size_t);
  const char *(*output_name)(const loom_design *, uint32_t i);
  loom_count *return_node;
  const uint32_t *(*order)(const loom_design *); /* all nodes, producers first but for back edges */
  loom_count *is_determinate;                    /* 1: no merge: histories are schedule-free */
} loom_dfg;

/* ---- loom.domains/1: when tokens come ----------------------------------------------------------
 * Only of graphs that the balance proof accepts. All results of one domain tick together:
 * ONCE a call; a BURST for each token of `parent`, as long as `condition` is true, the last time
 * false; those tokens of `parent` for which `condition` is TRUE or FALSE. */
enum loom_domain_kind { LOOM_ONCE, LOOM_BURST, LOOM_TRUE, LOOM_FALSE };
typedef struct loom_domain {
  enum loom_domain_kind kind;
  uint32_t condition; /* result id */
  uint32_t parent;    /* domain id; always less than this one's */
} loom_domain;
typedef struct loom_domains { /* "loom.domains/1" */
  uint32_t size;
  loom_count *domain_count;
  int (*domain)(const loom_design *, uint32_t id, loom_domain *out, size_t);
  uint32_t (*of_result)(const loom_design *, uint32_t result);
} loom_domains;

/* ---- loom.c/1: what a pure op computes, in C99 -------------------------------------------------
 * A value's C type: the smallest of uint8_t ... uint64_t that holds an integer or index (bits
 * zero-extended), float, double, or uint16_t with the bits of f16 and bf16. */
typedef struct loom_c { /* "loom.c/1" */
  uint32_t size;
  const char *(*type_name)(const loom_design *, uint32_t type); /* NULL: none, tuples */
  uint32_t (*is_pure)(const loom_design *, uint32_t node);      /* 1: `expression` can write it */
  /* Result `which` of the node as one expression over C expressions of its operands, which must
   * be names or in parentheses and may be evaluated several times. Lives as host->alloc's. */
  const char *(*expression)(const loom_host *, const loom_design *, uint32_t node, uint32_t which,
                            const char *const *operands);
  /* 1 where it may call loom_trap(code, node, a, b), which you define and which does not return:
   * code 1 divides by zero, 2 overflows (MIN / -1), 3 outside a memory, 4 steps by zero. */
  uint32_t (*may_trap)(const loom_design *, uint32_t node);
  /* 1 where a NaN it gives may have any payload: before its bits are seen (stored, sent, cast)
   * pass it through `canonical`, which makes every NaN the one positive quiet one. */
  uint32_t (*is_loose_nan)(const loom_design *, uint32_t node);
  const char *(*canonical)(const loom_host *, const loom_design *, uint32_t type, const char *);
  /* A value to and from its bits in a uint64_t. */
  const char *(*to_bits)(const loom_host *, const loom_design *, uint32_t type, const char *value);
  const char *(*from_bits)(const loom_host *, const loom_design *, uint32_t type, const char *bits);
  /* The helper functions that all these use, as C99 text; needs <stdint.h> to stand before it. */
  const char *(*prelude)(const loom_design *);
  uint32_t (*in_bulk)(const loom_design *, uint32_t node); /* always 0; no longer asked */
  /* In made: the least and the greatest of result 0, an integer read as signed, where operand i, if
   * an integer, lies in bounds[i]. LOOM_UNSUPPORTED: nothing is known. */
  int (*range)(const loom_design *, uint32_t node, const int64_t (*bounds)[2], int64_t made[2]);
} loom_c;

/* ---- loom.histories/1: what a run did ----------------------------------------------------------
 * Present when `loom emit` was given a case. Ids are those of the design that is passed. Of mapped
 * hardware the case is one of the graph behind it: pass binding->graph(design), loom_machine.h. */
typedef struct loom_visitor {
  uint32_t size;
  void *user;
  /* In order of time, which counts firings from 0: a node fires; a token leaves on a result, its
   * value as 64-bit words, one a scalar (none: no word). Return LOOM_OK to go on. */
  int (*firing)(void *user, uint64_t time, uint32_t node);
  int (*token)(void *user, uint64_t time, uint32_t result, const uint64_t *words, uint32_t count);
} loom_visitor;
typedef struct loom_histories { /* "loom.histories/1" */
  uint32_t size;
  /* Runs the graph on the case and shows every event. LOOM_ERROR: the run failed or the visitor
   * stopped it; what was shown until then happened. May be called again, not by a visitor. */
  int (*replay)(const loom_design *, const loom_visitor *);
  /* After a replay: tokens of a result, and the XXH3-128 of their bytes, high word first. */
  uint64_t (*count)(const loom_design *, uint32_t result);
  void (*hash)(const loom_design *, uint32_t result, uint64_t out[2]);
} loom_histories;
#ifdef __cplusplus
}
#endif
#endif
