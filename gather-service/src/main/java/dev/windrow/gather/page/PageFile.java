package dev.windrow.gather.page;

/**
 * One file of the page.
 *
 * @param mediaType for the header Content-Type
 * @param content its bytes; not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PageFile(String mediaType, byte[] content) {

    static PageFile of(String name, byte[] content) {
        String extension = name.substring(name.lastIndexOf('.') + 1);
        String mediaType = switch (extension) {
            case "html" -> "text/html;charset=UTF-8";
            case "js" -> "text/javascript;charset=UTF-8";
            case "css" -> "text/css;charset=UTF-8";
            case "svg" -> "image/svg+xml";
            default -> throw new IllegalStateException(name + ": expected html, js, css or svg");
        };
        return new PageFile(mediaType, content);
    }
}
