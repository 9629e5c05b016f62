package dev.windrow.provision;

/** How DynamoDB charges for a table's capacity. */
public sealed interface Billing {

    /** Pay for each request; no capacity to plan. */
    record OnDemand() implements Billing {
    }

    /**
     * Pay for capacity set aside, the same for the table and for its index.
     *
     * @param readUnits read capacity units, one or more
     * @param writeUnits write capacity units, one or more
     */
    record Provisioned(long readUnits, long writeUnits) implements Billing {

        public Provisioned {
            SettingChecks.requireBetween("readUnits", readUnits, 1, Long.MAX_VALUE);
            SettingChecks.requireBetween("writeUnits", writeUnits, 1, Long.MAX_VALUE);
        }
    }
}
