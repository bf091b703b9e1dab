import { Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import type { GalleryTemplate } from '#contract/template-gallery.ts';
import { useCopyFromGallery } from '#web/api/templates.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { variablesText } from '#web/features/templates/template-words.ts';
import classes from './GalleryDialog.module.css';

/** A public template with its text, its workspace and a Copy button. */
export function GalleryEntry({ template }: { template: GalleryTemplate }) {
  const { name, description, content, variables, workspace_name: from } = template;
  return (
    <li className={classes.entry} aria-label={name}>
      <div className={classes.head}>
        <div className={classes.words}>
          <h3 className={classes.name}>{name}</h3>
          <p className={classes.note}>
            From {from} · {channelLooks[content.type].name} · {variablesText(variables.variables.length)}
          </p>
        </div>
        <CopyButton template={template} />
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

function CopyButton({ template: { id, name, workspace_name: from } }: { template: GalleryTemplate }) {
  const { mutateAsync, isPending } = useCopyFromGallery();
  const copy = async () => {
    try {
      await mutateAsync(id);
      notifySuccess('Template created', `“${name}” has been copied from ${from}`);
    } catch (error) {
      notifyFailure('Error duplicating template', error);
    }
  };
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconCopy size={14} aria-hidden />}
      aria-label={`Copy ${name}`}
      loading={isPending}
      onClick={() => void copy()}
    >
      Copy
    </Button>
  );
}
