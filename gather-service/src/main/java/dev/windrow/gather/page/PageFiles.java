package dev.windrow.gather.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.commons.codec.digest.DigestUtils;

/**
 * The page's files. {@code index.html} is the list of all others: it names each as {@code page/@version@/NAME}. The version
 * is a hash of their content, so a browser may cache them forever, and modules that import each other by relative names
 * always come from the same build. {@code @oidc@} is replaced by the element that names the provider of tokens, if there is
 * one.
 *
 * @param version hash of all files, in hexadecimal
 * @param index the page, with the version filled in
 * @param files the other files by name
 */
record PageFiles(String version, PageFile index, Map<String, PageFile> files) {

    private static final String FOLDER = "/page/";
    private static final String VERSION = "@version@";
    private static final String OIDC = "@oidc@";
    private static final Pattern NAMED = Pattern.compile("page/" + VERSION + "/([a-z0-9-]+\\.[a-z]+)\"");
    private static final int VERSION_DIGITS = 16;

    /**
     * Reads the files from the class path.
     *
     * @param oidc replaces {@code @oidc@}
     */
    static PageFiles read(String oidc) {
        String template = new String(content("index.html"), StandardCharsets.UTF_8).replace(OIDC, oidc);
        Map<String, PageFile> files = new LinkedHashMap<>();
        MessageDigest hash = DigestUtils.getSha256Digest();
        hash.update(template.getBytes(StandardCharsets.UTF_8));
        Matcher named = NAMED.matcher(template);
        while (named.find()) {
            PageFile file = PageFile.of(named.group(1), content(named.group(1)));
            files.put(named.group(1), file);
            hash.update(file.content());
        }
        String version = HexFormat.of().formatHex(hash.digest()).substring(0, VERSION_DIGITS);
        byte[] index = template.replace(VERSION, version).getBytes(StandardCharsets.UTF_8);
        return new PageFiles(version, PageFile.of("index.html", index), Map.copyOf(files));
    }

    private static byte[] content(String name) {
        try (InputStream stream = PageFiles.class.getResourceAsStream(FOLDER + name)) {
            if (stream == null) {
                throw new IllegalStateException("index.html names " + name + ", which is not in the folder page");
            }
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
