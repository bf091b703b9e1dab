import '@mantine/spotlight/styles.layer.css';
import { Modal, Text, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { IconRefresh, IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect } from 'react';
import { Keys } from './Keys.tsx';
import classes from './Palette.module.css';
import { paletteMark } from './typed-ahead.ts';
import type { Offer } from './palette-commands.tsx';
import prose from '#web/ui/prose.module.css';
import { messageOf } from '#web/ui/message-of.ts';
import { useOffers } from './palette-offers.tsx';

const [store, spotlight] = createSpotlight();

type PaletteProps = {
  opened: boolean;
  /** The typed text, some of it maybe before this was loaded. */
  query: string;
  onQuery: (query: string) => void;
  onClose: () => void;
  onHelp: () => void;
};

/** The command palette: screens, actions, and search by name. */
export default function Palette({ opened, query, onQuery, onClose, onHelp }: PaletteProps) {
  const [asked] = useDebouncedValue(query.trim(), 200);
  const { groups, missing, isSearching, failure } = useOffers({ query: query.trim(), asked, isOpen: opened, onHelp });
  useEffect(() => (opened ? spotlight.open() : spotlight.close()), [opened]);
  const best = query.trim() === '' ? undefined : groups[0]?.offers[0];
  // Enter takes the best match, unless the arrow keys have selected another.
  const takeBest = ({ key, nativeEvent, currentTarget }: KeyboardEvent<HTMLInputElement>) => {
    const isElsewhere = currentTarget.closest('[role="dialog"]')?.querySelector('[data-action][data-selected]');
    if (key !== 'Enter' || nativeEvent.isComposing || best === undefined || isElsewhere) return;
    spotlight.close();
    best.run();
  };
  return (
    <Spotlight.Root
      {...{ store, query, onQueryChange: onQuery, onSpotlightClose: onClose }}
      clearQueryOnClose={false}
      shortcut={null}
      scrollable
      maxHeight={420}
      classNames={{ action: classes.action, actionsGroup: classes.group, search: prose.lineBelow }}
    >
      <VisuallyHidden>
        <Modal.Title>Search, or jump to anything</Modal.Title>
      </VisuallyHidden>
      <Spotlight.Search
        placeholder="Search, or jump to anything"
        aria-label="Search, or jump to anything"
        leftSection={<IconSearch size={18} stroke={1.6} aria-hidden />}
        onKeyDown={takeBest}
        {...{ [paletteMark]: true }}
        // What is typed from now on follows what was typed before.
        onFocus={({ currentTarget: box }) => box.setSelectionRange(box.value.length, box.value.length)}
      />
      <Spotlight.ActionsList>
        {groups.map(({ label, offers }) => (
          <Spotlight.ActionsGroup key={label} label={label}>
            {offers.map((offer) => (
              <OfferRow key={offer.id} offer={offer} isBest={offer === best} />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {failure !== null && (
          <Spotlight.ActionsGroup label="Not searched">
            <Spotlight.Action
              closeSpotlightOnTrigger={false}
              label="Search again"
              description={`Reminders, contacts, templates and jobs could not be searched: ${messageOf(failure.error)}`}
              leftSection={<IconRefresh size={18} stroke={1.6} aria-hidden />}
              onClick={() => void failure.searchAgain()}
            />
          </Spotlight.ActionsGroup>
        )}
        {groups.length === 0 && failure === null && (
          <Spotlight.Empty>{isSearching ? 'Searching…' : `No results for “${query.trim()}”`}</Spotlight.Empty>
        )}
        {missing.length > 0 && (
          <Text px={16} py={8} c="dimmed" fz="sm" ta={groups.length === 0 ? 'center' : undefined}>
            {missing.join(' ')}
          </Text>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

function OfferRow({ offer: { label, note, icon: Icon, keys, run }, isBest }: { offer: Offer; isBest: boolean }) {
  return (
    <Spotlight.Action
      data-best={isBest || undefined}
      label={label}
      description={note}
      leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
      rightSection={keys === undefined ? undefined : <Keys keys={keys} />}
      onClick={run}
    />
  );
}
