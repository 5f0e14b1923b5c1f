// words.cc -- a plugin in C++ (C++11, no designated initializers): the names of all nodes.
#include "loom_plugin.h"

#include <string>

namespace {

struct Words {
  const loom_host *host;
  const loom_dfg *dfg;
};

int create(const loom_host *host, void **state) {
  auto *words = new Words;
  words->host = host;
  words->dfg = static_cast<const loom_dfg *>(host->get_extension(host, "loom.dfg/1"));
  *state = words;
  return LOOM_OK;
}

int emit(void *state, const loom_design *design) {
  auto *words = static_cast<Words *>(state);
  std::string text;
  for (uint32_t i = 0; i < words->dfg->node_count(design); i++) {
    loom_node node;
    words->dfg->node(design, i, &node, sizeof node);
    text += std::string(node.name) + "\n";
  }
  if (!LOOM_HAS(words->host, get_extension)) return LOOM_ERROR;
  return words->host->write(words->host, "words.txt", text.data(), text.size());
}

void destroy(void *state) {
  delete static_cast<Words *>(state);
}

const char *const requirements[] = {"loom.dfg/1"};
const loom_option limit = LOOM_OPTION(LOOM_INT, "limit", "0", nullptr, "not used");
const loom_option *const options[] = {&limit};
const loom_backend words = {sizeof words, "words",
                            "1.0",        "names of nodes",
                            options,      LOOM_COUNT(options),
                            requirements, LOOM_COUNT(requirements),
                            create,       emit,
                            destroy,      nullptr};
const loom_backend *const backends[] = {&words};

} // namespace

LOOM_PLUGIN_ENTRY = LOOM_PLUGIN(backends);
