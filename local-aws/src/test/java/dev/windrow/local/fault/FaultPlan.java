package dev.windrow.local.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Decides what happens to each request. A proxy calls its plan for one request at a time, in the order of arrival, on its
 * event loop: a plan must not block, and needs no locks for state that only it touches.
 */
@FunctionalInterface
public interface FaultPlan {

    /** The fault for a request; the pass for none. */
    Fault decide(ProxiedRequest request);

    static FaultPlan none() {
        return always(new Fault.Pass());
    }

    static FaultPlan always(Fault fault) {
        return request -> fault;
    }

    /** Requests about some partition keys (of the table or the index) wait, as behind a slow partition. */
    static FaultPlan slow(Predicate<String> partitionKey, Duration delay) {
        Fault slow = new Fault.DelayBefore(delay, new Fault.Pass());
        return request -> request.partitionKey().filter(partitionKey).isPresent() ? slow : new Fault.Pass();
    }

    /** This plan for the named operations, such as {@code TransactWriteItems}; all others pass. */
    default FaultPlan onlyFor(String... operations) {
        Set<String> named = Set.of(operations);
        return request -> named.contains(request.operation()) ? decide(request) : new Fault.Pass();
    }

    /** This plan for the first so many requests, and another one for all further requests. */
    default FaultPlan first(int requests, FaultPlan after) {
        int[] count = { 0 };
        return request -> count[0]++ < requests ? decide(request) : after.decide(request);
    }

    /** This plan, and for the requests it lets pass another one. */
    default FaultPlan or(FaultPlan other) {
        return request -> {
            Fault fault = decide(request);
            return fault instanceof Fault.Pass ? other.decide(request) : fault;
        };
    }

    /** Draws for each request, by chance, one of several plans; what no share is left for passes. */
    public static final class FaultMix implements FaultPlan {

        private record Share(double upTo, FaultPlan plan) {
        }

        private final RandomGenerator random;
        private final List<Share> shares = new ArrayList<>();
        private double sum;

        /** @param random draws the faults; seeded, so that a run can be repeated */
        public FaultMix(RandomGenerator random) {
            this.random = random;
        }

        /**
         * Gives a share of the requests to a plan. Shares are set before the proxy starts.
         *
         * @param share from 0 to 1; all shares together at most 1
         */
        public FaultMix share(double share, FaultPlan plan) {
            if (!(share >= 0 && sum + share <= 1 + 1e-9)) {
                throw new IllegalArgumentException("share: expected at least 0 and at most 1 with all others, found "
                        + share + " beside " + sum);
            }
            sum += share;
            shares.add(new Share(sum, plan));
            return this;
        }

        public FaultMix share(double share, Fault fault) {
            return share(share, FaultPlan.always(fault));
        }

        @Override
        public Fault decide(ProxiedRequest request) {
            double drawn = random.nextDouble();
            for (Share share : shares) {
                if (drawn < share.upTo()) {
                    return share.plan().decide(request);
                }
            }
            return new Fault.Pass();
        }
    }
}
