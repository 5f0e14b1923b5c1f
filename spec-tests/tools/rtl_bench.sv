// rtl_bench.sv -- applies the test vectors of rtl_check.c to the units, for simulators that run Verilog only. Every
// line of vectors.hex has the expected y (x: any value), the predicate, and c, b, a.
module bench #(
    parameter int WORDS = 1,
    parameter int VECTORS = 1
);
  logic [64*WORDS+195:0] vectors[0:VECTORS-1];
  logic [63:0] a, b, c;
  logic [3:0] predicate;
  logic [64*WORDS-1:0] y, want;
  integer wrong = 0;

  units dut (.clk(1'b0), .first(1'b1), .move(1'b0), .a(a), .b(b), .c(c), .predicate(predicate), .y(y));

  initial begin
    $readmemh("vectors.hex", vectors);
    for (int i = 0; i < VECTORS; i++) begin
      {want, predicate, c, b, a} = vectors[i];
      #1;
      casex (want)
        y: ;
        default: begin
          wrong++;
          for (int w = 0; w < WORDS && wrong < 4; w++)
            if (y[64*w+:64] !== want[64*w+:64])
              $display("FAIL vector %0d, word %0d: %h, must be %h", i, w, y[64*w+:64],
                       want[64*w+:64]);
        end
      endcase
    end
    $display("%0d passed, %0d failed", VECTORS - wrong, wrong);
    $finish;
  end
endmodule
