/* loom_replay.h -- a run of a machine, for backends that write test benches; goes with
 * loom_fabric.h.
 *
 * `loom.replay/1` is what the reference did with a case, cycle by cycle: what a realisation in
 * hardware is given, and what it must do. Present when `loom emit` was given a case.
 */
#ifndef LOOM_REPLAY_TABLE_H
#define LOOM_REPLAY_TABLE_H

#include "loom_fabric.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where tokens are counted: what takes them. */
enum loom_channel_kind {
  LOOM_CHANNEL_OPERAND, /* of a PE. a: argument of the unit's body; b: instruction. Of a switch that
                          * packs lanes. a: input port; b: output port */
  LOOM_CHANNEL_LANE,    /* of a memory. a: loom_family; b: the lane's tag */
  LOOM_CHANNEL_FIFO, /* what a fifo takes in. Of a switch: the buffer at output a, whatever the tags */
  LOOM_CHANNEL_REGISTER, /* of a temporal PE. a: register */
  LOOM_CHANNEL_OUTPUT,   /* of the fabric */
  LOOM_CHANNEL_DRAIN     /* discarded. a: input port, whatever the tokens' tags; of a PE: result
                          * of the unit's body, and b: instruction */
};

typedef struct loom_channel {
  enum loom_channel_kind kind;
  uint32_t component, a, b;
  const char *name; /* as `loom sim --cycles` calls it */
  uint64_t count;   /* tokens taken */
  uint64_t hash;    /* of their cycles and values (loom_timed.h) */
} loom_channel;

/* What is behind a region of a memory, as zero-extended elements. */
typedef struct loom_contents {
  uint32_t component, region;
  const uint64_t *before, *after;
  uint64_t elements;
  uint32_t element_bits;
} loom_contents;

typedef struct loom_replay { /* "loom.replay/1" */
  uint32_t size;
  uint64_t (*cycles)(const loom_design *); /* until the last thing moved */
  loom_count *channel_count, *contents_count;
  int (*channel)(const loom_design *, uint32_t i, loom_channel *out, size_t);
  int (*contents)(const loom_design *, uint32_t i, loom_contents *out, size_t);
  /* Of an input of the fabric (a component): the tokens that it is given; of an output: those that
   * it took. *count of them. */
  const uint64_t *(*tokens)(const loom_design *, uint32_t component, uint64_t *count);
  /* 0, or the code of the trap that ended the run (enum loom_kernel_trap); the rest is then what
   * happened before. */
  loom_count *error;
  /* 1: nothing moved any more, though results were owed or tokens were left. */
  loom_count *stands_still;
  /* Of an output of the fabric (a component): how many tokens it waits for; where the case gives
   * streams, 0. Of everything else 0. */
  uint64_t (*owed)(const loom_design *, uint32_t component);
  /* Of a tagged input of the fabric (a component): the tag under which its tokens come. */
  uint32_t (*input_tag)(const loom_design *, uint32_t component);
  /* How the memories outside answered (loom_simulator.h). */
  void (*memory)(const loom_design *, uint32_t *seed, uint32_t *most);
} loom_replay;

#ifdef __cplusplus
}
#endif
#endif
