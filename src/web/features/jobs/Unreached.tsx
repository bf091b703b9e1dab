import { Button, Group } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { audienceLimits } from '#contract/audience.ts';
import type { CountedJob } from '#contract/jobs.ts';
import type { ReachCount } from '#contract/reach.ts';
import { ReasonCode } from '#contract/reason-codes.ts';
import { sentenceOf } from '#domain/delivery-problems.ts';
import { capitalized, counted } from '#domain/in-words.ts';
import { addressLackingIn, missingNameIn } from '#domain/reason-values.ts';
import { missedOf } from '#domain/run-outcome.ts';
import { useLoadDeliveries } from '#web/api/run-lines.ts';
import { useReach } from '#web/api/reach.ts';
import { useWriteTo } from '#web/features/contacts/use-write-to.ts';
import { act } from '#web/ui/act.ts';
import { notifyError } from '#web/ui/notify.tsx';
import prose from '#web/ui/prose.module.css';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { unreachedPeople } from './unreached-people.ts';

const ReachDialog = lazyPart(() => import('#web/features/reach/ReachDialog.tsx'));

/** Why people were not reached, by reason, and what can be done: complete what contacts lack, and write to exactly these people. */
export function Unreached({ job }: { job: CountedJob }) {
  const { people } = job;
  if (people === null) return null;
  const groups = people.unreached.flatMap(({ people: count, reason_code, reason_params: params }) => {
    const code = ReasonCode.nullable().safeParse(reason_code).data ?? null;
    const sentence = code === null ? null : (sentenceOf(code, params) ?? `${capitalized(code.replaceAll('_', ' '))}.`);
    return sentence === null ? [] : [{ text: `${counted(count, 'person', 'people')}: ${sentence}`, params }];
  });
  const lacking = groups.flatMap(({ params }) => lackOf(params) ?? []);
  const isListed = people.total > 1 && groups.length > 0;
  return (
    <>
      {isListed && (
        <ul className={prose.dimParagraph} aria-label="Not reached">
          {groups.map(({ text }) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <Group gap={8} mt={8}>
        {missedOf(people) > 0 && hasEnded(job) && <WriteToThem job={job} count={missedOf(people)} />}
        {lacking.length > 0 && <Complete jobId={job.id} lacking={lacking} />}
      </Group>
    </>
  );
}

const hasEnded = ({ status }: CountedJob) => status === 'completed' || status === 'failed' || status === 'cancelled';

type Lack = Pick<ReachCount, 'kind' | 'of'>;

function lackOf(params: Parameters<typeof missingNameIn>[0]): Lack | null {
  const name = missingNameIn(params);
  if (name !== null) return { kind: 'lacks_value', of: name };
  const lacks = addressLackingIn(params);
  return lacks === null ? null : { kind: 'no_address', of: lacks };
}

/** Opens the form of a message to those who got nothing. */
function WriteToThem({ job, count }: { job: CountedJob; count: number }) {
  const load = useLoadDeliveries(job.id);
  const writeTo = useWriteTo();
  const [isGathering, setGathering] = useState(false);
  const isOverSeveral = (job.recipients?.total ?? 0) > (job.people?.total ?? 0);
  const gather = async () => {
    const [problems, skipped, served] = await Promise.all([
      load('problems'),
      load('skipped'),
      isOverSeveral ? load('sent') : [],
    ]);
    return unreachedPeople({ failed: [...problems, ...skipped], served });
  };
  const write = async () => {
    setGathering(true);
    await act(
      gather().then((people) => {
        if (people !== null) return writeTo(people);
        const most = audienceLimits.contacts.toLocaleString('en');
        notifyError('Too many people', `A message names at most ${most} contacts: give them a tag, and write to that.`);
      }),
      { failed: 'Error loading recipients' },
    );
    setGathering(false);
  };
  const whom = count === 1 ? 'the one who was' : `the ${count.toLocaleString('en')} who were`;
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconSend size={15} aria-hidden />}
      loading={isGathering}
      onClick={() => void write()}
    >
      Write to {whom} not reached
    </Button>
  );
}

/** Opens those who lack something for this message, now: some may have been completed since. */
function Complete({ jobId, lacking }: { jobId: string; lacking: readonly Lack[] }) {
  const { data } = useReach({ jobId });
  const { state, dialog, open } = useDialogState<ReachCount>();
  const counts = (data?.counts ?? []).filter(({ kind, of }) =>
    lacking.some((lack) => lack.kind === kind && lack.of === of),
  );
  return (
    <>
      {counts.map((count) => (
        <Button key={`${count.kind} ${count.of}`} size="xs" variant="default" onClick={() => open(count)}>
          Complete {counted(count.people, 'contact')}: {count.kind === 'lacks_value' ? count.of : 'address'}
        </Button>
      ))}
      <Suspense>
        {state.asked !== null && <ReachDialog key={state.openCount} of={{ jobId }} chosen={state.asked} {...dialog} />}
      </Suspense>
    </>
  );
}
