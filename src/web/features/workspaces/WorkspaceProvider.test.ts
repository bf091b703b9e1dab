import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { useWorkspace } from './WorkspaceProvider.tsx';

it('useWorkspace outside of a WorkspaceProvider throws an error that says so', () => {
  const Lost = () => useWorkspace().workspace.name;
  expect(() => renderToString(createElement(Lost))).toThrow('useWorkspace must be used within a WorkspaceProvider');
});
