/* loom_name.h -- a file's name out of any text, such as what a graph calls an edge. It stands
 * alone: a backend that uses it needs no host that knows it. LOOM's own files are named by it, too.
 *
 *     char name[LOOM_FILE_NAME];
 *     loom_file_name(edge.name, name);         "row 1/sum" becomes row%201:sum
 *
 * Texts come from files that strangers wrote: "../x", "", a kilobyte. What is made of one is the
 * name of one file, in the folder it is put in, in printable ASCII, and other texts have other
 * names:
 *
 *     letters, digits and _ . # $ -     as they are, but no name begins with . or -
 *     /                                 :
 *     any other byte                    %XX, its number in two digits
 *     nothing at all                    %
 *     longer than 180 bytes             its first 160, %- and a hash of all of it
 */
#ifndef LOOM_NAME_H
#define LOOM_NAME_H

#include <stddef.h>
#include <stdint.h>

#define LOOM_FILE_NAME 184 /* bytes that a name may take, with its NUL */

/* Writes the name; its length. `name` has room for LOOM_FILE_NAME bytes. */
static inline size_t loom_file_name(const char *text, char *name) {
  static const char digits[] = "0123456789ABCDEF";
  uint64_t hash = 14695981039346656037u; /* FNV-1a */
  size_t n = 0, cut = 0;
  int is_long = 0;
  const char *at;
  for (at = text; *at; at++) {
    unsigned char c = (unsigned char)*at;
    int plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                c == '_' || c == '#' || c == '$' || (at > text && (c == '.' || c == '-'));
    hash = (hash ^ c) * 1099511628211u;
    if (n <= 160) cut = n;
    if (n + (plain || c == '/' ? 1 : 3) > 180) is_long = 1;
    if (is_long) continue;
    if (plain || c == '/') {
      name[n++] = plain ? (char)c : ':';
    } else {
      name[n++] = '%';
      name[n++] = digits[c >> 4];
      name[n++] = digits[c & 15];
    }
  }
  if (n == 0) name[n++] = '%';
  if (is_long) {
    name[cut] = '%';
    name[cut + 1] = '-';
    for (n = cut + 2; n < cut + 18; n++, hash <<= 4) name[n] = digits[hash >> 60];
  }
  name[n] = '\0';
  return n;
}

#endif
