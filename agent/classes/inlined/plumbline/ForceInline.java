// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
package plumbline;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Becomes the JVM's own annotation of that name, as Unsafe does. */
@Retention(RetentionPolicy.RUNTIME)
@interface ForceInline {
}
