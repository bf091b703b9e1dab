import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from '#web/api/query-client.ts';
import { sessionQuery } from '#web/api/session.ts';
import { registerServiceWorker } from '#web/api/service-worker.ts';
import { reloadAfterUpdate } from '#web/app/reload-after-update.ts';
import { createAppRouter, loadScreen } from '#web/app/router.ts';
import { reportScriptErrors } from '#web/app/script-errors.ts';

const queryClient = createQueryClient({
  // The signed-in layout follows the session and redirects to /auth.
  onSignedOut: () => queryClient.setQueryData(sessionQuery.queryKey, null),
});

const router = createAppRouter(queryClient);

reloadAfterUpdate();
reportScriptErrors();
registerServiceWorker();
loadScreen(router, queryClient);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
