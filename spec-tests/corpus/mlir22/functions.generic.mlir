"builtin.module"() ({
  "func.func"() <{function_type = (i32, f32) -> (i32, f32), sym_name = "decl", sym_visibility = "private"}> ({
  }) {k = 1 : i64, llvm.emit_c_interface} : () -> ()
  "func.func"() <{arg_attrs = [{foo.a}, {foo.b = "s", foo.noalias = true}], function_type = (i32, memref<?xf32>) -> f32, res_attrs = [{foo.r = 1 : i8}], sym_name = "decl2", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "nested", sym_visibility = "nested"}> ({
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{foo.arg = 0 : i64}, {}], function_type = (i32, i32) -> (i32, i32), res_attrs = [{foo.res}, {}], sym_name = "pub", sym_visibility = "public"}> ({
  ^bb0(%arg3: i32, %arg4: i32):
    "func.return"(%arg3, %arg4) : (i32, i32) -> ()
  }) {foo.fn = "x"} : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "noargs"}> ({
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = ((i32) -> i32, () -> ()) -> ((i32) -> i32), sym_name = "fty"}> ({
  ^bb0(%arg1: (i32) -> i32, %arg2: () -> ()):
    %3 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %4 = "func.call_indirect"(%arg1, %3) : ((i32) -> i32, i32) -> i32
    "func.call_indirect"(%arg2) : (() -> ()) -> ()
    %5 = "func.constant"() <{value = @id}> : () -> ((i32) -> i32)
    %6 = "func.call_indirect"(%5, %4) {x = 1 : i64} : ((i32) -> i32, i32) -> i32
    "func.return"(%5) : ((i32) -> i32) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (i32) -> i32, sym_name = "id"}> ({
  ^bb0(%arg0: i32):
    "func.return"(%arg0) : (i32) -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (i32, i32), sym_name = "caller"}> ({
    %0 = "arith.constant"() <{value = 2 : i32}> : () -> i32
    %1:2 = "func.call"(%0, %0) <{callee = @pub}> : (i32, i32) -> (i32, i32)
    %2 = "func.call"(%0) <{callee = @id, no_inline}> {y} : (i32) -> i32
    "func.call"() <{callee = @noargs}> : () -> ()
    "func.return"(%1#0, %2) : (i32, i32) -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), no_inline, sym_name = "quoted-name"}> ({
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

