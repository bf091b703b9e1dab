import type { demoRequestRoutes } from '#contract/demo-requests.ts';
import { type DemoRequestPorts, listDemoRequests, requestDemo } from '#features/demo-requests/demo-requests.service.ts';
import { AfterCommit, type HandlersOf } from '#platform/handler.ts';

export const demoRequestHandlers = (ports: DemoRequestPorts): HandlersOf<typeof demoRequestRoutes> => ({
  async requestDemo({ body, clientAddress }) {
    await requestDemo(ports, { body, clientAddress });
    return {};
  },
  listDemoRequests: () => new AfterCommit(() => listDemoRequests(ports.auth)),
});
