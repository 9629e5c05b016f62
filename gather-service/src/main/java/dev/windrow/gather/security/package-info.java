/**
 * Authentication of the API's clients, and the tenant that follows from their credential.
 */
@NullMarked
package dev.windrow.gather.security;

import org.jspecify.annotations.NullMarked;
