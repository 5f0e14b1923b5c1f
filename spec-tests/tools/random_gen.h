/* random_gen.h -- what the five files of the random program generator share.
 *
 *   random_program.c   the program: arguments, helpers, statements, regions
 *   random_values.c    scalars: one pure op after another
 *   random_loops.c     loops at the edges of their types
 *   random_gotos.c     functions of blocks and branches instead
 *   random_memory.c    memories: declaring, viewing, indexing, loading, storing
 *
 * A generator walks forward only: it prints an op and remembers the value it made. What is in
 * scope is a prefix of two stacks (values, memories), so leaving a region is cutting them back.
 */
#ifndef LOOM_RANDOM_GEN_H
#define LOOM_RANDOM_GEN_H

#include "lib.h"
#include "random_program.h"

/* A type that one token can hold. Index counts as 32 bits wide here: the narrowest it can be. */
typedef struct {
  const char *name;
  char kind; /* 'i' integer, 'x' index, 'f' float */
  u8 width;
} Scalar;

enum { MAX_RANK = 3, MAX_RESULTS = 4, NAME_SIZE = 24, LINE = 512 };

/* A value in scope. Where `ranged`, it is known to lie in [lo, hi] when read as signed: loops
 * over small ranges and accesses in bounds are made out of such values. */
typedef struct {
  const Scalar *type;
  char name[NAME_SIZE]; /* with its % */
  bool literal;         /* folds to a constant: not chosen where there is another */
  bool ranged;
  i64 lo, hi;
} Val;

/* A memref in scope. `extent` is what it will be at run time, also where the type says `?`. */
typedef struct {
  char name[NAME_SIZE];
  const Scalar *elem;
  unsigned rank;
  unsigned root; /* memrefs of one root may overlap */
  i64 extent[MAX_RANK];
  bool dynamic[MAX_RANK];
  bool read_only;
  bool literals; /* its subscripts are */
  bool heap;     /* memref.alloc: to be freed where its region ends */
  bool strided;  /* a view; offset and strides as in its type, DYNAMIC_LAYOUT for ? */
  i64 offset, stride[MAX_RANK];
} Mem;

#define DYNAMIC_LAYOUT INT64_MIN

/* A helper function that calls may name. */
typedef struct {
  char name[NAME_SIZE];
  Val params[MAX_RESULTS];
  Mem mems[2];
  unsigned nparams, nmems, nresults;
  const Scalar *results[MAX_RESULTS];
  u64 cost;
} Helper;

typedef struct {
  const RandomOptions *options;
  unsigned size;
  Random random;
  Buf *out;
  Vec(Val) vals;
  Vec(Mem) mems;
  Vec(Mem) globals; /* the name is that of the symbol */
  Vec(Helper) helpers;
  unsigned next_name, next_root;
  unsigned indent, depth;
  unsigned expression;  /* how deep values are being made for values */
  unsigned no_effects;  /* inside scf.parallel: nothing may be stored or called, ... */
  unsigned hidden_root; /* ... and this memory not be loaded; 0 is none */
  Val edge;             /* %edge of main, where there is one; its type is NULL elsewhere */
  u64 edge_number;      /* and its value */
  u64 trips;            /* how often the op now printed runs at most */
  u64 cost, budget;     /* ops run so far at most, and when to stop adding more */
} Gen;

/* ---- numbers (random_values.c) ---- */
u64 random_u64(Gen *g);
unsigned below(Gen *g, unsigned n); /* 0 .. n-1; n > 0 */
bool chance(Gen *g, unsigned percent);
i64 between(Gen *g, i64 lo, i64 hi); /* both included */

/* ---- printing (random_values.c) ---- */
/* One line of the program at the present indentation; counts as one op that runs. */
void say(Gen *g, const char *format, ...) PRINTF_LIKE(2, 3);
void append(char out[LINE], const char *format, ...) PRINTF_LIKE(2, 3);
Val new_value(Gen *g, const char *prefix, const Scalar *type);
Val remember(Gen *g, Val v); /* brings it in scope */
Val with_range(Val v, i64 lo, i64 hi);

/* ---- regions (random_program.c) ---- */
typedef struct {
  size_t vals, mems;
  u64 trips;
} Scope;
/* A region whose ops run `trips` times as often as the op it belongs to. */
Scope enter(Gen *g, u64 trips);
void leave(Gen *g, Scope s);
/* `keyword %a, %b : i32, f32`, after freeing what the region allocated. */
void terminate(Gen *g, Scope s, const char *keyword, const Val *v, unsigned n);
void statements(Gen *g, unsigned least, unsigned most);

/* ---- loops at the edges (random_loops.c) ---- */
void edge_statement(Gen *g); /* one */
Val edge_loops(Gen *g);      /* a few, in main; what they summed up */

/* ---- branches (random_gotos.c) ---- */
void random_gotos(Gen *g, RandomProgram *program); /* text and case of the whole program */

/* ---- scalars (random_values.c) ---- */
const Scalar *scalar_named(const char *name);
const Scalar *random_scalar(Gen *g); /* any */
Val constant_int(Gen *g, const Scalar *t, i64 value);
Val any_value(Gen *g, const Scalar *t);  /* in scope, or made */
Val make_value(Gen *g, const Scalar *t); /* made now */
/* A value in [0, hi] or, with `one`, in [1, hi]; hi >= 1, and what t can hold. */
Val small_value(Gen *g, const Scalar *t, i64 hi, bool one);
/* A value in scope that is known to lie in [lo, hi]; false: there is none. */
bool choose_within(Gen *g, const Scalar *t, i64 lo, i64 hi, Val *chosen);
Val binary(Gen *g, const char *op, const Scalar *t, Val a, Val b); /* with its range */
/* One random literal of the type: as MLIR writes it in `dense` and constants, and as JSON. */
void random_literal(Gen *g, const Scalar *t, Buf *mlir, Buf *json);

/* ---- memories (random_memory.c) ---- */
void mem_type(const Mem *m, char out[LINE]);
i64 mem_elements(const Mem *m);
/* Shape, element type; no name yet. */
Mem random_mem(Gen *g);
/* A random dense literal of m's shape; `json`, where not NULL, gets the same as a flat list. */
void dense_literal(Gen *g, const Mem *m, Buf *mlir, Buf *json);
/* True after a load of that type was made. */
bool load_value(Gen *g, const Scalar *t, Val *v);
Val index_below(Gen *g, i64 extent); /* an index value in [0, extent) */
/* One that may be read (or written); false: there is none. */
bool choose_mem(Gen *g, bool writable, Mem *chosen);
void store_at(Gen *g, const Mem *m, const Val *indices, Val value);
void store_statement(Gen *g);
void update_statement(Gen *g);
void exchange_statement(Gen *g);
void guarded_load_statement(Gen *g);
void guarded_division_statement(Gen *g); /* random_values.c */
void alloc_statement(Gen *g);
void view_statement(Gen *g);
void copy_statement(Gen *g);
/* memref.dealloc of what was allocated in the scope that holds memories from `first` on. */
void free_locals(Gen *g, size_t first);

#endif
