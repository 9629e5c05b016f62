package dev.windrow.base;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Unit and range of a setting, on its method in a {@code @ConfigMapping} interface. {@link SettingRanges} checks it at startup,
 * and the configuration reference shows it. Limits are written as in the configuration, such as {@code 1}, {@code 30s} or
 * {@code 64M}, or are the key of another setting. The range applies to each element of a list and each value of a map.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface SettingRange {

    /** The unit of a number, or the required form of a text. */
    String unit() default "";

    /** The inclusive lower limit. */
    String min() default "";

    /** The exclusive lower limit. */
    String above() default "";

    /** The inclusive upper limit. */
    String max() default "";

    /** The exclusive upper limit. */
    String below() default "";

    /** The regular expression that a text must match; {@link #unit} describes it in words. */
    String pattern() default "";

    /** Advice for choosing a value within the range; not checked. */
    String advice() default "";
}
