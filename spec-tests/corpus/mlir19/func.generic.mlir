"builtin.module"() <{sym_name = "m"}> ({
  "func.func"() <{arg_attrs = [{x.a}, {}], function_type = (i32, f32) -> i32, res_attrs = [{x.b = "r"}], sym_name = "decl", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = (i32) -> ((i32) -> i32), sym_name = "odd name", sym_visibility = "public"}> ({
  ^bb0(%arg2: i32):
    %9 = "func.constant"() <{value = @id}> : () -> ((i32) -> i32)
    "func.return"(%9) : ((i32) -> i32) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (i32) -> i32, sym_name = "id", sym_visibility = "nested"}> ({
  ^bb0(%arg1: i32):
    "func.return"(%arg1) : (i32) -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "none"}> ({
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (i32, f32, index), sym_name = "multi"}> ({
    %2:3 = "func.call"() <{callee = @ext3}> : () -> (i32, f32, index)
    %3:3 = "foo.x"() : () -> (i32, i32, i32)
    %4 = "func.constant"() <{value = @id}> : () -> ((i32) -> i32)
    %5 = "func.call_indirect"(%4, %2#0) : ((i32) -> i32, i32) -> i32
    %6 = "func.call"(%5) <{callee = @"odd name"}> {tag} : (i32) -> ((i32) -> i32)
    "scf.execute_region"() ({
      %8 = "func.call"(%5) <{callee = @id}> : (i32) -> i32
      "scf.yield"() : () -> ()
    }) : () -> ()
    %7:2 = "foo.y"(%3#1, %3#2) : (i32, i32) -> (i32, i32)
    "func.return"(%2#0, %2#1, %2#2) : (i32, f32, index) -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (i32, f32, index), sym_name = "ext3", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{arg_attrs = [{foo.x, x.x = [1, 2]}], function_type = (i32) -> (), sym_name = "attrs"}> ({
  ^bb0(%arg0: i32):
    "func.return"() {fin} : () -> ()
  }) {x.z = {a = 1 : i64}} : () -> ()
  "builtin.module"() ({
    "builtin.module"() <{sym_name = "nested"}> ({
    ^bb0:
    }) : () -> ()
  }) : () -> ()
  %0:2 = "builtin.unrealized_conversion_cast"(%1#0) : (i32) -> (f32, f32)
  %1:2 = "foo.graph"(%0#0) : (f32) -> (i32, i32)
}) {a.b = 1 : i32} : () -> ()

