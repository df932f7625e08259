# SPDX-License-Identifier: Apache-2.0
#
# What gen/ksgen makes besides the ids: the look-up arrays and printed texts (build folder), man pages, schemas,
# completions and docs/reference (committed). `make gen` rewrites the committed ones, `make check-gen` fails when they drifted.
$(O)/gen/lookup.stamp: $(O)/ksgen
	@mkdir -p $(O)/gen/tables
	$(O)/ksgen lookup > $(O)/gen/lookup.tmp
	@cmp -s $(O)/gen/lookup.tmp $(O)/gen/tables/lookup.h || mv $(O)/gen/lookup.tmp $(O)/gen/tables/lookup.h
	@touch $@
$(O)/gen/tables/lookup.h: $(O)/gen/lookup.stamp
	@test -f $@
$(patsubst src/%.c,$(O)/obj/%.o,$(wildcard src/tables/*.c)): $(O)/gen/tables/lookup.h

# The texts that `schema` and `completion` print, as arrays of bytes.
$(O)/gen/printed.stamp: $(O)/ksgen
	@mkdir -p $(O)/gen/tables
	$(O)/ksgen printed > $(O)/gen/printed.tmp
	@cmp -s $(O)/gen/printed.tmp $(O)/gen/tables/printed_rows.h || mv $(O)/gen/printed.tmp $(O)/gen/tables/printed_rows.h
	@touch $@
$(O)/gen/tables/printed_rows.h: $(O)/gen/printed.stamp
	@test -f $@
$(O)/obj/tables/printed.o: $(O)/gen/tables/printed_rows.h

gen: $(O)/ksgen
	@sh scripts/gen.sh $(O)/ksgen .

check-gen: $(O)/ksgen
	@sh scripts/check-gen.sh $(O)/ksgen $(O)/check-gen

.PHONY: gen check-gen
