# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
#
# The version; and what is installed, packed into a tarball and into a Debian package. Included by the GNUmakefile,
# whose variables it uses. What is installed lies as under $(BUILD): the command finds its files beside its executable,
# in any PREFIX.
PREFIX ?= /usr/local
DESTDIR ?=
MAINTAINER ?= The Plumbline authors <plumbline@plumbline.example.org>
DEB_PACKAGES := dpkg-dev lintian

# ---- The version ------------------------------------------------------------------------------
# "0.1-g4a28141": git describe's word, from the last tag v*, or from this number where there is none. An archive that
# git made has it in .version; a copy without git has the number alone.
VERSION_BASE := 0.1
GIT := git -c safe.directory='*'
VERSION := $(shell \
  if [ -e .git ]; then \
    $(GIT) describe --tags --match 'v[0-9]*' --dirty 2>/dev/null || \
    echo "$(VERSION_BASE)-g$$($(GIT) describe --always --match 'v[0-9]*' --dirty 2>/dev/null)"; \
  else awk -v base=$(VERSION_BASE) '/Format/ { print base; next } { print NF == 2 ? $$1 : NF == 1 ? base "-g" $$1 : base }' .version; fi | sed 's/^v//; s/-g$$//')
VERSION_DATE := $(shell [ -e .git ] && $(GIT) show -s --format=%cs 2>/dev/null || date -r .version +%F)

$(BUILD)/gen/version.h: always
	@mkdir -p $(@D)
	@printf '#define PLUMBLINE_VERSION "%s"\n#define PLUMBLINE_DATE "%s"\n' '$(VERSION)' '$(VERSION_DATE)' >$@.new; cmp -s $@.new $@ && rm $@.new || mv $@.new $@
.PHONY: always
$(BUILD)/obj/runner/base/version.o $(BUILD)/obj/agent/evidence/writer.o: $(BUILD)/gen/version.h

# ---- Installing -------------------------------------------------------------------------------
# Paths below $(BUILD), and below PREFIX/lib/plumbline.
INSTALLED_FILES := libplumbline.so causes.ini walkers.ini profilers.ini \
                   $(addprefix cases/,cases.ini programs.ini expectations.ini findings.md libcases.so)
INSTALLED_TREES := profile reproducers cases/classes cases/boot cases/programs cases/sources
INSTALLED_DOCS := README.md LICENSE cases/profilers.md

LIB = $(DESTDIR)$(PREFIX)/lib/plumbline
SHARE = $(DESTDIR)$(PREFIX)/share
ZSH_FUNCTIONS ?= site-functions

# ---- Manual pages and completion --------------------------------------------------------------
# Made of the commands' own tables, as --help is: a crossed command prints them under the emulator.
PAGES = $(BUILD)/man/plumbline.1 $(BUILD)/man/plumbline-cases.5
PAGE_SOURCES := cases/README.md results/causes/README.md agent/walkers.ini agent/profilers.ini runner/install/make-cases-page
COMMANDS = $$($(EMULATOR) $(BUILD)/plumbline --help | awk '/^  [a-z]/ { print $$1 }')
.PHONY: pages check-pages check-completion
pages: $(BUILD)/man/plumbline.1 $(BUILD)/man/plumbline-cases.5
$(BUILD)/man/plumbline.1: $(BUILD)/plumbline
	@mkdir -p $(@D) && rm -f $(@D)/*.1
	$(Q)for c in $(COMMANDS); do $(EMULATOR) $< make-page $$c >$(@D)/plumbline-$$c.1 || exit 1; done
	$(Q)$(EMULATOR) $< make-page >$@
$(BUILD)/man/plumbline-cases.5: $(PAGE_SOURCES) $(BUILD)/gen/version.h
	@mkdir -p $(@D)
	$(Q)runner/install/make-cases-page '$(VERSION)' '$(VERSION_DATE)' >$@

check-pages: pages ## manual pages are well made, and say what --help says
	$(Q).checks/check-pages $(BUILD)

check-completion: all ## completion works in bash and zsh, in a terminal
	$(Q)python3 .checks/check-completion.py $(BUILD)

# ---- Installing and removing ------------------------------------------------------------------
.PHONY: install uninstall
install: whole pages ## install the command: PREFIX=/usr/local DESTDIR=
	$(Q)$(MAKE) --no-print-directory uninstall
	$(Q)install -d $(LIB)/cases $(DESTDIR)$(PREFIX)/bin $(SHARE)/doc/plumbline
	$(Q)install -m 755 $(BUILD)/plumbline $(LIB)/plumbline
	$(Q)for f in $(INSTALLED_FILES); do install -m 644 $(BUILD)/$$f $(LIB)/$$f || exit 1; done
	$(Q)for t in $(INSTALLED_TREES); do cp -R --preserve=mode $(BUILD)/$$t $(LIB)/$$t || exit 1; done
	$(Q)chmod -R u=rwX,go=rX $(LIB)
	$(Q)ln -s ../lib/plumbline/plumbline $(DESTDIR)$(PREFIX)/bin/plumbline
	$(Q)install -m 644 $(INSTALLED_DOCS) $(SHARE)/doc/plumbline
	$(Q)install -D -m 644 -t $(SHARE)/man/man1 $(BUILD)/man/*.1
	$(Q)install -D -m 644 -t $(SHARE)/man/man5 $(BUILD)/man/plumbline-cases.5
	$(Q)install -D -m 644 runner/install/plumbline.bash $(SHARE)/bash-completion/completions/plumbline
	$(Q)install -D -m 644 runner/install/plumbline.zsh $(SHARE)/zsh/$(ZSH_FUNCTIONS)/_plumbline

uninstall: ## remove what install made: PREFIX= DESTDIR=
	$(foreach v,PREFIX DESTDIR,$(if $(word 2,$($(v))),$(error $(v) has a blank: "$($(v))")))
	$(Q)rm -rf $(LIB) $(SHARE)/doc/plumbline
	$(Q)rm -f $(DESTDIR)$(PREFIX)/bin/plumbline $(SHARE)/man/man1/plumbline.1 $(SHARE)/man/man1/plumbline-*.1 \
	  $(SHARE)/man/man5/plumbline-cases.5 $(SHARE)/bash-completion/completions/plumbline \
	  $(SHARE)/zsh/$(ZSH_FUNCTIONS)/_plumbline
	$(Q)for d in doc man/man1 man/man5 man bash-completion/completions bash-completion zsh/$(ZSH_FUNCTIONS) zsh; do \
	  rmdir $(SHARE)/$$d 2>/dev/null || true; done
	$(Q)rmdir $(SHARE) $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib 2>/dev/null || true

# ---- A tarball --------------------------------------------------------------------------------
# It works where it is unpacked, for a user of the same distribution: its libraries are the machine's.
DIST := plumbline-$(VERSION)-linux-$(ARCH)
.PHONY: dist
dist: whole ## a tarball that works where it is unpacked
	$(Q)rm -rf $(BUILD)/dist && mkdir -p $(BUILD)/dist
	$(Q)$(MAKE) --no-print-directory install PREFIX=/$(DIST) DESTDIR=$(BUILD)/dist
	$(Q)tar -C $(BUILD)/dist --owner=0 --group=0 -czf $(BUILD)/$(DIST).tar.gz $(DIST)
	@echo $(BUILD)/$(DIST).tar.gz

# ---- A Debian package -------------------------------------------------------------------------
# Its dependencies are those of the release on which it is built.
DEB_ROOT := $(BUILD)/deb/root
# dpkg orders versions, and a commit's name has no order. Without a tag the commit's time stands before it, and the whole is
# older than the release to come: 0.1~git202611250402.4a28141. "0.1-3-g4a28141" is 0.1+3+g4a28141.
DEB_TIME = $(shell [ -e .git ] && TZ=UTC $(GIT) show -s --date=format-local:%Y%m%d%H%M --format=%cd 2>/dev/null || date -u -r .version +%Y%m%d%H%M)
DEB_VERSION = $(subst -,+,$(patsubst $(VERSION_BASE)-g%,$(VERSION_BASE)~git$(DEB_TIME).%,$(VERSION)))
.PHONY: deb
deb: whole ## a Debian package for this release and processor (make deps-deb): MAINTAINER=
	$(Q)rm -rf $(BUILD)/deb && mkdir -p $(BUILD)/deb
	$(Q)$(MAKE) --no-print-directory install PREFIX=/usr DESTDIR=$(DEB_ROOT) ZSH_FUNCTIONS=vendor-completions
	$(Q)runner/install/make-deb $(BUILD)/deb $(DEB_VERSION) "$(MAINTAINER)" $(if $(CROSS),$(CROSS) $(SYSROOT))

.PHONY: check-deb
check-deb: deb ## that package, in a bare root: installed, a JDK validated, purged without a trace (needs root, debootstrap): JDK= SUITE=
	$(Q).checks/check-deb $(BUILD)/deb/*.deb "$(JDK)" $(or $(SUITE),$(shell . /etc/os-release && echo $$VERSION_CODENAME))
