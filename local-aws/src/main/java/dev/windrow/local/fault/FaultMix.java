package dev.windrow.local.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Draws for each request, by chance, one of several plans; what no share is left for passes. */
public final class FaultMix implements FaultPlan {

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

    /** Gives a share of the requests to one fault. */
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
