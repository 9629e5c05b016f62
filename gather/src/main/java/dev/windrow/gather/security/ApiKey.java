package dev.windrow.gather.security;

/**
 * A key; only its hash is stored.
 *
 * @param client the holder of the key, for logs
 * @param sha256 SHA-256 of the key's UTF-8 bytes, in lower-case hexadecimal
 * @param tenant the tenant whose data the holder may read
 */
record ApiKey(String client, String sha256, String tenant) {
}
