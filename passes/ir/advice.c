/* advice.c -- hints of diagnostics for MLIR that LOOM does not accept: which option of mlir-opt
 * lowers the dialect of an op, and what to replace an unsupported type by. */
#include "ir/ir.h"

#define TENSORS                                                                                    \
  "mlir-opt --one-shot-bufferize=bufferize-function-boundaries --buffer-results-to-out-params "    \
  "makes memrefs of tensors"

#define GPU "take the kernel before it was made one for a GPU, with its loops in it"

static const struct {
  const char *name, *advice; /* of a dialect, or of one op of it */
} rows[] = {
    {"affine", "mlir-opt --lower-affine makes scf and arith of it"},
    {"amdgpu", GPU},
    {"async", "leave out the pass that made tasks, such as --async-parallel-for"},
    {"bufferization", TENSORS},
    {"complex", "calculate with the real and the imaginary part, as two numbers"},
    {"linalg",
     "mlir-opt --convert-linalg-to-loops makes scf loops of it, where it works on memrefs; before "
     "that, " TENSORS},
    {"gpu", GPU},
    {"nvgpu", GPU},
    {"omp", "leave out the pass that made it, such as --convert-scf-to-openmp"},
    {"scf.forall", TENSORS},
    {"shape", "mlir-opt --convert-shape-to-std makes arith and tensor of it"},
    {"sparse_tensor", "mlir-opt --sparsifier makes loops over memrefs of it"},
    {"spirv", "take the kernel before it was made SPIR-V"},
    {"tensor", TENSORS},
    {"tosa", "mlir-opt --tosa-to-linalg-pipeline makes linalg and tensor of it; then, " TENSORS
             ", and --convert-linalg-to-loops makes loops"},
    {"vector",
     "mlir-opt makes no scalars of vectors (--convert-vector-to-scf takes only transfers apart): "
     "leave out the pass that made vectors, such as --affine-super-vectorize"},
};

const char *dialect_advice(const char *name) {
  size_t len = strcspn(name, ".");
  for (size_t i = 0; i < COUNT_OF(rows); i++)
    if (strcmp(rows[i].name, name) == 0 ||
        (strlen(rows[i].name) == len && memcmp(rows[i].name, name, len) == 0))
      return rows[i].advice;
  return NULL;
}

const char *type_advice(const Type *type) {
  switch (type->kind) {
  case TYPE_INT:
    if (type->signedness != SIGNLESS)
      return "integers have no sign here: i8, not ui8 or si8; "
             "operations say whether they read one, as arith.divui and arith.divsi do";
    return "integers have 1 to 64 bits: make several of a wider one";
  case TYPE_VECTOR: return dialect_advice("vector");
  case TYPE_TENSOR:
  case TYPE_UNRANKED_TENSOR: return dialect_advice("tensor");
  case TYPE_COMPLEX: return dialect_advice("complex");
  case TYPE_UNRANKED_MEMREF: return "give it a rank with memref.cast";
  case TYPE_MEMREF: return type_is_scalar(type->elem) ? NULL : type_advice(type->elem);
  case TYPE_OPAQUE:
    if (type->text && (type->text->text[0] == 'f' || type->text->text[0] == 't'))
      return "floats are f16, bf16, f32 or f64 here: widen it before, or narrow it";
    return NULL;
  default: return NULL;
  }
}
