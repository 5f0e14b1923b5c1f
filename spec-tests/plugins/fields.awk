# fields.awk -- the structs of a header, and their members, as abi.c names them; one struct a typedef, as clang-format
# sets it.
{ sub(/\/\*.*\*\//, "") }
/\/\*/ { sub(/\/\*.*/, ""); add($0); in_comment = 1; next }
in_comment { if (!sub(/.*\*\//, "")) next; in_comment = 0 }
/^typedef struct .*\{ *$/ { members = ""; in_struct = 1; next }
in_struct && /^\} / { name = $2; sub(/;/, "", name); put(); in_struct = 0; next }
{ add($0) }

function add(line) { if (in_struct) members = members " " line }

# `int (*unit)(...)`: unit; `uint32_t a, b[2]`: a and b.
function put(    parts, names, n, k, i, j, one) {
  print "STRUCT(" name ")"
  n = split(members, parts, ";")
  for (i = 1; i < n; i++) {
    if (match(parts[i], /\(\*[a-z_0-9]+\)/)) {
      print "FIELD(" name ", " substr(parts[i], RSTART + 2, RLENGTH - 3) ")"
      continue
    }
    k = split(parts[i], names, ",")
    for (j = 1; j <= k; j++) {
      one = names[j]
      sub(/\[.*/, "", one)
      sub(/ *$/, "", one)
      match(one, /[a-z_0-9]+$/)
      print "FIELD(" name ", " substr(one, RSTART, RLENGTH) ")"
    }
  }
}
