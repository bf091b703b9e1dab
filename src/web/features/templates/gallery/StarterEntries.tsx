import { IconTemplate } from '@tabler/icons-react';
import { starterTemplates } from '#domain/starter-templates/starter-templates.ts';
import { useSaveTemplate } from '#web/api/templates.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import classes from './GalleryDialog.module.css';
import { GalleryEntry } from './GalleryEntry.tsx';

/** The templates that the product brings along, to copy. */
export function StarterEntries({ search }: { search: string }) {
  const { mutateAsync } = useSaveTemplate();
  const groups = starterTemplates(search);
  if (groups.length === 0)
    return <EmptyState icon={IconTemplate} title="No templates found" sentence="Try adjusting your search" />;
  return groups.map(({ title, templates }) => (
    <section key={title} aria-label={title}>
      <h3 className={classes.group}>{title}</h3>
      <ul className={classes.list}>
        {templates.map(({ slug, ...template }) => (
          <GalleryEntry
            key={slug}
            template={template}
            from={null}
            copy={() => mutateAsync({ kind: 'create', body: template })}
          />
        ))}
      </ul>
    </section>
  ));
}
