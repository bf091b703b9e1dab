import { Box, Button, Group } from '@mantine/core';
import prose from '#web/ui/prose.module.css';
import { withVariable } from './draft.ts';
import { useTemplateFormContext } from './form-context.ts';
import { knownVariables } from './known-variables.ts';
import { namesIn } from './names-in.ts';
import { typeFor } from './variable-types.ts';

/** Lists names in the text that are not variables, with a button to add them. */
export function UnlistedVariables() {
  const form = useTemplateFormContext();
  const { content, variables } = form.values;
  const listed = new Set([...knownVariables, ...variables.variables.map(({ name }) => name)]);
  const unlisted = namesIn(`${content.subject}\n${content.body}`).filter((name) => !listed.has(name));
  if (unlisted.length === 0) return null;
  const addAll = () => {
    let draft = form.getValues();
    const { entry } = draft;
    for (const name of unlisted) {
      const added = withVariable(draft, { name, type: typeFor(name) });
      if (added.outcome === 'added') draft = added.draft;
    }
    form.setValues({ ...draft, entry });
  };
  return (
    <Group className={prose.remark} gap={8} justify="space-between" fz={13} role="status">
      <Box component="span" miw={0}>
        Not a variable of this template: <code>{unlisted.join(', ')}</code>
      </Box>
      <Button size="compact-sm" variant="default" onClick={addAll}>
        Add to variables
      </Button>
    </Group>
  );
}
