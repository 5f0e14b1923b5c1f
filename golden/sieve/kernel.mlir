// The sieve of Eratosthenes on a memory of i1; returns how many primes there
// are. The inner loop's start and step are computed from the outer variable
// and it runs zero times for most; it stands in an scf.if without else whose
// condition was loaded from the memory that the loop stores to.
func.func @sieve(%composite: memref<?xi1>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %true = arith.constant true
  %false = arith.constant false
  %n = memref.dim %composite, %c0 : memref<?xi1>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %false, %composite[%i] : memref<?xi1>
  }
  memref.store %true, %composite[%c0] : memref<?xi1>
  memref.store %true, %composite[%c1] : memref<?xi1>
  %primes = scf.for %p = %c2 to %n step %c1 iter_args(%count = %zero) -> (i32) {
    %crossed = memref.load %composite[%p] : memref<?xi1>
    %prime = arith.xori %crossed, %true : i1
    scf.if %prime {
      %square = arith.muli %p, %p : index
      scf.for %m = %square to %n step %p {
        memref.store %true, %composite[%m] : memref<?xi1>
      }
    }
    %bit = arith.extui %prime : i1 to i32
    %next = arith.addi %count, %bit : i32
    scf.yield %next : i32
  }
  return %primes : i32
}
