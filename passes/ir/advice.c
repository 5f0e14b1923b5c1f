/* advice.c -- hints of diagnostics for MLIR that LOOM does not accept: which option of mlir-opt
 * lowers the dialect of an op, and what to replace an unsupported type by. */
#include "ir/ir.h"

#define TENSORS                                                                                    \
  "mlir-opt --one-shot-bufferize=bufferize-function-boundaries --buffer-results-to-out-params "    \
  "converts tensors to memrefs"

#define GPU "use the kernel as it was before it was converted to GPU code, with its loops"

static const struct {
  const char *name, *advice; /* of a dialect, or of one op of it */
} rows[] = {
    {"affine", "mlir-opt --lower-affine converts it to scf and arith"},
    {"amdgpu", GPU},
    {"async", "leave out the pass that creates tasks, such as --async-parallel-for"},
    {"bufferization", TENSORS},
    {"complex", "compute with the real and the imaginary part as two numbers"},
    {"linalg", "mlir-opt --convert-linalg-to-loops converts it to scf loops if it works on "
               "memrefs; before that, " TENSORS},
    {"gpu", GPU},
    {"nvgpu", GPU},
    {"omp", "leave out the pass that creates it, such as --convert-scf-to-openmp"},
    {"scf.forall", TENSORS},
    {"shape", "mlir-opt --convert-shape-to-std converts it to arith and tensor"},
    {"sparse_tensor", "mlir-opt --sparsifier converts it to loops over memrefs"},
    {"spirv", "use the kernel as it was before it was converted to SPIR-V"},
    {"tensor", TENSORS},
    {"tosa", "mlir-opt --tosa-to-linalg-pipeline converts it to linalg and tensor; then, " TENSORS
             ", and --convert-linalg-to-loops converts it to loops"},
    {"vector",
     "mlir-opt cannot convert vectors to scalars (--convert-vector-to-scf splits only transfers): "
     "leave out the pass that creates vectors, such as --affine-super-vectorize"},
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
      return "use a signless integer (i8, not ui8 or si8); operations such as arith.divui and "
             "arith.divsi select the sign";
    return "integers have 1 to 64 bits: split a wider one into several";
  case TYPE_VECTOR: return dialect_advice("vector");
  case TYPE_TENSOR:
  case TYPE_UNRANKED_TENSOR: return dialect_advice("tensor");
  case TYPE_COMPLEX: return dialect_advice("complex");
  case TYPE_UNRANKED_MEMREF: return "give it a rank with memref.cast";
  case TYPE_MEMREF: return type_is_scalar(type->elem) ? NULL : type_advice(type->elem);
  case TYPE_OPAQUE:
    if (type->text && (type->text->text[0] == 'f' || type->text->text[0] == 't'))
      return "the supported floats are f16, bf16, f32 and f64: convert it to one of them first";
    return NULL;
  default: return NULL;
  }
}
