/** Creates the table and the queues, or checks those that exist; for installation jobs, development and tests. */
@NullMarked
package dev.windrow.provision;

import org.jspecify.annotations.NullMarked;
