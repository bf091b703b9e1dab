import { Button, Text } from '@mantine/core';
import { IconEraser } from '@tabler/icons-react';
import { Fragment, lazy, Suspense } from 'react';
import type { Erasure } from '#contract/erasures.ts';
import { useErasures } from '#web/api/erasures.ts';
import { counted } from '#domain/in-words.ts';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { TextLink } from '#web/ui/links.tsx';
import { RecordSection } from '#web/ui/Record.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import classes from './erasures.module.css';

const EraseDialog = lazy(() => import('./EraseDialog.tsx'));

/** Erasing what is kept about people, and what came of it. */
export function PersonalDataSection({ workspaceId }: { workspaceId: string }) {
  const erasures = useErasures(workspaceId);
  const { state, dialog, open } = useDialogState<true>();
  return (
    <RecordSection
      title="Personal data"
      aside={
        <Button variant="default" leftSection={<IconEraser size={16} aria-hidden />} onClick={() => open(true)}>
          Erase a person
        </Button>
      }
    >
      <Text pb="md" px="var(--gutter)">
        Who asks for it gets what you keep about them, on their page under Contacts, or is erased everywhere. Both stand
        in the audit log.
      </Text>
      {erasures.error && !erasures.data && <ErrorState title="Error loading the erasures" of={erasures} />}
      {erasures.data !== undefined && erasures.data.length > 0 && (
        <ul className={classes.erasures} aria-label="Erasures">
          {erasures.data.map((erasure) => (
            <Row key={erasure.id} erasure={erasure} />
          ))}
        </ul>
      )}
      <Suspense>
        {state.asked === true && (
          <EraseDialog key={state.openCount} workspaceId={workspaceId} addresses={[]} {...dialog} />
        )}
      </Suspense>
    </RecordSection>
  );
}

function Row({ erasure }: { erasure: Erasure }) {
  const {
    done_at: doneAt,
    asked_at: askedAt,
    asked_how: askedHow,
    asked_by_name: by,
    counts,
    named_in: namedIn,
    named_more: more,
  } = erasure;
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <li>
      <strong>
        {doneAt === null ? (
          'Erasing…'
        ) : (
          <>
            Erased <InstantText at={doneAt} show="day" />
          </>
        )}
      </strong>{' '}
      Asked for <InstantText at={askedAt} show="day" />
      {by !== null && <> through {by}</>}: {askedHow}.{' '}
      {doneAt !== null && `${counted(rows, 'entry', 'entries')} changed or deleted.`}
      {namedIn.length > 0 && (
        <>
          {' '}
          Your own text named the person in{' '}
          {namedIn.map((named, at) => (
            <Fragment key={named.id}>
              {at > 0 && ', '}
              <NamedText {...named} />
            </Fragment>
          ))}
          {more > 0 && ` and ${more} more`}.
        </>
      )}
    </li>
  );
}

/** A text that only its author can change. */
function NamedText({ kind, id, name }: Erasure['named_in'][number]) {
  switch (kind) {
    case 'reminder':
      return (
        <>
          the reminder{' '}
          <TextLink to="/reminders/$id" params={{ id }}>
            {name}
          </TextLink>
        </>
      );
    case 'template':
      return (
        <>
          the template{' '}
          <TextLink to="/templates" search={{ template: id }}>
            {name}
          </TextLink>
        </>
      );
    case 'group':
      return (
        <>
          the group{' '}
          <TextLink to="/contacts" search={{ tab: 'groups' }}>
            {name}
          </TextLink>
        </>
      );
    default:
      return kind satisfies never;
  }
}
