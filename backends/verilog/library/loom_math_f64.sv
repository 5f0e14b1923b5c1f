// A function of the C library on f64, for simulation only: bit for bit that of the library the simulator uses. It
// does not exist when SYNTHESIS is defined.
//
// Most are functions of the language (IEEE 1800-2017, 20.8.2), which simulators take from the C library.
// Those that the language lacks are DPI calls (loom_dpi.c). Simulators other than Verilator give x for
// them, and report that at the first nonzero argument: a unit that is not selected has zeros there.
`ifndef SYNTHESIS
module loom_math_f64 #(
    parameter logic [63:0] NAME = "sin"
) (
    input  logic [63:0] a,
    input  logic [63:0] b,
    output logic [63:0] y
);
`ifdef VERILATOR
  localparam bit IS_THERE = 1'b1;
  import "DPI-C" pure function real loom_cbrt(input real x);
  import "DPI-C" pure function real loom_erf(input real x);
  import "DPI-C" pure function real loom_erfc(input real x);
  import "DPI-C" pure function real loom_exp2(input real x);
  import "DPI-C" pure function real loom_expm1(input real x);
  import "DPI-C" pure function real loom_log1p(input real x);
  import "DPI-C" pure function real loom_log2(input real x);
  import "DPI-C" pure function real loom_pow(input real x, input real x2);
`else
  localparam bit IS_THERE = !(NAME == "cbrt" || NAME == "erf" || NAME == "erfc" || NAME == "exp2" ||
                              NAME == "expm1" || NAME == "log1p" || NAME == "log2");
  logic [63:0] name = NAME;
  initial
    if (!IS_THERE) begin
      wait ((^a) !== 1'bx && a != 64'd0);
      $display("%m: math.%0s needs Verilator (DPI); here it gives x", name);
    end
`endif

  function automatic real value(input real x, input real x2);
    case (NAME)
      "acos": value = $acos(x);
      "acosh": value = $acosh(x);
      "asin": value = $asin(x);
      "asinh": value = $asinh(x);
      "atan": value = $atan(x);
      "atan2": value = $atan2(x, x2);
      "atanh": value = $atanh(x);
      "cos": value = $cos(x);
      "cosh": value = $cosh(x);
      "exp": value = $exp(x);
      "log": value = $ln(x);
      "log10": value = $log10(x);
      "sin": value = $sin(x);
      "sinh": value = $sinh(x);
      "tan": value = $tan(x);
      "tanh": value = $tanh(x);
`ifdef VERILATOR
      "cbrt": value = loom_cbrt(x);
      "erf": value = loom_erf(x);
      "erfc": value = loom_erfc(x);
      "exp2": value = loom_exp2(x);
      "expm1": value = loom_expm1(x);
      "log1p": value = loom_log1p(x);
      "log2": value = loom_log2(x);
      "pow": value = loom_pow(x, x2);  // C++ compilers fold pow(x, 0), of a signalling NaN wrongly
`else
      "pow": value = $pow(x, x2);
`endif
      default: value = 0.0;
    endcase
  endfunction

  assign y = !IS_THERE ? 'x : $realtobits(value($bitstoreal(a), $bitstoreal(b)));
endmodule
`endif
