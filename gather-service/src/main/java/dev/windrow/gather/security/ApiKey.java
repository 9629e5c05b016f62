package dev.windrow.gather.security;

/**
 * A key, of which only the hash is stored.
 *
 * @param client who holds it, for logs
 * @param sha256 SHA-256 of the key's UTF-8 bytes, in lower-case hexadecimal
 * @param tenant whose data its holder may read
 */
public record ApiKey(String client, String sha256, String tenant) {
}
