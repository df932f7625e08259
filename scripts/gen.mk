# SPDX-License-Identifier: Apache-2.0
#
# What gen/ksgen makes besides the ids: the look-up arrays (build folder), the man page and docs/reference
# (committed). `make gen` rewrites the committed ones, `make check-gen` fails when they drifted.
$(O)/gen/lookup.stamp: $(O)/ksgen
	@mkdir -p $(O)/gen/tables
	$(O)/ksgen lookup > $(O)/gen/lookup.tmp
	@cmp -s $(O)/gen/lookup.tmp $(O)/gen/tables/lookup.h || mv $(O)/gen/lookup.tmp $(O)/gen/tables/lookup.h
	@touch $@
$(O)/gen/tables/lookup.h: $(O)/gen/lookup.stamp
	@test -f $@
$(patsubst src/%.c,$(O)/obj/%.o,$(wildcard src/tables/*.c)): $(O)/gen/tables/lookup.h

gen: $(O)/ksgen
	@sh scripts/gen.sh $(O)/ksgen .

check-gen: $(O)/ksgen
	@sh scripts/check-gen.sh $(O)/ksgen $(O)/check-gen

.PHONY: gen check-gen
