type Parts = { workspace: string; channel: string; key: string; topic: string };

/**
 * SQL of the kind of the newest word about a message, `given` or `withdrawn`; null where nobody said anything. It counts by precedence before time, as
 * `consentIn` in `domain/newest-consent.ts` says; a test compares them. `consents_latest` answers it without the table.
 */
export const newestConsent = ({ workspace, channel, key, topic }: Parts): string => `
  (select c.kind from consents c
    where c.workspace_id = ${workspace} and c.channel = ${channel} and c.recipient = ${key} and c.kind in ('given', 'withdrawn')
      and (c.covers = 'everything' or c.topic_id = ${topic}
           or c.covers = 'optional' and (select t.kind from topics t where t.workspace_id = ${workspace} and t.id = ${topic}) is distinct from 'required')
    order by c.precedence, c.said_at desc, c.kind desc limit 1)`;
