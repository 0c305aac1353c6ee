# jsonrow: fast JSON from PostgreSQL

MODULE_big = jsonrow
OBJS = \
	src/change/chunks.o \
	src/change/convert.o \
	src/change/edit.o \
	src/change/from_objects.o \
	src/change/splice.o \
	src/document/build.o \
	src/document/document.o \
	src/document/domains.o \
	src/document/extension.o \
	src/document/header.o \
	src/document/header_agree.o \
	src/document/header_codec.o \
	src/document/header_resolve.o \
	src/document/header_types.o \
	src/document/members.o \
	src/document/name_map.o \
	src/document/object_keys.o \
	src/document/objects.o \
	src/document/objects_json.o \
	src/document/orientation.o \
	src/document/row_type.o \
	src/document/valid.o \
	src/format/bytes.o \
	src/format/datetime_text.o \
	src/format/elements.o \
	src/format/float_decimal.o \
	src/format/float_text.o \
	src/format/json_find.o \
	src/format/json_parse.o \
	src/format/json_scan.o \
	src/format/json_text.o \
	src/format/json_to_jsonb.o \
	src/format/jsonb_walk.o \
	src/format/jsonb_write.o \
	src/format/numeric_format.o \
	src/format/output.o \
	src/format/stored_chunks.o \
	src/format/text_types.o \
	src/format/value_text.o \
	src/module.o \
	src/planner/accelerate.o \
	src/planner/aggregates.o \
	src/planner/as_jsonb.o \
	src/planner/as_text.o \
	src/planner/by_index.o \
	src/planner/calls.o \
	src/planner/chains.o \
	src/planner/collection.o \
	src/planner/constructors.o \
	src/planner/digits.o \
	src/planner/entries.o \
	src/planner/exists.o \
	src/planner/explain.o \
	src/planner/fences.o \
	src/planner/first_rows.o \
	src/planner/folding.o \
	src/planner/grouped_page.o \
	src/planner/known.o \
	src/planner/lazy_scan.o \
	src/planner/levels.o \
	src/planner/may_raise.o \
	src/planner/merge.o \
	src/planner/notes.o \
	src/planner/one_group.o \
	src/planner/one_row.o \
	src/planner/order.o \
	src/planner/other_ways.o \
	src/planner/outer_row.o \
	src/planner/page.o \
	src/planner/parents.o \
	src/planner/parents_first.o \
	src/planner/plan_cost.o \
	src/planner/planning_runs.o \
	src/planner/privileges.o \
	src/planner/pull_up.o \
	src/planner/query_parts.o \
	src/planner/readers.o \
	src/planner/restriction.o \
	src/planner/rewrite.o \
	src/planner/row_shape.o \
	src/planner/source.o \
	src/planner/sql_functions.o \
	src/planner/stopping.o \
	src/planner/survey.o \
	src/planner/tables.o \
	src/planner/to_one.o \
	src/planner/twins.o \
	src/planner/unnest.o \
	src/planner/unnest_choice.o \
	src/planner/value_items.o \
	src/planner/ways.o \
	src/planner/whole_row.o \
	src/read/access.o \
	src/read/cell_input.o \
	src/read/core_elements.o \
	src/read/core_records.o \
	src/read/json_error.o \
	src/read/kept.o \
	src/read/reader.o \
	src/read/record_input.o \
	src/read/recordset.o \
	src/read/row_estimate.o \
	src/read/scalar_input.o \
	src/read/stored.o \
	src/send/row_sender.o \
	src/send/send.o \
	src/stream/copy.o \
	src/stream/copy_target.o \
	src/stream/receiver.o \
	src/stream/statement.o \
	src/stream/stream.o \
	src/write/aggregate.o \
	src/write/aggregate_kind.o \
	src/write/column_plan.o \
	src/write/composite.o \
	src/write/concat.o \
	src/write/core_agg.o \
	src/write/core_build.o \
	src/write/core_object_agg.o \
	src/write/describe.o \
	src/write/hidden_documents.o \
	src/write/hoist.o \
	src/write/key_text.o \
	src/write/lines_agg.o \
	src/write/parallel_cost.o \
	src/write/query_header.o \
	src/write/query_origin.o \
	src/write/row_plan.o \
	src/write/row_source.o \
	src/write/settings.o \
	src/write/small_group.o \
	src/write/state.o \
	src/write/state_io.o \
	src/write/type_names.o \
	src/write/write_json.o \
	src/write/write_jsonb.o
PG_CPPFLAGS = -I$(srcdir)/src
PG_CFLAGS = -Wall -Wextra -Wno-unused-parameter -Wno-sign-compare \
	-Wno-missing-field-initializers -fvisibility=hidden

EXTENSION = jsonrow jsonrow_postgrest
DATA = jsonrow--1.0.sql jsonrow_postgrest--1.0.sql

# Names begin with $(srcdir), which PGXS sets: the build may be elsewhere.
REGRESS = $(patsubst $(srcdir)/sql/%.sql,%,$(sort $(wildcard $(srcdir)/sql/*.sql)))

# The name is absolute, because make would find that of a build in $(srcdir) otherwise.
built_for = $(CURDIR)/.built-for
EXTRA_CLEAN = $(built_for)

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

# A PostgreSQL that was configured in its own source directory does not say so.
VPATH ?= $(srcdir)

# Objects are made anew for another server or other flags: this file says for
# which they were made, and changes only if that does.
$(built_for): build = $(subst ',,$(VERSION) $(CC) $(CFLAGS) $(CPPFLAGS))
$(built_for): FORCE
	@$(MKDIR_P) $(sort $(dir $(OBJS)))
	@echo '$(build)' | cmp -s - $@ || echo '$(build)' >$@

$(OBJS) $(OBJS:.o=.bc): $(built_for) $(wildcard $(srcdir)/src/*.h $(srcdir)/src/*/*.h)

# pgTAP over test/pgtap/, on the server that PGHOST etc. name, as a superuser:
# make prove_installcheck [PROVE_TESTS=test/pgtap/nested.sql] [PROVE_FLAGS='--jobs 4']
PROVE_TESTS = $(sort $(wildcard $(srcdir)/test/pgtap/*.sql))

prove_installcheck:
	PATH='$(bindir)':"$$PATH" prove --norc --jobs 2 --timer --failures --comments \
		--exec '$(abspath $(srcdir))/scripts/run-test' $(PROVE_FLAGS) $(PROVE_TESTS)

FORCE:

.PHONY: FORCE prove_installcheck
