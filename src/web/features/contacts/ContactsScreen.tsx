import '@mantine/core/styles/Checkbox.layer.css';
import { Tabs } from '@mantine/core';
import { GroupPanel } from '#web/features/contact-groups/GroupPanel.tsx';
import { SuppressionPanel } from '#web/features/suppressions/SuppressionPanel.tsx';
import { ContactPanel } from './ContactPanel.tsx';
import { useContactsSearch } from './contacts-search.ts';

/** The contacts, their groups and the suppression list of the workspace. */
export function ContactsScreen() {
  const { tab, change } = useContactsSearch();
  const choose = (chosen: string | null) =>
    change(
      {
        tab: chosen === 'groups' || chosen === 'suppressed' ? chosen : undefined,
        search: undefined,
        tag: undefined,
        group: undefined,
        channel: undefined,
        reason: undefined,
      },
      { replace: false },
    );
  const tabs = (
    <Tabs value={tab ?? 'contacts'} onChange={choose} mb={16}>
      <Tabs.List>
        <Tabs.Tab value="contacts">Contacts</Tabs.Tab>
        <Tabs.Tab value="groups">Groups</Tabs.Tab>
        <Tabs.Tab value="suppressed">Suppressed</Tabs.Tab>
      </Tabs.List>
    </Tabs>
  );
  if (tab === 'groups') return <GroupPanel tabs={tabs} />;
  return tab === 'suppressed' ? <SuppressionPanel tabs={tabs} /> : <ContactPanel tabs={tabs} />;
}
