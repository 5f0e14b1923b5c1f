func.func private @t(!dataflow.tagged<i32, i4>, !dataflow.tagged<index, i16>, memref<4x!dataflow.tagged<f32, i1>>)
