/** What several rooms of the inside share and belongs to none. */
@NullMarked
package io.skein.internal;

import org.jspecify.annotations.NullMarked;
