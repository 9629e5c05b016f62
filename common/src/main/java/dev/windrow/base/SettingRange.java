package dev.windrow.base;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Unit and range of a setting, on its method in a {@code @ConfigMapping} interface. {@link SettingRanges} checks it when a
 * service starts, and the configuration reference shows it. Limits are written as in the configuration, such as {@code 1},
 * {@code 30s} or {@code 64M}, or are the key of another setting. The elements of a list and the values of a map are in the
 * range one by one.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface SettingRange {

    /** What a number counts, or what a text has to be. */
    String unit() default "";

    /** The lowest value. */
    String min() default "";

    /** What a value is greater than. */
    String above() default "";

    /** The highest value. */
    String max() default "";

    /** What a value is less than. */
    String below() default "";

    /** The regular expression that a text matches; {@link #unit} says the same in words. */
    String pattern() default "";

    /** What to keep in mind within the range; it is not checked. */
    String advice() default "";
}
