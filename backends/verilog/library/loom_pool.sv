// The shared part of a temporal PE's operand buffer. `PLACES` is the size of the whole buffer; every operand
// that takes from an input of the PE has one place of its own (loom_head), the rest is shared. An operand that
// takes from input p has room for another token if more than p shared places were free at the start of the
// cycle: each input brings at most one token, so there is a place for each without communication between them.
//
// Tokens are kept in the order in which they came, and shift down when earlier ones leave.
/* verilator lint_off WIDTHCONCAT */  // thousands of places are meant
module loom_pool #(
    parameter int K = 1,       // operands
    parameter int MOST = 1,    // of an instruction
    parameter int INS = 1,
    parameter int PLACES = 2,
    parameter int W = 1
) (
    input  logic             clk,
    input  logic             rst,
    input  logic [K*INS-1:0] uses_port,   // operand k takes from input p: [k * INS + p]
    output logic [K-1:0]     room,
    input  logic [K-1:0]     put,         // a token for the operand comes
    input  logic [K*W-1:0]   put_data,
    input  logic [K-1:0]     get,         // its first token leaves
    output logic [K-1:0]     there,
    output logic [K*W-1:0]   data
);
  localparam int P = PLACES - 1;
  localparam int KB = K > 1 ? $clog2(K) : 1;

  logic [P*KB-1:0] owner, owner_next;
  logic [P*W-1:0] held, held_next;
  logic [P-1:0] used, used_next, free_next, goes;
  logic [K*P-1:0] first;  // of operand k, where its first token is: [k * P + i]

  function automatic logic [W-1:0] at(input logic [P-1:0] is, input logic [P*W-1:0] all);
    at = '0;
    for (int i = 0; i < P; i++) if (is[i]) at |= all[i*W+:W];
  endfunction
  // The places of an operand's tokens.
  function automatic logic [P-1:0] of(input logic [KB-1:0] k, input logic [P-1:0] busy,
                                      input logic [P*KB-1:0] whose);
    for (int i = 0; i < P; i++) of[i] = busy[i] && whose[i*KB+:KB] == k;
  endfunction
  function automatic logic [P-1:0] those(input logic [K-1:0] is, input logic [K*P-1:0] places);
    those = '0;
    for (int k = 0; k < K; k++) if (is[k]) those |= places[k*P+:P];
  endfunction
  // Are more than `p` shared places free?
  function automatic logic is_free(input logic [K*INS-1:0] ports, input logic [P-1:0] busy,
                                   input int p);
    int n;
    n = p;
    for (int k = 0; k < K; k++) if (ports[k*INS+:INS] != '0) n++;
    for (int i = 0; i < P; i++) if (busy[i]) n++;
    is_free = n < PLACES;
  endfunction

  logic [INS-1:0] free;
  for (genvar p = 0; p < INS; p++) begin : g_free
    assign free[p] = is_free(uses_port, used, p);
  end
  for (genvar k = 0; k < K; k++) begin : g_operand
    logic [P-1:0] is;
    assign is = of(KB'(k), used, owner);
    assign first[k*P+:P] = is & -is;
    assign room[k] = |(uses_port[k*INS+:INS] & free);
    assign there[k] = |is;
    assign data[k*W+:W] = at(first[k*P+:P], held);
  end
  assign goes = those(get, first);

  // The remaining tokens close the gaps of those that leave: `MOST` at most, as one instruction fires in a
  // cycle. New tokens are appended.
  always_comb begin
    int n;
    n = 0;
    used_next = '0;
    owner_next = '0;
    held_next = '0;
    for (int i = 0; i < P; i++) begin
      for (int d = 0; d <= MOST; d++)
        if (d == n && used[i] && !goes[i]) begin
          used_next[i<d?0 : i-d] = 1'b1;
          owner_next[(i<d?0 : i-d)*KB+:KB] = owner[i*KB+:KB];
          held_next[(i<d?0 : i-d)*W+:W] = held[i*W+:W];
        end
      if (goes[i]) n++;
    end
    for (int k = 0; k < K; k++) begin
      free_next = ~used_next & (used_next + P'(1));
      for (int i = 0; i < P; i++)
        if (put[k] && free_next[i]) begin
          used_next[i] = 1'b1;
          owner_next[i*KB+:KB] = KB'(k);
          held_next[i*W+:W] = put_data[k*W+:W];
        end
    end
  end

  always_ff @(posedge clk) begin
    if (rst) used <= '0;
    else used <= used_next;
    owner <= owner_next;
    held <= held_next;
  end
endmodule
/* verilator lint_on WIDTHCONCAT */
