import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { GalleryTemplate } from '#contract/template-gallery.ts';
import { withSamples } from '#web/features/templates/sample-text.ts';
import { variablesText } from '#web/features/templates/template-words.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import classes from './TemplatePicker.module.css';
import type { Beginning } from './with-template.ts';

type PickerEntryProps = {
  template: Beginning & Pick<GalleryTemplate, 'description'>;
  note: string;
  badge?: ReactNode;
  onPick: (template: Beginning) => void;
};

/** A template with its text, with sample values, and a button to use it. */
export function PickerEntry({ template, note, badge, onPick }: PickerEntryProps) {
  const { name, description, content, variables } = template;
  const listed = variables.variables;
  return (
    <li className={classes.entry} aria-label={name}>
      <div className={classes.head}>
        <div className={classes.words}>
          <h3 className={classes.name}>{name}</h3>
          <div className={classes.note}>
            {badge}
            {channelLooks[content.type].name} · {variablesText(listed.length)} · {note}
          </div>
        </div>
        <Button size="xs" variant="default" aria-label={`Use ${name}`} onClick={() => onPick(template)}>
          Use
        </Button>
      </div>
      {description && <p className={classes.description}>{description}</p>}
      <details className={classes.text}>
        <summary>Preview</summary>
        {content.subject && <p className={classes.subject}>{withSamples(content.subject, listed)}</p>}
        <p>{withSamples(content.body, listed) || '–'}</p>
      </details>
    </li>
  );
}
