import { capLimits, type FrequencyCap } from '#contract/frequency-cap.ts';
import { frequencyCapText } from '#domain/frequency-cap.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { NumberField } from '#web/ui/NumberField.tsx';
import prose from '#web/ui/prose.module.css';
import { hoursOf } from '#web/features/channels/hours/hours-draft.ts';
import classes from './manage.module.css';
import { type FieldsProps } from './SettingsFields.tsx';
import { storedSettings } from './settings-draft.ts';

/** How many messages one address or number gets. */
export function FrequencyFields({ workspace, draft, problems, onChange }: FieldsProps) {
  const stored = storedSettings(workspace).frequencyCap;
  const cap = draft.settings?.frequencyCap ?? stored ?? noCap(hoursOf(workspace.settings)?.timezone ?? viewerZone());
  const change = (changes: Partial<FrequencyCap>) => {
    const next = { ...cap, ...changes };
    const isUnset = stored === undefined && next.perDay === null && next.perWeek === null;
    onChange({ settings: { frequencyCap: isUnset ? undefined : next } });
  };
  const most = (typed: number | string) => (typed === '' ? null : Number(typed));
  return (
    <div className={classes.form}>
      <p className={prose.dimParagraph}>
        Messages beyond this wait for the next day with room, or are skipped where another day would be too late: what
        an event or the API sends is skipped at once. Required topics and reminders of high priority are neither counted
        nor kept waiting, and who retries a message sends it all the same.
      </p>
      <NumberField
        label="Messages to one address a day"
        placeholder="Any number"
        isWhole
        min={1}
        max={capLimits.perDay}
        value={cap.perDay ?? ''}
        error={problems['settings.frequencyCap.perDay']}
        onChange={(typed) => change({ perDay: most(typed) })}
      />
      <NumberField
        label="Messages to one address a week"
        description={`A week begins on Monday, and a day at midnight in ${cap.timezone.replaceAll('_', ' ')}.`}
        placeholder="Any number"
        isWhole
        min={1}
        max={capLimits.perWeek}
        value={cap.perWeek ?? ''}
        error={problems['settings.frequencyCap.perWeek']}
        onChange={(typed) => change({ perWeek: most(typed) })}
      />
      {stored !== undefined && draft.settings?.frequencyCap === undefined && (
        <p className={prose.dimParagraph}>{frequencyCapText(stored)}</p>
      )}
    </div>
  );
}

const noCap = (timezone: string): FrequencyCap => ({ perDay: null, perWeek: null, timezone });
