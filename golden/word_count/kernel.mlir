// Counts lines, words and characters of a text, as wc does, and the longest
// line. A state machine: four counters and an i1 state carried by one loop,
// an scf.index_switch on the character's class with results. Lines end with
// character 10, words with 10 or 32; character 0 is skipped.
func.func @word_count(%text: memref<?xi8>) -> (i32, i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %false = arith.constant false
  %n = memref.dim %text, %c0 : memref<?xi8>
  %count:6 = scf.for %i = %c0 to %n step %c1
      iter_args(%lines = %zero, %words = %zero, %chars = %zero, %longest = %zero, %width = %zero, %in_word = %false)
      -> (i32, i32, i32, i32, i32, i1) {
    %char = memref.load %text[%i] : memref<?xi8>
    %class = arith.index_castui %char : i8 to index
    %all_chars = arith.addi %chars, %one : i32
    %next:6 = scf.index_switch %class -> i32, i32, i32, i32, i32, i1
    case 10 {
      %more_lines = arith.addi %lines, %one : i32
      %record = arith.maxsi %longest, %width : i32
      scf.yield %more_lines, %words, %all_chars, %record, %zero, %false : i32, i32, i32, i32, i32, i1
    }
    case 32 {
      %wider = arith.addi %width, %one : i32
      scf.yield %lines, %words, %all_chars, %longest, %wider, %false : i32, i32, i32, i32, i32, i1
    }
    case 0 {
      scf.yield %lines, %words, %chars, %longest, %width, %in_word : i32, i32, i32, i32, i32, i1
    }
    default {
      %starts = arith.xori %in_word, %true : i1
      %start = arith.extui %starts : i1 to i32
      %more_words = arith.addi %words, %start : i32
      %wider = arith.addi %width, %one : i32
      scf.yield %lines, %more_words, %all_chars, %longest, %wider, %true : i32, i32, i32, i32, i32, i1
    }
    scf.yield %next#0, %next#1, %next#2, %next#3, %next#4, %next#5 : i32, i32, i32, i32, i32, i1
  }
  return %count#0, %count#1, %count#2, %count#3 : i32, i32, i32, i32
}
