package dev.windrow.bench.page;

/**
 * A section of the page.
 *
 * @param id its name on the command line and in the page
 * @param text description of the experiment, in Markdown
 * @param measured when, on which machine, and how busy that was before and after
 */
public record Section(String id, String title, String text, Found found, String measured) {

    /** Creates a section with title and text from the resource {@code id.md}. */
    public static Section of(String id, Found found, String measured) {
        String[] parts = Page.resource(id + ".md").split("\n\n", 2);
        return new Section(id, parts[0], parts[1], found, measured);
    }
}
