# jsonrow: compact positional JSON documents from PostgreSQL

MODULE_big = jsonrow
OBJS = $(patsubst %.c,%.o,$(wildcard src/*.c))
PG_CFLAGS = -Wall -Wextra -Wno-unused-parameter -Wno-sign-compare \
	-Wno-missing-field-initializers -fvisibility=hidden

EXTENSION = jsonrow
DATA = jsonrow--1.0.sql

REGRESS = $(patsubst sql/%.sql,%,$(sort $(wildcard sql/*.sql)))

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

$(OBJS): $(wildcard src/*.h)
