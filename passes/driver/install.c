/* install.c -- what `make install` puts beside the binary, made from the tables of commands and
 * options.
 *
 *     loom help --man DIR              loom.1, and a page for each command: loom-build.1
 *     loom help --completion bash      a script that completes commands, options and their choices
 *
 * A command is described in one place, its row (driver.h), from which the help that is printed,
 * these pages and these scripts are generated. */
#include "driver/driver.h"
#include "driver/steps.h"

/* ---- pages for man --------------------------------------------------------------------------- */

/* Escapes what roff interprets: backslashes, hyphens, and a dot or quote that begins a line. */
static void put_roff(Buf *out, const char *text) {
  for (bool starts = true; *text; starts = *text++ == '\n') {
    if (starts && (*text == '.' || *text == '\'')) buf_str(out, "\\&");
    if (*text == '\\')
      buf_str(out, "\\e");
    else if (*text == '-')
      buf_str(out, "\\-");
    else
      buf_char(out, *text);
  }
}

static void put_title(Buf *out, const char *name, const char *summary) {
  buf_printf(out, ".TH \"%s\" 1 \"\" \"loom " LOOM_VERSION "\" \"LOOM\"\n.SH NAME\n", name);
  put_roff(out, name);
  buf_str(out, " \\- ");
  put_roff(out, summary);
  buf_str(out, "\n.SH SYNOPSIS\n");
}

static void put_options(Buf *out, const Option *option) {
  for (; option && option->name; option++) {
    buf_str(out, ".TP\n.B ");
    put_roff(out, option->name);
    if (option->arg) {
      buf_str(out, " ");
      put_roff(out, option->arg);
    }
    buf_char(out, '\n');
    put_roff(out, option->help);
    if (option->initial) {
      buf_str(out, " (");
      put_roff(out, option->initial);
      buf_char(out, ')');
    }
    buf_char(out, '\n');
  }
}

static void put_command_page(Buf *out, const CommandTable *table, const Command *command) {
  Buf name = {0};
  buf_printf(&name, "loom-%s", command->name);
  put_title(out, name.data, command->summary);
  buf_printf(out, ".B loom %s\n[options] ", command->name);
  put_roff(out, command->takes);
  buf_str(out, "\n.SH DESCRIPTION\n");
  put_roff(out, command->text);
  buf_str(out, "\n.SH OPTIONS\n");
  put_options(out, command->options);
  put_options(out, command->shared);
  put_options(out, table->common);
  buf_str(out, ".SH SEE ALSO\n.BR loom (1)\n");
  buf_free(&name);
}

static void put_main_page(Buf *out, const CommandTable *table) {
  put_title(out, "loom", "kernels of C and MLIR as dataflow graphs, on reconfigurable hardware");
  buf_str(out, ".B loom\nCOMMAND [options] FILE\n.SH COMMANDS\n");
  for (size_t i = 0; i < table->n; i++) {
    const Command *command = table->commands[i];
    buf_printf(out, ".TP\n.BR loom\\-%s (1)\n", command->name);
    put_roff(out, command->summary);
    buf_char(out, '\n');
  }
  buf_str(out, ".SH ENVIRONMENT\n"
               ".TP\n"
               ".B LOOM_INDEX_WIDTH\n"
               "the width of index, 32 to 64\n"
               ".TP\n"
               ".B LOOM_PLUGIN_PATH\n"
               "folders of plugins, absolute paths separated by colons\n"
               ".TP\n"
               ".B LOOM_CC\n"
               "the C compiler of the engine cc\n"
               ".SH EXIT STATUS\n"
               "0 success; 1 error in the input; 2 error in the command line; 3 no mapping; 4 the "
               "run failed; 5 internal error, or no memory or disk space left.\n");
}

int install_man(Call *call, const CommandTable *table, const char *dir) {
  Context *ctx = call->ctx;
  FileText *files = NEW_ARRAY(ctx->arena, FileText, table->n + 1);
  Buf *pages = NEW_ARRAY(ctx->arena, Buf, table->n + 1);
  for (size_t i = 0; i <= table->n; i++) {
    const Command *command = i ? table->commands[i - 1] : NULL;
    if (command)
      put_command_page(&pages[i], table, command);
    else
      put_main_page(&pages[i], table);
    files[i] = (FileText){.path = str_printf(ctx, command ? "%s/loom-%s.1" : "%s/loom.1", dir,
                                             command ? command->name : "")
                                      ->text,
                          .fd = -1,
                          .data = pages[i].data,
                          .len = pages[i].len};
  }
  bool good = file_make_dir(ctx, dir) && files_write(ctx, files, table->n + 1);
  for (size_t i = 0; i <= table->n; i++) buf_free(&pages[i]);
  return good ? EXIT_GOOD : EXIT_FAULT;
}

/* ---- completion ------------------------------------------------------------------------------ */

typedef void PutOption(Buf *out, const Command *command, const Option *option);

static void each_option(Buf *out, const CommandTable *table, const Command *command,
                        PutOption *put) {
  const Option *tables[] = {command->options, command->shared, table->common};
  for (size_t t = 0; t < COUNT_OF(tables); t++)
    for (const Option *option = tables[t]; option && option->name; option++)
      put(out, command, option);
}

static void bash_name(Buf *out, const Command *command, const Option *option) {
  (void)command;
  buf_printf(out, " %s", option->name);
}

static void put_words(Buf *out, const char *const *words, bool is_first) {
  for (; words && *words; words++, is_first = false)
    buf_printf(out, "%s%s", is_first ? "" : " ", *words);
}

/* A case of the script for an option's values: its choices, or names and files. */
static void bash_choices(Buf *out, const Command *command, const Option *option) {
  if (!option->choices && !option->names) return;
  buf_printf(out, "    '%s %s') words='", command->name, option->name);
  put_words(out, option->choices ? option->choices : option->names, true);
  buf_printf(out, "'%s ;;\n", option->choices ? "" : " files=1");
}

/* The words other than files that may follow a command: verbs and names. */
static void put_first_words(Buf *out, const Command *command) {
  for (const Verb *verb = command->verbs; verb && verb->name; verb++)
    buf_printf(out, "%s%s", verb == command->verbs ? "" : " ", verb->name);
  put_words(out, command->names, !command->verbs);
}

static void bash_first_words(Buf *out, const CommandTable *table) {
  for (size_t i = 0; i < table->n; i++) {
    const Command *command = table->commands[i];
    if (!command->verbs && !command->names) continue;
    buf_printf(out, "    '%s %s') words='", command->name, command->name);
    put_first_words(out, command);
    buf_str(out, "' files=1 ;;\n");
  }
}

static void put_bash(Buf *out, const CommandTable *table) {
  buf_str(out, "_loom() {\n  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} "
               "command=${COMP_WORDS[1]} words= files= file\n  if [ \"$COMP_CWORD\" -eq 1 ]; "
               "then\n    words='");
  for (size_t i = 0; i < table->n; i++)
    buf_printf(out, "%s%s", i ? " " : "", table->commands[i]->name);
  buf_str(out, "'\n  else\n    case \"$command $prev\" in\n");
  for (size_t i = 0; i < table->n; i++) each_option(out, table, table->commands[i], bash_choices);
  buf_str(out, "    *) case \"$cur\" in -*) case \"$command\" in\n");
  for (size_t i = 0; i < table->n; i++) {
    buf_printf(out, "      %s) words='", table->commands[i]->name);
    each_option(out, table, table->commands[i], bash_name);
    buf_str(out, "' ;;\n");
  }
  buf_str(out, "    esac ;;\n    *) case \"$command $prev\" in\n");
  bash_first_words(out, table);
  buf_str(out,
          "    esac ;; esac ;;\n    esac\n  fi\n"
          "  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "  if [ \"$files\" ]; then\n"
          "    while read -r file; do COMPREPLY+=(\"$file\"); done < <(compgen -f -- \"$cur\")\n"
          "    compopt -o filenames 2>/dev/null\n  fi\n}\n"
          "complete -o default -F _loom loom\n");
}

/* Text inside quotes, with the characters escaped that zsh's _arguments interprets. */
static void put_zsh_text(Buf *out, const char *text) {
  for (; *text; text++) {
    if (strchr("[]:\\", *text)) buf_char(out, '\\');
    if (*text == '\'')
      buf_str(out, "'\\''");
    else
      buf_char(out, *text);
  }
}

/* Completes one of the words, with `or_file` a file as well; without words (NULL) a file. */
static void zsh_values(Buf *out, const char *const *words, bool or_file) {
  buf_str(out, !words ? ":_files" : or_file ? ":{_alternative \"names\\:name\\:(" : ":(");
  put_words(out, words, true);
  buf_str(out, !words ? "" : or_file ? ")\" files\\:file\\:_files}" : ")");
}

static void zsh_option(Buf *out, const Command *command, const Option *option) {
  (void)command;
  buf_printf(out, " \\\n    '%s%s[", option->kind == OPTION_TEXTS ? "*" : "", option->name);
  put_zsh_text(out, option->help);
  buf_char(out, ']');
  if (option->arg) {
    buf_char(out, ':');
    put_zsh_text(out, option->arg);
    zsh_values(out, option->choices ? option->choices : option->names, option->names);
  }
  buf_char(out, '\'');
}

static void put_zsh(Buf *out, const CommandTable *table) {
  buf_str(out, "#compdef loom\nlocal -a commands\ncommands=(\n");
  for (size_t i = 0; i < table->n; i++) {
    buf_printf(out, "  '%s:", table->commands[i]->name);
    put_zsh_text(out, table->commands[i]->summary);
    buf_str(out, "'\n");
  }
  buf_str(out, ")\nif (( CURRENT == 2 )); then\n  _describe command commands\n  return\nfi\n"
               "local command=$words[2]\nshift words\n(( CURRENT-- ))\ncase $command in\n");
  for (size_t i = 0; i < table->n; i++) {
    buf_printf(out, "%s) _arguments", table->commands[i]->name);
    each_option(out, table, table->commands[i], zsh_option);
    const Command *command = table->commands[i];
    if (command->verbs || command->names) {
      buf_str(out, " \\\n    '1:what:{_alternative \"words\\:word\\:(");
      put_first_words(out, command);
      buf_str(out, ")\" files\\:file\\:_files}'");
    }
    buf_str(out, " \\\n    '*:file:_files' ;;\n");
  }
  buf_str(out, "esac\n");
}

int install_completion(Call *call, const CommandTable *table, const char *shell) {
  Buf out = {0};
  (strcmp(shell, "bash") == 0 ? put_bash : put_zsh)(&out, table);
  int status = call_write(call, "-", &out);
  buf_free(&out);
  return status;
}
