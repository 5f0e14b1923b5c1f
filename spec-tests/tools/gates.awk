# gates.awk -- what Yosys' `stat` says of a module, in gates: transistors of its cells in CMOS, over those
# of a NAND of two inputs, which has four. An enable is a mux before the flip-flop, a reset an AND.
BEGIN {
  split("BUF 0 NOT 2 NAND 4 NOR 4 AND 6 OR 6 ANDNOT 6 ORNOT 6 AOI3 6 OAI3 6 AOI4 8 OAI4 8 NMUX 10 " \
        "MUX 12 XOR 12 XNOR 12 DFF 16 DFFE 28 SDFF 22 SDFFE 34 SDFFCE 34", words, " ")
  for (i = 1; i in words; i += 2) transistors[words[i]] = words[i + 1]
}
/^=== / { all = 0 }
$1 ~ /^\$/ {
  name = $1
  gsub(/^\$_|_$/, "", name)
  if (name !~ /^S?DFFC?E?_/) kind = name
  else { kind = name; sub(/_.*/, "", kind) }
  if (!(kind in transistors)) { print "unknown " $1; exit }
  all += transistors[kind] * $2
}
END { print int(all / 4) }
