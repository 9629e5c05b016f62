package dev.windrow.signing;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.MessageDigest;
import java.security.MessageDigestSpi;
import java.security.Provider;
import java.security.spec.AlgorithmParameterSpec;
import java.util.concurrent.atomic.AtomicInteger;

import javax.crypto.Mac;
import javax.crypto.MacSpi;

import org.jspecify.annotations.Nullable;

/** Java's own digests, but that they cannot be cloned, like those of a hardware token. */
final class UncloneableProvider extends Provider {

    private static final long serialVersionUID = 1;
    private static final AtomicInteger USES = new AtomicInteger();

    UncloneableProvider() {
        super("Uncloneable", "1", "digests that cannot be cloned");
        put("Mac.HmacSHA256", UncloneableMac.class.getName());
        put("MessageDigest.SHA-256", UncloneableDigest.class.getName());
    }

    /** How many digests were created. */
    static int uses() {
        return USES.get();
    }

    /** HMAC with SHA-256. */
    public static final class UncloneableMac extends MacSpi {

        private final Mac mac;

        public UncloneableMac() throws GeneralSecurityException {
            mac = Mac.getInstance("HmacSHA256", "SunJCE");
            USES.incrementAndGet();
        }

        @Override
        protected int engineGetMacLength() {
            return mac.getMacLength();
        }

        @Override
        protected void engineInit(Key key, @Nullable AlgorithmParameterSpec parameters) throws InvalidKeyException {
            mac.init(key);
        }

        @Override
        protected void engineUpdate(byte input) {
            mac.update(input);
        }

        @Override
        protected void engineUpdate(byte[] input, int offset, int length) {
            mac.update(input, offset, length);
        }

        @Override
        protected byte[] engineDoFinal() {
            return mac.doFinal();
        }

        @Override
        protected void engineReset() {
            mac.reset();
        }
    }

    /** SHA-256. */
    public static final class UncloneableDigest extends MessageDigestSpi {

        private final MessageDigest digest;

        public UncloneableDigest() throws GeneralSecurityException {
            digest = MessageDigest.getInstance("SHA-256", "SUN");
            USES.incrementAndGet();
        }

        @Override
        protected void engineUpdate(byte input) {
            digest.update(input);
        }

        @Override
        protected void engineUpdate(byte[] input, int offset, int length) {
            digest.update(input, offset, length);
        }

        @Override
        protected void engineUpdate(ByteBuffer input) {
            digest.update(input);
        }

        @Override
        protected byte[] engineDigest() {
            return digest.digest();
        }

        @Override
        protected void engineReset() {
            digest.reset();
        }
    }
}
