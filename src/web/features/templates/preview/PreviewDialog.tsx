import { Button, Group, Tabs } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { Template } from '#contract/templates.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { namesIn } from '#web/features/templates/form/names-in.ts';
import { sampleOf } from '#web/features/templates/sample-text.ts';
import type { NamedTemplate } from '#web/features/templates/TemplateDialogs.tsx';
import { WholeTemplate } from '#web/features/templates/WholeTemplate.tsx';
import { PreviewTab } from './PreviewTab.tsx';
import classes from './PreviewDialog.module.css';
import { ValuesTab } from './ValuesTab.tsx';

type PreviewDialogProps = { template: NamedTemplate; opened: boolean; onClose: () => void };

/** A template as its reader gets it, rendered by the renderer of real messages with editable sample values. */
export default function PreviewDialog({ template, opened, onClose }: PreviewDialogProps) {
  return (
    <Dialog title={`Preview: ${template.name}`} opened={opened} onClose={onClose} width={680}>
      <WholeTemplate id={template.id}>{(whole) => <Preview template={whole} onClose={onClose} />}</WholeTemplate>
    </Dialog>
  );
}

function Preview({ template, onClose }: { template: Template; onClose: () => void }) {
  const names = variablesOf(template);
  const samples = () => samplesOf(template, names);
  const [values, setValues] = useState(samples);
  const [settled] = useDebouncedValue(values, 300);
  return (
    <>
      <Tabs defaultValue="preview" keepMounted={false}>
        <Tabs.List className={classes.tabs}>
          <Tabs.Tab value="preview">Preview</Tabs.Tab>
          <Tabs.Tab value="values">Test Variables</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="preview" className={classes.panel}>
          <PreviewTab template={template} values={settled} />
        </Tabs.Panel>
        <Tabs.Panel value="values" className={classes.panel}>
          <ValuesTab
            template={template}
            names={names}
            values={values}
            onChange={(name, value) => setValues((before) => ({ ...before, [name]: value }))}
          />
        </Tabs.Panel>
      </Tabs>
      <Group justify="flex-end" gap={8}>
        {names.length > 0 && (
          <Button variant="default" onClick={() => setValues(samples())}>
            Reset values
          </Button>
        )}
        <Button onClick={onClose}>Close</Button>
      </Group>
    </>
  );
}

/** The listed variables, then those that only the text names. */
const variablesOf = ({ content, variables }: Template): string[] => [
  ...new Set([...variables.variables.map(({ name }) => name), ...namesIn(`${content.subject}\n${content.body}`)]),
];

function samplesOf({ variables }: Template, names: readonly string[]): Record<string, string> {
  const now = new Date();
  return Object.fromEntries(names.map((name) => [name, sampleOf(name, { variables: variables.variables, now })]));
}
