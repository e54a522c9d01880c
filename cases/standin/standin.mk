# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
#
# $(BUILD)/libstandin.so stands in for walkers that no released JVM has. Included by cases/build.mk.

cases: $(BUILD)/libstandin.so

# No sanitizer: the program that loads this library has no sanitizer's runtime.
$(BUILD)/libstandin.so: override SANITIZE :=
$(BUILD)/libstandin.so: $(BUILD)/obj/cases/standin/standin.o
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -Wl,-z,now -Wl,-z,defs -o $@ $^ -ldl -lpthread
-include $(BUILD)/obj/cases/standin/standin.d
