package dev.windrow.writer.journal.simulation;

/** What happened in runs, to see that the simulation simulates. */
final class Statistics {

    long claims;
    long refusedClaims;
    long recoveries;
    long crashes;
    long pauses;
    long drains;
    long conflicts;
    long halfCommitted;
    long late;
    long letters;
    long replays;
    long partial;
    long fenced;
    long unclaimable;
    long denied;
    /** Updates of buckets that were answered before they are done. */
    long notYet;
    /** Records of additions that some items did not take. */
    long deferrals;
    /** Lanes with such a record that were recovered. */
    long recoveredDeferrals;
    /** Items of held lanes that were deleted. */
    long forgotten;
    /** Writers that stopped over it. */
    long stopped;
    /** How often writers started with another declaration of the datasets than those before. */
    long datasetChanges;
    /** How often no writer ran. */
    long emptyFleets;
    /** That ran at once. */
    long maxWriters;

    void add(Statistics other) {
        claims += other.claims;
        refusedClaims += other.refusedClaims;
        recoveries += other.recoveries;
        crashes += other.crashes;
        pauses += other.pauses;
        drains += other.drains;
        conflicts += other.conflicts;
        halfCommitted += other.halfCommitted;
        late += other.late;
        letters += other.letters;
        replays += other.replays;
        partial += other.partial;
        fenced += other.fenced;
        unclaimable += other.unclaimable;
        denied += other.denied;
        notYet += other.notYet;
        deferrals += other.deferrals;
        recoveredDeferrals += other.recoveredDeferrals;
        forgotten += other.forgotten;
        stopped += other.stopped;
        datasetChanges += other.datasetChanges;
        emptyFleets += other.emptyFleets;
        maxWriters = Math.max(maxWriters, other.maxWriters);
    }

    @Override
    public String toString() {
        return "claims " + claims + ", refused " + refusedClaims + ", recoveries " + recoveries + ", crashes " + crashes
                + ", pauses " + pauses + ", drains " + drains + ", conflicts " + conflicts
                + ", transactions met half committed " + halfCommitted + ", late requests " + late
                + ", parked " + letters + ", replayed " + replays + ", updates found applied in part " + partial
                + ", writers fenced " + fenced + ", unclaimable " + unclaimable + ", denied "
                + denied + ", not yet done " + notYet + ", deferrals " + deferrals + ", recovered with " + recoveredDeferrals
                + ", lanes deleted " + forgotten + ", writers stopped over it " + stopped
                + ", changes of datasets " + datasetChanges + ", times without writers "
                + emptyFleets
                + ", writers at once up to " + maxWriters;
    }
}
