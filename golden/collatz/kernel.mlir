// Collatz: steps from each start to 1 (halve if even, else 3n + 1), and which
// start below the limit takes the most, and the highest number met.
// An scf.while around an scf.if with results, i64 values, inside a for that
// carries the record holder; no memory is touched at all.
func.func @collatz(%limit: index) -> (index, i32, i64) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %record:3 = scf.for %start = %c1 to %limit step %c1
      iter_args(%holder = %c1, %longest = %zero, %highest = %one) -> (index, i32, i64) {
    %first = arith.index_cast %start : index to i64
    %end:3 = scf.while (%n = %first, %steps = %zero, %peak = %highest) : (i64, i32, i64) -> (i64, i32, i64) {
      %more = arith.cmpi ne, %n, %one : i64
      scf.condition(%more) %n, %steps, %peak : i64, i32, i64
    } do {
    ^bb0(%n: i64, %steps: i32, %peak: i64):
      %odd = arith.trunci %n : i64 to i1
      %next = scf.if %odd -> (i64) {
        %triple = arith.muli %n, %three : i64
        %up = arith.addi %triple, %one : i64
        scf.yield %up : i64
      } else {
        %down = arith.shrui %n, %one : i64
        scf.yield %down : i64
      }
      %more_steps = arith.addi %steps, %step : i32
      %new_peak = arith.maxui %peak, %next : i64
      scf.yield %next, %more_steps, %new_peak : i64, i32, i64
    }
    %better = arith.cmpi sgt, %end#1, %longest : i32
    %new_holder = arith.select %better, %start, %holder : index
    %new_longest = arith.select %better, %end#1, %longest : i32
    scf.yield %new_holder, %new_longest, %end#2 : index, i32, i64
  }
  return %record#0, %record#1, %record#2 : index, i32, i64
}
