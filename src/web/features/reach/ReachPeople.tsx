import { Box, Button, Flex, Group, Stack, Text } from '@mantine/core';
import { Suspense } from 'react';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import type { Contact } from '#contract/contacts.ts';
import type { ReachCount, ReachPerson } from '#contract/reach.ts';
import { useLoadContact } from '#web/api/contacts.ts';
import { type ReachOf, useReachPeople } from '#web/api/reach.ts';
import { SkipButton } from '#web/features/exclusions/SkipButton.tsx';
import { act } from '#web/ui/act.ts';
import { ButtonLink } from '#web/ui/links.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { Loaded } from '#web/ui/Record.tsx';
import { RowsSkeleton } from '#web/ui/RowsSkeleton.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import prose from '#web/ui/prose.module.css';
import { factText } from './reach-words.ts';

const ContactDialog = lazyPart(() => import('#web/features/contacts/ContactDialog.tsx'));

/** The people of one kind by name, with what they lack. A contact opens in its dialog; where they must not be contacted, on its page. */
export function ReachPeople({ of, kind }: { of: ReachOf; kind: Pick<ReachCount, 'kind' | 'of'> }) {
  const people = useReachPeople(of, kind);
  const { state, dialog, open } = useDialogState<Contact>();
  const load = useLoadContact();
  const edit = (id: string) =>
    void act(load.mutateAsync(id).then(open), { failed: 'Error', fallback: 'The contact could not be loaded.' });
  const lacked = kind.kind === 'lacks_value' && kind.of !== null ? [kind.of] : [];
  return (
    <>
      <Loaded
        of={people}
        failed="Error loading the people"
        skeleton={<RowsSkeleton label="Loading the people" count={3} />}
      >
        {(shown) =>
          shown.length === 0 ? (
            <Text className={prose.small} mt={4}>
              Nobody is left in this list.
            </Text>
          ) : (
            <>
              <ul className={prose.framed}>
                {shown.map((person) => (
                  <Person
                    key={person.id}
                    person={person}
                    jobId={'jobId' in of ? of.jobId : null}
                    onEdit={edit}
                    isLoading={load.isPending && load.variables === person.contact_id}
                  />
                ))}
              </ul>
              {people.hasNextPage && <LoadMore of={people}>{shown.length.toLocaleString('en')} shown</LoadMore>}
            </>
          )
        }
      </Loaded>
      {/* Its events bubble to the form that this list may be in. */}
      <div onSubmit={(event) => event.stopPropagation()}>
        <Suspense>
          {state.asked !== null && (
            <ContactDialog key={state.openCount} contact={state.asked} lacked={lacked} {...dialog} />
          )}
        </Suspense>
      </div>
    </>
  );
}

type PersonProps = {
  person: ReachPerson;
  /** The run that lies ahead, which can be skipped for them; null when it is not about one. */
  jobId: string | null;
  onEdit: (id: string) => void;
  isLoading: boolean;
};

function Person({ person, jobId, onEdit, isLoading }: PersonProps) {
  const { contact_id: id, name, targets, facts, is_reached: isReached } = person;
  const addresses = [...new Set(targets.map(({ recipient }) => recipient))];
  const through = targets.find((target) => target.through !== null)?.through ?? null;
  const said = facts.map((fact) => (fact.kind === 'unfit' ? (problemIn(targets) ?? factText(fact)) : factText(fact)));
  const title = name ?? addresses[0];
  return (
    <Flex component="li" gap="sm" align="center" justify="space-between" py={10} px={14}>
      <Stack className={prose.breaks} gap={0} miw={0}>
        <Box component="span" fw={500}>
          {title}
        </Box>
        <span className={prose.tiny}>
          {[...addresses.filter((address) => address !== title), through].filter(Boolean).join(' · ')}
        </span>
        {said.length > 0 && (
          <span className={prose.small}>
            {said.join(' · ')}
            {isReached && ', but gets it over another channel'}
          </span>
        )}
      </Stack>
      {id !== null && (
        <Group gap={8} wrap="nowrap">
          {jobId !== null && <SkipButton jobId={jobId} person={person} />}
          {facts.some(isOnTheirPage) ? (
            <ButtonLink to="/contacts/$id" params={{ id }} variant="default" size="xs" aria-label={`Open ${title}`}>
              Open
            </ButtonLink>
          ) : (
            <Button
              variant="default"
              size="xs"
              aria-label={`Edit ${title}`}
              loading={isLoading}
              onClick={() => onEdit(id)}
            >
              Edit
            </Button>
          )}
        </Group>
      )}
    </Flex>
  );
}

/** Their page shows since when or until when, and lifts it. */
const isOnTheirPage = ({ kind }: ReachPerson['facts'][number]) => onTheirPage.has(kind);
const onTheirPage: ReadonlySet<ReachPerson['facts'][number]['kind']> = new Set([
  'suppressed',
  'no_consent',
  'unsubscribed',
  'left_topic',
  'paused_by_recipient',
  'never_in_hours',
  'paused',
]);

const problemIn = (targets: ReachPerson['targets']) => targets.find(({ problem }) => problem !== null)?.problem;
