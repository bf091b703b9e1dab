import type { demoRequestRoutes } from '#contract/demo-requests.ts';
import { type DemoRequestPorts, listDemoRequests, requestDemo } from '#features/demo-requests/demo-requests.service.ts';
import { AfterCommit, type HandlersOf } from '#platform/handler.ts';

export const demoRequestHandlers = (ports: DemoRequestPorts): HandlersOf<typeof demoRequestRoutes> => ({
  requestDemo: ({ body, clientAddress }) => requestDemo(ports, { body, clientAddress }),
  listDemoRequests: () => new AfterCommit(() => listDemoRequests(ports.auth)),
});
