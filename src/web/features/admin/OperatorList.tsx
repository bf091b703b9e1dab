import '@mantine/core/styles/Checkbox.layer.css';
import { Checkbox, Stack } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { type OperatorVariable, operatorVariables } from '#contract/admin-settings.ts';
import { RecordSection } from '#web/ui/Record.tsx';
import prose from '#web/ui/prose.module.css';
import record from '#web/ui/record.module.css';

const meanings: Record<OperatorVariable, string> = {
  APP_URL: 'Links in mails and messages lead to the address of this server alone.',
  SMTP_URL: 'Mails about accounts reach nobody, such as a link that resets a password.',
  OPERATOR_NAME: 'The privacy page and the terms do not say who runs this installation.',
  OPERATOR_ADDRESS: 'The privacy page and the terms have no postal address.',
  SUPPORT_EMAIL: 'Nobody is told of support requests: they wait on the tab Support, and no answer is promised.',
};

type OperatorListProps = { variables: readonly { name: OperatorVariable; is_set: boolean }[] };

/** What is not set in the environment, and what that means. Each line can be ticked off, in this browser; none left, the list goes. */
export function OperatorList({ variables }: OperatorListProps) {
  const [ticked, setTicked] = useLocalStorage<OperatorVariable[]>({
    key: 'cuebird.operator-list',
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const missing = operatorVariables.filter((name) => variables.some((one) => one.name === name && !one.is_set));
  if (missing.every((name) => ticked.includes(name))) return null;
  return (
    <RecordSection title="Before you let others in">
      <Stack gap={12} className={record.body}>
        <p className={prose.dimParagraph}>
          These are not set in the environment of the server. Set them, or tick off what you do not need.
        </p>
        {missing.map((name) => (
          <Checkbox
            key={name}
            label={name}
            description={meanings[name]}
            checked={ticked.includes(name)}
            onChange={({ currentTarget }) =>
              setTicked(currentTarget.checked ? [...ticked, name] : ticked.filter((one) => one !== name))
            }
          />
        ))}
      </Stack>
    </RecordSection>
  );
}
