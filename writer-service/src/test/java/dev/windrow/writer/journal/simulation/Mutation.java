package dev.windrow.writer.journal.simulation;

/** Protocols that are each wrong in one point; the simulation must notice. */
enum Mutation {
    NONE,
    /** Writes of a lane's item succeed whoever holds the lane, and whatever its position is. */
    NO_FENCE,
    /** Writes of a lane's item succeed whoever holds the lane, if beat and position are right. */
    NO_EPOCH,
    /** Updates add regardless of the item's position. */
    NO_POSITION_CONDITION,
    /** The next update of an item is sent before the last is known to be applied. */
    OUT_OF_ORDER,
    /** The lane's item says that everything is applied. */
    EARLY_APPLIED,
    /** The lane's item gives the earliest lagging bucket a later start. */
    LATE_START,
    /** A transaction whose lane's item another one holds counts as refused by the other items alone. */
    LANE_CONFLICT_UNSEEN,
    /** Messages are deleted when they are received. */
    DELETE_BEFORE_CLAIM,
    /** Claims do not check whether their ids are known. */
    NO_SLOT_CONDITION,
    /** Parked additions are not marked in their item. */
    NO_MARK,
    /** Full slots take more ids, although writers that know them to be full look elsewhere. */
    NO_SLOT_LIMIT,
    /** A claim of more ids than a condition can name does not check whether others have added to the slot. */
    NO_SLOT_SIZE,
    /** Extremes count as beaten, whatever their item has. */
    EXTREMES_UNSEEN,
    /** A recovery does not see that additions are deferred. */
    DEFERRED_UNSEEN,
    /** The deferred parts of a cell are written as one. */
    DEFERRED_MERGED,
    /** The last part of each deferred cell is left out. */
    DEFERRED_IN_PART,
    /** Deferred additions count as claimed when the record that holds them was written. */
    DEFERRED_AS_NEW,
    /** A lane's item that was deleted looks as if another writer had taken the lane. */
    DELETED_UNSEEN
}
