# LOOM -- plain make. `make demo` and `make test` are the two commands; the rest is listed in the
# README.  BUILD=dir builds somewhere else; CC=clang and DEBUG=1 do what one expects.

CC      ?= cc
BUILD   ?= build
OPT     ?= -O2
WARN    := -Wall -Wextra -Wpedantic -Werror
CFLAGS  := -std=c11 -D_GNU_SOURCE $(WARN) $(OPT) -g -ffp-contract=off -Ipasses $(EXTRA)
LDLIBS  := -ljansson -lm

SOURCES := $(sort $(wildcard passes/*/*.c))
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o)

all: $(BUILD)/loom

$(BUILD)/loom: $(BUILD)/loom.o $(OBJECTS)
	$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

-include $(OBJECTS:.o=.d)
.PHONY: all
