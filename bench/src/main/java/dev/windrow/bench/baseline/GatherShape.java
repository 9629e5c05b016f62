package dev.windrow.bench.baseline;

/**
 * The query of the gather baselines: the minutes of one dataset in a range, from every scatter shard.
 *
 * @param dataset the dataset
 * @param from first index sort key
 * @param to last index sort key
 * @param shards how many shards
 * @param limit of each query
 */
record GatherShape(String dataset, String from, String to, int shards, int limit) {

    /** From arguments after the endpoint. */
    static GatherShape of(String[] args) {
        return new GatherShape(args[1], args[2], args[3], Integer.parseInt(args[4]), Integer.parseInt(args[5]));
    }

    String partition(int shard) {
        return "default#" + dataset + "#minute#" + shard;
    }
}
