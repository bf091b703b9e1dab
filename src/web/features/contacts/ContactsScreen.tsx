import '@mantine/core/styles/Checkbox.layer.css';
import { Tabs } from '@mantine/core';
import { SuppressionPanel } from '#web/features/suppressions/SuppressionPanel.tsx';
import { ContactPanel } from './ContactPanel.tsx';
import { useContactsSearch } from './contacts-search.ts';

/** The contacts and the suppression list of the workspace. */
export function ContactsScreen() {
  const { tab, change } = useContactsSearch();
  const choose = (chosen: string | null) =>
    change(
      {
        tab: chosen === 'suppressed' ? 'suppressed' : undefined,
        search: undefined,
        channel: undefined,
        reason: undefined,
      },
      { replace: false },
    );
  const tabs = (
    <Tabs value={tab ?? 'contacts'} onChange={choose} mb={16}>
      <Tabs.List>
        <Tabs.Tab value="contacts">Contacts</Tabs.Tab>
        <Tabs.Tab value="suppressed">Suppressed</Tabs.Tab>
      </Tabs.List>
    </Tabs>
  );
  return tab === 'suppressed' ? <SuppressionPanel tabs={tabs} /> : <ContactPanel tabs={tabs} />;
}
