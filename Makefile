# SPDX-License-Identifier: Apache-2.0
#
# One non-recursive build. `make` builds, and installs nothing. Flavours live in their own folder:
#     make O=build/asan SAN=address,undefined
#     make O=build/clang CC=clang
# `make help` lists the targets.
O       ?= build
CC      ?= cc
CLANG   ?= clang
PREFIX  ?= /usr/local
VERSION := $(shell cat VERSION)

PKGS      := sqlite3 jansson libpcre2-8 nettle libutf8proc zlib inih libxxhash
PC_CFLAGS := $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
PC_LIBS   := $(shell pkg-config --libs sqlite3 jansson libpcre2-8 nettle libutf8proc zlib inih 2>/dev/null)

# One short line for each step; V=1 shows the commands, -s nothing.
Q := $(if $(V),,@)
SILENT := $(findstring s,$(firstword -$(MAKEFLAGS)))
say = $(if $(V)$(SILENT),,@printf '  %-5s %s\n' $(1) $(2))

IS_GCC  := $(shell $(CC) --version 2>/dev/null | grep -qi clang || echo yes)
ARCH    := $(shell uname -m)

# -Wduplicated-*, -Wlogical-op and the levelled -Wimplicit-fallthrough are gcc's only.
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wvla \
	-Wformat=2 -Wwrite-strings -Wpointer-arith -Wcast-qual -Wundef -Wswitch-enum -Wconversion \
	-Wsign-conversion -Wdouble-promotion -Wfloat-equal -Wnull-dereference -fno-common
ifeq ($(IS_GCC),yes)
WARN += -Wduplicated-cond -Wduplicated-branches -Wlogical-op -Wimplicit-fallthrough=5
else
WARN += -Wimplicit-fallthrough
endif
ifdef CI
WARN += -Werror
endif

# -fcf-protection is x86's; -fstack-clash-protection is unused by clang when it only links.
HARDEN := -fstack-protector-strong -fPIE
ifeq ($(IS_GCC)$(ARCH),yesx86_64)
HARDEN += -fstack-clash-protection -fcf-protection
endif
ifdef SAN
OPT  := -O1 -g -DKS_DEBUG -fno-omit-frame-pointer -fsanitize=$(SAN) -fno-sanitize-recover=all
LOPT := -fsanitize=$(SAN)
else
OPT  := -O2 -g -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3
LOPT :=
endif
# The path of the build folder must not reach the binary: the same tree gives the same bytes anywhere.
REPRO := -ffile-prefix-map=$(CURDIR)=. -ffile-prefix-map=$(O)=build

CFLAGS_ALL  := -std=c17 -D_GNU_SOURCE -Isrc -I$(O)/gen -DKS_VERSION='"$(VERSION)"' $(PC_CFLAGS) $(WARN) $(OPT) $(HARDEN) $(REPRO) $(CFLAGS)
LDFLAGS_ALL := -pie -Wl,-z,relro,-z,now $(LOPT) $(LDFLAGS)

# The target under both its names, so that a build with O=build and one with its full path share objects.
DEPS = -MMD -MP -MT '$(abspath $@)' -MT '$(patsubst $(CURDIR)/%,%,$(abspath $@))'

# Layers, lowest first: a file may include headers of its own layer or of a lower one.
LAYERS := base tables evidence model source analyze verdict render cmd

define layer_rules
SRC_$(1) := $$(sort $$(wildcard src/$(1)/*.c))
OBJ_$(1) := $$(SRC_$(1):src/%.c=$$(O)/obj/%.o)
$$(O)/libks-$(1).a: $$(OBJ_$(1))
	$$(call say,AR,$$@)
	$$(Q)rm -f $$@ && ar rcsD $$@ $$(OBJ_$(1))
endef
$(foreach l,$(LAYERS),$(eval $(call layer_rules,$(l))))

# Archives in link order, highest layer first.
ARCHIVES := $(foreach l,cmd render verdict analyze source model evidence tables base,$(O)/libks-$(l).a)
# Linked statically where the archive is there, because a dynamic library is paid for at every start:
# `--version` is 2.0 x an empty program instead of 2.7 x. Not nettle: it is LGPL (NOTICE).
# STATIC=no links all of them dynamically, as a distribution wants it.
STATIC ?= yes
in_one   := $(if $(filter yes,$(STATIC)),-lsqlite3 -ljansson -lpcre2-8 -lutf8proc -lz -linih)
archived  = $(if $(and $(filter $(1),$(in_one)),$(filter /%,$(shell $(CC) -print-file-name=$(1:-l%=lib%.a)))),$(1:-l%=-l:lib%.a),$(1))
LIBS     := $(foreach l,$(PC_LIBS),$(call archived,$(l))) -liberty -lm

all: $(O)/kernoscope

$(O)/kernoscope: $(O)/obj/main.o $(ARCHIVES)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $(O)/obj/main.o $(ARCHIVES) $(LIBS)

# What the build needs and the machine lacks is said once, in one line, before the first compile.
$(O)/deps.ok: scripts/check-deps.sh
	@mkdir -p $(@D)
	@sh scripts/check-deps.sh $(CC)
	@touch $@

# Tables: the generator is built from base and the .def files alone; it writes the ids first.
DEFS := $(sort $(wildcard src/tables/*.def src/base/*.def))
$(O)/ksgen: $(sort $(wildcard gen/*.c gen/*.h)) $(DEFS)
	@mkdir -p $(@D)
	$(call say,HOST,$@)
	$(Q)$(CC) -std=c17 -D_GNU_SOURCE -Isrc -O1 -o $@ $(filter %.c,$^)
# The header is replaced only when it changes, so that a new text does not rebuild what does not use it.
$(O)/gen/ids.stamp: $(O)/ksgen
	@mkdir -p $(O)/gen/tables
	$(call say,GEN,$(O)/gen/tables/ids.h)
	$(Q)$(O)/ksgen ids > $(O)/gen/ids.tmp
	@cmp -s $(O)/gen/ids.tmp $(O)/gen/tables/ids.h || mv $(O)/gen/ids.tmp $(O)/gen/tables/ids.h
	@touch $@
$(O)/gen/tables/ids.h: $(O)/gen/ids.stamp
	@test -f $@
-include scripts/gen.mk

$(O)/obj/%.o: src/%.c VERSION $(O)/gen/tables/ids.h | $(O)/deps.ok
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CFLAGS_ALL) $(DEPS) -c -o $@ $<

# Unit tests: one binary per layer, tests/unit/<layer>/*.c, cmocka; links its own layer and lower ones.
LINK_base     := base
LINK_tables   := tables base
LINK_evidence := evidence tables base
LINK_model    := model evidence tables base
LINK_source   := source model evidence tables base
LINK_analyze  := analyze model evidence tables base
LINK_verdict  := verdict analyze model evidence tables base
LINK_render   := render verdict analyze model evidence tables base
LINK_cmd      := cmd render verdict analyze source model evidence tables base
define unit_rules
UNIT_SRC_$(1) := $$(sort $$(wildcard tests/unit/$(1)/*.c))
UNIT_OBJ_$(1) := $$(UNIT_SRC_$(1):tests/unit/%.c=$$(O)/obj-unit/%.o)
UNIT_LIB_$(1) := $$(foreach l,$$(LINK_$(1)),$$(O)/libks-$$(l).a)
$$(O)/unit-$(1): $$(UNIT_OBJ_$(1)) $$(UNIT_LIB_$(1))
	$$(call say,LINK,$$@)
	$$(Q)$$(CC) $$(LDFLAGS_ALL) -o $$@ $$(UNIT_OBJ_$(1)) $$(UNIT_LIB_$(1)) $$(LIBS) -lcmocka
endef
$(foreach l,$(LAYERS),$(eval $(call unit_rules,$(l))))
UNITS := $(foreach l,$(LAYERS),$(if $(UNIT_SRC_$(l)),$(O)/unit-$(l)))
units: $(UNITS)

$(O)/obj-unit/%.o: tests/unit/%.c VERSION $(O)/gen/tables/ids.h | $(O)/deps.ok
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CFLAGS_ALL) -Itests/unit $(DEPS) -c -o $@ $<

# Fuzz targets: with clang's libFuzzer (`make fuzz`), and with a plain main that replays the seeds (check).
FUZZ_NAMES := $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
replays: $(FUZZ_NAMES:%=$(O)/replay-%)
$(O)/replay-%: tests/fuzz/fuzz_%.c tests/fuzz/input.h tests/fuzz/replay.c $(ARCHIVES)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) -o $@ tests/fuzz/fuzz_$*.c tests/fuzz/replay.c $(ARCHIVES) $(LIBS)
$(O)/fuzz-%: tests/fuzz/fuzz_%.c tests/fuzz/input.h $(ARCHIVES)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) -fsanitize=fuzzer -o $@ tests/fuzz/fuzz_$*.c $(ARCHIVES) $(LIBS)
fuzzers: $(FUZZ_NAMES:%=$(O)/fuzz-%)
FUZZ_SECONDS ?= 60
fuzz:
	$(MAKE) O=$(O)/fuzz CC=$(CLANG) SAN=fuzzer-no-link,address,undefined fuzzers
	O=$(O)/fuzz FUZZ_SECONDS=$(FUZZ_SECONDS) bash scripts/fuzz.sh $(FUZZ_NAMES)

# Helpers of tests and bench; not part of the product.
$(O)/torture.so: tests/torture/shim.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) -std=c17 -D_GNU_SOURCE $(WARN) -O1 -fPIC -shared -o $@ $< -ldl
$(O)/make-example: scripts/make-example.c | $(O)/deps.ok
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) -std=c17 $(WARN) -O1 -o $@ $< $(PC_CFLAGS) $(PC_LIBS)
$(O)/example.sqlite: scripts/make-example.sql $(O)/make-example
	$(call say,GEN,$@)
	$(Q)$(O)/make-example scripts/make-example.sql $@
BENCH_BINS := $(addprefix $(O)/bench/,empty api_scan write_bytes measure)
$(O)/bench/empty: bench/empty.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) -std=c17 -O2 -o $@ $<
$(O)/bench/write_bytes $(O)/bench/measure: $(O)/bench/%: bench/%.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) -std=c17 -D_GNU_SOURCE $(WARN) -O2 -o $@ $<
$(O)/bench/api_scan: bench/api_scan.c $(O)/libks-base.a | $(O)/deps.ok
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) -o $@ $< $(O)/libks-base.a $(PC_LIBS) -lm
bench-bins: $(BENCH_BINS)

# --- what people call ----------------------------------------------------------------------------

# As many jobs as processors, unless the caller chose.
JOBS = $(if $(findstring -j,$(MAKEFLAGS))$(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))

# Set-up, build, and the main job on the bundled example.
demo:
	@bash scripts/setup.sh build
	@$(MAKE) --no-print-directory $(JOBS) all $(O)/example.sqlite
	@O=$(O) bash scripts/demo.sh

# Set-up, build, every test; the last line counts them.
check:
	@bash scripts/setup.sh check
	@[ -z "$$CI" ] || O=$(O) bash scripts/judges.sh
	@$(MAKE) --no-print-directory $(JOBS) check-build
	@O=$(O) tests/run

# Everything tests/run looks at, without running it. The unit tests run under ASan and UBSan.
check-build:
	@$(MAKE) --no-print-directory all bench-bins $(O)/torture.so $(O)/example.sqlite
	@$(MAKE) --no-print-directory O=$(O)/asan SAN=address,undefined all units replays

# Gates, each also run by `make check`.
check-layers:
	perl scripts/check-layers.pl
check-size:
	perl scripts/check-size.pl
check-objects: all
	perl scripts/check-objects.pl $(O)
check-words:
	perl scripts/check-words.pl
FORMATTED := $(sort $(wildcard src/*.[ch] src/*/*.[ch] gen/*.[ch] bench/*.[ch] scripts/*.[ch] \
	tests/*/*.[ch] tests/*/*/*.[ch]))
format-check:
	clang-format --dry-run -Werror $(FORMATTED)
format:
	clang-format -i $(FORMATTED)
check-clang:
	$(MAKE) O=$(O)/clang CC=$(CLANG) CI=1 OPT='-O1 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2' all units
TIDY_FILES ?= $(sort $(wildcard src/*.c src/*/*.c))
tidy: $(O)/gen/tables/ids.h $(O)/gen/tables/lookup.h $(O)/gen/tables/printed_rows.h
	printf '%s\n' $(TIDY_FILES) | xargs -P 2 -n 4 sh -c 'clang-tidy --quiet --warnings-as-errors="*" "$$@" -- \
		-std=c17 -D_GNU_SOURCE -Isrc -I$(O)/gen -DKS_VERSION=\"$(VERSION)\" $(PC_CFLAGS)' tidy
check-repro:
	bash scripts/check-repro.sh $(REPRO_FILES)

# Longer runs; `make check` does a slice of each.
torture: all $(O)/torture.so $(O)/example.sqlite
	O=$(O) KS_TORTURE_FULL=1 tests/run torture
bench: all bench-bins
	O=$(O) python3 bench/run.py
coverage:
	$(MAKE) O=$(O)/cov CFLAGS='--coverage -O0 -U_FORTIFY_SOURCE' LDFLAGS=--coverage all units $(O)/cov/example.sqlite
	O=$(O)/cov bash scripts/coverage.sh
peer:
	O=$(O) bash scripts/peer.sh
judges:
	O=$(O) bash scripts/judges.sh

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/doc/kernoscope
	install -s -m 755 $(O)/kernoscope $(DESTDIR)$(PREFIX)/bin/kernoscope
	install -m 644 *.md LICENSE NOTICE $(DESTDIR)$(PREFIX)/share/doc/kernoscope/
	for d in docs/*.md docs/*/*.md docs/images/*.svg; do install -D -m 644 "$$d" "$(DESTDIR)$(PREFIX)/share/doc/kernoscope/$$d" || exit 1; done
	for m in man/*.1; do [ ! -e "$$m" ] || install -D -m 644 "$$m" "$(DESTDIR)$(PREFIX)/share/man/man1/$${m##*/}" || exit 1; done
	install -D -m 644 completions/kernoscope.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/kernoscope
	install -D -m 644 completions/_kernoscope $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_kernoscope
	install -D -m 644 completions/kernoscope.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/kernoscope.fish
	install -d $(DESTDIR)$(PREFIX)/share/kernoscope/schema
	install -m 644 schema/*.schema.json $(DESTDIR)$(PREFIX)/share/kernoscope/schema/
uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/kernoscope
	for m in man/*.1; do rm -f "$(DESTDIR)$(PREFIX)/share/man/man1/$${m##*/}"; done
	rm -f $(DESTDIR)$(PREFIX)/share/bash-completion/completions/kernoscope
	rm -f $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_kernoscope
	rm -f $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/kernoscope.fish
	rm -rf $(DESTDIR)$(PREFIX)/share/kernoscope
	rm -rf $(DESTDIR)$(PREFIX)/share/doc/kernoscope
dist:
	@mkdir -p $(O)
	git archive --format=tar --prefix=kernoscope-$(VERSION)/ HEAD | gzip -9n > $(O)/kernoscope-$(VERSION).tar.gz

clean:
	rm -rf $(O)

help:
	@echo 'make            build $(O)/kernoscope (installs nothing); V=1 shows the commands'
	@echo 'make demo       install what is missing, build, analyse the bundled example'
	@echo 'make check      install what is missing, build, run every test'
	@echo 'make install    PREFIX=$(PREFIX) DESTDIR=; also uninstall, dist, clean'
	@echo 'make gen        rewrite the generated documents; check-gen compares them'
	@echo 'make format     also format-check, check-layers, check-size, check-words, check-clang, check-repro, tidy'
	@echo 'make fuzz       FUZZ_SECONDS=60 for each parser; also torture, bench, coverage'
	@echo 'make peer       prepare the published original for tests/peer'
	@echo 'make judges     prepare the message classes of Perfetto (from PyPI) for tests/known/perfetto.t'

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.PHONY: judges all units replays fuzz fuzzers bench-bins demo check check-build check-layers check-size check-words check-objects \
	format format-check check-clang check-repro tidy torture bench coverage peer install uninstall dist clean help
-include $(shell find $(O)/obj $(O)/obj-unit -name '*.d' 2>/dev/null)
