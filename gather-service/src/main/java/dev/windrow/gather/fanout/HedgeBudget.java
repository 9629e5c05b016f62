package dev.windrow.gather.fanout;

/** Lets at most a given share of reads be hedged. Each read earns its share of a hedge; unused shares do not pile up far. */
final class HedgeBudget {

    /** Maximum number of hedged reads saved up: enough for a burst, too few to matter. */
    private static final double MAX_SAVED = 20;

    private final double share;
    private double saved;

    /** @param share hedges per read, such as 0.05 */
    HedgeBudget(double share) {
        this.share = share;
    }

    /** Notes a read. */
    synchronized void earn() {
        saved = Math.min(MAX_SAVED, saved + share);
    }

    /** Takes the right to hedge, if there is one. */
    synchronized boolean take() {
        if (saved < 1) {
            return false;
        }
        saved -= 1;
        return true;
    }
}
