import { Group } from '@mantine/core';
import { IconPlayerPause, IconPlayerSkipForward, IconSend } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ContactDetails, UpcomingOfContact } from '#contract/contact-details.ts';
import { useUpcomingOfContact } from '#web/api/contact-details.ts';
import { displayNameOf } from '#web/features/contacts/contact-words.ts';
import { endAhead } from '#web/features/exclusions/pause-end.ts';
import { useSkipWithUndo } from '#web/features/exclusions/skip-with-undo.ts';
import { scheduleText } from '#web/features/reminders/schedule-text.ts';
import { ChannelIcon } from '#web/ui/ChannelIcon.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import list from '#web/ui/list.module.css';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import classes from '#web/ui/record.module.css';
import { SmallButton } from '#web/ui/SmallButton.tsx';

/** The reminders that will be sent to the contact, soonest first. Of each the next run can be skipped for them. */
export function ContactUpcoming({ contact, onPause }: { contact: ContactDetails; onPause: () => void }) {
  const upcoming = useUpcomingOfContact(contact.id);
  return (
    <RecordSection
      title="What comes next"
      aside={
        endAhead(contact) === null && (
          <SmallButton icon={IconPlayerPause} onClick={onPause}>
            Pause reminders
          </SmallButton>
        )
      }
    >
      <Loaded of={upcoming} failed="Error loading what comes next">
        {({ data, is_complete: isComplete }) => (
          <>
            {data.length === 0 && isComplete && <p className={classes.quiet}>No active reminder is sent to them.</p>}
            <ul aria-label="What comes next">
              {data.map((reminder) => (
                <Row key={reminder.id} of={reminder} contact={contact} />
              ))}
            </ul>
            {!isComplete && <p className={classes.quiet}>There may be more: only the next reminders were searched.</p>}
          </>
        )}
      </Loaded>
    </RecordSection>
  );
}

function Row({ of, contact }: { of: UpcomingOfContact; contact: ContactDetails }) {
  const { id, name, schedule_config: schedule, next_run_at: next, through, channels, problem, exclusion } = of;
  return (
    <li className={classes.row}>
      <div className={classes.line}>
        <Link to="/reminders/$id" params={{ id }} className={`${classes.name} ${classes.whole}`}>
          {name}
        </Link>
        <span className={classes.icons}>
          {channels.map((channel) => (
            <ChannelIcon key={channel} channel={channel} size={16} />
          ))}
        </span>
      </div>
      <span className={classes.note}>
        {next === null ? 'After the event' : <InstantText at={next} zone={schedule.timezone} />}
        {` · ${[scheduleText(schedule), through].filter(Boolean).join(' · ')}`}
      </span>
      {exclusion === null ? (
        problem !== null && (
          <span className={classes.note} data-tone="waiting">
            {problem}
          </span>
        )
      ) : (
        <Excluded of={of} />
      )}
      <Skip of={of} contact={contact} />
    </li>
  );
}

/** That they do not get this run, and when they get the reminder again. */
const Excluded = ({
  of: { exclusion, next_run_at: next, resumes_at: again, schedule_config: schedule },
}: {
  of: UpcomingOfContact;
}) => (
  <span className={classes.note} data-tone="waiting">
    {exclusion === 'skipped'
      ? 'Skipped for them'
      : next === null
        ? 'Not while reminders to them are paused'
        : 'Paused for them'}
    {again !== null && (
      <>
        {' · again '}
        <InstantText at={again} zone={schedule.timezone} />
      </>
    )}
  </span>
);

function Skip({
  of: { name, job_id: jobId, exclusion, channels },
  contact,
}: {
  of: UpcomingOfContact;
  contact: ContactDetails;
}) {
  const { skipRun, sendAfterAll, isBusy } = useSkipWithUndo();
  if (jobId === null || exclusion === 'paused' || (exclusion === null && channels.length === 0)) return null;
  const skip = { jobId, contactId: contact.id, name: displayNameOf(contact) };
  const isSkipped = exclusion === 'skipped';
  return (
    <Group className={list.above} mt={4} w="fit-content">
      <SmallButton
        icon={isSkipped ? IconSend : IconPlayerSkipForward}
        loading={isBusy(skip)}
        onClick={() => (isSkipped ? sendAfterAll(skip) : skipRun(skip))}
        aria-label={isSkipped ? `Send after all: ${name}` : `Skip the next one: ${name}`}
      >
        {isSkipped ? 'Send after all' : 'Skip the next one'}
      </SmallButton>
    </Group>
  );
}
