/** Creates the table and the queues, or checks existing ones; for installation jobs, development and tests. */
@NullMarked
package dev.windrow.provision;

import org.jspecify.annotations.NullMarked;
