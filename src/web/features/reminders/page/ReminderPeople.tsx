import { Button } from '@mantine/core';
import { useState } from 'react';
import { counted } from '#domain/in-words.ts';
import { needsRecipients } from '#contract/channel-types.ts';
import { type Audience, isAudience } from '#contract/audience.ts';
import { isForEvent, type Reminder } from '#contract/reminders.ts';
import { useAudience, useContactGroups } from '#web/api/contact-groups.ts';
import { ReachLine } from '#web/features/reach/ReachLine.tsx';
import { TextLink } from '#web/ui/links.tsx';
import { ownDestinationsText } from '#web/ui/own-destinations.ts';
import { RecordSection } from '#web/ui/Record.tsx';
import classes from '#web/ui/record.module.css';

const shown = 10;

/** To whom the reminder is sent: its audience, and the addresses that it lists. */
export function ReminderPeople({ reminder }: { reminder: Reminder }) {
  const { id, content, metadata } = reminder;
  const { recipients } = content;
  const [isWhole, setWhole] = useState(false);
  const audience = isAudience(metadata.audience) ? metadata.audience : null;
  return (
    <RecordSection title="Recipients">
      <div className={classes.reach}>
        <ReachLine label="Who gets it" of={{ reminderId: id }} />
      </div>
      {audience !== null && <AudienceRows audience={audience} />}
      {recipients.length > 0 && (
        <ul aria-label="Listed recipients">
          {recipients.slice(0, isWhole ? mostShown : shown).map((recipient, at) => (
            <li key={at} className={classes.row}>
              <span className={classes.name}>{recipient}</span>
            </li>
          ))}
        </ul>
      )}
      {recipients.length > shown && (
        <p className={classes.quiet}>
          {isWhole ? (
            recipients.length > mostShown &&
            `The first ${mostShown} of ${recipients.length.toLocaleString('en')} recipients`
          ) : (
            <Button size="compact-sm" variant="subtle" onClick={() => setWhole(true)}>
              Show all {recipients.length.toLocaleString('en')}
            </Button>
          )}
        </p>
      )}
      {!needsRecipients(metadata.channels) ? (
        <p className={classes.quiet}>{ownDestinationsText(metadata.channels)}</p>
      ) : (
        recipients.length === 0 && audience === null && !isForEvent(reminder) && <p className={classes.quiet}>Nobody</p>
      )}
    </RecordSection>
  );
}

const mostShown = 1_000;

function AudienceRows({ audience }: { audience: Audience }) {
  const { data: people } = useAudience(audience);
  const groups = useContactGroups().data ?? [];
  const named = [
    ...(audience.everyone === true ? ['Everyone'] : []),
    ...(audience.groups ?? []).map((id) => `Group ${groups.find((group) => group.id === id)?.name ?? '…'}`),
    ...(audience.tags ?? []).map((tag) => `Tag ${tag}`),
  ];
  const picked = people?.contacts ?? [];
  return (
    <ul aria-label="People">
      {named.map((name) => (
        <li key={name} className={classes.row}>
          <span className={classes.name}>{name}</span>
        </li>
      ))}
      {picked.map(({ id, name }) => (
        <li key={id} className={classes.row}>
          <TextLink to="/contacts/$id" params={{ id }} className={classes.name}>
            {name}
          </TextLink>
        </li>
      ))}
      {people !== undefined && (
        <li className={classes.row}>
          <span className={classes.note}>{counted(people.people, 'person belongs', 'people belong')} to it now</span>
        </li>
      )}
    </ul>
  );
}
