# A shell around a module, for place and route: awk -f shell.awk rtl/tile_pe.sv. The pins of a chip are too few for
# the ports of a tile; here a shift register gives the inputs, and another has what the outputs say.
/^module / { name = $2 }
/^    (input|output) / {
  width = match($0, /\[[0-9]+:0\]/) ? substr($0, RSTART + 1, RLENGTH - 4) + 1 : 1
  sub(/ *\/\/.*/, "")
  sub(/,$/, "")
  port = $NF
  if (port == "clk") next
  if ($1 == "input") { joined = joined sprintf(",\n      .%s(given[%d+:%d])", port, inputs, width); inputs += width }
  else { joined = joined sprintf(",\n      .%s(said[%d+:%d])", port, outputs, width); outputs += width }
}
/^\);/ { exit }
END {
  printf "module shell (input clk, input shift, input in, output out);\n"
  printf "  reg [%d:0] given;\n  reg [%d:0] kept;\n  wire [%d:0] said;\n", inputs - 1, outputs - 1, outputs - 1
  printf "  assign out = kept[0];\n  always @(posedge clk) begin\n    given <= {given, in};\n"
  printf "    kept <= shift ? kept >> 1 : said;\n  end\n"
  printf "  %s dut (\n      .clk(clk)%s\n  );\nendmodule\n", name, joined
}
