package dev.windrow.writer.aggregate;

import java.util.List;

import dev.windrow.writer.decode.Rejection;

/**
 * What a message adds, and what of it cannot be counted.
 *
 * @param shares one for each series that it touches, or more for those it touches in very many buckets
 * @param rejections events that no dataset can count
 */
public record Contributions(List<Share> shares, List<Rejection> rejections) {
}
