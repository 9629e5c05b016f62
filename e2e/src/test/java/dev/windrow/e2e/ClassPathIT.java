package dev.windrow.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.objectweb.asm.ClassReader.SKIP_DEBUG;
import static org.objectweb.asm.ClassReader.SKIP_FRAMES;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Whatever the network stack, the AWS SDK and our own code refer to is on the class path of each packaged service. The JVM
 * finds a missing method when it is called, and a native compiler after many minutes; this test finds it in seconds. The usual
 * cause is a bill of materials that stands before the platform's and overrides it in part, so the message names that one.
 */
class ClassPathIT {

    private static final List<String> CHECKED = List.of("io/netty/", "io/vertx/", "software/amazon/awssdk/", "dev/windrow/");

    /** Beginnings of the names of classes that may be missing, each with the reason why nothing that runs here needs them. */
    private static final Map<String, String> OPTIONAL = Map.ofEntries(
            Map.entry("com/github/luben/zstd/", "Netty's other compressions: only gzip is on"),
            Map.entry("com/jcraft/jzlib/", "Netty's other compressions: only gzip is on"),
            Map.entry("com/ning/compress/", "Netty's other compressions: only gzip is on"),
            Map.entry("lzma/", "Netty's other compressions: only gzip is on"),
            Map.entry("net/jpountz/", "Netty's other compressions: only gzip is on"),
            Map.entry("com/google/protobuf/nano/", "codecs of protocols that nothing speaks"),
            Map.entry("org/jboss/marshalling/", "codecs of protocols that nothing speaks"),
            Map.entry("io/netty/channel/kqueue/", "macOS only; Vert.x asks whether it is there"),
            Map.entry("org/apache/log4j/", "Netty and Vert.x log with the first of many libraries that is there"),
            Map.entry("org/apache/logging/log4j/", "Netty and Vert.x log with the first of many libraries that is there"),
            Map.entry("org/bouncycastle/", "TLS by other providers: it is the JDK's"),
            Map.entry("org/conscrypt/", "TLS by other providers: it is the JDK's"),
            Map.entry("org/eclipse/jetty/", "ALPN before Java 8u252"),
            Map.entry("reactor/blockhound/", "a tool for tests, loaded by its own agent"),
            Map.entry("com/sun/source/", "Vert.x's annotation processor: the JDK's compiler calls it"),
            Map.entry("com/sun/tools/", "Vert.x's annotation processor: the JDK's compiler calls it"),
            Map.entry("io/vertx/ext/auth/", "Vert.x Web's own authentication: Quarkus has another"),
            Map.entry("io/vertx/mutiny/ext/auth/", "Vert.x Web's own authentication: Quarkus has another"),
            Map.entry("software/amazon/awssdk/crt", "the native AWS CRT, which images do without"),
            Map.entry("io/netty/util/internal/CleanerJava9", "Quarkus rewrites this class, and its inner classes stay unused"));

    @ParameterizedTest
    @ValueSource(strings = { "writer-service", "gather-service" })
    void everyReferenceOfTheNetworkStackResolves(String service) throws IOException {
        ClassPath classPath = ClassPath.of(Images.ROOT.resolve(service).resolve("target/quarkus-app"));

        Set<String> missing = new TreeSet<>();
        Set<String> optional = new HashSet<>();
        for (Reference reference : classPath.references()) {
            if (!classPath.resolves(reference)) {
                OPTIONAL.keySet().stream().filter(reference.owner::startsWith).findFirst()
                        .ifPresentOrElse(optional::add, () -> missing.add(classPath.describe(reference)));
            }
        }

        assertThat(missing).as("references of %s that do not resolve; the parent imports %s before the platform's BOM, so "
                + "manage there what those need, too", service, bomsBeforeThePlatform()).isEmpty();
        assertThat(OPTIONAL.keySet()).as("entries that nothing refers to").isSubsetOf(optional);
    }

    private static List<String> bomsBeforeThePlatform() throws IOException {
        String pom = Files.readString(Images.ROOT.resolve("pom.xml"));
        return Pattern.compile("<artifactId>([a-z-]+-bom)</artifactId>").matcher(pom).results().map(match -> match.group(1))
                .takeWhile(bom -> !bom.equals("quarkus-bom")).toList();
    }

    /** A member that a class uses, or the class itself where {@code name} is null; names as in class files. */
    private record Reference(String from, String owner, @Nullable String name, @Nullable String descriptor) {
    }

    private record Declared(String jar, @Nullable String parent, List<String> interfaces, Set<String> members) {
    }

    private record ClassPath(Map<String, byte[]> classes, Map<String, String> jars, Map<String, Optional<Declared>> declared) {

        static ClassPath of(Path application) throws IOException {
            ClassPath classPath = new ClassPath(new TreeMap<>(), new HashMap<>(), new HashMap<>());
            List<Path> jars;
            try (Stream<Path> files = Files.walk(application)) {
                // Classes that the build rewrote replace those of the libraries.
                jars = files.filter(file -> file.toString().endsWith(".jar"))
                        .sorted((a, b) -> Boolean.compare(isRewritten(b), isRewritten(a))).toList();
            }
            for (Path jar : jars) {
                try (JarFile file = new JarFile(jar.toFile(), false, JarFile.OPEN_READ, Runtime.version())) {
                    for (var entry : (Iterable<JarEntry>) file.versionedStream()::iterator) {
                        if (entry.getName().endsWith(".class")) {
                            String name = entry.getName().substring(0, entry.getName().length() - ".class".length());
                            if (classPath.jars.putIfAbsent(name, jar.getFileName().toString()) == null) {
                                try (InputStream in = file.getInputStream(entry)) {
                                    classPath.classes.put(name, in.readAllBytes());
                                }
                            }
                        }
                    }
                }
            }
            return classPath;
        }

        private static boolean isRewritten(Path jar) {
            return jar.getFileName().toString().equals("transformed-bytecode.jar");
        }

        Set<Reference> references() {
            Set<Reference> references = new HashSet<>();
            classes.forEach((name, bytes) -> {
                if (CHECKED.stream().anyMatch(name::startsWith)) {
                    new ClassReader(bytes).accept(new Uses(name, references), SKIP_DEBUG | SKIP_FRAMES);
                }
            });
            return references;
        }

        boolean resolves(Reference reference) {
            if (reference.owner.startsWith("java/lang/invoke/")) {
                return true; // methods of any signature
            }
            Optional<Declared> owner = declared(reference.owner);
            return owner.isPresent() && (reference.name == null
                    || declares(owner.get(), reference.name + reference.descriptor));
        }

        private boolean declares(Declared type, String member) {
            return type.members.contains(member) || Stream.concat(Stream.ofNullable(type.parent), type.interfaces.stream())
                    // A missing parent is reported once, as a class.
                    .anyMatch(parent -> declared(parent).map(found -> declares(found, member)).orElse(true));
        }

        private Optional<Declared> declared(String name) {
            Optional<Declared> known = declared.get(name);
            if (known == null) {
                known = read(name);
                declared.put(name, known);
            }
            return known;
        }

        private Optional<Declared> read(String name) {
            byte[] bytes = classes.get(name);
            if (bytes == null) {
                try (InputStream in = ClassLoader.getPlatformClassLoader().getResourceAsStream(name + ".class")) {
                    if (in == null) {
                        return Optional.empty();
                    }
                    bytes = in.readAllBytes();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            ClassReader reader = new ClassReader(bytes);
            Set<String> members = new HashSet<>();
            reader.accept(new ClassVisitor(Opcodes.ASM9) {

                @Override
                public FieldVisitor visitField(int access, String field, String descriptor, String signature, Object value) {
                    members.add(field + descriptor);
                    return null;
                }

                @Override
                public MethodVisitor visitMethod(int access, String method, String descriptor, String signature,
                        String[] exceptions) {
                    members.add(method + descriptor);
                    return null;
                }
            }, ClassReader.SKIP_CODE);
            return Optional.of(new Declared(jars.getOrDefault(name, "the JDK"), reader.getSuperName(),
                    List.of(reader.getInterfaces()), members));
        }

        String describe(Reference reference) {
            return declared(reference.owner)
                    .map(found -> found.jar + " has no " + reference.owner + "." + reference.name + reference.descriptor)
                    .orElse("no jar has " + reference.owner) + ", which " + jars.get(reference.from) + " uses";
        }
    }

    private static final class Uses extends ClassVisitor {

        private final String from;
        private final Set<Reference> references;

        Uses(String from, Set<Reference> references) {
            super(Opcodes.ASM9);
            this.from = from;
            this.references = references;
        }

        private void type(@Nullable String owner) {
            member(owner, null, null);
        }

        private void member(@Nullable String owner, @Nullable String name, @Nullable String descriptor) {
            if (owner == null) {
                return;
            }
            Type type = Type.getObjectType(owner);
            if (type.getSort() == Type.ARRAY) {
                if (type.getElementType().getSort() == Type.OBJECT) {
                    references.add(new Reference(from, type.getElementType().getInternalName(), null, null));
                }
            } else {
                references.add(new Reference(from, owner, name, descriptor));
            }
        }

        @Override
        public void visit(int version, int access, String name, String signature, @Nullable String parent,
                String[] interfaces) {
            type(parent);
            for (String each : interfaces) {
                type(each);
            }
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
            return new MethodVisitor(Opcodes.ASM9) {

                @Override
                public void visitTypeInsn(int opcode, String type) {
                    type(type);
                }

                @Override
                public void visitFieldInsn(int opcode, String owner, String field, String type) {
                    member(owner, field, type);
                }

                @Override
                public void visitMethodInsn(int opcode, String owner, String method, String type, boolean isInterface) {
                    member(owner, method, type);
                }

                @Override
                public void visitInvokeDynamicInsn(String method, String type, Handle bootstrap, Object... arguments) {
                    for (Object argument : arguments) {
                        if (argument instanceof Handle handle) {
                            member(handle.getOwner(), handle.getName(), handle.getDesc());
                        }
                    }
                }
            };
        }
    }
}
