import '@mantine/core/styles/Switch.layer.css';
import { Button, Switch } from '@mantine/core';
import { consentChannels } from '#contract/consent-channels.ts';
import type { ConsentCount } from '#contract/consents.ts';
import { counted } from '#domain/in-words.ts';
import { useConsentCounts } from '#web/api/consents.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { messageOf } from '#web/ui/message-of.ts';
import prose from '#web/ui/prose.module.css';
import classes from './manage.module.css';
import type { FieldsProps } from './SettingsFields.tsx';
import { storedSettings } from './settings-draft.ts';

/** For which channels nothing is sent without a consent, and whom that leaves out. */
export function ConsentFields({ workspace, draft, onChange }: FieldsProps) {
  const { consentFor } = { ...storedSettings(workspace), ...draft.settings };
  return (
    <div className={classes.form}>
      {consentChannels.map((channel) => {
        const { name } = channelLooks[channel];
        const label = `Require consent for ${name}`;
        const isOn = consentFor.includes(channel);
        return (
          <Switch
            key={channel}
            label={label}
            aria-label={label}
            description={`Nothing is sent by ${name} to a number without a consent on record. A test is.`}
            checked={isOn}
            onChange={({ currentTarget: { checked } }) =>
              onChange({
                settings: {
                  consentFor: consentChannels.filter((one) => (one === channel ? checked : consentFor.includes(one))),
                },
              })
            }
          />
        );
      })}
      {consentFor.length > 0 && <Counts of={consentFor} />}
    </div>
  );
}

function Counts({ of }: { of: readonly ConsentCount['channel'][] }) {
  const { data, error, refetch } = useConsentCounts();
  if (data === undefined)
    return error === null ? (
      <p className={prose.dimParagraph}>Counting who has agreed …</p>
    ) : (
      <p className={prose.dimParagraph}>
        Who has agreed could not be counted. {messageOf(error)}{' '}
        <Button variant="subtle" size="compact-sm" onClick={() => void refetch()}>
          Try again
        </Button>
      </p>
    );
  return (
    <div role="status">
      {data
        .filter(({ channel }) => of.includes(channel))
        .map((count) => (
          <p key={count.channel} className={prose.dimParagraph}>
            {countText(count)}
          </p>
        ))}
    </div>
  );
}

/** `SMS: 120 of 200 numbers of contacts have agreed, 3 to some topics only. 77 get nothing by SMS.` */
function countText({ channel, numbers, agreed, to_topics: toTopics, silent }: ConsentCount): string {
  const { name } = channelLooks[channel];
  if (numbers === 0) return `${name}: no contact has a number.`;
  const number = (count: number) => count.toLocaleString('en');
  const topics = toTopics === 0 ? '' : `, ${number(toTopics)} to some topics only`;
  const said = `${name}: ${number(agreed)} of ${counted(numbers, 'number')} of contacts ${agreed === 1 ? 'has' : 'have'} agreed${topics}.`;
  return silent === 0 ? said : `${said} ${number(silent)} ${silent === 1 ? 'gets' : 'get'} nothing by ${name}.`;
}
