import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { useWorkspace } from './WorkspaceProvider.tsx';

it('a screen outside of every workspace says what is wrong with it', () => {
  const Lost = () => useWorkspace().workspace.name;
  expect(() => renderToString(createElement(Lost))).toThrow('useWorkspace must be used within a WorkspaceProvider');
});
