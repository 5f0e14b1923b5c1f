#!/bin/sh
# rtl_loops.sh -- hardware whose switches have buffers has no loop of gates, however it is configured.
#
#     rtl_loops.sh LOOM FOLDER
#
# Yosys looks for strongly connected components among all gates of a generated fabric, with its configuration
# registers (scc). That it can find one is checked with switches without buffers and with broken buffers.
#
# A preset has too many gates for that. But what holds of small fabrics is enough: through a switch with
# buffers, a FIFO that cannot be bypassed, a memory, a PE without units of latency 0 leads no wire. So of a
# preset only the components are looked at, each as if wires led from all of its inputs to all of its outputs,
# but for those: where these are cut out nothing may lead round. And of one preset the gates of a tile are, with all the units of its PE. The last line is: N passed, N failed[, N skipped].
set -u
cd "$(dirname "$0")/../.." || exit 1
loom=$1 folder=$2
. "$(dirname "$0")/lib.sh"
need "loops of gates are not looked for" yosys
mkdir -p "$folder"
said=$folder/said

# Small units: what is in them is not what this is about.
cat >"$folder/units.mlir" <<'END'
fabric.function_unit @and(%a: i4, %b: i4) -> (i4) [latency = 1, interval = 1] {
  %z = arith.andi %a, %b : i4
  fabric.yield %z : i4
}
fabric.function_unit @or(%a: i4, %b: i4) -> (i4) [latency = 0, interval = 1] {
  %z = arith.ori %a, %b : i4
  fabric.yield %z : i4
}
END

# written NAME OPTION...: a fabric of two PEs, with these options, as Verilog in FOLDER/NAME.
written() {
  name=$1
  shift
  rm -rf "${folder:?}/$name"
  "$loom" adg --topology mesh --rows 1 --cols 2 --tracks 1 --fu "$folder/units.mlir" \
    --scratchpads 0 --inputs 1 --outputs 1 "$@" -o "$folder/$name.mlir" >"$said" 2>&1 &&
    "$loom" emit verilog "$folder/$name.mlir" -o "$folder/$name" >"$said" 2>&1
}

# described NAME SED...: a fabric of four cells, with registers between switches, and in each cell a PE of latency 1
# beside one that is wires and feeds it; the description changed by sed. As Verilog in FOLDER/NAME.
described() {
  name=$1
  shift
  cat >"$folder/described.adg" <<'END'
topology mesh
rows 1
cols 2
tracks 1
memories 1
scratchpads 0
inputs 1
outputs 1
fu int
fifo 2
pattern (AB)
class A late
  units andi_i1
  inputs 2
  outputs 1
  fifo 2,bypassable
class B wire
  units cond_br_none
  inputs 2
  outputs 2
  out-fifo 2
  feeds A
END
  sed "$@" "$folder/described.adg" >"$folder/$name.adg"
  rm -rf "${folder:?}/$name"
  "$loom" adg "$folder/$name.adg" -o "$folder/$name.mlir" >"$said" 2>&1 &&
    "$loom" emit verilog "$folder/$name.mlir" -o "$folder/$name" >"$said" 2>&1
}

# loops NAME [TOP]: how many there are in FOLDER/NAME, or in one module of it. First they are looked for among whole
# words, each output of a cell of which depends on all of its inputs: no loop of gates is anywhere else. So what neither is
# part of such a loop nor leads to one, constants, for example, is deleted before gates are made. Only what scc needs is
# done: what can be done before flatten, when there is one of each module, is done there. What is left unsimplified can only
# add loops.
loops() {
  cat >"$folder/$1.ys" <<END
read_verilog -sv $(files "$folder/$1/rtl" "${2:-fabric}")
hierarchy -top ${2:-fabric}
proc
memory_collect
memory_map
opt_clean -purge
flatten
scc -select
select -set needed % %ci*
select -clear
delete t:* @needed %d
opt_expr
simplemap
tee -o $folder/$1.scc scc
END
  yosys "$folder/$1.ys" >"$folder/$1.said" 2>&1 || return 1
  sed -n 's/^Found \([0-9]*\) SCCs\.$/\1/p' "$folder/$1.scc"
}

# around NAME: how many components of FOLDER/NAME.mlir lead round, or are led to by such, when what no wire leads
# through is cut out: those that nothing leads to are taken away, again and again, and the rest is counted.
around() {
  "$loom" adg show --json "$folder/$1.mlir" | awk '
    /^  \{"name"/ {
      is_cut[n++] = /"kind": "(spatial|temporal)_sw"/ && /"buffer": "full"/ || /"kind": "(ext)?memory"/ ||
        /"kind": "temporal_pe"/ || /"kind": "spatial_pe"/ && !/"latency": 0,/ ||
        /"kind": "fifo"/ && /"bypassable": false/
    }
    /^  \{"from"/ {
      split($0, at, /[][,]/)
      if (is_cut[at[2] + 0] || is_cut[at[6] + 0]) next
      to[at[2] + 0, outof[at[2] + 0]++] = at[6] + 0
      into[at[6] + 0]++
    }
    END {
      for (left = n; left != before;) {
        before = left
        for (c = 0; c < n; c++) {
          if (is_gone[c] || into[c]) continue
          is_gone[c] = 1
          left--
          for (k = 0; k < outof[c]; k++) into[to[c, k]]--
        }
      }
      print left
    }'
}

# Is a preset, with these options, without? Its text needs no waiver, either.
preset_has_none() {
  preset=$1
  shift
  "$loom" adg "$preset" "$@" -o "$folder/$preset.mlir" && [ "$(around "$preset")" = 0 ] &&
    rm -rf "${folder:?}/$preset" && "$loom" emit verilog "$folder/$preset.mlir" -o "$folder/$preset" >"$said" 2>&1 &&
    ! grep -q UNOPTFLAT "$folder/$preset/rtl/fabric.sv"
}
# preset_has_some PRESET LINE: without this line of its description
preset_has_some() {
  sed "/^ *$2\$/d" "passes/generate/presets/$1.adg" >"$folder/bare.adg" &&
    ! cmp -s "$folder/bare.adg" "passes/generate/presets/$1.adg" &&
    "$loom" adg "$folder/bare.adg" -o "$folder/bare.mlir" && [ "$(around bare)" -gt 50 ]
}
# Verilator is told of no loops that it shall not mind, either.
has_none() {
  written "$@" && [ "$(loops "$1")" = 0 ] && ! grep -q UNOPTFLAT "$folder/$1"/rtl/*
}
has_some() {
  written "$@" && [ "$(loops "$1")" -gt 0 ] && grep -q UNOPTFLAT "$folder/$1"/rtl/*
}
cells_have_none() {
  described "$@" && [ "$(loops "$1")" = 0 ] && [ "$(around "$1")" = 0 ] && ! grep -q UNOPTFLAT "$folder/$1"/rtl/*
}
cells_have_some() {
  described "$@" && [ "$(loops "$1")" -gt 0 ] && [ "$(around "$1")" -gt 0 ] && grep -q UNOPTFLAT "$folder/$1"/rtl/*
}
# Has Verilator nothing to say?
is_clean() {
  command -v verilator >/dev/null || return 0
  make -s -C "$folder/$1" lint >"$said" 2>&1
}
# is_noticed NAME COMMAND TOP FILE: are there loops in the fabric NAME when one of its files is broken by sed?
is_noticed() {
  rm -rf "${folder:?}/broken"
  cp -r "$folder/$1" "$folder/broken"
  sed "$2" "$folder/$1/rtl/$4" >"$folder/broken/rtl/$4"
  ! cmp -s "$folder/$1/rtl/$4" "$folder/broken/rtl/$4" && [ "$(loops broken "$3")" -gt 0 ]
}

check "switches with buffers" has_none full --memories 1 --sw-buffer full
check "their lint" is_clean full
check "temporal switches with buffers" has_none tagged --memories 1 --sw-buffer full --instructions 2 --registers 0 --switches temporal
check "their lint" is_clean tagged
check "switches without" has_some none --memories 0 --sw-buffer none
check "switches with forward buffers" has_some forward --memories 0 --sw-buffer forward
# What is broken is so without memories, which take most of the time.
written plain --sw-buffer full --memories 0
check "a token that is offered when it comes is noticed" is_noticed plain "s/offered\[s\] = count != '0/& || in_valid/" fabric loom_buffer.sv
check "room that is there when a token goes is noticed" is_noticed plain "s/room\[s\] = !count\[1\]/& || give/" fabric loom_buffer.sv
check "registers between switches and in units" cells_have_none cells ""
check "their lint" is_clean cells
check "wires from switch to switch" cells_have_some bare '/^fifo/d;/^memories/s/1/0/'
check "wires from a unit to a switch" cells_have_some short '/out-fifo/d;/^memories/s/1/0/'
check "a unit of latency 0 behind another" cells_have_some late "s/units andi_i1/& cond_br_i1/;/^memories/s/1/0/"
described cells '/^memories/s/1/0/'
check "a token that a fifo offers when it comes is noticed" is_noticed cells "s/: has_some;/: (has_some || in_valid);/" fabric loom_fifo.sv
firing='s/: |(full & last)/: ready || |(full \& last)/'
check "a result without its register is noticed" is_noticed cells "$firing" fabric loom_firing.sv
for preset in tiny small medium large xl temporal; do
  check "the preset $preset" preset_has_none $preset
done
check "a preset without FIFOs is noticed" preset_has_some medium "fifo 2"
check "a preset without buffers is noticed" preset_has_some temporal "buffer full"
tile=tile_pe_0_0_a
check "a tile of the preset small" [ "$(loops small $tile)" = 0 ]
check "a result without its register is noticed there" is_noticed small "$firing" $tile loom_firing.sv
checks_end
