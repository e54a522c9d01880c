# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
#
# The stepper: a part of libcases.so, and of the agent's tests. Included by cases/build.mk.

STEPPER_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(sort $(wildcard cases/stepper/*.c)))
STEPPER_TESTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(sort $(wildcard cases/stepper/tests/*.c)))

# No sanitizer, whoever asks first: the JVM that loads libcases.so has no sanitizer's runtime.
$(STEPPER_OBJECTS): override SANITIZE :=

$(STEPPER_TESTS): ALL_CFLAGS += -Icases/stepper
$(BUILD)/tests/stepper: $(STEPPER_TESTS) $(STEPPER_OBJECTS)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ -lcriterion
-include $(STEPPER_TESTS:.o=.d)

$(BUILD)/tests/agent: $(STEPPER_OBJECTS)
