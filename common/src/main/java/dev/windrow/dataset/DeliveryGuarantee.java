package dev.windrow.dataset;

import java.util.Locale;

/** What a redelivered message does to the counts. */
public enum DeliveryGuarantee {

    /** Nothing: a ledger, written in the same transaction as the buckets, records what was applied. */
    EXACTLY_ONCE,

    /** It may count again; each upsert is a plain update, at about half the write units or less. */
    AT_LEAST_ONCE;

    /** The name in declarations. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
