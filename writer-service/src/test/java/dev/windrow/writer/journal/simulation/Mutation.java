package dev.windrow.writer.journal.simulation;

/** Protocols that are wrong in one point each: the simulation must notice. */
enum Mutation {
    /** The unchanged protocol. */
    NONE,
    /** Claims succeed whoever holds the lane, and whatever its position is. */
    NO_FENCE,
    /** Claims succeed whoever holds the lane, if only the position is right. */
    NO_EPOCH,
    /** Updates add whatever the item's position is. */
    NO_POSITION_CONDITION,
    /** The next update of an item is sent before the last is known to be applied. */
    OUT_OF_ORDER,
    /** The lane's item says that everything is applied. */
    EARLY_APPLIED,
    /** The lane's item says that the earliest bucket that lags is a later one. */
    LATE_START,
    /** A transaction that another holds the lane's item against is taken for refused by the other items alone. */
    LANE_CONFLICT_UNSEEN,
    /** Messages are deleted when they are received. */
    DELETE_BEFORE_CLAIM,
    /** Claims do not look whether their ids are known. */
    NO_SLOT_CONDITION,
    /** Parked additions are not marked in their item. */
    NO_MARK,
    /** Full slots take more, so that those who know them to be full look elsewhere. */
    NO_SLOT_LIMIT,
    /** Extremes are taken for beaten, whatever their item has. */
    EXTREMES_UNSEEN,
    /** Who recovers a lane does not see that additions are deferred. */
    DEFERRED_UNSEEN,
    /** The parts of a cell that are deferred are written as one. */
    DEFERRED_MERGED,
    /** Of each cell that is deferred, the last part is left out. */
    DEFERRED_IN_PART,
    /** What is deferred is taken for as new as the record that holds it. */
    DEFERRED_AS_NEW,
    /** A lane's item that was deleted looks as if another writer had taken the lane. */
    DELETED_UNSEEN
}
