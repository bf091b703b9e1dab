/** For a transaction that changes few rows of `jobs`: the table's own triggers maintain the queue, as for the web. */
export const leaveQueueToTriggers = "select set_config('cuebird.keeps_queue', 'off', true)";
