import { type AgendaFilter, useAgendaDay } from '#web/api/agenda.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { List } from '#web/ui/List.tsx';
import { EntryList } from './AgendaEntries.tsx';
import { longDayText } from './agenda-words.ts';

type AgendaDayDialogProps = { filter: AgendaFilter & { day: string }; opened: boolean; onClose: () => void };

/** Everything that is sent on a day. */
export function AgendaDayDialog({ filter, opened, onClose }: AgendaDayDialogProps) {
  const { day } = filter;
  const entries = useAgendaDay(filter);
  return (
    <Dialog title={longDayText(day)} width={720} opened={opened} onClose={onClose}>
      <List noun="the day" of={entries} isPart empty="Nothing is sent on this day.">
        {(rows) => <EntryList entries={rows} label={longDayText(day)} />}
      </List>
    </Dialog>
  );
}
