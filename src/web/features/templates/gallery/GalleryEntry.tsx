import { Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import type { GalleryTemplate } from '#contract/template-gallery.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { variablesText } from '#web/features/templates/template-words.ts';
import classes from './GalleryDialog.module.css';

type GalleryEntryProps = {
  template: Omit<GalleryTemplate, 'id' | 'workspace_name'>;
  /** The workspace that it comes from; null for one of the product. */
  from: string | null;
  copy: () => Promise<unknown>;
};

/** A template to copy, with its text. */
export function GalleryEntry({ template, from, copy }: GalleryEntryProps) {
  const { name, description, content, variables } = template;
  return (
    <li className={classes.entry} aria-label={name}>
      <div className={classes.head}>
        <div className={classes.words}>
          <h3 className={classes.name}>{name}</h3>
          <p className={classes.note}>
            {from !== null && `From ${from} · `}
            {channelLooks[content.type].name} · {variablesText(variables.variables.length)}
          </p>
        </div>
        <CopyButton name={name} from={from} copy={copy} />
      </div>
      {description && <p className={classes.description}>{description}</p>}
      <details className={classes.text}>
        <summary>Show the text</summary>
        {content.subject && <p className={classes.subject}>{content.subject}</p>}
        <p>{content.body || '–'}</p>
      </details>
    </li>
  );
}

function CopyButton({ name, from, copy }: Pick<GalleryEntryProps, 'from' | 'copy'> & { name: string }) {
  const [isCopying, setIsCopying] = useState(false);
  const start = async () => {
    setIsCopying(true);
    try {
      await copy();
      notifySuccess('Template created', `“${name}” has been copied${from === null ? '' : ` from ${from}`}`);
    } catch (error) {
      notifyFailure('Error duplicating template', error);
    } finally {
      setIsCopying(false);
    }
  };
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconCopy size={14} aria-hidden />}
      aria-label={`Copy ${name}`}
      loading={isCopying}
      onClick={() => void start()}
    >
      Copy
    </Button>
  );
}
