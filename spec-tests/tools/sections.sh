#!/bin/sh
# sections.sh -- the fabrics of a chapter, each with its case.
#
#     spec-tests/tools/sections.sh CHAPTER FOLDER
#
# Makes FOLDER/SECTION/in.mlir and case.json of every section that has both and a fabric, and prints
# the names of these folders. Where in.mlir is a graph, fabric.mlir is beside it. A case that ends in an error is
# errors.json: a section of that alone is made, and not printed.
set -u
mkdir -p "$2"
awk -v to="$2" '
  /^##+ / { name = $0; gsub(/^#+ /, "", name); gsub(/[^A-Za-z0-9]/, "_", name); dir = to "/" name }
  /^```$/ { file = ""; next }
  /^```mlir$/ { system("mkdir -p " dir); file = dir "/in.mlir"; next }
  /^```mlir file=fabric.mlir$/ { system("mkdir -p " dir); file = dir "/fabric.mlir"; next }
  /^```json file=(case|errors).json$/ { system("mkdir -p " dir); file = dir "/" substr($2, 6); next }
  file { print > file }' "$1"
for section in "$2"/*; do
  [ -f "$section/case.json" ] && [ -f "$section/in.mlir" ] && grep -q fabric.module "$section/in.mlir" && echo "$section"
done
