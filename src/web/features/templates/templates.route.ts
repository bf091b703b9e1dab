import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '#web/app/routes.ts';

/** The URL's state: `?search=…&category=<id>` for the list, `&template=<id>` for the open template; `&open=…` opens a dialog. */
export type TemplateSearch = { search?: string; category?: string; template?: string; open?: 'new' | 'categories' };

export const templatesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/templates',
  validateSearch: ({ search, category, template, open }): TemplateSearch => ({
    search: textOf(search),
    category: idOf(category),
    template: idOf(template),
    open: open === 'new' || open === 'categories' ? open : undefined,
  }),
  component: lazyRouteComponent(() => import('./TemplatesScreen.tsx'), 'TemplatesScreen'),
});

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

const idOf = (value: unknown) =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) ? value : undefined;
