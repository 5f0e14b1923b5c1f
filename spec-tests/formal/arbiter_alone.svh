// loom_arbiter for a single request: it is granted whenever its tag is wanted, and its tag is said.
// prove: loom_arbiter N=1 TAGS=4 TW=2
// mutant: s/asks & {N{wants.*;/asks;/
// mutant: s/'0 : tag\[TW-1:0\];/'0 : ~tag[TW-1:0];/
`RESET_FIRST
  always @*
    if (!rst) begin
      granted_if_wanted: assert (granted == (asks & {N{wants[tag]}}));
      said: assert (grants == (granted != '0) && (!grants || granted_tag == tag));
    end
